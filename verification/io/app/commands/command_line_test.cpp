#include "io/hdf5/hdf5.hpp"
#include "verification/support/program.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>

namespace ricochet {
namespace {

using test::CommandOutcome;
using test::ScratchFolder;
using testing::HasSubstr;

const std::string kShoe = std::string("'") + RICOCHET_CASES_DIR + "/sdnd106-a.toml'";

TEST(CommandLine, SaysItsVersionAndHelps) {
  const ScratchFolder folder;
  EXPECT_THAT(folder.ricochet("--version").output, testing::StartsWith("ricochet 0."));
  const CommandOutcome help = folder.ricochet("--help");
  EXPECT_EQ(help.status, 0);
  for (const char* word : {"run", "verify", "check", "modes", "plot", "Exit status"})
    EXPECT_THAT(help.output, HasSubstr(word));
}

TEST(CommandLine, RefusesWhatItDoesNotKnow) {
  const ScratchFolder folder;
  const CommandOutcome nothing = folder.ricochet("");
  EXPECT_EQ(nothing.status, 2);
  EXPECT_THAT(nothing.output, HasSubstr("Subcommands:"));
  const CommandOutcome command = folder.ricochet("rnu x.toml");
  EXPECT_EQ(command.status, 2);
  EXPECT_THAT(command.output,
              HasSubstr("`rnu` is no command; did you mean `run`? the commands are new, run, verify"));
  const CommandOutcome strange = folder.ricochet("zzzzzz");
  EXPECT_EQ(strange.status, 2);
  EXPECT_THAT(strange.output, HasSubstr("`zzzzzz` is no command; the commands are"));
  const CommandOutcome option = folder.ricochet("run --froce x.toml");
  EXPECT_EQ(option.status, 2);
  EXPECT_THAT(option.output, HasSubstr("`ricochet run` has no option `--froce`; did you mean `--force`?"));
  for (const char* quantity : {"-gap(stop)", "-friction_energy(stop)", "--gap(stop)"}) {
    const CommandOutcome minus = folder.ricochet(std::string("table x.h5 '") + quantity + "'");
    EXPECT_EQ(minus.status, 2);
    EXPECT_THAT(minus.output, HasSubstr(std::string("ricochet table RESULT -- \"") + quantity + "\""));
  }
  EXPECT_EQ(folder.ricochet("run").status, 2);
  const CommandOutcome missing = folder.ricochet("run nothing.toml");
  EXPECT_EQ(missing.status, 2);
  EXPECT_THAT(missing.output, HasSubstr("nothing.toml"));
}

TEST(CommandLine, BadDeckWritesNothing) {
  const ScratchFolder folder;
  folder.write("bad.toml", test::bouncer(0.1, "everry = 3\n") + "[[checkz]]\n");
  const CommandOutcome outcome = folder.ricochet("run bad.toml");
  EXPECT_EQ(outcome.status, 2);
  EXPECT_THAT(outcome.output, HasSubstr("bad.toml:"));
  EXPECT_THAT(outcome.output, HasSubstr("everry"));
  EXPECT_THAT(outcome.output, HasSubstr("checkz"));  // both errors in one go
  EXPECT_TRUE(folder.isEmptyExceptFor("bad.toml"));
}

TEST(CommandLine, UnstableStepIsAnErrorThatGivesTheLargest) {
  const ScratchFolder folder;
  std::string deck = test::bouncer(0.1);
  deck.replace(deck.find("step = 1.0e-5"), 13, "step = 1.0e-2");
  folder.write("deck.toml", deck);
  const CommandOutcome outcome = folder.ricochet("run deck.toml");
  EXPECT_EQ(outcome.status, 2);
  // kick_drift: 2 / sqrt(k / m) = 2 / sqrt(1e5 / 2) = 8.944e-3 s; the undamped mode of 100 rad/s reduces this
  // limit slightly.
  EXPECT_THAT(outcome.output,
              HasSubstr("deck.toml:25:8: transient.step: 0.01 s is unstable with kick_drift"));
  EXPECT_THAT(outcome.output, HasSubstr("take at most 0.008"));
  EXPECT_TRUE(folder.isEmptyExceptFor("deck.toml"));
}

TEST(CommandLine, NeverReplacesACompleteResultWithoutForce) {
  const ScratchFolder folder;
  folder.write("deck.toml", test::bouncer(0.01));
  ASSERT_EQ(folder.ricochet("run deck.toml").status, 0);
  const std::string before = test::readText(folder.path() / "deck.h5");
  const CommandOutcome again = folder.ricochet("run deck.toml");
  EXPECT_EQ(again.status, 2);
  EXPECT_THAT(again.output, HasSubstr("--force"));
  EXPECT_EQ(test::readText(folder.path() / "deck.h5"), before);
  EXPECT_EQ(folder.ricochet("run deck.toml --force").status, 0);

  folder.write("notes.h5", "my notes");
  EXPECT_EQ(folder.ricochet("run deck.toml -o notes.h5").status, 2);
  EXPECT_EQ(test::readText(folder.path() / "notes.h5"), "my notes");
  EXPECT_EQ(folder.ricochet("run deck.toml -o deck.toml --force").status, 2);
  EXPECT_EQ(test::readText(folder.path() / "deck.toml"), test::bouncer(0.01));
  EXPECT_EQ(folder.ricochet("run deck.toml -o nowhere/x.h5").status, 2);
}

TEST(CommandLine, RunThatDivergesFailsAndLeavesAReadableFile) {
  const ScratchFolder folder;
  // A load that overflows after 5 ms: 1e308 N on 2 kg.
  folder.write("deck.toml",
               test::bouncer(0.1,
                             "[functions.f]\nformula = \"if(t >= 0.005, if(t < 0.09, 10^308, 0), 0)\"\n"
                             "[[loads]]\nnodes = [\"ball\"]\n"
                             "force = [1.0e5, 0, 0]\nscale = \"f\"\n"));
  const CommandOutcome outcome = folder.ricochet("run deck.toml");
  EXPECT_EQ(outcome.status, 1) << outcome.output;
  EXPECT_THAT(outcome.output, HasSubstr("contact stops"));
  const H5File file = H5File::open(folder.path() / "deck.h5");
  EXPECT_EQ(file.stringAttribute("/", "status"), "failed");
  EXPECT_THAT(file.stringAttribute("/", "failure"), HasSubstr("became infinite"));
  for (const double x : file.readAny("/physical/displacement").values) ASSERT_TRUE(std::isfinite(x));
}

/// Bytes of a result of some blocks; a row of the oscillator has 270 bytes.
constexpr std::uintmax_t kSomeBlocks = 4'000'000;

TEST(CommandLine, CtrlCStopsCleanly) {
  const ScratchFolder folder;
  folder.write("deck.toml", test::bouncer(10000.0));
  test::Child run = folder.start("run deck.toml");
  ASSERT_TRUE(run.waitForSize(folder.path() / "deck.h5.partial", kSomeBlocks));
  const CommandOutcome outcome = run.finish(SIGINT);
  EXPECT_EQ(outcome.status, 1) << outcome.output;
  EXPECT_THAT(outcome.output, HasSubstr("interrupted"));
  const H5File file = H5File::open(folder.path() / "deck.h5");
  EXPECT_EQ(file.stringAttribute("/", "status"), "failed");
  const std::size_t rows = file.shape("/physical/time").front();
  EXPECT_GT(rows, 1000U);
  EXPECT_EQ(file.shape("/contacts/stops/state").front(), rows);
  EXPECT_EQ(file.shape("/energy/balance").front(), rows);
}

TEST(CommandLine, KilledRunKeepsWhatWasFlushed) {
  const ScratchFolder folder;
  folder.write("deck.toml", test::bouncer(10000.0));
  test::Child run = folder.start("run deck.toml");
  ASSERT_TRUE(run.waitForSize(folder.path() / "deck.h5.partial", kSomeBlocks));
  EXPECT_EQ(run.finish(SIGKILL).signal, SIGKILL);
  EXPECT_FALSE(std::filesystem::exists(folder.path() / "deck.h5"));
  const H5File file = H5File::open(folder.path() / "deck.h5.partial");
  EXPECT_EQ(file.stringAttribute("/", "status"), "running");
  EXPECT_GE(file.shape("/transient/time").front(), 1000U);
}

/// Instants of events of moreau are computed from the ends of steps: an opening at the start of a step is not
/// earlier than the closing at the end of the step before, so that the order agrees with the trust page.
TEST(CommandLine, EventsOfRigidBouncesAreInTheOrderOfTime) {
  const ScratchFolder folder;
  folder.write("bounce.toml",
               "[[nodes]]\nname = \"m\"\nposition = [0, 0, 0]\n[[masses]]\nnodes = [\"m\"]\nmass = 1.0\n"
               "[[springs]]\nnodes = [\"m\"]\nstiffness = [100.0, 0, 0]\n"
               "[[supports]]\nnodes = [\"m\"]\nfixed = [\"uy\", \"uz\"]\n[basis]\nall = true\n"
               "[[initial.velocity]]\nnode = \"m\"\nvalue = [1.0, 0, 0]\n"
               "[functions.a]\nformula = \"20*sin(23*t)\"\n"
               "[[loads]]\nnodes = [\"m\"]\nforce = [1.0, 0, 0]\nscale = \"a\"\n"
               "[[contacts]]\nname = \"c\"\nnode = \"m\"\n"
               "obstacle = { type = \"plane\", normal = [-1, 0, 0], gap = 0.01 }\n"
               "normal = { law = \"rigid\", restitution = 0.7 }\n"
               "[transient]\nduration = 8.0\nscheme = \"moreau\"\nstep = 1e-4\n[output]\ninterval = 0.1\n");
  EXPECT_EQ(folder.ricochet("run bounce.toml").status, 0);
  const std::vector<double> times = H5File::open(folder.path() / "bounce.h5").readAny("/events/time").values;
  EXPECT_GT(times.size(), 40U);
  EXPECT_TRUE(std::ranges::is_sorted(times));
}

TEST(CommandLine, VerifyJudges) {
  const ScratchFolder folder;
  const CommandOutcome good = folder.ricochet("verify " + kShoe);
  EXPECT_EQ(good.status, 0) << good.output;
  EXPECT_THAT(good.output, testing::EndsWith("passed, 0 failed\n"));
  EXPECT_TRUE(folder.isEmptyExceptFor(""));  // verify writes no result

  folder.write("wrong.toml",
               test::bouncer(0.01,
                             "[[checks]]\nquantity = \"frequency\"\nmode = 1\nreference = 16.0\n"
                             "relative = 1e-6\nsource = \"wrong on purpose\"\n"
                             "[[checks]]\nquantity = \"event\"\ncontact = \"stops\"\n"
                             "kind = \"closing\"\nindex = 99\nreference = 1.0\nabsolute = 10.0\n"));
  const CommandOutcome bad = folder.ricochet("verify wrong.toml");
  EXPECT_EQ(bad.status, 1);
  EXPECT_THAT(bad.output, HasSubstr("FAIL"));
  EXPECT_THAT(bad.output, HasSubstr("none"));  // an event that did not happen is no value, and no pass
  EXPECT_THAT(bad.output, testing::EndsWith("0 passed, 2 failed\n"));

  // sqrt(2e4 N/m / 2 kg) = 100 rad/s
  const CommandOutcome mended =
      folder.ricochet("verify wrong.toml --set checks.0.reference=15.915494309189533");
  EXPECT_THAT(mended.output, testing::EndsWith("1 passed, 1 failed\n"));

  const CommandOutcome json = folder.ricochet("verify --json wrong.toml");
  EXPECT_EQ(json.status, 1);
  EXPECT_THAT(json.output, HasSubstr("\"computed\": null"));
  EXPECT_EQ(test::runShell("cd '" + folder.path().string() +
                           "' && '" RICOCHET_PROGRAM
                           "' verify --json wrong.toml | python3 -m json.tool > /dev/null")
                .status,
            0);

  folder.write("silent.toml", test::bouncer(0.01));
  EXPECT_EQ(folder.ricochet("verify silent.toml").status, 2);
}

TEST(CommandLine, CheckTellsWhatTheDeckSays) {
  const ScratchFolder folder;
  const CommandOutcome outcome = folder.ricochet("check " + kShoe);
  EXPECT_EQ(outcome.status, 0);
  for (const char* text :
       {"6 dofs: 4 fixed", "1 rigid", "10.0658", "gap -1 m, normal force 10000 N", "frozen penetration",
        "largest stable step", "default",
        "10 kg along x, 10 along y, 10 along z; the basis moves 100.0 %, 0.0 %, 0.0 % of it"})
    EXPECT_THAT(outcome.output, HasSubstr(text));
  EXPECT_TRUE(folder.isEmptyExceptFor(""));
  EXPECT_THAT(folder.ricochet("modes " + kShoe).output, HasSubstr("10.065842"));
}

/// Two bodies of 1 kg, 1 m apart, in files in mm, t and s. With the units line that `check` prints, the
/// frequency is 225.08 Hz = sqrt(2e6/1)/(2 pi).
TEST(CommandLine, CheckTellsTheUnitsOfAModelInMillimetres) {
  const ScratchFolder folder;
  folder.write("k.mtx", "1 1 3000.0\n1 2 -1000.0\n2 1 -1000.0\n2 2 3000.0\n");
  folder.write("m.mtx", "1 1 1e-3\n2 2 1e-3\n");
  folder.write("dofs.csv", "row,node,dof,x,y,z\n1,1,ux,0,0,0\n2,2,ux,1000,0,0\n");
  const std::string deck =
      "[[matrices]]\nstiffness = \"k.mtx\"\nmass = \"m.mtx\"\ndofs = \"dofs.csv\"\n#\n[basis]\nmodes = 2\n";
  folder.write("model.toml", deck);
  const std::string first = folder.ricochet("check model.toml").output;
  const std::size_t line = first.find("units = {");
  ASSERT_NE(line, std::string::npos) << first;
  std::string units = deck;
  units.replace(units.find('#'), 1, first.substr(line, first.find('}', line) + 1 - line));
  folder.write("model.toml", units);
  const CommandOutcome second = folder.ricochet("check model.toml");
  EXPECT_EQ(second.status, 0) << second.output;
  for (const char* part : {"1 by 0 by 0 m", "mass      2 kg along x", "frequencies [Hz]: 225.079 318.31"})
    EXPECT_THAT(second.output, HasSubstr(part));
  EXPECT_THAT(second.output, testing::Not(HasSubstr("millimetres")));
}

TEST(CommandLine, TellsWhichMassTheBasisMoves) {
  // Effective mass fractions of a cantilever, (2 s/b)^2 with cos b cosh b = -1 and s = (sinh b - sin b)/(cosh
  // b + cos b): 61.31, 18.83 and 6.47 %.
  const ScratchFolder folder;
  folder.write("beam.toml", test::cantilever(40,
                                             "theory = \"euler_bernoulli\"\n[basis]\nmodes = 3\n"
                                             "[[supports]]\nnodes = \"all\"\n"
                                             "fixed = [\"ux\", \"uz\", \"rx\", \"ry\"]\n"));
  EXPECT_THAT(folder.ricochet("check beam.toml").output, HasSubstr("the basis moves 0.0 %, 86.6 %, 0.0 %"));
  EXPECT_THAT(folder.ricochet("modes beam.toml").output, HasSubstr("86.6 %"));
}

TEST(CommandLine, PlotDrawsAndNamesWhatThereIs) {
  if (test::runShell("command -v gnuplot").status != 0) GTEST_SKIP() << "gnuplot is not installed";
  const ScratchFolder folder;
  folder.write("deck.toml", test::bouncer(0.1));
  ASSERT_EQ(folder.ricochet("run deck.toml").status, 0);
  ASSERT_EQ(folder.ricochet("plot deck.h5").status, 0);
  EXPECT_THAT(test::readText(folder.path() / "deck.svg"), HasSubstr("displacement(ball, ux)"));
  ASSERT_EQ(
      folder.ricochet("plot deck.h5 'velocity(ball, ux)' -x 'displacement(ball, ux)' -o phase.png").status,
      0);
  EXPECT_THAT(test::readText(folder.path() / "phase.png"), HasSubstr("PNG"));

  const CommandOutcome wrong = folder.ricochet("plot -f deck.h5 'gap(stop)'");
  EXPECT_EQ(wrong.status, 2);
  EXPECT_THAT(wrong.output, HasSubstr("did you mean \"stops\""));
  EXPECT_EQ(folder.ricochet("plot -f deck.h5 'gapp(stops)'").status, 2);
  EXPECT_EQ(folder.ricochet("plot deck.h5 -o x.bmp").status, 2);
  EXPECT_EQ(folder.ricochet("plot nothing.h5").status, 2);
}

}  // namespace
}  // namespace ricochet
