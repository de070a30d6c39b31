#include "modal/residual_vectors.hpp"

#include "modal/damping.hpp"
#include "modal/eigen_solver.hpp"
#include "modal/projection.hpp"
#include "verification/support/residual_flexibility.hpp"
#include "verification/support/structures.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

namespace ricochet {
namespace {

using test::Chain;
using test::dofOf;
using test::Ends;
using test::kEpsilon;
using test::residualFlexibility;

constexpr Chain kGroundedChain{8, 1e4, 2.0, Ends::fixedFree};
constexpr Chain kFreeChain{8, 1e4, 2.0, Ends::freeFree};
constexpr int kTip = 7;

/// A structure with a truncated basis, augmented for unit forces along ux of some nodes.
struct AugmentedModel {
  AugmentedModel(const Structure& structure, const BasisSelection& selection,
                 const std::vector<int>& pushed = {})
      : physical(assembleModel(structure)), basis(extractModes(physical, selection)) {
    std::vector<Vector> directions;
    for (const int node : pushed) directions.push_back(unitForceAt(node));
    addResidualVectors(basis, physical, directions);
  }
  Vector unitForceAt(int node) const { return physical.reducedForce(dofOf(node, Component::ux)); }
  Vector row(int node) const {
    return modeShapeRow(basis, physical.dofs, dofOf(node, Component::ux)).transpose();
  }

  /// Displacement of a node per unit static force on another node, without rigid-body motion [m/N].
  double flexibility(int node, int pushed) const {
    const Vector a = row(node), b = row(pushed);
    double sum = 0.0;
    for (Eigen::Index i = 0; i < basis.size(); ++i)
      if (basis.eigenvalue[i] > 0.0) sum += a[i] * b[i] / basis.eigenvalue[i];
    return sum;
  }

