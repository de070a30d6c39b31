#pragma once

#include "engine/event/series/mode_kernel.hpp"
#include "engine/model/linear_system.hpp"

#include <vector>

namespace ricochet {

/// exp(-d t) cos(w t) and exp(-d t) sin(w t)/w of all uncoupled modes at any instant, as
/// `decayingCosineAndSine` for one mode; vectorised over the modes that oscillate.
class ModalWaves {
 public:
  explicit ModalWaves(const LinearSystem& linear);

  /// Evaluates exp(-d t) cos(w t) and exp(-d t) sin(w t)/w of all modes; 1 and 0 on the padding.
  void evaluateDecayingWavesAt(double t, Vector& cosine, Vector& sineOverW) const noexcept;

  /// Arguments of the wave kernels for the modes that oscillate.
  kernels::Waves argumentsOfWaveKernel() const noexcept {
    return {w_.size(), w_.data(), inverseW_.data(), damped_ ? decay_.data() : nullptr};
  }

 private:
  const LinearSystem* linear_;
  Vector w_, inverseW_, decay_;     // one value per mode, padded; zero for modes that do not oscillate
  std::vector<Eigen::Index> rest_;  // rigid-body, critically damped and overdamped modes
  bool damped_;
  double fastest_, mostDamped_;
};

}  // namespace ricochet
