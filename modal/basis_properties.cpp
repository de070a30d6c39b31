#include "modal/basis_properties.hpp"

#include "modal/eigen_solver.hpp"
#include "modal/solvers/structure_parts.hpp"
#include "modal/static_modes.hpp"

#include <array>
#include <cmath>

namespace ricochet {
namespace {

constexpr double kResidualLimit = 1e-6;       // limit of |K phi - w^2 M phi| / (|K| |phi|) for an eigenvector
constexpr double kOrthogonalityLimit = 1e-9;  // limit of |Phi^t M Phi - I|

/// Unit translations along x, y and z.
Matrix unitTranslations(const PhysicalModel& model) {
  Matrix rigid(model.dofs.totalDofCount(), 3);
  for (std::size_t c = 0; c < 3; ++c) {
    std::array<double, kComponents> direction{};
    direction[c] = 1.0;
    rigid.col(static_cast<Eigen::Index>(c)) = rigidDisplacementField(model, direction);
  }
  return rigid;
}

Matrix effectiveMasses(const PhysicalModel& model, const Matrix& shapes) {
  const Matrix participations = shapes.transpose() * (model.fullMass * unitTranslations(model));
  return participations.array().square();
}

}  // namespace

Vec3 translationalMass(const PhysicalModel& model) {
  const Matrix rigid = unitTranslations(model);
  const Matrix mass = rigid.transpose() * (model.fullMass * rigid);
  return mass.diagonal();
}

ShapeCheck residualsOfModeShape(const PhysicalModel& model, double eigenvalue, const Vector& shape) {
  const Vector kPhi = model.stiffness * shape;
  const double scale = (model.stiffness.cwiseAbs() * shape.cwiseAbs()).norm() +
                       std::abs(eigenvalue) * (model.mass.cwiseAbs() * shape.cwiseAbs()).norm();
  if (scale == 0.0) return {0.0, 0.0};
  return {(kPhi - eigenvalue * (model.mass * shape)).norm() / scale, kPhi.norm() / scale};
}

void fixSignsOfModeShapes(Matrix& shapes) {
  constexpr double kTie = 1.0 - 1e-6;
  for (auto column : shapes.colwise()) {
    const double largest = column.cwiseAbs().maxCoeff();
    for (const double value : column)
      if (std::abs(value) >= kTie * largest) {
        if (value < 0.0) column = -column;
        break;
      }
  }
}

void computeBasisProperties(const PhysicalModel& model, ModalBasis& basis) {
  const Matrix& shapes = basis.reducedShapes;
  basis.shapes = model.dofs.transformation() * shapes;
  basis.damping = shapes.transpose() * (model.damping * shapes);
  basis.effectiveMass = effectiveMasses(model, basis.shapes);
  basis.residual.resize(basis.size());
  for (Eigen::Index i = 0; i < basis.size(); ++i)
    basis.residual[i] = residualsOfModeShape(model, basis.eigenvalue[i], shapes.col(i)).residual;
  const Matrix gram = shapes.transpose() * (model.mass * shapes);
  const Matrix error = (gram - Matrix::Identity(basis.size(), basis.size())).cwiseAbs();
  basis.orthogonalityError = error.maxCoeff<Eigen::PropagateNaN>();
  // The momentum is compared with the absolute terms of its sums: it is a rounding error if terms of M
  // cancel, as for the twist of an inclined slender bar.
  const SparseMatrix sizes = model.mass.cwiseAbs();
  const Vector terms = shapes.cwiseAbs().cwiseProduct(sizes * shapes.cwiseAbs()).colwise().sum().cwiseSqrt();
  constexpr double kRoundings = 64.0 * kMachineEpsilon;
  const bool orthogonal =
      (error.array() <= kOrthogonalityLimit + kRoundings * (terms * terms.transpose()).array()).all();
  // A comparison with NaN is false.
  if (!(basis.residual.head(basis.modes()).array() <= kResidualLimit).all() || !orthogonal)
    throw BasisError("the computed modes are not accurate: the structure may be ill-conditioned");
}

}  // namespace ricochet
