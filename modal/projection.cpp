#include "modal/projection.hpp"

#include <cmath>

namespace ricochet {

Eigen::RowVectorXd modeShapeRow(const ModalBasis& basis, const DofMap& dofs, Dof dof) {
  const DofIndex i = dofs.find(dof);
  if (!i.exists()) return Eigen::RowVectorXd::Zero(basis.size());
  return basis.shapes.row(i.value);
}

Matrix modeShapeRows(const ModalBasis& basis, const DofMap& dofs, const std::vector<Dof>& wanted) {
  Matrix rows(static_cast<Eigen::Index>(wanted.size()), basis.size());
  for (std::size_t i = 0; i < wanted.size(); ++i)
    rows.row(static_cast<Eigen::Index>(i)) = modeShapeRow(basis, dofs, wanted[i]);
  return rows;
}

ProjectedField projectField(const ModalBasis& basis, const PhysicalModel& model, const Vector& field) {
  ProjectedField projected;
  projected.coordinates = basis.shapes.transpose() * (model.fullMass * field);
  const Vector back = basis.shapes * projected.coordinates;
  const double largest = field.lpNorm<Eigen::Infinity>();
  if (!(largest > 0.0)) return projected;
  // Squares of a small field would underflow.
  const Vector whole = field / largest, missing = (field - back) / largest;
  const double norm = std::sqrt(whole.dot(model.fullMass * whole));
  // A field without a norm moves only massless dofs.
  projected.remainder =
      norm > 0.0 ? std::sqrt(std::max(0.0, missing.dot(model.fullMass * missing))) / norm : 1.0;
  return projected;
}

}  // namespace ricochet
