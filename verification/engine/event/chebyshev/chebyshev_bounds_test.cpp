// Bounds of the propagator for many modes, compared with densely sampled motions, and with their known
// sharpness.

#include "engine/event/chebyshev/chebyshev_expansion.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

namespace ricochet {
namespace {

constexpr int kSamples = 250;

const VolterraBasis& basis() {
  static const VolterraBasis kBasis(16, 32);
  return kBasis;
}

/// Modes with any damping, given by omega h and c h.
struct Damped {
  double theta, drag;
};

constexpr double kLookedStep = 2e-3;  // [s]

LinearSystem modesOf(const std::vector<Damped>& modes) {
  const auto n = static_cast<Eigen::Index>(modes.size());
  Vector eigenvalues(n), damping(n);
  for (Eigen::Index j = 0; j < n; ++j) {
    const Damped& mode = modes[static_cast<std::size_t>(j)];
    eigenvalues[j] = std::pow(mode.theta / kLookedStep, 2);
    damping[j] = mode.drag / kLookedStep;
  }
  return {eigenvalues, damping.asDiagonal(), true};
}

/// Rigid bodies without and with damping; undamped, 5 %, critical and overdamped modes.
std::vector<Damped> manyModes() {
  std::vector<Damped> modes{{0.0, 0.0}, {0.0, 0.7}, {0.0, 9.0}};
  for (const double theta : {0.1, 0.9, 1.3, 3.0, 8.5, 17.0})
    for (const double ratio : {0.0, 0.05, 1.0, 1.7}) modes.push_back({theta, 2.0 * ratio * theta});
  return modes;
}

/// Sum of c_k T_k(2 x - 1).
double sumOf(const Vector& coefficients, double x) {
  double sum = 0.0;
  for (Eigen::Index k = 0; k < coefficients.size(); ++k)
    sum += coefficients[k] * std::cos(static_cast<double>(k) * std::acos(2.0 * x - 1.0));
  return sum;
}

/// A trial: one row, forces along other rows, a state.
class Trial {
 public:
  explicit Trial(const LinearSystem& linear, int forces)
      : expansion_(basis(), linear, forces, forces + 1),
        rows_(Matrix::Zero(linear.omegaSquared.size(), forces + 1)),
        q_(Vector::Zero(rows_.rows())),
        v_(q_) {
    number_ = expansion_.findOrAddRow(rows_.col(forces).data());
    expansion_.setStepLength(kLookedStep);
    for (int c = 0; c < forces; ++c) expansion_.addForce({.row = rows_.col(c).data()});
  }

  Vector& q() { return q_; }
  Vector& v() { return v_; }
  auto row() { return rows_.col(rows_.cols() - 1); }
  auto forceRow(int c) { return rows_.col(c); }
  std::span<double> force(int c) { return expansion_.givenForce(c); }
  void expand() { expansion_.solveForcesAndMotion(q_, v_); }
  ChebyshevExpansion& expansion() { return expansion_; }
  int number() const { return number_; }

  /// Calls `visit(x, u)` for many instants x h.
  template <class Visit>
  void sample(Visit visit) {
    Vector q = q_, v = v_;
    for (int i = 0; i <= kSamples; ++i) {
      const double x = static_cast<double>(i) / kSamples;
      expansion_.evaluate(x * kLookedStep, q, v);
      visit(x, row().dot(q));
    }
  }

  /// Largest distance of the motion from the polynomial through the points.
  double remainder() {
    Vector values(basis().pointCount());
    expansion_.motionValuesAlongRow(number_, {values.data(), static_cast<std::size_t>(values.size())});
    const Vector coefficients = basis().valuesToChebyshevMatrix() * values;
    double worst = 0.0;
    sample([&](double x, double u) { worst = std::max(worst, std::abs(u - sumOf(coefficients, x))); });
    return worst;
  }

