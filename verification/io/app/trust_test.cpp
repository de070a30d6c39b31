// Properties on which users may rely without a check: no result is lost, no invalid number is accepted, and
// no text of a deck acts as a command.

#include "engine/accounts/energy_ledger.hpp"
#include "io/app/plot/plot.hpp"
#include "io/hdf5/hdf5.hpp"
#include "io/result/final_name.hpp"
#include "io/text/printable.hpp"
#include "verification/support/datasets.hpp"
#include "verification/support/program.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <csignal>
#include <filesystem>
#include <limits>
#include <string>

namespace ricochet {
namespace {

namespace fs = std::filesystem;
using test::CommandOutcome;
using test::ScratchFolder;
using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

constexpr double kNone = std::numeric_limits<double>::quiet_NaN(), kInfinite = HUGE_VAL;

/// std::max keeps a number that is compared with NaN, so that a maximum could hide a NaN.
TEST(EnergyWatchTest, IsNotBlindToWhatIsNoNumber) {
  const auto errorAfter = [](double EnergyLedger::*part, double value) {
    EnergyWatch watch;
    EnergyLedger ledger;
    ledger.kinetic = ledger.initial = 1.0;
    watch.startWatchFromLedger(ledger);
    ledger.*part = value;
    watch.updateExtremesFromLedger(ledger);
    ledger.*part = 0.0;
    ledger.kinetic = 1.0;
    watch.updateExtremesFromLedger(ledger);
    return watch.relativeEnergyError(10, [] { return 0.0; });
  };
  for (double EnergyLedger::*part :
       {&EnergyLedger::kinetic, &EnergyLedger::elastic, &EnergyLedger::contact, &EnergyLedger::damping,
        &EnergyLedger::friction, &EnergyLedger::external}) {
    EXPECT_TRUE(std::isnan(errorAfter(part, kNone)));
    EXPECT_TRUE(std::isnan(errorAfter(part, kInfinite)));
    EXPECT_TRUE(std::isnan(errorAfter(part, -kInfinite)));
  }
  EXPECT_NEAR(errorAfter(&EnergyLedger::friction, 0.5), 0.5, 1e-15);
}

TEST(Extremes, KeepWhatIsNoNumber) {
  EXPECT_EQ(largerValueOrNan(1.0, 2.0), 2.0);
  EXPECT_EQ(largerValueOrNan(2.0, 1.0), 2.0);
  EXPECT_EQ(smallerValueOrNan(1.0, 2.0), 1.0);
  EXPECT_EQ(smallerValueOrNan(2.0, 1.0), 1.0);
  for (const double each : {largerValueOrNan(1.0, kNone), largerValueOrNan(kNone, 1.0),
                            smallerValueOrNan(1.0, kNone), smallerValueOrNan(kNone, 1.0)})
    EXPECT_TRUE(std::isnan(each));
}

TEST(FinalNameTest, ReplacesNothingThatCameMeanwhile) {
  const ScratchFolder folder;
  const fs::path target = folder.path() / "x.h5";
  folder.write("x.h5.partial", "new");
  const FinalName before(target);
  folder.write("x.h5", "of somebody else");
  EXPECT_THROW(before.renameToFinal(folder.path() / "x.h5.partial"), ResultError);
  EXPECT_EQ(test::readText(target), "of somebody else");
  EXPECT_EQ(test::readText(folder.path() / "x.h5.partial"), "new");
  const FinalName known(target);
  known.renameToFinal(folder.path() / "x.h5.partial");
  EXPECT_EQ(test::readText(target), "new");
  EXPECT_FALSE(fs::exists(folder.path() / "x.h5.partial"));
}

/// A run keeps its result even if another result gets its file name, and renames its result when the name is
/// free.
TEST(FinalNameTest, ARunKeepsItsNameUntilTheOtherIsFree) {
  const ScratchFolder folder;
  folder.write("deck.toml", test::bouncer(20.0));
  test::Child run = folder.start("run deck.toml -q");
  ASSERT_TRUE(run.waitForSize(folder.path() / "deck.h5.partial", 100'000));
  folder.write("deck.h5", "of somebody else");
  const CommandOutcome outcome = run.finish();
  EXPECT_EQ(outcome.status, 1) << outcome.output;
  EXPECT_THAT(outcome.output, HasSubstr("came while"));
  EXPECT_EQ(test::readText(folder.path() / "deck.h5"), "of somebody else");
  fs::remove(folder.path() / "deck.h5");
  const CommandOutcome resumed = folder.ricochet("run deck.toml --resume");
  EXPECT_THAT(resumed.output, HasSubstr("was complete and has its name now"));
  EXPECT_EQ(folder.ricochet("verify deck.h5").status, 0);
}

/// Both runs of a comparison are made together: one that was killed is no run to go on with.
TEST(Compare, KilledIsMadeAnew) {
  const ScratchFolder folder;
  folder.write("deck.toml", test::bouncer(5.0) + "[direct]\nscheme = \"newmark\"\nstep = 1e-5\n");
  test::Child compared = folder.start("compare deck.toml --quick -q");
  ASSERT_TRUE(compared.waitForSize(folder.path() / "deck.h5.partial", 100'000));
  compared.finish(SIGKILL);
  const CommandOutcome resumed = folder.ricochet("run deck.toml --resume -q");
  EXPECT_EQ(resumed.status, 2);
  EXPECT_THAT(resumed.output, HasSubstr("is of a comparison, whose runs do not go on"));
  EXPECT_FALSE(fs::exists(folder.path() / "deck.h5"));
  const CommandOutcome run = folder.ricochet("run deck.toml -q");
  EXPECT_EQ(run.status, 0) << run.output;
}

TEST(Interrupts, ThatWereIgnoredAtTheStartStayIgnored) {
  const ScratchFolder folder;
  folder.write("deck.toml", test::bouncer(10.0));
  std::signal(SIGINT, SIG_IGN);  // the program inherits it
  test::Child run = folder.start("run deck.toml -q");
  std::signal(SIGINT, SIG_DFL);
  ASSERT_TRUE(run.waitForSize(folder.path() / "deck.h5.partial", 100'000));
  EXPECT_EQ(run.finish(SIGINT).status, 0);
}

TEST(Printable, ShowsControlsAndCutsLines) {
  EXPECT_EQ(printableMessage("a\x1b[31m\tb\nc\x7f"), "a\\x1b[31m b\nc\\x7f");
  EXPECT_EQ(printableMessage("tête \xC2\x9B"), "tête \\xc2\\x9b");
  EXPECT_EQ(printableMessage(std::string(10000, 'x')).size(), 503U);
  EXPECT_EQ(printableMessage(std::string(499, 'x') + "éé"), std::string(499, 'x') + "...");
  EXPECT_TRUE(hasControlCharacters("\x1b") && hasControlCharacters("\r") && hasControlCharacters("\xC2\x80"));
  EXPECT_FALSE(hasControlCharacters("a\r\nb\tc\nété"));
}

/// Names with control characters for a terminal, and keys nested beyond the stack of the parser.
TEST(HostileDecks, AreRefusedAtTheirPlace) {
  const ScratchFolder folder;
  std::string dots = "a", tables = "x = ", headers = "[a";
  for (int i = 0; i < 100'000; ++i) dots += ".a";
  for (int i = 0; i < 200; ++i) tables += "{ a.b.c.d = ";
  for (int i = 0; i < 100'000; ++i) headers += ".a";
  const std::string rest = test::bouncer(0.01);
  const std::vector<std::pair<std::string, std::string>> cases{
      {"title = \"t\\u001b]0;OWNED\\u0007\"\n" + rest, "deck.toml:1:9: title: holds a control character"},
      {"\"a\\u009b\" = 1\n" + rest, "deck.toml:1:1: a\\xc2\\x9b: this key holds a control character"},
      {dots + " = 1\n" + rest, "deck.toml:1:130: tables are nested deeper than 64"},
      {tables + "1" + std::string(200, '}') + "\n" + rest, "tables are nested deeper than 64"},
      {rest + headers + "]\n", "tables are nested deeper than 64"}};
  for (const auto& [text, message] : cases) {
    folder.write("deck.toml", text);
    const CommandOutcome outcome = folder.ricochet("check deck.toml");
    EXPECT_EQ(outcome.status, 2) << outcome.output;
    EXPECT_THAT(outcome.output, HasSubstr(message));
    EXPECT_THAT(outcome.output, Not(HasSubstr("\x1b")));
  }
  // values that nest without keys: positions of numbers, and of texts
  folder.write("deck.toml",
               "# " + dots + "\n" + rest +
                   "[functions.f]\ntimes = [0.0, 1.0]\nvalues = [0.5, 1.5]\n[functions.g]\nformula = \"" +
                   std::string(100, '.').replace(0, 100, "0.5*t") + "\"\n");
  EXPECT_EQ(folder.ricochet("check deck.toml").status, 0);
}

/// --max-time and --max-size stop a run as Ctrl-C does, and the continued run gives the same numbers.
TEST(Limits, StopCleanlyAndGoOn) {
  const ScratchFolder folder;
  folder.write("deck.toml", test::bouncer(5.0));
  ASSERT_EQ(folder.ricochet("run deck.toml -q -o whole.h5").status, 0);
  const auto stops = [&](const std::string& limit, std::string_view reason) {
    const CommandOutcome stopped = folder.ricochet("run deck.toml -q -f " + limit);
    EXPECT_EQ(stopped.status, 1) << stopped.output;
    EXPECT_THAT(stopped.output, HasSubstr(reason));
    EXPECT_THAT(stopped.output, HasSubstr("--resume goes on from there"));
    const CommandOutcome resumed = folder.ricochet("run deck.toml -q --resume");
    EXPECT_EQ(resumed.status, 0) << resumed.output;
    test::expectSameDatasets(folder.path() / "whole.h5", folder.path() / "deck.h5");
  };
  stops("--max-size 300kB", "stopped at 300 kB (--max-size)");
  stops("--max-time 0", "stopped after 0 s (--max-time)");
  EXPECT_EQ(folder.ricochet("run deck.toml --max-size -3").status, 2);
  EXPECT_EQ(folder.ricochet("run deck.toml --max-time 3parsec").status, 2);
}

/// Rows, size and time are reported before a long run: about 1e9 steps here, which are not run to the end.
TEST(Limits, SizeAndTimeAreToldBefore) {
  const ScratchFolder folder;
  folder.write("deck.toml", test::bouncer(1e4));
  const CommandOutcome stopped = folder.ricochet("run deck.toml --max-time 0");
  EXPECT_EQ(stopped.status, 1) << stopped.output;
  EXPECT_THAT(stopped.output, AllOf(HasSubstr("archives about"), HasSubstr("  takes about")));
  folder.write("deck.toml", test::bouncer(5.0));
  EXPECT_THAT(folder.ricochet("run deck.toml -f").output, Not(HasSubstr("takes about")));
}

/// Runs with more than 1e8 steps, or with a millionth of the duration per second, are reported at once, with
/// a remedy.
TEST(Limits, StepsWithoutEndAreToldAtOnce) {
  const ScratchFolder folder;
  folder.write("deck.toml", test::bouncer(1e4));
  const CommandOutcome many = folder.ricochet("run deck.toml -q --max-time 0");
  EXPECT_THAT(many.output, AllOf(HasSubstr("the run needs 1e+09 steps: its step is 1e-05 s"),
                                 HasSubstr("a larger `step`")));
  folder.write("deck.toml", test::bouncer(900.0));  // 9e7 steps
  EXPECT_THAT(folder.ricochet("run deck.toml -f -q --max-time 0").output, Not(HasSubstr("the run needs")));

  std::string deck = test::bouncer(1e8);
  const std::string old = "scheme = \"kick_drift\"\nstep = 1.0e-5";
  deck.replace(deck.find(old), old.size(), "scheme = \"event\"");
  folder.write("deck.toml", deck);
  const CommandOutcome slow = folder.ricochet("run deck.toml -f -q --max-time 3");
  EXPECT_THAT(slow.output, AllOf(HasSubstr("steps at its present pace: contacts changed their state"),
                                 HasSubstr("would help")));
  EXPECT_EQ(slow.output.find("the run needs"), slow.output.rfind("the run needs"));
}

/// A result contains its deck and settings; repeating the run gives the same bits on every vector unit.
TEST(Reproduce, GivesTheSameBitsOrSaysWhatDiffers) {
  const ScratchFolder folder;
  folder.write("deck.toml", test::bouncer(0.5));
  ASSERT_EQ(folder.ricochet("run deck.toml -q").status, 0);
  const CommandOutcome same = folder.ricochet("reproduce deck.h5");
  EXPECT_EQ(same.status, 0) << same.output;
  EXPECT_THAT(same.output, HasSubstr("deck.h5: reproduced: "));
  EXPECT_THAT(same.output, HasSubstr("made by version "));
  {
    const H5File file = H5File::open(folder.path() / "deck.h5", Access::readWrite);
    H5Array<double> values = file.readAny("/transient/displacement");
    values.values[7] += 0.5;
    file.write("/transient/displacement", values.shape, values.values, {"m", ""});
  }
  const CommandOutcome other = folder.ricochet("reproduce deck.h5");
  EXPECT_EQ(other.status, 1);
  EXPECT_THAT(other.output, HasSubstr("NOT reproduced: 1 of "));
  EXPECT_THAT(other.output, HasSubstr("/transient/displacement: 1 of "));
  EXPECT_EQ(folder.ricochet("reproduce none.h5").status, 2);
  ASSERT_EQ(folder.ricochet("restore deck.h5 -q -o restored.h5").status, 0);
  const CommandOutcome restored = folder.ricochet("reproduce restored.h5");
  EXPECT_EQ(restored.status, 2);
  EXPECT_THAT(restored.output, HasSubstr("is restored from"));
}

/// Two paths of one dataset are compared with what the deck gives at either: the gaps differ.
TEST(Reproduce, ComparesEveryPathOfADataset) {
  const ScratchFolder folder;
  const std::string end = "\nobstacle = { type = \"plane\", normal = [0, 0, 1], gap = ";
  folder.write(
      "deck.toml",
      "[[nodes]]\nname = \"ball\"\nposition = [0, 0, 0]\n[[masses]]\nnodes = [\"ball\"]\nmass = 1.0\n"
      "[basis]\nall = true\n[[contacts]]\nname = \"near\"\nnode = \"ball\"" +
          end + "1 }\nnormal = { stiffness = 1e3 }\n[[contacts]]\nname = \"off\"\nnode = \"ball\"" + end +
          "2 }\nnormal = { stiffness = 1e3 }\n[transient]\nduration = 0.001\n"
          "scheme = \"kick_drift\"\nstep = 1e-4\n");
  ASSERT_EQ(folder.ricochet("run deck.toml -q").status, 0);
  EXPECT_EQ(folder.ricochet("reproduce deck.h5").status, 0);
  {
    const H5File file = H5File::open(folder.path() / "deck.h5", Access::readWrite);
    EXPECT_EQ(file.addressOfObject("/contacts/off/normal_force"),
              file.addressOfObject("/contacts/near/normal_force"));
    file.remove("/contacts/off/gap");
    file.linkObject("/contacts/off/gap", "/contacts/near/gap");
  }
  const CommandOutcome other = folder.ricochet("reproduce deck.h5");
  EXPECT_EQ(other.status, 1);
  EXPECT_THAT(other.output, AllOf(HasSubstr("NOT reproduced: 1 of "), HasSubstr("/contacts/off/gap: ")));
}

TEST(Vectors, GiveTheSameBitsWhateverTheirWidth) {
  const ScratchFolder folder;
  const std::string cases = std::string(RICOCHET_DATA_DIR) + "/../cases/";
  for (const char* deck : {"tube.toml", "beam-stop.toml", "residual-cantilever.toml"}) {
    for (const char* unit : {"avx512", "avx2", "sse2"}) {
      const CommandOutcome outcome =
          test::runShell("cd '" + folder.path().string() + "' && RICOCHET_VECTORS=" + unit +
                         " '" RICOCHET_PROGRAM "' run '" + cases + deck + "' -q -f -o " + unit + ".h5");
      ASSERT_EQ(outcome.status, 0) << deck << outcome.output;
    }
    EXPECT_EQ(H5File::open(folder.path() / "sse2.h5").stringAttribute("/", "vectors"), "sse2");
    for (const char* unit : {"avx512", "avx2"})
      test::expectSameDatasets(folder.path() / "sse2.h5", folder.path() / (std::string(unit) + ".h5"));
  }
}

/// A deck with very many contacts, run twice; the second run continues from the middle of the first.
class LargeModels : public ::testing::Test {
 protected:
  static constexpr int kContacts = 300;

  static std::string deck(double duration, const std::string& more = {}) {
    const std::string longest(240, 'n');  // the names together exceed 64 KiB, the limit of attributes
    std::string text =
        "[[nodes]]\nname = \"m\"\nposition = [0, 0, 0]\n[[masses]]\nnodes = [\"m\"]\nmass = 1.0\n"
        "[[springs]]\nnodes = [\"m\"]\nstiffness = [100, 100, 100]\n[output]\nfields = []\n"
        "[transient]\nscheme = \"kick_drift\"\nstep = 1e-4\nduration = " +
        std::to_string(duration) + "\n[initial]\n" +
        (more.empty() ? "velocity = [ { node = \"m\", value = [0, 0, -1.0] } ]\n" : more);
    for (int i = 0; i < kContacts; ++i)
      text += "[[contacts]]\nname = \"" + longest + std::to_string(i) +
              "\"\nnode = \"m\"\nobstacle = { type = \"plane\", normal = [0, 0, 1], gap = " +
              std::to_string(1e-3 * (i + 1)) + " }\nnormal = { stiffness = " + std::to_string(100.0 + i) +
              " }\n";
    return text;
  }
};

/// Nothing whose size grows with the deck is an attribute, because HDF5 limits attributes; many contacts are
/// columns of a table.
TEST_F(LargeModels, KeepTheirContactsInTables) {
  const ScratchFolder folder;
  folder.write("deck.toml", deck(0.02));
  const CommandOutcome run = folder.ricochet("run deck.toml -q");
  ASSERT_EQ(run.status, 0) << run.output;
  const H5File file = H5File::open(folder.path() / "deck.h5");
  constexpr auto kCount = static_cast<std::size_t>(kContacts);
  EXPECT_EQ(file.rows("/restart/contact_law"), kCount);
  EXPECT_FALSE(file.exists("/contacts"));
  EXPECT_LT(fs::file_size(folder.path() / "deck.h5"), std::uintmax_t{kContacts} * 18'000);
  // All columns follow from u, the position of the mass.
  const H5Array<double> position = file.read("/contact_table/position", {kAny, kCount, 3});
  const H5Array<double> gap = file.read("/contact_table/gap", {position.shape[0], kCount});
  const H5Array<double> force = file.read("/contact_table/normal_force", {position.shape[0], kCount});
  const H5Array<std::int8_t> state =
      file.read<std::int8_t>("/contact_table/state", {position.shape[0], kCount});
  const std::vector<double> u = file.read("/transient/displacement", {position.shape[0], 3}).values;
  const std::vector<double> peaks = file.read("/contact_table/peak_force", {kCount}).values;
  const H5Array<double> shapes = file.read("/modal/shapes", {3, 3});
  std::vector<double> highest(kCount, 0.0);
  for (std::size_t row = 0; row < position.shape[0]; ++row) {
    double z = 0.0;
    for (std::size_t m = 0; m < 3; ++m) z += shapes.values[2 * 3 + m] * u[row * 3 + m];
    for (std::size_t i = 0; i < kCount; ++i) {
      const double expected = 1e-3 * static_cast<double>(i + 1) + z;
      ASSERT_NEAR(gap.values[row * kCount + i], expected, 1e-12);
      ASSERT_NEAR(force.values[row * kCount + i], std::max(0.0, -expected) * (100.0 + static_cast<double>(i)),
                  1e-9);
      ASSERT_EQ(state.values[row * kCount + i] != 0, expected < 0.0);
      highest[i] = std::max(highest[i], force.values[row * kCount + i]);
    }
  }
  EXPECT_GT(highest[5], 0.0);
  for (std::size_t i = 0; i < kCount; ++i) ASSERT_NEAR(peaks[i], highest[i], 1e-9);

  const std::string name = std::string(240, 'n') + "7";
  const Curve curve = readCurve(file, "normal_force(" + name + ")");
  ASSERT_EQ(curve.values.size(), position.shape[0]);
  for (std::size_t row = 0; row < curve.values.size(); ++row)
    EXPECT_EQ(curve.values[row], force.values[row * kCount + 7]);
  EXPECT_EQ(folder.ricochet("verify deck.h5").status, 0);
}

TEST_F(LargeModels, GoOnLikeSmallOnes) {
  const ScratchFolder folder;
  folder.write("whole.toml", deck(0.02));
  folder.write("first.toml", deck(0.01));
  folder.write("second.toml", deck(0.01, "restart = \"first.h5\"\n"));
  for (const char* each : {"whole", "first", "second"})
    ASSERT_EQ(folder.ricochet("run " + std::string(each) + ".toml -q").status, 0) << each;
  const H5File whole = H5File::open(folder.path() / "whole.h5"),
               second = H5File::open(folder.path() / "second.h5");
  EXPECT_EQ(whole.readAny("/restart/displacement").values, second.readAny("/restart/displacement").values);
  const CommandOutcome stopped = folder.ricochet("run whole.toml -q -f --max-time 0");
  EXPECT_EQ(stopped.status, 1);
  EXPECT_EQ(folder.ricochet("run whole.toml -q --resume").status, 0);
  EXPECT_EQ(H5File::open(folder.path() / "whole.h5").readAny("/contact_table/gap").values,
            whole.readAny("/contact_table/gap").values);
}

}  // namespace
}  // namespace ricochet
