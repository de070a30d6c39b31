// `info`, `watch`, `table`, `completion`, pages of man, decks from standard input and values replaced by
// --set, all with one run.

#include "io/hdf5/hdf5.hpp"
#include "verification/support/program.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <cmath>
#include <csignal>
#include <cstddef>
#include <filesystem>
#include <regex>
#include <sstream>
#include <string>
#include <vector>

namespace ricochet {
namespace {

using test::CommandOutcome;
using test::readText;
using test::ScratchFolder;
using testing::AllOf;
using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

/// A mass of 2 kg on 2e4 N/m that starts 4 mm from its equilibrium, within its stops: x = 0.004 cos(100 t).
std::string oscillatorWithinStops() {
  std::string deck = "title = \"free\"\n" + test::bouncer(0.1);
  return deck.replace(deck.find("0.009"), 5, "0.004");
}

std::vector<std::vector<double>> csvRows(const std::string& csv) {
  std::vector<std::vector<double>> rows;
  std::istringstream lines(csv);
  std::string line;
  std::getline(lines, line);
  while (std::getline(lines, line)) {
    std::istringstream cells(line);
    std::string cell;
    for (rows.emplace_back(); std::getline(cells, cell, ',');) rows.back().push_back(std::stod(cell));
  }
  return rows;
}

class LookCommands : public testing::Test {
 protected:
  static void SetUpTestSuite() {
    folder_ = new ScratchFolder;
    folder_->write("free.toml", oscillatorWithinStops());
    run_ = folder_->ricochet("run free.toml");
  }
  static void TearDownTestSuite() {
    delete folder_;
    folder_ = nullptr;
  }
  void SetUp() override { ASSERT_EQ(run_.status, 0) << run_.output; }

