// Reactions of supports balance loads and the rate of the momentum, with rotating and travelling parts.

#include "io/app/runs/run_study.hpp"
#include "io/hdf5/hdf5.hpp"
#include "io/prepare/prepare.hpp"
#include "io/result/restore.hpp"
#include "modal/static_modes.hpp"
#include "verification/support/deck_file.hpp"
#include "verification/support/program.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <numbers>
#include <string>
#include <vector>

namespace ricochet {
namespace {

/// A shaft of 1 m between two rigid supports, with all its modes.
std::string shaft(const std::string& spin, const std::string& more) {
  return fmt::format(R"deck(
[[nodes]]
name = "left"
position = [0.0, 0.0, 0.0]
[[nodes]]
name = "right"
position = [1.0, 0.0, 0.0]
[materials.steel]
young = 2.1e11
poisson = 0.3
density = 7800.0
[sections.bar]
type = "circle"
radius = 0.03
[[beams]]
name = "shaft"
nodes = ["left", "right"]
elements = 4
material = "steel"
section = "bar"
theory = "euler_bernoulli"
spin = {}
[[supports]]
nodes = "all"
fixed = ["ux", "rx"]
[[supports]]
nodes = ["left", "right"]
fixed = ["uy", "uz"]
[basis]
all = true
damping_ratio = 0.0
[functions.speed]
formula = "2000 + 1500*sin(300*t)"
[transient]
duration = 0.02
scheme = "event"
[output]
nodes = "all"
fields = ["displacement", "velocity", "acceleration"]
interval = 1e-3
{}
)deck",
                     spin, more);
}

struct Restored {
  PhysicalModel physical;
  std::size_t nodes;
  std::vector<double> times, reaction, velocity, acceleration;  // instants x nodes x 6

