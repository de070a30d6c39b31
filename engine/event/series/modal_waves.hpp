#pragma once

#include "engine/event/series/mode_kernel.hpp"
#include "engine/model/linear_system.hpp"

#include <vector>

namespace ricochet {

/// exp(-d t) cos(w t) and exp(-d t) sin(w t)/w of all uncoupled modes at any instant: what decayingWave gives
/// for one, vectorised over those that oscillate.
class ModalWaves {
 public:
  explicit ModalWaves(const LinearSystem& linear);

  /// Both padded; 1 and 0 on the padding.
  void at(double t, Vector& cosine, Vector& sineOverW) const noexcept;

  /// Of those that oscillate.
  kernels::Waves waves() const noexcept {
    return {w_.size(), w_.data(), inverseW_.data(), damped_ ? decay_.data() : nullptr};
  }

 private:
  const LinearSystem* linear_;
  Vector w_, inverseW_, decay_;     // padded; zeros for those that do not oscillate
  std::vector<Eigen::Index> rest_;  // rigid bodies, critical or overdamped
  bool damped_;
  double fastest_, mostDamped_;
};

}  // namespace ricochet
