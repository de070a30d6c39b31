#include "physical/elements/elements.hpp"

#include "physical/dense_solvers.hpp"
#include "verification/support/structures.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <set>
#include <variant>
#include <vector>

namespace ricochet {
namespace {

using test::kEpsilon;

Mat3 cross(const Vec3& a) {
  Mat3 m;
  m << 0.0, -a.z(), a.y(), a.z(), 0.0, -a.x(), -a.y(), a.x(), 0.0;
  return m;
}

/// Rotation of 0.9 rad about (1, 2, 3): no zero and no symmetry in its matrix.
Mat3 rotation() { return Eigen::AngleAxisd(0.9, Vec3(1.0, 2.0, 3.0).normalized()).toRotationMatrix(); }

Mat3 inertia() { return rotation().transpose() * Vec3(2.0, 3.0, 4.0).asDiagonal() * rotation(); }

Connector rotatedConnector(Connector connector) {
  connector.axes = rotation();
  return connector;
}

/// One element of each kind in each of its forms; every alternative of AnyElement must be among them.
std::vector<AnyElement> exampleElements() {
  const std::vector<NodeIndex> one{NodeIndex{0}}, two{NodeIndex{0}, NodeIndex{1}};
  const Vector three = Vec3(1e4, 2e4, 3e4);
  Vector six(6);
  six << 1e4, 2e4, 3e4, 10.0, 20.0, 30.0;
  std::vector<AnyElement> all{PointMass{NodeIndex{0}, 2.0, {}, Vec3::Zero()},
                              PointMass{NodeIndex{0}, 2.0, inertia(), Vec3(0.1, -0.2, 0.3)},
                              PointMass{NodeIndex{0}, 2.0, {}, Vec3(0.1, -0.2, 0.3)},
                              MassMatrix{NodeIndex{0}, inertia()}};
  for (const auto& nodes : {one, two})
    for (const Vector& coefficients : {three, six}) {
      const Connector straight = Connector::connectorFromDiagonal(nodes, coefficients);
      for (const Connector& c : {straight, rotatedConnector(straight)}) {
        all.emplace_back(Spring{c});
        all.emplace_back(Dashpot{c});
      }
    }
  Beam beam;
  beam.first = two[0];
  beam.second = two[1];
  beam.span = Vec3(1.0, 2.0, -2.0);
  beam.axes = *localAxesOfBeam(beam.span);
  beam.material = {2.0e11, 0.3, 7800.0};
  beam.section = sectionConstants(TubeSection{0.1, 0.02}, 0.3);
  all.emplace_back(beam);
  return all;
}

void expectSymmetricAndPositive(const ElementMatrix& matrix, std::size_t dofs) {
  ASSERT_EQ(matrix.rows(), static_cast<Eigen::Index>(dofs));
  ASSERT_EQ(matrix.cols(), matrix.rows());
  // Products of at most two rotations: about twelve roundings of the largest term.
  const double tolerance = 20.0 * kEpsilon * matrix.cwiseAbs().maxCoeff();
  EXPECT_LE((matrix - matrix.transpose()).cwiseAbs().maxCoeff(), tolerance);
  const Eigen::SelfAdjointEigenSolver<Matrix> solver{Matrix(matrix), Eigen::EigenvaluesOnly};
  EXPECT_GE(solver.eigenvalues().minCoeff(), -20.0 * tolerance);
  EXPECT_GT(solver.eigenvalues().maxCoeff(), 0.0);
}

TEST(Elements, SamplesCoverEveryKind) {
  std::set<std::size_t> kinds;
  for (const AnyElement& any : exampleElements()) kinds.insert(any.index());
  EXPECT_EQ(kinds.size(), std::variant_size_v<AnyElement>);
}

TEST(Elements, MatricesAreSymmetricPositiveAndOfTheSizeOfTheirDofs) {
  for (const AnyElement& any : exampleElements())
    std::visit(
        []<Element E>(const E& e) {
          if constexpr (HasMass<E>) expectSymmetricAndPositive(e.mass(), e.dofs().size());
          if constexpr (HasDamping<E>) expectSymmetricAndPositive(e.damping(), e.dofs().size());
          if constexpr (HasStiffness<E>) expectSymmetricAndPositive(e.stiffness(), e.dofs().size());
        },
        any);
}

TEST(Elements, DofsAreDistinctAndOfTheirNodes) {
  for (const AnyElement& any : exampleElements()) {
    ElementDofs dofs = std::visit([](const auto& e) { return e.dofs(); }, any);
    for (const Dof dof : dofs) EXPECT_TRUE(dof.node.value == 0 || dof.node.value == 1);
    std::sort(dofs.begin(), dofs.end());
    EXPECT_EQ(std::adjacent_find(dofs.begin(), dofs.end()), dofs.end());
  }
}

TEST(Elements, TranslatingTwoNodesTogetherMakesNoForce) {
  for (const AnyElement& any : exampleElements()) {
    const auto* spring = std::get_if<Spring>(&any);
    if (spring == nullptr || spring->connector.nodes.size() == 1) continue;
    const ElementMatrix k = spring->stiffness();
    Vector u = Vector::Zero(k.rows());
    u.head<3>() = u.segment<3>(k.rows() / 2) = Vec3(0.3, -0.7, 0.11);
    // The two blocks are products of the same numbers in the same order; rounding of at most three terms.
    EXPECT_LE((k * u).cwiseAbs().maxCoeff(), 10.0 * kEpsilon * k.cwiseAbs().maxCoeff());
  }
}

TEST(PointMass, WithoutInertiaHasTranslationsOnly) {
  const PointMass mass{NodeIndex{4}, 2.5, {}, Vec3::Zero()};
  EXPECT_EQ(mass.dofs().size(), 3U);
  EXPECT_EQ(mass.dofs().back(), test::dofOf(4, Component::uz));
  EXPECT_EQ(Matrix(mass.mass()), Matrix(2.5 * Mat3::Identity()));
}

TEST(PointMass, OffsetAloneGivesRotations) {
  // A particle of 2 kg at 0.5 m along x: inertia m e^2 about y and z, none about x.
  const ElementMatrix m = PointMass{NodeIndex{0}, 2.0, {}, Vec3(0.5, 0.0, 0.0)}.mass();
  ASSERT_EQ(m.rows(), 6);
  EXPECT_EQ(Matrix(m.bottomRightCorner<3, 3>()), Matrix(Vec3(0.0, 0.5, 0.5).asDiagonal()));
  // Rotation about z moves the particle along +y: momentum m e; rotation about y moves it along -z.
  EXPECT_EQ(m(1, 5), 1.0);
  EXPECT_EQ(m(2, 4), -1.0);
}

TEST(PointMass, HasTheKineticEnergyOfARigidBody) {
  std::mt19937 random(7);
  std::uniform_real_distribution<double> uniform(-1.0, 1.0);
  const auto draw = [&] { return Vec3(uniform(random), uniform(random), uniform(random)); };
  for (int trial = 0; trial < 20; ++trial) {
    const PointMass body{NodeIndex{0}, 1.0 + std::abs(uniform(random)), inertia(), draw()};
    const Vec3 velocity = draw(), spin = draw();
    // Velocity of the centre of gravity by Eigen's cross product, which is independent of the matrix of the
    // element.
    const Vec3 ofGravity = velocity + spin.cross(body.offset);
    const double energy = 0.5 * body.value * ofGravity.squaredNorm() + 0.5 * spin.dot(inertia() * spin);
    Vector motion(6);
    motion << velocity, spin;
    // Rounding of sums of 36 terms below 10 J.
    EXPECT_NEAR(0.5 * motion.dot(body.mass() * motion), energy, 36.0 * 10.0 * kEpsilon);
  }
}

TEST(PointMass, EqualsParticlesRigidlyHeld) {
  // Four particles: their mass matrix is the sum of m [I; E] [I, -E]; the body has their total mass, centre
  // and inertia.
  const std::vector<Vec3> places{{0.1, 0.2, 0.3}, {-0.4, 0.1, 0.2}, {0.5, -0.3, 0.1}, {0.2, 0.2, -0.6}};
  const double each = 0.5;
  Matrix sum = Matrix::Zero(6, 6);
  Vec3 centre = Vec3::Zero();
  for (const Vec3& p : places) {
    Matrix velocity(3, 6);  // velocity of the particle from the motion of the node
    velocity << Mat3::Identity(), -cross(p);
    sum += each * velocity.transpose() * velocity;
    centre += p / 4.0;
  }
  Mat3 j = Mat3::Zero();
  for (const Vec3& p : places) j -= each * cross(p - centre) * cross(p - centre);
  const ElementMatrix m = PointMass{NodeIndex{0}, 4.0 * each, j, centre}.mass();
  // About twelve roundings of terms below 2.
  EXPECT_LE((Matrix(m) - sum).cwiseAbs().maxCoeff(), 24.0 * kEpsilon);
}

TEST(Connector, DiagonalBetweenTwoNodesIsEqualAndOpposite) {
  Matrix expected(6, 6);
  const Mat3 d = Vec3(1.0, 2.0, 3.0).asDiagonal();
  expected << d, -d, -d, d;
  EXPECT_EQ(Matrix(test::springBetween(0, 1, {1.0, 2.0, 3.0}).stiffness()), expected);
  EXPECT_EQ(Matrix(test::springBetween(0, -1, {1.0, 2.0, 3.0}).stiffness()), Matrix(d));
}

TEST(Connector, DiagonalWithRotationsActsOnSixComponents) {
  Vector coefficients(6);
  coefficients << 1.0, 2.0, 3.0, 4.0, 5.0, 6.0;
  const Spring spring{Connector::connectorFromDiagonal({NodeIndex{3}, NodeIndex{8}}, coefficients)};
  ASSERT_EQ(spring.dofs().size(), 12U);
  EXPECT_EQ(spring.dofs()[6], test::dofOf(8, Component::ux));
  Vector twist = Vector::Zero(12);
  twist[11] = 1.0;  // rz of the second node
  Vector moments = Vector::Zero(12);
  moments[5] = -6.0;
  moments[11] = 6.0;
  EXPECT_EQ(Vector(spring.stiffness() * twist), moments);
}

TEST(Connector, SpringAlongADiagonalIsATrussBar) {
  // A bar k along (1, 1, 0): K = k n n^t.
  Connector bar = Connector::connectorFromDiagonal({NodeIndex{0}, NodeIndex{1}}, Vec3(1000.0, 0.0, 0.0));
  bar.axes =
      Eigen::AngleAxisd(-std::numbers::pi / 4.0, Vec3::UnitZ()).toRotationMatrix();  // rows: local axes
  const ElementMatrix k = Spring{bar}.stiffness();
  Matrix block = Matrix::Zero(3, 3);
  block.topLeftCorner(2, 2).setConstant(500.0);
  Matrix expected(6, 6);
  expected << block, -block, -block, block;
  // cos 45 squared: four roundings of 1000.
  EXPECT_LE((Matrix(k) - expected).cwiseAbs().maxCoeff(), 4.0 * kEpsilon * 1000.0);
}

TEST(Connector, LocalAxesAreTheRows) {
  // Local x is global y: the element is stiff along y.
  Connector c = Connector::connectorFromDiagonal({NodeIndex{0}}, Vec3(7.0, 0.0, 0.0));
  c.axes << 0.0, 1.0, 0.0, 0.0, 0.0, 1.0, 1.0, 0.0, 0.0;
  EXPECT_EQ(Matrix(Spring{c}.stiffness()), Matrix(Vec3(0.0, 7.0, 0.0).asDiagonal()));
}

TEST(Connector, TurnedFullMatrixIsTheTurnedTensor) {
  Matrix local(6, 6);
  for (int i = 0; i < 6; ++i)
    for (int j = 0; j < 6; ++j) local(i, j) = 1.0 + i + 10.0 * j;  // unsymmetric on purpose
  const Mat3 r = rotation();
  const Dashpot dashpot{Connector{{NodeIndex{0}}, local, r}};
  const ElementMatrix c = dashpot.damping();
  for (int a = 0; a < 6; a += 3)
    for (int b = 0; b < 6; b += 3) {
      const Mat3 expected = r.transpose() * local.block<3, 3>(a, b) * r;
      // Rounding of nine products of terms below 56.
      EXPECT_LE((Mat3(c.block<3, 3>(a, b)) - expected).cwiseAbs().maxCoeff(), 9.0 * 56.0 * 4.0 * kEpsilon);
    }
}

TEST(Connector, UnsymmetricDashpotIsKept) {
  Matrix gyroscopic = Matrix::Zero(3, 3);
  gyroscopic(0, 1) = 5.0;
  gyroscopic(1, 0) = -5.0;
  EXPECT_EQ(Matrix(Dashpot{Connector{{NodeIndex{0}}, gyroscopic, Mat3::Identity()}}.damping()), gyroscopic);
}

TEST(MassMatrix, IsKeptAsGiven) {
  Matrix full(6, 6);
  for (int i = 0; i < 6; ++i)
    for (int j = 0; j < 6; ++j) full(i, j) = i == j ? 10.0 : 1.0 / (1.0 + i + j);
  const MassMatrix mass{NodeIndex{2}, full};
  EXPECT_EQ(Matrix(mass.mass()), full);
  EXPECT_EQ(mass.dofs().size(), 6U);
  EXPECT_EQ(mass.dofs()[3], test::dofOf(2, Component::rx));
}

}  // namespace
}  // namespace ricochet