  PhysicalModel physical;
  ModalBasis basis;
};

/// Mode shapes phi_j(i) of mass i from 0: sin(2 (i + 1) theta_j) with theta_j of Chain (fixed-free), cos((j -
/// 1)(i + 1/2) pi / n) (free), with unit generalized mass.
double shapeOf(const Chain& chain, int j, int i) {
  const double n = chain.size;
  if (chain.ends == Ends::fixedFree) {
    const double theta = (2 * j - 1) * std::numbers::pi / (2.0 * (2.0 * n + 1.0));
    return std::sqrt(4.0 / (chain.mass * (2.0 * n + 1.0))) * std::sin(2.0 * (i + 1) * theta);
  }
  if (j == 1) return 1.0 / std::sqrt(n * chain.mass);
  return std::sqrt(2.0 / (n * chain.mass)) * std::cos((j - 1) * (i + 0.5) * std::numbers::pi / n);
}

/// Sum of phi_j(node) phi_j(pushed) / lambda_j^power over modes first .. n.
double modalSum(const Chain& chain, int first, int node, int pushed, int power = 1) {
  double sum = 0.0;
  for (int j = first; j <= chain.size; ++j)
    sum += shapeOf(chain, j, node) * shapeOf(chain, j, pushed) / std::pow(chain.eigenvalue(j), power);
  return sum;
}

/// Largest deviation from Phi^t M Phi = I, and of Phi^t K Phi from diag(omega^2), relative to both omega, or
/// to the omega of the elastic mode for a rigid-body mode.
void expectOrthonormal(const AugmentedModel& m, double tolerance) {
  const Matrix& shapes = m.basis.reducedShapes;
  const Matrix mass = shapes.transpose() * (m.physical.mass * shapes);
  const Matrix stiffness = shapes.transpose() * (m.physical.stiffness * shapes);
  const Vector& lambda = m.basis.eigenvalue;
  double largest = 0.0;
  for (Eigen::Index i = 0; i < lambda.size(); ++i)
    for (Eigen::Index j = 0; j < lambda.size(); ++j) {
      const double a = lambda[i] > 0.0 ? lambda[i] : lambda[j], b = lambda[j] > 0.0 ? lambda[j] : lambda[i];
      const double scale = a > 0.0 ? std::sqrt(a * b) : m.physical.stiffness.diagonal().maxCoeff();
      largest = std::max(largest, std::abs(stiffness(i, j) - (i == j ? lambda[i] : 0.0)) / scale);
    }
  EXPECT_LE(largest, tolerance);
  EXPECT_LE((mass - Matrix::Identity(lambda.size(), lambda.size())).cwiseAbs().maxCoeff(), tolerance);
  EXPECT_LE(m.basis.orthogonalityError, tolerance);
  for (Eigen::Index i = 1; i < lambda.size(); ++i) EXPECT_GE(lambda[i], lambda[i - 1]) << i;
}

TEST(ResidualVectors, MakeAStaticForceExactAlongTheirDirection) {
  for (const int modes : {1, 2, 5}) {
    const AugmentedModel without(kGroundedChain.structure(), {.modes = modes});
    const AugmentedModel with(kGroundedChain.structure(), {.modes = modes}, {kTip});
    EXPECT_EQ(with.basis.residualVectors, 1);
    EXPECT_EQ(with.basis.size(), modes + 1);
    EXPECT_EQ(with.basis.modes(), modes);
    EXPECT_TRUE(with.basis.isResidualVector(modes));
    EXPECT_FALSE(with.basis.isResidualVector(modes - 1));
    // Springs in series: node i moves by (i + 1) / k under a unit force at the tip. Rounding: n = 8 terms and
    // a condition number of 120.
    for (int node = 0; node <= kTip; ++node)
      EXPECT_NEAR(with.flexibility(node, kTip), (node + 1) / 1e4, 1e-12 * 8.0 / 1e4) << modes << " " << node;
    const double lacking = modalSum(kGroundedChain, modes + 1, kTip, kTip);
    EXPECT_NEAR(without.flexibility(kTip, kTip), 8.0 / 1e4 - lacking, 1e-12 * 8.0 / 1e4);
    EXPECT_NEAR(residualFlexibility(without.basis, without.physical, without.unitForceAt(kTip)), lacking,
                1e-12 * 8.0 / 1e4);
    EXPECT_NEAR(residualFlexibility(with.basis, with.physical, with.unitForceAt(kTip)), 0.0,
                1e-12 * 8.0 / 1e4);
    EXPECT_GT(residualFlexibility(with.basis, with.physical, with.unitForceAt(2)), 1e-2 * lacking);
  }
}

TEST(ResidualVectors, HaveTheFrequencyOfTheirShape) {
  // r = sum over the omitted modes of phi phi(tip) / lambda: omega^2 = sum phi(tip)^2 / lambda over sum
  // phi(tip)^2 / lambda^2.
  for (const Chain& chain : {kGroundedChain, kFreeChain})
    for (const int modes : {1, 3, 6}) {
      const AugmentedModel m(chain.structure(), {.modes = modes}, {kTip});
      const double expected =
          modalSum(chain, modes + 1, kTip, kTip) / modalSum(chain, modes + 1, kTip, kTip, 2);
      // For the free chain: rounding at the condition number 1e6 of its shift.
      EXPECT_NEAR(m.basis.eigenvalue[modes], expected,
                  (chain.ends == Ends::freeFree ? 1e-9 : 1e-11) * expected)
          << modes;
    }
}

TEST(ResidualVectors, OfAFreeStructureAreThoseOfInertiaRelief) {
  for (const int modes : {1, 2, 5}) {
    const AugmentedModel m(kFreeChain.structure(), {.modes = modes}, {kTip});
    EXPECT_EQ(m.basis.rigidModes, 1);
    EXPECT_EQ(m.basis.eigenvalue[0], 0.0);
    ASSERT_EQ(m.basis.residualVectors, 1);
    for (int node = 0; node <= kTip; ++node)
      EXPECT_NEAR(m.flexibility(node, kTip), modalSum(kFreeChain, 2, node, kTip), 1e-10 * 8.0 / 1e4)
          << modes << " " << node;
    expectOrthonormal(m, 1e-10);
  }
}

TEST(ResidualVectors, KeepTheBasisOrthogonal) {
  expectOrthonormal(AugmentedModel(kGroundedChain.structure(), {.modes = 2}, {0, 3, 5, kTip}), 1e-10);
  expectOrthonormal(AugmentedModel(kFreeChain.structure(), {.modes = 2}, {0, 3, 5, kTip}), 1e-10);
  // By Lanczos, with multiple eigenvalues and rigid-body modes; a long chain whose vectors contain many
  // frequencies.
  const test::Lattice lattice{{6, 3, 2}, {1e3, 3e3, 7e3}, 0.5};
  const AugmentedModel solid(lattice.structure(), {.modes = 24}, {0, 5, 17, 35});
  EXPECT_EQ(solid.basis.residualVectors, 4);
  expectOrthonormal(solid, 1e-10);
  const Chain fine{400, 1e6, 0.01, Ends::fixedFree};
  const AugmentedModel bar(fine.structure(), {.modes = 5}, {399, 398, 200, 10});
  EXPECT_EQ(bar.basis.residualVectors, 4);
  expectOrthonormal(bar, 1e-10);
  EXPECT_NEAR(bar.flexibility(399, 399), 400.0 / 1e6, 1e-10 * 400.0 / 1e6);  // condition number 3e5
}

TEST(ResidualVectors, OfTheSameDirectionAreOne) {
  const AugmentedModel one(kGroundedChain.structure(), {.modes = 2}, {kTip});
  const AugmentedModel twice(kGroundedChain.structure(), {.modes = 2}, {kTip, kTip, kTip});
  ASSERT_EQ(twice.basis.residualVectors, 1);
  EXPECT_NEAR(twice.basis.eigenvalue[2], one.basis.eigenvalue[2], 1e-12 * one.basis.eigenvalue[2]);

  // Opposite and scaled directions, and sums of other directions.
  AugmentedModel m(kGroundedChain.structure(), {.modes = 2});
  const Vector a = m.unitForceAt(3), b = m.unitForceAt(kTip);
  addResidualVectors(m.basis, m.physical, {a, b, -7e3 * a, a - 2.0 * b});
  EXPECT_EQ(m.basis.residualVectors, 2);
  expectOrthonormal(m, 1e-10);
}

TEST(ResidualVectors, CompleteTheBasisAndNoMore) {
  // 8 masses, 6 modes: every remaining direction lies in the plane of the last two modes.
  const AugmentedModel m(kGroundedChain.structure(), {.modes = 6}, {0, 1, 2, 3, 4, 5, 6, 7});
  EXPECT_EQ(m.basis.residualVectors, 2);
  EXPECT_TRUE(m.basis.complete);
  for (int j = 7; j <= 8; ++j)
    EXPECT_NEAR(m.basis.eigenvalue[j - 1], kGroundedChain.eigenvalue(j),
                1e-10 * kGroundedChain.eigenvalue(j));
  EXPECT_NEAR(m.basis.effectiveMass.col(0).sum(), 16.0, 1e-10);  // the whole mass
  EXPECT_FALSE(AugmentedModel(kGroundedChain.structure(), {.modes = 5}, {0, kTip}).basis.complete);
}

TEST(ResidualVectors, OfACompleteBasisAreNone) {
  for (const Chain& chain : {kGroundedChain, kFreeChain}) {
    const AugmentedModel m(chain.structure(), {.all = true}, {0, kTip});
    EXPECT_EQ(m.basis.residualVectors, 0);
    EXPECT_EQ(m.basis.size(), 8);
    EXPECT_EQ(m.basis.masslessResponses, 0);
  }
}

TEST(ResidualVectors, OfNoDirectionAreNone) {
  AugmentedModel m(kGroundedChain.structure(), {.modes = 3});
  addResidualVectors(m.basis, m.physical, {});
  addResidualVectors(m.basis, m.physical, {Vector::Zero(8)});
  EXPECT_EQ(m.basis.size(), 3);
}

/// The grounded chain with a massless node 8 behind its tip, on a spring k / 2 or another spring.
Structure withMasslessTip(double spring = 5e3) {
  Structure s = kGroundedChain.structure();
  s.positions.push_back({8.0, 0.0, 0.0});
  s.elements.emplace_back(test::springBetween(7, 8, {spring, 0.0, 0.0}));
  s.fixed.push_back(dofOf(8, Component::uy));
  s.fixed.push_back(dofOf(8, Component::uz));
  return s;
}

TEST(ResidualVectors, HoldTheSpringOfAMasslessDofWhenTheyMoveMassToo) {
  // The massless node has the rows of the tip, and its own flexibility 2 / k.
  const AugmentedModel m(withMasslessTip(), {.modes = 2}, {8});
  ASSERT_EQ(m.basis.residualVectors, 1);
  EXPECT_EQ(m.basis.masslessResponses, 0);
  for (int node = 0; node <= kTip; ++node)
    EXPECT_NEAR(m.flexibility(node, 8), (node + 1) / 1e4, 1e-12 * 1e-3);
  EXPECT_NEAR(m.flexibility(8, 8), 1e-3, 1e-12 * 1e-3);  // 8 / k + 2 / k
  const double expected =
      (2e-4 + modalSum(kGroundedChain, 3, kTip, kTip)) / modalSum(kGroundedChain, 3, kTip, kTip, 2);
  EXPECT_NEAR(m.basis.eigenvalue[2], expected, 1e-11 * expected);
  expectOrthonormal(m, 1e-10);
}

TEST(ResidualVectors, ThatMoveNoMassAreDroppedAndCounted) {
  // With all modes only the spring of the massless dof is missing, and no mass moves with this spring.
  const AugmentedModel all(withMasslessTip(), {.all = true}, {8, kTip, 3});
  EXPECT_EQ(all.basis.residualVectors, 0);
  EXPECT_EQ(all.basis.masslessResponses, 1);
  EXPECT_NEAR(residualFlexibility(all.basis, all.physical, all.unitForceAt(8)), 2e-4, 1e-12 * 1e-3);

  // Directions of the tip and of the massless node behind the tip: their difference moves no mass, their sum
  // does.
  const AugmentedModel two(withMasslessTip(), {.modes = 2}, {kTip, 8});
  EXPECT_EQ(two.basis.residualVectors, 1);
  EXPECT_EQ(two.basis.masslessResponses, 1);
  expectOrthonormal(two, 1e-10);
}

TEST(ResidualVectors, ThatMoveHardlyAnyMassAreDroppedToo) {
  // Behind a spring of 1/2 N/m, with a single omitted mode: omega^2 = (2 + phi^2 / lambda) / (phi^2 /
  // lambda^2) is far above 1e4 times 2 k / m, the stiffest mass between its springs.
  const double pseudo =
      (2.0 + modalSum(kGroundedChain, 8, kTip, kTip)) / modalSum(kGroundedChain, 8, kTip, kTip, 2);
  ASSERT_GT(pseudo, 1e6 * 1e4);
  const AugmentedModel m(withMasslessTip(0.5), {.modes = 7}, {8});
  EXPECT_EQ(m.basis.residualVectors, 0);
  EXPECT_EQ(m.basis.masslessResponses, 1);
}

TEST(ResidualVectors, NeedEveryRigidBodyMode) {
  const Structure solid = test::Lattice{{3, 2, 2}, {1e3, 3e3, 7e3}, 0.5}.structure();  // three translations
  try {
    const AugmentedModel m(solid, {.modes = 1}, {0});
    FAIL() << "accepted";
  } catch (const BasisError& error) {
    EXPECT_THAT(error.what(), testing::HasSubstr("take 3 modes at least, not 1"));
  }
  EXPECT_EQ(AugmentedModel(solid, {.modes = 3}, {0}).basis.residualVectors, 1);
}

TEST(ResidualVectors, AreDampedAsTheModes) {
  // Dashpots proportional to the springs, C = b K: Phi^t C Phi = b omega^2 on all columns.
  constexpr double b = 2e-4;
  Structure s = kGroundedChain.structure();
  for (int i = 0; i < kGroundedChain.size; ++i)
    s.elements.emplace_back(test::dashpotBetween(i, i - 1, {b * kGroundedChain.stiffness, 0.0, 0.0}));
  AugmentedModel m(s, {.modes = 3}, {2, kTip});
  ASSERT_EQ(m.basis.size(), 5);
  const Matrix expected = b * Matrix(m.basis.eigenvalue.asDiagonal());
  EXPECT_LE((m.basis.damping - expected).cwiseAbs().maxCoeff(), 1e-12 * b * kGroundedChain.bound());
  EXPECT_TRUE(m.basis.isDampingDiagonal());

  AugmentedModel ratio(kGroundedChain.structure(), {.modes = 3}, {2, kTip});
  addModalDamping(ratio.basis, Vector::Constant(5, 0.02));
  EXPECT_LE((ratio.basis.dampingRatio() - Vector::Constant(5, 0.02)).cwiseAbs().maxCoeff(), 1e-15);
}

/// Displacement of the tip of a chain under a force at the tip that grows as t / rise from rest, undamped, at
/// t <= rise: sum of phi^2 / lambda (t - sin(omega t) / omega) / rise.
double ramped(const Vector& row, const Vector& eigenvalue, double t, double rise) {
  double sum = 0.0;
  for (Eigen::Index i = 0; i < row.size(); ++i) {
    const double omega = std::sqrt(eigenvalue[i]);
    sum += row[i] * row[i] / eigenvalue[i] * (t - std::sin(omega * t) / omega) / rise;
  }
  return sum;
}

TEST(ResidualVectors, MakeTheResponseToARampConvergeFaster) {
  const Chain bar{40, 4e4, 0.25, Ends::fixedFree};
  Vector row(40), eigenvalue(40);
  for (int j = 1; j <= 40; ++j) {
    row[j - 1] = shapeOf(bar, j, 39);
    eigenvalue[j - 1] = bar.eigenvalue(j);
  }
  const double rise = 2.0 * std::numbers::pi / std::sqrt(eigenvalue[0]);  // the longest period
  for (const int modes : {2, 4, 8}) {
    const AugmentedModel without(bar.structure(), {.modes = modes + 1});  // the same number of columns
    const AugmentedModel with(bar.structure(), {.modes = modes}, {39});
    ASSERT_EQ(with.basis.size(), without.basis.size());
    // The difference is the free vibration of the omitted modes, at most phi^2 / lambda / (omega rise) each,
    // and of the residual vector.
    const double lacking = modalSum(bar, modes + 1, 39, 39);
    double ringing = lacking / (std::sqrt(with.basis.eigenvalue[modes]) * rise);
    for (int j = modes; j < 40; ++j)
      ringing += row[j] * row[j] / (eigenvalue[j] * std::sqrt(eigenvalue[j]) * rise);
    double largest = 0.0, largestWithout = 0.0;
    for (int k = 0; k <= 200; ++k) {
      const double t = rise * k / 200.0;
      const double exact = ramped(row, eigenvalue, t, rise);
      largest = std::max(largest, std::abs(ramped(with.row(39), with.basis.eigenvalue, t, rise) - exact));
      largestWithout = std::max(largestWithout,
                                std::abs(ramped(without.row(39), without.basis.eigenvalue, t, rise) - exact));
    }
    EXPECT_LE(largest, ringing * (1.0 + 1e-9)) << modes;
    // Without the vector: the flexibility of the modes beyond m + 1, less their free vibration.
    EXPECT_GE(largestWithout, modalSum(bar, modes + 2, 39, 39) - ringing) << modes;
    EXPECT_LT(10.0 * largest, largestWithout) << modes;
    RecordProperty("error with " + std::to_string(modes), std::to_string(largest / largestWithout));
  }
}

}  // namespace
}  // namespace ricochet
