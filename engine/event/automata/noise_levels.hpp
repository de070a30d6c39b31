#pragma once

#include "engine/event/automata/linear_contact.hpp"

#include <algorithm>
#include <array>
#include <cmath>

namespace ricochet {

/// Bounds of rounding errors in the coefficients of the series of a contact; evaluated on demand, since most
/// guards are decided by their first two coefficients.
class NoiseLevels {
 public:
  NoiseLevels(const TaylorExpansion& expansion, const LinearContact& c)
      : expansion_(expansion), contact_(c), motion_(expansion) {}

  /// Rounding error of coefficient k of the gap (line 0) or of the position along a tangent (lines 1, 2).
  double positionRoundingError(std::size_t line, std::size_t k) const {
    const double noise =
        contact_.rowSize[line] * (motion_.motionRoundingError(k) + motionRoundingErrorByTurningSlip(k));
    if (k == 1) return noise + contact_.rowSize[line] * contact_.rounding.speed;
    if (k > 0) return noise;
    const double origin = line == 0 ? std::min(std::abs(contact_.low), std::abs(contact_.high))
                                    : length(contact_.origin) + length(contact_.travel);
    return noise + contact_.rowSize[line] * contact_.rounding.place +
           (line == 0 ? contact_.offsetRoundingError() : 0.0) +
           (std::isfinite(origin) ? kNoise * origin : 0.0);
  }
  double reactionRoundingError(std::size_t line, std::size_t k) const {
    const double row = contact_.rowSize[line];
    const double own = row > 0.0 ? motion_.accelerationRoundingError(k) / row : 0.0;
    if (k == 0) return own;
    if (contact_.isTurningSlip()) return line == 0 ? own + turningSlipRoundingError(k) : own;
    const double beside = row > 0.0 ? roundingErrorOfMostTurningSlip(k) : 0.0;
    return beside == 0.0 ? own : own + contact_.mostTurningSlip->largestTangentRowNorm() / row * beside;
  }
  double compressionRoundingError(std::size_t k) const {
    return linearFormRoundingError(contact_.normalForce, 0, k, kNoise * std::abs(contact_.imposedSeries[k]));
  }
  /// Rounding error of a linear form of the position along a line and of an input with the rounding error
  /// `input`.
  double linearFormRoundingError(const LinearForm& f, std::size_t line, std::size_t k, double input,
                                 double inputNext = 0.0) const {
    const auto order = static_cast<double>(k + 1);
    double noise = std::abs(f.input) * input + std::abs(f.inputRate) * order * inputNext;
    if (f.position != 0.0) noise += std::abs(f.position) * positionRoundingError(line, k);
    if (f.rate != 0.0) noise += std::abs(f.rate) * order * positionRoundingError(line, k + 1);
    if (f.reaction != 0.0) noise += std::abs(f.reaction) * reactionRoundingError(line, k);
    return noise + (k == 0 ? kNoise * std::abs(f.constant) : 0.0);
  }

  /// Rounding error of the traction of a slip, coefficient k.
  double tractionRoundingError(std::size_t k) const {
    const double share = std::hypot(contact_.tangentForce[0].input, contact_.tangentForce[1].input);
    return share * compressionRoundingError(k) +
           kNoise * (std::abs(contact_.traction[0][k]) + std::abs(contact_.traction[1][k]));
  }
  /// Rounding error of the spring force of a damped slip, which integrates the rounding error of the
  /// traction.
  double springForceRoundingError(std::size_t k) const {
    const Tangential<double>& force = contact_.state.friction.anchorForce;
    double noise = kNoise * length(force);
    for (std::size_t j = 0; j < k; ++j)
      noise = contact_.relaxation * (noise + tractionRoundingError(j)) / static_cast<double>(j + 1);
    return noise;
  }
  /// Rounding error of the excess of the spring force of a damped slip over its traction, along one line.
  double springExcessRoundingError(std::size_t k) const {
    constexpr std::size_t kTerms = 4;  // number of terms of a decreasing sum, if the spring is stiff
    double noise = 0.0;
    if (contact_.transientDecayed) {
      for (std::size_t j = std::min(k + kTerms, static_cast<std::size_t>(expansion_.order())); j > k; --j)
        noise = static_cast<double>(j) / contact_.relaxation * (tractionRoundingError(j) + noise);
      return noise;
    }
    noise = kNoise * std::abs(dot(contact_.state.friction.anchorForce, contact_.axis[0])) +
            tractionRoundingError(0);
    for (std::size_t j = 1; j <= k; ++j)
      noise = contact_.relaxation * noise / static_cast<double>(j) + tractionRoundingError(j);
    return noise;
  }

 private:
  double turningSlipRoundingError(std::size_t k) const {
    const double share = std::hypot(contact_.tangentForce[0].input, contact_.tangentForce[1].input);
    return turning_.tractionRoundingErrorOfOrder(
        k, contact_, motion_, share, [this](std::size_t j) { return reactionRoundingError(0, j); });
  }
  /// Rounding error of the traction of order k of the slip beside this contact that turns most [N].
  double roundingErrorOfMostTurningSlip(std::size_t k) const {
    if (contact_.mostTurningSlip == nullptr || contact_.isTurningSlip() || k == 0) return 0.0;
    if (besideKnown_ <= k) {
      const NoiseLevels levels(expansion_, *contact_.mostTurningSlip);
      for (besideKnown_ = 1; besideKnown_ < static_cast<std::size_t>(kMostOrders); ++besideKnown_)
        beside_[besideKnown_] = besideKnown_ <= static_cast<std::size_t>(expansion_.order())
                                    ? levels.turningSlipRoundingError(besideKnown_)
                                    : 0.0;
    }
    return beside_[k];
  }
  /// Rounding error of coefficient k of the motion q due to this traction.
  double motionRoundingErrorByTurningSlip(std::size_t k) const {
    const double noise = k < 3 ? 0.0 : roundingErrorOfMostTurningSlip(k - 2);
    if (noise == 0.0) return 0.0;
    return contact_.mostTurningSlip->largestTangentRowNorm() * noise / static_cast<double>(k * (k - 1));
  }
  const TaylorExpansion& expansion_;
  const LinearContact& contact_;
  MotionNoise motion_;
  mutable TurningSlipNoise turning_;
  mutable std::array<double, kMostOrders> beside_;
  mutable std::size_t besideKnown_{0};
};

}  // namespace ricochet
