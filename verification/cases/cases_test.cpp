#include "engine/event/event_scheme.hpp"
#include "io/app/runs/run_study.hpp"
#include "io/deck/deck.hpp"
#include "io/prepare/prepare.hpp"
#include "io/quantities/checks/checks.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <string>
#include <vector>

namespace ricochet {
namespace {

Deck studyOf(const std::string& deck) { return readDeck(std::filesystem::path(RICOCHET_CASES_DIR) / deck); }

RunSummary runOf(const Deck& study) {
  return runStudy(study, *prepare(study), {.result = {}, .force = false, .progress = false});
}

class CaseTest : public testing::TestWithParam<std::string> {};

/// Largest energy error that is allowed in a case: the common limit, unless the case has a check of the
/// energy error with another limit (schemes of first order that serve for comparison).
double energyLimit(const Deck& study) {
  const auto own = std::find_if(study.checks.begin(), study.checks.end(), [](const CheckRequest& check) {
    return check.quantity->isNumberOfRun(OfRun::energyError);
  });
  return own == study.checks.end() ? 1e-3 : std::max(1e-3, own->absolute.value_or(0.0));
}

TEST_P(CaseTest, MeetsItsChecksAndClosesItsEnergyLedger) {
  Deck study = studyOf(GetParam());
  const auto modal = prepare(study);
  if (!study.transient) {  // all checks concern the basis, so that no run is needed
    const std::vector<CheckResult> results = CheckCollector(study, *modal).evaluateChecks(nullptr, nullptr);
    EXPECT_FALSE(results.empty());
    for (const CheckResult& result : results) EXPECT_TRUE(result.passed) << formatChecks({result});
    return;
  }
  const RunSettings quiet{.result = {}, .force = false, .progress = false};
  const auto isDirect = [](const CheckRequest& check) { return check.direct; };
  const bool anyDirect = std::any_of(study.checks.begin(), study.checks.end(), isDirect);
  const bool allDirect = std::all_of(study.checks.begin(), study.checks.end(), isDirect);
  // The modal run is made even if all checks concern the direct run, because the test checks the energy
  // ledger.
  std::vector<RunSummary> runs{runStudy(study, *modal, quiet)};
  EXPECT_LT(runs.front().report.energyError, energyLimit(study));
  if (anyDirect) runs.push_back(runStudy(study, *prepareDirectSimulation(study, modal.get()), quiet));
  ASSERT_FALSE(study.checks.empty());
  for (std::size_t i = allDirect ? 1 : 0; i < runs.size(); ++i) {
    ASSERT_EQ(runs[i].report.status, RunStatus::complete);
    ASSERT_FALSE(runs[i].checks.empty());
    EXPECT_TRUE(runs[i].haveAllChecksPassed()) << formatChecks(runs[i].checks);
  }
  if (modal->scheme != kEventScheme || !reasonAgainstLongSteps(modal->model).empty()) return;
  for (const Propagator propagator : {Propagator::taylor, Propagator::chebyshev}) {
    study.transient->options.propagator = propagator;
    const RunSummary summary = runOf(study);
    EXPECT_TRUE(summary.haveAllChecksPassed()) << formatChecks(summary.checks);
    EXPECT_EQ(summary.report.status, RunStatus::complete);
  }
}

/// Every deck of the folder, and of the folders in it, is a case.
std::vector<std::string> allDecks() {
  const std::filesystem::path folder = RICOCHET_CASES_DIR;
  std::vector<std::string> decks;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(folder))
    if (entry.path().extension() == ".toml")
      decks.push_back(std::filesystem::relative(entry.path(), folder).generic_string());
  std::sort(decks.begin(), decks.end());
  return decks;
}

INSTANTIATE_TEST_SUITE_P(Decks, CaseTest, testing::ValuesIn(allDecks()), [](const auto& deck) {
  std::string name = deck.param;
  for (char& c : name)
    if (std::isalnum(static_cast<unsigned char>(c)) == 0) c = '_';
  return name;
});

TEST(CaseTest, SlotAndImposedForceAreTheSameProblem) {
  // A penetration of 1 m on 1e4 N/m that no mode can change gives a constant normal force of 1e4 N.
  Deck slot = studyOf("sdnd106-a.toml");
  Deck imposed = studyOf("sdnd106-a.toml");
  imposed.contacts[0].obstacle = NoObstacle{};
  imposed.contacts[0].normal = ImposedForce{};
  imposed.contacts[0].imposedForce = TimeFunction::constant(1.0e4);
  const RunSummary a = runOf(slot);
  const RunSummary b = runOf(imposed);
  ASSERT_EQ(a.checks.size(), b.checks.size());
  // The normal force of the slot is 1e4 (1.01 - 0.01) N, that is 1e4 N within rounding; friction does not
  // amplify this rounding.
  for (std::size_t i = 0; i < a.checks.size(); ++i)
    EXPECT_NEAR(*a.checks[i].computed, *b.checks[i].computed, 1e-11) << a.checks[i].where;
}

TEST(CaseTest, MovingPairAndFixedSlotAreTheSameProblem) {
  const RunSummary a = runOf(studyOf("sdnd100-a.toml"));
  const RunSummary b = runOf(studyOf("sdnd100-b.toml"));
  // The four extrema of about 1e-4 m are equal within the rounding of the gap.
  for (std::size_t i = 0; i < 4; ++i) EXPECT_NEAR(*a.checks[i].computed, *b.checks[i].computed, 1e-16);
}

TEST(CaseTest, LoadCutIsExactWhereverItFallsInAStep) {
  // x2 just after the end of the load was wrong by 5e-4 in the earlier program, which samples the load on its
  // grid; here the steps are split at the jump.
  const double exact = 3.968599749832149;  // problem F02, penalised stick with a dashpot, at 0.339965 s
  for (const double step : {1.0e-5, 1.03e-5, 0.97e-5}) {
    Deck study = studyOf("sdnd106-a.toml");
    study.transient->step = step;
    const RunSummary summary = runOf(study);
    EXPECT_NEAR(*summary.checks[5].computed, exact, 5e-5 * exact) << "step " << step;
    EXPECT_NEAR(*summary.checks[5].computed, exact, 1e-6) << "step " << step;
  }
}

TEST(CaseTest, RigidBodyModeIsExactlyZero) {
  const Deck study = studyOf("sdnd106-a.toml");
  const auto simulation = prepare(study);
  EXPECT_EQ(simulation->basis.eigenvalue[0], 0.0);
  EXPECT_EQ(simulation->basis.rigidModes, 1);
}

TEST(CaseTest, CheckAtAnEventLooksThere) {
  Deck study = studyOf("sdnd106-a.toml");
  CheckRequest check;
  check.quantity = findCheckQuantity("velocity");
  check.node = NodeIndex{0};
  check.dof = Component::ux;
  check.at = CheckRequest::EventAt{0, EventKind::slipToStick, 1};
  check.reference = 0.0;
  check.absolute = 1e-3;  // velocity of the shoe when it stops; one step earlier it is 4e-3 m/s
  study.checks = {check};
  const RunSummary summary = runOf(study);
  ASSERT_TRUE(summary.checks[0].computed.has_value());
  EXPECT_NEAR(*summary.checks[0].time, 0.3149313410604321, 1e-8);
  EXPECT_TRUE(summary.haveAllChecksPassed()) << formatChecks(summary.checks);
}

}  // namespace
}  // namespace ricochet
