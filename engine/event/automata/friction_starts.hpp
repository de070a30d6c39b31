#pragma once

#include "engine/contact/laws/laws.hpp"

#include <array>
#include <cmath>
#include <cstddef>
#include <limits>
#include <span>
#include <variant>

/// How a slip or a stick begins, which tells what of its guard is zero there.

namespace ricochet {

/// Of a place, relative.
inline constexpr double kPlaceNoise = 64.0 * std::numeric_limits<double>::epsilon();

/// Whether the guards of stick and slip of a damped contact vanish together, its trial traction being on a
/// cone that bounds both: to a relative tolerance, and to what rounding of places leaves of a stiff spring.
inline bool isOnBothCones(const AnyFrictionLaw& friction, const FrictionKinematics<double>& k,
                          const FrictionMemory<double>& memory, double tolerance) {
  return std::visit(
      [&](const auto& law) {
        const Tangential<double> trial = law.template force<double>(FrictionState::stick, k, memory);
        const double places = length(k.position) + length(memory.anchorPosition);
        const double noise = kPlaceNoise * law.contactStiffness() * places;
        const double most = tolerance * dot(trial, trial) + 2.0 * noise * std::sqrt(dot(trial, trial));
        return std::abs(law.template guard<double>(FrictionState::stick, k, memory)) <= most &&
               std::abs(law.template guard<double>(FrictionState::slip, k, memory)) <= most;
      },
      friction);
}

/// Whether a stick along a line begins on its cone, where the slip that ended was going: mu_s = mu_d.
/// Relative to a traction.
inline bool beginsOnCone(const AnyFrictionLaw& friction, const FrictionKinematics<double>& k,
                         const FrictionMemory<double>& memory, const Tangential<double>& direction,
                         double tolerance) {
  return std::visit(
      [&](const auto& law) {
        const double margin = law.template margin<double>(k, memory, direction);
        return std::abs(margin) <= tolerance * length(k.reaction);
      },
      friction);
}

/// Whether a stick asks for more than N bears.
inline bool exceedsCone(const AnyFrictionLaw& friction, const FrictionKinematics<double>& k,
                        const FrictionMemory<double>& memory) {
  return std::visit(
      [&](const auto& law) { return law.template guard<double>(FrictionState::stick, k, memory) < 0.0; },
      friction);
}

/// Whether a stick pulls with nothing, the end of its spring being where it is hooked to.
inline bool isSlack(const AnyFrictionLaw& friction, const FrictionKinematics<double>& k,
                    const FrictionMemory<double>& memory) {
  return std::visit(
      [&](const auto& law) {
        const Tangential<double> pull = law.template force<double>(FrictionState::stick, k, memory);
        return length(pull) == 0.0;
      },
      friction);
}

/// Whether a slip that begins has less traction than the stick before it had, by more than a part of that: it
/// starts with an acceleration. (Its kinematics still have the reaction of the stick.)
inline bool tractionFalls(const AnyFrictionLaw& friction, const FrictionKinematics<double>& k,
                          const FrictionMemory<double>& memory, double tolerance) {
  return std::visit(
      [&](const auto& law) {
        const Tangential<double> slip = law.template force<double>(FrictionState::slip, k, memory);
        const double before = length(k.reaction);
        return before - length(slip) > tolerance * before;
      },
      friction);
}

/// The traction that a stick begins with, given by series along lines: their first coefficients that are more
/// than rounding, `noiseOf(k)`. Zero if there are none.
template <class NoiseOf>
Tangential<double> startOfPull(const std::array<std::span<double>, 2>& traction,
                               const std::array<Tangential<double>, 2>& axis, int lines, std::size_t orders,
                               const NoiseOf& noiseOf) {
  for (std::size_t k = 0; k < orders; ++k) {
    Tangential<double> pull{};
    for (std::size_t a = 0; a < static_cast<std::size_t>(lines); ++a)
      pull = pull + scaled(traction[a][k], axis[a]);
    if (length(pull) > noiseOf(k)) return pull;
  }
  return {};
}

}  // namespace ricochet
