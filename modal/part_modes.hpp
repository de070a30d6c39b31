#pragma once

#include "modal/solvers/dense_modes.hpp"
#include "modal/solvers/elastic_inverse.hpp"
#include "modal/solvers/structure_parts.hpp"

#include <memory>

namespace ricochet {

/// The lowest elastic modes of one part of a structure, computed on demand and counted.
///
/// Lanczos iterations of Spectra on the elastic inverse (no shift: the zero modes are known), or block
/// Lanczos if the factor is large (block_lanczos.hpp); a dense solver if the part is small or more than half
/// of its modes are needed. A few more modes than requested are computed, so that a gap follows the last
/// mode: no group of equal frequencies is cut, and the inertia of K - s M in the gap (Sylvester) must equal
/// the number of modes found.
class PartModes {
 public:
  /// Prepares the modes of a part. Throws BasisError.
  PartModes(const std::shared_ptr<const StructurePart>& part, double rounding);

  const std::shared_ptr<const ElasticInverse>& elasticInverse() const noexcept { return inverse_; }
  const StructurePart& part() const noexcept { return *part_; }
  const Matrix& zeroModes() const noexcept { return inverse_->zeroModes(); }
  int elasticModeCount() const noexcept { return elastic_; }  ///< number of elastic modes of the part

  /// Finds at least `wanted` modes, or all modes. Throws BasisError if they are not found, or the count
  /// differs.
  void findModes(int wanted);
  /// Finds all modes below an eigenvalue [rad^2/s^2].
  void findModesBelow(double eigenvalue);

  /// All modes found so far: increasing, M-orthonormal.
  const Eigenpairs& foundModes() const noexcept { return found_; }
  /// Eigenvalue below which all modes are found [rad^2/s^2]; infinite if there are no more modes.
  double completenessLimit() const noexcept { return reach_; }

  /// Number of eigenvalues below a value, zeros included, from the inertia of K - s M.
  int countEigenvaluesBelow(double eigenvalue) const;

 private:
  Eigenpairs lowestModes(int count, int attempt) const;
  Eigenpairs lowestModesOrNone(int count, int attempt) const;
  Eigenpairs computeAllModesDensely() const;
  Eigenpairs refineByInverseIteration(Matrix vectors, Eigen::Index soft) const;
  bool hasExpectedModeCount(const Eigenpairs& pairs, Eigen::Index below, double limit) const;

  std::shared_ptr<const StructurePart> part_;
  double rounding_;
  std::shared_ptr<const ElasticInverse> inverse_;
  int elastic_{0};
  Eigenpairs found_;
  double reach_{0.0};
};

}  // namespace ricochet