  double at(const std::vector<double>& values, std::size_t i, std::size_t node, int component) const {
    return values[(i * nodes + node) * 6 + static_cast<std::size_t>(component)];
  }
  /// r.M v of a rigid field r: the momentum along this field; with `a` for v its rate.
  double momentum(const std::vector<double>& values, std::size_t i, int along) const {
    std::array<double, kComponents> field{};
    field[static_cast<std::size_t>(along)] = 1.0;
    Vector a = Vector::Zero(physical.dofs.totalDofCount());
    for (std::size_t n = 0; n < nodes; ++n)
      for (int c = 0; c < kComponents; ++c)
        if (const DofIndex dof = physical.dofs.find({NodeIndex{static_cast<int>(n)}, componentOfIndex(c)});
            dof.exists())
          a[dof.value] = at(values, i, n, c);
    return rigidDisplacementField(physical, field).dot(physical.fullMass * a);
  }
};

Restored restored(const std::string& deck) {
  const test::ScratchFolder folder;
  const Deck study = test::studyOf(deck);
  const auto simulation = prepare(study);
  const std::filesystem::path result = folder.path() / "run.h5";
  const RunSummary summary =
      runStudy(study, *simulation, {.result = result, .force = true, .progress = false});
  EXPECT_EQ(summary.report.status, RunStatus::complete);
  RestoreRequest request;
  request.output = folder.path() / "restored.h5";
  request.fields = {Kinematic::velocity, Kinematic::acceleration};
  request.reactions = true;
  request.progress = false;
  restoreHistoriesOfResult(result, request);
  const H5File file = H5File::open(request.output);
  const auto values = [&](const char* name) { return file.readAny(name).values; };
  return {simulation->physical,         study.nodes.size(),           values("/physical/time"),
          values("/physical/reaction"), values("/physical/velocity"), values("/physical/acceleration")};
}

/// Sum of the reactions along y and z and the force, compared with the rate of the momentum: gyroscopic
/// moments have no resultant, but contribute at the supports. Dashpots proportional to the mass act from
/// outside.
void expectBalance(const Restored& run, const std::function<double(double, int)>& force,
                   double massDamping = 0.0) {
  double largest = 0.0;
  for (const double r : run.reaction) largest = std::max(largest, std::abs(r));
  ASSERT_GT(largest, 1.0);
  for (std::size_t i = 0; i < run.times.size(); ++i)
    for (const int c : {1, 2}) {
      double sum = 0.0;
      for (std::size_t node = 0; node < run.nodes; ++node) sum += run.at(run.reaction, i, node, c);
      const double drag = massDamping * run.momentum(run.velocity, i, c);
      EXPECT_NEAR(sum + force(run.times[i], c), run.momentum(run.acceleration, i, c) + drag, 1e-9 * largest)
          << run.times[i] << " " << c;
    }
}

const std::string kPush = "[initial]\nvelocity = [ { node = \"shaft.1\", value = [0, 1.0, 0.3] } ]\n";
double none(double, int) { return 0.0; }

TEST(RestoredReaction, BalancesAShaftThatSpins) {
  const Restored still = restored(shaft("0.0", kPush));
  expectBalance(still, none);
  const Restored spins = restored(shaft("4000.0", kPush));
  expectBalance(spins, none);
  double difference = 0.0;
  for (std::size_t i = 0; i < spins.reaction.size(); ++i)
    difference = std::max(difference, std::abs(spins.reaction[i] - still.reaction[i]));
  EXPECT_GT(difference, 10.0);  // the effect is not zero
}

TEST(RestoredReaction, BalancesAShaftWhoseSpinVaries) {
  expectBalance(restored(shaft("\"speed\"", kPush)), none);
}

TEST(RestoredReaction, HasItsPartOfRayleighDamping) {
  const std::string free = shaft("0.0", kPush);
  const auto with = [&](const char* rayleigh) {
    std::string deck = free;
    const std::string none = "damping_ratio = 0.0";
    return deck.replace(deck.find(none), none.size(), rayleigh);
  };
  expectBalance(restored(with("rayleigh = { stiffness = 2e-5 }")), none);
  expectBalance(restored(with("rayleigh = { mass = 40.0, stiffness = 2e-5 }")), none, 40.0);
}

TEST(RestoredReaction, TakesUpWhatALoadPutsOnTheSupports) {
  // Near the supports a part of the load acts on them directly.
  const std::string load =
      "[[loads]]\nbeam = \"shaft\"\nforce = [0.0, 300.0, 100.0]\nspeed = 60.0\n"
      "[[loads]]\nnodes = [\"right\"]\nforce = [0.0, 5.0, 0.0]\n";
  expectBalance(restored(shaft("1000.0", load)), [](double t, int c) {
    const double moving = t <= 1.0 / 60.0 ? (c == 1 ? 300.0 : 100.0) : 0.0;
    return moving + (c == 1 ? 5.0 : 0.0);
  });
}

/// Wheels in contact with the shaft exert a part of their forces on its supports, and the force of a wheel on
/// a support is fully in the reaction.
TEST(RestoredReaction, TakesUpWhatWheelsPutOnTheSupports) {
  const std::string wheels = R"deck(
[[nodes]]
name = "above"
position = [0.0, 0.1, 0.0]
[[nodes]]
name = "beside"
position = [1.0, 0.0, 0.1]
[[nodes]]
name = "held"
position = [0.0, 0.1, 0.0]
[[supports]]
nodes = ["held"]
fixed = ["uy", "uz"]
[[masses]]
nodes = ["above", "beside"]
mass = 2.0
[[contacts]]
name = "presses"
node = "held"
beam = "shaft"
speed = 20.0
obstacle = { type = "plane", normal = [0, 1, 0], gap = -1e-4 }
normal = { stiffness = 1e6 }
[[contacts]]
name = "bounces"
node = "above"
beam = "shaft"
speed = 45.0
obstacle = { type = "plane", normal = [0, 1, 0], gap = 1e-4 }
normal = { stiffness = 1e6, damping = 100.0 }
[[contacts]]
name = "is_held"
node = "beside"
beam = "shaft"
speed = -30.0
from = 0.9
obstacle = { type = "slot", axis = [0, 1, 0], direction = [0, 0, 1], gap = 0.0 }
normal = { stiffness = 2e6 }
)deck";
  std::string deck =
      shaft("0.0",
            "[initial]\nvelocity = [{ node = \"above\", value = [0, -1.0, 0.0] }, { node = \"beside\", value "
            "= [0, 0.0, 0.5] }]\n" +
                wheels);
  const std::string event = "scheme = \"event\"";
  deck.replace(deck.find(event), event.size(), "step = 1e-6");
  expectBalance(restored(deck), none);
}

const double kBarMass = 7800.0 * std::numbers::pi * 0.03 * 0.03;  // [kg]

/// The mass at the dofs of supports has a weight too.
TEST(RestoredReaction, HoldsTheWholeWeight) {
  const Restored run = restored(shaft("0.0", kPush + "[gravity]\nacceleration = [0, -9.0, 30.0]\n"));
  expectBalance(run, [](double, int c) { return kBarMass * (c == 1 ? -9.0 : 30.0); });
}

/// This mass moves with the base, by s = sin(40 t)/1600.
TEST(RestoredReaction, MovesTheWholeMassWithTheBase) {
  const std::string base = R"deck([functions.shake]
formula = "-sin(40*t)"
[[base_motions]]
direction = [0, 1, 0]
acceleration = "shake"
)deck";
  const Restored run = restored(shaft("0.0", kPush + base));
  expectBalance(run, [](double t, int c) { return c == 1 ? kBarMass * std::sin(40.0 * t) : 0.0; });
}

/// A load on a support that ends with the run still acts at the last instant.
TEST(RestoredReaction, HasTheValueBeforeAJumpAtTheEnd) {
  const std::string load = R"deck([functions.press]
times = [0.0, 0.01, 0.01, 0.02, 0.02, 1.0]
values = [5.0, 5.0, 8.0, 8.0, 0.0, 0.0]
[[loads]]
nodes = ["right"]
force = [0.0, 1.0, 0.0]
scale = "press"
)deck";
  expectBalance(restored(shaft("0.0", kPush + load)), [](double t, int c) {
    return c != 1 ? 0.0 : t < 0.01 - 1e-9 ? 5.0 : 8.0;
  });
}

}  // namespace
}  // namespace ricochet
