#pragma once

#include <algorithm>
#include <cmath>

namespace ricochet {

/// Time within a step up to which a series agrees with the function that it stands for, at samples at most
/// `sampling` apart [s]. If the first sample does not agree, the time is halved until the function at this
/// time agrees; below `shortest` it is not halved any more [s]. A series that agrees nowhere is rounded, and
/// taken as it is.
///
/// `agrees(t, largest)` compares both at time t and raises `largest`, the largest value of the
/// function so far, which is `first` at the start.
template <class Agrees>
double longestStepOfAccurateSeries(double step, double sampling, double first, double shortest,
                                   const Agrees& agrees) {
  constexpr int kHalvings = 60;
  constexpr double kBeforeEnd = 1e-6;  // fraction of a part before its end, where a kink may end the step
  const double parts = std::ceil(step / sampling);
  double largest = first;
  for (double i = 1.0; i <= parts; ++i) {
    if (agrees(step * (i - kBeforeEnd) / parts, largest)) continue;
    if (i > 1.0) return step * (i - 1.0) / parts;
    double t = 0.5 * step / parts;
    for (int n = 0; t > shortest && n < kHalvings; t *= 0.5, ++n) {
      largest = first;
      if (agrees(t, largest)) return t;
    }
    return t > shortest ? step : std::min(step, shortest);
  }
  return step;
}

}  // namespace ricochet
