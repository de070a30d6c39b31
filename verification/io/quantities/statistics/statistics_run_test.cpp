// Statistics of contacts during a run: memory, files, resumed runs, a random load of 20 s.

#include "engine/model/modal_equation.hpp"
#include "engine/study/run_transient.hpp"
#include "io/app/runs/run_study.hpp"
#include "io/hdf5/hdf5.hpp"
#include "io/prepare/run_options.hpp"
#include "verification/support/allocation_counter.hpp"
#include "verification/support/datasets.hpp"
#include "verification/support/deck_file.hpp"
#include "verification/support/program.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <fstream>
#include <string>

namespace ricochet {
namespace {

namespace fs = std::filesystem;
using test::ScratchFolder;
using testing::HasSubstr;

const std::string kStatistics =
    "[statistics]\nwindows = [[0, 0.1], [0.05, 0.2]]\nrest_time = 0.004\nbins = 32\nimpact_table = true\n";

/// Passes the pieces of a run to the statistics.
struct Feeder : TransientObserver {
  explicit Feeder(ContactStatistics& fed) : statistics(fed) {}
  ContactStatistics& statistics;
  void archive(const StepView&) override {}
  void onEvents(std::span<const Event>) override { statistics.forgetPassedEvents(); }
  void onInstantInsideStep(double begin, double end, std::size_t index, const StepView& view) override {
    statistics.onInstantInsideStep(begin, end, index, view);
  }
};

long allocationsOf(const std::string& scheme, double duration) {
  std::string deck =
      test::bouncer(duration, "[statistics]\nbins = 16\nwindows = [[0, 0.02], [0.01, 0.03]]\n");
  deck.replace(deck.find("scheme = \"kick_drift\""), 21, "scheme = \"" + scheme + "\"");
  const Deck study = test::studyOf(deck);
  const auto simulation = prepare(study);
  ModalEquation equation(simulation->model);
  ContactStatistics statistics(study, *simulation);
  statistics.followContacts(equation.contacts());
  Feeder feeder(statistics);
  State state = simulation->initial;
  TransientOptions options = transientOptionsOf(study, *simulation);
  options.within = statistics.parts();
  options.archiveEvery = 1 << 30;
  const test::AllocationCounter counter;
  run(simulation->scheme, equation, state, options, feeder);
  statistics.finishAtTime(duration);
  const long count = counter.count();
  EXPECT_GT(statistics.contactFollowers().front().windowTotals().front().impacts.count, 5.0);
  return count;
}

/// A mass of 1 kg that slides at 2 m/s under 5 N; its run is stopped after 1 s of 8 s: the windows end there,
/// and means cover the time until then.
TEST(StatisticsRun, WindowsOfARunThatIsStoppedEndWhereItDid) {
  struct Stopping : Feeder {
    using Feeder::Feeder;
    bool onProgress(double time, long long) override { return time < 1.0; }
  };
  for (const std::string scheme : {"kick_drift", "rk54"}) {
    const Deck study = test::studyOf(
        "[[nodes]]\nname = \"a\"\nposition = [0, 0, 0]\n[[masses]]\nnodes = \"all\"\nmass = 1.0\n"
        "[[supports]]\nnodes = \"all\"\nfixed = [\"uy\", \"uz\"]\n[basis]\nall = true\n"
        "[initial]\nvelocity = [ { node = \"a\", value = [2, 0, 0] } ]\n"
        "[[contacts]]\nname = \"sole\"\nnode = \"a\"\nobstacle = { type = \"none\", normal = [0, 0, 1] }\n"
        "normal = { force = 5.0 }\n[transient]\nduration = 8.0\nstep = 1e-4\nscheme = \"" +
        scheme + "\"\n" + (scheme == "rk54" ? "step_max = 1e-4\n" : "") +
        "[statistics]\nwindows = [[0.5, 8.0], [0.25, 0.5], [6.0, 7.0]]\n");
    const auto simulation = prepare(study);
    ModalEquation equation(simulation->model);
    ContactStatistics statistics(study, *simulation);
    statistics.followContacts(equation.contacts());
    Stopping stopping(statistics);
    State state = simulation->initial;
    TransientOptions options = transientOptionsOf(study, *simulation);
    options.within = statistics.parts();
    const Report report = run(simulation->scheme, equation, state, options, stopping);
    ASSERT_EQ(report.status, RunStatus::interrupted) << scheme;
    ASSERT_GE(report.time, 1.0) << scheme;
    ASSERT_LT(report.time, 8.0) << scheme;
    statistics.finishAtTime(report.time);
    const double ends[] = {report.time, report.time, 0.5, 6.0}, starts[] = {0.0, 0.5, 0.25, 6.0};
    for (std::size_t w = 0; w < 4; ++w) {
      const WindowTotals& window = *statistics.findTotals(0, w);
      EXPECT_EQ(window.from, starts[w]) << scheme << w;
      EXPECT_EQ(window.to, ends[w]) << scheme << w;
      EXPECT_NEAR(window.covered, ends[w] - starts[w], 1e-9) << scheme << w;
      EXPECT_NEAR(statisticColumn("wear_power")->value(window, nullptr), w == 3 ? 0.0 : 10.0, 1e-9)
          << scheme << w;
    }
  }
}

TEST(StatisticsRun, TakesNoMemoryInItsSteps) {
  if (!test::AllocationCounter::available()) GTEST_SKIP() << "malloc belongs to the sanitizer";
  for (const std::string scheme : {"event", "kick_drift", "newmark"})
    EXPECT_EQ(allocationsOf(scheme, 0.9), allocationsOf(scheme, 0.5)) << scheme;
}

TEST(StatisticsRun, LeavesThemInTheResult) {
  const ScratchFolder folder;
  folder.write("deck.toml", test::bouncer(0.3, kStatistics));
  const test::CommandOutcome outcome = folder.ricochet("run deck.toml");
  ASSERT_EQ(outcome.status, 0) << outcome.output;
  EXPECT_THAT(outcome.output, HasSubstr("contact     from s       to s  impacts   global"));
  const H5File file = H5File::open(folder.path() / "deck.h5");
  const std::string group = "/contacts/stops";
  EXPECT_EQ(file.readAny(group + "/statistics/from").values, (std::vector<double>{0.0, 0.05}));
  EXPECT_EQ(file.meaning(group + "/statistics/wear_power").units, "W");
  EXPECT_FALSE(file.hasAttribute(group, "wear_volume")) << "no coefficient";
  // The table, the numbers and the histograms agree.
  const auto starts = file.readAny(group + "/impacts/start").values;
  const auto rebounds = file.readAny(group + "/impacts/rebounds").values;
  EXPECT_EQ(static_cast<double>(starts.size()), file.numberAttribute(group, "global_impacts"));
  double impacts = static_cast<double>(starts.size()), impulse = 0.0;
  for (const double each : rebounds) impacts += each;
  EXPECT_EQ(impacts, static_cast<double>(file.integerAttribute(group, "impacts")));
  for (const double each : file.readAny(group + "/impacts/impulse").values) impulse += each;
  EXPECT_NEAR(impulse, file.numberAttribute(group, "impulse"), 1e-9 * impulse);
  const auto peaks = file.readAny(group + "/impacts/peak_force").values;
  EXPECT_EQ(*std::max_element(peaks.begin(), peaks.end()), file.numberAttribute(group, "impact_peak_max"));
  const auto counted = file.readAny(group + "/histograms/impact_peak/weight");
  EXPECT_EQ(counted.shape, (H5Shape{2, 32}));
  const auto inWindow = file.readAny(group + "/statistics/impacts").values;
  for (std::size_t w = 0; w < 2; ++w) {
    double sum = 0.0, time = 0.0;
    const auto gaps = file.readAny(group + "/histograms/gap/weight").values;
    for (std::size_t i = 0; i < 32; ++i) {
      sum += counted.values[32 * w + i];
      time += gaps[32 * w + i];
    }
    EXPECT_EQ(sum, inWindow[w]);
    EXPECT_NEAR(time, w == 0 ? 0.1 : 0.15, 1e-12);
  }
  EXPECT_TRUE(file.isScaleAttached(group + "/impacts/impulse", group + "/impacts/start", 0));
}

TEST(StatisticsRun, GoesOnWhereARunWasKilled) {
  for (const std::string scheme : {"kick_drift", "event"}) {
    std::string deck = test::bouncer(scheme == "event" ? 300.0 : 4.0, kStatistics);
    deck.replace(deck.find("every = 100"), 11, scheme == "event" ? "every = 1" : "every = 2");
    deck.replace(deck.find("kick_drift"), 10, scheme);
    const ScratchFolder folder;
    folder.write("deck.toml", deck);
    ASSERT_EQ(folder.ricochet("run deck.toml -q -o whole.h5").status, 0);
    {
      test::Child run = folder.start("run deck.toml -q");
      ASSERT_TRUE(
          run.waitForSize(folder.path() / "deck.h5.partial", scheme == "event" ? 5'000'000 : 20'000'000));
      EXPECT_EQ(run.finish(SIGKILL).signal, SIGKILL);
    }
    ASSERT_TRUE(fs::exists(folder.path() / "deck.h5.partial"));
    const test::CommandOutcome outcome = folder.ricochet("run deck.toml --resume");
    ASSERT_EQ(outcome.status, 0) << outcome.output;
    EXPECT_THAT(outcome.output, HasSubstr("resumed at t"));
    test::expectSameDatasets(folder.path() / "whole.h5", folder.path() / "deck.h5");
    const H5File whole = H5File::open(folder.path() / "whole.h5"),
                 parts = H5File::open(folder.path() / "deck.h5");
    EXPECT_GT(whole.shape("/contacts/stops/impacts/start").front(), 100U);
    for (const std::string name : {"global_impacts", "wear_power", "impact_velocity_mean", "gap_rms"})
      EXPECT_EQ(whole.numberAttribute("/contacts/stops", name),
                parts.numberAttribute("/contacts/stops", name));
  }
}

/// S01_random_tube_support.json: 1 kg, 20 Hz, 5 %, between stops of 2e6 N/m at 0.5 mm under a random force
/// given by a table of 1 ms; statistics over 1 < t < 20 s with their spread over 24 runs that start 1e-9 m
/// apart.
TEST(StatisticsRun, OfARandomlyShakenTubeAreThePublishedOnes) {
  const ScratchFolder folder;
  std::string table = "t fx\n";
  std::uint32_t dice = 12345;
  const auto draw = [&dice] {
    dice = 1664525U * dice + 1013904223U;
    return 20.0 * std::sqrt(3.0) * (2.0 * dice / 4294967296.0 - 1.0);
  };
  double square = 0.0;
  std::vector<double> first;
  constexpr int kRows = 20001;
  for (int i = 0; i < kRows; ++i) {
    const double fx = draw();
    draw();  // that of y
    table += fmt::format("{:.17g} {:.17g}\n", i / 1000.0, fx);
    square += fx * fx;
    if (i < 4) first.push_back(fx);
  }
  EXPECT_NEAR(first[0], -33.227476618938255, 1e-12);
  EXPECT_NEAR(first[3], -0.284790357956882, 1e-12);
  EXPECT_NEAR(std::sqrt(square / kRows), 19.988095750124103, 1e-10);
  folder.write("force.txt", table);
  const double omega = 2.0 * 3.14159265358979323846 * 20.0;
  const auto deck = folder.write(
      "s01.toml",
      fmt::format(
          "[[nodes]]\nname = \"tube\"\nposition = [0, 0, 0]\n[[masses]]\nnodes = \"all\"\nmass = 1.0\n"
          "[[springs]]\nnodes = [\"tube\"]\nstiffness = [{:.17g}, 0, 0]\n"
          "[[supports]]\nnodes = \"all\"\nfixed = [\"uy\", \"uz\"]\n"
          "[basis]\nall = true\ndamping_ratio = 0.05\n"
          "[functions.force]\nfile = \"force.txt\"\ncolumns = [\"t\", \"fx\"]\n"
          "[[loads]]\nnodes = [\"tube\"]\nforce = [1, 0, 0]\nscale = \"force\"\n"
          "[[contacts]]\nname = \"support\"\nnode = \"tube\"\n"
          "obstacle = {{ type = \"slot\", axis = [0, 0, 1], direction = [1, 0, 0], gap = 0.5e-3 }}\n"
          "normal = {{ stiffness = 2.0e6 }}\n"
          "[transient]\nduration = 20.0\nscheme = \"event\"\n[statistics]\nwindows = [[1, 20]]\n",
          omega * omega));
  const Deck study = readDeck(deck);
  const RunSummary summary = runStudy(study, *prepare(study), nullptr, false);
  ASSERT_EQ(summary.report.status, RunStatus::complete);
  const auto value = [&](std::string_view name) {
    return statisticColumn(name)->value(summary.statistics.front().windows[1], nullptr);
  };
  struct Published {
    std::string_view name;
    double mean, spread;
  };
  for (const Published& each :
       {Published{"position_1_rms", 3.46826827e-4, 2.98e-6},
        Published{"normal_force_mean", 22.129545654, 1.44}, Published{"normal_force_rms", 69.27868982, 3.48},
        Published{"peak_force", 655.1173178, 77.7}, Published{"share_slip", 0.16249612946, 0.00595},
        Published{"impacts", 1441.5416667, 50.4}})
    EXPECT_NEAR(value(each.name), each.mean, 3.0 * each.spread) << each.name;
}

/// x = a cos(w t) over ten periods is between two positions for T/pi (asin(x2/a) - asin(x1/a)): bins of the
/// gap with event, whose steps are half a period long.
TEST(StatisticsRun, HistogramsOfEventAreThoseOfTheMotion) {
  const test::ScratchFolder folder;
  std::string deck =
      test::bouncer(0.6283185307179586, "[statistics]\nbins = 40\nranges.gap = [0.001, 0.009]\n");
  const auto replace = [&deck](const std::string& old, const std::string& with) {
    deck.replace(deck.find(old), old.size(), with);
  };
  replace("0.009, 0, 0", "0.004, 0, 0");
  replace("{ type = \"slot\", axis = [0, 0, 1], direction = [1, 0, 0], gap = 0.005 }",
          "{ type = \"plane\", normal = [-1, 0, 0], gap = 0.005 }");
  replace("kick_drift\"\nstep = 1.0e-5", "event\"");
  folder.write("deck.toml", deck);
  const test::CommandOutcome run = folder.ricochet("run deck.toml -q");
  ASSERT_EQ(run.status, 0) << run.output;
  const H5File result = H5File::open(folder.path() / "deck.h5");
  const std::vector<double> edges = result.readAny("/contacts/stops/histograms/gap/edges").values;
  const std::vector<double> weights = result.readAny("/contacts/stops/histograms/gap/weight").values;
  ASSERT_EQ(weights.size(), 40u);
  const auto angle = [](double gap) { return std::asin(std::clamp((gap - 0.005) / 0.004, -1.0, 1.0)); };
  for (std::size_t i = 0; i < weights.size(); ++i) {
    const double expected = 0.2 * (angle(edges[i + 1]) - angle(edges[i]));
    EXPECT_NEAR(weights[i], expected, 1e-3 * expected) << i;
  }
}

}  // namespace
}  // namespace ricochet
