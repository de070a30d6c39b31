#pragma once

#include "verification/cross_check/rigid_system.hpp"

#include <Eigen/Core>

#include <array>
#include <cstddef>
#include <vector>

namespace ricochet::cross {

/// A function of the local time tau that is positive while the present contact states hold:
///
///     h(tau) = constant + slope tau + sum_k factor_k X_k(tau),   X: phi, its integral, its double integral
struct Guard {
  double constant{0.0};
  double slope{0.0};
  Eigen::VectorXd factors;
  int integrals{0};       ///< level of the guard: 0 for a force, 1 for a speed, 2 for a gap
  double tolerance{0.0};  ///< rounding error of h
  std::size_t contact{0};
};

/// Load functions and their integrals from an instant on.
class Segment {
 public:
  Segment(const RigidSystem& system, double start, double longest);

  /// Length without a breakpoint of a load [s].
  double length() const noexcept { return length_; }
  /// Columns: phi_k, integral, double integral at tau.
  Eigen::MatrixX3d valuesAt(double tau) const;
  double evaluate(const Guard& guard, double tau) const;
  /// First root of any guard, or `length()`; `fired`: index of the guard, or -1.
  double firstRoot(const std::vector<Guard>& guards, int& fired) const;

 private:
  double rootOf(const Guard& guard, double best) const;
  double valueAt(const Guard& guard, std::size_t node) const;

  const RigidSystem& system_;
  double start_;
  double length_;
  std::vector<double> nodes_;              // increasing local times of the samples
  std::vector<Eigen::MatrixX3d> sampled_;  // values of the functions at nodes_
};

}  // namespace ricochet::cross
