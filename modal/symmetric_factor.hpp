#pragma once

#include "physical/types.hpp"

#include <memory>
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

  /// A^-1 B in the place of B: n x any number of columns, which share one pass over the factor.
  virtual void solve(Eigen::Ref<Matrix> columns) const = 0;

  /// The inertia: how many eigenvalues of A are negative (Sylvester).
  virtual int negativePivots() const = 0;

  /// Rows whose pivots are rounding of what they were subtracted from: |pivot| <= `tiny` |a_ii|.
  virtual std::vector<int> tinyRows() const = 0;

  /// Entries of the triangular factor.
  virtual double fill() const = 0;
};

/// By the library that suits the work, which the elimination tree tells before anything is factorized:
/// Eigen's column by column where it takes few operations, MUMPS where it takes many and is found at run
/// time, else Eigen's in the order of METIS. Nothing when a pivot vanishes. Throws BasisError: not enough
/// memory.
std::unique_ptr<SymmetricFactor> factorize(const SparseMatrix& matrix, double tiny);

/// Eigen's SimplicialLDLT: one column at a time, pivots in order, no pivoting.
std::unique_ptr<SymmetricFactor> factorizeByColumns(const SparseMatrix& matrix, double tiny);

/// MUMPS, sequential: multifrontal with dense blocks, pivots of order one and two, so that the inertia of an
/// indefinite matrix is sure (P.R. Amestoy, I.S. Duff, J. Koster, J.-Y. L'Excellent, SIAM J. Matrix Anal.
/// Appl. 23 (2001) 15-41). Nothing when a pivot vanishes. Throws BasisError: not enough memory.
/// Call it only where `mumpsIsAvailable()`.
std::unique_ptr<SymmetricFactor> factorizeByFronts(const SparseMatrix& matrix, double tiny);

/// Whether ricochet was built with the header of MUMPS and finds its libraries now.
bool mumpsIsAvailable();

}  // namespace ricochet
