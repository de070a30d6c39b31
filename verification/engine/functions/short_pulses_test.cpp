#include "engine/functions/short_pulses.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <string_view>
#include <vector>

namespace ricochet {
namespace {

std::vector<double> breakpointsOf(std::string_view formula, double from = 0.0, double to = 1.0) {
  constexpr std::array<std::string_view, 1> kTime{"t"};
  return instantsAroundShortPulsesOfFormula(Formula::parse(formula, kTime), from, to);
}

/// Smallest distance of a breakpoint from an instant.
double nearest(const std::vector<double>& stops, double instant) {
  double least = 1e300;
  for (const double each : stops) least = std::min(least, std::abs(each - instant));
  return least;
}

TEST(ShortPulses, AreFoundWhereverTheyHide) {
  for (const std::string_view formula :
       {"exp(-((t-0.613)/1e-5)^2)", "10*sin(3*t)+exp(-((t-0.613)/1e-6)^2)", "1e-12/(1e-12+(t-0.613)^2)",
        "1/cosh((t-0.613)/1e-6)", "exp(-abs(t-0.613)/1e-6)", "2-exp(-((t-0.613)/1e-7)^2)"}) {
    const std::vector<double> stops = breakpointsOf(formula);
    EXPECT_LT(nearest(stops, 0.613), 2e-6) << formula;
    EXPECT_TRUE(std::ranges::is_sorted(stops)) << formula;
    EXPECT_LT(stops.size(), 100U) << formula;
  }
  const std::vector<double> three = breakpointsOf("exp(-5e5*(1-cos(2*pi*2*(t-0.2))))");
  EXPECT_LT(nearest(three, 0.2), 1e-3);
  EXPECT_LT(nearest(three, 0.7), 1e-3);
  EXPECT_LT(nearest(breakpointsOf("exp(-((t-613)/1e-2)^2)", 500.0, 1500.0), 613.0), 1e-2);
}

TEST(ShortPulses, AreNoneWhereSamplesSeeAFormulaAndAtPoles) {
  for (const std::string_view formula :
       {"4*sin(12*t)+1", "exp(-t)*sin(50*t)", "1/(1+t^2)", "1/(1+(t-0.5)^2)", "exp(sin(30*t))",
        "exp(sin(3000*t))", "sin(t-0.5)/(t-0.5)", "1/(t-0.75)", "exp(-1000*(1-cos(2*pi*50*t)))",
        "1/(1+exp(-(t-0.5)/1e-6))", "t^1.5/(1+t)", "exp(-t^2)*cos(t^3)/(2+sin(t))", "exp(-((t-0.2)/0.05)^2)",
        "t^t"})
    EXPECT_TRUE(breakpointsOf(formula).empty()) << formula;
  EXPECT_TRUE(breakpointsOf("exp(-((t-0.613)/1e-5)^2)", 0.7, 1.7).empty());
}

}  // namespace
}  // namespace ricochet
