// Impulses of several contacts: closed forms, redundant contacts, all combinations of states.

#include "engine/contact/impulse/impulse_solver.hpp"

#include "physical/dense_solvers.hpp"
#include "verification/support/allocation_counter.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <random>
#include <vector>

namespace ricochet {
namespace {

/// Contacts of bodies with velocities v in coordinates of mass 1: rates B v, rows normal, e2, e3.
struct Bodies {
  Matrix rows;
  Vector velocity;

  Eigen::Index contacts() const { return rows.rows() / 3; }
  Vector after(const Vector& impulses) const { return velocity + rows.transpose() * impulses; }
};

ImpulseProblem problemOf(const Bodies& bodies, const Vector& coefficients, const Vector& targets) {
  const auto count = static_cast<int>(bodies.contacts());
  ImpulseProblem problem(count);
  const Vector rates = bodies.rows * bodies.velocity;
  for (int i = 0; i < count; ++i) {
    ImpulseBlock& block = problem.addBlock();
    block.contact = i;
    block.tangent = TangentRule::disc;
    block.coefficient = coefficients[i];
    block.target = targets[i];
    block.rounding = 1e-15;
    block.rate = {rates[3 * i], rates[3 * i + 1], rates[3 * i + 2]};
  }
  const Matrix w = bodies.rows * bodies.rows.transpose();
  for (int i = 0; i < 3 * count; ++i)
    for (int j = 0; j < 3 * count; ++j) {
      const auto a = static_cast<std::size_t>(i), b = static_cast<std::size_t>(j);
      problem.compliance(a / 3, a % 3, b / 3, b % 3) = w(i, j);
    }
  return problem;
}

Vector impulsesOf(const ImpulseProblem& problem) {
  Vector x(static_cast<Eigen::Index>(3 * problem.size()));
  Eigen::Index k = 0;
  for (const ImpulseBlock& block : problem.blocks())
    for (const double each : block.impulse) x[k++] = each;
  return x;
}

ImpulseResult solve(ImpulseProblem& problem) {
  ImpulseSolver solver(static_cast<int>(problem.size()));
  return solver.solve(problem, 1.0);
}

/// Largest violation of the inequalities of the laws by the velocities after the impulses; 0 for a solution.
double violation(const Bodies& bodies, const Vector& coefficients, const Vector& targets, const Vector& x) {
  const Vector y = bodies.rows * bodies.after(x);
  const double scale = std::max(1.0, x.cwiseAbs().maxCoeff());
  double worst = 0.0;
  for (Eigen::Index i = 0; i < bodies.contacts(); ++i) {
    const double excess = y[3 * i] - targets[i], normal = x[3 * i];
    const Eigen::Vector2d slip = y.segment<2>(3 * i + 1), friction = x.segment<2>(3 * i + 1);
    const double limit = coefficients[i] * normal;
    worst = std::max({worst, -normal, -excess, std::min(normal, excess), friction.norm() - limit});
    // Maximal dissipation: |friction + limit e| |slip| = 0 with e = slip/|slip|, slip.friction = -limit
    // |slip|.
    worst = std::max(worst, std::abs(slip.dot(friction) + limit * slip.norm()) / std::max(1.0, scale));
  }
  return worst / scale;
}

Vector constant(Eigen::Index size, double value) { return Vector::Constant(size, value); }

/// A point of mass m.
Bodies pointMass(double mass, const Eigen::Vector3d& velocity) {
  return {Matrix::Identity(3, 3) / std::sqrt(mass), std::sqrt(mass) * velocity};
}

TEST(ImpulseSolver, StopsAndSlidesAPointMass) {
  // 2 kg at -1 m/s along the normal, (3, 4) m/s along the tangents: 2 N s, and mu 2 N s against the slip.
  for (const double mu : {0.0, 0.5, 4.0}) {
    const Bodies body = pointMass(2.0, {-1.0, 3.0, 4.0});
    ImpulseProblem problem = problemOf(body, constant(1, mu), constant(1, 0.0));
    ASSERT_TRUE(solve(problem).isSolved());
    const ImpulseBlock& block = problem.blocks()[0];
    EXPECT_NEAR(block.impulse[0], 2.0, 1e-15);
    EXPECT_NEAR(block.impulse[1], -2.0 * mu * 0.6, 1e-14);
    EXPECT_NEAR(block.impulse[2], -2.0 * mu * 0.8, 1e-14);
    EXPECT_NEAR(block.rate[1], (5.0 - mu) * 0.6, 1e-14);
    EXPECT_TRUE(block.slides);
  }
  const Bodies body = pointMass(2.0, {-1.0, 0.3, 0.4});
  ImpulseProblem problem = problemOf(body, constant(1, 0.6), constant(1, 0.8));  // rebounds at 0.8 m/s
  ASSERT_TRUE(solve(problem).isSolved());
  EXPECT_FALSE(problem.blocks()[0].slides);
  EXPECT_NEAR(problem.blocks()[0].impulse[0], 3.6, 1e-14);
  EXPECT_NEAR(problem.blocks()[0].impulse[1], -0.6, 1e-14);
}

TEST(ImpulseSolver, SolvesNormalAndTangentsOfASteepRodTogether) {
  // A rod of 1 kg, 2 m long, at 50 degrees, its tip at r = (-cos 50, -sin 50) from its centre, J = 1/3: W_nn
  // = 1 + r_x^2/J, W_tt = 1 + r_y^2/J, W_nt = -r_x r_y/J.
  constexpr double kAngle = 50.0 * 3.14159265358979323846 / 180.0;
  const double x = -std::cos(kAngle), y = -std::sin(kAngle);
  const double nn = 1.0 + 3.0 * x * x, tt = 1.0 + 3.0 * y * y, nt = -3.0 * x * y;
  Matrix rows = Matrix::Zero(3, 3);  // velocities of the centre, and sqrt(J) times the rotation
  rows.row(0) << 0.0, 1.0, x * std::sqrt(3.0);
  rows.row(1) << 1.0, 0.0, -y * std::sqrt(3.0);
  for (const double mu : {0.3, 1.8}) {
    const Bodies rod{rows, Vector{{1.0, -0.1, 0.0}}};
    ImpulseProblem problem = problemOf(rod, constant(1, mu), constant(1, 0.0));
    ASSERT_TRUE(solve(problem).isSolved());
    // The contact slips along +e2 if the impulse does not stop the slip, else it sticks.
    double normal = 0.1 / (nn - mu * nt), tangential = -mu * normal;
    if (1.0 + nt * normal + tt * tangential < 0.0 || normal < 0.0) {
      const double determinant = nn * tt - nt * nt;
      normal = (0.1 * tt + nt * 1.0) / determinant;
      tangential = (-nn - nt * 0.1) / determinant;
    }
    EXPECT_NEAR(problem.blocks()[0].impulse[0], normal, 1e-13 * std::abs(normal)) << mu;
    EXPECT_NEAR(problem.blocks()[0].impulse[1], tangential, 1e-13 * std::abs(normal)) << mu;
  }
}

/// A flat box of mass 1 and inertias 1 on feet, under an impulse -1 at `load`.
Bodies boxOnFeet(const std::vector<Eigen::Vector2d>& feet, const Eigen::Vector2d& load) {
  Bodies box{Matrix::Zero(static_cast<Eigen::Index>(3 * feet.size()), 3),
             Vector{{-1.0, -load.x(), -load.y()}}};
  for (std::size_t i = 0; i < feet.size(); ++i)
    box.rows.row(static_cast<Eigen::Index>(3 * i)) << 1.0, feet[i].x(), feet[i].y();
  return box;
}

TEST(ImpulseSolver, SharesALoadOverFourFeetByLeastNorm) {
  // The least reactions are linear in the coordinates, (1 + e_x x/a^2 + e_y y/b^2)/4, if all are positive.
  const double a = 0.3, b = 0.2;
  const std::vector<Eigen::Vector2d> feet{{a, b}, {a, -b}, {-a, b}, {-a, -b}};
  for (const Eigen::Vector2d& load : {Eigen::Vector2d{0.0, 0.0}, Eigen::Vector2d{0.1, -0.05}}) {
    ImpulseProblem problem = problemOf(boxOnFeet(feet, load), constant(4, 0.0), constant(4, 0.0));
    const ImpulseResult result = solve(problem);
    ASSERT_TRUE(result.isSolved());
    EXPECT_FALSE(result.isUnique);
    for (std::size_t i = 0; i < 4; ++i)
      EXPECT_NEAR(problem.blocks()[i].impulse[0],
                  0.25 * (1.0 + load.x() * feet[i].x() / (a * a) + load.y() * feet[i].y() / (b * b)), 1e-13);
  }
  // Near a corner three feet carry the load: 0.8, 0.1 and 0.1.
  ImpulseProblem problem = problemOf(boxOnFeet(feet, {0.8 * a, 0.8 * b}), constant(4, 0.0), constant(4, 0.0));
  ASSERT_TRUE(solve(problem).isSolved());
  const std::array expected{0.8, 0.1, 0.1, 0.0};
  for (std::size_t i = 0; i < 4; ++i) EXPECT_NEAR(problem.blocks()[i].impulse[0], expected[i], 1e-12);
}

TEST(ImpulseSolver, DoesNotLetRoundingChooseTheFeetThatPress) {
  const std::vector<Eigen::Vector2d> feet{{1.0, 1.0}, {1.0, -1.0}, {-1.0, 1.0}, {-1.0, -1.0}};
  ImpulseProblem problem = problemOf(boxOnFeet(feet, {0.0, 0.0}), constant(4, 0.0), constant(4, 0.0));
  const std::array wrong{3e-10, -2e-10, -4e-10, 1e-10};
  for (std::size_t i = 0; i < 4; ++i) {
    problem.blocks()[i].rate[0] += wrong[i];
    problem.blocks()[i].rounding = 1e-9;
  }
  ASSERT_TRUE(solve(problem).isSolved());
  for (const ImpulseBlock& block : problem.blocks()) EXPECT_NEAR(block.impulse[0], 0.25, 1e-9);
}

TEST(ImpulseSolver, SaysThatTwoWallsCannotBothThrowBack) {
  const Bodies body{Vector{{1.0, 0.0, 0.0, -1.0, 0.0, 0.0}}, constant(1, 0.5)};
  ImpulseProblem problem = problemOf(body, constant(2, 0.0), constant(2, 1.0));
  const ImpulseResult result = solve(problem);
  EXPECT_EQ(result.status, ImpulseStatus::noSolution);
  EXPECT_GE(result.troubled, 0);
  // An impulse of 0.5 N s suffices if the walls do not throw the body back.
  problem = problemOf(body, constant(2, 0.0), constant(2, 0.0));
  ASSERT_TRUE(solve(problem).isSolved());
  EXPECT_NEAR(problem.blocks()[1].impulse[0], 0.5, 1e-15);
  EXPECT_EQ(problem.blocks()[0].impulse[0], 0.0);
}

TEST(ImpulseSolver, KeepsTheDirectionOfAKnownSlip) {
  // Reaction of a contact that slides along +e2: N (W_nn - mu W_nt) = -a_n; no solution for mu W_nt > W_nn.
  const double nn = 2.0, nt = 1.5;
  for (const double mu : {0.5, 1.5}) {
    ImpulseProblem problem(1);
    ImpulseBlock& block = problem.addBlock();
    block.tangent = TangentRule::sliding;
    block.direction = {1.0, 0.0};
    block.coefficient = mu;
    block.rate = {-3.0, 0.2, 0.0};
    problem.compliance(0, 0, 0, 0) = nn;
    problem.compliance(0, 0, 0, 1) = problem.compliance(0, 1, 0, 0) = nt;
    problem.compliance(0, 1, 0, 1) = 4.0;
    const ImpulseResult result = solve(problem);
    if (mu * nt > nn) {
      EXPECT_EQ(result.status, ImpulseStatus::noSolution);  // Painleve
      continue;
    }
    ASSERT_TRUE(result.isSolved());
    EXPECT_NEAR(block.impulse[0], 3.0 / (nn - mu * nt), 1e-14);
    EXPECT_NEAR(block.impulse[1], -mu * block.impulse[0], 1e-15);
  }
}

TEST(ImpulseSolver, LimitsFrictionByWhatPressedBefore) {
  // 1 kg that separates at 1 m/s and slides at 2 m/s: mu times the earlier 3 N s brake the slip.
  ImpulseProblem problem = problemOf(pointMass(1.0, {1.0, 2.0, 0.0}), constant(1, 0.2), constant(1, 0.0));
  problem.blocks()[0].pressed = 3.0;
  ASSERT_TRUE(solve(problem).isSolved());
  EXPECT_EQ(problem.blocks()[0].impulse[0], 0.0);
  EXPECT_NEAR(problem.blocks()[0].impulse[1], -0.6, 1e-15);
}

// ---- every combination of states, friction along a line ----

struct PlanarCase {
  Bodies bodies;
  Vector coefficients, targets;
};

/// A planar rigid body with contacts at random positions, normals within a radian of the inward direction.
PlanarCase randomCase(std::mt19937& random, Eigen::Index contacts, bool rebounds, bool onFloor) {
  const auto between = [&](double low, double high) {
    return std::uniform_real_distribution(low, high)(random);
  };
  PlanarCase c{{Matrix::Zero(3 * contacts, 3), Vector(3)}, Vector(contacts), Vector::Zero(contacts)};
  for (double& each : c.bodies.velocity) each = between(-1.0, 1.0);
  const double steepest = std::array{0.0, 0.5, 2.0, 10.0}[random() % 4];
  const double shared = between(0.0, steepest);
  for (Eigen::Index i = 0; i < contacts; ++i) {
    const double place = between(-3.1, 3.1), away = between(0.3, 1.0);
    const double x = onFloor ? between(-1.0, 1.0) : away * std::cos(place);
    const double y = onFloor ? -1.0 : away * std::sin(place);
    const double normal =
        onFloor ? 0.5 * 3.14159265358979323846 : place + 3.14159265358979323846 + between(-1.0, 1.0);
    const double nx = std::cos(normal), ny = std::sin(normal);
    c.bodies.rows.row(3 * i) << nx, ny, 2.0 * (x * ny - y * nx);
    c.bodies.rows.row(3 * i + 1) << -ny, nx, 2.0 * (x * nx + y * ny);
    c.coefficients[i] = onFloor ? shared : between(0.0, steepest);
    if (rebounds) c.targets[i] = -0.5 * std::min(0.0, c.bodies.rows.row(3 * i).dot(c.bodies.velocity));
  }
  return c;
}

enum class Closed { no, sticks, slidesOn, slidesBack };

/// Velocities of all valid combinations. At most three contacts, the number of degrees of freedom of the
/// body, need a reaction: more reactions can be replaced by three (Caratheodory).
std::vector<Vector> allSolutions(const PlanarCase& c) {
  std::vector<Vector> found;
  const Eigen::Index count = c.bodies.contacts();
  std::vector<Closed> states(static_cast<std::size_t>(count), Closed::no);
  const auto judge = [&] {
    Matrix pushes(3, 0), asked(0, 3);  // directions of the unknowns, rows of equations
    std::vector<double> right;
    Matrix impulses = Matrix::Zero(3 * count, 6);  // bounds of the unknowns
    const auto add = [&](const Vector& impulse, const Vector& row, double wanted) {
      const Eigen::Index k = pushes.cols();
      impulses.col(k) = impulse;
      pushes.conservativeResize(3, k + 1);
      pushes.col(k) = c.bodies.rows.transpose() * impulse;
      asked.conservativeResize(k + 1, 3);
      asked.row(k) = row;
      right.push_back(wanted - row.dot(c.bodies.velocity));
    };
    for (Eigen::Index i = 0; i < count; ++i) {
      const Closed state = states[static_cast<std::size_t>(i)];
      if (state == Closed::no) continue;
      Vector impulse = Vector::Unit(3 * count, 3 * i);
      if (state != Closed::sticks)
        impulse[3 * i + 1] = state == Closed::slidesOn ? -c.coefficients[i] : c.coefficients[i];
      add(impulse, c.bodies.rows.row(3 * i), c.targets[i]);
      if (state == Closed::sticks) add(Vector::Unit(3 * count, 3 * i + 1), c.bodies.rows.row(3 * i + 1), 0.0);
    }
    Vector x = Vector::Zero(3 * count);
    if (!right.empty()) {
      const Matrix system = asked * pushes;
      const Eigen::Map<const Vector> wanted(right.data(), static_cast<Eigen::Index>(right.size()));
      x = impulses.leftCols(pushes.cols()) * system.completeOrthogonalDecomposition().solve(wanted);
    }
    if (violation(c.bodies, c.coefficients, c.targets, x) < 1e-10) found.push_back(c.bodies.after(x));
  };
  const std::function<void(Eigen::Index, int)> choose = [&](Eigen::Index i, int left) {
    if (i == count) {
      if (left == 0) judge();
      return;
    }
    choose(i + 1, left);
    if (left == 0) return;
    for (const Closed state : {Closed::sticks, Closed::slidesOn, Closed::slidesBack}) {
      states[static_cast<std::size_t>(i)] = state;
      choose(i + 1, left - 1);
    }
    states[static_cast<std::size_t>(i)] = Closed::no;
  };
  for (int closed = 0; closed <= std::min<int>(3, static_cast<int>(count)); ++closed) choose(0, closed);
  return found;
}

class PlanarContacts : public testing::TestWithParam<int> {};

TEST_P(PlanarContacts, AreSolvedAsEnumerationSolvesThem) {
  const Eigen::Index count = GetParam();
  std::mt19937 random(static_cast<unsigned>(count));
  const int cases = count <= 5 ? 60 : count <= 8 ? 20 : 8;
  int solved = 0;
  for (int k = 0; k < cases; ++k) {
    const PlanarCase c = randomCase(random, count, k % 2 == 1, k % 4 == 2);
    SCOPED_TRACE("case " + std::to_string(k));
    ImpulseProblem problem = problemOf(c.bodies, c.coefficients, c.targets);
    const ImpulseResult result = solve(problem);
    const std::vector<Vector> all = allSolutions(c);
    ASSERT_EQ(result.isSolved(), !all.empty());
    if (!result.isSolved()) {
      ASSERT_GT(c.targets.maxCoeff(), 0.0) << "a body may stop, whatever its contacts";
      continue;
    }
    ++solved;
    const Vector x = impulsesOf(problem);
    ASSERT_LT(violation(c.bodies, c.coefficients, c.targets, x), 1e-11);
    double nearest = 1e30;
    for (const Vector& each : all) nearest = std::min(nearest, (each - c.bodies.after(x)).norm());
    ASSERT_LT(nearest, 1e-7);  // rounding times the condition of the combination
  }
  EXPECT_GE(solved, cases / 2);
}

INSTANTIATE_TEST_SUITE_P(Counts, PlanarContacts, testing::Range(1, 13));

TEST(ImpulseSolver, TakesAnImpactThatDissipatesIfThereIsOne) {
  std::mt19937 random(11);
  // cases in which another solution does not increase the energy
  int counted = 0;
  for (int k = 0; k < 6000; ++k) {
    PlanarCase c = randomCase(random, 2 + k % 2, true, false);
    c.targets[k % 2] *= 2.0;  // restitution 1 at one contact and 0.5 at the others
    const double before = c.bodies.velocity.norm();
    ImpulseProblem problem = problemOf(c.bodies, c.coefficients, c.targets);
    if (!solve(problem).isSolved() || c.bodies.after(impulsesOf(problem)).norm() < 1.01 * before) continue;
    if (std::ranges::none_of(allSolutions(c), [&](const Vector& v) { return v.norm() < before; })) continue;
    ++counted;
    problem = problemOf(c.bodies, c.coefficients, c.targets);
    ASSERT_TRUE(ImpulseSolver(3).solveImpact(problem, 1.0).isSolved()) << k;
    EXPECT_LT(violation(c.bodies, c.coefficients, c.targets, impulsesOf(problem)), 1e-11) << k;
    EXPECT_LT(c.bodies.after(impulsesOf(problem)).norm(), before) << k;
  }
  EXPECT_GE(counted, 2);
}

TEST(ImpulseSolver, FindsImpulsesOfBodiesInSpace) {
  // A rigid body with 1 to 12 contacts in all directions, with large friction too; rest is a solution.
  std::mt19937 random(7);
  const auto between = [&](double low, double high) {
    return std::uniform_real_distribution(low, high)(random);
  };
  for (int k = 0; k < 240; ++k) {
    const Eigen::Index count = 1 + k % 12;
    Bodies body{Matrix(3 * count, 6), Vector(6)};
    for (double& each : body.velocity) each = between(-1.0, 1.0);
    Vector coefficients(count);
    const double steepest = std::array{0.0, 0.5, 2.0, 10.0}[random() % 4];
    for (Eigen::Index i = 0; i < count; ++i) {
      const Eigen::Vector3d place(between(-1.0, 1.0), between(-1.0, 1.0), between(-1.0, 1.0));
      const Eigen::Vector3d turned(between(-0.5, 0.5), between(-0.5, 0.5), between(-0.5, 0.5));
      const Eigen::Vector3d normal = (turned - place).normalized(), first = normal.unitOrthogonal();
      const std::array axes{normal, first, Eigen::Vector3d(normal.cross(first))};
      for (Eigen::Index a = 0; a < 3; ++a)
        body.rows.row(3 * i + a) << axes[static_cast<std::size_t>(a)].transpose(),
            2.0 * place.cross(axes[static_cast<std::size_t>(a)]).transpose();
      coefficients[i] = between(0.0, steepest);
    }
    ImpulseProblem problem = problemOf(body, coefficients, constant(count, 0.0));
    ASSERT_TRUE(solve(problem).isSolved()) << k;
    const Vector x = impulsesOf(problem);
    ASSERT_LT(violation(body, coefficients, constant(count, 0.0), x), 1e-11) << k;
    ASSERT_LE(body.after(x).squaredNorm(), body.velocity.squaredNorm() * (1.0 + 1e-12)) << "energy grows";
  }
}

TEST(ImpulseSolver, DoesNotAllocate) {
  if (!test::AllocationCounter::available()) GTEST_SKIP() << "malloc belongs to the sanitizer";
  std::mt19937 random(3);
  for (int k = 0; k < 20; ++k) {
    const PlanarCase c = randomCase(random, 6, k % 2 == 1, false);
    ImpulseProblem problem = problemOf(c.bodies, c.coefficients, c.targets);
    ImpulseSolver solver(6);
    const test::AllocationCounter allocations;
    solver.solve(problem, 1.0);
    EXPECT_EQ(allocations.count(), 0);
  }
}

}  // namespace
}  // namespace ricochet
