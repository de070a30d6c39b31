#pragma once

#include "physical/assembly/assembler.hpp"
#include "physical/assembly/joined_sets.hpp"

#include <cstddef>
#include <limits>
#include <vector>

namespace ricochet {

/// Spacing of the numbers next to 1.
inline constexpr double kMachineEpsilon = std::numeric_limits<double>::epsilon();

/// Where a row of the reduced matrices is: the dof and the position of its node [m].
struct PlacedDof {
  Dof dof;
  Vec3 position{Vec3::Zero()};
};

/// Rows that stiffness or mass couples with each other and with no other: a part of the structure that moves
/// on its own, so that its modes are its own too.
struct StructurePart {
  std::vector<int> rows;  ///< of the reduced matrices, increasing
  std::vector<PlacedDof> dofs;
  SparseMatrix stiffness, mass;

  Eigen::Index size() const noexcept { return static_cast<Eigen::Index>(rows.size()); }
};

/// All parts, by their first row.
std::vector<StructurePart> partsOf(const PhysicalModel& model);

/// Numbers the sets of rows that the matrices couple, from 0 by their first row: the number of each row.
class CoupledRows {
 public:
  explicit CoupledRows(Eigen::Index rows);
  void couple(Eigen::Index a, Eigen::Index b);
  /// Every entry that is not zero couples its row and column.
  void couple(const SparseMatrix& matrix);
  std::vector<std::vector<int>> sets();

 private:
  std::size_t size_;
  JoinedSets joined_;
};

/// The rows and columns of a matrix that couple with no others. `local` has a place for each row of the
/// matrix, which is overwritten for these.
SparseMatrix restrictedTo(const std::vector<int>& rows, const SparseMatrix& matrix, std::vector<int>& local);

/// 1 / sqrt(a_ii), and 1 where a_ii is not positive: scales a symmetric matrix to a unit diagonal, so that
/// its rows do not depend on their units.
Vector unitDiagonalScale(const Vector& diagonal);

}  // namespace ricochet
