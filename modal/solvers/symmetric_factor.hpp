#pragma once

#include "physical/types.hpp"

#include <memory>
#include <optional>
#include <vector>

namespace ricochet {

/// LDL^t of a sparse symmetric matrix A, by whichever library made it.
class SymmetricFactor {
 public:
  SymmetricFactor() = default;
  SymmetricFactor(const SymmetricFactor&) = delete;
  SymmetricFactor& operator=(const SymmetricFactor&) = delete;
  SymmetricFactor(SymmetricFactor&&) = delete;
  SymmetricFactor& operator=(SymmetricFactor&&) = delete;
  virtual ~SymmetricFactor() = default;

  /// A^-1 B in the place of B: n x any number of columns, which share one pass over the factor. `work` grows
  /// to n once and is not allocated again.
  virtual void solve(Eigen::Ref<Matrix> columns, Vector& work) const = 0;
  void solve(Eigen::Ref<Matrix> columns) const {
    Vector work;
    solve(columns, work);
  }

  /// The inertia: how many eigenvalues of A are negative (Sylvester).
  virtual int negativePivots() const = 0;

  /// Rows whose pivots are rounding of what they were subtracted from: |pivot| <= `tiny` |a_ii|.
  virtual std::vector<int> tinyRows() const = 0;

  /// Entries of the triangular factor.
  virtual double fill() const = 0;
};

/// What a factorization tells of the eigenvalues of a matrix, as of SymmetricFactor.
struct Inertia {
  int negative{0};
  std::vector<int> tinyRows;
};

/// The rows in the order in which they are eliminated (none: any order).
using EliminationOrder = std::vector<int>;

/// What factorizations of one pattern share: the order of elimination, and the library that suits the work,
/// which the elimination tree tells before anything is factorized. Eigen's, column by column in the order of
/// minimum degree, where it takes few operations; MUMPS in METIS' order where it takes many and is found at
/// run time, else Eigen's in that order.
class Elimination {
 public:
  explicit Elimination(const SparseMatrix& pattern);

  /// Of some rows of the pattern, increasing, in the same order.
  Elimination restrictedTo(const std::vector<int>& rows) const;

  /// Of a matrix with this pattern or less. Nothing when a pivot vanishes. Throws BasisError: not enough
  /// memory.
  std::unique_ptr<SymmetricFactor> factorize(const SparseMatrix& matrix, double tiny) const;

  /// The same without the factor, which MUMPS does not keep then.
  std::optional<Inertia> inertia(const SparseMatrix& matrix, double tiny) const;

 private:
  Elimination() = default;

  EliminationOrder order_;
  bool byFronts_{false};
};

/// Of one matrix alone.
std::unique_ptr<SymmetricFactor> factorize(const SparseMatrix& matrix, double tiny);

/// Eigen's SimplicialLDLT: one column at a time, pivots in the order given, no pivoting.
std::unique_ptr<SymmetricFactor> factorizeByColumns(const SparseMatrix& matrix, const EliminationOrder& order,
                                                    double tiny);

/// MUMPS, sequential: multifrontal with dense blocks, pivots of order one and two, so that the inertia of an
/// indefinite matrix is sure (P.R. Amestoy, I.S. Duff, J. Koster, J.-Y. L'Excellent, SIAM J. Matrix Anal.
/// Appl. 23 (2001) 15-41). Nothing when a pivot vanishes. Throws BasisError: not enough memory.
/// Call them only where `mumpsIsAvailable()`.
std::unique_ptr<SymmetricFactor> factorizeByFronts(const SparseMatrix& matrix, const EliminationOrder& order,
                                                   double tiny);
std::optional<Inertia> inertiaByFronts(const SparseMatrix& matrix, const EliminationOrder& order,
                                       double tiny);

/// Whether ricochet was built with the header of MUMPS and finds its libraries now.
bool mumpsIsAvailable();

}  // namespace ricochet
