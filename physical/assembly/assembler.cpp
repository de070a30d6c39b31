#include "physical/assembly/assembler.hpp"

#include "physical/assembly/massless.hpp"
#include "physical/model_error.hpp"

#include <algorithm>
#include <cmath>
#include <variant>

namespace ricochet {

Structure::Structure() = default;
Structure::Structure(const Structure&) = default;
Structure::Structure(Structure&&) noexcept = default;
Structure& Structure::operator=(const Structure&) = default;
Structure& Structure::operator=(Structure&&) noexcept = default;
Structure::~Structure() = default;

namespace {

using Triplets = std::vector<Eigen::Triplet<double>>;

void appendElementEntries(const std::vector<int>& rows, const ElementMatrix& matrix, Triplets& entries) {
  for (Eigen::Index j = 0; j < matrix.cols(); ++j)
    for (Eigen::Index i = 0; i < matrix.rows(); ++i)
      if (matrix(i, j) != 0.0)
        entries.emplace_back(rows[static_cast<std::size_t>(i)], rows[static_cast<std::size_t>(j)],
                             matrix(i, j));
}

void appendElementEntries(const std::vector<int>& rows, const SparseMatrix& matrix, Triplets& entries) {
  for (Eigen::Index j = 0; j < matrix.outerSize(); ++j)
    for (SparseMatrix::InnerIterator it(matrix, j); it; ++it)
      entries.emplace_back(rows[static_cast<std::size_t>(it.row())], rows[static_cast<std::size_t>(it.col())],
                           it.value());
}

SparseMatrix matrixFromTriplets(int size, const Triplets& entries) {
  SparseMatrix m(size, size);
  m.setFromTriplets(entries.begin(), entries.end());
  return m;
}

/// The entries in columns of fixed dofs.
Triplets entriesInFixedColumns(const Triplets& entries, const DofMap& dofs) {
  Triplets kept;
  for (const auto& entry : entries)
    if (dofs.isFixed(DofIndex{entry.col()})) kept.push_back(entry);
  return kept;
}

/// The entries in rows of fixed dofs, transposed.
Triplets transposedEntriesInFixedRows(const Triplets& entries, const DofMap& dofs) {
  Triplets kept;
  for (const auto& entry : entries)
    if (dofs.isFixed(DofIndex{entry.row()})) kept.emplace_back(entry.col(), entry.row(), entry.value());
  return kept;
}

/// Throws for a free dof with empty rows of M and K: no force on this dof could be balanced (0 = f).
void requireMassOrStiffness(const PhysicalModel& model) {
  const Vector stiffness = model.stiffness.cwiseAbs() * Vector::Ones(model.size());
  const Vector mass = model.mass.cwiseAbs() * Vector::Ones(model.size());
  std::vector<Dof> loose;
  for (int i = 0; i < model.size(); ++i)
    if (stiffness[i] == 0.0 && mass[i] == 0.0)
      loose.push_back(model.dofs.dof(model.dofs.independentDofs()[static_cast<std::size_t>(i)]));
  if (!loose.empty()) throw ModelError("neither stiffness nor mass, and not fixed", std::move(loose));
}

/// T^T M T without entries that are the rounding of terms which cancel there, as where a relation holds the
/// only direction in which a node has an inertia: a mode would have a frequency without bound.
SparseMatrix transformMassMatrix(const SparseMatrix& t, const SparseMatrix& full) {
  constexpr double kRounding = 1e-14;
  SparseMatrix mass = SparseMatrix(t.transpose()) * full * t;
  if ((t.coeffs() == 1.0).all()) return mass;
  const SparseMatrix sizes = t.cwiseAbs();
  const SparseMatrix size = SparseMatrix(sizes.transpose()) * SparseMatrix(full.cwiseAbs()) * sizes;
  mass.prune([&](Eigen::Index row, Eigen::Index column, double value) {
    return std::abs(value) > kRounding * size.coeff(row, column);
  });
  return mass;
}

}  // namespace

std::vector<DofFlags> dofsOfElements(const Structure& structure) {
  std::vector<DofFlags> present(structure.positions.size());
  for (const AnyElement& any : structure.elements)
    std::visit(
        [&](const auto& element) {
          for (const Dof dof : element.dofs())
            present[static_cast<std::size_t>(dof.node.value)][static_cast<std::size_t>(dof.component)] = true;
        },
        any);
  for (const MatrixBlock& block : structure.matrices)
    for (const Dof dof : block.dofs)
      present[static_cast<std::size_t>(dof.node.value)][static_cast<std::size_t>(dof.component)] = true;
  return present;
}

Vector PhysicalModel::reducedForce(Dof dof) const {
  const DofIndex i = dofs.find(dof);
  if (!i.exists()) return Vector::Zero(size());
  return dofs.transformation().transpose() * Vector::Unit(dofs.totalDofCount(), i.value);
}

namespace {

SparseMatrix gyroscopicMatrixAtUnitSpin(const Structure& structure, const DofMap& dofs,
                                        std::span<const std::size_t> elements) {
  Triplets entries;
  for (const std::size_t i : elements)
    std::visit(
        [&]<Element E>(E element) {
          if constexpr (HasGyroscopic<E>) {
            element.spin = 1.0;
            std::vector<int> rows;
            for (const Dof dof : element.dofs()) rows.push_back(dofs.find(dof).value);
            appendElementEntries(rows, element.gyroscopicMatrix(), entries);
          }
        },
        structure.elements[i]);
  return matrixFromTriplets(dofs.totalDofCount(), entries);
}

}  // namespace

SparseMatrix reducedGyroscopicMatrix(const Structure& structure, const DofMap& dofs,
                                     std::span<const std::size_t> elements) {
  const SparseMatrix& t = dofs.transformation();
  return SparseMatrix(t.transpose()) * gyroscopicMatrixAtUnitSpin(structure, dofs, elements) * t;
}

SparseMatrix reducedGyroscopicRows(const Structure& structure, const DofMap& dofs,
                                   std::span<const std::size_t> elements) {
  const SparseMatrix rows = gyroscopicMatrixAtUnitSpin(structure, dofs, elements).transpose();
  return SparseMatrix(dofs.transformation().transpose()) * rows;
}

Vector gyroscopicForce(const Structure& structure, const DofMap& dofs, const Vector& velocity) {
  Vector force = Vector::Zero(dofs.totalDofCount());
  for (const AnyElement& any : structure.elements)
    std::visit(
        [&]<Element E>(const E& element) {
          if constexpr (HasGyroscopic<E>) {
            std::vector<int> rows;
            for (const Dof dof : element.dofs()) rows.push_back(dofs.find(dof).value);
            force(rows) -= element.gyroscopicMatrix() * velocity(rows);
          }
        },
        any);
  return force;
}

bool hasUnsymmetricDamping(const Structure& structure, const DofMap& dofs, const Vector& velocity) {
  constexpr double kRounding = 1e-12;
  const auto isSkew = [&](const SparseMatrix& damping, const std::vector<Dof>& rows, double rounding) {
    Vector turning = Vector::Zero(damping.cols());
    for (Eigen::Index i = 0; i < turning.size(); ++i)
      if (const Dof dof = rows[static_cast<std::size_t>(i)]; dof.component >= Component::rx)
        turning[i] = velocity[dofs.find(dof).value];
    const Vector moments = damping * turning - SparseMatrix(damping.transpose()) * turning;
    const Vector terms = SparseMatrix(damping.cwiseAbs()) * turning.cwiseAbs();
    for (Eigen::Index i = 0; i < turning.size(); ++i)
      if (rows[static_cast<std::size_t>(i)].component >= Component::rx &&
          std::abs(moments[i]) > rounding * terms.maxCoeff())
        return true;
    return false;
  };
  for (const AnyElement& any : structure.elements)
    if (std::visit(
            [&]<Element E>(const E& element) {
              if constexpr (HasDamping<E>)
                return isSkew(Matrix(element.damping()).sparseView(), element.dofs(), kRounding);
              return false;
            },
            any))
      return true;
  return std::ranges::any_of(structure.matrices, [&](const MatrixBlock& block) {
    return block.damping.size() > 0 &&
           isSkew(block.damping, block.dofs, std::max(kRounding, 2.0 * block.rounding));
  });
}

PhysicalModel assembleModel(const Structure& structure) {
  PhysicalModel model;
  model.positions = structure.positions;
  model.isUnplaced.assign(structure.positions.size(), false);
  for (const NodeIndex node : structure.unplaced)
    model.isUnplaced[static_cast<std::size_t>(node.value)] = true;
  model.dofs = DofMap(dofsOfElements(structure), structure.fixed, structure.relations);
  if (model.size() == 0) throw ModelError("the structure has no free degree of freedom");

  Triplets mass, damping, stiffness;
  for (const AnyElement& any : structure.elements)
    std::visit(
        [&]<Element E>(const E& element) {
          std::vector<int> rows;
          for (const Dof dof : element.dofs()) rows.push_back(model.dofs.find(dof).value);
          if constexpr (HasMass<E>) appendElementEntries(rows, element.mass(), mass);
          if constexpr (HasDamping<E>) appendElementEntries(rows, element.damping(), damping);
          if constexpr (HasGyroscopic<E>) appendElementEntries(rows, element.gyroscopicMatrix(), damping);
          if constexpr (HasStiffness<E>) appendElementEntries(rows, element.stiffness(), stiffness);
        },
        any);

  for (const MatrixBlock& block : structure.matrices) {
    std::vector<int> rows;
    rows.reserve(block.dofs.size());
    for (const Dof dof : block.dofs) rows.push_back(model.dofs.find(dof).value);
    appendElementEntries(rows, block.mass, mass);
    appendElementEntries(rows, block.damping, damping);
    appendElementEntries(rows, block.stiffness, stiffness);
    model.rounding = std::max(model.rounding, block.rounding);
  }

  const int full = model.dofs.totalDofCount();
  const SparseMatrix& t = model.dofs.transformation();
  const SparseMatrix tt = t.transpose();
  model.fullMass = matrixFromTriplets(full, mass);
  model.mass = transformMassMatrix(t, model.fullMass);
  model.damping = tt * matrixFromTriplets(full, damping) * t;
  model.stiffness = tt * matrixFromTriplets(full, stiffness) * t;
  model.supportDamping = tt * matrixFromTriplets(full, entriesInFixedColumns(damping, model.dofs));
  model.supportDampingRows = tt * matrixFromTriplets(full, transposedEntriesInFixedRows(damping, model.dofs));
  model.supportStiffness = tt * matrixFromTriplets(full, entriesInFixedColumns(stiffness, model.dofs));
  requireMassOrStiffness(model);
  separateMasslessDashpots(model);
  return model;
}

}  // namespace ricochet
