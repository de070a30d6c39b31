#include "engine/event/series/volterra_level.hpp"

#include "engine/event/series/taylor_kernel.hpp"
#include "engine/event/series/volterra_kernel.hpp"
#include "physical/dense_solvers.hpp"

#include <algorithm>

namespace ricochet {

VolterraLevel::VolterraLevel(const VolterraBasis& basis, const LinearSystem& linear, const ModalWaves& waves,
                             double step, std::size_t mostRows)
    : basis_(&basis),
      linear_(&linear),
      mostRows_(mostRows),
      tables_(basis, linear, waves, step),
      inverses_(mostRows),
      product_(Vector::Zero(linear.omegaSquared.size())),
      samples_(Vector::Zero(basis.samplingPointCountOfKernel())),
      part_(samples_) {}

const VolterraBounds& VolterraLevel::boundsOfMotionOverStep() {
  if (!bounds_) bounds_.emplace(*basis_, *linear_, tables_.stepLength());
  return *bounds_;
}

int& VolterraLevel::cachedResponseIndex(std::vector<int>& known, int a, int b) const {
  if (known.empty()) known.assign(mostRows_ * mostRows_, kUnknown);
  const auto low = static_cast<std::size_t>(std::min(a, b)), high = static_cast<std::size_t>(std::max(a, b));
  return known[low * mostRows_ + high];
}

const double* VolterraLevel::responseMatrixOfRowPair(Answer answer, Rows rows, int a, int b) {
  const PlaneRow &first = rows[static_cast<std::size_t>(a)], &second = rows[static_cast<std::size_t>(b)];
  if (first.plane != second.plane) return nullptr;
  int& number = cachedResponseIndex(blockOf_[static_cast<std::size_t>(answer)], a, b);
  if (number == kUnknown) {
    Matrix made(basis_->paddedPointCount(), basis_->pointCount());
    number = kZero;
    if (computeResponseMatrixOfRowPair(answer, first, second, made)) {
      number = static_cast<int>(blocks_.size());
      blocks_.push_back(std::move(made));
    }
  }
  return number == kZero ? nullptr : blocks_[static_cast<std::size_t>(number)].data();
}

const double* VolterraLevel::boundsOfInterpolationError(Rows rows, int a, int b) {
  const PlaneRow &first = rows[static_cast<std::size_t>(a)], &second = rows[static_cast<std::size_t>(b)];
  if (first.plane != second.plane) return nullptr;
  int& number = cachedResponseIndex(remainderOf_, a, b);
  if (number == kUnknown) {
    number = kZero;
    if (multiplyRowsModeByMode(first, second)) {
      number = static_cast<int>(remainders_.size());
      auto product = product_.segment(first.plane.begin, first.plane.size);
      product = product.cwiseAbs();
      sampleResponseAtKernelPoints(forcedMotionInterpolationError(), first.plane,
                                   remainders_.emplace_back(basis_->pointCount()));
    }
  }
  return number == kZero ? nullptr : remainders_[static_cast<std::size_t>(number)].data();
}

const Matrix& VolterraLevel::forcedMotionInterpolationError() {
  if (forcedRemainder_.size() == 0)
    forcedRemainder_ = boundsOfMotionOverStep().forcedMotionInterpolationError(*basis_, *linear_);
  return forcedRemainder_;
}

const Vector& VolterraLevel::largestInterpolationErrors(const ModePlane& plane) {
  for (const Largest& each : largest_)
    if (each.plane == plane) return each.remainders;
  const auto ofPlane = forcedMotionInterpolationError().middleRows(plane.begin, plane.size);
  return largest_.emplace_back(Largest{plane, ofPlane.colwise().maxCoeff()}).remainders;
}

/// Multiplies two rows of a plane mode by mode; false if the product is zero.
bool VolterraLevel::multiplyRowsModeByMode(const PlaneRow& a, const PlaneRow& b) noexcept {
  auto product = product_.segment(a.plane.begin, a.plane.size);
  product = Eigen::Map<const Vector>(a.data(), a.plane.size)
                .cwiseProduct(Eigen::Map<const Vector>(b.data(), a.plane.size));
  return !(product.array() == 0.0).all();
}

/// Samples the convolution: products of product_ with the columns of a kernel.
void VolterraLevel::sampleResponseAtKernelPoints(const Matrix& kernel, const ModePlane& plane,
                                                 Vector& values) const noexcept {
  kernels::computeDotProductsOfRowWithColumns(kernel.data() + plane.begin, kernel.rows(), kernel.cols(),
                                              product_.data() + plane.begin, plane.size, values.data());
}

/// Computes the block of the convolution with sum over j of a_j b_j B_j, or with its first or second
/// derivative (B'' = -omega^2 B - c B', plus the force itself). Returns false if the rows have no common
/// mode.
bool VolterraLevel::computeResponseMatrixOfRowPair(Answer answer, const PlaneRow& a, const PlaneRow& b,
                                                   Matrix& block) {
  if (!multiplyRowsModeByMode(a, b)) return false;
  const ModePlane& plane = a.plane;
  double share = 0.0;
  if (answer == Answer::acceleration) {
    auto product = product_.segment(plane.begin, plane.size);
    share = product.sum();
    const Vector weighted = -linear_->dampingDiagonal.segment(plane.begin, plane.size).cwiseProduct(product);
    product.array() *= -linear_->omegaSquared.segment(plane.begin, plane.size).array();
    sampleResponseAtKernelPoints(tables_.modalResponseKernel(), plane, samples_);
    product = weighted;
    sampleResponseAtKernelPoints(tables_.modalResponseKernelRate(), plane, part_);
    samples_ += part_;
  } else {
    sampleResponseAtKernelPoints(
        answer == Answer::displacement ? tables_.modalResponseKernel() : tables_.modalResponseKernelRate(),
        plane, samples_);
  }
  samples_ *= tables_.stepLength();
  kernels::addWeightedVectors(basis_->convolutionWeights(), basis_->samplingPointCountOfKernel(),
                              samples_.data(), block.data(), block.size());
  if (share != 0.0) block.topRows(block.cols()).diagonal().array() += share;
  return true;
}

const double* VolterraLevel::inverseResponseMatrixOfRow(const VolterraLaw& law, Rows rows, int row) {
  std::deque<Inverse>& known = inverses_[static_cast<std::size_t>(row)];
  for (const Inverse& each : known)
    if (each.law == law) return each.matrix.data();
  const Eigen::Index n = basis_->pointCount();
  Matrix system = law.constrained ? Matrix(Matrix::Zero(n, n)) : Matrix(Matrix::Identity(n, n));
  const auto add = [&](double factor, Answer answer) {
    const double* response = factor == 0.0 ? nullptr : responseMatrixOfRowPair(answer, rows, row, row);
    if (response != nullptr)
      system += factor * Eigen::Map<const Matrix>(response, basis_->paddedPointCount(), n).topRows(n);
  };
  add(law.stiffness, Answer::displacement);
  add(law.damping, Answer::velocity);
  if (law.constrained) add(1.0, Answer::acceleration);
  Matrix padded = Matrix::Zero(basis_->paddedPointCount(), n);
  constexpr int kUsual = 16;
  if (n == kUsual)  // a size known at compile time
    padded = Eigen::Matrix<double, kUsual, kUsual>(system).partialPivLu().inverse();
  else
    padded.topRows(n) = system.partialPivLu().inverse();
  known.push_back({law, std::move(padded)});
  return known.back().matrix.data();
}

}  // namespace ricochet
