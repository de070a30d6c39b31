#include "engine/links/passed_links.hpp"

#include "engine/links/link_in_series.hpp"

#include <algorithm>
#include <cmath>

namespace ricochet {
namespace {

/// Linear function of displacement and rate that equals the force of a link at both ends of a step; `holds`
/// is false if there is no such function.
struct StraightForce {
  bool holds{false};
  double force{0.0}, x{0.0}, v{0.0};  // values at the start
  double stiffness{0.0}, damping{0.0};
  double rounding{0.0};  // rounding error of the force [N]

  double at(double place, double rate) const noexcept {
    return force + stiffness * (place - x) + damping * (rate - v);
  }
};

bool areNumbersEqualWithinRounding(double a, double b) noexcept {
  constexpr double kSame = 1e-9;
  return std::abs(a - b) <= kSame * (std::abs(a) + std::abs(b));
}

StraightForce linearForceBetweenStates(const Link& link, const LinkState& from,
                                       const LinkState& to) noexcept {
  constexpr double kRounding = 1e-9;
  const LinkSlopes first = forceAndDerivativesOfLinkLaw(link.law, from, from.motion),
                   last = forceAndDerivativesOfLinkLaw(link.law, from, to.motion);
  StraightForce straight{.force = first.force[0],
                         .x = from.motion.x[0],
                         .v = from.motion.v[0],
                         .stiffness = first.byPosition(0, 0),
                         .damping = first.byRate(0, 0)};
  straight.rounding =
      kRounding * (std::abs(first.force[0]) + std::abs(last.force[0]) +
                   std::abs(straight.stiffness) * (std::abs(straight.x) + std::abs(to.motion.x[0])) +
                   std::abs(straight.damping) * (std::abs(straight.v) + std::abs(to.motion.v[0])));
  straight.holds = areNumbersEqualWithinRounding(straight.stiffness, last.byPosition(0, 0)) &&
                   areNumbersEqualWithinRounding(straight.damping, last.byRate(0, 0)) &&
                   std::abs(straight.at(to.motion.x[0], to.motion.v[0]) - last.force[0]) <= straight.rounding;
  return straight;
}

/// Mean deviation of the force f(x) of a link from a linear function over a displacement [N]; 0 for laws
/// without an integral of the force.
double meanDeviationFromLinearForce(const Link& link, double from, double to,
                                    const StraightForce& straight) noexcept {
  if (from == to) return 0.0;
  return std::visit(
      [&]<class Law>(const Law& law) {
        if constexpr (Law::traits.integratesForce)
          return std::abs(law.forceIntegral(from, to) / (to - from) -
                          straight.at(0.5 * (from + to), straight.v));
        else
          return 0.0;
      },
      link.law);
}

/// Largest deviation of the force of a link from its linear function within the step [N].
double largestDeviationFromLinearForce(const Link& link, const LinkState& from,
                                       const LinkState& to) noexcept {
  const TurningPoint<double> turn = turningPointOfMotionInStep(from.motion, to.motion, 0);
  if (!turn.exists && !traitsOf(link.law).integratesForce) return 0.0;
  const StraightForce straight = linearForceBetweenStates(link, from, to);
  if (!straight.holds) return 0.0;
  double beside = 0.0;
  if (turn.exists) {
    LinkMotion<double> there = to.motion;
    there.time = from.motion.time + turn.theta * (to.motion.time - from.motion.time);
    there.x[0] = turn.x;
    there.v[0] = 0.0;
    const double force = std::visit(
        [&](const auto& law) { return law.template computeResponse<double>(from, there).force[0]; },
        link.law);
    beside = std::max(std::abs(force - straight.at(turn.x, 0.0)),
                      std::max(meanDeviationFromLinearForce(link, from.motion.x[0], turn.x, straight),
                               meanDeviationFromLinearForce(link, turn.x, to.motion.x[0], straight)));
  } else {
    beside = meanDeviationFromLinearForce(link, from.motion.x[0], to.motion.x[0], straight);
  }
  return beside > straight.rounding ? beside : 0.0;
}

}  // namespace

double errorOfForceBetweenStepEnds(const LinkRun& links) noexcept {
  const LinkSet& set = links.linkSet();
  double squares = 0.0;
  for (int i = 0; i < set.size(); ++i) {
    const double* row = set.row(i, 0);
    const LinkState& from = links.state(i);
    const LinkState& to = links.trialState(i);
    const double h = to.motion.time - from.motion.time;
    if (row == nullptr || set.link(i).axisCount() != 1 || !(h > 0.0)) continue;
    const double impulse = h * largestDeviationFromLinearForce(set.link(i), from, to);
    squares += impulse * impulse * kernels::dot(row, row, set.rowSize());
  }
  return std::sqrt(squares);
}

}  // namespace ricochet
