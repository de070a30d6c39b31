#pragma once

#include "physical/assembly/assembler.hpp"
#include "physical/assembly/joined_sets.hpp"

#include <cstddef>
#include <limits>
#include <vector>

namespace ricochet {

/// Machine epsilon: spacing of the floating-point numbers next to 1.
inline constexpr double kMachineEpsilon = std::numeric_limits<double>::epsilon();

/// The dof of a row of the reduced matrices, and the position of its node [m].
struct PlacedDof {
  Dof dof;
  Vec3 position{Vec3::Zero()};
};

/// Rows that stiffness or mass couples with each other and with no other row: a part of the structure that
/// moves independently and has its own modes.
struct StructurePart {
  std::vector<int> rows;  ///< rows of the reduced matrices, increasing
  std::vector<PlacedDof> dofs;
  SparseMatrix stiffness, mass;

  Eigen::Index size() const noexcept { return static_cast<Eigen::Index>(rows.size()); }
};

/// All parts, ordered by their first row.
std::vector<StructurePart> partsOfStructure(const PhysicalModel& model);

/// Finds the sets of rows that the matrices couple, and numbers them from 0 in the order of their first rows.
class CoupledRows {
 public:
  explicit CoupledRows(Eigen::Index rows);
  void coupleRowsOfMatrix(Eigen::Index a, Eigen::Index b);
  /// Couples the row and column of every non-zero entry.
  void coupleRowsOfMatrix(const SparseMatrix& matrix);
  std::vector<std::vector<int>> setsOfCoupledRows();

 private:
  std::size_t size_;
  JoinedSets joined_;
};

/// The submatrix of rows and columns that couple with no others. `local`: work array with one entry per row
/// of the matrix, overwritten for the given rows.
SparseMatrix extractSubmatrix(const std::vector<int>& rows, const SparseMatrix& matrix,
                              std::vector<int>& local);

/// Scale factors 1 / sqrt(a_ii), or 1 if a_ii is not positive: they scale a symmetric matrix to a unit
/// diagonal, independent of units.
Vector scaleFactorsToUnitDiagonal(const Vector& diagonal);

}  // namespace ricochet
