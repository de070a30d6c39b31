// Reactions of supports balance loads and the rate of the momentum, whatever turns and travels.

#include "io/hdf5.hpp"
#include "io/restore.hpp"
#include "io/run_study.hpp"
#include "io/simulation.hpp"
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
  std::vector<double> times, reaction, acceleration;  // instants x nodes x 6

  double at(const std::vector<double>& values, std::size_t i, std::size_t node, int component) const {
    return values[(i * nodes + node) * 6 + static_cast<std::size_t>(component)];
  }
  /// r.M a of a field r that is rigid: rate of the momentum along it.
  double momentumRate(std::size_t i, const std::array<double, kComponents>& field) const {
    Vector a = Vector::Zero(physical.dofs.fullSize());
    for (std::size_t n = 0; n < nodes; ++n)
      for (int c = 0; c < kComponents; ++c)
        if (const DofIndex dof = physical.dofs.find({NodeIndex{static_cast<int>(n)}, componentAt(c)});
            dof.exists())
          a[dof.value] = at(acceleration, i, n, c);
    return rigidField(physical, field).dot(physical.fullMass * a);
  }
};

Restored restored(const std::string& deck) {
  const test::ScratchFolder folder;
  const Study study = test::studyOf(deck);
  const auto simulation = prepare(study);
  const std::filesystem::path result = folder.path() / "run.h5";
  const RunSummary summary =
      runStudy(study, *simulation, {.result = result, .force = true, .progress = false});
  EXPECT_EQ(summary.report.status, RunStatus::complete);
  RestoreRequest request;
  request.output = folder.path() / "restored.h5";
  request.fields = {Kinematic::acceleration};
  request.reactions = true;
  request.progress = false;
  restoreResult(result, request);
  const H5File file = H5File::open(request.output);
  return {simulation->physical, study.nodes.size(), file.read("/physical/time").values,
          file.read("/physical/reaction").values, file.read("/physical/acceleration").values};
}

/// Sum of the reactions along y and z and the force against the rate of the momentum: gyroscopic moments have
/// no resultant, but parts of them at the supports.
void expectBalance(const Restored& run, const std::function<double(double, int)>& force) {
  double largest = 0.0;
  for (const double r : run.reaction) largest = std::max(largest, std::abs(r));
  ASSERT_GT(largest, 1.0);
  for (std::size_t i = 0; i < run.times.size(); ++i)
    for (const int c : {1, 2}) {
      std::array<double, kComponents> field{};
      field[static_cast<std::size_t>(c)] = 1.0;
      const double sum = run.at(run.reaction, i, 0, c) + run.at(run.reaction, i, 1, c);
      EXPECT_NEAR(sum + force(run.times[i], c), run.momentumRate(i, field), 1e-9 * largest)
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
  EXPECT_GT(difference, 10.0);  // it does something
}

TEST(RestoredReaction, BalancesAShaftWhoseSpinVaries) {
  expectBalance(restored(shaft("\"speed\"", kPush)), none);
}

TEST(RestoredReaction, TakesUpWhatALoadPutsOnTheSupports) {
  // near the supports part of the load goes to them directly
  const std::string load =
      "[[loads]]\nbeam = \"shaft\"\nforce = [0.0, 300.0, 100.0]\nspeed = 60.0\n"
      "[[loads]]\nnodes = [\"right\"]\nforce = [0.0, 5.0, 0.0]\n";
  expectBalance(restored(shaft("1000.0", load)), [](double t, int c) {
    const double moving = t <= 1.0 / 60.0 ? (c == 1 ? 300.0 : 100.0) : 0.0;
    return moving + (c == 1 ? 5.0 : 0.0);
  });
}

const double kMass = 7800.0 * std::numbers::pi * 0.03 * 0.03;  // [kg]

/// The parts of the mass that supports hold have a weight too.
TEST(RestoredReaction, HoldsTheWholeWeight) {
  const Restored run = restored(shaft("0.0", kPush + "[gravity]\nacceleration = [0, -9.0, 30.0]\n"));
  expectBalance(run, [](double, int c) { return kMass * (c == 1 ? -9.0 : 30.0); });
}

/// ... and are carried along where the base moves, by s = sin(40 t)/1600.
TEST(RestoredReaction, MovesTheWholeMassWithTheBase) {
  const std::string base = R"deck([functions.shake]
formula = "-sin(40*t)"
[[base_motions]]
direction = [0, 1, 0]
acceleration = "shake"
)deck";
  const Restored run = restored(shaft("0.0", kPush + base));
  expectBalance(run, [](double t, int c) { return c == 1 ? kMass * std::sin(40.0 * t) : 0.0; });
}

}  // namespace
}  // namespace ricochet
