#pragma once

#include "modal/solvers/structure_parts.hpp"
#include "modal/solvers/symmetric_factor.hpp"

#include <memory>
#include <utility>
#include <vector>

namespace ricochet {

/// What a part of the structure answers to loads by its stiffness, free to move or not:
///
///     x = P K^+ P^t b,   P = I - Z Z^t M
///
/// Z: the motions that strain nothing, M-orthonormal: rigid ones from the geometry (rigid_motions.hpp), then
/// mechanisms. P^t b balances the load by the inertia that these motions have, x is M-orthogonal to them. So
/// the elastic modes are the eigenvectors of x = (1/omega^2) b for b = M x, at no shift, and the zeros stay
/// out of the way.
///
/// K is scaled by its diagonal, so that neither metres and radians nor stiff and soft dofs are compared with
/// each other, and held at as many rows as there are columns of Z, those that Z moves most: the rest is
/// definite, and b in balance leaves no force where it is held. A mechanism shows as a motion that is soft to
/// rounding and is one when it strains nothing (C. Farhat, M. Geradin, Comput. Struct. 66 (1998) 535-544, for
/// both ways to find motions).
class ElasticInverse {
 public:
  /// `rounding`: of the entries of K, relative, where more than that of double precision. Throws BasisError:
  /// a negative stiffness, a motion with neither mass nor stiffness.
  ElasticInverse(std::shared_ptr<const StructurePart> part, double rounding);

  /// Z: rows of the part x motions.
  const Matrix& zeroModes() const noexcept { return zeroModes_; }
  int translations() const noexcept { return translations_; }  ///< the first columns of Z
  int mechanisms() const noexcept { return mechanisms_; }      ///< the last ones

  /// b becomes x, column by column.
  void solve(Eigen::Ref<Matrix> columns) const;
  Vector solved(Vector column) const {
    solve(column);
    return column;
  }

  const StructurePart& part() const noexcept { return *part_; }
  Eigen::Index size() const noexcept { return part_->size(); }
  /// Entries of the triangular factor.
  double fill() const { return factor_->fill(); }
  /// The order of elimination, for K - s M too.
  const Elimination& elimination() const noexcept { return elimination_; }

 private:
  std::unique_ptr<SymmetricFactor> factorHeld(const std::vector<int>& held, double added = 0.0) const;
  Matrix softest(const SymmetricFactor& factor, Eigen::Index looked) const;
  bool findMechanisms(const Matrix& soft, double rounding, std::vector<Vector>& motions);
  void relax(Matrix& motions, const std::vector<int>& held, const SymmetricFactor& factor) const;
  Vector unstrained(const Vector& motion) const;
  void normalise(const Matrix& motions);

  std::shared_ptr<const StructurePart> part_;
  Vector scale_;         // 1 / sqrt(k_ii)
  SparseMatrix scaled_;  // scale K scale
  Elimination elimination_;
  std::vector<int> held_;  // rows
  std::unique_ptr<SymmetricFactor> factor_;
  Matrix zeroModes_;
  Matrix momenta_;  // M Z
  int translations_{0};
  int mechanisms_{0};
};

/// The same of all parts of a structure.
class StructureInverse {
 public:
  /// Rows of the reduced matrices and what answers on them. Equal parts may share one inverse.
  struct Piece {
    std::vector<int> rows;
    std::shared_ptr<const ElasticInverse> inverse;
  };
  explicit StructureInverse(std::vector<Piece> pieces) : pieces_(std::move(pieces)) {}
  explicit StructureInverse(const PhysicalModel& model);

  /// P K^+ P^t b of a reduced load.
  Vector solved(const Vector& load) const;

  /// Whether a reduced load pushes a part that can move without strain along such a motion, beyond rounding:
  /// Z^t b against the terms of `made`, what b is the sum of.
  bool pushesFreely(const Vector& load, const Vector& made) const;

  /// Whether a part that the load acts on can move without strain.
  bool movesFreely(const Vector& load) const;

 private:
  std::vector<Piece> pieces_;
};

}  // namespace ricochet
