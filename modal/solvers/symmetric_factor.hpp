#pragma once

#include "physical/types.hpp"

#include <memory>
#include <optional>
#include <vector>

namespace ricochet {

/// Factorization LDL^t of a sparse symmetric matrix A, independent of the library that computes it.
class SymmetricFactor {
 public:
  SymmetricFactor() = default;
  SymmetricFactor(const SymmetricFactor&) = delete;
  SymmetricFactor& operator=(const SymmetricFactor&) = delete;
  SymmetricFactor(SymmetricFactor&&) = delete;
  SymmetricFactor& operator=(SymmetricFactor&&) = delete;
  virtual ~SymmetricFactor() = default;

  /// Replaces B by A^-1 B: n x any number of columns, which share one pass over the factor. `work` is resized
  /// to n once and then reused.
  virtual void solve(Eigen::Ref<Matrix> columns, Vector& work) const = 0;
  void solve(Eigen::Ref<Matrix> columns) const {
    Vector work;
    solve(columns, work);
  }

  /// Number of negative eigenvalues of A (Sylvester's law of inertia).
  virtual int negativePivotCount() const = 0;

  /// Rows whose pivots are only rounding errors: |pivot| <= `tiny` |a_ii|.
  virtual std::vector<int> rowsOfTinyPivots() const = 0;

  /// Number of entries of the triangular factor.
  virtual double factorEntryCount() const = 0;
};

/// Information of a factorization about the eigenvalues of a matrix, as in SymmetricFactor.
struct Inertia {
  int negative{0};
  std::vector<int> tinyRows;
};

/// Row indices in the order of their elimination; empty: any order.
using EliminationOrder = std::vector<int>;

/// Common data of factorizations with one pattern: the elimination order and the library, chosen from the
/// elimination tree before any factorization. For few operations: Eigen, column by column in minimum degree
/// order. For many operations: MUMPS in METIS order if found at run time, otherwise Eigen in METIS order.
class Elimination {
 public:
  explicit Elimination(const SparseMatrix& pattern);

  /// The same elimination order restricted to some rows, given in increasing order.
  Elimination restrictOrderToRows(const std::vector<int>& rows) const;

  /// Factorizes a matrix with this pattern or a part of it. Null if a pivot vanishes. Throws BasisError if
  /// memory is insufficient.
  std::unique_ptr<SymmetricFactor> factorize(const SparseMatrix& matrix, double tiny) const;

  /// Computes only the inertia; MUMPS then does not store the factor. Empty if a pivot vanishes.
  std::optional<Inertia> inertia(const SparseMatrix& matrix, double tiny) const;

 private:
  Elimination() = default;

  EliminationOrder order_;
  bool byFronts_{false};
};

/// Factorizes a single matrix.
std::unique_ptr<SymmetricFactor> factorize(const SparseMatrix& matrix, double tiny);

/// Eigen's SimplicialLDLT: column by column, without pivoting, in the given order.
std::unique_ptr<SymmetricFactor> factorizeByColumns(const SparseMatrix& matrix, const EliminationOrder& order,
                                                    double tiny);

/// MUMPS, sequential: multifrontal with dense blocks and pivots of order one and two, so that the inertia of
/// an indefinite matrix is reliable (P.R. Amestoy, I.S. Duff, J. Koster, J.-Y. L'Excellent, SIAM J. Matrix
/// Anal. Appl. 23 (2001) 15-41). Null or empty if a pivot vanishes. Throws BasisError if memory is
/// insufficient. To be called only if `isMumpsAvailable()`.
std::unique_ptr<SymmetricFactor> factorizeMultifrontal(const SparseMatrix& matrix,
                                                       const EliminationOrder& order, double tiny);
std::optional<Inertia> inertiaByMultifrontalFactor(const SparseMatrix& matrix, const EliminationOrder& order,
                                                   double tiny);

/// True if ricochet was built with the header of MUMPS and finds its libraries now.
bool isMumpsAvailable();

}  // namespace ricochet
