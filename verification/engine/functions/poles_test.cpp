#include "engine/functions/poles.hpp"

#include <gtest/gtest.h>

#include <array>
#include <numbers>
#include <string_view>
#include <utility>

namespace ricochet {
namespace {

std::optional<double> poleOf(std::string_view formula, double from = 0.0, double to = 1.0) {
  constexpr std::array<std::string_view, 1> kTime{"t"};
  return firstPoleOfFormula(Formula::parse(formula, kTime), from, to);
}

TEST(Poles, AreFoundWhereFormulasBecomeInfinite) {
  const std::pair<std::string_view, double> known[] = {{"1/(t-0.005)", 0.005},
                                                       {"1/(t-0.75)", 0.75},
                                                       {"3/(t-0.3)^2", 0.3},
                                                       {"(t-0.75)^-3*sin(t)", 0.75},
                                                       {"1000*sin(3*t)+1e-9/(t-0.75)", 0.75},
                                                       {"tan(2*t)", 0.25 * std::numbers::pi},
                                                       {"log(abs(t-0.4))", 0.4},
                                                       {"log10((t-0.4)^2)", 0.4},
                                                       {"abs(t-0.6)^-0.5", 0.6},
                                                       {"1/sqrt(abs(t-0.6))", 0.6},
                                                       {"1/sin(2*pi*t)", 0.5},
                                                       {"exp(1/(t-0.7))", 0.7},
                                                       {"(t+1)/(t^2-0.09)", 0.3},
                                                       {"1/(0.2-t)+1/(t-0.1)", 0.1},
                                                       {"abs(t-0.9)^(-t)", 0.9}};
  for (const auto& [formula, instant] : known) {
    const std::optional<double> found = poleOf(formula, formula == "1/sin(2*pi*t)" ? 0.1 : 0.0, 1.0);
    ASSERT_TRUE(found) << formula;
    EXPECT_NEAR(*found, instant, 1e-14) << formula;
  }
  EXPECT_NEAR(poleOf("1/t", -1.0, 1.0).value_or(9.0), 0.0, 1e-30);
  EXPECT_NEAR(poleOf("1/(t-1234.5)", 1000.0, 2000.0).value_or(9.0), 1234.5, 1e-11);
}

/// The time is the last of three variables, as in the force of a link.
TEST(Poles, OfFormulasInMoreThanTheTime) {
  constexpr std::array<std::string_view, 3> kArguments{"x", "v", "t"};
  const auto of = [&](std::string_view formula, double others) {
    return firstPoleOfFormula(Formula::parse(formula, kArguments), 0.0, 1.0, 2, others);
  };
  EXPECT_NEAR(of("300*x/(t-0.25) + 2*v", 0.1).value_or(9.0), 0.25, 1e-15);
  EXPECT_NEAR(of("v/(t-x)", 0.4).value_or(9.0), 0.4, 1e-15);
  EXPECT_FALSE(of("x/(1+t) + 1/x + tan(v)", 0.1));
}

TEST(Poles, AreNotSeenWhereFormulasStayFinite) {
  for (const std::string_view formula : {"sin(t-0.5)/(t-0.5)",
                                         "(1-cos(t-0.5))/(t-0.5)^2",
                                         "(exp(t-0.3)-1-(t-0.3))/(t-0.3)^2",
                                         "(t-0.3-sin(t-0.3))/(t-0.3)^3",
                                         "tan(t)/(t-2)",
                                         "1/(1+t^2)",
                                         "1/(1e-12+(t-0.3)^2)",
                                         "exp(-1/(t-0.5)^2)",
                                         "sin(1/(t-0.5))",
                                         "1/(1+exp(1/(t-0.5)))",
                                         "(t-0.5)*log(abs(t-0.5))",
                                         "if(t < 0.5, 1/(t-0.6), 3)",
                                         "sign(t-0.3)",
                                         "(t-0.3)/abs(t-0.3)",
                                         "t^t",
                                         "abs(t-0.4)^0.1",
                                         "1/(2+sin(3000*t))",
                                         "sqrt((t-0.5)*(t-0.5012))",
                                         "atan(1/(t-0.5))",
                                         "tanh(1/(t-0.2))",
                                         "(t-0.5)*(1/(t-0.5))",
                                         "(sqrt(1+(t-0.3))-1)/(t-0.3)",
                                         "(t^2-0.09)/(t-0.3)",
                                         "1/cosh((t-0.5)/1e-9)",
                                         "1/(t-1.0000001)",
                                         "1/(t+1e-9)",
                                         "min(1/(t-0.5)^2, 100)",
                                         "log(1e-300+abs(t-0.5))"})
    EXPECT_FALSE(poleOf(formula)) << formula;
}

}  // namespace
}  // namespace ricochet
