// Laws of contacts in series with a spring without mass: NormalLaw::lawWithSpringInSeries and
// FrictionLaw::lawWithSpringInSeries.

#include "engine/contact/laws/laws.hpp"
#include "verification/support/typed.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace ricochet {
namespace {

constexpr double kFlexibility = 3e-6;  // [m/N]

template <class L>
class NormalInSeries : public ::testing::Test {
 public:
  L law{example()};

 private:
  static L example() {
    L law{};
    for (const auto& field : L::numericParameters())
      if (field.name != "damping") law.*field.member = field.example;
    return law;
  }
};
TYPED_TEST_SUITE(NormalInSeries, test::TypesOf<NormalLaws>::type, test::KeywordName);

TYPED_TEST(NormalInSeries, IsTheLawAtTheGapOfItsOwnEnd) {
  const auto both = this->law.lawWithSpringInSeries(kFlexibility);
  if constexpr (requires { *both; }) {
    ASSERT_TRUE(both);
    for (const double gap : {-1e-6, -1e-4, -2e-3, -4e-3, -0.05}) {
      NormalKinematics<double> k;
      k.gap = gap;
      k.imposed = 7.0;
      const double force = both->template force<double>(NormalState::closed, k);
      EXPECT_GT(force, 0.0);
      k.gap = gap + kFlexibility * force;  // part of the penetration that the spring leaves to the law
      const double rounding = 8.0 * std::numeric_limits<double>::epsilon();
      if constexpr (TypeParam::traits.setValued)
        EXPECT_NEAR(k.gap, 0.0, rounding * std::abs(gap));
      else
        EXPECT_NEAR(this->law.template force<double>(NormalState::closed, k), force, 8.0 * rounding * force)
            << gap;
    }
  } else {
    // There is no closed form, because the force is nonlinear in the penetration.
    EXPECT_NE(TypeParam::traits.form, ForceForm::linear);
  }
}

TEST(LawsInSeries, PenaltiesAreTwoSprings) {
  const auto both = LinearPenalty{.stiffness = 2e5}.lawWithSpringInSeries(1.0 / 3e5);
  ASSERT_TRUE(both);
  EXPECT_NEAR(both->stiffness, 1.2e5, 1e-10);
  EXPECT_FALSE((LinearPenalty{.stiffness = 2e5, .damping = 1.0}.lawWithSpringInSeries(1.0 / 3e5)));
}

TEST(LawsInSeries, TrueStickIsTheStickOfTheSpring) {
  const auto both = Coulomb{.muStatic = 0.5, .muDynamic = 0.3}.lawWithSpringInSeries(1.0 / 400.0);
  ASSERT_TRUE(both);
  EXPECT_EQ(both->stiffness, 400.0);
  EXPECT_EQ(both->damping, 0.0);
  EXPECT_EQ(both->muStatic, 0.5);
  EXPECT_EQ(both->muDynamic, 0.3);
}

TEST(LawsInSeries, ElasticSticksAreTwoSprings) {
  const RegularisedCoulomb law{.muStatic = 0.5, .muDynamic = 0.3, .stiffness = 600.0, .damping = 0.0};
  const auto both = law.lawWithSpringInSeries(1.0 / 300.0);
  ASSERT_TRUE(both);
  EXPECT_NEAR(both->stiffness, 200.0, 1e-13);
  EXPECT_FALSE((RegularisedCoulomb{0.5, 0.3, 600.0, 2.0}.lawWithSpringInSeries(1.0 / 300.0)));
}

TEST(LawsInSeries, ACurveOfForcesKeepsItsForces) {
  const auto both = ForceTable{}.lawWithSpringInSeries(1e-5);
  ASSERT_TRUE(both);
  // The table of the example contains 150 N at 1.5 mm and 1650 N at 3 mm.
  EXPECT_NEAR(both->pieces->penetration[1], 1.5e-3 + 1.5e-3, 1e-18);
  EXPECT_NEAR(both->pieces->penetration[2], 3e-3 + 16.5e-3, 1e-17);
  EXPECT_EQ(both->pieces->force, ForceTable{}.pieces->force);
}

}  // namespace
}  // namespace ricochet
