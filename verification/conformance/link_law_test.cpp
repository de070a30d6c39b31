// Properties that every listed link law must have.

#include "verification/support/link_laws.hpp"
#include "verification/support/typed.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string_view>
#include <vector>

namespace ricochet {
namespace {

template <class L>
class LinkLawTest : public ::testing::Test {
 protected:
  const L law = test::exampleLinkLaw<L>();

  /// An orbit through the ranges of the example laws, which yield, buckle and change direction.
  LinkMotion<double> orbit(double t) const {
    const double size = law.axisCount() == 2 ? 0.3 : std::is_same_v<L, Elastoplastic> ? 2.0 : 0.05;
    const double w = 5.0;
    LinkMotion<double> motion;
    motion.time = t;
    motion.x = {size * std::sin(w * t), 0.0};
    motion.v = {size * w * std::cos(w * t), 0.0};
    if (law.axisCount() < 2) return motion;
    motion.x[1] = size * (std::cos(w * t) - 1.0);
    motion.v[1] = -size * w * std::sin(w * t);
    return motion;
  }

  test::DrivenLink<L> linkDrivenAlongOrbit(int steps, double end) const {
    test::DrivenLink<L> link(law);
    link.start(orbit(0.0));
    for (int i = 1; i <= steps; ++i) link.take(orbit(end * i / steps));
    return link;
  }
};
TYPED_TEST_SUITE(LinkLawTest, test::TypesOf<LinkLaws>::type, test::KeywordName);

TYPED_TEST(LinkLawTest, DescribesItself) {
  static_assert(LinkLaw<TypeParam>);
  test::expectSoundFields<TypeParam>();
  std::vector<std::string_view> names;
  for (const LinkVariable& variable : TypeParam::internalVariables()) {
    EXPECT_FALSE(variable.unit.empty()) << variable.name;
    EXPECT_FALSE(variable.meaning.empty()) << variable.name;
    EXPECT_EQ(std::count(names.begin(), names.end(), variable.name), 0) << variable.name;
    names.push_back(variable.name);
  }
  EXPECT_LE(names.size(), kLinkMemory);
}

TYPED_TEST(LinkLawTest, RespondsToTheMotionAlone) {
  // Two trials of the same motion with another trial between them are equal: a trial changes no state.
  const test::DrivenLink<TypeParam> link = this->linkDrivenAlongOrbit(30, 0.4);
  const LinkState first = link.stateAfterTrialMotion(this->orbit(0.42));
  link.stateAfterTrialMotion(this->orbit(0.9));
  const LinkState again = link.stateAfterTrialMotion(this->orbit(0.42));
  EXPECT_EQ(first.force, again.force);
  EXPECT_EQ(first.memory, again.memory);
}

TYPED_TEST(LinkLawTest, BooksItsWork) {
  // The work done on the link equals its stored and dissipated energy less the energy that it supplies. The
  // trapezoidal rule of this test has an error of h^2: halving h divides the difference by about 4, or the
  // difference is rounding. A force that drops at once (a drop of zero width) adds an error of first order in
  // one step.
  const auto difference = [&](int steps) {
    test::DrivenLink<TypeParam> link(this->law);
    link.start(this->orbit(0.0));
    const double stored = link.state().stored;
    for (int i = 1; i <= steps; ++i) link.take(this->orbit(1.0 * i / steps));
    const LinkState& s = link.state();
    return std::abs(link.work() - (s.stored - stored + s.dissipated - s.external));
  };
  const test::DrivenLink<TypeParam> link = this->linkDrivenAlongOrbit(4000, 1.0);
  const double scale =
      std::max({std::abs(link.state().stored), link.state().dissipated, std::abs(link.state().external)});
  const double limit = std::is_same_v<TypeParam, Buckling> ? 2e-3 : 1e-4;
  EXPECT_LT(difference(4000), limit * scale);
  EXPECT_LT(difference(16000), limit / 4.0 * scale);
}

TYPED_TEST(LinkLawTest, NeverGivesMoreThanItGot) {
  // A law that is no external force dissipates energy or nothing in every step.
  if (std::is_same_v<TypeParam, FormulaForce>) GTEST_SKIP() << "anything may be written there";
  test::DrivenLink<TypeParam> link(this->law);
  link.start(this->orbit(0.0));
  double before = 0.0;
  for (int i = 1; i <= 500; ++i) {
    link.take(this->orbit(2.0 * i / 500));
    EXPECT_GE(link.state().dissipated, before - 1e-12 * (1.0 + before)) << i;
    EXPECT_GE(link.state().stored, 0.0) << i;
    before = link.state().dissipated;
  }
}

TYPED_TEST(LinkLawTest, KnowsItsTangent) {
  // Central differences of the response from one accepted state; no kink of a law lies near these instants.
  const test::DrivenLink<TypeParam> link = this->linkDrivenAlongOrbit(20, 0.25);
  for (const double t : {0.26, 0.27, 0.29, 0.6}) {
    const LinkMotion<double> at = this->orbit(t);
    LinkMotion<Dual<4>> varied;
    varied.time = at.time;
    for (std::size_t axis = 0; axis < kLinkAxes; ++axis) {
      varied.x[axis] = Dual<4>(at.x[axis], axis);
      varied.v[axis] = Dual<4>(at.v[axis], axis + 2);
    }
    const LinkResponse<Dual<4>> tangent = this->law.template computeResponse<Dual<4>>(link.state(), varied);
    for (std::size_t direction = 0; direction < 4; ++direction) {
      const std::size_t axis = direction % 2;
      if (axis >= this->law.axisCount()) continue;
      const double step = 1e-6 * (direction < 2 ? 0.05 : 0.25);
      const auto moved = [&](double by) {
        LinkMotion<double> motion = at;
        (direction < 2 ? motion.x : motion.v)[axis] += by;
        return link.stateAfterTrialMotion(motion).force;
      };
      const auto plus = moved(step);
      const auto minus = moved(-step);
      for (std::size_t force = 0; force < this->law.axisCount(); ++force) {
        const double slope = (plus[force] - minus[force]) / (2.0 * step);
        const double size = std::abs(slope) + std::abs(plus[force]) / (direction < 2 ? 0.05 : 0.25);
        EXPECT_NEAR(tangent.force[force].slope(direction), slope, 1e-6 * size + 1e-9)
            << "t " << t << " force " << force << " direction " << direction;
      }
      EXPECT_NEAR(tangent.force[axis].value(), link.stateAfterTrialMotion(at).force[axis],
                  1e-12 * (1.0 + std::abs(tangent.force[axis].value())));
    }
  }
}

TYPED_TEST(LinkLawTest, IsNoSteeperThanItsBounds) {
  if (!std::is_same_v<TypeParam, Buckling> && !std::is_same_v<TypeParam, Crushing> &&
      !std::is_same_v<TypeParam, Antiseismic> && !std::is_same_v<TypeParam, Zener> &&
      !std::is_same_v<TypeParam, Elastoplastic> && !std::is_same_v<TypeParam, CrackedRotor>)
    GTEST_SKIP() << "has no bound of its own";
  const LinkBounds bounds = this->law.slopeBounds(this->orbit(0.0));
  test::DrivenLink<TypeParam> link(this->law);
  link.start(this->orbit(0.0));
  const double step = 1e-9;
  for (int i = 1; i <= 200; ++i) {
    link.take(this->orbit(2.0 * i / 200));
    LinkMotion<double> motion = link.state().motion;
    motion.x[0] -= step;  // the motion returns, so that yielding or buckled laws unload
    const double slope = (link.state().force[0] - link.stateAfterTrialMotion(motion).force[0]) / step;
    // relative to the rounding of the trial over the step
    EXPECT_LE(slope, bounds.stiffness * (1.0 + 1e-3) + 1e-15 * std::abs(link.state().force[0]) / step) << i;
  }
}

TEST(LinkLaws, HaveDistinctKeywords) { test::expectDistinctKeywords<LinkLaws>(); }

}  // namespace
}  // namespace ricochet
