// The propagator with exact modes and interpolated contact forces, compared with matrix exponentials and
// closed forms.

#include "engine/event/chebyshev/chebyshev_expansion.hpp"

#include "engine/event/series/mode_polynomial.hpp"
#include "verification/support/struck_beam.hpp"

#include <gtest/gtest.h>
#include <unsupported/Eigen/MatrixFunctions>

#include <algorithm>
#include <array>
#include <cmath>
#include <random>

namespace ricochet {
namespace {

const VolterraBasis& basis() {
  static const VolterraBasis kBasis(16, 32);
  return kBasis;
}

LinearSystem uncoupled(const Vector& omega, double ratio) {
  const Matrix damping = (2.0 * ratio * omega).asDiagonal();
  return {omega.cwiseAbs2(), damping, true};
}

// ---- the basis

TEST(VolterraBasis, InterpolatesPolynomials) {
  const auto n = static_cast<Eigen::Index>(basis().pointCount());
  Vector values(n);
  for (Eigen::Index l = 0; l < n; ++l) values[l] = std::pow(basis().nodes()[static_cast<std::size_t>(l)], 7);
  const Vector powers = basis().chebyshevToMonomialMatrix() * (basis().valuesToChebyshevMatrix() * values);
  for (const double x : {0.0, 0.03, 0.31, 0.77, 1.0}) {  // single powers lose 11 digits, but not their sum
    double value = 0.0;
    for (Eigen::Index k = n; k-- > 0;) value = value * x + powers[k];
    EXPECT_NEAR(value, std::pow(x, 7), 1e-13) << x;
  }
  // T_3(2 x - 1)
  for (Eigen::Index l = 0; l < n; ++l)
    values[l] = std::cos(3.0 * std::acos(2.0 * basis().nodes()[static_cast<std::size_t>(l)] - 1.0));
  const Vector coefficients = basis().valuesToChebyshevMatrix() * values;
  for (Eigen::Index k = 0; k < n; ++k) EXPECT_NEAR(coefficients[k], k == 3 ? 1.0 : 0.0, 2e-15) << k;
}

TEST(VolterraBasis, ConvolvesPowersExactly) {
  // Integral of (x - s)^a s^b ds from 0 to x: x^(a + b + 1) a! b!/(a + b + 1)!.
  const auto n = static_cast<Eigen::Index>(basis().pointCount());
  for (const auto& [a, b] : {std::pair(0, 0), {3, 2}, {12, 15}, {31, 15}, {31, 0}}) {
    Vector force(n), sum = Vector::Zero(n);
    for (Eigen::Index l = 0; l < n; ++l) force[l] = std::pow(basis().nodes()[static_cast<std::size_t>(l)], b);
    for (int k = 0; k < basis().samplingPointCountOfKernel(); ++k) {
      const Matrix weights = Matrix::NullaryExpr(
          n, n, [k](Eigen::Index l, Eigen::Index other) { return basis().convolutionWeight(k, l, other); });
      sum += std::pow(basis().samplingNodesOfKernel()[static_cast<std::size_t>(k)], a) * (weights * force);
    }
    const double factor = std::exp(std::lgamma(a + 1.0) + std::lgamma(b + 1.0) - std::lgamma(a + b + 2.0));
    for (Eigen::Index l = 0; l < n; ++l) {
      const double exact = factor * std::pow(basis().nodes()[static_cast<std::size_t>(l)], a + b + 1);
      EXPECT_NEAR(sum[l], exact, 1e-15) << a << " " << b << " " << l;
    }
  }
}

// ---- one mode under a polynomial

TEST(ModePolynomial, FollowsAnExactSolution) {
  // q = 1 + x - 2 x^2 + x^3 with x = t/h has the force f = q'' + c q' + omega^2 q.
  const double h = 0.01;
  for (const auto& [theta, drag] : {std::pair(0.0, 0.0),
                                    {0.0, 2.0},
                                    {1e-3, 0.0},
                                    {3.0, 0.3},
                                    {4.99, 0.1},
                                    {5.01, 0.1},
                                    {17.0, 0.4},
                                    {60.0, 3.0},
                                    {1.0, 30.0},
                                    {8.0, 40.0},
                                    {6.0, 12.0}}) {
    const DampedMode mode{theta * theta / (h * h), drag / h};
    const std::array<double, 4> q{1.0, 1.0, -2.0, 1.0};
    std::array<double, 4> f{};
    for (std::size_t k = 0; k < 4; ++k) {
      const auto n = static_cast<double>(k);
      f[k] = mode.omegaSquared * q[k];
      if (k + 1 < 4) f[k] += mode.damping * (n + 1.0) * q[k + 1] / h;
      if (k + 2 < 4) f[k] += (n + 1.0) * (n + 2.0) * q[k + 2] / (h * h);
    }
    const ModeMotion after = motionUnderPolynomialForce(mode, {1.0, 1.0 / h}, h, f);
    EXPECT_NEAR(after.q, 1.0, 2e-13) << theta << " " << drag;
    EXPECT_NEAR(after.v * h, 0.0, 1e-12 * (1.0 + theta)) << theta << " " << drag;
  }
}

TEST(ModePolynomial, BothWaysAgreeWhereTheyMeet) {
  // The motions just below and just above omega h = 5 agree: a relative change of 1e-9 in omega changes the
  // motion by as little.
  const std::array<double, 6> force{1.0, -3.0, 2.0, 5.0, -4.0, 1.5};
  const ModeMotion below =
      motionUnderPolynomialForce({std::pow(5.0 - 1e-10, 2), 0.2}, {0.3, -0.7}, 1.0, force);
  const ModeMotion above =
      motionUnderPolynomialForce({std::pow(5.0 + 1e-10, 2), 0.2}, {0.3, -0.7}, 1.0, force);
  EXPECT_NEAR(below.q, above.q, 1e-9);
  EXPECT_NEAR(below.v, above.v, 1e-8);
}

// ---- modes and springs along rows

/// Modes, springs along rows, each with a constant force, and friction proportional to one of these forces.
struct Sprung {
  Vector omega;
  double ratio;
  std::vector<Vector> rows;
  std::vector<double> stiffness, constant;
  int follower{-1};  ///< row of a force that is `share` times that of row 0
  double share{0.0};

