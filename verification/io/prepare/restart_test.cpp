// Runs that continue from the end of an earlier run: [initial] restart.

#include "io/hdf5/hdf5.hpp"
#include "verification/support/program.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

namespace ricochet {
namespace {

using test::CommandOutcome;
using test::ScratchFolder;
using testing::HasSubstr;

/// Steps and halves of the run are powers of two, so that instants of both runs have the same bits.
constexpr double kStep = 1.0 / 8192.0;
constexpr double kHalf = 0.5;

struct Case {
  std::string scheme{"kick_drift"};
  std::string model{};
  std::string more{};  ///< keys of [transient]
  std::string direct{};
  double step{kStep};
};

/// A mass on a spring on a plane with friction under an alternating force, beside a mass that strikes a stop;
/// a spring couples both.
const std::string kShoeRun =
    "[[nodes]]\nname = \"shoe\"\nposition = [0, 0, 0]\n[[nodes]]\nname = \"ball\"\nposition = [1, 0, 0]\n"
    "[[masses]]\nnodes = \"all\"\nmass = 2.0\n"
    "[[springs]]\nnodes = [\"shoe\"]\nstiffness = [500, 300, 200]\n"
    "[[springs]]\nnodes = [\"shoe\", \"ball\"]\nstiffness = [800, 100, 50]\n"
    "[[springs]]\nnodes = [\"ball\"]\nstiffness = [3000, 2000, 1000]\n"
    "[functions.pull]\nformula = \"10*sin(11.5*t)\"\n"
    "[[loads]]\nnodes = [\"shoe\"]\nforce = [1.0, 0.4, 0.0]\nscale = \"pull\"\n"
    "[gravity]\nacceleration = [0, 0, -9.81]\n[basis]\nall = true\ndamping_ratio = 0.01\n";
const std::string kFriction =
    "[[contacts]]\nname = \"sole\"\nnode = \"shoe\"\n"
    "obstacle = { type = \"plane\", normal = [0, 0, 1], point = [0, 0, 2.0e-4] }\n"
    "normal = { stiffness = 1.0e5, damping = 20.0 }\n"
    "friction = { static = 0.4, dynamic = 0.3, stiffness = 2.0e4, damping = 30.0 }\n"
    "[[contacts]]\nname = \"stop\"\nnode = \"ball\"\n"
    "obstacle = { type = \"plane\", normal = [-1, 0, 0], gap = 2.0e-4 }\n"
    "normal = { stiffness = 4.0e4 }\n";
const std::string kPlastic =
    "[[links]]\nname = \"damper\"\nnodes = [\"shoe\", \"ball\"]\nlaw = \"elastoplastic\"\n"
    "displacement = [1.0e-3, 3.0e-3, 0.1]\nforce = [2.0, 3.0, 12.0]\nhardening = \"isotropic\"\n"
    "[[links]]\nname = \"soft\"\nnodes = [\"ball\"]\naxis = [1, 0, 0]\nlaw = \"zener\"\n"
    "stiffness_1 = 900.0\nstiffness_2 = 100.0\nstiffness_3 = 400.0\ndamping = 4.0\nexponent = 0.6\n";

std::string deckOf(const Case& run, double duration, const std::string& initial = {}) {
  return run.model + initial +
         fmt::format("[transient]\nduration = {}\nscheme = \"{}\"\n{}{}\n", duration, run.scheme,
                     run.step > 0.0 ? fmt::format("step = {:.17g}\n", run.step) : std::string(), run.more) +
         run.direct;
}

/// Files whole.h5, first.h5 and second.h5 of the whole run, of its first half and of the continuation.
void runBoth(const ScratchFolder& folder, const Case& run, const std::string& mode = "modal") {
  folder.write("whole.toml", deckOf(run, 2.0 * kHalf));
  folder.write("first.toml", deckOf(run, kHalf));
  folder.write("second.toml", deckOf(run, kHalf, "[initial]\nrestart = \"first.h5\"\n"));
  for (const char* name : {"whole", "first", "second"}) {
    const CommandOutcome outcome = folder.ricochet(fmt::format("run {}.toml -q --mode {}", name, mode));
    ASSERT_EQ(outcome.status, 0) << name << ": " << outcome.output;
  }
}

std::vector<double> rowAt(const H5File& file, const std::string& dataset, std::size_t row) {
  const H5Shape shape = file.shape(dataset);
  return file.readRows(dataset, row, 1, {shape.begin() + 1, shape.end()}).values;
}

/// Largest difference of common rows, relative to the largest value; the first row of `second` is the last
/// row of `first` and lies in the middle of `whole`.
double rowDifference(const ScratchFolder& folder, const std::string& dataset) {
  const H5File whole = H5File::open(folder.path() / "whole.h5");
  const H5File second = H5File::open(folder.path() / "second.h5");
  const std::vector<double> expected = whole.readAny(dataset).values, found = second.readAny(dataset).values;
  EXPECT_LT(found.size(), expected.size()) << dataset;
  const std::size_t shift = expected.size() - found.size();
  double largest = 0.0, worst = 0.0;
  for (std::size_t i = 0; i < found.size(); ++i) {
    largest = std::max(largest, std::abs(expected[shift + i]));
    worst = std::max(worst, std::abs(expected[shift + i] - found[i]));
  }
  EXPECT_GT(largest, 0.0) << dataset;
  return worst / largest;
}

void expectSame(const ScratchFolder& folder, const std::vector<std::string>& datasets, double tolerance) {
  for (const std::string& dataset : datasets) EXPECT_LE(rowDifference(folder, dataset), tolerance) << dataset;
}

const std::vector<std::string> kMotion{"/transient/time", "/transient/displacement", "/transient/velocity",
                                       "/physical/acceleration"};
const std::vector<std::string> kForces{"/contacts/sole/tangential_force", "/contacts/sole/normal_force",
                                       "/contacts/stop/normal_force"};
const std::vector<std::string> kLinks{"/links/damper/force",
                                      "/links/damper/plastic_displacement_1",
                                      "/links/damper/accumulated_plastic_displacement",
                                      "/links/damper/dissipated_energy",
                                      "/links/soft/force",
                                      "/links/soft/dashpot_displacement"};

TEST(Restart, GoesOnBitForBitUnderSchemesThatStep) {
  for (const char* scheme :
       {"kick_drift", "central_difference", "symplectic_euler", "newmark", "hht", "devogelaere"}) {
    const ScratchFolder folder;
    runBoth(folder, {.scheme = scheme, .model = kShoeRun + kFriction + kPlastic});
    if (HasFatalFailure()) return;
    SCOPED_TRACE(scheme);
    expectSame(folder, kMotion, 0.0);
    expectSame(folder, kForces, 0.0);
    expectSame(folder, kLinks, 0.0);
    // Internal variables are in use: the spring of the stick holds the shoe, links have yielded.
    const H5File second = H5File::open(folder.path() / "second.h5");
    EXPECT_EQ(second.readRows<std::int8_t>("/contacts/sole/state", 0, 1).values.front(), 1);  // stick
    EXPECT_GT(std::abs(rowAt(second, "/contacts/sole/tangential_force", 0).front()), 1.0);
    EXPECT_GT(rowAt(second, "/links/damper/accumulated_plastic_displacement", 0).front(), 1e-4);
    EXPECT_LT(second.numberAttribute("/energy", "error"), 1e-3);
  }
}

TEST(Restart, GoesOnBitForBitInPhysicalCoordinates) {
  for (const char* scheme : {"newmark", "hht", "central_difference"}) {
    const ScratchFolder folder;
    runBoth(folder,
            {.model = kShoeRun + kFriction + kPlastic,
             .direct = fmt::format("[direct]\nscheme = \"{}\"\n", scheme)},
            "direct");
    if (HasFatalFailure()) return;
    SCOPED_TRACE(scheme);
    expectSame(folder,
               {"/direct/physical/displacement", "/direct/physical/velocity", "/direct/physical/acceleration",
                "/direct/contacts/sole/tangential_force", "/direct/links/damper/force"},
               0.0);
  }
}

/// Rows at given instants, because steps of the event scheme end at other instants.
Case eventCase(const std::string& model) {
  return {.scheme = "event", .model = model, .more = "[output]\ninterval = 0.03125\n", .step = 0.0};
}

TEST(Restart, GoesOnToRoundingUnderEvent) {
  const ScratchFolder folder;
  runBoth(folder, eventCase(kShoeRun + kFriction));
  if (HasFatalFailure()) return;
  expectSame(folder, kMotion, 1e-11);
  expectSame(folder, kForces, 1e-10);
}

TEST(Restart, GoesOnFromTrueStickUnderEventAndMoreau) {
  std::string model = kShoeRun + kFriction;
  const std::string elastic = ", stiffness = 2.0e4, damping = 30.0 }";
  model.replace(model.find(elastic), elastic.size(), " }");
  for (const char* scheme : {"event", "moreau"}) {
    SCOPED_TRACE(scheme);
    const ScratchFolder folder;
    Case run = eventCase(model);
    run.scheme = scheme;
    if (run.scheme == "moreau") run.step = kStep;
    runBoth(folder, run);
    if (HasFatalFailure()) return;
    expectSame(folder, {"/transient/displacement", "/transient/velocity"}, 1e-11);
  }
}

TEST(Restart, AnotherSchemeTakesUpWhatContactsRemember) {
  const ScratchFolder folder;
  const Case steps{.model = kShoeRun + kFriction};
  const Case events = eventCase(kShoeRun + kFriction);
  folder.write("steps.toml", deckOf(steps, kHalf));
  folder.write("events.toml", deckOf(events, kHalf));
  folder.write("events-then-steps.toml", deckOf(steps, kHalf, "[initial]\nrestart = \"events.h5\"\n"));
  folder.write("steps-then-events.toml", deckOf(events, kHalf, "[initial]\nrestart = \"steps.h5\"\n"));
  for (const char* name : {"steps", "events", "events-then-steps", "steps-then-events"})
    ASSERT_EQ(folder.ricochet(fmt::format("run {}.toml -q", name)).status, 0) << name;
  for (const auto& [before, after] :
       {std::pair{"events", "events-then-steps"}, {"steps", "steps-then-events"}}) {
    const H5File earlier = H5File::open(folder.path() / fmt::format("{}.h5", before));
    const H5File later = H5File::open(folder.path() / fmt::format("{}.h5", after));
    const std::size_t last = earlier.shape("/contacts/sole/time").front() - 1;
    for (const char* dataset : {"/contacts/sole/tangential_force", "/contacts/sole/normal_force"}) {
      const std::vector<double> end = rowAt(earlier, dataset, last), start = rowAt(later, dataset, 0);
      ASSERT_GT(std::abs(end[0]), 1.0);
      for (std::size_t i = 0; i < end.size(); ++i)
        EXPECT_NEAR(start[i], end[i], 1e-3 * std::abs(end[0])) << after;
    }
    EXPECT_LT(later.numberAttribute("/energy", "error"), 1e-3);
  }
}

TEST(Restart, ContinuesARestart) {
  // Three thirds of the whole run in sequence.
  const ScratchFolder folder;
  const Case run{.model = kShoeRun + kFriction};
  folder.write("whole.toml", deckOf(run, 0.75));
  folder.write("one.toml", deckOf(run, 0.25));
  folder.write("two.toml", deckOf(run, 0.25, "[initial]\nrestart = \"one.h5\"\n"));
  folder.write("second.toml", deckOf(run, 0.25, "[initial]\nrestart = \"two.h5\"\n"));
  for (const char* name : {"whole", "one", "two", "second"})
    ASSERT_EQ(folder.ricochet(fmt::format("run {}.toml -q", name)).status, 0) << name;
  expectSame(folder, kMotion, 0.0);
  expectSame(folder, kForces, 0.0);
}

TEST(Restart, OtherLoadsTakeUpTheState) {
  // The load has ended: the shoe continues from its held position with the same spring force.
  const ScratchFolder folder;
  const Case run{.model = kShoeRun + kFriction};
  folder.write("first.toml", deckOf(run, kHalf));
  Case free = run;
  free.model.replace(free.model.find("10*sin(11.5*t)"), 14, "0");
  folder.write("second.toml", deckOf(free, kHalf, "[initial]\nrestart = \"first.h5\"\n"));
  ASSERT_EQ(folder.ricochet("run first.toml -q").status, 0);
  ASSERT_EQ(folder.ricochet("run second.toml -q").status, 0);
  const H5File first = H5File::open(folder.path() / "first.h5"),
               second = H5File::open(folder.path() / "second.h5");
  const std::size_t last = first.shape("/transient/time").front() - 1;
  for (const char* dataset : {"/transient/displacement", "/transient/velocity"})
    EXPECT_EQ(rowAt(second, dataset, 0), rowAt(first, dataset, last)) << dataset;
  const double held = rowAt(first, "/contacts/sole/tangential_force", last).front();
  EXPECT_NEAR(rowAt(second, "/contacts/sole/tangential_force", 0).front(), held, 1e-2 * std::abs(held));
  EXPECT_LT(second.numberAttribute("/energy", "error"), 1e-3);
}

TEST(Restart, OtherNumbersOfLawsStoreWhatTheySay) {
  // A block of 2 kg rests on a floor of 1e5 N/m and hangs on a link of the same stiffness: each carries 10 N
  // at 1e-4 m. Both then have 3e5 N/m: 1/2 k x^2 = 1.5e-3 J each at the start, and the block moves up.
  const ScratchFolder folder;
  const auto text = [](double stiffness, const std::string& initial) {
    return fmt::format(
        "[[nodes]]\nname = \"block\"\nposition = [0, 0, 0]\n[[masses]]\nnodes = \"all\"\nmass = 2.0\n"
        "[[supports]]\nnodes = \"all\"\nfixed = [\"ux\", \"uy\"]\n[basis]\nall = true\n"
        "[gravity]\nacceleration = [0, 0, -10]\n[initial]\n{}\n"
        "[[contacts]]\nname = \"floor\"\nnode = \"block\"\n"
        "obstacle = {{ type = \"plane\", normal = [0, 0, 1], gap = 0.0 }}\nnormal = {{ stiffness = {:g} }}\n"
        "[[links]]\nname = \"rope\"\nnodes = [\"block\"]\naxis = [0, 0, 1]\nlaw = \"force_displacement\"\n"
        "displacement = [-1.0, 1.0]\nforce = [{:g}, {:g}]\n"
        "[transient]\nduration = 0.05\nscheme = \"rk54\"\ntolerance = {{ absolute = 1e-12, relative = 1e-10 "
        "}}\n",
        initial, stiffness, -stiffness, stiffness);
  };
  folder.write("first.toml", text(1e5, "equilibrium = true"));
  folder.write("second.toml", text(3e5, "restart = \"first.h5\""));
  ASSERT_EQ(folder.ricochet("run first.toml -q").status, 0);
  const CommandOutcome outcome = folder.ricochet("run second.toml -q");
  ASSERT_EQ(outcome.status, 0) << outcome.output;
  const H5File second = H5File::open(folder.path() / "second.h5");
  EXPECT_NEAR(rowAt(second, "/energy/contact", 0).front(), 3e-3, 1e-9);
  EXPECT_NEAR(rowAt(second, "/contacts/floor/normal_force", 0).front(), 30.0, 1e-6);
  EXPECT_LT(second.numberAttribute("/energy", "error"), 1e-6);
}

TEST(Restart, OfAnotherBasisIsProjectedByMass) {
  const ScratchFolder folder;
  const Case run{.model = kShoeRun};
  folder.write("first.toml", deckOf(run, kHalf));
  Case other = run;  // another complete set of modes of the same dofs
  other.model.replace(other.model.find("[800, 100, 50]"), 14, "[900, 120, 70]");
  folder.write("other.toml", deckOf(other, kHalf, "[initial]\nrestart = \"first.h5\"\n"));
  Case few = run;
  few.model.replace(few.model.find("all = true"), 10, "modes = 3");
  folder.write("few.toml", deckOf(few, kHalf, "[initial]\nrestart = \"first.h5\"\n"));
  ASSERT_EQ(folder.ricochet("run first.toml -q").status, 0);
  ASSERT_EQ(folder.ricochet("run other.toml -q").status, 0);
  const H5File first = H5File::open(folder.path() / "first.h5"),
               next = H5File::open(folder.path() / "other.h5");
  const std::size_t last = first.shape("/physical/time").front() - 1;
  for (const char* dataset : {"/physical/displacement", "/physical/velocity"}) {
    const std::vector<double> end = rowAt(first, dataset, last), start = rowAt(next, dataset, 0);
    for (std::size_t i = 0; i < end.size(); ++i) EXPECT_NEAR(start[i], end[i], 1e-13) << dataset;
  }
  const CommandOutcome told = folder.ricochet("run few.toml");
  EXPECT_EQ(told.status, 0);
  EXPECT_THAT(told.output, HasSubstr("projected by mass"));
  EXPECT_THAT(told.output, HasSubstr("of the state to go on from"));
}

/// A ball that bounces between stops, without friction.
std::string ballDeck(double duration, const std::string& initial) {
  std::string text = test::bouncer(duration);
  const std::size_t from = text.find("[initial]"), to = text.find("[[contacts]]");
  if (!initial.empty()) text.replace(from, to - from, initial);
  text.replace(text.find("every = 100"), 11, "every = 64");
  return text.replace(text.find("step = 1.0e-5"), 13, "step = 0.0001220703125");
}

TEST(Restart, GoesOnFromAnArchivedInstant) {
  const ScratchFolder folder;
  folder.write("whole.toml", ballDeck(1.0, ""));
  folder.write("second.toml", ballDeck(0.75, "[initial]\nrestart = \"whole.h5\"\nrestart_time = 0.25\n"));
  ASSERT_EQ(folder.ricochet("run whole.toml -q").status, 0);
  ASSERT_EQ(folder.ricochet("run second.toml -q").status, 0);
  expectSame(folder, {"/transient/displacement", "/transient/velocity", "/contacts/stops/normal_force"},
             1e-9);
  const CommandOutcome between = [&] {
    folder.write("between.toml", ballDeck(0.75, "[initial]\nrestart = \"whole.h5\"\nrestart_time = 0.253\n"));
    return folder.ricochet("run between.toml -q");
  }();
  EXPECT_EQ(between.status, 2);
  EXPECT_THAT(between.output,
              HasSubstr("initial.restart_time: no instant that was archived; the nearest are 0.25 s and"));
}

/// A continued link keeps its dissipated energy from the end of a run; from another instant it starts at 0.
TEST(Restart, CountsWhatLinksHaveLostOnFromTheEndAlone) {
  const ScratchFolder folder;
  const Case run{.model =
                     kShoeRun +
                     "[[links]]\nname = \"d\"\nnodes = [\"shoe\"]\ndof = \"ux\"\nlaw = \"force_velocity\"\n"
                     "formula = \"5*v\"\n"};
  folder.write("instant.toml", deckOf(run, kHalf, "[initial]\nrestart = \"whole.h5\"\nrestart_time = 0.5\n"));
  runBoth(folder, run);
  ASSERT_EQ(folder.ricochet("run instant.toml -q").status, 0);
  const std::string lost = "/links/d/dissipated_energy";
  const auto ends = [&](const std::string& name) {
    const std::vector<double> rows = H5File::open(folder.path() / (name + ".h5")).readAny(lost).values;
    return std::pair(rows.front(), rows.back());
  };
  const auto [start, first] = ends("first");
  const auto [zero, whole] = ends("whole");
  EXPECT_GT(first, 0.0);
  EXPECT_EQ(ends("second"), (std::pair{first, whole}));
  EXPECT_EQ(ends("instant").first, 0.0);
  EXPECT_NEAR(ends("instant").second, whole - first, 1e-9 * whole);
}

TEST(Restart, GoesOnWithTheDampersOfTheIncumbentsCases) {
  // Checks 3 and 4 of sdnd107c and sdnd107d: difference of the run continued at 1.6 s from the run in one
  // piece, relative to the largest value; the cases allow 1e-8 and 1e-2.
  for (const auto& [name, tolerance] : {std::pair{"sdnd107c", 1e-12}, {"sdnd107d", 1e-9}}) {
    SCOPED_TRACE(name);
    const ScratchFolder folder;
    std::string model = test::readText(fmt::format(RICOCHET_CASES_DIR "/incumbent/{}.toml", name));
    model.erase(model.find("[[checks]]"));
    const auto lasting = [&](const char* duration) {
      std::string text = model;
      return text.replace(text.find("duration = 3.2"), 14, std::string("duration = ") + duration);
    };
    const std::string output = "[output]\ninterval = 0.02\n";
    folder.write("whole.toml", model + output);
    folder.write("first.toml", lasting("1.6") + output);
    folder.write("second.toml", lasting("1.6") + output + "[initial]\nrestart = \"first.h5\"\n");
    for (const char* run : {"whole", "first", "second"})
      ASSERT_EQ(folder.ricochet(fmt::format("run {}.toml -q", run)).status, 0) << run;
    expectSame(folder, {"/links/law/displacement", "/links/law/force", "/links/law/dashpot_displacement"},
               tolerance);
  }
}

TEST(Restart, RefusesWhatItCannotGoOnWith) {
  const ScratchFolder folder;
  const Case run{.model = kShoeRun + kFriction};
  folder.write("first.toml", deckOf(run, kHalf));
  ASSERT_EQ(folder.ricochet("run first.toml -q").status, 0);
  const auto refused = [&](const std::string& text, const std::string& why,
                           const std::string& arguments = "") {
    folder.write("second.toml", text);
    const CommandOutcome outcome = folder.ricochet("run second.toml -q " + arguments);
    EXPECT_EQ(outcome.status, 2) << why;
    EXPECT_THAT(outcome.output, HasSubstr("initial.restart: \"first.h5\" "));
    EXPECT_THAT(outcome.output, HasSubstr(why));
    EXPECT_FALSE(std::filesystem::exists(folder.path() / "second.h5"));
  };
  const std::string goOn = "[initial]\nrestart = \"first.h5\"\n";
  const auto changed = [&](std::string from, const std::string& to) {
    Case other = run;
    other.model.replace(other.model.find(from), from.size(), to);
    return deckOf(other, kHalf, goOn);
  };
  refused(changed("position = [1, 0, 0]", "position = [1.5, 0, 0]"), "node \"ball\" is at another place");
  refused(changed("name = \"stop\"", "name = \"wall\""), "is of a run with other contacts");
  refused(changed("[[contacts]]", kPlastic + "[[contacts]]"), "is of a run with other links");
  refused(deckOf(run, kHalf, goOn + fmt::format("restart_time = {}\n", 0.25)),
          "contact \"sole\" touches at 0.25 s");
  Case third = run;
  third.model +=
      "[[nodes]]\nname = \"c\"\nposition = [2, 0, 0]\n[[springs]]\nnodes = [\"c\"]\nstiffness = [1, 1, 1]\n";
  third.model.replace(third.model.find("nodes = \"all\"\nmass"), 18, "nodes = \"all\"\nmass");
  refused(deckOf(third, kHalf, goOn), "it has 2 nodes, this deck 3");

  ASSERT_EQ(folder.ricochet("run first.toml -q --force --mode direct").status, 0);
  refused(deckOf(run, kHalf, goOn), "is of a direct run");
  H5File::open(folder.path() / "first.h5", Access::readWrite).setAttribute("/", "status", "failed");
  refused(deckOf(run, kHalf, goOn), "is not complete (status \"failed\")");
}

}  // namespace
}  // namespace ricochet
