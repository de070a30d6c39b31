#include "engine/functions/formula.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <string_view>
#include <vector>

namespace ricochet {
namespace {

/// A value and its derivative: the smallest arithmetic type besides `double`, with exactly the operations
/// that a formula may use. The type counts the decisions by its value.
struct Dual {
  double value{0.0};
  double slope{0.0};

  Dual() = default;
  explicit Dual(double constant) : value(constant) {}
  Dual(double v, double s) : value(v), slope(s) {}
};

int decisions = 0;

Dual operator+(Dual a, Dual b) { return {a.value + b.value, a.slope + b.slope}; }
Dual operator-(Dual a, Dual b) { return {a.value - b.value, a.slope - b.slope}; }
Dual operator-(Dual a) { return {-a.value, -a.slope}; }
Dual operator*(Dual a, Dual b) { return {a.value * b.value, a.slope * b.value + a.value * b.slope}; }
Dual operator/(Dual a, Dual b) {
  return {a.value / b.value, (a.slope * b.value - a.value * b.slope) / (b.value * b.value)};
}
Dual operator+(Dual a, double b) { return a + Dual(b); }
Dual operator-(double a, Dual b) { return Dual(a) - b; }
Dual operator*(double a, Dual b) { return Dual(a) * b; }
Dual operator/(Dual a, double b) { return a / Dual(b); }
Dual operator/(double a, Dual b) { return Dual(a) / b; }

bool noted(bool decision) {
  ++decisions;
  return decision;
}
bool operator<(Dual a, Dual b) { return noted(a.value < b.value); }
bool operator>(Dual a, Dual b) { return noted(a.value > b.value); }
bool operator<=(Dual a, Dual b) { return noted(a.value <= b.value); }
bool operator>=(Dual a, Dual b) { return noted(a.value >= b.value); }
bool operator==(Dual a, Dual b) { return noted(a.value == b.value); }
bool operator!=(Dual a, Dual b) { return noted(a.value != b.value); }
Dual select(bool condition, Dual yes, Dual no) { return condition ? yes : no; }

Dual sqrt(Dual x) { return {std::sqrt(x.value), x.slope / (2.0 * std::sqrt(x.value))}; }
Dual sin(Dual x) { return {std::sin(x.value), x.slope * std::cos(x.value)}; }
Dual cos(Dual x) { return {std::cos(x.value), -x.slope * std::sin(x.value)}; }
Dual tan(Dual x) { return sin(x) / cos(x); }
Dual asin(Dual x) { return {std::asin(x.value), x.slope / std::sqrt(1.0 - x.value * x.value)}; }
Dual acos(Dual x) { return {std::acos(x.value), -x.slope / std::sqrt(1.0 - x.value * x.value)}; }
Dual atan(Dual x) { return {std::atan(x.value), x.slope / (1.0 + x.value * x.value)}; }
Dual atan2(Dual y, Dual x) {
  const double square = x.value * x.value + y.value * y.value;
  return {std::atan2(y.value, x.value), (y.slope * x.value - x.slope * y.value) / square};
}
Dual exp(Dual x) { return {std::exp(x.value), x.slope * std::exp(x.value)}; }
Dual log(Dual x) { return {std::log(x.value), x.slope / x.value}; }
Dual sinh(Dual x) { return 0.5 * (exp(x) - exp(-x)); }
Dual cosh(Dual x) { return 0.5 * (exp(x) + exp(-x)); }
Dual tanh(Dual x) { return sinh(x) / cosh(x); }
Dual pow(Dual x, Dual y) { return exp(y * log(x)); }

constexpr std::array<std::string_view, 1> kTime{"t"};

Dual evaluateDual(std::string_view text, double t) {
  const std::array variables{Dual(t, 1.0)};
  return Formula::parse(text, kTime).evaluate<Dual>(variables);
}

struct Derivative {
  std::string_view text;
  double (*slope)(double);
};

const std::vector<Derivative> kDerivatives{
    {"2*t - t/4 + 3 - (7 - t)", [](double) { return 2.75; }},
    {"t*(t + t) - t", [](double t) { return 4.0 * t - 1.0; }},
    {"1/t + t/(1 + t)", [](double t) { return -1.0 / (t * t) + 1.0 / ((1.0 + t) * (1.0 + t)); }},
    {"-t^3", [](double t) { return -3.0 * t * t; }},
    {"t^-2", [](double t) { return -2.0 / (t * t * t); }},
    {"t^16", [](double t) { return 16.0 * std::pow(t, 15); }},
    {"t^0.5", [](double t) { return 0.5 / std::sqrt(t); }},
    {"t^-0.5", [](double t) { return -0.5 * std::pow(t, -1.5); }},
    {"t^1.7", [](double t) { return 1.7 * std::pow(t, 0.7); }},
    {"2^t", [](double t) { return std::numbers::ln2 * std::pow(2.0, t); }},
    {"pow(t, t)", [](double t) { return std::pow(t, t) * (1.0 + std::log(t)); }},
    {"sin(3*t)", [](double t) { return 3.0 * std::cos(3.0 * t); }},
    {"cos(t^2)", [](double t) { return -2.0 * t * std::sin(t * t); }},
    {"tan(t)", [](double t) { return 1.0 / (std::cos(t) * std::cos(t)); }},
    {"asin(t)", [](double t) { return 1.0 / std::sqrt(1.0 - t * t); }},
    {"acos(t)", [](double t) { return -1.0 / std::sqrt(1.0 - t * t); }},
    {"atan(t)", [](double t) { return 1.0 / (1.0 + t * t); }},
    {"atan2(t, 2)", [](double t) { return 2.0 / (4.0 + t * t); }},
    {"atan2(2, t)", [](double t) { return -2.0 / (4.0 + t * t); }},
    {"sinh(t)", [](double t) { return std::cosh(t); }},
    {"cosh(t)", [](double t) { return std::sinh(t); }},
    {"tanh(t)", [](double t) { return 1.0 / (std::cosh(t) * std::cosh(t)); }},
    {"exp(-2*t)", [](double t) { return -2.0 * std::exp(-2.0 * t); }},
    {"log(t)", [](double t) { return 1.0 / t; }},
    {"log10(t)", [](double t) { return 1.0 / (t * std::numbers::ln10); }},
    {"sqrt(1 + t)", [](double t) { return 0.5 / std::sqrt(1.0 + t); }},
    {"abs(t - 1)", [](double) { return -1.0; }},
    {"sign(t) + (t < 2)", [](double) { return 0.0; }},
    {"min(t, 2*t, 1)", [](double) { return 1.0; }},
    {"max(t, 2*t)", [](double) { return 2.0; }},
    {"if(t >= 0.5, t^2, 7)", [](double t) { return t >= 0.5 ? 2.0 * t : 0.0; }}};

TEST(FormulaArithmetic, CarriesDerivativesThroughEveryOperation) {
  for (const Derivative& d : kDerivatives) {
    for (const double t : {0.2, 0.5, 0.8}) {
      const Dual found = evaluateDual(d.text, t);
      // Rounding of a dozen operations with terms up to ten times the larger of result and 1.
      EXPECT_NEAR(found.slope, d.slope(t), 2e-14 * std::max(1.0, std::abs(d.slope(t))))
          << d.text << ", t = " << t;
      const double value = Formula::parse(d.text, kTime)(t);
      EXPECT_NEAR(found.value, value, 2e-14 * std::max(1.0, std::abs(value))) << d.text << ", t = " << t;
    }
  }
}

TEST(FormulaArithmetic, WholePowersNeedNoLogarithm) {
  EXPECT_EQ(evaluateDual("t^2", 0.0).slope, 0.0);
  EXPECT_EQ(evaluateDual("t^3", -2.0).slope, 12.0);
  EXPECT_EQ(evaluateDual("t^-1", -2.0).slope, -0.25);
}

TEST(FormulaArithmetic, EveryDecisionIsAComparisonOfTheArithmetic) {
  const auto decisionsOf = [](std::string_view text) {
    decisions = 0;
    evaluateDual(text, 0.3);
    return decisions;
  };
  EXPECT_EQ(decisionsOf("exp(t)^3 / (1 + sqrt(t))"), 0);
  EXPECT_EQ(decisionsOf("abs(t)"), 1);
  EXPECT_EQ(decisionsOf("sign(t)"), 2);
  EXPECT_EQ(decisionsOf("min(t, 1, 2*t)"), 2);
  EXPECT_EQ(decisionsOf("t < 1"), 1);
  EXPECT_EQ(decisionsOf("if(t < 1, t, 0)"), 1);
  EXPECT_EQ(decisionsOf("if(t, t, 0)"), 1);
}

}  // namespace
}  // namespace ricochet
