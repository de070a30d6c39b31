#include "modal/static_remainder.hpp"

#include <limits>

namespace ricochet {

StaticRemainder::StaticRemainder(const ModalBasis& basis, const PhysicalModel& model)
    : basis_(&basis), model_(&model), momenta_(model.mass * basis.reducedShapes.leftCols(basis.modes())) {
  if (basis.modes() < model.size()) shifted_ = ShiftedFactorization::regular(model.stiffness, model.mass);
}

StaticRemainder::Solution StaticRemainder::solve(const Vector& reducedLoad) const {
  const auto carriedAway = [&](const Vector& load) -> Vector {
    return load - momenta_ * (basis_->reducedShapes.leftCols(basis_->modes()).transpose() * load);
  };
  Solution solution{Vector::Zero(reducedLoad.size()), Vector::Zero(reducedLoad.size())};
  if (!shifted_) return solution;
  Vector load = carriedAway(reducedLoad);
  if (load.norm() <= 1e-14 * reducedLoad.norm()) return solution;
  solution.load = load;

  // one iteration when the shift is 0
  constexpr double kConverged = 1e-30;
  constexpr int kIterations = 100;
  Vector& x = solution.response;
  Vector r = load, z = shifted_->solve(r), p = z;
  const double start = r.dot(z);
  double energy = start;
  for (int i = 0; i < kIterations && energy > kConverged * start; ++i) {
    const Vector kp = model_->stiffness * p;
    const double curvature = p.dot(kp);
    if (curvature <= 0.0) {  // a rigid-body mode is left out
      solution.finite = false;
      return solution;
    }
    const double step = energy / curvature;
    x += step * p;
    r = carriedAway(r - step * kp);
    z = shifted_->solve(r);
    const double next = r.dot(z);
    p = z + next / energy * p;
    energy = next;
  }
  return solution;
}

std::optional<Vector> StaticRemainder::response(const Vector& reducedLoad) const {
  Solution solution = solve(reducedLoad);
  if (!solution.finite) return std::nullopt;
  return std::move(solution.response);
}

double StaticRemainder::flexibility(const Vector& reducedDirection) const {
  const Solution solution = solve(reducedDirection);
  return solution.finite ? solution.load.dot(solution.response) : std::numeric_limits<double>::infinity();
}

double flexibilityOfResidualVectors(const ModalBasis& basis, const Vector& reducedDirection) {
  const int added = basis.residualVectors;
  const Vector rows = basis.reducedShapes.rightCols(added).transpose() * reducedDirection;
  return rows.cwiseAbs2().cwiseQuotient(basis.eigenvalue.tail(added)).sum();
}

}  // namespace ricochet
