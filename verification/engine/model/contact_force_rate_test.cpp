#include "engine/model/contact_force_rate.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace ricochet {
namespace {

constexpr double kStick = 3e4, kFriction = 0.4, kPenetration = 1e-3, kNormal = 5e4;

Contact closedFrictionContact() {
  Contact contact;
  contact.obstacle = Plane{};
  contact.normal = LinearPenalty{.stiffness = kNormal, .damping = 0.0};
  contact.friction = RegularisedCoulomb{kFriction, kFriction, kStick, 0.0};
  return contact;
}

/// With the traction T = mu N (cos phi, sin phi) and the slip rate s' along e2, phi' = k_t s' sin phi/(mu N).
TEST(ContactForceRate, TurnsTheTractionOfASlip) {
  const Contact contact = closedFrictionContact();
  const double limit = kFriction * kNormal * kPenetration, phi = 2.0, speed = 0.3;
  const Vec3 along(0.0, std::cos(phi), std::sin(phi)), across(0.0, -std::sin(phi), std::cos(phi));
  const Vec3 force = kNormal * kPenetration * Vec3::UnitX() + limit * along, rate(0.0, speed, 0.0);
  ContactForceRate of(contact, -kPenetration * Vec3::UnitX(), force, 0.0, nullptr, {}, true);
  EXPECT_FALSE(of.updateSlipPhase(rate));
  const double turn = kStick * speed / limit, first = turn * std::sin(phi),
               second = turn * std::cos(phi) * first;
  const ContactForceRate::Linear linear = of.forceRateJustAfter(rate, 0.0);
  EXPECT_LT((linear.byRate * rate + linear.still - limit * first * across).norm(), 1e-9 * limit * first);
  const Vec3 expected = limit * (second * across - first * first * along);
  EXPECT_LT((of.secondForceDerivative(rate, 1e-6) - expected).norm(), 1e-6 * expected.norm());
}

/// Slip continues while k_t s' against the traction exceeds mu N'.
TEST(ContactForceRate, EndsASlipWhoseLimitGrowsFaster) {
  const Contact contact = closedFrictionContact();
  const double pressed = kNormal * kPenetration, limit = kFriction * pressed, speed = 0.3;
  ContactForceRate of(contact, -kPenetration * Vec3::UnitX(), {pressed, -limit, 0.0}, 0.0, nullptr, {}, true);
  const double balance = kStick * speed / (kFriction * kNormal);  // approach rate at which both grow equally
  EXPECT_FALSE(of.updateSlipPhase({-0.99 * balance, speed, 0.0}));
  EXPECT_TRUE(of.updateSlipPhase({-1.01 * balance, speed, 0.0}));
  const Vec3 rate(-1.01 * balance, speed, 0.0);
  const ContactForceRate::Linear stick = of.forceRateJustAfter(rate, 0.0);
  EXPECT_NEAR((stick.byRate * rate)[1], -kStick * speed, 1e-9 * kStick * speed);
  EXPECT_TRUE(of.updateSlipPhase({-0.99 * balance, speed, 0.0}));
}

}  // namespace
}  // namespace ricochet
