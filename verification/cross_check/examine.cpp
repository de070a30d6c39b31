#include "verification/cross_check/examine.hpp"

#include "verification/cross_check/engine_run.hpp"
#include "verification/cross_check/reference.hpp"
#include "verification/cross_check/weak_judges.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>

namespace ricochet::cross {
namespace {

constexpr int kManyParts = 400;  // instants of a run whose motion differs
constexpr int kManySamples = 16;
constexpr int kInstants = 20;
// Largest number of contact states, above the limit of the oracle.
constexpr std::size_t kManyChanges = 10000;

/// True if no motion satisfies Newton's and Coulomb's laws after the state in which event stopped: the oracle
/// ends there too, or finds no motion from this state.
bool doesRunStopWithoutSolution(const RigidSystem& system, const EngineRun& run, const Reference& reference) {
  constexpr double kSameInstant = 1e-9;  // of the run
  const OracleRun& oracle = reference.run();
  if (oracle.end == OracleRun::End::noSolution &&
      std::abs(run.time - oracle.until) <= kSameInstant * system.duration)
    return true;
  return run.lastPosition.size() == system.size() && run.lastPosition.allFinite() &&
         run.lastVelocity.allFinite() &&
         judgeState(system, run.lastPosition, run.lastVelocity, run.time) == OracleRun::End::noSolution;
}

FaultKind kindOf(EngineRun::Ending ending) {
  using enum EngineRun::Ending;
  switch (ending) {
    case refused:
      return FaultKind::refused;
    case late:
      return FaultKind::slow;
    case unbalanced:
      return FaultKind::unbalanced;
    case infinite:
      return FaultKind::infinite;
    default:
      return FaultKind::stalls;
  }
}

/// Instants just after changes of contact states in event, from t on: a second possible motion begins at such
/// an instant.
std::vector<double> instantsOfStateChangesAfter(const EngineRun& run, double t) {
  constexpr double kJustAfter = 1e-7, kApart = 1e-5;  // of the run
  constexpr std::size_t kMost = 500;
  std::vector<double> instants;
  for (const double change : run.changes) {
    const double next = change + kJustAfter * run.time;
    if (change < t || instants.size() == kMost) continue;
    if (instants.empty() || next > instants.back() + kApart * run.time) instants.push_back(next);
  }
  return instants;
}

/// Reference for motions that differ after t: between two instants at which the oracle checks uniqueness,
/// another motion may have become possible, and errors may grow faster than a single sample shows.
Reference refineReferenceAfter(const RigidSystem& system, const std::vector<double>& instants,
                               const EngineRun& run, double t) {
  return Reference(
      system, instants,
      {.parts = kManyParts, .samples = kManySamples, .judgeAt = instantsOfStateChangesAfter(run, t)});
}

/// Checks properties that event must have for any motion.
void judgeRun(const RigidSystem& system, const EngineRun& run, const Reference& reference,
              Examination& found) {
  constexpr double kPenetration = -1e-9;  // [m]
  constexpr double kEnergy = 1e-7;        // relative to the largest energy
  // Relative to the possible work of the forces: energy due to the rounding of rates.
  constexpr double kRounding = 1e-14;
  if (!run.complete()) {
    const bool isKnown = reference.run().end == OracleRun::End::complete &&
                         reference.calmInstantCount() == reference.knownInstantCount();
    found.bouncesOn = run.ending == EngineRun::Ending::late && run.changes.size() > kManyChanges &&
                      !found.silent && !isKnown;
    found.stopsRightly = !found.silent && doesRunStopWithoutSolution(system, run, reference);
    if (!found.stopsRightly && !found.bouncesOn) found.add(kindOf(run.ending), run.failure);
    return;
  }
  const double given =
      system.speedScaleOfSlipRate * system.speedScaleOfSlipRate / system.inverseMass.minCoeff();
  if (run.smallestGap < kPenetration)
    found.add(FaultKind::penetrates, fmt::format("gap {:.3g} m", run.smallestGap));
  if (run.energyError * run.largestEnergy > kEnergy * run.largestEnergy + kRounding * given)
    found.add(FaultKind::energy,
              fmt::format("ledger residual {:.3g} of the largest energy", run.energyError));
}

/// Compares the motion of event with that of the oracle, as long as the oracle has a unique motion that does
/// not depend on rounding.
void judgeMotion(const EngineRun& run, const Reference& reference, double duration, Examination& found) {
  using Ending = EngineRun::Ending;
  if (run.ending == Ending::refused || run.ending == Ending::infinite) return;
  found.sensitive = reference.decisiveInstantCount() < reference.knownInstantCount();
  for (std::size_t i = 0; i < reference.decisiveInstantCount(); ++i) {
    const double t = reference.run().times[i];
    if (!run.complete() && t > run.time) return;
    const auto column = static_cast<Eigen::Index>(i);
    const auto difference = [&](const Eigen::MatrixXd& a, const Eigen::MatrixXd& b) {
      return (a.col(column) - b.col(column)).cwiseAbs().maxCoeff();
    };
    const auto judge = [&](const char* what, double found_, double limit) {
      if (found_ <= limit) return true;
      found.add(FaultKind::differs,
                fmt::format("{} off by {:.3g} (allowed {:.3g}) at t = {:.6g}", what, found_, limit, t),
                found_ / (what[0] == 'd' ? reference.length() : reference.speed()));
      return false;
    };
    if (!judge("displacement", difference(run.positions, reference.run().positions),
               reference.tolerance(i)) ||
        !judge("velocity", difference(run.velocities, reference.run().velocities),
               reference.speedTolerance(i)))
      return;
    found.comparedUntil = t / duration;
  }
}

}  // namespace

const char* nameOf(FaultKind kind) {
  constexpr std::array<const char*, kFaultKinds> kNames{
      "refused",       "stalls",          "unbalanced", "infinite",     "slow",
      "penetrates",    "energy",          "differs",    "moreau stops", "moreau differs",
      "penalty stops", "penalty differs", "oracle lost"};
  return kNames[static_cast<std::size_t>(kind)];
}

const Fault* Examination::find(FaultKind kind) const {
  const auto fault = std::ranges::find_if(faults, [&](const Fault& each) { return each.kind == kind; });
  return fault == faults.end() ? nullptr : &*fault;
}

Examination examine(const ContactModel& model, bool weakly) {
  Examination found;
  const RigidSystem system = assemble(model);
  const std::vector<double> instants = outputInstants(model.duration, kInstants);
  const EngineRun run =
      runDeck(deckOf(model, {}), static_cast<int>(model.bodies.size()), model.planar, instants, kMostSeconds);
  found.silent = system.hasTurningFriction;
  Reference reference;
  if (!found.silent) {
    reference = Reference(system, instants, {});
    Examination first;
    judgeMotion(run, reference, model.duration, first);
    if (first.find(FaultKind::differs) != nullptr)
      reference = refineReferenceAfter(system, instants, run, first.comparedUntil * model.duration);
  }
  judgeRun(system, run, reference, found);
  if (!found.silent) {
    found.end = reference.run().end;
    if (found.end == OracleRun::End::lost) found.add(FaultKind::oracleLost, "see --only");
    judgeMotion(run, reference, model.duration, found);
    std::vector<double> tolerances;
    for (std::size_t i = 0; i < instants.size(); ++i) tolerances.push_back(reference.tolerance(i));
    found.expected = expectedValues(model, reference.run().positions, instants, tolerances,
                                    reference.decisiveInstantCount());
    found.length = reference.length();
  }
  if (!weakly) return found;
  Examination first = found;
  judgeByApproximateSchemes(model, system, reference, run, instants, first);
  if (found.silent || first.faults.size() == found.faults.size()) return first;
  reference = refineReferenceAfter(system, instants, run, 0.0);
  judgeByApproximateSchemes(model, system, reference, run, instants, found);
  return found;
}

}  // namespace ricochet::cross
