// Results of contacts at instants inside the steps of a scheme.

#include "engine/contact/contact_view.hpp"

#include "verification/support/models.hpp"
#include "verification/support/recorder.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <string_view>

namespace ricochet {
namespace {

/// A mass of 1 kg that strikes a plane of 1e4 N/m at 1 m/s after 0.05 s and separates half a period, pi/100
/// s, later.
TEST(ContactView, HasTheForceOfTheLawInsideSteps) {
  constexpr double kMeets = 0.05, kOmega = 100.0, kSpeed = 1.0, kStiffness = 1e4;
  const ModalModel model =
      test::bouncer({.mass = 1.0}, Slot{kMeets * kSpeed}, {.stiffness = kStiffness}).build();
  State start(1);
  start.v[0] = kSpeed;
  TransientOptions options{.end = 0.12, .step = 5e-4};
  for (int i = 1; i < 600; ++i) options.archiveTimes.push_back(2e-4 * i);
  for (const std::string_view scheme : {"rk54", "rk32", "kick_drift", "newmark"}) {
    SCOPED_TRACE(scheme);
    const auto run = test::runModel(model, scheme, start, options);
    ASSERT_EQ(run.seen.rows.size(), options.archiveTimes.size());
    for (const auto& row : run.seen.rows) {
      const double since = row.state.time - kMeets;
      const bool inside = since > 0.0 && since < std::numbers::pi / kOmega;
      const double force = inside ? kStiffness * kSpeed / kOmega * std::sin(kOmega * since) : 0.0;
      const ContactView& view = row.contacts[0];
      EXPECT_NEAR(view.normalForce, force, 0.25) << row.state.time;  // error of the motion, relative to 100
      EXPECT_NEAR(view.normalForce, std::max(0.0, -kStiffness * view.gap), 1e-9) << row.state.time;
      if (std::abs(view.gap) > 1e-15) {
        EXPECT_EQ(view.phase == ContactPhase::open, view.gap > 0.0) << row.state.time;
      }
    }
  }
}

}  // namespace
}  // namespace ricochet
