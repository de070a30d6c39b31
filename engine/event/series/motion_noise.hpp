#pragma once

#include "engine/event/series/taylor_expansion.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

namespace ricochet {

/// Relative rounding error of a sum of many terms. The value is generous: if a coefficient wrongly counts as
/// zero, the next coefficient decides.
inline constexpr double kNoise = 1024.0 * std::numeric_limits<double>::epsilon();

/// Largest number of coefficients of an expansion.
inline constexpr std::size_t kMostOrders = 40;

/// Bounds of rounding errors in the coefficients of the motion q and of its acceleration; evaluated on
/// demand.
///
/// Springs and dashpots of contacts multiply the rounding error of the motion by |b|^2 k and |b|^2 c. A stiff
/// contact that touches without a force, while the rest of the structure moves, has nothing but these errors
/// in its first coefficients.
class MotionNoise {
 public:
  explicit MotionNoise(const TaylorExpansion& expansion) : expansion_(expansion) {}

  /// Rounding error of coefficient k of q [kg^1/2 m s^-k].
  double motionRoundingError(std::size_t k) const {
    const double own = kNoise * size(k);
    return k < 2 ? own : own + roundingErrorOfContactAcceleration(k - 2) / static_cast<double>(k * (k - 1));
  }
  /// Rounding error of the accelerations of order k: of the sum of their terms, and of the forces of
  /// contacts.
  double accelerationRoundingError(std::size_t k) const {
    return kNoise * sumOfAccelerationTermMagnitudes(k) + roundingErrorOfContactAcceleration(k);
  }
  /// Size of the terms whose sum is the acceleration of order k.
  double sumOfAccelerationTermMagnitudes(std::size_t k) const {
    while (termsKnown_ <= k) {
      terms_[termsKnown_] = expansion_.elasticForceNorm(static_cast<int>(termsKnown_)) +
                            expansion_.forceNormSum(static_cast<int>(termsKnown_));
      ++termsKnown_;
    }
    return terms_[k];
  }

 private:
  /// Rounding error of the accelerations of order k due to the springs and dashpots of contacts.
  double roundingErrorOfContactAcceleration(std::size_t k) const {
    if (stiffness_ < 0.0) sumContactStiffnessAndDamping();
    if (!(stiffness_ + damping_ > 0.0)) return 0.0;
    for (; contactsKnown_ <= k; ++contactsKnown_) {
      const std::size_t n = contactsKnown_;
      contacts_[n] = stiffness_ * motionRoundingErrorFromKnownOrders(n) +
                     damping_ * static_cast<double>(n + 1) * motionRoundingErrorFromKnownOrders(n + 1) +
                     (n == 0 ? error_ : 0.0);
    }
    return contacts_[k];
  }
  /// `motionRoundingError` where the orders before are known.
  double motionRoundingErrorFromKnownOrders(std::size_t k) const {
    const double before = k < 2 ? 0.0 : contacts_[k - 2] / static_cast<double>(k * (k - 1));
    return kNoise * size(k) + before;
  }
  /// Sums |b|^2 k, |b|^2 c and |b| times the error of the force over all contacts [1/s^2, 1/s, N kg^-1/2].
  void sumContactStiffnessAndDamping() const {
    stiffness_ = damping_ = error_ = 0.0;
    for (int i = 0; i < expansion_.channelCount(); ++i) {
      const Channel channel = expansion_.channel(i);
      const double stiffness = std::abs(channel.stiffness) + channel.given.stiffness;
      const double damping = std::abs(channel.damping) + channel.given.damping;
      if (stiffness == 0.0 && damping == 0.0) continue;
      const double square = kernels::dot(channel.row, channel.row, expansion_.rowSize());
      stiffness_ += stiffness * square;
      damping_ += damping * square;
      error_ += channel.given.error * std::sqrt(square);
    }
  }
  /// Size of coefficient k of q: its norm, or the norm of the forces that cancel in this coefficient.
  double size(std::size_t k) const {
    const double own = expansion_.displacementNorm(static_cast<int>(k));
    return k < 2 ? own
                 : std::max(own, sumOfAccelerationTermMagnitudes(k - 2) / static_cast<double>(k * (k - 1)));
  }

  const TaylorExpansion& expansion_;
  mutable std::array<double, kMostOrders> terms_;
  mutable std::size_t termsKnown_{0};
  mutable std::array<double, kMostOrders> contacts_;
  mutable std::size_t contactsKnown_{0};
  mutable double stiffness_{-1.0};  ///< negative: not computed
  mutable double damping_{0.0};
  mutable double error_{0.0};
};

/// Rounding errors of N of a rigid contact whose slip turns, order by order; evaluated on demand.
///
/// T_k is mu times the sum of N_j d_(k-j), with the direction d of the traction. An error of N_(k-1) also
/// turns the slips of its body, by |b| |f|/|s'| of it with the sum f of all forces.
class TurningSlipNoise {
 public:
  /// Rounding error of N of order k [N s^-k]. `share`: traction per N. `reactionRoundingError(j)`: rounding
  /// error of N of order j < k, with this error.
  template <class C, class ReactionNoise>
  double tractionRoundingErrorOfOrder(std::size_t k, const C& c, const MotionNoise& motion, double share,
                                      const ReactionNoise& reactionRoundingError) {
    const double speed = c.isSlipWithZeroSpeed() ? 0.0 : length(c.state.slipRate);
    const double turn =
        speed > 0.0 ? c.largestTangentRowNorm() * motion.sumOfAccelerationTermMagnitudes(0) / speed : 0.0;
    for (; known_ <= k; ++known_) {
      const std::size_t n = known_;
      double noise = 0.0;
      for (std::size_t j = 0; j < n; ++j)
        noise += share * reactionRoundingError(j) *
                 std::hypot(c.tractionDirection[0][n - j], c.tractionDirection[1][n - j]);
      if (n > 0) noise += turn / static_cast<double>(n) * reactionRoundingError(n - 1);
      noise_[n] = noise;
    }
    return noise_[k];
  }

 private:
  std::array<double, kMostOrders> noise_;
  std::size_t known_{0};
};

}  // namespace ricochet
