#pragma once

#include "modal/solvers/structure_parts.hpp"
#include "modal/solvers/symmetric_factor.hpp"

#include <memory>
#include <utility>
#include <vector>

namespace ricochet {

/// Response of a part of the structure to loads by its stiffness, for free and supported parts:
///
///     x = P K^+ P^t b,   P = I - Z Z^t M
///
/// Z: the M-orthonormal motions without strain: rigid motions from the geometry (rigid_motions.hpp), then
/// mechanisms. P^t b balances the load by the inertia forces of these motions, x is M-orthogonal to them. The
/// elastic modes are the eigenvectors of x = (1/omega^2) b for b = M x, without a shift; the zero eigenvalues
/// do not appear.
///
/// K is scaled by its diagonal, so that metres and radians, stiff and soft dofs become comparable. As many
/// rows as Z has columns are fixed, chosen where Z moves most: the remaining matrix is definite, and a
/// balanced b produces no reaction at the fixed rows. A candidate for a mechanism is a motion whose stiffness
/// is near rounding; it is a mechanism if it causes no strain (C. Farhat, M. Geradin, Comput. Struct. 66
/// (1998) 535-544, for both ways to find such motions).
class ElasticInverse {
 public:
  /// `rounding`: relative error of the entries of K, if above that of double precision. Throws BasisError for
  /// a negative stiffness, or a motion with neither mass nor stiffness.
  ElasticInverse(std::shared_ptr<const StructurePart> part, double rounding);

  /// Motions without strain Z of the part: rows x motions.
  const Matrix& zeroModes() const noexcept { return zeroModes_; }
  /// Number of translations, the first columns of Z.
  int translationCount() const noexcept { return translations_; }
  /// Number of mechanisms, the last columns of Z.
  int mechanismCount() const noexcept { return mechanisms_; }

  /// Replaces each column b by x = K^+ b.
  void solve(Eigen::Ref<Matrix> columns) const;
  Vector elasticResponse(Vector column) const {
    solve(column);
    return column;
  }

  const StructurePart& part() const noexcept { return *part_; }
  Eigen::Index size() const noexcept { return part_->size(); }
  /// Number of entries of the triangular factor.
  double factorEntryCount() const { return factor_->factorEntryCount(); }
  /// Elimination order of K, which also serves K - s M.
  const Elimination& elimination() const noexcept { return elimination_; }

 private:
  std::unique_ptr<SymmetricFactor> factorizeStiffnessWithFixedRows(const std::vector<int>& held,
                                                                   double added = 0.0) const;
  Matrix computeSoftestMotions(const SymmetricFactor& factor, Eigen::Index looked) const;
  /// Limits of the strain of a mechanism: strain share, and reactions in scaled rows.
  struct StrainLimits {
    double share, reaction;
  };
  bool findMechanisms(const Matrix& soft, StrainLimits limits, std::vector<Vector>& motions);
  void throwIfNegativeStiffness(double unit) const;
  void removeStrainOfMotions(Matrix& motions, const std::vector<int>& held,
                             const SymmetricFactor& factor) const;
  Vector correctedMotionWithoutStrain(const Vector& motion) const;
  void normaliseZeroModes(const Matrix& motions);

  std::shared_ptr<const StructurePart> part_;
  Vector scale_;         // 1 / sqrt(k_ii)
  SparseMatrix scaled_;  // stiffness K, scaled on both sides by `scale_`
  Elimination elimination_;
  std::vector<int> held_;  // rows that are fixed
  std::unique_ptr<SymmetricFactor> factor_;
  Matrix zeroModes_;
  Matrix momenta_;  // momenta M Z of the motions without strain
  int translations_{0};
  int mechanisms_{0};
};

/// Elastic inverse of all parts of a structure.
class StructureInverse {
 public:
  /// A part of a structure: its rows in the reduced matrices, and its elastic inverse. Identical parts may
  /// share an inverse.
  struct Piece {
    std::vector<int> rows;
    std::shared_ptr<const ElasticInverse> inverse;
  };
  explicit StructureInverse(std::vector<Piece> pieces) : pieces_(std::move(pieces)) {}
  explicit StructureInverse(const PhysicalModel& model);

  /// Elastic response P K^+ P^t b of all parts to a reduced load b.
  Vector elasticResponse(const Vector& load) const;

  /// True if a reduced load has a component along a motion without strain beyond rounding: Z^t b compared
  /// with `made`, the sum of the absolute terms of b.
  bool doesLoadExciteZeroModes(const Vector& load, const Vector& made) const;

  /// True if a part on which the load acts has a motion without strain.
  bool doesLoadActOnUnconstrainedPart(const Vector& load) const;

 private:
  std::vector<Piece> pieces_;
};

}  // namespace ricochet
