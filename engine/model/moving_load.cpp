#include "engine/model/moving_load.hpp"

#include "physical/sparse.hpp"

#include <algorithm>
#include <cassert>
#include <limits>
#include <utility>

namespace ricochet {
namespace {

constexpr double kNever = std::numeric_limits<double>::infinity();

}  // namespace

MovingLoad::MovingLoad(TimeFunction position, TimeFunction scale, std::vector<double> borders,
                       SparseMatrix shapes)
    : position_(std::move(position)),
      scale_(std::move(scale)),
      borders_(std::move(borders)),
      shapes_(std::make_shared<const SparseMatrix>(std::move(shapes))) {
  assert(borders_.size() > 1 && shapes_->cols() == kTerms * elementCount());
  if (position_.formulaOrNull() == nullptr)
    buildStagesOfMovingLoad();
  else
    stages_.push_back({-kNever, kOff, false});
}

/// Index of the element that contains x, for a path with this slope: at a border the element ahead, at slope
/// zero one of both neighbours.
int MovingLoad::elementAt(double x, double slope) const noexcept {
  const auto first = borders_.begin();
  const auto ahead = slope < 0.0 ? std::lower_bound(first, borders_.end(), x)  // first border >= x
                                 : std::upper_bound(first, borders_.end(), x);
  const int element = static_cast<int>(ahead - first) - 1;
  if (slope == 0.0 && x == borders_.back()) return elementCount() - 1;
  return element < elementCount() ? element : kOff;  // -1 before the first element
}

void MovingLoad::buildStagesOfMovingLoad() {
  bool jumped = false;
  for (std::size_t k = 0; k <= position_.lastPiece(); ++k) {
    jumped |= position_.hasJumpAtStartOfPiece(k);
    const TimeFunction::Piece piece = position_.piece(k);
    const double from = k == 0 ? -kNever : piece.begin;
    if (!(piece.end > from)) continue;  // a piece of zero width is a jump
    buildStagesOfMovingLoad(piece, from, jumped);
    jumped = false;
  }
}

/// Adds the stages of one linear piece, which is valid after `from`.
void MovingLoad::buildStagesOfMovingLoad(const TimeFunction::Piece& piece, double from, bool jumped) {
  const double slope = piece.slope;
  const double start =
      from == -kNever && slope != 0.0 ? -slope * kNever : piece.at(std::max(from, piece.begin));
  int element = elementAt(start, slope);
  addStageOfMovingLoad(from, element, jumped);
  if (slope == 0.0) return;
  const int ahead = slope > 0.0 ? 1 : 0;
  int next = element != kOff ? element + ahead : slope > 0.0 ? 0 : elementCount();
  if (element == kOff && (slope > 0.0 ? start >= borders_.back() : start <= borders_.front())) return;
  for (; next >= 0 && next <= elementCount(); next += slope > 0.0 ? 1 : -1) {
    const double t = piece.begin + (positionOfElementBorder(next) - piece.value) / slope;
    if (!(t < piece.end)) return;
    element = slope > 0.0 ? next : next - 1;
    addStageOfMovingLoad(std::max(t, from), element < elementCount() ? element : kOff, false);
  }
}

void MovingLoad::addStageOfMovingLoad(double begin, int element, bool jumped) {
  const int before = stages_.empty() ? kOff : stages_.back().element;
  if (!stages_.empty() && element == before && !(jumped && element != kOff)) return;
  const bool jumps = (before == kOff) != (element == kOff) || jumped;
  if (!stages_.empty() && stages_.back().begin == begin)
    stages_.back() = {begin, element, jumps || stages_.back().jumps};
  else
    stages_.push_back({begin, element, jumps});
}

std::vector<double> MovingLoad::beginTimesOfLoadStages(bool borders) const {
  std::vector<double> found;
  for (const Stage& stage : stages_)
    if (stage.begin > -kNever && (borders || stage.jumps)) found.push_back(stage.begin);
  return found;
}

MovingLoadRun::MovingLoadRun(const MovingLoad& load)
    : load_(&load), position_(load.position()), scale_(load.scale()) {}

void MovingLoadRun::at(double t, double* factors, Eigen::Ref<Matrix> columns) noexcept {
  std::fill_n(factors, MovingLoad::kTerms, 0.0);
  const double x = position_.at(t);
  const int last = load_->elementCount() - 1;
  const bool off =
      isFormula() ? !(x >= load_->positionOfElementBorder(0) && x <= load_->positionOfElementBorder(last + 1))
                  : currentElement() == MovingLoad::kOff;
  if (off) return;
  // Within the rounding of the instant of entry or exit, x may lie just outside the chain.
  int here = std::max(held_, 0);
  while (here < last && x > load_->positionOfElementBorder(here + 1)) ++here;
  while (here > 0 && x < load_->positionOfElementBorder(here)) --here;
  fillShapeColumns(here, columns);
  const double sigma = (x - load_->positionOfElementBorder(here)) /
                       (load_->positionOfElementBorder(here + 1) - load_->positionOfElementBorder(here));
  double factor = scale_.at(t);
  for (int j = 0; j < MovingLoad::kTerms; ++j, factor *= sigma) factors[j] = factor;
}

void MovingLoadRun::fillShapeColumns(int element, Eigen::Ref<Matrix> columns) noexcept {
  if (element == held_) return;
  held_ = element;
  clearShapeColumns(columns);
}

void MovingLoadRun::clearShapeColumns(Eigen::Ref<Matrix> columns) noexcept {
  if (held_ == MovingLoad::kOff) return;
  for (int j = 0; j < MovingLoad::kTerms; ++j) {
    columns.col(j).setZero();
    for (SparseMatrix::InnerIterator it(load_->shapes(), MovingLoad::kTerms * held_ + j); it; ++it)
      columns(it.row(), j) = it.value();
  }
}

bool MovingLoadRun::advanceTimeFunctions(double t, double tolerance) noexcept {
  position_.advance(t, tolerance);
  bool jumped = scale_.advance(t, tolerance);
  const std::vector<MovingLoad::Stage>& stages = load_->stagesOfMovingLoad();
  while (stage_ + 1 < stages.size() && stages[stage_ + 1].begin <= t + tolerance)
    jumped |= stages[++stage_].jumps;
  return jumped;
}

void MovingLoadRun::rewind() noexcept {
  position_.rewind();
  scale_.rewind();
  stage_ = 0;
}

double MovingLoadRun::nextPieceEndOfLoadFunctions() const noexcept {
  const std::vector<MovingLoad::Stage>& stages = load_->stagesOfMovingLoad();
  const double next = stage_ + 1 < stages.size() ? stages[stage_ + 1].begin : kNever;
  return std::min({next, position_.piece().end, scale_.piece().end});
}

}  // namespace ricochet