  static inline ScratchFolder* folder_{nullptr};
  static inline CommandOutcome run_;
};

TEST_F(LookCommands, InfoSaysWhatAResultHolds) {
  const CommandOutcome info = folder_->ricochet("info free.h5");
  EXPECT_EQ(info.status, 0);
  // 0.1 s with steps of 1e-5 s and every 100th step: 101 rows with the first.
  for (const char* part :
       {"free.h5: complete\n", "title        free", "with 0 checks", "1 mode, 15.92 to 15.92 Hz",
        "101 rows from 0 s to 0.1 s", "of 1 node: ball", "contact      stops: 0 impacts"})
    EXPECT_THAT(info.output, HasSubstr(part));
  const CommandOutcome deck = folder_->ricochet("info free.toml");
  EXPECT_EQ(deck.status, 2);
  EXPECT_THAT(deck.output, HasSubstr("free.toml: is a deck, and a result is asked for"));
  ASSERT_EQ(folder_->ricochet("restore free.h5 -f -o again.h5").status, 0);
  const CommandOutcome again = folder_->ricochet("info again.h5");
  EXPECT_EQ(again.status, 0) << again.output;
  EXPECT_THAT(again.output, HasSubstr("restored     from free.h5"));
  EXPECT_THAT(again.output, HasSubstr("101 rows from 0 s to 0.1 s"));
}

TEST_F(LookCommands, InfoReadsWhatAKilledRunLeft) {
  folder_->write("long.toml", test::bouncer(1000.0));
  test::Child run = folder_->start("run long.toml");
  ASSERT_TRUE(run.waitForSize(folder_->path() / "long.h5.partial", 1000000));
  EXPECT_EQ(run.finish(SIGKILL).signal, SIGKILL);
  const CommandOutcome info = folder_->ricochet("info long.h5.partial");
  EXPECT_EQ(info.status, 0) << info.output;
  EXPECT_THAT(info.output, HasSubstr("long.h5.partial: not complete"));
  EXPECT_THAT(info.output, HasSubstr("rows from 0 s to"));
  const CommandOutcome ended = folder_->ricochet("info long.h5");
  EXPECT_EQ(ended.status, 2);
  EXPECT_THAT(ended.output,
              HasSubstr("there is no such result; long.h5.partial is one whose run has not ended"));
}

/// A result is read during the run, between two of its commits: the values shown at an instant are those of
/// the motion.
TEST_F(LookCommands, WatchFollowsARunAtWork) {
  folder_->write("live.toml", test::bouncer(2000.0));
  test::Child run = folder_->start("run live.toml");
  ASSERT_TRUE(run.waitForSize(folder_->path() / "live.h5.partial", 1000000));
  double before = 0.0;
  for (int i = 0; i < 5; ++i) {
    const CommandOutcome watch = folder_->ricochet("watch live.h5 --once");
    ASSERT_EQ(watch.status, 0) << watch.output;
    std::smatch found;
    ASSERT_TRUE(std::regex_search(
        watch.output, found,
        std::regex(
            "t = ([0-9.e+]+) s of 2000 s, ([0-9]+) rows, [0-9]+ events\n.*kinetic ([-0-9.e+]+) J, elastic "
            "([-0-9.e+]+) J, contact ([-0-9.e+]+) J.*\n.*contact stops: (open|closed|slip), gap")))
        << watch.output;
    EXPECT_GE(std::stod(found[1]), before);
    before = std::stod(found[1]);
    // Rows are 1e-3 s apart; the initial energy, k x^2 / 2 + k_c (x - gap)^2 / 2 = 0.81 + 0.8 J, is constant.
    EXPECT_NEAR(before, 1e-3 * (std::stod(found[2]) - 1.0), 1e-3);
    EXPECT_NEAR(std::stod(found[3]) + std::stod(found[4]) + std::stod(found[5]), 1.61, 0.02);
  }
  EXPECT_THAT(folder_->ricochet("info live.h5.partial").output, HasSubstr("`ricochet watch` follows it"));
  test::Child watch = folder_->start("watch live.h5 --every 0.1");
  EXPECT_TRUE(watch.waitForWork(std::chrono::milliseconds(5)));
  EXPECT_EQ(run.finish(SIGINT).status, 1);
  const CommandOutcome ended = watch.finish();
  EXPECT_EQ(ended.status, 1) << ended.output;
  EXPECT_THAT(ended.output, HasSubstr("interrupted"));
  const CommandOutcome whole = folder_->ricochet("watch free.h5");
  EXPECT_EQ(whole.status, 0);
  EXPECT_EQ(whole.output, "free.h5: complete\n");
  EXPECT_EQ(folder_->ricochet("watch nothing.h5").status, 2);
}

TEST_F(LookCommands, TablePrintsWhatTheMassDoes) {
  const CommandOutcome table = folder_->ricochet("table free.h5 'displacement(ball, ux)' 'energy(kinetic)'");
  ASSERT_EQ(table.status, 0) << table.output;
  EXPECT_THAT(table.output, StartsWith("time [s],\"displacement(ball, ux) [m]\",energy(kinetic) [J]\n"));
  const auto rows = csvRows(table.output);
  ASSERT_EQ(rows.size(), 101U);
  for (const auto& row : rows) {
    ASSERT_EQ(row.size(), 3U);
    EXPECT_NEAR(row[1], 0.004 * std::cos(100.0 * row[0]), 1e-8);
    EXPECT_NEAR(row[2], 0.16 * std::pow(std::sin(100.0 * row[0]), 2), 2e-4);  // m w^2 a^2 / 2
  }
}

TEST_F(LookCommands, TableKeepsInstantsThatAreAskedFor) {
  const std::string ask =
      "table free.h5 'displacement(ball, ux)' --from 0.0195 --to 0.0505 --every 10 -o x.csv";
  const CommandOutcome made = folder_->ricochet(ask);
  EXPECT_EQ(made.status, 0) << made.output;
  const auto rows = csvRows(test::readText(folder_->path() / "x.csv"));
  ASSERT_EQ(rows.size(), 4U);
  for (std::size_t i = 0; i < 4; ++i) EXPECT_NEAR(rows[i][0], 0.02 + 0.01 * static_cast<double>(i), 1e-12);
  const CommandOutcome again = folder_->ricochet(ask);
  EXPECT_EQ(again.status, 2);
  EXPECT_THAT(again.output, HasSubstr("x.csv: exists; give --force"));
  EXPECT_EQ(folder_->ricochet(ask + " --force").status, 0);
  EXPECT_EQ(folder_->ricochet("table free.h5 'gap(stops)' -o free.h5 --force").status, 2);
  EXPECT_EQ(folder_->ricochet("table free.h5 'gap(stops)' --from 1").status, 2);
  EXPECT_EQ(folder_->ricochet("table free.h5").status, 2);
  EXPECT_THAT(folder_->ricochet("table free.h5 'gap(stopps)'").output, HasSubstr("stops"));
}

/// HDF5 reserves "/": groups of a result have "_" instead, but names are shown as in the deck.
TEST_F(LookCommands, InfoShowsNamesAsTheDeckHasThem) {
  std::string deck = oscillatorWithinStops();
  deck.replace(deck.find("\"stops\""), 7, "\"s/1\"");
  deck +=
      "[[links]]\nname = \"l/2\"\nnodes = [\"ball\"]\naxis = [1, 0, 0]\nlaw = \"force_displacement\"\n"
      "formula = \"x\"\n";
  folder_->write("slash.toml", deck);
  ASSERT_EQ(folder_->ricochet("run slash.toml -q").status, 0);
  EXPECT_THAT(folder_->ricochet("info slash.h5").output,
              AllOf(HasSubstr("contact      s/1: 0 impacts"), HasSubstr("links        l/2\n")));
}

TEST_F(LookCommands, ReadADeckFromStandardInput) {
  const CommandOutcome run = folder_->ricochet("run - -q -o piped.h5 < free.toml");
  EXPECT_EQ(run.status, 0) << run.output;
  const auto histories = [](const char* file) {
    return H5File::open(folder_->path() / file).readAny("/physical/displacement").values;
  };
  EXPECT_EQ(histories("piped.h5"), histories("free.h5"));
  EXPECT_THAT(folder_->ricochet("check - < free.toml").output, HasSubstr("stdin.h5"));
  const CommandOutcome result = folder_->ricochet("run free.h5");
  EXPECT_EQ(result.status, 2);
  EXPECT_THAT(result.output, HasSubstr("free.h5: is a result, and a deck is asked for"));
}

TEST_F(LookCommands, SetReplacesValuesOfTheDeck) {
  // Four times the mass gives half the frequency.
  const std::string set =
      "run free.toml -q -o heavy.h5 --set masses.0.mass=8.0 --set 'output={ every = 50 }'";
  EXPECT_THAT(folder_->ricochet(set).output, HasSubstr("can be replaced and added: output.KEY=VALUE"));
  const CommandOutcome run = folder_->ricochet(
      "run free.toml -q -o heavy.h5 --set masses.0.mass=8.0 --set 'title=\"heavy, # one\"'");
  ASSERT_EQ(run.status, 0) << run.output;
  for (const auto& row : csvRows(folder_->ricochet("table heavy.h5 'displacement(ball, ux)'").output))
    EXPECT_NEAR(row[1], 0.004 * std::cos(50.0 * row[0]), 1e-8);
  EXPECT_THAT(folder_->ricochet("info heavy.h5").output, HasSubstr("heavy, # one"));
  // The result contains the deck of the run, with all other lines unchanged.
  std::string expected = oscillatorWithinStops();
  expected.replace(expected.find("\"free\""), 6, "\"heavy, # one\"");
  expected.replace(expected.find("mass = 2.0"), 10, "mass = 8.0");
  EXPECT_EQ(H5File::open(folder_->path() / "heavy.h5").readText("/deck"), expected);
  EXPECT_EQ(folder_->ricochet("reproduce heavy.h5").status, 0);
}

TEST_F(LookCommands, SetAddsKeysThatTablesLack) {
  // x = a e^(-d t) (cos(w t) + d/w sin(w t)), d = 0.05 times 100 rad/s
  const CommandOutcome run = folder_->ricochet(
      "run free.toml -q -o damped.h5 --set basis.damping_ratio=0.05 --set contacts.stops.normal.damping=3.0");
  ASSERT_EQ(run.status, 0) << run.output;
  const double d = 5.0, w = std::sqrt(1e4 - d * d);
  for (const auto& row : csvRows(folder_->ricochet("table damped.h5 'displacement(ball, ux)'").output)) {
    const double t = row[0];
    EXPECT_NEAR(row[1], 0.004 * std::exp(-d * t) * (std::cos(w * t) + d / w * std::sin(w * t)), 1e-8);
  }
  const std::string deck = H5File::open(folder_->path() / "damped.h5").readText("/deck");
  EXPECT_THAT(deck, HasSubstr("[basis]\ndamping_ratio = 0.05\nall = true\n"));
  EXPECT_THAT(deck, HasSubstr("normal = { damping = 3.0, stiffness = 1.0e5 }"));
  // A table can be a value too.
  const auto check = [](const std::string& set) { return folder_->ricochet("check free.toml --set " + set); };
  EXPECT_THAT(check("'contacts.stops.friction={ coefficient = 0.1, stiffness = 1e4 }'").output,
              HasSubstr("friction coulomb"));
  EXPECT_THAT(check("'transient.tolerance={ absolute = 1e-9, relative = 1e-9 }'").output,
              Not(HasSubstr("default   transient.tolerance")));
  std::string dotted = oscillatorWithinStops();
  dotted.replace(dotted.find("normal = { stiffness = 1.0e5 }"), 30, "normal.stiffness = 1.0e5");
  folder_->write("dotted.toml", dotted);
  EXPECT_THAT(folder_->ricochet("check dotted.toml --set contacts.stops.normal.damping=3").output,
              HasSubstr("cannot be added: the deck writes its table with dotted keys"));
}

TEST_F(LookCommands, SetReplacesArraysTablesAndNamesWhatIsNear) {
  const auto check = [](const std::string& set) { return folder_->ricochet("check free.toml --set " + set); };
  EXPECT_THAT(check("contacts.stops.obstacle.gap=0.007").output, HasSubstr("gap 0.003 m"));
  EXPECT_EQ(check("'initial.displacement.0.value=[0.001, 0, 0]'").status, 0);
  EXPECT_EQ(check("'initial.displacement=[{ node = \"ball\", value = [0.001, 0, 0] }]'").status, 0);
  EXPECT_EQ(check("'initial.displacement=[]'").status, 0);
  // An inline table is replaced as a whole; a table under a header is refused and stays unchanged.
  EXPECT_THAT(
      check("'contacts.stops.obstacle={ type = \"plane\", gap = 0.006, normal = [-1, 0, 0] }'").output,
      HasSubstr("gap 0.002 m"));
  for (const char* table : {"transient={duration=2}", "masses=[]", "masses.0={mass=3}", "contacts.stops={}"})
    EXPECT_THAT(check("'" + std::string(table) + "'").output, HasSubstr("does not write in braces")) << table;
  const CommandOutcome near = check("contacts.stop.obstacle.gap=1");
  EXPECT_EQ(near.status, 2);
  EXPECT_THAT(near.output, HasSubstr("nearest are contacts.stops.obstacle.gap,"));
  const CommandOutcome added = check("contacts.stops.obstacle.gapp=1");
  EXPECT_EQ(added.status, 2);
  EXPECT_THAT(added.output, HasSubstr("obstacle.gapp: unknown"));
  for (const char* wrong :
       {"transient.scheme=event", "'output.every=1 # 2'", "'output.every=1, 2'", "output.every="}) {
    const CommandOutcome outcome = check(wrong);
    EXPECT_EQ(outcome.status, 2) << wrong;
    EXPECT_THAT(outcome.output, HasSubstr("is not one TOML value")) << wrong;
  }
  EXPECT_THAT(check("output.every").output, HasSubstr("has the form PATH=VALUE"));
  EXPECT_THAT(check("=1").output, HasSubstr("--set =1: names no key before the ="));
}

TEST_F(LookCommands, TableAndPlotSayAlikeThatNothingHappened) {
  folder_->write("calm.toml",
                 oscillatorWithinStops() + "[statistics]\nwindows = [[0, 0.1]]\nimpact_table = true\n");
  ASSERT_EQ(folder_->ricochet("run calm.toml -q").status, 0);
  for (const char* command : {"table", "plot"}) {
    const CommandOutcome none =
        folder_->ricochet(std::string(command) + " calm.h5 'impact(stops, peak_force)'");
    EXPECT_EQ(none.status, 2) << command;
    EXPECT_THAT(none.output, HasSubstr("impact(stops, peak_force): there is none in this run")) << command;
  }
}

TEST_F(LookCommands, TableOfABatchHasARowPerCase) {
  folder_->write("many.toml", oscillatorWithinStops() +
                                  "[batch]\nmethod = \"grid\"\n[batch.parameters]\n"
                                  "\"masses.0.mass\" = { values = [2.0, 8.0] }\n"
                                  "[batch.outputs]\nend = \"at(displacement(ball, ux), 0.1)\"\n");
  const CommandOutcome batch = folder_->ricochet("batch many.toml -q");
  ASSERT_EQ(batch.status, 0) << batch.output;
  const CommandOutcome table = folder_->ricochet("table many.h5");
  EXPECT_THAT(table.output, StartsWith("case,masses.0.mass [kg],status,end [m]\n0,2,complete,"));
  EXPECT_THAT(table.output, HasSubstr("\n1,8,complete,"));
  const std::string text = table.output.substr(table.output.rfind(',') + 1);
  EXPECT_NEAR(std::stod(text), 0.004 * std::cos(5.0), 1e-8);
  EXPECT_THAT(folder_->ricochet("info many.h5").output, HasSubstr("2 cases: 2 complete"));
  EXPECT_THAT(folder_->ricochet("table many.h5 ende").output, HasSubstr("no output \"ende\""));
  EXPECT_THAT(folder_->ricochet("plot many.h5 end").output,
              HasSubstr("is the result of a batch; give --batch"));
}

TEST_F(LookCommands, CompletionKnowsCommandsAndOptions) {
  folder_->write("try.sh",
                 "source complete.bash\nCOMP_CWORD=1 COMP_WORDS=(ricochet re)\n_ricochet\n"
                 "echo ${COMPREPLY[@]}\nCOMP_CWORD=2 COMP_WORDS=(ricochet run --res)\n_ricochet\n"
                 "echo ${COMPREPLY[@]}\nCOMP_WORDS=(ricochet new sh)\n_ricochet\necho ${COMPREPLY[@]}\n"
                 "COMP_WORDS=(ricochet manual hert)\n_ricochet\necho ${COMPREPLY[@]}\n");
  EXPECT_EQ(folder_->ricochet("completion bash > complete.bash").status, 0);
  EXPECT_EQ(test::runShell("cd '" + folder_->path().string() + "' && bash try.sh").output,
            "reproduce report restore\n--resume\nshoe\nhertz\n");
  EXPECT_THAT(folder_->ricochet("completion fish").output,
              HasSubstr("__fish_seen_subcommand_from run' -l resume"));
  EXPECT_THAT(folder_->ricochet("completion fish").output,
              HasSubstr("__fish_seen_subcommand_from new' -a 'blade brake cantilever"));
  EXPECT_THAT(folder_->ricochet("completion zsh").output,
              AllOf(StartsWith("#compdef ricochet\n"), HasSubstr("names=(bash fish zsh)")));
  EXPECT_EQ(folder_->ricochet("completion tcsh").status, 2);
}

/// A deck from before deck versions: the renamed word is replaced, comments and all other text stay.
TEST(Upgrade, PutsNewNamesAndTheVersionIntoADeck) {
  const test::ScratchFolder folder;
  const std::string before =
      "#:schema deck.schema.json\n[[nodes]]\nname = \"a\"\nposition = [0, 0, 0]\n[[nodes]]\nname = "
      "\"b\"\nposition = [1, 0, 0]\n[materials.steel]\nyoung = 2e11\npoisson = 0.3\ndensity = 7800.0\n"
      "[sections.bar]\ntype = \"circle\"\nradius = 0.01\n[[beams]]\nname = \"bar\"\nnodes = [\"a\", "
      "\"b\"]\nelements = 2\nmaterial = \"steel\"\nsection = \"bar\"\nmass = ";
  const std::string after =
      "   # of deep beams\n[[supports]]\nnodes = [\"a\"]\nfixed = [\"ux\", \"uy\", \"uz\", \"rx\", \"ry\", "
      "\"rz\"]\n";
  folder.write("old.toml", before + "\"averaged\"" + after);
  const CommandOutcome old = folder.ricochet("check old.toml");
  EXPECT_EQ(old.status, 2);
  const CommandOutcome upgraded = folder.ricochet("upgrade old.toml");
  ASSERT_EQ(upgraded.status, 0) << upgraded.output;
  EXPECT_THAT(upgraded.output, HasSubstr("beams[0].mass: \"averaged\" is \"corrected\" now"));
  std::string expected = before + "\"corrected\"" + after;
  expected.insert(expected.find('\n') + 1, "version = 1\n");
  EXPECT_EQ(test::readText(folder.path() / "old.toml"), expected);
  EXPECT_EQ(test::readText(folder.path() / "old.toml.old"), before + "\"averaged\"" + after);
  EXPECT_EQ(folder.ricochet("check old.toml").status, 0);
  EXPECT_THAT(folder.ricochet("upgrade old.toml").output, HasSubstr("is of version 1 already"));
  folder.write("wrong.toml", "titel = \"?\"\n");
  EXPECT_EQ(folder.ricochet("upgrade wrong.toml").status, 2);
  EXPECT_EQ(test::readText(folder.path() / "wrong.toml"), "titel = \"?\"\n");
}

TEST(ManPages, AreThoseOfAllCommandsWithoutWarnings) {
  const ScratchFolder folder;
  EXPECT_EQ(folder.ricochet("manual --man pages").status, 0);
  const std::string main = readText(folder.path() / "pages" / "ricochet.1");
  EXPECT_THAT(main, AllOf(HasSubstr(".SH MANY VARIANTS"), HasSubstr("\\fBstdin.h5\\fR"),
                          HasSubstr("\nExit status: 0")));
  std::size_t pages = 0;
  for (const auto& entry : std::filesystem::directory_iterator(folder.path() / "pages")) {
    ++pages;
    const std::string name = entry.path().stem().string();
    if (name == "ricochet") continue;
    EXPECT_THAT(main, HasSubstr(".BR ricochet\\-" + name.substr(9) + " (1)"));
    const std::string help = folder.ricochet(name.substr(9) + " --help").output;
    const std::string page = readText(entry.path());
    EXPECT_EQ(help.find("--output") != std::string::npos, page.find("\\-\\-output") != std::string::npos)
        << name;
    EXPECT_THAT(page, AllOf(HasSubstr(".SH NAME"), HasSubstr(".SH SYNOPSIS"), HasSubstr("\\-\\-help")));
  }
  EXPECT_GE(pages, 16);
  if (test::runShell("command -v groff").status == 0) {
    const CommandOutcome judged =
        test::runShell("cd '" + folder.path().string() + "/pages' && groff -man -ww -z *.1");
    EXPECT_EQ(judged.output, "");
  }
  if (test::runShell("command -v mandoc").status == 0) {
    const CommandOutcome judged =
        test::runShell("cd '" + folder.path().string() + "/pages' && mandoc -Tlint -Wwarning *.1");
    EXPECT_EQ(judged.output, "");
  }
}

}  // namespace
}  // namespace ricochet
