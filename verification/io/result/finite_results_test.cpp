// With exit status 0, no result, check, statistic or output of a batch contains a number that is not finite.

#include "io/hdf5/hdf5.hpp"
#include "verification/support/program.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <filesystem>
#include <string>
#include <string_view>

namespace ricochet {
namespace {

using test::CommandOutcome;
using test::ScratchFolder;
using ::testing::HasSubstr;

struct Parts {
  std::string_view mass = "1.0", stiffness = "100.0", more = "", velocity = "0", scheme = "step = 1e-3";
  std::string_view duration = "0.5";
};

/// A mass on a spring along x.
std::string deckOf(const Parts& parts) {
  return fmt::format(
      "[[nodes]]\nname = \"m\"\nposition = [0, 0, 0]\n[[masses]]\nnodes = [\"m\"]\nmass = {}\n"
      "[[springs]]\nnodes = [\"m\"]\nstiffness = [{}, 0, 0]\n"
      "[[supports]]\nnodes = \"all\"\nfixed = [\"uy\", \"uz\"]\n"
      "[initial]\nvelocity = [ {{ node = \"m\", value = [{}, 0, 0] }} ]\n{}"
      "[transient]\nduration = {}\nscheme = \"{}\"\n{}\n",
      parts.mass, parts.stiffness, parts.velocity, parts.more, parts.duration,
      parts.scheme.empty() ? "event" : "kick_drift", parts.scheme);
}

/// Visits all numbers of a file.
void expectFinite(const H5File& file, const std::string& path) {
  H5Shape shape;
  try {
    shape = file.shape(path);
  } catch (const ResultError&) {  // a group
    for (const std::string& name : file.namesOfGroupMembers(path))
      expectFinite(file, (path == "/" ? "" : path) + "/" + name);
    return;
  }
  try {
    for (const double x : file.readAny(path).values) ASSERT_TRUE(std::isfinite(x)) << path;
  } catch (const ResultError&) {  // strings
  }
}

void expectFiniteAttributes(const H5File& file, const std::string& object,
                            std::initializer_list<const char*> names) {
  for (const char* name : names) {
    const double value = file.hasAttribute(object, name) ? file.numberAttribute(object, name) : 0.0;
    EXPECT_TRUE(std::isfinite(value)) << name;
  }
}

constexpr std::string_view kTable = "[functions.f]\ntimes = [0, 1]\nvalues = [0, {}]\n";
constexpr std::string_view kFormula = "[functions.f]\nformula = \"{}\"\n";
constexpr std::string_view kLoad = "[[loads]]\nnodes = [\"m\"]\nforce = [{}, 0, 0]\nscale = \"f\"\n";
constexpr std::string_view kStopDeck =
    "[[contacts]]\nname = \"c\"\nnode = \"m\"\n"
    "obstacle = { type = \"plane\", normal = [-1, 0, 0], gap = -1e60 }\n";

std::string loaded(std::string_view function, std::string_view force = "1.0") {
  return std::string(function) + fmt::format(fmt::runtime(kLoad), force);
}

TEST(FiniteResults, NumbersBeyondAllMeasureAreRefusedAtTheirPlace) {
  const ScratchFolder folder;
  folder.write("f.csv", "t,f\n0,0\n1,1e200\n");
  struct Overflow {
    Parts parts;
    std::string_view message;
  };
  const std::string force = loaded(fmt::format(fmt::runtime(kTable), "1.0"), "1e120");
  const std::string table = loaded(fmt::format(fmt::runtime(kTable), "1e120"));
  const std::string formula = loaded(fmt::format(fmt::runtime(kFormula), "1e120*t"));
  const std::string grows = loaded(fmt::format(fmt::runtime(kFormula), "exp(1000*t)"));
  const std::string pole = loaded(fmt::format(fmt::runtime(kFormula), "1/(t - 0.25)"));
  const std::string file = loaded("[functions.f]\nfile = \"f.csv\"\ncolumns = [\"t\", \"f\"]\n");
  const std::array cases{
      Overflow{{.mass = "-1e308"}, "masses[0].mass: must be at least 0"},
      Overflow{{.stiffness = "1e101"}, "springs[0].stiffness[0]: must be at most 1e+100 in size, got 1e+101"},
      Overflow{{.velocity = "-1e200"}, "must be at most 1e+100 in size, got -1e+200"},
      Overflow{{.duration = "1e300"}, "transient.duration: must be at most 1e+100 in size, got 1e+300"},
      Overflow{{.more = force}, "loads[0].force[0]: must be at most 1e+100 in size, got 1e+120"},
      Overflow{{.more = table}, "functions.f.values[1]: must be at most 1e+100 in size, got 1e+120"},
      Overflow{{.more = formula}, "1e120 must be at most 1e100"},
      Overflow{{.more = grows}, "loads[0].scale: formula of function \"f\" gives 1.40"},
      Overflow{{.more = pole}, "loads[0].scale: formula of function \"f\" becomes infinite at t = 0.25 s"},
      Overflow{{.more = file}, "f must be at most 1e+100 in size, got \"1e200\""}};
  for (const Overflow& each : cases) {
    folder.write("deck.toml", deckOf(each.parts));
    const CommandOutcome outcome = folder.ricochet("run deck.toml -q");
    EXPECT_EQ(outcome.status, 2) << outcome.output;
    EXPECT_THAT(outcome.output, testing::ContainsRegex("^(deck.toml|f.csv):[0-9]+:[0-9]+: "));
    EXPECT_THAT(outcome.output, HasSubstr(each.message));
    EXPECT_FALSE(std::filesystem::exists(folder.path() / "deck.h5"));
  }
}

/// Overflows during a run that the numbers of the deck do not show.
TEST(FiniteResults, ARunFailsWhereWhatItShowsIsInfinite) {
  const ScratchFolder folder;
  struct Overflow {
    std::string_view name;
    Parts parts;
    std::string_view message;
  };
  const std::string hole =
      loaded(fmt::format(fmt::runtime(kFormula), "if(abs(t - 0.25) < 3e-4, exp(1e4*t), 0)"));
  const std::string huge = loaded(fmt::format(fmt::runtime(kFormula), "if(abs(t - 0.2) < 0.1, 10^200, 0)"));
  const std::string hertz =
      std::string(kStopDeck) + "normal = { law = \"hertz\", stiffness = 1e60, exponent = 6.0 }\n";
  const std::string stop = std::string(kStopDeck) + "normal = { stiffness = 1e60 }\n";
  const std::string pressed =
      fmt::format(fmt::runtime(kFormula), "if(abs(t - 0.25) < 3e-4, exp(1e4*t), 0)") +
      "[[contacts]]\nname = \"c\"\nnode = \"m\"\nobstacle = { type = \"none\", normal = [0, 0, 1] }\n"
      "normal = { force = \"f\" }\n[statistics]\n";
  const std::string link =
      "[[links]]\nname = \"l\"\nnodes = [\"m\"]\ndof = \"uy\"\nlaw = \"force\"\nformula = \"exp(2000*t)\"\n";
  const std::array cases{
      Overflow{"energies overflow", {.mass = "1e60", .velocity = "1e99"}, ""},
      Overflow{"energies that overflow", {.more = huge}, "/energy/"},
      Overflow{"the same by events", {.more = huge, .scheme = ""}, ""},
      Overflow{"a formula with a hole", {.more = hole}, "the motion became infinite after t = 0.249 s"},
      Overflow{"a power of the penetration",
               {.more = hertz},
               "/transient/acceleration is no finite number at t = 0 s"},
      Overflow{"a penalty", {.more = stop}, ""},
      Overflow{"a force on what does not move",
               {.more = pressed},
               "/contacts/c/normal_force is no finite number at t = 0.25 s"},
      Overflow{"a link on what does not move", {.more = link}, "/links/l/force is no finite number"}};
  for (const Overflow& each : cases) {
    SCOPED_TRACE(each.name);
    folder.write("deck.toml", deckOf(each.parts));
    const CommandOutcome outcome = folder.ricochet("run deck.toml -q --force");
    EXPECT_EQ(outcome.output.find("nan"), std::string::npos) << outcome.output;
    if (!each.message.empty()) {
      EXPECT_EQ(outcome.status, 1);
      EXPECT_THAT(outcome.output, HasSubstr(each.message));
    }
    const H5File file = H5File::open(folder.path() / "deck.h5");
    EXPECT_EQ(file.stringAttribute("/", "status"), outcome.status == 0 ? "complete" : "failed");
    expectFinite(file, "/");
    expectFiniteAttributes(file, "/energy", {"error"});
    if (file.exists("/contacts/c"))
      expectFiniteAttributes(file, "/contacts/c", {"impulse", "wear_energy", "peak_force"});
  }
}

std::string linked(std::string_view formula) {
  return fmt::format(
      "[[links]]\nname = \"l\"\nnodes = [\"m\"]\ndof = \"ux\"\nlaw = \"force\"\nformula = \"{}\"\n", formula);
}

/// 0/0 at rest, and a function of time without a value over a part of the run, are errors before the run. A
/// single instant without a value, as of sin(x)/x, is not among the instants of evaluation.
TEST(FiniteResults, AFormulaWithoutAValueIsRefusedBeforeTheRun) {
  const ScratchFolder folder;
  const std::string hole = loaded(fmt::format(fmt::runtime(kFormula), "if(abs(t - 0.2) < 0.01, 0/(0*t), 1)"));
  for (const std::string_view scheme : {"", "step = 1e-3"}) {
    folder.write("deck.toml", deckOf({.more = linked("3*v/(abs(v)^0.3)"), .scheme = scheme}));
    const CommandOutcome link = folder.ricochet("run deck.toml -q");
    EXPECT_EQ(link.status, 2) << link.output;
    EXPECT_THAT(link.output,
                HasSubstr("deck.toml:15:1: links.l: its force is no finite number at the start, x = 0, "
                          "v = 0, t = 0 s"));
    folder.write("deck.toml", deckOf({.more = hole, .scheme = scheme}));
    const CommandOutcome load = folder.ricochet("run deck.toml -q");
    EXPECT_EQ(load.status, 2) << load.output;
    EXPECT_THAT(load.output, HasSubstr("loads[0].scale: formula of function \"f\" gives"));
    EXPECT_THAT(load.output, HasSubstr("at t = 0.19"));
  }
  folder.write("deck.toml",
               deckOf({.more = loaded(fmt::format(fmt::runtime(kFormula), "sin(t - 0.25)/(t - 0.25)")),
                       .scheme = ""}));
  const CommandOutcome sinc = folder.ricochet("run deck.toml -q");
  EXPECT_EQ(sinc.status, 0) << sinc.output;
}

/// The motion sin(10 t)/10 reaches x = 0.05, beyond which the force has no value, at t = pi/60 = 0.0524 s.
TEST(FiniteResults, ALinkWithoutAForceIsNamedWithItsInstant) {
  const ScratchFolder folder;
  const std::string beyond = linked("if(x <= 0.05, 0, 0/(0*t))");
  for (const std::string_view scheme : {"", "step = 1e-3"}) {
    folder.write("deck.toml", deckOf({.more = beyond, .velocity = "1", .scheme = scheme}));
    const CommandOutcome outcome = folder.ricochet("run deck.toml -q --force");
    EXPECT_EQ(outcome.status, 1) << outcome.output;
    EXPECT_THAT(outcome.output, HasSubstr("the force of link l is no finite number after t = 0.052"));
  }
}

TEST(FiniteResults, OfABatchWhoseOutputIsInfiniteACaseFails) {
  const ScratchFolder folder;
  folder.write(
      "deck.toml",
      deckOf({.more = loaded(fmt::format(fmt::runtime(kFormula), "sin(t)"))}) +
          "[batch]\nmethod = \"grid\"\n[batch.parameters]\n"
          "\"loads.0.force.0\" = { values = [1.0, 1e99] }\n"
          "[batch.outputs]\npeak = \"max(displacement(m, ux)^4)\"\nlargest = \"max(displacement(m, ux))\"\n");
  const CommandOutcome outcome = folder.ricochet("batch deck.toml -q -o map.h5");
  EXPECT_EQ(outcome.status, 1) << outcome.output;
  const H5File file = H5File::open(folder.path() / "map.h5");
  EXPECT_THAT(file.readStrings("/batch/failures/reason"),
              testing::ElementsAre(HasSubstr("batch.outputs.peak: is made of what is no finite number")));
  // The failed case has no outputs, which NaN marks; no output is infinite.
  const std::vector<double> outputs = file.readAny("/batch/outputs").values;
  ASSERT_EQ(outputs.size(), 4U);
  EXPECT_TRUE(std::isfinite(outputs[0]) && std::isfinite(outputs[1]));
  EXPECT_TRUE(std::isnan(outputs[2]) && std::isnan(outputs[3]));
  EXPECT_THAT(file.readAny<std::uint8_t>("/batch/defined").values, testing::ElementsAre(1, 1, 0, 0));
}

}  // namespace
}  // namespace ricochet
