// All modes at once compared with each mode alone: waves, motion under polynomials, other numbers of points.

#include "engine/event/series/modal_waves.hpp"

#include "engine/event/chebyshev/chebyshev_expansion.hpp"
#include "engine/event/series/mode_polynomial.hpp"
#include "engine/numerics/decaying_wave.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

namespace ricochet {
namespace {

/// Circular frequencies [rad/s] and damping ratios in any order; c = 2 ratio omega, or `braked` for a body
/// without a spring.
struct Shaken {
  double omega, ratio;
};

LinearSystem uncoupledSystem(const std::vector<Shaken>& modes, double braked) {
  const auto n = static_cast<Eigen::Index>(modes.size());
  Vector eigenvalues(n), damping(n);
  for (Eigen::Index j = 0; j < n; ++j) {
    const auto [omega, ratio] = modes[static_cast<std::size_t>(j)];
    eigenvalues[j] = omega * omega;
    damping[j] = omega > 0.0 ? 2.0 * ratio * omega : braked;
  }
  return {eigenvalues, damping.asDiagonal(), true};
}

const std::vector<Shaken> kUnsorted{{7.0, 0.01},  {0.0, 0.0},   {9000.0, 0.02}, {0.3, 0.9},
                                    {120.0, 0.0}, {55.0, 3.0},  {3100.0, 0.5},  {1e-3, 0.0},
                                    {12.0, 1.0},  {800.0, 1.2}, {60.0, 0.99}};

TEST(ModalWaves, AreThoseOfEachMode) {
  const LinearSystem linear = uncoupledSystem(kUnsorted, 3.0);
  const ModalWaves waves(linear);
  Vector cosine(linear.omegaSquared.size()), sine = cosine;
  for (const double t : {0.0, 1e-9, 1e-4, 0.02, 0.7, 11.0, 300.0}) {  // phases up to 2.7e6
    waves.evaluateDecayingWavesAt(t, cosine, sine);
    for (Eigen::Index j = 0; j < linear.modes; ++j) {
      const DecayingWave exact =
          decayingCosineAndSine(linear.omegaSquared[j], 0.5 * linear.dampingDiagonal[j], t);
      const double scale = std::exp(-0.5 * linear.dampingDiagonal[j] * t);
      EXPECT_NEAR(cosine[j], exact.cosine, 4e-16 * scale + 4e-16 * std::abs(exact.cosine)) << t << " " << j;
      EXPECT_NEAR(sine[j], exact.sineOverW,
                  6e-16 * std::abs(exact.sineOverW) +
                      4e-16 * scale / std::max(1.0, std::sqrt(linear.omegaSquared[j])))
          << t << " " << j;
    }
  }
}

TEST(ModalWaves, AreThoseOfTheLibraryOverManyTurns) {
  const Vector omega = Vector::LinSpaced(4096, 1e-3, 3e3);
  LinearSystem linear;
  linear.modes = omega.size();
  linear.omegaSquared = omega.cwiseAbs2();
  linear.dampingDiagonal = Vector::Zero(omega.size());
  const ModalWaves waves(linear);
  Vector cosine(omega.size()), sine = cosine;
  for (const double t : {0.01, 1.0, 30.0}) {
    waves.evaluateDecayingWavesAt(t, cosine, sine);
    for (Eigen::Index j = 0; j < omega.size(); ++j) {
      const double w = std::sqrt(linear.omegaSquared[j]);
      EXPECT_NEAR(cosine[j], std::cos(w * t), 3e-16) << w * t;
      EXPECT_NEAR(sine[j] * w, std::sin(w * t), 4e-16) << w * t;
    }
  }
}

TEST(ChebyshevEvaluation, IsThatOfEachMode) {
  const VolterraBasis basis(16, 32);
  const LinearSystem linear = uncoupledSystem(kUnsorted, 3.0);
  const Eigen::Index n = linear.omegaSquared.size();
  constexpr double kStep = 2e-3;
  constexpr int kForces = 5;
  ChebyshevExpansion expansion(basis, linear, kForces, kForces);
  Matrix rows = Matrix::Zero(n, kForces);
  std::mt19937 random(11);
  std::uniform_real_distribution<double> uniform(-1.0, 1.0);
  Vector q = Vector::Zero(n), v = q;
  for (Eigen::Index j = 0; j < linear.modes; ++j) {
    for (int c = 0; c < kForces; ++c) rows(j, c) = uniform(random);
    v[j] = uniform(random);
    q[j] = uniform(random) / std::max(1.0, std::sqrt(linear.omegaSquared[j]));
  }
  expansion.setStepLength(kStep);
  for (int c = 0; c < kForces; ++c) {
    expansion.addForce({.row = rows.col(c).data()});
    for (std::size_t l = 0; l < basis.nodes().size(); ++l)
      expansion.givenForce(c)[l] = std::cos(3.0 * c + 2.0 * basis.nodes()[l]);
  }
  expansion.solveForcesAndMotion(q, v);
  Vector at = q, rate = v;
  for (const double part : {1e-6, 0.05, 0.33, 0.8, 1.0}) {
    expansion.evaluate(part * kStep, at, rate);
    for (Eigen::Index j = 0; j < linear.modes; ++j) {
      Vector values = Vector::Zero(basis.pointCount());
      for (int c = 0; c < kForces; ++c)
        for (Eigen::Index l = 0; l < values.size(); ++l)
          values[l] += rows(j, c) * expansion.givenForce(c)[static_cast<std::size_t>(l)];
      Vector powers = basis.chebyshevToMonomialMatrix() * (basis.valuesToChebyshevMatrix() * values);
      for (Eigen::Index k = 0; k < powers.size(); ++k) powers[k] *= std::pow(part, static_cast<double>(k));
      const ModeMotion exact =
          motionUnderPolynomialForce({linear.omegaSquared[j], linear.dampingDiagonal[j]}, {q[j], v[j]},
                                     part * kStep, {powers.data(), static_cast<std::size_t>(powers.size())});
      const double omega = std::max(1.0, std::sqrt(linear.omegaSquared[j]));
      EXPECT_NEAR(at[j] * omega, exact.q * omega, 1e-13) << part << " " << j;
      EXPECT_NEAR(rate[j], exact.v, 1e-13) << part << " " << j;
    }
    for (Eigen::Index j = linear.modes; j < n; ++j) EXPECT_EQ(at[j], 0.0);
  }
}

/// A spring on a mass, u'' = -w^2 u, with any number of points.
TEST(ChebyshevEvaluation, TakesOtherNumbersOfPoints) {
  const LinearSystem linear = uncoupledSystem({{0.0, 0.0}, {0.0, 0.0}, {0.0, 0.0}}, 0.0);
  Vector row = Vector::Zero(8), q = row, v = row;
  row[1] = 2.0;
  v[1] = 1.0;
  for (const auto& [points, kernel, limit] : {std::tuple(6, 9, 2e-4),
                                              {8, 16, 5e-7},
                                              {11, 20, 1e-10},
                                              {16, 32, 1e-14},
                                              {21, 33, 1e-14},
                                              {30, 40, 1e-13}}) {
    const VolterraBasis basis(points, kernel);
    ChebyshevExpansion expansion(basis, linear, 1, 1);
    constexpr double kStiffness = 100.0, kStep = 0.1;  // w h = 2
    expansion.setStepLength(kStep);
    expansion.addForce({.row = row.data(),
                        .stiffness = kStiffness,
                        .damping = 0.0,
                        .follows = -1,
                        .followsConstraint = false,
                        .factor = 0.0,
                        .watched = false});
    expansion.solveForcesAndMotion(q, v);
    const double w = 2.0 * std::sqrt(kStiffness);
    ASSERT_EQ(expansion.force(0).size(), static_cast<std::size_t>(points));
    for (std::size_t l = 0; l < expansion.motion(0).size(); ++l)
      EXPECT_NEAR(expansion.motion(0)[l], 2.0 * std::sin(w * kStep * basis.nodes()[l]) / w, limit) << points;
    Vector end = q, rate = v;
    expansion.evaluateMotionAtStepEnd(end, rate);
    EXPECT_NEAR(end[1], std::sin(w * kStep) / w, limit) << points;
    EXPECT_NEAR(rate[1], std::cos(w * kStep), 20.0 * limit) << points;
  }
}

}  // namespace
}  // namespace ricochet