 private:
  ChebyshevExpansion expansion_;
  Matrix rows_;
  Vector q_, v_;
  int number_{0};
};

/// Draws random rows, forces and states, of one mode or of all modes.
void drawRandomTrial(Trial& trial, const LinearSystem& linear, int only, bool moving, std::mt19937& random) {
  std::uniform_real_distribution<double> uniform(-1.0, 1.0);
  for (Eigen::Index j = 0; j < linear.modes; ++j) {
    if (only >= 0 && j != only) continue;
    trial.row()[j] = uniform(random);
    for (int c = 0; c < 2; ++c) trial.forceRow(c)[j] = uniform(random);
    if (!moving) continue;
    const double omega = std::sqrt(linear.omegaSquared[j]);
    trial.q()[j] = uniform(random) * std::min(kLookedStep, omega > 0.0 ? 1.0 / omega : kLookedStep);
    trial.v()[j] = uniform(random);
  }
  // The coefficients decrease like those of a resolved force.
  Vector coefficients(basis().pointCount());
  for (int c = 0; c < 2; ++c) {
    for (Eigen::Index k = 0; k < coefficients.size(); ++k)
      coefficients[k] = 500.0 * uniform(random) * std::pow(4.0, -static_cast<double>(k));
    for (std::size_t l = 0; l < trial.force(c).size(); ++l)
      trial.force(c)[l] = sumOf(coefficients, basis().nodes()[l]);
  }
  trial.expand();
}

TEST(ChebyshevBounds, NothingLeavesTheReachOfItsRow) {
  const LinearSystem linear = modesOf(manyModes());
  std::mt19937 random(1);
  for (int trial = 0; trial < 2 * linear.modes + 20; ++trial) {
    Trial one(linear, 2);
    drawRandomTrial(one, linear, trial < 2 * linear.modes ? trial / 2 : -1, true, random);
    const auto [low, high] = one.expansion().displacementBoundsAlongRow(one.number());
    const double rounding = 1e-14 * (std::abs(low) + std::abs(high));
    one.sample([&, low = low, high = high](double x, double u) {
      ASSERT_GE(u, low - rounding) << trial << " " << x;
      ASSERT_LE(u, high + rounding) << trial << " " << x;
    });
  }
}

TEST(ChebyshevBounds, TheReachOfASlowModeIsItsCurvature) {
  // cos(theta) from 1: the line is constant, and the distance to 1 - theta^2/2 is below 1 + theta^2/12.
  const LinearSystem linear = modesOf({{0.5, 0.0}});
  Trial one(linear, 0);
  one.row()[0] = one.q()[0] = 1.0;
  one.expand();
  const auto [low, high] = one.expansion().displacementBoundsAlongRow(one.number());
  EXPECT_NEAR(low, 1.0 - 0.125, 1e-15);
  EXPECT_NEAR(high, 1.0 + 0.125, 1e-15);
}

TEST(ChebyshevBounds, TheReachOfAFastModeIsItsAmplitude) {
  const LinearSystem linear = modesOf({{8.5, 0.0}});
  Trial one(linear, 0);
  one.row()[0] = 1.0;
  one.q()[0] = 3e-4;
  one.v()[0] = -4e-4 * 8.5 / kLookedStep;
  one.expand();
  const auto [low, high] = one.expansion().displacementBoundsAlongRow(one.number());
  EXPECT_NEAR(low, -5e-4, 1e-18);
  EXPECT_NEAR(high, 5e-4, 1e-18);
}

TEST(ChebyshevBounds, TheReachOfAPushedBodyIsThatOfTheForce) {
  // F t^2/2 from rest, under a force whose Chebyshev coefficients have one sign.
  const LinearSystem linear = modesOf({{0.0, 0.0}});
  Trial one(linear, 1);
  one.row()[0] = one.forceRow(0)[0] = 1.0;
  for (double& each : one.force(0)) each = 7.0;
  one.expand();
  EXPECT_NEAR(one.expansion().displacementBoundsAlongRow(one.number()).high, 3.5 * kLookedStep * kLookedStep,
              1e-19);
}

TEST(ChebyshevBounds, PointsSeeTheRest) {
  // Free and forced motion together, of one mode or of all modes.
  const LinearSystem linear = modesOf(manyModes());
  std::mt19937 random(3);
  for (int trial = 0; trial < 2 * linear.modes + 10; ++trial) {
    Trial one(linear, 2);
    drawRandomTrial(one, linear, trial < 2 * linear.modes ? trial / 2 : -1, trial % 2 == 0, random);
    const double bound = one.expansion().freeMotionInterpolationError(one.number()) +
                         one.expansion().forcedMotionInterpolationError(one.number());
    const auto [low, high] = one.expansion().displacementBoundsAlongRow(one.number());
    EXPECT_LE(one.remainder(), bound + 2e-14 * (high - low)) << trial;
    // The bound by the norms of the rows agrees with the bound by modes.
    for (const double part : {0.5, 0.99, 1.01, 10.0, 1e4})
      EXPECT_EQ(one.expansion().isInterpolationErrorBelow(one.number(), part * bound), part > 1.0)
          << trial << " " << part;
  }
}

/// Response of one mode to T_k: the largest remainder and its bound.
std::pair<double, double> remainderOf(const Damped& mode, int k) {
  const LinearSystem linear = modesOf({mode});
  Trial one(linear, 1);
  one.row()[0] = one.forceRow(0)[0] = 1.0;
  const std::span<double> force = one.force(0);
  for (std::size_t l = 0; l < force.size(); ++l)
    force[l] = std::cos(k * std::acos(2.0 * basis().nodes()[l] - 1.0));
  one.expand();
  return {one.remainder(), one.expansion().forcedMotionInterpolationError(one.number())};
}

TEST(ChebyshevBounds, TheRemainderOfAForceIsTight) {
  // The remainder never exceeds the bound. Undamped modes reach 0.7 of the bound under T_14, whose response
  // is the first that the points do not represent, and a hundredth under T_15, whose derivative is largest
  // where the remainder is small.
  for (const Damped& mode : {Damped{0.0, 0.0}, {0.5, 0.0}, {3.0, 0.0}, {8.5, 0.0}, {3.0, 0.3}, {8.5, 0.85}})
    for (int k = 0; k < 16; ++k) {
      const auto [worst, bound] = remainderOf(mode, k);
      // The coefficients of T_k in powers of t are up to 4^k.
      const double rounding = 1e-15 * std::pow(4.0, k) * kLookedStep * kLookedStep;
      EXPECT_LE(worst, bound + rounding) << mode.theta << " " << mode.drag << " " << k;
      if (k == 14) {
        EXPECT_GE(worst, (mode.drag == 0.0 ? 0.7 : 0.5) * bound) << mode.theta << " " << mode.drag;
      } else if (k == 15) {
        EXPECT_GE(worst, 0.009 * bound) << mode.theta << " " << mode.drag;
      }
    }
}

}  // namespace
}  // namespace ricochet
