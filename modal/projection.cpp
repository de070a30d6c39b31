#include "modal/projection.hpp"

#include "modal/factorization.hpp"

#include <cmath>
#include <limits>

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
  // the part of the load that the basis does not carry, so that nothing large is subtracted
  const Matrix momenta = model.mass * basis.reducedShapes;
  const auto carriedAway = [&](const Vector& load) -> Vector {
    return load - momenta * (basis.reducedShapes.transpose() * load);
  };
  const Vector load = carriedAway(reducedDirection);
  if (load.norm() <= 1e-14 * reducedDirection.norm()) return 0.0;

  // K x = load by conjugate gradients on the factorization at a regular shift: one iteration when the shift
  // is 0
  const ShiftedFactorization shifted(model.stiffness, model.mass, regularShift(model.stiffness, model.mass));
  constexpr double kConverged = 1e-30;
  constexpr int kIterations = 100;
  Vector x = Vector::Zero(load.size()), r = load, z = shifted.solve(r), p = z;
  const double start = r.dot(z);
  double energy = start;
  for (int i = 0; i < kIterations && energy > kConverged * start; ++i) {
    const Vector kp = model.stiffness * p;
    const double curvature = p.dot(kp);
    if (curvature <= 0.0) return std::numeric_limits<double>::infinity();  // a rigid-body mode is left out
    const double step = energy / curvature;
    x += step * p;
    r = carriedAway(r - step * kp);
    z = shifted.solve(r);
    const double next = r.dot(z);
    p = z + next / energy * p;
    energy = next;
  }
  return load.dot(x);
}

}  // namespace ricochet
