#include "modal/static_remainder.hpp"

#include "modal/solvers/elastic_inverse.hpp"

#include <limits>

namespace ricochet {

StaticRemainder::StaticRemainder(const ModalBasis& basis, const PhysicalModel& model)
    : basis_(&basis), momenta_(model.mass * basis.reducedShapes.leftCols(basis.modes())) {
  if (basis.modes() == model.size()) return;
  inverse_ = basis.inverse ? basis.inverse : std::make_shared<const StructureInverse>(model);
}

StaticRemainder::Solution StaticRemainder::solveStaticRemainder(const Vector& reducedLoad) const {
  const auto modes = basis_->reducedShapes.leftCols(basis_->modes());
  Solution solution{Vector::Zero(reducedLoad.size()), Vector::Zero(reducedLoad.size())};
  if (!inverse_) return solution;
  const Vector carried = momenta_ * (modes.transpose() * reducedLoad);
  const Vector load = reducedLoad - carried;
  if (load.norm() <= 1e-14 * reducedLoad.norm()) return solution;
  if (inverse_->doesLoadExciteZeroModes(load, reducedLoad.cwiseAbs() + carried.cwiseAbs())) {
    solution.finite = false;  // the basis lacks a rigid-body mode that the load excites
    return solution;
  }
  solution.load = load;
  solution.response = inverse_->elasticResponse(load);
  // removes components along the modes left by rounding
  solution.response -= modes * (momenta_.transpose() * solution.response);
  return solution;
}

std::optional<Vector> StaticRemainder::staticResponse(const Vector& reducedLoad) const {
  Solution solution = solveStaticRemainder(reducedLoad);
  if (!solution.finite) return std::nullopt;
  return std::move(solution.response);
}

double StaticRemainder::flexibility(const Vector& reducedDirection) const {
  const Solution solution = solveStaticRemainder(reducedDirection);
  return solution.finite ? solution.load.dot(solution.response) : std::numeric_limits<double>::infinity();
}

Vector residualVectorResponse(const ModalBasis& basis, const Vector& reducedLoad) {
  const auto vectors = basis.reducedShapes.rightCols(basis.residualVectors);
  return vectors *
         (vectors.transpose() * reducedLoad).cwiseQuotient(basis.eigenvalue.tail(basis.residualVectors));
}

double flexibilityOfResidualVectors(const ModalBasis& basis, const Vector& reducedDirection) {
  const int added = basis.residualVectors;
  const Vector rows = basis.reducedShapes.rightCols(added).transpose() * reducedDirection;
  return rows.cwiseAbs2().cwiseQuotient(basis.eigenvalue.tail(added)).sum();
}

}  // namespace ricochet
