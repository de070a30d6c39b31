// Largest stable step of every listed integrator: the motion stays bounded below this step and grows above
// it.

#include "engine/schemes/integrators.hpp"
#include "engine/schemes/stability.hpp"
#include "verification/support/models.hpp"
#include "verification/support/stepper.hpp"
#include "verification/support/typed.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace ricochet {
namespace {

/// Three masses on springs. The last mass is held by a stick spring that never slips, on a contact that never
/// opens: a linear system whose highest frequency the contact raises several times.
test::ModelParts massesWithStickSpring() {
  const test::ModalChain chain =
      test::modalChain({.masses = {1.0, 2.0, 1.5}, .stiffness = 1e4, .grounded = true});
  test::ModelParts parts = chain.parts;
  Contact contact = test::contactOf(3, NoObstacle{}, ImposedForce{},
                                    RegularisedCoulomb{.muStatic = 1.0, .muDynamic = 1.0, .stiffness = 4e5});
  contact.imposedForce = TimeFunction::constant(1e30);
  contact.rows.row(1) = chain.shapes.row(2);
  parts.contacts.push_back(contact);
  return parts;
}

/// Largest growth of |v| and |omega q| over many steps from a motion of all modes.
template <class I>
double growthOfMotion(const ModalModel& model, double h) {
  State initial(model.linear.modes);
  initial.v.head(model.linear.modes).setOnes();
  test::Stepper<I> stepper(model, h, initial);
  double largest = 0.0;
  for (int i = 0; i < 20000 && largest < 1e12; ++i) {
    stepper.step();
    largest = std::max(largest, stepper.state().v.norm());
  }
  return largest / initial.v.norm();
}

/// A step that must be stable: just below the limit or, for schemes without a limit, far above the limit of
/// an explicit scheme.
template <class I>
double safeStep(const ModalModel& model) {
  const double limit = largestSafeStep(model, I::keyword);
  return std::isfinite(limit) ? 0.99 * limit : 20.0 * largestSafeStep(model, CentralDifference::keyword);
}

template <class I>
class StabilityTest : public ::testing::Test {
 protected:
  void SetUp() override {
    if (I::traits.adaptive) GTEST_SKIP() << "shortens its steps by itself (adaptive_schemes_test.cpp)";
  }
  static bool hasStabilityLimit() {
    return std::isfinite(largestSafeStep(massesWithStickSpring().build(), I::keyword));
  }
};
TYPED_TEST_SUITE(StabilityTest, test::TypesOf<Integrators>::type, test::KeywordName);

TYPED_TEST(StabilityTest, MotionIsBoundedJustBelowTheLimit) {
  const ModalModel model = massesWithStickSpring().build();
  // At omega h = 2 (1 - 1e-2) the discrete energy of a leap-frog scheme is up to 1/(1 - (omega h/2)^2) = 50
  // times the true energy.
  EXPECT_LT(growthOfMotion<TypeParam>(model, safeStep<TypeParam>(model)), 50.0);
}

TYPED_TEST(StabilityTest, MotionBlowsUpJustAboveTheLimit) {
  if (std::string_view(TypeParam::keyword) == KickDrift::keyword) GTEST_SKIP() << "the limit is a safe bound";
  if (!this->hasStabilityLimit()) GTEST_SKIP() << "no limit";
  const ModalModel model = massesWithStickSpring().build();
  // 5 % above the limit the largest multiplier is about 1.9: 20000 steps exceed any bound.
  EXPECT_GE(growthOfMotion<TypeParam>(model, 1.05 * largestSafeStep(model, TypeParam::keyword)), 1e10);
}

TYPED_TEST(StabilityTest, EveryStepBelowTheLimitIsStable) {
  if (!this->hasStabilityLimit()) GTEST_SKIP() << "no limit";
  const ModalModel model = massesWithStickSpring().build();
  const double limit = largestSafeStep(model, TypeParam::keyword);
  for (int i = 1; i < 200; ++i)
    EXPECT_LT(growthOfMotion<TypeParam>(model, i / 200.0 * limit), 100.0) << i << " / 200 of the limit";
}

/// A stiff structure on a soft contact: a scheme that moves the structure exactly may use steps of many
/// periods of the structure. Without damping its step is limited by resonance
/// (KickDrift.MayResonateWithAnUndampedMode); 1 % of damping removes this limit.
TYPED_TEST(StabilityTest, EveryStepBelowTheLimitIsStableOnAStiffStructure) {
  if (!this->hasStabilityLimit()) GTEST_SKIP() << "no limit";
  test::ModelParts parts = massesWithStickSpring();
  const Vector omega = 100.0 * parts.linear.omegaSquared.head(3).cwiseSqrt();
  for (const double ratio : {0.0, 0.01}) {
    const Vector damping = 2.0 * ratio * omega;
    parts.linear = LinearSystem(omega.cwiseAbs2(), damping.asDiagonal(), true);
    const ModalModel model = parts.build();
    const double limit = largestSafeStep(model, TypeParam::keyword);
    for (int i = 1; i < 100; ++i)
      EXPECT_LT(growthOfMotion<TypeParam>(model, i / 100.0 * limit), 100.0)
          << i << " % of the limit, ratio " << ratio;
  }
}

TYPED_TEST(StabilityTest, DampedStructureIsBoundedBelowTheLimit) {
  test::ModelParts parts = massesWithStickSpring();
  const Vector omega = parts.linear.omegaSquared.head(3).cwiseSqrt();
  for (const double ratio : {0.05, 0.5}) {
    const Vector damping = 2.0 * ratio * omega;
    parts.linear = LinearSystem(omega.cwiseAbs2(), damping.asDiagonal(), true);
    const ModalModel model = parts.build();
    EXPECT_LT(growthOfMotion<TypeParam>(model, safeStep<TypeParam>(model)), 50.0) << "ratio " << ratio;
  }
}

TYPED_TEST(StabilityTest, DampedContactIsBoundedBelowTheLimit) {
  test::ModelParts parts = massesWithStickSpring();
  for (const double damping : {10.0, 500.0, 5e3}) {
    std::get<RegularisedCoulomb>(parts.contacts[0].friction).damping = damping;
    const ModalModel model = parts.build();
    EXPECT_LT(growthOfMotion<TypeParam>(model, safeStep<TypeParam>(model)), 50.0) << "c = " << damping;
  }
}

TYPED_TEST(StabilityTest, ContactsLowerTheLimit) {
  if (!this->hasStabilityLimit()) GTEST_SKIP() << "no limit";
  test::ModelParts parts = massesWithStickSpring();
  const double with = largestSafeStep(parts.build(), TypeParam::keyword);
  parts.contacts.clear();
  EXPECT_LT(with, 0.8 * largestSafeStep(parts.build(), TypeParam::keyword));
}

}  // namespace
}  // namespace ricochet
