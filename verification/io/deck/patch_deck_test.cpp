// Every shape, pressure and model that a deck can give to an area in straight sliding: all of them equal
// Coulomb friction of a point.

#include "io/app/runs/run_study.hpp"
#include "verification/support/deck_file.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>

namespace ricochet {
namespace {

/// A body of 1 kg pressed by 1 N that starts at 1 m/s along x.
std::string slidingBodyDeck(const std::string& friction) {
  return fmt::format(R"deck([[nodes]]
name = "body"
position = [0.0, 0.0, 0.0]
[[masses]]
nodes = ["body"]
mass = 1.0
inertia = [0.5, 0.5, 0.5, 0.0, 0.0, 0.0]
[[supports]]
nodes = "all"
fixed = ["uz", "rx", "ry"]
[basis]
all = true
[initial]
velocity = [ {{ node = "body", value = [1.0, 0.0, 0.0, 0.0, 0.0, 0.0] }} ]
[[contacts]]
name = "sole"
node = "body"
obstacle = {{ type = "none", normal = [0, 0, 1] }}
normal = {{ force = 1.0 }}
friction = {{ law = "patch", stiffness = 1.0e7, {} }}
[transient]
duration = 6.0
scheme = "kick_drift"
step = 1.0e-4
[[checks]]
quantity = "displacement"
node = "body"
dof = "ux"
time = 6.0
reference = 0.0
absolute = 1.0
source = "closed form"
[[checks]]
quantity = "displacement"
node = "body"
dof = "rz"
time = 6.0
reference = 0.0
absolute = 1.0
source = "symmetry"
[[checks]]
quantity = "friction_energy"
contact = "sole"
reference = 0.5
absolute = 1.0
source = "initial kinetic energy"
)deck",
                     friction);
}

struct Stop {
  double distance, turn, heat;
};
Stop slideToStop(const std::string& friction) {
  const Deck study = test::studyOf(slidingBodyDeck(friction));
  const auto simulation = prepare(study);
  const RunSummary summary = runStudy(study, *simulation, {.result = {}, .progress = false});
  EXPECT_EQ(summary.report.status, RunStatus::complete);
  const auto value = [&](std::size_t i) { return summary.checks[i].computed.value_or(-1.0); };
  return {value(0), value(1), value(2)};
}

class PatchDeck : public testing::TestWithParam<const char*> {};

/// x = V^2/(2 mu), no rotation, all energy dissipated; the deflection of the stick's spring is 1e-7 m.
TEST_P(PatchDeck, SlidesStraightAsAPointDoes) {
  const Stop stop = slideToStop(fmt::format("coefficient = 0.5, {}", GetParam()));
  EXPECT_NEAR(stop.distance, 1.0, 1e-6);
  EXPECT_NEAR(stop.turn, 0.0, 1e-9);
  EXPECT_NEAR(stop.heat, 0.5, 1e-6);
}

INSTANTIATE_TEST_SUITE_P(
    Areas, PatchDeck,
    testing::Values(
        R"(patch = { shape = "disc", radius = 0.1, pressure = "uniform" }, model = "exact")",
        R"(patch = { shape = "disc", radius = 0.1, pressure = "hertz" }, model = "potential")",
        R"(patch = { shape = "disc", radius = 0.1, pressure = "punch" }, model = "pade")",
        R"(patch = { shape = "annulus", radius = 0.1, inner_radius = 0.05 }, model = "exact")",
        R"(patch = { shape = "ring", radius = 0.1 }, model = "linear_fractional")",
        R"(patch = { moments = [0.0667, 0.005, 0.15] }, model = "potential")",
        R"(patch = { shape = "ellipse", half_sides = [0.2, 0.1] }, bristles = [12, 24])",
        R"(patch = { shape = "ellipse", half_sides = [0.2, 0.1], pressure = "hertz" }, bristles = [12, 24])",
        R"(patch = { shape = "rectangle", half_sides = [0.2, 0.1], pressure = "linear", gradient = [0.5, 0.0] })",
        R"(patch = { shape = "polygon", vertices = [[-0.1, -0.1], [0.2, 0.0], [-0.1, 0.1]] })"));

/// mu = mu_d + (mu_s - mu_d) exp(-(v/w)^2): the distance is the integral of v/mu from 0 to V. The coefficient
/// is that of the previous step, with an error of first order in the step.
TEST(PatchDeckDrop, FollowsTheSpeed) {
  constexpr double kDropSpeed = 0.3;
  const auto integrand = [](double v) {
    return v / (0.2 + 0.2 * std::exp(-v * v / (kDropSpeed * kDropSpeed)));
  };
  constexpr int kCells = 2000;
  double distance = 0.0;
  for (int i = 0; i < kCells; ++i) {
    const double a = static_cast<double>(i) / kCells;
    const double b = static_cast<double>(i + 1) / kCells;
    distance += (b - a) / 6.0 * (integrand(a) + 4.0 * integrand(0.5 * (a + b)) + integrand(b));
  }
  for (const char* model : {"exact", "potential", "pade", "linear_fractional"}) {
    const Stop stop = slideToStop(
        fmt::format("static = 0.4, dynamic = 0.2, drop_speed = {}, patch = {{ shape = \"disc\", radius = "
                    "0.1 }}, model = \"{}\"",
                    kDropSpeed, model));
    EXPECT_NEAR(stop.distance, distance, 1e-4) << model;
    EXPECT_NEAR(stop.heat, 0.5, 1e-4) << model;
  }
}

}  // namespace
}  // namespace ricochet
