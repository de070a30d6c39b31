#include "modal/structure_parts.hpp"

#include <cstddef>
#include <numeric>

namespace ricochet {
namespace {

/// The rows and columns of a set that couples with no other, of which `local` gives the places.
SparseMatrix restricted(const SparseMatrix& matrix, const std::vector<int>& rows,
                        const std::vector<int>& local) {
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

}  // namespace

CoupledRows::CoupledRows(Eigen::Index rows) : parent_(static_cast<std::size_t>(rows)) {
  std::iota(parent_.begin(), parent_.end(), Eigen::Index{0});
}

Eigen::Index CoupledRows::root(Eigen::Index row) {
  auto at = [&](Eigen::Index i) -> Eigen::Index& { return parent_[static_cast<std::size_t>(i)]; };
  while (at(row) != row) row = at(row) = at(at(row));
  return row;
}

void CoupledRows::couple(Eigen::Index a, Eigen::Index b) {
  const Eigen::Index first = root(a), second = root(b);
  if (first != second) parent_[static_cast<std::size_t>(std::max(first, second))] = std::min(first, second);
}

void CoupledRows::couple(const SparseMatrix& matrix) {
  for (Eigen::Index j = 0; j < matrix.outerSize(); ++j)
    for (SparseMatrix::InnerIterator entry(matrix, j); entry; ++entry)
      if (entry.value() != 0.0) couple(entry.row(), entry.col());
}

std::vector<std::vector<int>> CoupledRows::sets() {
  // the root of a set is its first row, so that its number is known when the others come
  std::vector<std::vector<int>> sets;
  std::vector<std::size_t> number(parent_.size());
  for (std::size_t i = 0; i < parent_.size(); ++i) {
    const auto first = static_cast<std::size_t>(root(static_cast<Eigen::Index>(i)));
    if (first == i) {
      number[i] = sets.size();
      sets.emplace_back();
    }
    sets[number[first]].push_back(static_cast<int>(i));
  }
  return sets;
}

std::vector<StructurePart> partsOf(const PhysicalModel& model) {
  CoupledRows coupled(model.size());
  coupled.couple(model.stiffness);
  coupled.couple(model.mass);
  std::vector<int> local(static_cast<std::size_t>(model.size()));
  std::vector<StructurePart> parts;
  for (std::vector<int>& rows : coupled.sets()) {
    for (std::size_t i = 0; i < rows.size(); ++i)
      local[static_cast<std::size_t>(rows[i])] = static_cast<int>(i);
    StructurePart part;
    part.stiffness = restricted(model.stiffness, rows, local);
    part.mass = restricted(model.mass, rows, local);
    for (const int row : rows) {
      const Dof dof = model.dofs.dof(model.dofs.independent()[static_cast<std::size_t>(row)]);
      part.dofs.push_back({dof, model.positions[static_cast<std::size_t>(dof.node.value)]});
    }
    part.rows = std::move(rows);
    parts.push_back(std::move(part));
  }
  return parts;
}

}  // namespace ricochet
