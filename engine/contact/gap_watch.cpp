#include "engine/contact/gap_watch.hpp"

#include "engine/contact/contact_set.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <utility>

namespace ricochet {
namespace {

constexpr double kLeastSquare = 1e-200;  // smaller squares may have lost digits to flush-to-zero

// A ball is used only if at least kFewestSleepers contacts are skipped in it and q stays inside for an
// estimated kFewestSteps evaluations; its radius is at most that of kMostSteps. Without a ball all contacts
// are evaluated kUntilNextAttempt times before the next attempt.
constexpr Eigen::Index kFewestSleepers = 2;
constexpr double kFewestSteps = 8.0;
constexpr double kMostSteps = 64.0;
constexpr long kUntilNextAttempt = 16;

}  // namespace

GapNorm::GapNorm(const double* rows, Eigen::Index count, Eigen::Index size)
    : GapNorm(rows, count, size, {}) {}

GapNorm::GapNorm(const double* rows, Eigen::Index count, Eigen::Index size, std::span<const Further> further)
    : weights_(Vector::Zero(size)), perMetre_(static_cast<std::size_t>(count)) {
  const Eigen::Map<const Matrix> b(rows, size, count);
  for (Eigen::Index i = 0; i < size; ++i) {
    double square = b.row(i).squaredNorm();
    bool moves = !b.row(i).isZero(0.0);
    for (const Further& each : further) {
      square += each.row[i] * each.row[i];
      moves = moves || each.row[i] != 0.0;
    }
    if (moves) weights_[i] = std::max(square, kLeastSquare);
  }
  const auto squareOf = [&](const double* row) {
    double square = 0.0;
    for (Eigen::Index i = 0; i < size; ++i)
      if (weights_[i] > 0.0) square += row[i] / weights_[i] * row[i];
    return square;
  };
  for (Eigen::Index k = 0; k < count; ++k) perMetre_[static_cast<std::size_t>(k)] = squareOf(rows + k * size);
  for (const Further& each : further) perMetre_[each.contact] += squareOf(each.row);
  for (double& each : perMetre_) each = 1.0 / std::sqrt(each);
}

void GapWatch::registerContactsWithSeveralRows(const ContactSet& set) {
  set_ = &set;
  for (std::size_t i = 0; i < passedOver_.size(); ++i) {
    const int contact = static_cast<int>(i);
    const int axes = set.hasContactFreeInterval(i) ? 1 : gapAxisCount(set.contact(contact).obstacle);
    for (int axis = 1; axis < axes; ++axis) {
      if (set.row(contact, axis) == nullptr) continue;
      further_.resize(passedOver_.size(), {kNoRow, kNoRow});
      further_[i][static_cast<std::size_t>(axis - 1)] =
          static_cast<Eigen::Index>(static_cast<std::size_t>(axis) * set.rowStride() + i);
    }
  }
  listRowsToEvaluate();
}

/// Finds the contacts in round holes; the result is constant during a run.
void GapWatch::findCircularHoles() noexcept {
  if (set_ == nullptr) return;
  for (std::size_t i = 0; i < round_.size(); ++i) {
    const Contact& contact = set_->contacts()[i];
    round_[i] = {};
    if (further_.empty() || further_[i][0] == kNoRow) continue;
    const RoundGuard hole = polynomialGapGuardOf(contact.obstacle);
    if (!hole.inside || hole.axes != 2 || set_->row(static_cast<int>(i), 0) == nullptr) continue;
    // slightly less than radius^2, so that the rounded gap c - sqrt(x^2 + y^2) is positive
    constexpr double kInside = 1.0 - 16.0 * std::numeric_limits<double>::epsilon();
    round_[i] = {contact.offset[0], contact.offset[1], kInside * hole.radius * hole.radius, hole.radius,
                 static_cast<std::size_t>(further_[i][0])};
  }
}

bool GapWatch::isCurvedGapOpen(std::size_t i) const noexcept {
  return set_->gapFromCoordinatesAlongRows(static_cast<int>(i), along_ + i) > 0.0;
}

double GapWatch::acceptedGap(std::size_t i) const noexcept {
  return set_->gapFromCoordinatesAlongRows(static_cast<int>(i), acceptedAlong_ + i);
}

void GapWatch::copyAcceptedToTrial(std::size_t i) noexcept {
  along_[i] = acceptedAlong_[i];
  visitAdditionalRowsOfContact(i, [&](Eigen::Index row) { along_[row] = acceptedAlong_[row]; });
}

GapWatch::GapWatch(const GapNorm& norm, const double* rows, Eigen::Index count, Eigen::Index size,
                   Eigen::Index all)
    : norm_(&norm),
      rows_(rows),
      count_(count),
      size_(size),
      places_(Matrix::Zero(paddedSize(std::max(count, all)), 2)),
      along_(places_.col(0).data()),
      acceptedAlong_(places_.col(1).data()),
      passedOver_(static_cast<std::size_t>(count)),
      openCurved_(passedOver_.size(), 0),
      round_(passedOver_.size()),
      awake_(static_cast<std::size_t>(std::max(count, all))),
      awakeCount_(count),
      followed_(awake_.size()),
      asleepSince_(passedOver_.size(), kAwake),
      storage_(Matrix::Zero(size, 3)),
      kept_(storage_.col(1).data()),
      accepted_(storage_.col(2).data()),
      look_{rows, awake_.data(), count, along_, nullptr, storage_.col(0).data(), nullptr} {
  stopSkippingGapsOfContacts();
}

void GapWatch::setRowsOfStickBatch(std::span<const std::size_t> rows) noexcept {
  std::copy(rows.begin(), rows.end(), followed_.begin());
  followedCount_ = rows.size();
  listRowsToEvaluate();
}

/// Lists the rows that the kernel multiplies in the next trial.
void GapWatch::listRowsToEvaluate() noexcept {
  std::copy_n(followed_.begin(), followedCount_, awake_.begin() + awakeCount_);
  auto count = static_cast<std::size_t>(awakeCount_) + followedCount_;
  if (!further_.empty())
    for (std::size_t k = 0; k < static_cast<std::size_t>(awakeCount_); ++k)
      visitAdditionalRowsOfContact(
          awake_[k], [&](Eigen::Index row) { awake_[count++] = static_cast<std::size_t>(row); });
  look_.listed = awake_.data();
  look_.count = static_cast<Eigen::Index>(count);
  look_.weights = lazy_ ? norm_->modeWeightsOfGapNorm() : nullptr;
  look_.kept = kept_;
}

void GapWatch::start(const double* q) noexcept {
  findCircularHoles();
  computeAllRowProducts(q);
  std::copy_n(along_, places_.rows(), acceptedAlong_);
  std::copy_n(q, size_, accepted_);
  std::copy_n(q, size_, storage_.col(0).data());
  std::fill(asleepSince_.begin(), asleepSince_.end(), kAwake);
  stopSkippingGapsOfContacts();
  rest_ = 1;
}

void GapWatch::computeAllRowProducts(const double* q) noexcept {
  kernels::dotProductsOfRows(rows_, count_, q, size_, along_);
  for (std::size_t axis = 0; axis < 2; ++axis)  // one call for rows that are contiguous in memory
    for (std::size_t i = 0; i < further_.size();) {
      const Eigen::Index first = further_[i][axis];
      Eigen::Index rows = 0;
      while (i < further_.size() && first != kNoRow && further_[i][axis] == first + rows) ++i, ++rows;
      if (rows > 0)
        kernels::dotProductsOfRows(rows_ + first * size_, rows, q, size_, along_ + first);
      else
        ++i;
    }
}

void GapWatch::stopSkippingGapOfContact(std::size_t i) noexcept {
  // a step was accepted while the contact was skipped: its coordinates follow from the accepted q
  if (asleepSince_[i] != kAwake && asleepSince_[i] != accepts_) {
    acceptedAlong_[i] = kernels::dot(rows_ + static_cast<Eigen::Index>(i) * size_, accepted_, size_);
    visitAdditionalRowsOfContact(i, [&](Eigen::Index row) {
      acceptedAlong_[row] = kernels::dot(rows_ + row * size_, accepted_, size_);
    });
  }
  asleepSince_[i] = kAwake;
}

void GapWatch::stopSkippingGapsOfContacts() noexcept {
  for (std::size_t i = 0; i < asleepSince_.size(); ++i) stopSkippingGapOfContact(i);
  std::iota(awake_.begin(), awake_.begin() + count_, std::size_t{0});
  awakeCount_ = count_;
  lazy_ = false;
  listRowsToEvaluate();
  rest_ = count_ < kFewestSleepers ? std::numeric_limits<long>::max() : kUntilNextAttempt;
}

double GapWatch::computeProductsAndDistance(const double* q) noexcept {
  looks_ = kUntilNextAttempt;
  return kernels::computeRowProductsAndDistance(
      {rows_, nullptr, 0, along_, norm_->modeWeightsOfGapNorm(), storage_.col(0).data(), kept_}, q, size_);
}

/// Lower bound of the displacement of the contact point that closes an open contact [m].
double GapWatch::modalDistanceToClosing(std::size_t i) const noexcept {
  if (openCurved_[i] != 0 && round_[i].square > 0.0) {
    const double x = along_[i] + round_[i].first;
    const double y = along_[round_[i].row] + round_[i].second;
    return round_[i].clearance - std::sqrt(x * x + y * y);
  }
  if (openCurved_[i] != 0) return set_->gapFromCoordinatesAlongRows(static_cast<int>(i), along_ + i);
  return std::min(along_[i] - passedOver_[i].low, passedOver_[i].high - along_[i]);
}

/// Skips all contacts that are open wherever |q - centre| < `least`, and determines the largest ball in which
/// they all stay open. Returns false if the ball is not worth its cost.
bool GapWatch::findBallWhereGapsStayOpen(double least, double rounding) noexcept {
  double reach = kMostSteps / kFewestSteps * least;
  if (!(reach > 0.0)) reach = std::numeric_limits<double>::infinity();
  awakeCount_ = 0;
  for (std::size_t i = 0; i < passedOver_.size(); ++i) {
    const double slack = modalDistanceToClosing(i) * norm_->modalDistancePerMetreOfGap(i) - rounding;
    if (slack > least) {  // a NaN gives false
      reach = std::min(reach, slack);
      if (asleepSince_[i] == kAwake) asleepSince_[i] = accepts_;
    } else {
      awake_[static_cast<std::size_t>(awakeCount_++)] = i;
      stopSkippingGapOfContact(i);
    }
  }
  reachSquared_ = reach * reach;
  return count_ - awakeCount_ >= kFewestSleepers && reachSquared_ > kLeastSquare;
}

std::span<const std::size_t> GapWatch::evaluateAllGaps(const double* q, double squared) noexcept {
  computeAllRowProducts(q);
  const double perLook = std::sqrt(squared) / static_cast<double>(std::max(looks_, 1L));
  std::copy_n(q, size_, storage_.col(0).data());
  // sums of n products at both ends have an error n eps |b|* |q|, the distance has the same relative error;
  // the bound is far larger
  const double relative = 16.0 * static_cast<double>(size_ + 8) * std::numeric_limits<double>::epsilon();
  const double size = std::sqrt(kernels::weightedSumOfSquares(norm_->modeWeightsOfGapNorm(), q, size_));
  lazy_ = findBallWhereGapsStayOpen(kFewestSteps * perLook, relative * size);
  reachSquared_ *= 1.0 - relative;
  looks_ = 0;
  if (lazy_)
    listRowsToEvaluate();
  else
    stopSkippingGapsOfContacts();
  return {awake_.data(), static_cast<std::size_t>(awakeCount_)};
}

}  // namespace ricochet
