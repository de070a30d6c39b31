#include "engine/event/series/modal_waves.hpp"

#include "engine/numerics/decaying_wave.hpp"

#include <cmath>

namespace ricochet {

ModalWaves::ModalWaves(const LinearSystem& linear)
    : linear_(&linear),
      w_(Vector::Zero(linear.omegaSquared.size())),
      inverseW_(w_),
      decay_(w_),
      damped_(linear.isDamped()) {
  for (Eigen::Index j = 0; j < linear.modes; ++j) {
    // relative to omega^2; below this limit 1/w is too large to be useful
    constexpr double kOscillates = 1e-6;
    const double d = 0.5 * linear.dampingDiagonal[j];
    const double square = linear.omegaSquared[j] - d * d;
    if (!(square > kOscillates * linear.omegaSquared[j])) {
      rest_.push_back(j);
      continue;
    }
    w_[j] = std::sqrt(square);
    inverseW_[j] = 1.0 / w_[j];
    decay_[j] = d;
  }
  fastest_ = w_.maxCoeff();
  mostDamped_ = decay_.maxCoeff();
}

void ModalWaves::evaluateDecayingWavesAt(double t, Vector& cosine, Vector& sineOverW) const noexcept {
  const auto alone = [&](Eigen::Index j) {
    const DecayingWave wave =
        decayingCosineAndSine(linear_->omegaSquared[j], 0.5 * linear_->dampingDiagonal[j], t);
    cosine[j] = wave.cosine;
    sineOverW[j] = wave.sineOverW;
  };
  if (fastest_ * t > kernels::kMostPhase || mostDamped_ * t > kernels::kMostDecay) {
    cosine.setOnes();
    sineOverW.setZero();
    for (Eigen::Index j = 0; j < linear_->modes; ++j) alone(j);
    return;
  }
  kernels::computeDecayingCosinesAndSines(argumentsOfWaveKernel(), t, cosine.data(), sineOverW.data());
  for (const Eigen::Index j : rest_) alone(j);
}

}  // namespace ricochet
