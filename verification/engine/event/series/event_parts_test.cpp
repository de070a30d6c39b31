// The parts of the event scheme: certified roots, power series, linear forms, the Taylor expansion.

#include "engine/event/series/linear_form.hpp"
#include "engine/event/series/taylor_expansion.hpp"
#include "engine/functions/formula.hpp"
#include "engine/functions/function_series.hpp"
#include "engine/numerics/certified_root.hpp"
#include "engine/numerics/series.hpp"
#include "verification/support/linear_reference.hpp"
#include "verification/support/models.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <functional>
#include <limits>
#include <random>
#include <vector>

namespace ricochet {
namespace {

/// Coefficients of the product of (t - root) over the roots, times a sign.
std::vector<double> fromRoots(const std::vector<double>& roots) {
  std::vector<double> p{1.0};
  for (const double root : roots) {
    std::vector<double> next(p.size() + 1, 0.0);
    for (std::size_t k = 0; k < p.size(); ++k) {
      next[k] -= root * p[k];
      next[k + 1] += p[k];
    }
    p = next;
  }
  if (p[0] < 0.0)
    for (double& c : p) c = -c;
  return p;
}

TEST(CertifiedRoot, FindsTheFirstOfMany) {
  std::mt19937 random(1);
  std::uniform_real_distribution<double> place(0.05, 2.0);
  for (int i = 0; i < 2000; ++i) {
    std::vector<double> roots;
    for (int n = 0; n < 6; ++n) roots.push_back(place(random));
    std::sort(roots.begin(), roots.end());
    if (roots[1] - roots[0] < 1e-3) continue;  // a nearly double root is accurate to half of the digits
    const RootSearch search = firstRoot(fromRoots(roots), 3.0);
    ASSERT_TRUE(search.found);
    // Six factors: rounding 1e-15 of terms up to 2^6, divided by the slope, at least 1e-3 for each factor.
    EXPECT_NEAR(search.time, roots[0], 1e-9);
  }
}

/// Coefficients of fast modes overflow at powers whose terms are negligible.
TEST(CertifiedRoot, LeavesOutCoefficientsBeyondTheRangeOfNumbers) {
  const double huge = std::numeric_limits<double>::infinity();
  const std::array p{1.0, -4.0, 1.0, huge, -huge, 1.0};
  EXPECT_EQ(leadingFiniteCoefficients(p).size(), 3U);
  EXPECT_NEAR(firstRoot(leadingFiniteCoefficients(p), 1.0).time, 2.0 - std::sqrt(3.0), 1e-15);
}

TEST(CertifiedRoot, IsNotCarriedOffByATangentThatIsAlmostLevel) {
  // At rest within rounding, then decreasing with t^3: the root is near (p0/c)^(1/3) = 1.2e-6.
  const RootSearch search = firstRoot(std::array{1.16e-17, -3.83e-17, 4.44e-16, -6.09}, 0.183);
  ASSERT_TRUE(search.found);
  EXPECT_LT(search.time, 3e-6);
}

TEST(CertifiedRoot, SeesADipOfATrillionth) {
  // (t - 1)^2 + height has no root, or two roots 2 sqrt(-height) apart.
  for (const double height : {1e-3, 1e-6, 1e-9, 1e-12}) {
    EXPECT_FALSE(firstRoot(std::array{1.0 + height, -2.0, 1.0}, 5.0).found) << height;
    const RootSearch search = firstRoot(std::array{1.0 - height, -2.0, 1.0}, 5.0);
    ASSERT_TRUE(search.found) << height;
    EXPECT_NEAR(search.time, 1.0 - std::sqrt(height), 1e-15 / std::sqrt(height) + 1e-14);
  }
}

TEST(CertifiedRoot, EndsWhereTheIntervalEnds) {
  const std::array p{1.0, -1.0};
  EXPECT_FALSE(firstRoot(p, 0.999).found);
  EXPECT_EQ(firstRoot(p, 0.999).time, 0.999);
  EXPECT_TRUE(firstRoot(p, 1.001).found);
  EXPECT_EQ(firstRoot(p, 1.001).time, 1.0);
}

using Function = std::function<double(double)>;
using SeriesFunction = std::function<Series(const Series&)>;
struct FunctionCase {
  const char* name;
  Function value;
  SeriesFunction series;
};

std::vector<FunctionCase> functions() {
  return {{"sqrt", [](double x) { return std::sqrt(x); }, [](const Series& x) { return sqrt(x); }},
          {"exp", [](double x) { return std::exp(x); }, [](const Series& x) { return exp(x); }},
          {"log", [](double x) { return std::log(x); }, [](const Series& x) { return log(x); }},
          {"sin", [](double x) { return std::sin(x); }, [](const Series& x) { return sin(x); }},
          {"cos", [](double x) { return std::cos(x); }, [](const Series& x) { return cos(x); }},
          {"tan", [](double x) { return std::tan(x); }, [](const Series& x) { return tan(x); }},
          {"asin", [](double x) { return std::asin(x); }, [](const Series& x) { return asin(x); }},
          {"acos", [](double x) { return std::acos(x); }, [](const Series& x) { return acos(x); }},
          {"atan", [](double x) { return std::atan(x); }, [](const Series& x) { return atan(x); }},
          {"sinh", [](double x) { return std::sinh(x); }, [](const Series& x) { return sinh(x); }},
          {"cosh", [](double x) { return std::cosh(x); }, [](const Series& x) { return cosh(x); }},
          {"tanh", [](double x) { return std::tanh(x); }, [](const Series& x) { return tanh(x); }},
          {"power", [](double x) { return std::pow(x, 1.7); },
           [](const Series& x) { return pow(x, Series(1.7)); }},
          {"exponent", [](double x) { return std::pow(x, x); }, [](const Series& x) { return pow(x, x); }},
          {"quotient", [](double x) { return (1.0 + x) / (2.0 - x * x); },
           [](const Series& x) { return (1.0 + x) / (2.0 - x * x); }},
          {"reciprocal", [](double x) { return 3.0 / x; }, [](const Series& x) { return 3.0 / x; }},
          {"angle", [](double x) { return std::atan2(x * x, x - 0.5); },
           [](const Series& x) { return atan2(x * x, x - 0.5); }},
          {"steep angle", [](double x) { return std::atan2(1.0, x - 0.4); },
           [](const Series& x) { return atan2(Series(1.0), x - 0.4); }}};
}

TEST(Series, SumsToTheFunction) {
  constexpr int kOrder = 24;
  constexpr double kAt = 0.4;  // point of expansion ...
  // ... and of evaluation: a fifth of the distance to the nearest singularity, 5^-25 is below rounding.
  constexpr double kAway = 0.03;
  for (const FunctionCase& c : functions()) {
    SeriesTape tape(kOrder);
    // The argument is nonlinear: u = 0.4 + t + t^2/2.
    const Series u = tape.recordInput(std::array{kAt, 1.0, 0.5});
    const Series y = c.series(u);
    tape.computeSeriesOrders(1, kOrder);
    double sum = 0.0;
    for (int k = kOrder; k >= 0; --k) sum = y.coefficient(k) + kAway * sum;
    const double exact = c.value(kAt + kAway + 0.5 * kAway * kAway);
    EXPECT_NEAR(sum, exact, 2e-14 * std::max(1.0, std::abs(exact))) << c.name;
  }
}

TEST(Series, KeepsWhatItCompared) {
  SeriesTape tape(4);
  const Series t = tape.recordInput(std::array{0.25, 1.0});
  const Series bent = select(t < 1.0, t, Series(1.0));
  tape.computeSeriesOrders(1, 4);
  EXPECT_EQ(bent.coefficient(1), 1.0);
  ASSERT_EQ(tape.decisionsOfRecordedBranches().size(), 1U);
  EXPECT_EQ(tape.decisionsOfRecordedBranches()[0].coefficient(0), 0.75);  // the state holds for another 0.75
  EXPECT_EQ(tape.decisionsOfRecordedBranches()[0].coefficient(1), -1.0);
}

TEST(Series, UnfoldsWithWhatItIsFed) {
  // y' = y by recursion: y_{k+1} = y_k / (k + 1).
  SeriesTape tape(10);
  const Series y = tape.recordInputByOrder(1.0);
  const Series slope = 1.0 * y + 0.0;
  double factorial = 1.0;
  for (int k = 0; k < 10; ++k) {
    tape.recomputeOrder(k);
    factorial *= k + 1;
    tape.setCoefficient(y, k + 1, slope.coefficient(k) / (k + 1));
    EXPECT_DOUBLE_EQ(y.coefficient(k + 1), 1.0 / factorial);
  }
}

TEST(Series, SolvesADifferentialEquation) {
  // y' = y^2, y(0) = 1 has the solution 1/(1 - t), whose coefficients are all 1
  constexpr int kOrder = 12;
  SeriesTape tape(kOrder);
  const Series y = integratedSeries(tape.recordInput(std::array{0.0, 1.0}), 1.0);
  setRateOfSeries(y, y * y);
  tape.computeSeriesOrders(1, kOrder);
  for (int k = 0; k <= kOrder; ++k) EXPECT_DOUBLE_EQ(y.coefficient(k), 1.0);
}

/// (t^2 + t^3)^1.5 = t^3 (1 + t)^1.5, by the binomial series; (t + t^2)^1.5 has no series.
TEST(Series, PowersFromZeroAreThoseOfTheLeadingPower) {
  constexpr int kOrder = 9;
  SeriesTape tape(kOrder);
  const Series y = pow(tape.recordInput(std::array{0.0, 0.0, 1.0, 1.0}), Series(1.5));
  const Series none = pow(tape.recordInput(std::array{0.0, 1.0, 1.0}), Series(1.5));
  const Series still = sqrt(tape.recordInput(std::array{0.0, 0.0}));
  tape.computeSeriesOrders(1, kOrder);
  double binomial = 1.0;
  for (int k = 0; k <= kOrder; ++k) {
    EXPECT_NEAR(y.coefficient(k), k < 3 ? 0.0 : binomial, 1e-15) << k;
    if (k >= 3) binomial *= (1.5 - (k - 3)) / (k - 2);
    EXPECT_EQ(still.coefficient(k), 0.0);
  }
  EXPECT_EQ(none.coefficient(1), 0.0);
  EXPECT_FALSE(std::isfinite(none.coefficient(2)));
}

TEST(FunctionSeries, EndsAtTheKinksOfAFormula) {
  const std::array<std::string_view, 1> names{"t"};
  const TimeFunction function =
      TimeFunction::formula(Formula::parse("if(t < 0.3, 2*t, 0.6) + abs(t - 0.1)", names));
  const FunctionCursor cursor(function);
  FunctionSeries reader(8);
  std::array<double, 9> series{};
  reader.begin();
  reader.expandFunction(cursor, 0.0, series);
  EXPECT_DOUBLE_EQ(reader.endOfExpandedStep(1.0).time, 0.1);
  reader.begin();
  reader.shiftStartOfNextExpansion(1e-15);
  reader.expandFunction(cursor, 0.1, series);
  EXPECT_NEAR(reader.endOfExpandedStep(1.0).time, 0.2, 1e-14);
  EXPECT_DOUBLE_EQ(series[1], 3.0);
}

TEST(LinearForm, AsksALawForItsCoefficients) {
  const LinearPenalty penalty{.stiffness = 7.0, .damping = 3.0};
  const LinearForm force = penalty.force<LinearForm>(NormalState::closed, normalKinematicsAsLinearForms());
  EXPECT_EQ(force.position, -7.0);
  EXPECT_EQ(force.rate, -3.0);
  EXPECT_EQ(force.constant, 0.0);

  const RegularisedCoulomb friction{.muStatic = 0.3, .muDynamic = 0.2, .stiffness = 50.0, .damping = 4.0};
  const FrictionMemory<double> memory{
      .anchorForce = {2.0, 0.0}, .anchorPosition = {0.1, 0.0}, .direction = {1.0, 0.0}, .slipping = false};
  const auto k = frictionKinematicsAsLinearForms({1.0, 0.0}, {});
  const LinearForm stick =
      friction.force<LinearForm>(FrictionState::stick, k, constantLinearForms(memory)).first;
  EXPECT_DOUBLE_EQ(stick.constant, 2.0 + 50.0 * 0.1);
  EXPECT_EQ(stick.position, -50.0);
  EXPECT_EQ(stick.rate, -4.0);
  const LinearForm slip =
      friction.force<LinearForm>(FrictionState::slip, k, constantLinearForms(memory)).first;
  EXPECT_EQ(slip.input, 0.2);
  EXPECT_TRUE(slip.position == 0.0 && slip.rate == 0.0);
}

TEST(TaylorExpansion, IsTheSolutionOfACoupledDampedSystem) {
  // Three modes coupled by damping C under a growing load, compared with the matrix exponential.
  const Vector eigenvalues = (Vector(3) << 0.0, 400.0, 2500.0).finished();
  Matrix damping(3, 3);
  damping << 1.0, 0.5, 0.2, 0.1, 2.0, 0.3, 0.0, 0.4, 3.0;
  const LinearSystem linear(eigenvalues, damping, false);
  const Vector shape = (Vector(8) << 1.0, -2.0, 0.5, 0, 0, 0, 0, 0).finished();
  State s(3);
  s.q.head(3) << 0.1, -0.2, 0.3;
  s.v.head(3) << 1.0, 2.0, -1.0;

  TaylorExpansion expansion(linear, 24, 1, 0);
  expansion.addForce({.row = shape.data()});
  expansion.invertConstraintMatrix();
  const std::span<double> given = expansion.givenForce(0, 2);
  given[0] = 3.0;
  given[1] = 40.0;
  expansion.startFromState(s.q, s.v, 24);
  expansion.computeSeriesOrders(0, 24);
  constexpr double kStep = 0.05;  // 2.5 radians of the fastest mode: 2.5^26/26! is below rounding
  State end(3);
  expansion.evaluate(kStep, end.q, end.v);

  const test::LinearProblem problem{.stiffness = eigenvalues.asDiagonal(),
                                    .damping = damping,
                                    .constantLoad = 3.0 * shape.head(3),
                                    .loadSlope = 40.0 * shape.head(3),
                                    .q0 = s.q.head(3),
                                    .v0 = s.v.head(3)};
  const test::LinearSolution exact = test::solveExactly(problem, kStep);
  EXPECT_LT((end.q.head(3) - exact.q).norm(), 1e-13 * exact.q.norm());
  EXPECT_LT((end.v.head(3) - exact.v).norm(), 1e-13 * exact.v.norm());
}

TEST(TaylorExpansion, HoldsConstraintsAndSharesWhatTheyShareEvenly) {
  // Two equal rows: each constraint takes half of the reaction.
  const LinearSystem linear((Vector(2) << 0.0, 100.0).finished(), Matrix::Zero(2, 2), true);
  const Vector row = (Vector(8) << 0.6, 0.8, 0, 0, 0, 0, 0, 0).finished();
  const Vector load = (Vector(8) << 5.0, 1.0, 0, 0, 0, 0, 0, 0).finished();
  TaylorExpansion expansion(linear, 12, 1, 2);
  expansion.addForce({.row = load.data()});
  expansion.addConstraint(row.data());
  expansion.addConstraint(row.data());
  expansion.invertConstraintMatrix();
  expansion.givenForce(0, 1)[0] = 1.0;
  State s(2);
  expansion.startFromState(s.q, s.v, 12);
  expansion.computeSeriesOrders(0, 12);
  EXPECT_DOUBLE_EQ(expansion.reaction(0)[0], -0.5 * (0.6 * 5.0 + 0.8));
  EXPECT_DOUBLE_EQ(expansion.reaction(1)[0], expansion.reaction(0)[0]);
  std::array<double, 14> along{};
  expansion.motionSeriesAlongRow(row.data(), along);
  for (const double c : along) EXPECT_NEAR(c, 0.0, 1e-14);
}

/// 45 damped modes in motion, with springs along some rows and one load.
class SprungModes {
 public:
  explicit SprungModes(int springs)
      : linear_(eigenvalues(), Vector::Constant(kModes, 3.0).asDiagonal(), true),
        rows_(Matrix::Zero(linear_.omegaSquared.size(), springs + 2)),
        expansion_(linear_, kOrder, springs + 1, 0) {
    std::mt19937 random(static_cast<unsigned>(springs));
    std::uniform_real_distribution<double> uniform(-1.0, 1.0);
    Vector q = Vector::Zero(rows_.rows()), v = q;
    for (Eigen::Index j = 0; j < kModes; ++j) {
      for (Eigen::Index c = 0; c < rows_.cols(); ++c) rows_(j, c) = uniform(random);
      q[j] = uniform(random) / static_cast<double>(1 + j * j);
      v[j] = 10.0 * uniform(random) / static_cast<double>(1 + j);
    }
    expansion_.addForce({.row = rows_.col(springs).data()});
    for (int c = 0; c < springs; ++c)
      expansion_.addForce({.row = rows_.col(c).data(), .stiffness = 50.0 + c, .damping = 0.3});
    expansion_.invertConstraintMatrix();
    expansion_.givenForce(0, 1)[0] = 20.0;
    expansion_.startFromState(q, v, kOrder);
    expansion_.computeSeriesOrders(0, kOrder);
  }
  SprungModes(const SprungModes&) = delete;
  SprungModes& operator=(const SprungModes&) = delete;

