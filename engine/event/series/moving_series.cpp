#include "engine/event/series/moving_series.hpp"

#include <algorithm>

namespace ricochet {
namespace {

/// Multiplies two series, product = a b, truncated to the size of `product`; returns the number of
/// coefficients that may differ from zero.
std::size_t multiplyPowerSeries(std::span<const double> a, std::span<const double> b,
                                std::span<double> product) {
  if (a.empty() || b.empty()) return 0;
  const std::size_t count = std::min(product.size(), a.size() + b.size() - 1);
  for (std::size_t k = 0; k < count; ++k) {
    const std::size_t first = k < b.size() ? 0 : k - b.size() + 1;
    double sum = 0.0;
    for (std::size_t i = first; i <= std::min(k, a.size() - 1); ++i) sum += a[i] * b[k - i];
    product[k] = sum;
  }
  return count;
}

}  // namespace

/// True if the position is above a border just after the start; a position at rest on the border counts as
/// above.
bool MovingSeries::isPositionBeyondElementBorder(std::span<const double> x, double border) const noexcept {
  if (x[0] != border) return x[0] > border;
  for (const double coefficient : x.subspan(1))
    if (coefficient != 0.0) return coefficient > 0.0;
  return true;
}

/// Ends the step where the load passes a border, that is, sign (x - border) vanishes.
void MovingSeries::endStepAtElementBorder(FunctionSeries& functions, std::span<const double> x, double sign,
                                          double border) {
  distance_.assign(x.begin(), x.end());
  distance_[0] -= border;
  for (double& coefficient : distance_) coefficient *= sign;
  functions.endStepAtRoot(distance_);
}

int MovingSeries::findNextElement(FunctionSeries& functions, const MovingLoad& load, std::span<double> x) {
  const int count = load.elementCount();
  if (!isPositionBeyondElementBorder(x, load.positionOfElementBorder(0))) {
    endStepAtElementBorder(functions, x, -1.0, load.positionOfElementBorder(0));
    return MovingLoad::kOff;
  }
  const double end = load.positionOfElementBorder(count);
  const bool restsAtEnd =
      x[0] == end && std::all_of(x.begin() + 1, x.end(), [](double each) { return each == 0.0; });
  if (restsAtEnd) return count - 1;
  if (isPositionBeyondElementBorder(x, end)) {
    endStepAtElementBorder(functions, x, 1.0, end);
    return MovingLoad::kOff;
  }
  int low = 0;  // index of the last border behind the load
  for (int high = count; high - low > 1;) {
    const int middle = (low + high) / 2;
    (isPositionBeyondElementBorder(x, load.positionOfElementBorder(middle)) ? low : high) = middle;
  }
  endStepAtElementBorder(functions, x, 1.0, load.positionOfElementBorder(low));
  endStepAtElementBorder(functions, x, -1.0, load.positionOfElementBorder(low + 1));
  return low;
}

std::array<int, MovingLoad::kTerms> MovingSeries::readMovingLoadSeries(FunctionSeries& functions,
                                                                       MovingLoadRun& load, double t,
                                                                       const Terms& terms,
                                                                       Eigen::Ref<Matrix> columns) {
  const std::span<double> room(position_.data(), std::min(position_.size(), terms[0].size()));
  int element = load.currentElement();
  std::array<int, MovingLoad::kTerms> counts{};
  if (!load.isFormula() && element == MovingLoad::kOff) return counts;
  const std::span<double> x =
      room.first(static_cast<std::size_t>(std::max(1, functions.expandFunction(load.position(), t, room))));
  if (load.isFormula()) element = findNextElement(functions, load.load(), x);
  if (element == MovingLoad::kOff) return counts;
  load.fillShapeColumns(element, columns);
  const double left = load.load().positionOfElementBorder(element);
  const double width = load.load().positionOfElementBorder(element + 1) - left;
  x[0] -= left;
  for (double& coefficient : x) coefficient /= width;
  counts[0] = functions.expandFunction(load.scale(), t, terms[0]);
  for (std::size_t j = 1; j < terms.size(); ++j)
    counts[j] = static_cast<int>(
        multiplyPowerSeries(terms[j - 1].first(static_cast<std::size_t>(counts[j - 1])), x, terms[j]));
  return counts;
}

}  // namespace ricochet
