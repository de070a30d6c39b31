#include "engine/event/volterra_tables.hpp"

#include "engine/integrators/modal_drift.hpp"

#include <cmath>

namespace ricochet {

VolterraTables::VolterraTables(const VolterraBasis& basis, const LinearSystem& linear, double h)
    : basis_(&basis), step_(h) {
  const Eigen::Index size = linear.omegaSquared.size();
  const Eigen::Index points = basis.points();
  const Eigen::Index count = basis.kernelPoints();
  displaced_ = moved_ = pushedDisplacement_ = pushedVelocity_ = Matrix::Zero(size, points);
  kernel_ = Matrix::Zero(size, count);
  Matrix slope = kernel_;
  ModalDrift drift(linear);
  const auto tabled = [&](double t) {
    drift.prepare(t);
    return drift.tables();
  };
  const auto column = [size](const double* table) { return Eigen::Map<const Vector>(table, size); };
  for (Eigen::Index l = 0; l < points; ++l) {
    const kernels::DriftTables at = tabled(h * basis.nodes()[static_cast<std::size_t>(l)]);
    displaced_.col(l) = column(at.qq);
    moved_.col(l) = column(at.qv);
    if (l + 1 < points) continue;
    endDisplaced_ = column(at.vq);
    endMoved_ = column(at.vv);
  }
  for (Eigen::Index k = 0; k < count; ++k) {
    const kernels::DriftTables at = tabled(h * basis.kernelNodes()[static_cast<std::size_t>(k)]);
    kernel_.col(k) = column(at.qv);
    slope.col(k) = column(at.vv);
  }
  freeRemainder_ = Vector::Zero(size);
  double share = 4.0;
  for (Eigen::Index k = 1; k <= points; ++k) share *= 0.25 * h / static_cast<double>(k);
  for (Eigen::Index j = 0; j < linear.modes; ++j) {
    const double rate = std::sqrt(linear.omegaSquared[j]) + linear.dampingDiagonal[j];
    freeRemainder_[j] = share * std::pow(rate, points - 1);
  }
  for (Eigen::Index k = 0; k < count; ++k) {
    const auto last = basis.weights(static_cast<int>(k)).row(points - 1);
    pushedDisplacement_ += (h * kernel_.col(k)) * last;
    pushedVelocity_ += (h * slope.col(k)) * last;
  }
}

bool VolterraTables::compliance(const double* a, const double* b, Matrix& compliance) const {
  const Eigen::Index size = kernel_.rows();
  const Vector product = Eigen::Map<const Vector>(a, size).cwiseProduct(Eigen::Map<const Vector>(b, size));
  compliance.setZero(basis_->points(), basis_->points());
  if (product.isZero(0.0)) return false;
  for (Eigen::Index k = 0; k < kernel_.cols(); ++k)
    compliance += (step_ * product.dot(kernel_.col(k))) * basis_->weights(static_cast<int>(k));
  return true;
}

}  // namespace ricochet
