#include "modal/damping.hpp"

#include "modal/eigen_solver.hpp"
#include "verification/support/structures.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <cmath>

namespace ricochet {
namespace {

using test::kEpsilon;

constexpr test::Chain kChain{6, 1e4, 2.0, test::Ends::fixedFixed};

ModalBasis basisOf(const Structure& structure) {
  return extractModes(assembleModel(structure), {.all = true});
}

/// The chain with a dashpot c k_i beside every spring and a dashpot a m beside every mass: C = a M + c K.
Structure proportionallyDamped(double a, double c) {
  Structure s = kChain.structure();
  const int n = kChain.size;
  const Vec3 x{c * kChain.stiffness, 0.0, 0.0};
  for (int i = 1; i < n; ++i) s.elements.emplace_back(test::dashpotBetween(i - 1, i, x));
  s.elements.emplace_back(test::dashpotBetween(0, -1, x));
  s.elements.emplace_back(test::dashpotBetween(n - 1, -1, x));
  for (int i = 0; i < n; ++i)
    s.elements.emplace_back(test::dashpotBetween(i, -1, {a * kChain.mass, 0.0, 0.0}));
  return s;
}

TEST(Damping, NoneWithoutDashpots) {
  const ModalBasis basis = basisOf(kChain.structure());
  EXPECT_EQ(basis.damping, Matrix::Zero(6, 6));
  EXPECT_TRUE(basis.isDampingDiagonal());
  EXPECT_EQ(basis.dampingRatio(), Vector::Zero(6));
}

TEST(Damping, RatioIsGivenBack) {
  ModalBasis basis = basisOf(kChain.structure());
  const Vector ratio = Vector::LinSpaced(6, 0.01, 0.06);
  addModalDamping(basis, ratio);
  for (int i = 0; i < 6; ++i)
    // 2 zeta omega has two roundings; the eigenvalue of a dense solver has n roundings of the largest
    // eigenvalue, 80 times the first.
    EXPECT_NEAR(basis.damping(i, i), 2.0 * ratio[i] * std::sqrt(kChain.eigenvalue(i + 1)),
                6.0 * 80.0 * kEpsilon * basis.damping(i, i));
  EXPECT_LE((basis.dampingRatio() - ratio).cwiseAbs().maxCoeff(), 4.0 * kEpsilon * 0.06);
  EXPECT_TRUE(basis.isDampingDiagonal());
}

TEST(Damping, OfARigidModeIsZeroByRatioAndKeptByRayleigh) {
  ModalBasis basis = basisOf(test::Chain{2, 1e4, 5.0, test::Ends::freeFree}.structure());
  addModalDamping(basis, Vector::Constant(2, 0.05));
  EXPECT_EQ(basis.damping(0, 0), 0.0);
  addRayleighDamping(basis, {.mass = 3.0, .stiffness = 0.1});
  EXPECT_EQ(basis.damping(0, 0), 3.0);
  EXPECT_EQ(basis.dampingRatio()[0], 0.0);  // no damping ratio for a frequency of 0
}

TEST(Damping, RayleighIsTheProjectionOfItsMatrix) {
  constexpr double a = 0.7, b = 1e-3;
  ModalBasis rayleigh = basisOf(kChain.structure());
  addRayleighDamping(rayleigh, {.mass = a, .stiffness = b});
  const ModalBasis projected = basisOf(proportionallyDamped(a, b));
  for (int i = 0; i < 6; ++i) {
    // a + b omega^2; the rounding of Phi^t C Phi is relative to its largest value, a + b bound = 21.
    const double expected = a + b * kChain.eigenvalue(i + 1);
    EXPECT_NEAR(rayleigh.damping(i, i), expected, 40.0 * kEpsilon * 21.0);
    EXPECT_NEAR(projected.damping(i, i), expected, 40.0 * kEpsilon * 21.0);
  }
  EXPECT_TRUE(projected.isDampingDiagonal());
}

TEST(Damping, ContributionsAdd) {
  ModalBasis basis = basisOf(proportionallyDamped(0.7, 1e-3));
  const Matrix dashpots = basis.damping;
  addModalDamping(basis, Vector::Constant(6, 0.01));
  addRayleighDamping(basis, {.mass = 0.5});
  const Matrix added = basis.damping - dashpots;
  const Vector expected = (0.02 * basis.omega()).array() + 0.5;
  EXPECT_LE((added - Matrix(expected.asDiagonal())).cwiseAbs().maxCoeff(), 4.0 * kEpsilon * 24.0);
}

TEST(Damping, LoneDashpotIsARankOneProjection) {
  Structure s = kChain.structure();
  s.elements.emplace_back(test::dashpotBetween(2, -1, {8.0, 0.0, 0.0}));
  const PhysicalModel model = assembleModel(s);
  const ModalBasis basis = extractModes(model, {.all = true});
  const Vector row = basis.shapes.row(model.dofs.find(test::dofOf(2, Component::ux)).value);
  // The rounding of one product differs; 8 phi^2 <= 8 / m = 4.
  EXPECT_LE((basis.damping - 8.0 * row * row.transpose()).cwiseAbs().maxCoeff(), 8.0 * kEpsilon * 4.0);
  // phi_2^2 = 2 / (m (n + 1)) sin^2(3 j pi / 7)
  const double shape = std::pow(std::sin(3.0 * std::numbers::pi / 7.0), 2) * 2.0 / (kChain.mass * 7.0);
  EXPECT_NEAR(basis.damping(0, 0), 8.0 * shape, 100.0 * kEpsilon);
  EXPECT_FALSE(basis.isDampingDiagonal());
}

TEST(Damping, UnsymmetricMatrixStaysUnsymmetric) {
  Structure s;
  s.positions = {Vec3::Zero()};
  Matrix gyroscopic = Matrix::Zero(3, 3);
  gyroscopic(0, 1) = 6.0;
  gyroscopic(1, 0) = -6.0;
  s.elements = {PointMass{NodeIndex{0}, 2.0, {}, Vec3::Zero()}, test::springBetween(0, -1, {1e2, 4e2, 9e2}),
                Dashpot{Connector{{NodeIndex{0}}, gyroscopic, Mat3::Identity()}}};
  const ModalBasis basis = basisOf(s);
  EXPECT_NEAR(basis.damping(0, 1), 3.0, 4.0 * kEpsilon * 3.0);  // 6 / m
  EXPECT_NEAR(basis.damping(1, 0), -3.0, 4.0 * kEpsilon * 3.0);
  EXPECT_FALSE(basis.isDampingDiagonal());
}

TEST(Damping, AWeakCouplingIsSeen) {
  ModalBasis basis;
  basis.eigenvalue = Vector::Ones(2);
  basis.damping = Vector::Ones(2).asDiagonal();
  basis.damping(1, 0) = 1e-10;
  EXPECT_FALSE(basis.isDampingDiagonal());
  basis.damping(1, 0) = 1e-13;  // rounding of sums of 500 terms in different orders
  EXPECT_TRUE(basis.isDampingDiagonal());
}

TEST(Damping, DiagonalityOfALargeBasisIsCheap) {
  constexpr int n = 1000;
  ModalBasis basis;
  basis.eigenvalue = Vector::Ones(n);
  basis.damping = Matrix::Identity(n, n);
  const auto start = std::chrono::steady_clock::now();
  EXPECT_TRUE(basis.isDampingDiagonal());
  // n^2 look-ups take milliseconds; a pass over the matrix for each look-up would take n^4, many minutes.
  EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(20));
}

}  // namespace
}  // namespace ricochet
