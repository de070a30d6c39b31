#pragma once

#include "engine/numerics/dual.hpp"

#include <cstddef>
#include <vector>

namespace ricochet {

/// Yield force over accumulated plastic displacement: linear between points and extrapolated after the last
/// point. Under kinematic hardening the yield force is constant and the centre of the elastic range moves by
/// slope times plastic displacement.
class HardeningCurve {
 public:
  HardeningCurve() = default;

  /// Builds the curve from points of a force-displacement curve after (0, 0); the first point ends the
  /// elastic range. Displacements and forces increase, slopes do not increase.
  HardeningCurve(const std::vector<double>& displacement, const std::vector<double>& force, bool kinematic);

  double stiffness() const noexcept { return stiffness_; }
  /// Hardening curve of this spring in series with a spring of flexibility S [m/N]: the yield force over the
  /// plastic displacement is unchanged, K becomes K/(1 + K S).
  HardeningCurve curveWithSpringInSeries(double flexibility) const {
    HardeningCurve softer = *this;
    softer.stiffness_ /= 1.0 + stiffness_ * flexibility;
    return softer;
  }
  bool isKinematic() const noexcept { return kinematic_; }

  /// Shift of the centre of the elastic range per plastic displacement [N/m]; 0 for isotropic hardening.
  double kinematicHardeningModulus() const noexcept { return kinematic_ ? slope_.front() : 0.0; }

  /// Yield force at a plastic displacement p [N].
  template <class Real>
  Real yieldForce(const Real& p) const noexcept {
    if (kinematic_) return Real(yield_.front());
    const std::size_t i = segmentIndex(valueOf(p));
    return yield_[i] + slope_[i] * (p - plastic_[i]);
  }

  /// Plastic displacement increment dp for an excess a of the elastic trial force over the yield force: a = K
  /// dp + (increase of the yield force from p to p + dp).
  template <class Real>
  Real plasticIncrement(const Real& p, const Real& excess) const noexcept {
    Real at = p;
    Real rest = excess;
    std::size_t i = segmentIndex(valueOf(p));
    for (; i + 1 < plastic_.size(); ++i) {
      const Real room = (stiffness_ + slope_[i]) * (plastic_[i + 1] - at);
      if (!(rest > room)) break;
      rest = rest - room;
      at = Real(plastic_[i + 1]);
    }
    return at - p + rest / (stiffness_ + slope_[i]);
  }

  /// Integral of the yield force over the plastic displacement [J].
  double plasticWork(double from, double to) const noexcept;

  /// Energy stored by kinematic hardening [J]; `square` is the square of the plastic displacement [m^2].
  double kinematicHardeningEnergy(double square) const noexcept {
    return 0.5 * kinematicHardeningModulus() * square;
  }

 private:
  std::size_t segmentIndex(double p) const noexcept;

  double stiffness_{1.0};
  bool kinematic_{false};
  std::vector<double> plastic_{0.0};
  std::vector<double> yield_{1.0};
  std::vector<double> slope_{0.0};  // slope of the piece that begins at each point [N/m]
};

}  // namespace ricochet
