#pragma once

#include "engine/contact/laws/laws.hpp"

#include <array>
#include <cmath>
#include <cstddef>
#include <limits>
#include <span>
#include <variant>

/// Tests for the start of a slip or a stick, which determine the zero coefficients of its guard at the start.

namespace ricochet {

/// Relative rounding error of a position.
inline constexpr double kPlaceNoise = 64.0 * std::numeric_limits<double>::epsilon();

/// True if the guards of stick and slip of a damped contact vanish together, because its trial traction is on
/// the cone of both: within a relative tolerance, and within the rounding of positions times the spring
/// stiffness.
inline bool doBothFrictionGuardsVanish(const AnyFrictionLaw& friction, const FrictionKinematics<double>& k,
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

/// True if a stick along a line begins on its friction cone (mu_s = mu_d), in the direction of the slip
/// before the stick. The tolerance is relative to the traction.
inline bool doesStickBeginOnFrictionCone(const AnyFrictionLaw& friction, const FrictionKinematics<double>& k,
                                         const FrictionMemory<double>& memory,
                                         const Tangential<double>& direction, double tolerance) {
  return std::visit(
      [&](const auto& law) {
        const double margin = law.template frictionConeMargin<double>(k, memory, direction);
        return std::abs(margin) <= tolerance * length(k.reaction);
      },
      friction);
}

/// True if a slip that begins has less traction than the stick before, by more than a relative tolerance: the
/// slip then starts with an acceleration. `k.reaction` is the traction of the stick.
inline bool doesTractionDropAtSlipStart(const AnyFrictionLaw& friction, const FrictionKinematics<double>& k,
                                        const FrictionMemory<double>& memory, double tolerance) {
  return std::visit(
      [&](const auto& law) {
        const Tangential<double> slip = law.template force<double>(FrictionState::slip, k, memory);
        const double before = length(k.reaction);
        return before - length(slip) > tolerance * before;
      },
      friction);
}

/// Guard of a contact that is held on its cone, (T.d)^2 - (T.v)^2, with the direction d of its traction T and
/// the direction v of the traction that would move it.
template <class Real>
Real coneGuardWhileHeld(const Tangential<Real>& traction, const Tangential<Real>& direction,
                        const Tangential<double>& moving) {
  const Real limit = traction.first * direction.first + traction.second * direction.second;
  const Real pull = moving.first * traction.first + moving.second * traction.second;
  return limit * limit - pull * pull;
}

/// First coefficients of the traction series of a stick that exceed their rounding error `noiseOf(k)`; zero
/// if no coefficients exceed it.
template <class NoiseOf>
Tangential<double> leadingTractionCoefficient(const std::array<std::span<double>, 2>& traction,
                                              const std::array<Tangential<double>, 2>& axis, int lines,
                                              std::size_t orders, const NoiseOf& noiseOf) {
  for (std::size_t k = 0; k < orders; ++k) {
    Tangential<double> pull{};
    for (std::size_t a = 0; a < static_cast<std::size_t>(lines); ++a)
      pull = pull + scaled(traction[a][k], axis[a]);
    if (length(pull) > noiseOf(k)) return pull;
  }
  return {};
}

}  // namespace ricochet
