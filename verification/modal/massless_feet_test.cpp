#include "modal/eigen_solver.hpp"
#include "physical/dense_solvers.hpp"
#include "verification/support/structures.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace ricochet {
namespace {

/// Two rigid bodies, joined and partly held by springs, with massless feet on springs at places of the
/// bodies: motions of the bodies that no spring resists take the feet with them.
class BodiesWithFeet {
 public:
  BodiesWithFeet(unsigned seed, bool mayBeHeld) : random_(seed), mayBeHeld_(mayBeHeld) {
    const double ratio = logarithmic(1.0, 1e10);
    for (const double height : {0.0, 1.5}) {
      s_.positions.emplace_back(0.0, 0.0, height);
      Mat3 inertia;
      inertia << 0.11, 0.01, 0.015, 0.01, 0.13, -0.02, 0.015, -0.02, 0.17;
      s_.elements.emplace_back(PointMass{NodeIndex{bodies_++}, uniform(1.0, 2.0), inertia, Vec3::Zero()});
    }
    Vector held(6);
    for (double& k : held) k = chance(0.5) ? logarithmic(1.0, 100.0) : 0.0;
    if (chance(0.7) && mayBeHeld_) addSpring({0}, held);
    addSpring({0, 1}, stiffnesses(100.0, 2000.0));
    const int feet = std::uniform_int_distribution(1, 3)(random_);
    for (int foot = 0; foot < feet; ++foot) addFoot(chance(0.5) ? 1 : 0, ratio);
  }

  /// Adds a spring of -1e-6 of the largest stiffness, which pushes bodies that nothing holds away.
  void pushAway() { addSpring({0}, Vector::Constant(3, -1e-6 * largest_)); }

  ModalBasis modes() const { return extractModes(assembleModel(s_), {.all = true}); }

  /// Number of motions without strain: with all springs of stiffness 1, K has no soft motions.
  int freeMotions() const {
    Structure unit = s_;
    for (AnyElement& each : unit.elements)
      if (auto* const spring = std::get_if<Spring>(&each)) {
        ElementMatrix& k = spring->connector.matrix;
        k = k.unaryExpr([](double entry) { return entry > 0.0 ? 1.0 : entry < 0.0 ? -1.0 : 0.0; });
      }
    const Eigen::SelfAdjointEigenSolver<Matrix> solver(Matrix(assembleModel(unit).stiffness));
    return static_cast<int>((solver.eigenvalues().array() < 1e-10).count());
  }

 private:
  double uniform(double from, double to) { return std::uniform_real_distribution(from, to)(random_); }
  double logarithmic(double from, double to) { return std::exp(uniform(std::log(from), std::log(to))); }
  bool chance(double share) { return uniform(0.0, 1.0) < share; }
  Vector stiffnesses(double from, double to) {
    return Vector::NullaryExpr(3, [&] { return logarithmic(from, to); });
  }

  void addSpring(std::vector<int> nodes, const Vector& stiffness) {
    std::vector<NodeIndex> at;
    for (const int node : nodes) at.push_back(NodeIndex{node});
    s_.elements.emplace_back(Spring{Connector::connectorFromDiagonal(std::move(at), stiffness)});
    largest_ = std::max(largest_, stiffness.maxCoeff());
  }

  void addFoot(int body, double ratio) {
    const Vec3 arm(uniform(-0.3, 0.3), uniform(-0.3, 0.3), uniform(-0.4, 0.4));
    const Vec3 place = s_.positions[static_cast<std::size_t>(body)] + arm;
    const int tied = static_cast<int>(s_.positions.size());
    s_.positions.push_back(place);
    s_.positions.push_back(place);
    for (int axis = 0; axis < 3; ++axis) {
      LinearRelation relation{{{test::dofOf(tied, static_cast<Component>(axis)), 1.0},
                               {test::dofOf(body, static_cast<Component>(axis)), -1.0}}};
      for (int turn = 0; turn < 3; ++turn)
        if (const double moved = Vec3::Unit(turn).cross(arm)[axis]; moved != 0.0)
          relation.terms.push_back({test::dofOf(body, static_cast<Component>(3 + turn)), -moved});
      s_.relations.push_back(relation);
    }
    addSpring({tied, tied + 1}, stiffnesses(30.0 * ratio, 100.0 * ratio));
    if (chance(0.2) && mayBeHeld_) addSpring({tied + 1}, stiffnesses(1.0, 100.0));
  }

  std::mt19937 random_;
  bool mayBeHeld_;
  Structure s_;
  int bodies_{0};
  double largest_{0.0};
};

TEST(MasslessFeet, OnFreeBodiesLeaveEveryMechanism) {
  for (unsigned seed = 0; seed < 400; ++seed) {
    const BodiesWithFeet bodies(seed, true);
    try {
      const ModalBasis basis = bodies.modes();
      EXPECT_EQ((basis.eigenvalue.array() == 0.0).count(), bodies.freeMotions()) << "seed " << seed;
      EXPECT_GE(basis.eigenvalue.minCoeff(), 0.0) << "seed " << seed;
    } catch (const BasisError& error) {
      ADD_FAILURE() << "seed " << seed << ": " << error.what();
    }
  }
}

TEST(MasslessFeet, OnBodiesThatASpringPushesAwayAreUnstable) {
  for (unsigned seed = 0; seed < 400; ++seed) {
    BodiesWithFeet bodies(seed, false);
    bodies.pushAway();
    std::string text = "no BasisError";
    try {
      static_cast<void>(bodies.modes());
    } catch (const BasisError& error) {
      text = error.what();
    }
    EXPECT_THAT(text, ::testing::HasSubstr("the structure is unstable")) << "seed " << seed;
  }
}

}  // namespace
}  // namespace ricochet
