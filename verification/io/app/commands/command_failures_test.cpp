// Exit statuses and messages of runs that do not give the requested results.

#include "io/hdf5/hdf5.hpp"
#include "io/prepare/prepare.hpp"
#include "verification/support/deck_file.hpp"
#include "verification/support/program.hpp"
#include "verification/support/refusal.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <filesystem>
#include <string>

namespace ricochet {
namespace {

namespace fs = std::filesystem;

using test::CommandOutcome;
using test::ScratchFolder;
using testing::HasSubstr;
using testing::Not;

/// A check of the initial displacement, 9 mm, that fails for any other reference.
std::string checkOfStart(double reference, const std::string& more = {}) {
  return fmt::format(
      "[[checks]]\nquantity = \"displacement\"\nnode = \"ball\"\ndof = \"ux\"\ntime = 0.0\nreference = "
      "{}\nabsolute = 1e-6\nsource = \"given\"\n{}",
      reference, more);
}

/// Runs a command that Ctrl-C interrupts during its first run, which begins after a hundredth of a second, or
/// later with the sanitizers.
CommandOutcome runInterrupted(const ScratchFolder& folder, const std::string& arguments) {
  test::Child run = folder.start(arguments);
  EXPECT_TRUE(run.waitForWork(std::chrono::milliseconds(300)));
  return run.finish(SIGINT);
}

/// An initial displacement of 9 mm in a slot of 5 mm.
TEST(Overlap, OfRigidBodiesIsRefusedBeforeARun) {
  const ScratchFolder folder;
  std::string deck = test::bouncer(0.01);
  deck.replace(deck.find("{ stiffness = 1.0e5 }"), 21, "{ law = \"rigid\", restitution = 0.5 }");
  for (const char* scheme : {"event", "moreau"}) {
    std::string named = deck;
    named.replace(named.find("kick_drift"), 10, scheme);
    if (std::string_view(scheme) == "event") named.erase(named.find("step = 1.0e-5\n"), 14);
    folder.write("a.toml", named);
    const CommandOutcome run = folder.ricochet("run a.toml");
    EXPECT_EQ(run.status, 2) << run.output;
    EXPECT_THAT(run.output, HasSubstr("a.toml:"));
    EXPECT_THAT(run.output, HasSubstr("contacts.stops: its bodies overlap by 0.004 m at the start"));
    EXPECT_FALSE(fs::exists(folder.path() / "a.h5"));
  }
}

TEST(Interrupted, VerifyGoesOnWithNoOtherDeck) {
  const ScratchFolder folder;
  for (const char* deck : {"a.toml", "b.toml"})
    folder.write(deck, test::bouncer(3000.0, checkOfStart(0.009)));
  const CommandOutcome verify = runInterrupted(folder, "verify a.toml b.toml");
  EXPECT_EQ(verify.status, 1) << verify.output;
  EXPECT_THAT(verify.output, HasSubstr("a.toml: interrupted"));
  EXPECT_THAT(verify.output, HasSubstr("0 passed, 0 failed"));
  EXPECT_THAT(verify.output, Not(HasSubstr("b.toml")));
}

TEST(Interrupted, CompareComparesNothing) {
  const ScratchFolder folder;
  folder.write("a.toml", test::bouncer(3000.0));
  const CommandOutcome compare = runInterrupted(folder, "compare a.toml -o both.h5");
  EXPECT_EQ(compare.status, 1) << compare.output;
  EXPECT_THAT(compare.output, HasSubstr("interrupted"));
  EXPECT_THAT(compare.output, Not(HasSubstr("/comparison")));
  EXPECT_FALSE(H5File::open(folder.path() / "both.h5").exists("/comparison"));
}

TEST(FailedChecks, AreAFailureOfTheRunWhoseFileIsComplete) {
  const ScratchFolder folder;
  folder.write("deck.toml", test::bouncer(0.01, checkOfStart(0.009) + checkOfStart(0.008)));
  for (const char* quiet : {"", " -q"}) {
    const CommandOutcome run = folder.ricochet(std::string("run -f deck.toml") + quiet);
    EXPECT_EQ(run.status, 1) << run.output;
    EXPECT_THAT(run.output, HasSubstr("FAIL"));
    EXPECT_THAT(run.output, HasSubstr("deck.toml: 1 of 2 checks failed"));
    EXPECT_EQ(H5File::open(folder.path() / "deck.h5").stringAttribute("/", "status"), "complete");
  }
  folder.write("good.toml", test::bouncer(0.01, checkOfStart(0.009)));
  EXPECT_EQ(folder.ricochet("run -q good.toml").output, "");
}

TEST(FailedChecks, AreAFailureOfAComparison) {
  const ScratchFolder folder;
  folder.write("deck.toml", test::bouncer(0.01, checkOfStart(0.008, "mode = \"direct\"\n")));
  for (const char* quiet : {"", " -q"}) {
    const CommandOutcome compared = folder.ricochet(std::string("compare -f --quick deck.toml") + quiet);
    EXPECT_EQ(compared.status, 1) << compared.output;
    EXPECT_THAT(compared.output, HasSubstr("FAIL"));
    EXPECT_THAT(compared.output, HasSubstr("1 of 1 checks failed"));
  }
  folder.write("deck.toml", test::bouncer(0.01, checkOfStart(0.009)));
  EXPECT_EQ(folder.ricochet("compare -f -q --quick deck.toml").status, 0);
}

TEST(Links, WhoseForceJumpsWhereTheMotionStaysEndTheRun) {
  const ScratchFolder folder;
  folder.write("dry.toml",
               "[[nodes]]\nname = \"m\"\nposition = [0, 0, 0]\n[[masses]]\nnodes = [\"m\"]\nmass = 1.0\n"
               "[[supports]]\nnodes = \"all\"\nfixed = [\"uy\", \"uz\"]\n[basis]\nall = true\n"
               "[[loads]]\nnodes = [\"m\"]\nforce = [3.0, 0, 0]\n"
               "[initial]\nvelocity = [{ node = \"m\", value = [1.0, 0, 0] }]\n"
               "[[links]]\nname = \"dry\"\nnodes = [\"m\"]\ndof = \"ux\"\nlaw = \"force_velocity\"\n"
               "formula = \"5*sign(v)\"\n[transient]\nduration = 2.0\nscheme = \"event\"\n");
  // 1 m/s under 3 N - 5 N: at rest after 0.5 s, where a velocity of either sign is decelerated.
  const CommandOutcome run = folder.ricochet("run dry.toml -o dry.h5");
  EXPECT_EQ(run.status, 1) << run.output;
  EXPECT_THAT(run.output, HasSubstr("the force of link dry jumps at t = 0.5 s where the motion would stay"));
}

TEST(StandardOutput, ThatCannotBeWrittenIsAFailure) {
  const ScratchFolder folder;
  folder.write("deck.toml", test::bouncer(0.01, checkOfStart(0.009)));
  for (const char* command : {"check", "verify", "modes"}) {
    const CommandOutcome outcome = folder.ricochet(std::string(command) + " deck.toml > /dev/full");
    EXPECT_EQ(outcome.status, 1) << command;
    EXPECT_THAT(outcome.output, HasSubstr("No space left on device")) << command;
  }
}

TEST(Target, IsRefusedBeforeTheRun) {
  const ScratchFolder folder;
  folder.write("deck.toml", test::bouncer(1000.0));
  for (const char* command : {"run", "compare"})
    for (const std::string& target :
         {std::string("''"), std::string(300, 'x') + ".h5", std::string("no/x.h5")}) {
      const CommandOutcome outcome = folder.ricochet(fmt::format("{} deck.toml -o {}", command, target));
      EXPECT_EQ(outcome.status, 2) << outcome.output;
      EXPECT_TRUE(folder.isEmptyExceptFor("deck.toml"));
    }
}

TEST(RestoreFailures, LeaveNothingAndSayWhy) {
  const ScratchFolder folder;
  folder.write("deck.toml", test::bouncer(0.5));
  ASSERT_EQ(folder.ricochet("run -q deck.toml").status, 0);
  for (const char* time : {"2.0", "-1", "0.1,2.0", "nan"}) {
    const CommandOutcome outside = folder.ricochet(std::string("restore deck.h5 --times=") + time);
    EXPECT_EQ(outside.status, 2) << time;
    EXPECT_THAT(outside.output, HasSubstr("which goes from 0 s to 0.5 s")) << time;
  }
  EXPECT_EQ(folder.ricochet("restore -f -q deck.h5 --times 0,0.5").status, 0);
  fs::remove(folder.path() / "deck-restored.h5");
  const CommandOutcome full = test::runShell(
      fmt::format("cd '{}' && bash -c \"ulimit -f 5; exec '" RICOCHET_PROGRAM "' restore -q deck.h5\"",
                  folder.path().string()));
  EXPECT_EQ(full.status, 1) << full.output;
  EXPECT_THAT(full.output, HasSubstr("deck-restored.h5: could not be written: is the disk full?"));
  EXPECT_THAT(full.output, Not(HasSubstr("HDF5-DIAG")));
  EXPECT_FALSE(fs::exists(folder.path() / "deck-restored.h5.partial"));
  EXPECT_FALSE(fs::exists(folder.path() / "deck-restored.h5"));
}

TEST(RestoreFailures, TakesNamesWithCommas) {
  const ScratchFolder folder;
  std::string deck = test::bouncer(0.01);
  for (std::size_t at = deck.find("\"ball\""); at != std::string::npos; at = deck.find("\"ball\"", at + 1))
    deck.replace(at, 6, "\"ball, 1\"");
  folder.write("deck.toml", deck);
  ASSERT_EQ(folder.ricochet("run -q deck.toml").status, 0);
  const CommandOutcome restored = folder.ricochet("restore deck.h5 --nodes 'ball, 1'");
  EXPECT_EQ(restored.status, 0) << restored.output;
  EXPECT_EQ(folder.ricochet("restore -f -q deck.h5 --nodes 'ball'").status, 2);
}

TEST(Comparison, SaysThatNothingIsLeftButRounding) {
  // For a free mass every step is exact.
  const ScratchFolder folder;
  folder.write("free.toml",
               "[[nodes]]\nname = \"m\"\nposition = [0, 0, 0]\n[[masses]]\nnodes = \"all\"\nmass = 2.0\n"
               "[basis]\nmodes = 2\n"
               "[initial]\nvelocity = [ { node = \"m\", value = [1.0, 0, 0] } ]\n"
               "[transient]\nduration = 1.0\n[direct]\nstep = 7e-4\n");
  const CommandOutcome compared = folder.ricochet("compare free.toml");
  EXPECT_EQ(compared.status, 0) << compared.output;
  EXPECT_THAT(compared.output, HasSubstr("halving it changes no more than rounding"));
  EXPECT_THAT(compared.output, Not(HasSubstr("does not converge")));
  EXPECT_THAT(compared.output, Not(HasSubstr("truncation indicator")));
}

TEST(SchemeChoice, NamesTheKeyThatAContactLacks) {
  const std::string ball =
      std::string(test::kTwoNodes) +
      "[[contacts]]\nname = \"p\"\nnode = \"a\"\nobstacle = { type = \"plane\", normal = [0, 0, 1], gap = "
      "0.1 "
      "}\nnormal = { law = \"hertz\", stiffness = 1e9 }\nfriction = { coefficient = 0.1ALONG }\n";
  const std::string run = "[transient]\nduration = 0.1\n";
  const auto with = [&](const std::string& along) {
    std::string deck = ball;
    return deck.replace(deck.find("ALONG"), 5, along);
  };
  const std::string plane = test::problemsOfRefusedDeck(with("") + run);
  EXPECT_THAT(plane, HasSubstr(":11:1: contacts.p: truly sticks: give `friction.stiffness`, or `scheme` = "
                               "moreau in [transient]: event does not follow friction in two directions"));
  EXPECT_EQ(test::problemsOfRefusedDeck(with(", along = [1, 0, 0]") + run), "none");
  const std::string rigid =
      "[[contacts]]\nname = \"q\"\nnode = \"b\"\nobstacle = { type = \"plane\", normal = [0, 0, 1], gap = "
      "0.1 "
      "}\nnormal = { law = \"rigid\", restitution = 0.5 }\n";
  const std::string tube =
      "[[contacts]]\nname = \"t\"\nnode = \"b\"\nobstacle = { type = \"torus\", axis = [0, 0, 1], center = "
      "[0, 0, "
      "0], ring_radius = 0.1, radius = 0.1, side = \"outside\" }\nnormal = { law = \"rigid\", restitution = "
      "0.5 }\n";
  EXPECT_THAT(test::problemsOfRefusedDeck(std::string(test::kTwoNodes) + tube + run),
              HasSubstr("contacts.t: is rigid: give `normal.stiffness`, or `scheme` = moreau in [transient]: "
                        "event does not follow a torus whose tube reaches the axis of its ring"));
  EXPECT_THAT(test::problemsOfRefusedDeck(with(", stiffness = 1e6") + rigid + run),
              HasSubstr("contacts.q: is rigid: give `normal.stiffness`, or leave out what contact p has"));
}

TEST(SchemeChoice, LeavesACrackWithoutInertiaToSchemesThatStep) {
  const std::string deck = R"([[nodes]]
name = "a"
position = [0, 0, 0]
[[nodes]]
name = "b"
position = [1, 0, 0]
[[masses]]
nodes = ["a"]
mass = 1.0
inertia = [0.02, 0.02, 0.02, 0, 0, 0]
[[springs]]
nodes = ["a", "b"]
stiffness = [0, 0, 0, 100.0, 100.0, 100.0]
[[supports]]
nodes = ["a", "b"]
fixed = ["ux", "uy", "uz", "rx"]
[functions.crack]
times = [0, 2.0, 4.0]
values = [100, 110, 140]
[[links]]
name = "shaft"
nodes = ["b"]
law = "cracked_rotor"
axis = [1, 0, 0]
stiffness = "crack"
speed = 30.0
[transient]
duration = 0.01
)";
  EXPECT_EQ(prepare(test::studyOf(deck))->scheme, "kick_drift");
  EXPECT_THAT(test::problemsOfRefusedDeck(deck + "scheme = \"event\"\n"),
              HasSubstr("transient.scheme: scheme event does not follow link shaft: a crack that turns on "
                        "dofs without inertia; take one that steps, give the nodes inertia"));
}

TEST(SchemeChoice, NamesTheFrictionOverSpeedThatItDoesNotFollowInAPlane) {
  const std::string begin = std::string(test::kTwoNodes) +
                            "[[contacts]]\nname = \"p\"\nnode = \"a\"\nobstacle = { type = \"none\", normal "
                            "= [0, 0, 1] }\nnormal = "
                            "{ force = 1.0 }\nfriction = { ";
  const std::string run = "[transient]\nduration = 0.1\nscheme = \"event\"\n";
  const auto with = [&](const std::string& keys, const std::string& coefficients) {
    return test::problemsOfRefusedDeck(
        begin + keys + "velocity_law = { speeds = [0, 1], coefficients = " + coefficients + " } }\n" + run);
  };
  EXPECT_EQ(with("", "[0.3, 0.2]"), "none");
  EXPECT_EQ(with("", "[0.0, 0.0]"), "none");
  EXPECT_THAT(with("stiffness = 1e5, ", "[0.3, 0.2]"),
              HasSubstr("contacts.p: scheme event does not follow elastic friction in two directions that "
                        "depends on the slip speed; take "));
  EXPECT_EQ(with("along = [1, 0, 0], stiffness = 1e5, ", "[0.3, 0.2]"), "none");
  EXPECT_THAT(
      with("", "[0.0, 0.2]"),
      HasSubstr("contacts.p: scheme event does not follow friction in two directions whose coefficient "
                "is 0 at rest; take moreau"));
  EXPECT_EQ(with("along = [1, 0, 0], ", "[0.0, 0.2]"), "none");
}

/// An elastic stick breaks at mu(0) N and slips at mu(v) N: with an increasing table, time-stepping schemes
/// need its dashpot, and event does not support the law.
TEST(SchemeChoice, RefusesElasticSticksWhoseCoefficientRisesWhereItIsWrong) {
  const auto with = [&](const std::string& damping, const std::string& coefficients,
                        const std::string& scheme) {
    return test::problemsOfRefusedDeck(
        std::string(test::kTwoNodes) +
        "[[contacts]]\nname = \"p\"\nnode = \"a\"\nobstacle = { type = \"none\", normal = [0, 0, 1] }\n"
        "normal = { force = 1.0 }\nfriction = { along = [1, 0, 0], stiffness = 1e5, damping = " +
        damping + ", velocity_law = { speeds = [0, 1], coefficients = " + coefficients +
        " } }\n[transient]\nduration = 0.1\nstep = 1e-4\nscheme = \"" + scheme + "\"\n");
  };
  const std::string rises = "[0.1, 0.3]", falls = "[0.3, 0.1]";
  EXPECT_THAT(
      with("0", rises, "newmark"),
      HasSubstr("newmark does not follow an elastic stick without `damping` whose coefficient rises"));
  EXPECT_EQ(with("20", rises, "newmark"), "none");
  EXPECT_EQ(with("0", falls, "newmark"), "none");
}

}  // namespace
}  // namespace ricochet
