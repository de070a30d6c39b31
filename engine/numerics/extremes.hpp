#pragma once

#include <algorithm>
#include <cstddef>

namespace ricochet {

/// The larger of two numbers, or NaN if either is NaN. std::max drops a NaN in its second argument, which
/// would hide a failure in a recorded maximum.
constexpr double largerValueOrNan(double largest, double value) noexcept {
  return value > largest || value != value ? value : largest;
}

/// The smaller of two numbers, or NaN if either is NaN.
constexpr double smallerValueOrNan(double least, double value) noexcept {
  return value < least || value != value ? value : least;
}

/// Equal cells of an interval; a function is known at the ends of the cells.
struct EvenCells {
  double from, to;
  std::size_t count;
  double endOfCell(std::size_t i) const noexcept {
    return i >= count ? to : from + (to - from) * static_cast<double>(i) / static_cast<double>(count);
  }
};

/// The larger of `best` and the largest value of a smooth function over the cells: the values at the ends,
/// value(0) ... value(count), and near a local maximum the values inside two cells by `sections` golden
/// sections (0: only the ends). NaN if a value is NaN.
template <class Value, class Function>
double largestFunctionValueOverCells(const EvenCells& cells, const Value& value, const Function& f,
                                     int sections, double best) {
  constexpr double kGolden = 0.6180339887498949;
  for (std::size_t i = 0; i <= cells.count; ++i) best = largerValueOrNan(best, value(i));
  for (std::size_t i = 0; i <= cells.count && sections > 0; ++i) {
    const std::size_t before = i == 0 ? 0 : i - 1, after = std::min(i + 1, cells.count);
    const double here = value(i), left = value(before), right = value(after);
    if (here < left || here < right) continue;
    // A smooth peak between the samples exceeds the samples by at most this amount.
    if (!(here + (here - left) + (here - right) > best)) continue;
    double a = cells.endOfCell(before), b = cells.endOfCell(after);
    double x = b - kGolden * (b - a), y = a + kGolden * (b - a);
    double fx = f(x), fy = f(y);
    for (int pass = 0; pass < sections; ++pass) {
      if (fx >= fy) {
        b = y;
        y = x;
        fy = fx;
        fx = f(x = b - kGolden * (b - a));
      } else {
        a = x;
        x = y;
        fx = fy;
        fy = f(y = a + kGolden * (b - a));
      }
    }
    best = std::max({best, fx, fy});
  }
  return best;
}

}  // namespace ricochet
