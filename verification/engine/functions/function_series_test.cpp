// Series of functions of time: the branch of a function after a kink.

#include "engine/functions/function_series.hpp"

#include "engine/functions/formula.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <string_view>

namespace ricochet {
namespace {

/// The branch just after the start is selected by the value and the rates at the start, for any rounding in
/// the formula.
TEST(FunctionSeries, TakesLaterBranchesButNoLaterValues) {
  const std::array<std::string_view, 1> names{"t"};
  const TimeFunction function =
      TimeFunction::formula(Formula::parse("0.003*(1 - cos(25*t)) + max(0, t - 0.1)", names));
  const FunctionCursor cursor(function);
  FunctionSeries reader(8);
  std::array<double, 9> series{};
  reader.begin();
  reader.shiftStartOfNextExpansion(1e-3);
  reader.expandSupportMotion(cursor, 0.1, series);
  EXPECT_NEAR(series[0], 0.003 * (1.0 - std::cos(2.5)), 1e-17);
  EXPECT_NEAR(series[1], 0.075 * std::sin(2.5) + 1.0, 1e-15);
}

}  // namespace
}  // namespace ricochet
