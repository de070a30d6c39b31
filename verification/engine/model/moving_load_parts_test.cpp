// Parts of moving loads: nodal forces, the path, the place among the loads of a run.

#include "engine/accounts/checkpoint.hpp"
#include "engine/lanes/lane_run.hpp"
#include "engine/model/excitation.hpp"
#include "engine/study/moving_loads.hpp"
#include "engine/study/run_transient.hpp"
#include "io/prepare/prepare.hpp"
#include "physical/dense_solvers.hpp"
#include "verification/support/allocation_counter.hpp"
#include "verification/support/deck_file.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <vector>

namespace ricochet {
namespace {

using test::studyOf;

/// Two beams of 2 m and 3 m in line, pinned at both outer ends; `loads` is appended.
std::string chainDeck(const std::string& theory, const std::string& loads) {
  return fmt::format(R"deck(
[[nodes]]
name = "a"
position = [0.0, 0.0, 0.0]
[[nodes]]
name = "b"
position = [0.0, 2.0, 0.0]
[[nodes]]
name = "c"
position = [0.0, 5.0, 0.0]
[materials.steel]
young = 2.0e11
poisson = 0.25
density = 8000.0
[sections.bar]
type = "general"
area = 0.01
iy = 2.0e-4
iz = 2.0e-4
torsion = 3.0e-4
shear_y = 0.004
shear_z = 0.004
[[beams]]
name = "short"
nodes = ["a", "b"]
elements = 2
material = "steel"
section = "bar"
theory = "{0}"
[[beams]]
name = "long"
nodes = ["b", "c"]
elements = 2
material = "steel"
section = "bar"
theory = "{0}"
[[supports]]
nodes = "all"
fixed = ["uy", "uz", "rx", "ry"]
[[supports]]
nodes = ["a", "c"]
fixed = ["ux"]
[basis]
all = true
damping_ratio = 0.0
{1}
[transient]
duration = 1.0
)deck",
                     theory, loads);
}

MovingLoad loadOf(const std::string& keys, const std::string& theory = "euler_bernoulli") {
  const Deck study = studyOf(chainDeck(
      theory, "[[loads]]\nbeam = [\"short\", \"long\"]\nforce = [1000.0, 0.0, 0.0]\n" + keys + "\n"));
  return prepare(study)->model.loads.movingLoads().front();
}

/// Deflection at x of a pinned beam under P at a: P b x (L^2 - b^2 - x^2)/(6 L E I) up to the load, and shear
/// P b x/(L G As).
double deflection(double x, double at, bool shear) {
  const double length = 5.0, rigidity = 2.0e11 * 2.0e-4;
  if (x > at) return deflection(length - x, length - at, shear);
  const double b = length - at;
  return 1000.0 * b * x / length *
         ((length * length - b * b - x * x) / (6.0 * rigidity) + (shear ? 1.0 / (0.8e11 * 0.004) : 0.0));
}

TEST(MovingLoadParts, NodesMoveAsUnderTheLoadItself) {
  // Static deflections of nodes are exact with consistent forces, wherever on an element the load acts.
  for (const std::string theory : {"euler_bernoulli", "timoshenko"}) {
    const Deck study =
        studyOf(chainDeck(theory,
                          "[[loads]]\nbeam = [\"short\", \"long\"]\nforce = [1000.0, 0.0, 0.0]\n"
                          "speed = 5.0\n"));
    const auto simulation = prepare(study);
    LoadCursors run(simulation->model.loads);
    run.rewind();
    run.advanceTimeFunctions(0.0, 0.0);
    std::vector<double> factors(MovingLoad::kTerms);
    for (const double x : {0.1, 0.99, 1.3, 2.0, 2.7, 3.5, 4.2, 4.9}) {
      run.at(x / 5.0, factors.data());
      const Eigen::Map<const Matrix> shapes(run.shapes(), simulation->initial.q.size(), MovingLoad::kTerms);
      const Vector load = shapes * Eigen::Map<const Vector>(factors.data(), MovingLoad::kTerms);
      const Eigen::Index m = simulation->basis.size();
      const Vector q = load.head(m).cwiseQuotient(simulation->basis.eigenvalue);
      for (const auto& [node, place] : {std::pair{3, 1.0}, {1, 2.0}, {4, 3.5}}) {
        const double u = simulation->row({NodeIndex{node}, Component::ux}).dot(q);
        const double exact = deflection(place, x, theory == "timoshenko");
        EXPECT_NEAR(u, exact, 1e-10 * std::abs(exact)) << theory << " " << x << " " << place;
      }
    }
  }
}

TEST(MovingLoadParts, GoesFromBeamToBeam) {
  const MovingLoad load = loadOf("speed = 10.0\nstart = 0.1");
  const std::vector<double> expected{0.1, 0.2, 0.3, 0.45, 0.6};
  const std::vector<double> instants = load.beginTimesOfLoadStages(true);
  ASSERT_EQ(instants.size(), expected.size());
  for (std::size_t i = 0; i < expected.size(); ++i) EXPECT_NEAR(instants[i], expected[i], 1e-15);
  EXPECT_EQ(load.beginTimesOfLoadStages(false).size(), 2U);  // a load that travels forth and back
  std::vector<int> elements;
  for (const MovingLoad::Stage& stage : load.stagesOfMovingLoad()) elements.push_back(stage.element);
  EXPECT_EQ(elements, (std::vector<int>{MovingLoad::kOff, 0, 1, 2, 3, MovingLoad::kOff}));
}

TEST(MovingLoadParts, GoesBackAndRestsAndIsMovedAtOnce) {
  const auto stagesOf = [](const std::string& keys) {
    std::string text;
    const MovingLoad load = loadOf(keys);
    for (const MovingLoad::Stage& stage : load.stagesOfMovingLoad())
      text += fmt::format("{:.6g}:{}{} ", stage.begin, stage.element, stage.jumps ? "!" : "");
    return text;
  };
  EXPECT_EQ(stagesOf("speed = -5.0\nfrom = 5.0"), "-inf:-1 0:3! 0.3:2 0.6:1 0.8:0 1:-1! ");
  EXPECT_EQ(stagesOf("speed = 0.0\nfrom = 2.0"), "-inf:2! ");
  EXPECT_EQ(stagesOf("position = 5.0"), "-inf:3! ");  // the ends belong to the beams
  EXPECT_EQ(stagesOf("position = 5.1"), "-inf:-1 ");
  EXPECT_EQ(stagesOf("position = \"way\"\n[functions.way]\ntimes = [0.0, 0.25, 0.25, 1.0]\n"
                     "values = [0.5, 1.5, 4.0, 4.0]\nbefore = \"constant\""),
            "-inf:0! 0.125:1 0.25:3! ");
}

TEST(MovingLoadParts, PassesElementsWithoutTakingMemory) {
  if (!test::AllocationCounter::available()) GTEST_SKIP() << "malloc belongs to the sanitizer";
  const MovingLoad load = loadOf("speed = 5.0");
  const Eigen::Index size = load.shapes().rows();
  const Excitation excitation({}, size, {load});
  ExcitationRun run(excitation, paddedSize(size));
  Vector q = Vector::Zero(paddedSize(size));
  Vector force = q;
  run.start(0.0, q);
  const test::AllocationCounter allocations;
  for (int i = 1; i <= 1000; ++i) {
    run.advanceTimeFunctions(1e-3 * (i - 1), 1e-12, force);
    run.evaluateLoads(1e-3 * i, force);
    run.acceptStep();
  }
  EXPECT_EQ(allocations.count(), 0);
}

TEST(MovingLoadParts, GoesOnFromACheckpoint) {
  const MovingLoad load = loadOf("speed = 5.0");
  const Eigen::Index size = load.shapes().rows();
  const Excitation excitation({}, size, {load});
  ExcitationRun run(excitation, paddedSize(size)), again(excitation, paddedSize(size));
  Vector force = Vector::Zero(paddedSize(size)), same = force;
  run.start(0.0, force);
  again.start(0.0, force);
  for (int i = 0; i < 50; ++i) {
    run.advanceTimeFunctions(0.01 * i, 1e-12, force);
    run.evaluateLoads(0.01 * (i + 1), force);
    run.acceptStep();
  }
  std::vector<std::byte> bytes;
  CheckpointWriter writer(bytes);
  run.serialise(writer);
  CheckpointReader reader(bytes);
  again.serialise(reader);
  run.evaluateLoads(0.52, force);
  again.evaluateLoads(0.52, same);
  EXPECT_EQ(force, same);
  EXPECT_GT(force.norm(), 0.0);
}

TEST(MovingLoadParts, IsNotForLanes) {
  const Deck study =
      studyOf(chainDeck("timoshenko", "[[loads]]\nbeam = \"short\"\nforce = [1.0, 0.0, 0.0]\nspeed = 1.0\n"));
  const auto simulation = prepare(study);
  TransientOptions options;
  options.end = 1.0;
  options.step = 1e-3;
  EXPECT_EQ(batch::reasonAgainstLanes("kick_drift", simulation->model, options),
            "a load moves along the structure");
}

}  // namespace
}  // namespace ricochet
