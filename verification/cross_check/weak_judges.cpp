#include "verification/cross_check/weak_judges.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>

namespace ricochet::cross {
namespace {

constexpr double kNear = 2e-3;  // mean difference, relative to the largest displacement
constexpr int kCoarse = 4;      // refinements by which most motions come near
// Exponents of the steps of moreau [s]. The last two are needed where two contacts close within microseconds,
// or where many impacts multiply the error of a step.
constexpr std::array kStepExponents{-10, -12, -14, -16, -20, -23};

// Limits of the processor time of a run with moreau or penalty contacts [s]
constexpr double kMostWeakSeconds = 20.0, kMostFineSeconds = 200.0;

/// Motion with which moreau and penalty contacts are compared.
struct Target {
  const Eigen::MatrixXd& positions;
  double length;  ///< largest displacement [m]
};

/// Mean over the instants of the largest difference of displacements, relative to the largest displacement.
double meanDifference(const EngineRun& run, const Target& target) {
  return (run.positions - target.positions).cwiseAbs().colwise().maxCoeff().mean() / target.length;
}

/// Runs a model with increasing refinement until its motion is near the target, or its distance has halved
/// twice in the coarse refinements. Adds a fault if neither happens, or if the run stops.
template <class ChoiceFor>
void judgeUnderRefinement(const ContactModel& model, const Target& target,
                          const std::vector<double>& instants, int refinements, ChoiceFor&& choiceFor,
                          FaultKind stops, FaultKind differs, Examination& found) {
  double before = 0.0, beforeThat = 0.0;
  std::string differences;
  DeckChoice last;
  Eigen::MatrixXd positions;
  for (int k = 0; k < refinements; ++k) {
    const double seconds = k < kCoarse ? kMostWeakSeconds : kMostFineSeconds;
    const EngineRun run = runDeck(deckOf(model, choiceFor(k)), static_cast<int>(model.bodies.size()),
                                  model.planar, instants, seconds);
    if (k >= kCoarse && run.ending == EngineRun::Ending::late) break;
    last = choiceFor(k);
    if (!run.complete()) {
      found.add(stops, run.failure);
      found.faults.back().choice = last;
      return;
    }
    const double difference = meanDifference(run, target);
    const bool falls = k < kCoarse && difference < 0.5 * before && before < 0.5 * beforeThat;
    if (difference <= kNear || falls) return;
    differences += fmt::format(" {:.3g}", difference);
    beforeThat = before;
    before = difference;
    positions = run.positions;
  }
  found.add(differs, fmt::format("differences{} of the motion", differences), before);
  if (!found.silent) {
    found.faults.back().choice = last;
    return;
  }
  const std::vector<double> tolerances(instants.size(), 0.2 * before * target.length);
  found.expected = expectedValues(model, positions, instants, tolerances, instants.size());
  for (ExpectedValue& value : found.expected) value.source = "moreau at the finest step of cross_check";
}

/// True if moreau may differ from event although both are right: its finest step contains two impacts that
/// event takes one after another, or the oracle does not follow the motion and the impulses are not unique.
bool isUndecided(const EngineRun& run, const Examination& found) {
  constexpr double kSteps = 4.0;  // steps by which moreau tells two impacts apart
  const double finest = std::ldexp(1.0, kStepExponents.back());
  return run.shortestBetweenClosings < kSteps * finest || (found.silent && !run.hasUniqueImpulses);
}

}  // namespace

void judgeByApproximateSchemes(const ContactModel& model, const RigidSystem& system,
                               const Reference& reference, const EngineRun& run,
                               const std::vector<double>& instants, Examination& found) {
  if (found.silent ? !run.complete() : reference.calmInstantCount() < instants.size()) return;
  const Eigen::MatrixXd& positions = found.silent ? run.positions : reference.run().positions;
  const Target target{positions, std::max(positions.cwiseAbs().maxCoeff(), 1e-4 * system.lengthScale)};
  found.moreauJudged = true;
  const int refinements = isUndecided(run, found) ? kCoarse : static_cast<int>(kStepExponents.size());
  judgeUnderRefinement(
      model, target, instants, refinements,
      [](int k) {
        const auto exponent = kStepExponents[static_cast<std::size_t>(k)];
        return DeckChoice{.scheme = "moreau", .step = std::ldexp(1.0, exponent)};
      },
      FaultKind::moreauStops, FaultKind::moreauDiffers, found);
  if (found.find(FaultKind::moreauDiffers) != nullptr && isUndecided(run, found)) {
    std::erase_if(found.faults, [](const Fault& fault) { return fault.kind == FaultKind::moreauDiffers; });
    found.expected.clear();
    found.undecided = true;
  }
  if (found.silent || !reference.run().jumps.empty()) return;
  found.penaltyJudged = true;
  double lightest = model.bodies[0].mass, force = 1.0;
  for (const Body& body : model.bodies) lightest = std::min(lightest, body.mass);
  for (const Eigen::VectorXd& f : system.forces) force = std::max(force, f.cwiseAbs().maxCoeff());
  const auto penalty = [&](int k) {
    // Gives a penetration of 10 micrometres at first.
    const double stiffness = 1e5 * force * std::pow(30.0, k);
    return DeckChoice{.penalty = Penalty{stiffness, 2.0 * std::sqrt(stiffness * lightest)}};
  };
  judgeUnderRefinement(model, target, instants, 3, penalty, FaultKind::penaltyStops,
                       FaultKind::penaltyDiffers, found);
}

}  // namespace ricochet::cross
