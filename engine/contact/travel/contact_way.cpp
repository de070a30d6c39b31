#include "engine/contact/travel/contact_way.hpp"

#include "physical/sparse.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <cstddef>
#include <utility>

namespace ricochet {

ContactTravelPath::ContactTravelPath(TimeFunction position, std::vector<double> borders,
                                     const SparseMatrix& shapes, Eigen::RowVectorXd own)
    : position_(std::move(position)),
      borders_(std::move(borders)),
      shapes_(std::make_shared<const SparseMatrix>(shapes)),
      own_(std::move(own)) {
  assert(borders_.size() > 1 && shapes_->rows() == own_.size() &&
         shapes_->cols() == kTerms * static_cast<Eigen::Index>(borders_.size() - 1));
}

ContactTravelPath ContactTravelPath::makePathOfContactAtRest(Eigen::RowVectorXd own) {
  const SparseMatrix none(own.size(), kTerms);
  return {TimeFunction::constant(0.0), {0.0, 1.0}, none, std::move(own)};
}

/// Subtracts from `row` the shape of the chain at x, and from `rate` the rate at which this shape changes for
/// a point that travels along the chain at `speed` [m/s].
void ContactTravelPath::subtractShapeFunctionsOfChain(double x, double speed, double* row,
                                                      double* rate) const noexcept {
  if (std::isnan(x)) row[0] = x;  // a position formula has no value: the run stops with this NaN
  if (!(x >= borders_.front() && x <= borders_.back())) return;
  const auto ahead = std::upper_bound(borders_.begin(), borders_.end() - 1, x);
  const auto element = static_cast<std::size_t>(ahead - borders_.begin()) - 1;
  const double length = borders_[element + 1] - borders_[element];
  const double sigma = (x - borders_[element]) / length;
  double power = 1.0, slope = 0.0;  // power sigma^j of the element coordinate, and its rate
  for (int j = 0; j < kTerms; ++j) {
    for (SparseMatrix::InnerIterator it(*shapes_, kTerms * static_cast<Eigen::Index>(element) + j); it;
         ++it) {
      row[it.row()] -= power * it.value();
      rate[it.row()] -= slope * it.value();
    }
    slope = static_cast<double>(j + 1) * power * speed / length;
    power *= sigma;
  }
}

void ContactTravelPath::computeNormalRowAndItsRateAtTime(double t, double* row, double* rate) const noexcept {
  std::copy_n(own_.data(), own_.size(), row);
  std::fill_n(rate, own_.size(), 0.0);
  subtractShapeFunctionsOfChain(position_.at(t), position_.slopeAt(t), row, rate);
}

Eigen::RowVectorXd ContactTravelPath::rowAlongNormalAtPosition(double x) const {
  Eigen::RowVectorXd row = own_, rate = Eigen::RowVectorXd::Zero(own_.size());
  subtractShapeFunctionsOfChain(x, 0.0, row.data(), rate.data());
  return row;
}

Eigen::RowVectorXd ContactTravelPath::rowAlongNormalOfLargestNorm() const {
  constexpr int kPlaces = 8;  // number of sampled positions per element
  Eigen::RowVectorXd largest = own_;
  for (std::size_t e = 0; e + 1 < borders_.size(); ++e)
    for (int k = 0; k <= kPlaces; ++k) {
      const double share = static_cast<double>(k) / kPlaces;
      const Eigen::RowVectorXd row =
          rowAlongNormalAtPosition(borders_[e] + share * (borders_[e + 1] - borders_[e]));
      if (row.squaredNorm() > largest.squaredNorm()) largest = row;
    }
  return largest;
}

namespace {

/// True if the row `there` differs from `own`, the row of the first node, by more than the rounding error of
/// the cubics; at a fixed node, the cubics vanish only within rounding.
bool differsFromRowOfFirstContactNode(const Eigen::RowVectorXd& there, const Eigen::RowVectorXd& own,
                                      const SparseMatrix& shapes) {
  constexpr double kRounding = 1e-9;
  if (there.size() == 0) return false;  // no dof of any contact can move
  double most = 0.0;
  for (int k = 0; k < shapes.outerSize(); ++k)
    for (SparseMatrix::InnerIterator it(shapes, k); it; ++it) most = std::max(most, std::abs(it.value()));
  return (there - own).cwiseAbs().maxCoeff() > kRounding * most;
}

}  // namespace

bool ContactTravelPath::doesChainStartMoveAlongNormal() const {
  return differsFromRowOfFirstContactNode(rowAlongNormalAtPosition(borders_.front()), own_, *shapes_);
}
bool ContactTravelPath::doesChainEndMoveAlongNormal() const {
  return differsFromRowOfFirstContactNode(rowAlongNormalAtPosition(borders_.back()), own_, *shapes_);
}

}  // namespace ricochet
