#include "modal/projection.hpp"

#include "modal/static_remainder.hpp"

#include <cmath>

namespace ricochet {

Eigen::RowVectorXd dofRow(const ModalBasis& basis, const DofMap& dofs, Dof dof) {
  const DofIndex i = dofs.find(dof);
  if (!i.exists()) return Eigen::RowVectorXd::Zero(basis.size());
  return basis.shapes.row(i.value);
}

Matrix translationRows(const ModalBasis& basis, const DofMap& dofs, NodeIndex node) {
  Matrix rows(3, basis.size());
  for (int c = 0; c < 3; ++c) rows.row(c) = dofRow(basis, dofs, {node, componentAt(c)});
  return rows;
}

Matrix rotationRows(const ModalBasis& basis, const DofMap& dofs, NodeIndex node) {
  Matrix rows(3, basis.size());
  for (int c = 0; c < 3; ++c) rows.row(c) = dofRow(basis, dofs, {node, componentAt(3 + c)});
  return rows;
}

ProjectedField projectField(const ModalBasis& basis, const PhysicalModel& model, const Vector& field) {
  ProjectedField projected;
  projected.coordinates = basis.shapes.transpose() * (model.fullMass * field);
  const Vector back = basis.shapes * projected.coordinates;
  const Vector missing = field - back;
  const double norm = std::sqrt(field.dot(model.fullMass * field));
  if (norm > 0.0)
    projected.remainder = std::sqrt(std::max(0.0, missing.dot(model.fullMass * missing))) / norm;
  else if (!field.isZero(0.0))
    projected.remainder = 1.0;  // on massless dofs only
  return projected;
}

double residualFlexibility(const ModalBasis& basis, const PhysicalModel& model,
                           const Vector& reducedDirection) {
  if (basis.size() == model.size()) return 0.0;
  return StaticRemainder(basis, model).flexibility(reducedDirection) -
         flexibilityOfResidualVectors(basis, reducedDirection);
}

}  // namespace ricochet
