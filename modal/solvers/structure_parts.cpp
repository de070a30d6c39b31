#include "modal/solvers/structure_parts.hpp"

#include <cmath>
#include <utility>

namespace ricochet {
SparseMatrix extractSubmatrix(const std::vector<int>& rows, const SparseMatrix& matrix,
                              std::vector<int>& local) {
  for (std::size_t i = 0; i < rows.size(); ++i)
    local[static_cast<std::size_t>(rows[i])] = static_cast<int>(i);
  const auto size = static_cast<Eigen::Index>(rows.size());
  SparseMatrix part(size, size);
  Eigen::Index entries = 0;
  for (const int row : rows) entries += matrix.col(row).nonZeros();
  part.reserve(entries);
  for (Eigen::Index j = 0; j < size; ++j) {
    part.startVec(j);
    for (SparseMatrix::InnerIterator entry(matrix, rows[static_cast<std::size_t>(j)]); entry; ++entry)
      if (entry.value() != 0.0)
        part.insertBack(local[static_cast<std::size_t>(entry.row())], j) = entry.value();
  }
  part.finalize();
  return part;
}

Vector scaleFactorsToUnitDiagonal(const Vector& diagonal) {
  return diagonal.unaryExpr([](double a) { return a > 0.0 ? 1.0 / std::sqrt(a) : 1.0; });
}

CoupledRows::CoupledRows(Eigen::Index rows) : size_(static_cast<std::size_t>(rows)), joined_(size_) {}

void CoupledRows::coupleRowsOfMatrix(Eigen::Index a, Eigen::Index b) {
  joined_.join(static_cast<std::size_t>(a), static_cast<std::size_t>(b));
}

void CoupledRows::coupleRowsOfMatrix(const SparseMatrix& matrix) {
  for (Eigen::Index j = 0; j < matrix.outerSize(); ++j)
    for (SparseMatrix::InnerIterator entry(matrix, j); entry; ++entry)
      if (entry.value() != 0.0) coupleRowsOfMatrix(entry.row(), entry.col());
}

std::vector<std::vector<int>> CoupledRows::setsOfCoupledRows() {
  // A set gets its number at its first row, before its other rows are visited.
  std::vector<std::vector<int>> sets;
  std::vector<std::size_t> number(size_);
  for (std::size_t i = 0; i < size_; ++i) {
    const std::size_t first = joined_.lowestMemberOfSet(i);
    if (first == i) {
      number[i] = sets.size();
      sets.emplace_back();
    }
    sets[number[first]].push_back(static_cast<int>(i));
  }
  return sets;
}

std::vector<StructurePart> partsOfStructure(const PhysicalModel& model) {
  CoupledRows coupled(model.size());
  coupled.coupleRowsOfMatrix(model.stiffness);
  coupled.coupleRowsOfMatrix(model.mass);
  std::vector<int> local(static_cast<std::size_t>(model.size()));
  std::vector<StructurePart> parts;
  for (std::vector<int>& rows : coupled.setsOfCoupledRows()) {
    StructurePart part;
    part.stiffness = extractSubmatrix(rows, model.stiffness, local);
    part.mass = extractSubmatrix(rows, model.mass, local);
    for (const int row : rows) {
      const Dof dof = model.dofs.dof(model.dofs.independentDofs()[static_cast<std::size_t>(row)]);
      part.dofs.push_back({dof, model.positions[static_cast<std::size_t>(dof.node.value)]});
    }
    part.rows = std::move(rows);
    parts.push_back(std::move(part));
  }
  return parts;
}

}  // namespace ricochet
