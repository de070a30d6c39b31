#pragma once

#include "engine/model/modal_equation.hpp"

namespace ricochet {

/// Motion over a step of modes that their damping couples, x+ = x + change x + h response f, where f is a
/// constant force per modal mass and x = (scale q, v): displacements that are scaled to velocities.
struct CoupledStep {
  Vector scale;     ///< [1/s]
  Matrix change;    ///< 2 modes x 2 modes
  Matrix response;  ///< 2 modes x modes; empty unless requested
};
CoupledStep computeCoupledStep(const Vector& omegaSquared, const Matrix& damping, double h,
                               bool withResponse);

/// Exact free motion of the structure over a step h: (q, v) -> exp(h [[0, I], [-Omega^2, -C]]) (q, v).
///
/// Uncoupled modes: four numbers per mode, valid for any damping (under, over, critical) and for rigid-body
/// modes:
///     q+ = A q + B v,  v+ = -omega^2 B q + D v,
///     A = e (c + d s), B = e s, D = e (c - d s),  d = c_j/2, e = exp(-d h), w^2 = omega^2 - d^2,
///     c = cos(w h), s = sin(w h)/w   (cosh, sinh/w when overdamped; 1, h at w = 0).
/// Coupled modes: the matrix exponential itself.
class ModalDrift {
 public:
  explicit ModalDrift(const LinearSystem& linear);

  /// Computes the drift over h [s]. This costs a sine and an exponential per mode (a matrix exponential if C
  /// couples modes), so the drift is kept while the step is unchanged.
  void prepare(double h);

  double stepLength() const noexcept { return h_; }
  const LinearSystem& linearSystem() const noexcept { return *linear_; }

  /// Coefficients per mode, padded; null if C couples modes.
  kernels::DriftTables driftCoefficientsOfModes() const noexcept {
    return {qq_.data(), qv_.data(), vq_.data(), vv_.data()};
  }

  /// Free motion over the step after a kick, (q, v) <- drift of (q, v + kick f), in one pass.
  void applyDrift(double kick, const Vector& f, Vector& q, Vector& v) const noexcept {
    if (linear_->damping) return applyDriftOfCoupledModes(kick, f, q, v);
    kernels::kickVelocityAndDriftModes({qq_.data(), qv_.data(), vq_.data(), vv_.data()}, kick, f.data(),
                                       q.data(), v.data(), q.size());
  }

 private:
  void applyDriftOfCoupledModes(double kick, const Vector& f, Vector& q, Vector& v) const noexcept;

  const LinearSystem* linear_;
  double h_{-1.0};
  Vector qq_, qv_, vq_,
      // Coefficients per mode; padded entries are an identity, which leaves the zero state of the padding
      // unchanged.
      vv_;
  Matrix exponential_;  // 2 modes x 2 modes, only for coupled modes
  mutable Vector before_, after_;
};

}  // namespace ricochet
