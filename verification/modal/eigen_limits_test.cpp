#include "modal/eigen_solver.hpp"
#include "modal/solvers/dense_modes.hpp"
#include "verification/support/structures.hpp"

#include <Eigen/Geometry>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <string>
#include <vector>

namespace ricochet {
namespace {

using test::Chain;
using test::dofOf;
using test::Ends;
using test::kEpsilon;
using test::springBetween;

ModalBasis basisOf(const Structure& structure, const BasisSelection& selection = {.all = true}) {
  return extractModes(assembleModel(structure), selection);
}

/// The chain with a massless node in the middle of every spring, between two springs of twice the stiffness:
/// the finite modes are those of the chain.
Structure withMasslessNodes(const Chain& chain) {
  Structure s = chain.structure();
  std::erase_if(s.elements, [](const AnyElement& e) { return std::holds_alternative<Spring>(e); });
  const Vec3 twice{2.0 * chain.stiffness, 0.0, 0.0};
  const auto join = [&](int first, int second) {
    const int middle = static_cast<int>(s.positions.size());
    s.positions.push_back(Vec3::Zero());
    s.elements.emplace_back(springBetween(middle, first, twice));
    s.elements.emplace_back(springBetween(middle, second, twice));
    for (const Component c : {Component::uy, Component::uz}) s.fixed.push_back(dofOf(middle, c));
  };
  for (int i = 1; i < chain.size; ++i) join(i - 1, i);
  if (chain.ends != Ends::freeFree) join(0, -1);
  if (chain.ends == Ends::fixedFixed) join(chain.size - 1, -1);
  return s;
}

TEST(MasslessDofs, AreCondensedExactly) {
  for (const Ends ends : {Ends::freeFree, Ends::fixedFree, Ends::fixedFixed}) {
    const Chain chain{5, 1e4, 2.0, ends};
    const ModalBasis basis = basisOf(withMasslessNodes(chain));
    ASSERT_EQ(basis.size(), 5);
    EXPECT_TRUE(basis.complete);
    for (int j = 0; j < 5; ++j)
      EXPECT_NEAR(basis.eigenvalue[j], chain.eigenvalue(j + 1), 100.0 * kEpsilon * chain.bound());
    EXPECT_LE(basis.orthogonalityError, 100.0 * kEpsilon);
    EXPECT_EQ(basis.rigidModes, ends == Ends::freeFree ? 1 : 0);
  }
}

TEST(MasslessDofs, AreCondensedExactlyByLanczos) {
  for (const Ends ends : {Ends::freeFree, Ends::fixedFree, Ends::fixedFixed}) {
    const Chain chain{200, 1e4, 2.0, ends};
    const ModalBasis basis = basisOf(withMasslessNodes(chain), {.modes = 12});
    for (int j = 0; j < 12; ++j)
      EXPECT_NEAR(basis.eigenvalue[j], chain.eigenvalue(j + 1), 10.0 * 400.0 * kEpsilon * chain.bound());
    EXPECT_EQ(basis.rigidModes, ends == Ends::freeFree ? 1 : 0);
  }
}

TEST(MasslessDofs, MayOutnumberTheMassesManyTimes) {
  // 20 masses among 200 massless nodes: a Krylov space larger than the rank of M would fail.
  Structure s;
  constexpr int n = 220, every = 11;
  for (int i = 0; i < n; ++i) {
    s.positions.push_back(Vec3::Zero());
    if (i % every == 0) s.elements.emplace_back(PointMass{NodeIndex{i}, 2.0, {}, Vec3::Zero()});
    if (i > 0) s.elements.emplace_back(springBetween(i - 1, i, {11e4, 0.0, 0.0}));
  }
  s.elements.emplace_back(springBetween(0, -1, {1e4, 0.0, 0.0}));
  test::fixAllComponentsExcept(s, Component::ux);
  const Chain chain{20, 1e4, 2.0, Ends::fixedFree};  // eleven springs in series
  for (const int modes : {1, 5, 9, 20}) {
    const ModalBasis basis = basisOf(s, {.modes = modes});
    ASSERT_EQ(basis.size(), modes);
    for (int j = 0; j < modes; ++j)
      EXPECT_NEAR(basis.eigenvalue[j], chain.eigenvalue(j + 1), 10.0 * n * kEpsilon * chain.bound() * every);
  }
  EXPECT_THROW(basisOf(s, {.modes = 21}), BasisError);
}

TEST(MasslessDofs, MovingWithoutStiffnessAreRefused) {
  // A massless node held along a single direction of a plane, at 30 degrees: no row of K is empty.
  for (const int masses : {1, 60}) {
    Structure s = Chain{masses, 1e4, 2.0, Ends::fixedFixed}.structure();
    s.positions.push_back(Vec3::Zero());
    Connector c = Connector::connectorFromDiagonal({NodeIndex{masses}}, Vec3(1000.0, 0.0, 0.0));
    c.axes = Eigen::AngleAxisd(-0.5, Vec3::UnitZ()).toRotationMatrix();
    s.elements.emplace_back(Spring{c});
    s.fixed.push_back(dofOf(masses, Component::uz));
    EXPECT_THROW(basisOf(s, {.modes = 1}), BasisError);
  }
}

TEST(OffsetMass, WithoutInertiaHasThreeModes) {
  // A particle on an arm: six dofs, of which three have inertia; k along x, y, z and kr about these axes at
  // the foot.
  Structure s;
  s.positions = {Vec3::Zero()};
  Vector k(6);
  k << 1e4, 1e4, 1e4, 5e2, 5e2, 5e2;
  s.elements = {PointMass{NodeIndex{0}, 2.0, {}, Vec3(0.5, 0.0, 0.0)},
                Spring{Connector::connectorFromDiagonal({NodeIndex{0}}, k)}};
  const ModalBasis basis = basisOf(s);
  ASSERT_EQ(basis.size(), 3);
  EXPECT_TRUE(basis.complete);
  // Bending: foot and arm in series, 1 / (1/k + e^2 / kr) = 1 / (1e-4 + 5e-4); along the arm k.
  const double bending = 1.0 / 6e-4 / 2.0, along = 1e4 / 2.0;
  EXPECT_NEAR(basis.eigenvalue[0], bending, 100.0 * kEpsilon * along);
  EXPECT_NEAR(basis.eigenvalue[1], bending, 100.0 * kEpsilon * along);
  EXPECT_NEAR(basis.eigenvalue[2], along, 100.0 * kEpsilon * along);
  EXPECT_THROW(basisOf(s, {.modes = 4}), BasisError);
}

TEST(OffsetMass, WithInertiaHasThePhysicalPendulum) {
  // Rotation about z with ux, uy, uz fixed: omega^2 = kr / (J + m e^2).
  Structure s;
  s.positions = {Vec3::Zero()};
  const Mat3 j = Vec3(1.0, 2.0, 3.0).asDiagonal();
  Vector k(6);
  k << 0.0, 0.0, 0.0, 1e9, 1e9, 700.0;
  s.elements = {PointMass{NodeIndex{0}, 2.0, j, Vec3(0.5, 0.0, 0.0)},
                Spring{Connector::connectorFromDiagonal({NodeIndex{0}}, k)}};
  s.fixed = {dofOf(0, Component::ux), dofOf(0, Component::uy), dofOf(0, Component::uz)};
  const ModalBasis basis = basisOf(s);
  ASSERT_EQ(basis.size(), 3);
  EXPECT_NEAR(basis.eigenvalue[0], 200.0, 10.0 * kEpsilon * 200.0);
}

TEST(MassMatrixOfABody, MustNotBeNegative) {
  Structure s = Chain{3, 1e4, 2.0, Ends::fixedFixed}.structure();
  s.elements.emplace_back(PointMass{NodeIndex{1}, -5.0, {}, Vec3::Zero()});
  EXPECT_THROW(basisOf(s), BasisError);
}

TEST(Conditioning, SoftModeOfAGroundedPairWithAStiffLink) {
  // 1e-3 N/m to the ground, 1e9 N/m between the masses of 1 kg each. The stored sum 1e9 + 1e-3 has the
  // rounding 1.2e-7, so that the accuracy of the soft eigenvalue, 1e-3 / 2, is at best 1.2e-7 / 1e-3.
  Structure s = Chain{2, 1e9, 1.0, Ends::freeFree}.structure();
  s.elements.emplace_back(springBetween(0, -1, {1e-3, 0.0, 0.0}));
  const ModalBasis basis = basisOf(s);
  EXPECT_EQ(basis.rigidModes, 0);
  EXPECT_NEAR(basis.eigenvalue[0], 5e-4, 2.0 * 1.2e-7);
  EXPECT_NEAR(basis.eigenvalue[1], 2e9, 1.0);
}

TEST(Conditioning, SoftAndStiffOscillatorsSideBySide) {
  // Separate oscillators from 1e-3 to 1e9 N/m, 1 kg each: K has no rounding errors, so the solver must not
  // add any.
  for (const int copies : {1, 20}) {  // dense and Lanczos
    Structure s;
    for (int i = 0; i < 5 * copies; ++i) {
      s.positions.push_back(Vec3::Zero());
      s.elements.emplace_back(PointMass{NodeIndex{i}, 1.0, {}, Vec3::Zero()});
      s.elements.emplace_back(springBetween(i, -1, {std::pow(10.0, 3 * (i % 5) - 3), 0.0, 0.0}));
    }
    test::fixAllComponentsExcept(s, Component::ux);
    const ModalBasis basis = basisOf(s, {.modes = 2 * copies});
    EXPECT_EQ(basis.rigidModes, 0);
    EXPECT_NEAR(basis.eigenvalue[0], 1e-3, 1e-3 * 100.0 * kEpsilon);
    EXPECT_NEAR(basis.eigenvalue[2 * copies - 1], 1.0, 100.0 * kEpsilon);
  }
}

TEST(Conditioning, FreeSoftPairBesideAStiffOne) {
  // k = 1e-3 and 1e9 N/m, 1 kg masses, all free: two rigid modes, 2e-3 and 2e9. The ratio 1e12 is above
  // rounding.
  Structure s = Chain{4, 1.0, 1.0, Ends::freeFree}.structure();
  std::erase_if(s.elements, [](const AnyElement& e) { return std::holds_alternative<Spring>(e); });
  s.elements.emplace_back(springBetween(0, 1, {1e-3, 0.0, 0.0}));
  s.elements.emplace_back(springBetween(2, 3, {1e9, 0.0, 0.0}));
  const ModalBasis basis = basisOf(s);
  EXPECT_EQ(basis.rigidModes, 2);
  // Within its pair the soft mode is exact; the refined shift is 2e-3, with an error of 1e9 eps from the
  // stiff pair.
  EXPECT_NEAR(basis.eigenvalue[2], 2e-3, 1e-6);
  EXPECT_NEAR(basis.eigenvalue[3], 2e9, 2e9 * 100.0 * kEpsilon);
}

TEST(Conditioning, TinyMassOnAStiffSpringDoesNotBlurAFreeChain) {
  // A particle of one gram at 1e9 N/m moves the automatic shift to -1e9 rad^2/s^2, far beyond all computed
  // modes.
  const Chain chain{120, 1e2, 1.0, Ends::freeFree};
  Structure s = chain.structure();
  s.positions.push_back(Vec3::Zero());
  s.elements.emplace_back(PointMass{NodeIndex{120}, 1e-6, {}, Vec3::Zero()});
  s.elements.emplace_back(springBetween(120, -1, {1e9, 0.0, 0.0}));
  for (const Component c : {Component::uy, Component::uz}) s.fixed.push_back(dofOf(120, c));
  const ModalBasis basis = basisOf(s, {.modes = 10});
  EXPECT_EQ(basis.rigidModes, 1);
  for (int j = 0; j < 10; ++j)
    EXPECT_NEAR(basis.eigenvalue[j], chain.eigenvalue(j + 1), 1200.0 * kEpsilon * chain.bound());
}

TEST(Conditioning, LongFreeChainsLowestElasticModeIsNotRigid) {
  // (pi / n)^2 / 4 of the largest eigenvalue: 2.5e-7 for 1000 masses.
  const Chain chain{1000, 1e9, 1e-3, Ends::freeFree};
  const ModalBasis basis = basisOf(chain.structure(), {.modes = 4});
  EXPECT_EQ(basis.rigidModes, 1);
  for (int j = 1; j < 4; ++j)
    EXPECT_NEAR(basis.eigenvalue[j], chain.eigenvalue(j + 1), 1000.0 * kEpsilon * chain.bound());
}

/// A mass on a spring along x.
Structure oscillator(double mass, double stiffness) {
  Structure s = Chain{1, stiffness, mass, Ends::fixedFree}.structure();
  return s;
}

TEST(BasisLimits, NumbersThatOverflowAreRefusedAtTheirDof) {
  const auto faultOf = [](const Structure& structure) -> std::string {
    try {
      basisOf(structure);
    } catch (const BasisError& error) {
      EXPECT_TRUE(error.dof().has_value());
      return error.what();
    }
    return "none";
  };
  EXPECT_THAT(faultOf(oscillator(1e-308, 100.0)), testing::HasSubstr("a mass of 1e-308"));
  EXPECT_THAT(faultOf(oscillator(1.0, 1e300)), testing::HasSubstr("a stiffness of 1e+300"));
  EXPECT_THAT(faultOf(oscillator(1e-60, 1e90)), testing::HasSubstr("a ratio of stiffness to mass of 1e+150"));
  EXPECT_NEAR(basisOf(oscillator(1e-30, 1e10)).eigenvalue[0] / 1e40, 1.0, 1e-12);
}

TEST(BasisLimits, DampingThatOverflowsIsRefused) {
  PhysicalModel model = assembleModel(oscillator(1e-100, 1.0));
  model.damping = 1e300 * model.mass / 1e-100;
  EXPECT_THROW(extractModes(model, {.all = true}), BasisError);
}

TEST(BasisLimits, AStructureWithoutMassIsToldSo) {
  PhysicalModel model = assembleModel(oscillator(1.0, 100.0));
  model.mass *= 0.0;
  model.mass.prune(0.0);
  try {
    extractModes(model, {.all = true});
    FAIL() << "no mass, and no error";
  } catch (const BasisError& error) {
    EXPECT_THAT(error.what(), testing::HasSubstr("nothing that moves has a mass"));
  }
}

/// The consistent mass of n x n x n linear bricks for one component: [2 1; 1 2]/6 in each direction. Its
/// scaled eigenvalues are about (2 + cos)^3 / 27, at least 1/27.
SparseMatrix massOfBricks(int n) {
  const auto line = [n](int i, int j) {
    if (i == j) return i == 0 || i == n ? 2.0 / 6.0 : 4.0 / 6.0;
    return std::abs(i - j) == 1 ? 1.0 / 6.0 : 0.0;
  };
  const int side = n + 1;
  std::vector<Eigen::Triplet<double>> entries;
  for (int row = 0; row < side * side * side; ++row)
    for (int step = 0; step < 27; ++step) {
      const std::array<int, 3> at{row % side, row / side % side, row / side / side};
      const std::array<int, 3> to{at[0] + step % 3 - 1, at[1] + step / 3 % 3 - 1, at[2] + step / 9 - 1};
      if (std::any_of(to.begin(), to.end(), [&](int c) { return c < 0 || c > n; })) continue;
      entries.emplace_back(row, to[0] + side * (to[1] + side * to[2]),
                           line(at[0], to[0]) * line(at[1], to[1]) * line(at[2], to[2]));
    }
  SparseMatrix mass(side * side * side, side * side * side);
  mass.setFromTriplets(entries.begin(), entries.end());
  return mass;
}

TEST(MassRank, OfAContinuumSeesASingleMotion) {
  const SparseMatrix mass = massOfBricks(10);
  EXPECT_EQ(rankOfMassMatrix(mass), mass.rows());
  // M - s (M e)(M e)^t / e^t M e: the motion e loses the fraction s of its mass, all other motions keep their
  // mass.
  SparseMatrix motion(mass.rows(), 1);
  motion.insert(700, 0) = 1.0;
  motion.insert(701, 0) = -0.5;
  const SparseMatrix momentum = mass * motion;
  const double whole = SparseMatrix(motion.transpose() * momentum).coeff(0, 0);
  const SparseMatrix part = momentum * SparseMatrix(momentum.transpose());
  EXPECT_EQ(rankOfMassMatrix(mass - 0.9 / whole * part), mass.rows());
  EXPECT_EQ(rankOfMassMatrix(mass - 1.0 / whole * part), mass.rows() - 1);
  EXPECT_THROW(rankOfMassMatrix(mass - 1.01 / whole * part), BasisError);
}

}  // namespace
}  // namespace ricochet
