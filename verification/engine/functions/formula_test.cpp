#include "engine/functions/formula.hpp"

#include "verification/support/allocation_counter.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <numbers>
#include <string>
#include <string_view>

namespace ricochet {
namespace {

constexpr std::array<std::string_view, 1> kVariable{"t"};

Formula formula(std::string_view text) { return Formula::parse(text, kVariable); }
double formulaValue(std::string_view text, double t = 0.0) { return formula(text)(t); }

/// Error "offset: message" of an invalid formula.
std::string errorOf(std::string_view text) {
  try {
    formula(text);
  } catch (const FormulaError& error) {
    return std::to_string(error.offset()) + ": " + error.what();
  }
  return "none";
}

TEST(Formula, ReadsNumbers) {
  EXPECT_EQ(formulaValue("3000"), 3000.0);
  EXPECT_EQ(formulaValue(" .5 "), 0.5);
  EXPECT_EQ(formulaValue("5."), 5.0);
  EXPECT_EQ(formulaValue("6.01e-4"), 6.01e-4);
  EXPECT_EQ(formulaValue("1E3"), 1000.0);
  EXPECT_EQ(formulaValue("pi"), std::numbers::pi);
}

TEST(Formula, BindsAsOnPaper) {
  EXPECT_EQ(formulaValue("1 + 2 * 3"), 7.0);
  EXPECT_EQ(formulaValue("(1 + 2) * 3"), 9.0);
  EXPECT_EQ(formulaValue("2 * 3 ^ 2"), 18.0);
  EXPECT_EQ(formulaValue("-2 ^ 2"), -4.0);
  EXPECT_EQ(formulaValue("2 ^ -1"), 0.5);
  EXPECT_EQ(formulaValue("2 ^ -1 ^ 2"), 0.5);
  EXPECT_EQ(formulaValue("3 * -2"), -6.0);
  EXPECT_EQ(formulaValue("--2"), 2.0);
  EXPECT_EQ(formulaValue("+2 - +3"), -1.0);
  EXPECT_EQ(formulaValue("1 + 1 < 3"), 1.0);
}

TEST(Formula, GroupsFromTheLeftAndPowersFromTheRight) {
  EXPECT_EQ(formulaValue("10 - 4 - 3"), 3.0);
  EXPECT_EQ(formulaValue("24 / 4 / 3"), 2.0);
  EXPECT_EQ(formulaValue("24 / 4 * 3"), 18.0);
  EXPECT_EQ(formulaValue("2 ^ 3 ^ 2"), 512.0);
  // The same expression with a variable, which cannot be evaluated beforehand.
  EXPECT_EQ(formulaValue("10 - t - 3", 4.0), 3.0);
  EXPECT_EQ(formulaValue("t - 4 - 3", 10.0), 3.0);
  EXPECT_EQ(formulaValue("24 / t / 3", 4.0), 2.0);
  EXPECT_EQ(formulaValue("t / 4 * 3", 24.0), 18.0);
  EXPECT_EQ(formulaValue("t ^ 3 ^ 2", 2.0), 512.0);
  EXPECT_EQ(formulaValue("-t ^ 2", 3.0), -9.0);
}

TEST(Formula, ComparisonsAreOneOrZero) {
  EXPECT_EQ(formulaValue("t < 1", 0.5), 1.0);
  EXPECT_EQ(formulaValue("t < 1", 1.0), 0.0);
  EXPECT_EQ(formulaValue("t <= 1", 1.0), 1.0);
  EXPECT_EQ(formulaValue("t > 1", 1.0), 0.0);
  EXPECT_EQ(formulaValue("t >= 1", 1.0), 1.0);
  EXPECT_EQ(formulaValue("t == 1", 1.0), 1.0);
  EXPECT_EQ(formulaValue("t != 1", 1.0), 0.0);
  EXPECT_EQ(formulaValue("3000 * (t < 0.2)", 0.1), 3000.0);
  EXPECT_EQ(formulaValue("3000 * (t < 0.2)", 0.2), 0.0);
}

TEST(Formula, ChoosesByAComparisonOrANumber) {
  EXPECT_EQ(formulaValue("if(t < 1, 2, 3)", 0.0), 2.0);
  EXPECT_EQ(formulaValue("if(t < 1, 2, 3)", 1.0), 3.0);
  EXPECT_EQ(formulaValue("if((t < 1), 2, 3)", 1.0), 3.0);
  EXPECT_EQ(formulaValue("if(t, 2, 3)", 0.0), 3.0);
  EXPECT_EQ(formulaValue("if(t, 2, 3)", -1.0), 2.0);
  EXPECT_EQ(formulaValue("if((t > 0) * (t < 1), 2, 3)", 0.5), 2.0);
  EXPECT_EQ(formulaValue("if(t > 0, if(t < 1, 2, 4), 3)", 5.0), 4.0);
  EXPECT_EQ(formulaValue("if(t > 0, sqrt(t), 0)", -1.0),
            0.0);  // the branch that is not selected may be undefined
}

TEST(Formula, AComparisonInAConditionDecidesOnce) {
  const auto size = [](std::string_view text) { return formula(text).program().size(); };
  EXPECT_EQ(size("if(t < 1, 2, 3)"), 5U);  // t, 1, 2, 3 and the choice
  EXPECT_EQ(size("if((t < 1), 2, 3)"), 5U);
}

TEST(Formula, AgreesWithTheStandardFunctions) {
  using Function = double (*)(double);
  struct Known {
    std::string_view text;
    Function function;
  };
  const std::array<Known, 15> known{{{"sin(t)", std::sin},
                                     {"cos(t)", std::cos},
                                     {"tan(t)", std::tan},
                                     {"asin(t)", std::asin},
                                     {"acos(t)", std::acos},
                                     {"atan(t)", std::atan},
                                     {"sinh(t)", std::sinh},
                                     {"cosh(t)", std::cosh},
                                     {"tanh(t)", std::tanh},
                                     {"exp(t)", std::exp},
                                     {"log(t)", std::log},
                                     {"log10(t)", std::log10},
                                     {"sqrt(t)", std::sqrt},
                                     {"abs(-t)", [](double t) { return t; }},
                                     {"t^0.5", std::sqrt}}};
  for (const Known& k : known)
    for (const double t : {0.1, 0.5, 0.9})
      EXPECT_EQ(formulaValue(k.text, t), k.function(t)) << k.text << ", t = " << t;
  EXPECT_EQ(formulaValue("log10(1000 * t)", 1.0), 3.0);
  EXPECT_EQ(formulaValue("atan2(t, -1)", 0.5), std::atan2(0.5, -1.0));
  EXPECT_EQ(formulaValue("pow(t, 1.7)", 0.5), std::pow(0.5, 1.7));
  EXPECT_EQ(formulaValue("2 ^ t", 0.3), std::pow(2.0, 0.3));
  EXPECT_EQ(formulaValue("t ^ -0.5", 4.0), 0.5);
}

TEST(Formula, SignMinAndMax) {
  EXPECT_EQ(formulaValue("sign(t)", -0.3), -1.0);
  EXPECT_EQ(formulaValue("sign(t)", 0.0), 0.0);
  EXPECT_EQ(formulaValue("sign(t)", 7.0), 1.0);
  EXPECT_EQ(formulaValue("min(t, 2)", 3.0), 2.0);
  EXPECT_EQ(formulaValue("max(t, 2)", 3.0), 3.0);
  EXPECT_EQ(formulaValue("min(t, 2, 1, 4)", 3.0), 1.0);
  EXPECT_EQ(formulaValue("abs(t)", -3.0), 3.0);
}

TEST(Formula, WholePowersAreProducts) {
  for (int n = -16; n <= 16; ++n) {
    const std::string text = "t^(" + std::to_string(n) + ")";
    // 16 factors have at most 15 roundings, and one more in the division.
    EXPECT_NEAR(formulaValue(text, 1.25) / std::pow(1.25, n), 1.0, 16 * 2.3e-16) << text;
  }
  EXPECT_EQ(formulaValue("t^3", -2.0), -8.0);
  EXPECT_EQ(formulaValue("t^2", 0.0), 0.0);
  EXPECT_EQ(formulaValue("t^0", 0.0), 1.0);
  EXPECT_EQ(formulaValue("pow(t, 3)", -2.0), -8.0);
}

TEST(Formula, ComputesConstantPartsAtOnce) {
  EXPECT_EQ(formula("2 * pi * 20").program().size(), 1U);
  EXPECT_EQ(formula("100 * sin(2 * pi * 20 * t)").program().size(), 4U);  // t, scaled, sin, scaled
  EXPECT_EQ(formulaValue("100 * sin(2 * pi * 20 * t)", 0.003),
            100.0 * std::sin(2.0 * std::numbers::pi * 20.0 * 0.003));
}

TEST(Formula, TakesSeveralVariables) {
  constexpr std::array<std::string_view, 3> kLink{"x", "v", "t"};
  const Formula f = Formula::parse("1e4 * x + 10 * v * t", kLink);
  const std::array values{0.5, 2.0, 3.0};
  EXPECT_EQ(f.evaluate<double>(values), 5060.0);
}

TEST(Formula, KnowsWhetherItDecides) {
  EXPECT_TRUE(formula("exp(-t) * sin(t) / (1 + t^2)").isSmooth());
  EXPECT_TRUE(formula("max(1, 2) * t").isSmooth());
  for (const char* text : {"abs(t)", "sign(t)", "min(t, 1)", "max(t, 1)", "t < 1", "if(t, 1, 2)"})
    EXPECT_FALSE(formula(text).isSmooth()) << text;
}

TEST(Formula, EvaluationDoesNotAllocate) {
  if (!test::AllocationCounter::available()) GTEST_SKIP() << "malloc belongs to the sanitizer";
  const Formula shallow = formula("100 * sin(2 * pi * 20 * t)");
  const Formula deep = formula("t+(t^2-(t*(t+(t-(t*(t+(t/(1+t))))))))");
  const test::AllocationCounter allocations;
  double sum = 0.0;
  for (int i = 0; i < 10; ++i) sum += shallow(0.1 * i) + deep(0.1 * i);
  EXPECT_EQ(allocations.count(), 0);
  EXPECT_TRUE(std::isfinite(sum));
}

TEST(Formula, NestsToItsLimit) {
  // Each "t+(" keeps one value on the stack.
  const auto nested = [](std::size_t waiting) {
    std::string text;
    for (std::size_t i = 0; i < waiting; ++i) text += "t+(";
    return text + "t" + std::string(waiting, ')');
  };
  EXPECT_EQ(formulaValue(nested(Formula::kDepth - 1), 1.0), static_cast<double>(Formula::kDepth));
  EXPECT_EQ(errorOf(nested(Formula::kDepth)), "96: the formula nests too deeply; split it");
  EXPECT_EQ(errorOf(std::string(100000, '(')), "50: the formula nests too deeply; split it");
  EXPECT_EQ(errorOf(std::string(100000, '-')), "99: the formula nests too deeply; split it");
  // A long formula needs no deep stack.
  std::string sum = "t";
  for (int i = 1; i < 10000; ++i) sum += "+t";
  EXPECT_EQ(formulaValue(sum, 1.0), 10000.0);
}

TEST(FormulaError, SaysWhatIsNeededAndWhatWasFound) {
  constexpr const char* kOperand = "a number, a variable, a function or \"(\" is needed here, found ";
  EXPECT_EQ(errorOf(""), std::string("0: ") + kOperand + "the end of the formula");
  EXPECT_EQ(errorOf("  "), std::string("2: ") + kOperand + "the end of the formula");
  EXPECT_EQ(errorOf("2 + * t"), std::string("4: ") + kOperand + "\"*\"");
  EXPECT_EQ(errorOf("2 * (t + 1"),
            "10: \")\" is needed here to close a parenthesis, found the end of the formula");
  const std::string product = "an operator is needed here (a product is written *, as in 10*t), found ";
  EXPECT_EQ(errorOf("2pi"), "1: " + product + "\"pi\"");
  EXPECT_EQ(errorOf("sin(10t)"), "6: " + product + "\"t\"");
  EXPECT_EQ(errorOf("(1 + t) (2)"), "8: " + product + "\"(\"");
  EXPECT_EQ(errorOf("t^2 3"), "4: " + product + "\"3\"");
  EXPECT_EQ(errorOf("1e"), "1: an operator is needed here or the end, found \"e\"");
  EXPECT_EQ(errorOf("2 \xC2\xB7 t"), "2: an operator is needed here or the end, found \"\xC2\xB7\"");
  EXPECT_EQ(errorOf("t)"), "1: an operator is needed here or the end, found \")\"");
  EXPECT_EQ(errorOf("."), "0: a number needs a digit, found \".\"");
  EXPECT_EQ(errorOf("1e999"), "0: 1e999 is beyond the range of numbers");
}

TEST(FormulaError, KnowsHabitsOfOtherLanguages) {
  EXPECT_EQ(errorOf("t**2"), "1: an operator is needed here (a power is written ^), found \"*\"");
  EXPECT_EQ(errorOf("if(t = 1, 2, 3)"),
            "5: an operator is needed here (equality is written ==), found \"=\"");
  EXPECT_EQ(errorOf("0 < t < 1"), "6: comparisons do not chain; write if(a < b, b < c, 0) for a < b < c");
}

TEST(FormulaError, NamesTheNearestName) {
  EXPECT_EQ(errorOf("2 * sine(t)"), "4: no variable or function \"sine\"; did you mean \"sin\"?");
  EXPECT_EQ(errorOf("Pi"), "0: no variable or function \"Pi\"; did you mean \"pi\"?");
  EXPECT_EQ(
      errorOf("3 * x"),
      "4: no variable or function \"x\"; known are t, pi, sin, cos, tan, asin, acos, atan, atan2, sinh, "
      "cosh, tanh, exp, log, log10, sqrt, abs, sign, pow, min, max, if");
}

TEST(FormulaError, CountsArguments) {
  EXPECT_EQ(errorOf("sin t"), "4: \"(\" is needed here after sin, which is a function, found \"t\"");
  EXPECT_EQ(errorOf("sin(t, 1)"), "5: \")\" is needed here (sin takes 1 argument), found \",\"");
  EXPECT_EQ(errorOf("atan2(t)"), "7: \",\" is needed here (atan2 takes 2 arguments), found \")\"");
  EXPECT_EQ(errorOf("atan2(t, 1, 2)"), "10: \")\" is needed here (atan2 takes 2 arguments), found \",\"");
  EXPECT_EQ(errorOf("max(t)"), "5: \",\" is needed here (max takes 2 arguments or more), found \")\"");
  EXPECT_EQ(errorOf("if(t < 1, 2)"),
            "11: \",\" is needed here (if takes 3 arguments: a condition, the value if it holds, the other), "
            "found \")\"");
  EXPECT_EQ(errorOf("t(1)"),
            "1: an operator is needed here (a product is written *, as in 10*t), found \"(\"");
}

TEST(FormulaError, SeesConstantsWithoutAValue) {
  EXPECT_EQ(errorOf("1 / 0"), "2: division by zero");
  EXPECT_EQ(errorOf("t / (1 - 1)"), "2: division by zero");
  EXPECT_EQ(errorOf("t + log(-1)"), "4: log(-1) has no finite value");
  EXPECT_EQ(errorOf("sqrt(-2) * t"), "0: sqrt(-2) has no finite value");
  EXPECT_EQ(errorOf("acos(1.5)"), "0: acos(1.5) has no finite value");
  EXPECT_EQ(errorOf("10 ^ 400"), "3: 10 ^ 400 has no finite value");
  EXPECT_EQ(errorOf("pow(-8, 1/3)"), "0: -8 ^ 0.3333333333333333 has no finite value");
  EXPECT_EQ(errorOf("0 ^ -1"), "2: 0 ^ -1 has no finite value");
}

}  // namespace
}  // namespace ricochet
