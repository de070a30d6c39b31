// Restored displacements, reactions and forces of beams contain the static response that a truncated basis
// omits.

#include "io/app/runs/run_study.hpp"
#include "io/hdf5/hdf5.hpp"
#include "io/prepare/prepare.hpp"
#include "io/result/restore.hpp"
#include "verification/support/deck_file.hpp"
#include "verification/support/program.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <string>
#include <vector>

namespace ricochet {
namespace {

/// A cantilever of 2 m with two of its modes; 60 N at 0.75 m increase slowly, and the beam comes to rest.
const std::string kCorrectedCantilever = R"deck(
[[nodes]]
name = "A"
position = [0, 0, 0]
[[nodes]]
name = "B"
position = [2, 0, 0]
[materials.steel]
young = 2.1e11
poisson = 0.3
density = 7800
[sections.bar]
type = "circle"
radius = 0.012
[[beams]]
name = "b"
nodes = ["A", "B"]
elements = 8
material = "steel"
section = "bar"
theory = "euler_bernoulli"
[[supports]]
nodes = ["A"]
fixed = "all"
[basis]
modes = 2
damping_ratio = 0.05
[functions.rise]
formula = "1 - exp(-3*t)"
[[loads]]
nodes = ["b.3"]
force = [0, 60.0, 0]
scale = "rise"
static_correction = true
[transient]
duration = 20.0
[output]
nodes = "all"
fields = ["displacement"]
interval = 0.1
)deck";

TEST(RestoredStaticCorrection, GivesTheStaticsOfACantilever) {
  const test::ScratchFolder folder;
  const Deck study = test::studyOf(kCorrectedCantilever);
  const auto simulation = prepare(study);
  const std::filesystem::path result = folder.path() / "run.h5";
  ASSERT_EQ(runStudy(study, *simulation, {.result = result, .force = true, .progress = false}).report.status,
            RunStatus::complete);
  RestoreRequest request;
  request.output = folder.path() / "restored.h5";
  request.fields = {Kinematic::displacement};
  request.reactions = true;
  request.beamForces.force = true;
  request.progress = false;
  restoreHistoriesOfResult(result, request);
  const H5File file = H5File::open(request.output), run = H5File::open(result);
  const std::vector<double> u = file.readAny("/physical/displacement").values;
  const std::vector<double> shown = run.readAny("/physical/displacement").values;
  ASSERT_EQ(u.size(), shown.size());
  for (std::size_t i = 0; i < u.size(); ++i) ASSERT_NEAR(u[i], shown[i], 1e-15);  // as the run recorded

  const std::vector<std::string> names = file.readStrings("/physical/node");
  const std::vector<double> places = file.readAny("/model/nodes/position").values;
  const std::size_t last = u.size() - names.size() * kComponents;
  constexpr double kForce = 60.0, kArm = 0.75;
  const double bending = 2.1e11 * std::numbers::pi / 4.0 * std::pow(0.012, 4);
  for (std::size_t n = 0; n < names.size(); ++n) {
    const double x = places[3 * n];
    const double bent = x < kArm ? x * x * (3.0 * kArm - x) : kArm * kArm * (3.0 * x - kArm);
    EXPECT_NEAR(u[last + kComponents * n + 1], kForce * bent / (6.0 * bending), 1e-11) << names[n];
  }
  const std::vector<double> reaction = file.readAny("/physical/reaction").values;
  EXPECT_NEAR(reaction[last + 1], -kForce, 1e-7);
  EXPECT_NEAR(reaction[last + 5], -kForce * kArm, 1e-7);
  const std::vector<double> force = file.readAny("/beams/force").values;
  const std::size_t rest = force.size() - 8 * 12;
  EXPECT_NEAR(force[rest + 1], kForce, 1e-7);
  EXPECT_NEAR(force[rest + 5], kForce * kArm, 1e-7);
  EXPECT_NEAR(force[rest + 3 * 12 + 5], 0.0, 1e-7);  // beyond the position of the load
}

/// The section beside a loaded node carries the load, f = 60 t, however the beam is damped: rates of the
/// static correction make no force.
TEST(RestoredStaticCorrection, BalancesARisingLoadOnADampedBeam) {
  const test::ScratchFolder folder;
  std::string deck = kCorrectedCantilever;
  const auto replace = [&](const std::string& old, const std::string& by) {
    deck.replace(deck.find(old), old.size(), by);
  };
  replace("damping_ratio = 0.05", "rayleigh = { mass = 0.3, stiffness = 0.01 }");
  replace("1 - exp(-3*t)", "t");
  replace("[\"b.3\"]", "[\"B\"]");
  replace("duration = 20.0", "duration = 0.5");
  const Deck study = test::studyOf(deck);
  const auto simulation = prepare(study);
  const std::filesystem::path result = folder.path() / "run.h5";
  ASSERT_EQ(runStudy(study, *simulation, {.result = result, .force = true, .progress = false}).report.status,
            RunStatus::complete);
  RestoreRequest request;
  request.output = folder.path() / "restored.h5";
  request.fields = {Kinematic::displacement};
  request.beamForces.force = true;
  request.progress = false;
  restoreHistoriesOfResult(result, request);
  const H5File file = H5File::open(request.output);
  const std::vector<double> time = file.readAny("/physical/time").values;
  const std::vector<double> force = file.readAny("/beams/force").values;
  constexpr std::size_t kElements = 8, kForces = 12, kShear = 7;
  ASSERT_EQ(force.size(), time.size() * kElements * kForces);
  for (std::size_t i = 0; i < time.size(); ++i)
    EXPECT_NEAR(force[(i * kElements + kElements - 1) * kForces + kShear], 60.0 * time[i], 1e-8);
}

}  // namespace
}  // namespace ricochet
