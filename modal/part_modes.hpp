#pragma once

#include "modal/solvers/dense_modes.hpp"
#include "modal/solvers/elastic_inverse.hpp"
#include "modal/solvers/structure_parts.hpp"

#include <memory>

namespace ricochet {

/// The lowest elastic modes of one part of a structure, found as they are asked for and counted.
///
/// Spectra's Lanczos on the elastic inverse (no shift: the zeros are known), or in blocks where the factor is
/// large (block_lanczos.hpp); densely where the part is small or more than half of its modes are wanted. A
/// few more than asked for are found, so that the last one is followed by a gap: no group of equal
/// frequencies is cut, and the inertia of K - s M in the gap (Sylvester) has to count what was found below
/// it.
class PartModes {
 public:
  /// Throws BasisError.
  PartModes(const std::shared_ptr<const StructurePart>& part, double rounding);

  const std::shared_ptr<const ElasticInverse>& inverse() const noexcept { return inverse_; }
  const StructurePart& part() const noexcept { return *part_; }
  const Matrix& zeroModes() const noexcept { return inverse_->zeroModes(); }
  int elastic() const noexcept { return elastic_; }  ///< how many elastic modes the part has

  /// Finds so many at least, or all there are. Throws BasisError: not found, or counted otherwise.
  void find(int wanted);
  /// Finds all below a value [rad^2/s^2].
  void findBelow(double eigenvalue);

  /// M-orthonormal, increasing; those found so far.
  const Eigenpairs& found() const noexcept { return found_; }
  /// Below it all are found [rad^2/s^2]; infinite when there are no more.
  double reach() const noexcept { return reach_; }

  /// Eigenvalues below a value, zeros included, by the inertia of K - s M.
  int countBelow(double eigenvalue) const;

 private:
  Eigenpairs lowest(int count, int attempt) const;
  Eigenpairs tried(int count, int attempt) const;
  Eigenpairs allDensely() const;
  Eigenpairs polished(Matrix vectors, Eigen::Index soft) const;
  bool counted(const Eigenpairs& pairs, Eigen::Index below, double limit) const;

  std::shared_ptr<const StructurePart> part_;
  double rounding_;
  std::shared_ptr<const ElasticInverse> inverse_;
  int elastic_{0};
  Eigenpairs found_;
  double reach_{0.0};
};

}  // namespace ricochet
