#pragma once

#include "engine/event/automata/contact_automaton.hpp"
#include "engine/event/automata/series_contact.hpp"
#include "engine/event/series/motion_noise.hpp"
#include "engine/event/series/outlook.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <variant>

namespace ricochet {

/// Bounds of rounding errors in the coefficients of the series of a nonlinear contact.
class SeriesNoise {
 public:
  SeriesNoise(const TaylorExpansion& expansion, const SeriesContact& c) : motion_(expansion), c_(c) {
    const auto sizeOf = [](double size, const Local<double>& v) {
      return size + std::sqrt(innerProduct(v, v));
    };
    const Eigen::Vector3d& offset = c.contact->offset;
    rounding_ =
        kNoise * sizeOf(sizeOf(offset.norm(), c.followed.place), c.followed.drift) + c.offsetRoundingError();
  }

  /// Rounding error of coefficient k of the gap or of the path.
  double positionRoundingError(std::size_t k) const {
    const double earlier = k == 0 ? c_.rounding.place : k == 1 ? c_.rounding.speed : 0.0;
    return c_.reach * (motion_.motionRoundingError(k) + earlier) + (k == 0 ? rounding_ : 0.0);
  }
  double rateRoundingError(std::size_t k) const {
    return static_cast<double>(k + 1) * positionRoundingError(k + 1);
  }
  /// Rounding error of coefficient k of N.
  double compressionRoundingError(std::size_t k) const {
    if (c_.setValuedNormal) return kNoise * std::abs(c_.compression[k]) + reactionRoundingError(k);
    const double depth = std::abs(c_.state.gap);
    const double given =
        std::visit([](const auto& law) { return law.contactStiffness(); }, c_.contact->normal);
    const bool power = c_.isPower && depth > 0.0;
    const double stiffness = power ? c_.exponent * c_.state.compression / depth : given;
    // N_k is proportional to the power n - k of the penetration.
    const double own = power ? static_cast<double>(k + 1) * positionRoundingError(0) / depth : 0.0;
    const double damping =
        std::visit([](const auto& law) { return law.contactDamping(); }, c_.contact->normal);
    return (kNoise + own) * std::abs(c_.compression[k]) + stiffness * positionRoundingError(k) +
           (damping > 0.0 ? damping * rateRoundingError(k) : 0.0);
  }
  /// Rounding error of coefficient k of a traction.
  double tractionRoundingError(std::size_t k) const {
    double noise = kNoise * (std::abs(c_.traction[0][k]) + std::abs(c_.traction[1][k]));
    if (c_.isHeldByFriction()) return noise + reactionRoundingError(k);
    return noise + std::visit(
                       [&](const auto& law) {
                         const double damping = law.contactDamping();
                         return law.contactStiffness() * positionRoundingError(k) +
                                (damping > 0.0 ? damping * rateRoundingError(k) : 0.0);
                       },
                       c_.contact->friction);
  }
  /// Rounding error of the slip acceleration due to the forces of the contact itself.
  double roundingErrorOfOwnAcceleration(std::size_t k) const {
    return c_.compliance * (compressionRoundingError(k) + tractionRoundingError(k));
  }
  /// Rounding error of coefficient k of a friction guard.
  double frictionGuardRoundingError(GuardSlot slot, std::size_t k) const {
    if (slot != GuardSlot::slip || c_.hasRelaxingSlipSpring())
      return compressionRoundingError(k) + tractionRoundingError(k);
    const double stiffness =
        std::visit([](const auto& law) { return law.contactStiffness(); }, c_.contact->friction);
    return rateRoundingError(k) +
           (k > 0 ? roundingErrorOfOwnAcceleration(k - 1) / static_cast<double>(k) : 0.0) +
           (stiffness > 0.0 ? static_cast<double>(k + 1) * compressionRoundingError(k + 1) / stiffness : 0.0);
  }
  /// Rounding error of coefficient k of (mu N)^2 - T^2: twice the size of each factor times the rounding
  /// error of the other factor.
  double coneGuardRoundingError(std::size_t k) const {
    if (k + 2 >= c_.traction[0].size()) return std::numeric_limits<double>::infinity();
    double sum = 0.0;
    for (std::size_t j = 0; j <= k; ++j) {
      const double force = std::abs(c_.traction[0][k - j]) + std::abs(c_.traction[1][k - j]);
      sum += 2.0 * compressionRoundingError(j) * std::abs(c_.compression[k - j]) +
             2.0 * force * tractionRoundingError(j);
    }
    return sum;
  }

 private:
  /// Rounding error of coefficient k of the reaction of a constraint.
  double reactionRoundingError(std::size_t k) const {
    if (!(c_.reach > 0.0)) return 0.0;
    const double own = motion_.accelerationRoundingError(k) / c_.reach;
    if (k == 0 || !c_.isTurningSlip()) return own;
    if (tractionPerForce_ < 0.0) tractionPerForce_ = tractionPerNormalForce();
    return own +
           turning_.tractionRoundingErrorOfOrder(k, c_, motion_, tractionPerForce_,
                                                 [this](std::size_t j) { return reactionRoundingError(j); });
  }
  /// Traction of a slip at the present slip rate per N.
  double tractionPerNormalForce() const {
    FrictionKinematics<double> k;
    k.slipRate = c_.state.slipRate;
    k.compression = 1.0;
    return std::visit(
        [&](const auto& law) {
          return length(law.template force<double>(FrictionState::slip, k, c_.state.friction));
        },
        c_.contact->friction);
  }

  MotionNoise motion_;
  const SeriesContact& c_;
  double rounding_{0.0};
  mutable TurningSlipNoise turning_;
  mutable double tractionPerForce_{-1.0};  ///< negative: not computed
};

}  // namespace ricochet