  /// State after t by the matrix exponential of the whole system, in (omega q, v), whose entries are of one
  /// size.
  std::pair<Vector, Vector> exact(const Vector& q, const Vector& v, double t) const {
    const Eigen::Index m = omega.size();
    const Vector scale = omega.cwiseMax(1.0);
    Matrix k = omega.cwiseAbs2().asDiagonal();
    Vector f = Vector::Zero(m);
    for (std::size_t i = 0; i < rows.size(); ++i) {
      const bool follows = static_cast<int>(i) == follower;
      const std::size_t leader = follows ? 0 : i;
      const double part = follows ? share : 1.0;
      k += part * stiffness[leader] * rows[i] * rows[leader].transpose();
      f += part * constant[leader] * rows[i];
    }
    Matrix generator = Matrix::Zero(2 * m + 1, 2 * m + 1);
    generator.block(0, m, m, m).diagonal() = scale;
    generator.block(m, 0, m, m) = -k * scale.cwiseInverse().asDiagonal();
    generator.block(m, m, m, m).diagonal() = -2.0 * ratio * omega;
    generator.block(m, 2 * m, m, 1) = f;
    Vector start(2 * m + 1);
    start << scale.cwiseProduct(q), v, 1.0;
    const Vector after = (t * generator).exp() * start;
    return {after.head(m).cwiseQuotient(scale), after.segment(m, m)};
  }

