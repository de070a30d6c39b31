// A body strikes a Hertz wall whose surface moves along the tangent: N = K (v_n t)^3/2 grows more slowly at
// first than the spring force k_t v t of the stick, so that slip begins at the closing and lasts until
//
//     mu N' = k_t v      at      t = (k_t v/(3/2 mu K v_n^3/2))^2
//
// with mu = mu(v) for friction that depends on the slip speed; d = v_n t has a relative error of 1e-4 so soon
// after the closing.

#include "io/prepare/prepare.hpp"
#include "verification/support/deck_file.hpp"
#include "verification/support/outcome.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <vector>

namespace ricochet {
namespace {

constexpr double kGap = 0.001, kBelt = 0.03, kStick = 2.0e5, kHertz = 1.0e8;

std::string deckWithFriction(double speed, const std::string& friction) {
  return fmt::format(R"deck(
[[nodes]]
name = "body"
position = [0.0, 0.0, 0.0]
[[masses]]
nodes = ["body"]
mass = 2.0
[[supports]]
nodes = ["body"]
fixed = ["uy", "uz"]
[initial]
velocity = [{{ node = "body", value = [{}, 0.0, 0.0] }}]
[[contacts]]
name = "wall"
node = "body"
obstacle = {{ type = "plane", normal = [-1.0, 0.0, 0.0], gap = {}, surface_velocity = [0, 0, {}] }}
normal = {{ law = "hertz", stiffness = {} }}
friction = {{ stiffness = {}, {} }}
[basis]
all = true
[transient]
duration = {}
scheme = "event"
[[checks]]
quantity = "event"
contact = "wall"
kind = "slip_to_stick"
index = 1
reference = 0.0
absolute = 1.0
source = "asked for"
[[checks]]
quantity = "event"
contact = "wall"
kind = "closing"
index = 1
reference = 0.0
absolute = 1.0
source = "asked for"
)deck",
                     speed, kGap, kBelt, kHertz, kStick, friction, kGap / speed + 1e-4);
}

/// Time from the closing to the end of the slip.
double slipTime(double speed, const std::string& friction) {
  const Deck study = test::studyOf(deckWithFriction(speed, friction));
  const auto simulation = prepare(study);
  const std::vector<double> times = test::outcomeOf(study, *simulation).values;
  return times[0] - times[1];
}

double expected(double speed, double coefficient) {
  return std::pow(kStick * kBelt / (1.5 * coefficient * kHertz * std::pow(speed, 1.5)), 2);
}

TEST(PowerSlipEnd, IsWhereTheForceGrowsFastEnough) {
  for (const double speed : {0.2, 0.5, 1.0, 2.0, 5.0}) {
    const double constant = slipTime(speed, "coefficient = 0.44");
    EXPECT_NEAR(constant, expected(speed, 0.44), 1e-3 * constant) << speed;
    // mu = 0.5 - 2 v up to 0.1 m/s: 0.44 at the speed of the belt
    const double varying =
        slipTime(speed, "velocity_law = { speeds = [0.0, 0.1, 1.0], coefficients = [0.5, 0.3, 0.3] }");
    EXPECT_NEAR(varying, expected(speed, 0.44), 1e-3 * varying) << speed;
  }
}

}  // namespace
}  // namespace ricochet
