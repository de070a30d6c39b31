#include "io/app/runs/comparison.hpp"
#include "verification/support/deck_file.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <string>

namespace ricochet {
namespace {

constexpr int kMasses = 60;
constexpr double kMass = 0.5;       // [kg]
constexpr double kSpring = 2.0e5;   // stiffness between neighbours and at the ends [N/m]
constexpr double kContact = 3.0e4;  // [N/m]
constexpr int kAt = 20;             // index of the mass at the stop, from 1
constexpr double kPush = 2.0;       // force on each mass, times sin(pi j / 61) [N]

/// A chain between fixed ends, pressed on one stop by forces in the shape of its first mode until it is at
/// rest.
std::string pressedChain(std::string_view basis) {
  std::string deck = "nodes = [\n";
  for (int j = 1; j <= kMasses; ++j)
    deck += fmt::format("  {{ name = \"n{}\", position = [{}, 0, 0] }},\n", j, j);
  deck += fmt::format("]\nmasses = [ {{ nodes = \"all\", mass = {} }} ]\nsprings = [\n", kMass);
  for (int j = 1; j < kMasses; ++j)
    deck += fmt::format("  {{ nodes = [\"n{}\", \"n{}\"], stiffness = [{}, 0, 0] }},\n", j, j + 1, kSpring);
  for (const int end : {1, kMasses})
    deck += fmt::format("  {{ nodes = [\"n{}\"], stiffness = [{}, 0, 0] }},\n", end, kSpring);
  deck += "]\nloads = [\n";
  for (int j = 1; j <= kMasses; ++j)
    deck += fmt::format("  {{ nodes = [\"n{}\"], force = [{}, 0, 0], scale = \"ramp\" }},\n", j,
                        -kPush * std::sin(j * M_PI / (kMasses + 1)));
  return deck + fmt::format(R"(]
functions.ramp = {{ times = [0.0, 0.5, 10.0], values = [0.0, 1.0, 1.0] }}
[[supports]]
nodes = "all"
fixed = ["uy", "uz"]
[basis]
{}
rayleigh = {{ mass = 40.0 }}
[[contacts]]
name = "stop"
node = "n{}"
obstacle = {{ type = "plane", normal = [1, 0, 0], gap = 0.0 }}
normal = {{ stiffness = {} }}
[transient]
duration = 4.0
scheme = "newmark"
step = 1e-3
[output]
nodes = ["n{}"]
)",
                            basis, kAt, kContact, kAt);
}

double restingForce(const Deck& study, const Simulation& simulation) {
  Deck bare = study;
  bare.output.times = {study.transient->duration};
  struct Last : TransientObserver {
    void archive(const StepView&) override {}
    void onInstant(std::size_t, const StepView& view) override { force = view.contacts[0].normalForce; }
    double force{0.0};
  } last;
  const RunSummary summary = runStudy(bare, simulation, nullptr, false, {{study.transient->duration}, &last});
  EXPECT_EQ(summary.report.status, RunStatus::complete);
  return last.force;
}

TEST(Truncation, IndicatorPredictsTheErrorOfABasisWithoutResidualVectors) {
  // a: displacement at the stop without contact, alpha: flexibility there, k: stiffness of the stop, delta:
  // missing flexibility. At rest the force of the stop is k a / (1 + alpha k); with alpha - delta it is
  // larger by tau / (1 + alpha k - tau), tau = delta k: the indicator. The forces have the shape of a kept
  // mode, so that a is exact.
  const double omega = 2.0 * std::sqrt(kSpring / kMass) * std::sin(M_PI / (2.0 * (kMasses + 1)));
  const double a = kPush * std::sin(kAt * M_PI / (kMasses + 1)) / (kMass * omega * omega);
  const double alpha = kAt * (kMasses + 1.0 - kAt) / ((kMasses + 1.0) * kSpring);
  const double exact = kContact * a / (1.0 + alpha * kContact);

  const Deck study = test::studyOf(pressedChain("modes = 5"));
  const auto truncated = prepare(study);
  const double tau = truncated->truncation[0].indicator[0];
  EXPECT_GT(tau, 0.1);
  const double predicted = tau / (1.0 + alpha * kContact - tau);
  EXPECT_GT(predicted, 0.02);
  EXPECT_NEAR(restingForce(study, *truncated) / exact - 1.0, predicted, 1e-6);
  EXPECT_NEAR(restingForce(study, *prepareDirectSimulation(study, truncated.get())), exact, 1e-6 * exact);

  const Deck mended = test::studyOf(pressedChain("modes = 5\nresidual = \"contacts\""));
  const auto augmented = prepare(mended);
  EXPECT_LT(augmented->truncation[0].indicator[0], 1e-9);
  EXPECT_NEAR(augmented->truncation[0].withoutResidual[0], tau, 1e-9);
  EXPECT_NEAR(restingForce(mended, *augmented), exact, 1e-6 * exact);
}

TEST(Truncation, TwentyModesAndResidualVectorsFollowTheChainOf400) {
  const Deck study = readDeck(std::filesystem::path(RICOCHET_CASES_DIR) / "chain-400.toml");
  const auto modal = prepare(study);
  const auto direct = prepareDirectSimulation(study, modal.get());
  ASSERT_EQ(direct->size(), 800);
  ASSERT_EQ(modal->basis.modes(), 20);
  const Comparison comparison = compareModalAndDirectRuns(
      study, *modal, *direct, {.result = {}, .force = false, .progress = false, .causes = false});
  ASSERT_TRUE(comparison.areBothRunsComplete());
  // The histories are those of the three nodes at the stops.
  int seen = 0;
  for (const ComparedHistory& history : comparison.histories)
    if (history.quantity == "displacement" || history.quantity == "gap") {
      EXPECT_LT(history.relativeDifference(), 0.01) << history.quantity << ' ' << history.where;
      ++seen;
    }
  EXPECT_EQ(seen, 9);

  Deck bare = study;
  bare.basis.contactResiduals = false;
  const auto truncated = prepare(bare);
  const Comparison worse =
      compareModalAndDirectRuns(bare, *truncated, *prepareDirectSimulation(bare, truncated.get()),
                                {.result = {}, .force = false, .progress = false, .causes = false});
  EXPECT_GT(worse.causes.difference, 10.0 * comparison.causes.difference);
}

}  // namespace
}  // namespace ricochet