  /// State after t by the expansion; returns the number of sweeps.
  int compare(double h, const Vector& q, const Vector& v, double limit) const {
    const Eigen::Index m = omega.size(), n = paddedSize(m);
    const LinearSystem linear = uncoupled(omega, ratio);
    ChebyshevExpansion expansion(basis(), linear, static_cast<int>(rows.size()),
                                 static_cast<int>(rows.size()));
    std::vector<Vector> wide;
    for (const Vector& row : rows) {
      wide.push_back(Vector::Zero(n));
      wide.back().head(m) = row;
    }
    expansion.setStepLength(h);
    for (std::size_t i = 0; i < rows.size(); ++i) {
      const bool follows = static_cast<int>(i) == follower;
      expansion.addForce({.row = wide[i].data(),
                          .stiffness = follows ? 0.0 : stiffness[i],
                          .damping = 0.0,
                          .follows = follows ? 0 : -1,
                          .followsConstraint = false,
                          .factor = share,
                          .watched = false});
      for (double& each : expansion.givenForce(static_cast<int>(i))) each = follows ? 0.0 : constant[i];
    }
    Vector start = Vector::Zero(n), rate = start, end = start, endRate = start;
    start.head(m) = q;
    rate.head(m) = v;
    const int sweeps = expansion.solveForcesAndMotion(start, rate);
    for (const double part : {1.0, 0.83, 0.4, 0.01}) {
      const auto [x, w] = exact(q, v, part * h);
      if (part == 1.0)
        expansion.evaluateMotionAtStepEnd(end, endRate);
      else
        expansion.evaluate(part * h, end, endRate);
      // Relative difference in the energy norm.
      const double scale = std::hypot(rate.norm(), omega.cwiseProduct(q).norm());
      const double error =
          std::hypot((endRate.head(m) - w).norm(), omega.cwiseProduct(end.head(m) - x).norm());
      EXPECT_LT(error, limit * scale) << part;
    }
    expansion.evaluate(h, end, endRate);
    Vector table = end, tableRate = endRate;
    expansion.evaluateMotionAtStepEnd(table, tableRate);
    EXPECT_LT((end - table).norm(), limit * (start.norm() + h * rate.norm()));
    return sweeps;
  }
};

/// Modes of a tube, f_n = n^2 f_1, and supports along the tube.
Sprung tube(int modes, int supports, double stiffness, double first = 3.4) {
  Sprung model{.omega = Vector(modes), .ratio = 0.01, .rows = {}, .stiffness = {}, .constant = {}};
  for (int j = 0; j < modes; ++j) model.omega[j] = first * (j + 1) * (j + 1);
  for (int i = 0; i < supports; ++i) {
    Vector row(modes);
    for (int j = 0; j < modes; ++j) row[j] = 0.6 * std::sin((j + 1) * 3.14159 * (i + 0.41) / supports);
    model.rows.push_back(row);
    model.stiffness.push_back(stiffness);
    model.constant.push_back(3.0 * (i + 1));
  }
  return model;
}

TEST(ChebyshevExpansion, IsExactWithoutContacts) {
  Sprung model = tube(20, 1, 0.0);
  model.constant = {4.0};
  const auto [q, v] = test::modalStateOfStruckBeam(model.omega, 1);
  for (const double h : {1e-4, 8.5 / model.omega[19], 17.0 / model.omega[19]}) model.compare(h, q, v, 1e-13);
}

TEST(ChebyshevExpansion, MovesModesOnSprings) {
  const Sprung model = tube(20, 4, 1e4);
  const auto [q, v] = test::modalStateOfStruckBeam(model.omega, 2);
  EXPECT_GT(model.compare(8.5 / model.omega[19], q, v, 1e-11), 1);
}

TEST(ChebyshevExpansion, TakesPartOfAnotherForce) {
  Sprung model = tube(12, 3, 1e4);
  model.follower = 2;
  model.share = -0.3;
  const auto [q, v] = test::modalStateOfStruckBeam(model.omega, 3);
  model.compare(4.0 / model.omega[11], q, v, 1e-12);
}

TEST(ChebyshevExpansion, MovesRigidBodiesAndHeavilyDampedModes) {
  Sprung model = tube(8, 2, 2e4);
  model.omega[0] = 0.0;
  model.ratio = 1.7;
  const auto [ignored, v] = test::modalStateOfStruckBeam(model.omega.array() + 1.0, 4);
  model.compare(2e-3, 1e-3 * ignored, v, 1e-12);
}

TEST(ChebyshevExpansion, SolvesAtOnceWhatSweepsDoNot) {
  // Two nearly parallel rows that are very stiff for the step: block Gauss-Seidel converges slowly. The
  // solution satisfies F = -k u, with u from F by the compliances.
  const Sprung model = tube(10, 1, 1.0);
  const LinearSystem linear = uncoupled(model.omega, 0.0);
  Vector rows[2] = {Vector::Zero(16), Vector::Zero(16)};
  rows[0].head(10) = rows[1].head(10) = model.rows[0];
  rows[1][4] += 1e-2;
  const auto [q, v] = test::modalStateOfStruckBeam(model.omega, 5);
  Vector start = Vector::Zero(16), rate = start;
  start.head(10) = q;
  rate.head(10) = v;
  constexpr double kStiffness = 1e9;
  ChebyshevExpansion expansion(basis(), linear, 2, 2);
  expansion.setStepLength(200.0 / std::sqrt(2.0 * kStiffness * rows[0].squaredNorm()));
  for (const Vector& row : rows)
    expansion.addForce({.row = row.data(),
                        .stiffness = kStiffness,
                        .damping = 0.0,
                        .follows = -1,
                        .followsConstraint = false,
                        .factor = 0.0,
                        .watched = false});
  EXPECT_EQ(expansion.solveForcesAndMotion(start, rate), 0);
  const std::vector<double> first(expansion.force(1).begin(), expansion.force(1).end());
  EXPECT_EQ(expansion.solveForcesAndMotion(start, rate), 0);  // the factorization is unchanged
  EXPECT_TRUE(std::ranges::equal(expansion.force(1), first));
  double largest = 0.0;
  for (const double f : expansion.force(0)) largest = std::max(largest, std::abs(f));
  EXPECT_GT(largest, 0.0);
  for (int c = 0; c < 2; ++c)
    for (std::size_t l = 0; l < expansion.force(c).size(); ++l)
      EXPECT_NEAR(expansion.force(c)[l], -kStiffness * expansion.motion(c)[l], 1e-8 * largest);
}

TEST(ChebyshevExpansion, TellsWhatItLeavesOut) {
  // A spring whose period is a sixth of the step: the last coefficients are small if the points resolve the
  // motion.
  const Sprung model = tube(6, 1, 1e4);
  const LinearSystem linear = uncoupled(model.omega, 0.0);
  Vector row = Vector::Zero(8), q = row, v = row;
  row.head(6) = model.rows[0];
  v[0] = 1.0;
  const double rate = std::sqrt(1e4 * row.squaredNorm());
  double before = 1e300;
  for (const double phase : {16.0, 8.0, 4.0, 2.0}) {
    ChebyshevExpansion expansion(basis(), linear, 1, 1);
    expansion.setStepLength(phase / rate);
    expansion.addForce({.row = row.data(),
                        .stiffness = 1e4,
                        .damping = 0.0,
                        .follows = -1,
                        .followsConstraint = false,
                        .factor = 0.0,
                        .watched = true});
    expansion.solveForcesAndMotion(q, v);
    const double tail = expansion.truncationError(expansion.force(0));
    // The error decreases with the power 15 of the step down to rounding.
    EXPECT_LT(tail, before / 50.0) << phase;
    before = std::max(tail, 1e-10);
  }
}

TEST(ChebyshevExpansion, BoundsWhatItsPointsDoNotSee) {
  // One mode, at 1 to 8.5 rad per step, or all modes of a tube: the distance of the motion from the
  // interpolant between the points never exceeds the bound, and reaches a hundredth of the bound for one mode
  // (the bound adds powers of 1 + 2 xi).
  const Sprung model = tube(20, 1, 0.0);
  const LinearSystem linear = uncoupled(model.omega, 0.01);
  const double h = 8.5 / model.omega[19];
  Vector row = Vector::Zero(24);
  row.head(20) = model.rows[0];
  std::mt19937 random(7);
  std::uniform_real_distribution<double> uniform(-1.0, 1.0);
  for (int trial = 0; trial < 40; ++trial) {
    const int only = trial < 20 ? trial : -1;
    Vector q = Vector::Zero(24), v = q;
    for (Eigen::Index j = 0; j < 20; ++j) {
      if (only >= 0 && j != only) continue;
      q[j] = uniform(random) / model.omega[j];
      v[j] = uniform(random);
    }
    ChebyshevExpansion expansion(basis(), linear, 0, 1);
    const int number = expansion.findOrAddRow(row.data());
    expansion.setStepLength(h);
    expansion.solveForcesAndMotion(q, v);
    Vector values(basis().pointCount());
    expansion.motionValuesAlongRow(number, {values.data(), static_cast<std::size_t>(values.size())});
    const Vector coefficients = basis().valuesToChebyshevMatrix() * values;
    double worst = 0.0;
    for (int i = 0; i <= 500; ++i) {
      const double x = i / 500.0;
      double interpolant = 0.0;
      for (Eigen::Index k = 0; k < coefficients.size(); ++k)
        interpolant += coefficients[k] * std::cos(static_cast<double>(k) * std::acos(2.0 * x - 1.0));
      Vector at = q, rate = v;
      expansion.evaluate(x * h, at, rate);
      worst = std::max(worst, std::abs(row.dot(at) - interpolant));
    }
    const double bound = expansion.freeMotionInterpolationError(number);
    const double rounding = 1e-14 * values.cwiseAbs().maxCoeff();
    EXPECT_LE(worst, bound + rounding) << trial;
    if (only > 14) {
      EXPECT_GT(worst, 0.01 * bound) << trial;
    }
  }
}

TEST(ChebyshevExpansion, FollowsAResonantLoad) {
  // q'' + w^2 q = sin(w t) from rest: q = (sin(w t) - w t cos(w t))/(2 w^2)
  const double w = 40.0, h = 0.05;
  const LinearSystem linear = uncoupled(Vector::Constant(1, w), 0.0);
  Vector row = Vector::Zero(8), q = row, v = row;
  row[0] = 1.0;
  ChebyshevExpansion expansion(basis(), linear, 1, 1);
  expansion.setStepLength(h);
  expansion.addForce({.row = row.data()});
  const std::span<double> load = expansion.givenForce(0);
  for (std::size_t l = 0; l < load.size(); ++l) load[l] = std::sin(w * h * basis().nodes()[l]);
  expansion.solveForcesAndMotion(q, v);
  for (const double part : {1.0, 0.37}) {
    expansion.evaluate(part * h, q, v);
    const double phase = w * part * h;
    EXPECT_NEAR(q[0], (std::sin(phase) - phase * std::cos(phase)) / (2.0 * w * w), 1e-16) << part;
    EXPECT_NEAR(v[0], part * h * std::sin(phase) / 2.0, 1e-14) << part;
  }
}

}  // namespace
}  // namespace ricochet
