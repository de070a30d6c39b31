// Spring of a stick with a dashpot during a slip: its force relaxes to the traction at the rate kappa.

#include "engine/event/automata/event_contacts.hpp"
#include "engine/event/series/resolved_step.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace ricochet {

/// Expands the excess D = T_e.e - T.e of the spring force over the traction, for a slip along one line with
/// direction e:
///
///     D' = -kappa D - (T.e)'       D_{j+1} = -kappa D_j / (j + 1) - (T.e)_{j+1}
void EventContacts::expandSpringExcess(LinearContact& c, std::size_t orders) noexcept {
  const FrictionMemory<double>& memory = c.state.friction;
  const std::span<double> excess = c.spring[0];
  const double sign = dot(c.axis[0], memory.direction);
  excess[0] = dot(memory.anchorForce, memory.direction) - sign * c.traction[0][0];
  for (std::size_t k = 1; k < orders; ++k)
    excess[k] = -c.relaxation * excess[k - 1] / static_cast<double>(k) - sign * c.traction[0][k];
  c.transientDecayed = false;
}

/// Replaces the series of D by its particular solution once the transient exp(-kappa t) is below rounding;
/// returns true if the series was replaced. The particular solution is a polynomial like T.e, computed from
/// its last coefficient backwards. This solution does not limit the step, however stiff the spring is:
///
///     D_j = -(j + 1) ((T.e)_{j+1} + D_{j+1}) / kappa
bool EventContacts::tryDroppingSpringTransient(LinearContact& c, std::size_t orders) noexcept {
  const FrictionMemory<double>& memory = c.state.friction;
  const double sign = dot(c.axis[0], memory.direction);
  const auto before = [&](std::size_t k, double next) {
    return -static_cast<double>(k + 1) / c.relaxation * (sign * c.traction[0][k + 1] + next);
  };
  double rest = 0.0;
  for (std::size_t k = orders - 1; k-- > 0;) rest = before(k, rest);
  const double force = std::abs(dot(memory.anchorForce, memory.direction));
  if (std::abs(c.spring[0][0] - rest) > kNoise * (force + std::abs(c.traction[0][0]))) return false;
  c.transientDecayed = true;
  c.spring[0][orders - 1] = 0.0;
  for (std::size_t k = orders - 1; k-- > 0;) c.spring[0][k] = before(k, c.spring[0][k + 1]);
  return true;
}

/// Longest step over which the series of the spring force of a damped slip is exact to the tolerance [s].
double EventContacts::longestDampedStep(LinearContact& c, int order, double step) const noexcept {
  if (c.transientDecayed) return step;
  const auto size = [](const auto& parts, std::size_t k) { return std::hypot(parts[0][k], parts[1][k]); };
  const double longest =
      c.isTurningSlip()
          ? stepResolvingSeries(
                order, tolerance_, [&](std::size_t k) { return size(c.spring, k); },
                [&](std::size_t k) { return size(c.spring, k) + size(c.traction, k); })
          : stepResolvingSeries(
                order, tolerance_, [&](std::size_t k) { return std::abs(c.spring[0][k]); },
                [&](std::size_t k) { return std::abs(c.spring[0][k]) + std::abs(c.traction[0][k]); });
  return longest < step && !c.isTurningSlip() &&
                 tryDroppingSpringTransient(c, static_cast<std::size_t>(order + 1))
             ? step
             : longest;
}

}  // namespace ricochet