  static constexpr int kModes = 45;
  static constexpr int kOrder = 14;
  TaylorExpansion& expansion() { return expansion_; }
  const LinearSystem& linear() const { return linear_; }
  auto row(int c) const { return rows_.col(c); }
  auto lastRow() const { return rows_.col(rows_.cols() - 1); }
  Eigen::Map<const Vector> column(int k) const { return {expansion_.column(k), rows_.rows()}; }

 private:
  static Vector eigenvalues() {
    Vector values(kModes);
    for (Eigen::Index j = 0; j < kModes; ++j) values[j] = std::pow(2.0 + static_cast<double>(j), 2);
    return values;
  }

  LinearSystem linear_;
  Matrix rows_;
  TaylorExpansion expansion_;
};

TEST(TaylorExpansion, IsTheSolutionUnderAnyNumberOfSprings) {
  for (int springs = 0; springs < 8; ++springs) {
    SprungModes model(springs);
    const TaylorExpansion& expansion = model.expansion();
    for (int k = 0; k <= SprungModes::kOrder; ++k) {
      Vector rest = (k + 1.0) * (k + 2.0) * model.column(k + 2) +
                    model.linear().omegaSquared.cwiseProduct(model.column(k)) +
                    (k + 1.0) * model.linear().dampingDiagonal.cwiseProduct(model.column(k + 1));
      double size = rest.norm();
      if (k == 0) rest -= 20.0 * model.row(springs);
      for (int c = 0; c < springs; ++c)
        rest += ((50.0 + c) * model.row(c).dot(model.column(k)) +
                 0.3 * (k + 1) * model.row(c).dot(model.column(k + 1))) *
                model.row(c);
      EXPECT_LE(rest.norm(), 1e-12 * (size + model.column(k).norm() * 4000.0)) << springs << " " << k;
    }
    for (int c = 0; c < springs; ++c)
      for (int k = 0; k < SprungModes::kOrder + 3; ++k) {
        const double expected = model.row(c).dot(model.column(k));
        EXPECT_NEAR(expansion.motion(c + 1)[k], expected, 1e-13 * model.column(k).norm() * 10.0) << c << k;
      }
  }
}

TEST(TaylorExpansion, BoundsHowFarRowsCome) {
  SprungModes model(3);
  TaylorExpansion& expansion = model.expansion();
  const Vector row = model.lastRow();
  const std::array<ModePlane, 1> whole{{{0, row.size()}}};
  const TaylorExpansion::Bands bands = TaylorExpansion::rowNormsByModeBand(row.data(), whole);
  EXPECT_NEAR(bands.matrix().norm(), row.norm(), 1e-14 * row.norm());
  EXPECT_GT(bands[2], 0.0);  // modes 24 to 55
  std::array<double, SprungModes::kOrder + 3> series{};
  expansion.motionSeriesAlongRow(row.data(), series);
  for (const double step : {1e-3, 3e-2, 0.1, 2e-2, 1e-4})
    for (const int first : {1, 2, 4}) {
      const double bound = (bands * expansion.boundsOfMotionOverStep(step, first)).sum();
      EXPECT_LE(bound, row.norm() * expansion.boundOfMotionOverStep(step, first) * (1.0 + 1e-14));
      for (int i = 1; i <= 100; ++i) {
        double sum = 0.0;
        for (std::size_t k = series.size(); k-- > static_cast<std::size_t>(first);)
          sum = sum * step * i / 100.0 + series[k];
        sum *= std::pow(step * i / 100.0, first);
        ASSERT_LE(std::abs(sum), bound) << step << " " << first << " " << i;
      }
    }
}

TEST(TaylorExpansion, GivesVelocitiesAtSeveralInstants) {
  SprungModes model(2);
  const std::array<double, 8> instants{0.0, 0.01, 0.017, 0.02, 0.03, 0.04, 0.05, 0.06};
  Matrix rates(model.lastRow().size(), 8);
  Vector q(rates.rows()), v(q);
  for (const std::size_t count : {4u, 6u, 8u}) {
    rates.setZero();
    model.expansion().velocitiesAt(std::span(instants).first(count), rates);
    for (std::size_t n = 0; n < count; ++n) {
      model.expansion().evaluate(instants.at(n), q, v);
      EXPECT_LE((rates.col(static_cast<Eigen::Index>(n)) - v).norm(), 1e-14 * v.norm()) << count << n;
    }
  }
}

}  // namespace
}  // namespace ricochet
