#include "engine/event/series/volterra_tables.hpp"

#include "engine/numerics/kernels.hpp"

namespace ricochet {

VolterraTables::VolterraTables(const VolterraBasis& basis, const LinearSystem& linear,
                               const ModalWaves& waves, double h)
    : step_(h) {
  const Eigen::Index size = linear.omegaSquared.size();
  const Eigen::Index points = basis.pointCount();
  displaced_ = moved_ = Matrix(size, points);
  pushed_ = Vector(2 * size * points);
  kernel_ = kernelRate_ = Matrix(size, basis.samplingPointCountOfKernel());
  tabulateModalResponseKernels(basis, linear, waves);
  integrateResponseKernels(basis);
}

/// Tabulates A = c + d s, B = s and B' = c - d s, with the decaying cosine c and sine over frequency s.
void VolterraTables::tabulateModalResponseKernels(const VolterraBasis& basis, const LinearSystem& linear,
                                                  const ModalWaves& waves) {
  const Vector d = 0.5 * linear.dampingDiagonal;
  Vector cosine(d.size()), sine(d.size());
  for (Eigen::Index l = 0; l < displaced_.cols(); ++l) {
    waves.evaluateDecayingWavesAt(step_ * basis.nodes()[static_cast<std::size_t>(l)], cosine, sine);
    displaced_.col(l) = cosine + d.cwiseProduct(sine);
    moved_.col(l) = sine;
  }
  endDisplaced_ = -linear.omegaSquared.cwiseProduct(sine);
  endMoved_ = cosine - d.cwiseProduct(sine);
  for (Eigen::Index k = 0; k < kernel_.cols(); ++k) {
    waves.evaluateDecayingWavesAt(step_ * basis.samplingNodesOfKernel()[static_cast<std::size_t>(k)], cosine,
                                  sine);
    kernel_.col(k) = sine;
    kernelRate_.col(k) = cosine - d.cwiseProduct(sine);
  }
}

void VolterraTables::integrateResponseKernels(const VolterraBasis& basis) {
  const Eigen::Index points = displaced_.cols(), size = displaced_.rows();
  const Matrix& weights = basis.convolutionWeightsAtStepEnd();
  Vector factors(kernel_.cols()), displacement(size), velocity(size);
  for (Eigen::Index l = 0; l < points; ++l) {
    factors = step_ * weights.col(l);
    kernels::addWeightedRows(kernel_.data(), factors.size(), factors.data(), displacement.data(), size);
    kernels::addWeightedRows(kernelRate_.data(), factors.size(), factors.data(), velocity.data(), size);
    for (Eigen::Index j = 0; j < size; j += kLanes) {
      pushed_.segment<kLanes>(2 * (j * points + l * kLanes)) = displacement.segment<kLanes>(j);
      pushed_.segment<kLanes>(2 * (j * points + l * kLanes) + kLanes) = velocity.segment<kLanes>(j);
    }
  }
}

}  // namespace ricochet
