// `ricochet batch` as a program that is killed, interrupted and resumed.

#include "io/hdf5/hdf5.hpp"
#include "io/result/result_target.hpp"
#include "verification/support/bits.hpp"
#include "verification/support/program.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <random>
#include <thread>

namespace ricochet {
namespace {

using test::CommandOutcome;
using test::ScratchFolder;
using testing::HasSubstr;

/// A batch whose variants take some milliseconds.
std::string deckOf(int count) {
  std::string text =
      test::bouncer(0.15, fmt::format("interval = 0.05\n"
                                      "[batch]\nmethod = \"latin_hypercube\"\nsamples = {}\nseed = 7\n"
                                      "[batch.parameters]\n"
                                      "\"contacts.stops.obstacle.gap\" = {{ from = 0.002, to = 0.006 }}\n"
                                      "\"masses.0.mass\" = {{ from = 1.5, to = 2.5 }}\n"
                                      "[batch.outputs]\n"
                                      "peak = \"max(abs(velocity(ball, ux)))\"\n"
                                      "hits = \"event_count(stops, closing)\"\n"
                                      "first = \"event_time(stops, closing)\"\n"
                                      "[batch.histories]\nx = \"displacement(ball, ux)\"\n",
                                      count));
  return text.erase(text.find("every = 100\n"), 12);
}

void expectSameContent(const std::filesystem::path& one, const std::filesystem::path& other) {
  const H5File a = H5File::open(one);
  const H5File b = H5File::open(other);
  for (const char* path : {"/batch/parameters", "/batch/outputs", "/batch/end_time", "/batch/histories/x",
                           "/batch/histories/time", "/modal/shapes"}) {
    EXPECT_EQ(a.readAny(path).shape, b.readAny(path).shape) << path;
    EXPECT_EQ(test::bitPatternsOf(a.readAny(path).values), test::bitPatternsOf(b.readAny(path).values))
        << path;
  }
  for (const char* path : {"/batch/defined", "/batch/status"})
    EXPECT_EQ(a.readAny<std::int64_t>(path).values, b.readAny<std::int64_t>(path).values) << path;
  EXPECT_EQ(a.stringAttribute("/", "status"), "complete");
  EXPECT_EQ(b.stringAttribute("/", "status"), "complete");
}

/// States of the cases; empty if the program was killed before its first flush.
std::size_t completedCasesIn(const std::filesystem::path& file) {
  if (!hasUnfinishedContent(file)) return 0;
  const H5File content = H5File::open(file);
  const auto status = content.readAny<std::int8_t>("/batch/status").values;
  return static_cast<std::size_t>(std::count_if(status.begin(), status.end(), [](int s) { return s != 0; }));
}

TEST(BatchCommand, ResumesAfterBeingKilledAtAnyInstant) {
  const ScratchFolder folder;
  folder.write("deck.toml", deckOf(300));
  const auto begin = std::chrono::steady_clock::now();
  const CommandOutcome whole = folder.ricochet("batch deck.toml -o whole.h5");
  const std::chrono::duration<double> wholeTime = std::chrono::steady_clock::now() - begin;
  ASSERT_EQ(whole.status, 0) << whole.output;
  EXPECT_THAT(whole.output, HasSubstr("300 complete, 0 failed, 0 missing"));

  const std::filesystem::path killed = folder.path() / "killed.h5", partial = temporaryNameOfResult(killed);
  const auto kill = [&](const std::string& arguments, std::chrono::duration<double> pause) {
    test::Child run = folder.start("batch deck.toml -q -o killed.h5 " + arguments);
    run.waitForSize(partial, 1);
    std::this_thread::sleep_for(pause);
    EXPECT_THAT(run.finish(SIGKILL).status, testing::AnyOf(-1, 0));  // killed, or complete before
  };
  // The first run is killed as soon as there is a file, and repeated if it was complete before.
  for (int i = 0; i < 20 && !std::filesystem::exists(partial); ++i) {
    std::filesystem::remove(killed);
    kill("", {});
  }
  ASSERT_TRUE(std::filesystem::exists(partial));
  // The progress of the other runs before they are killed is arbitrary.
  std::mt19937 dice(11);
  std::uniform_real_distribution<double> share(0.0, 0.3);
  std::size_t before = completedCasesIn(partial);
  for (int i = 0; i < 5 && std::filesystem::exists(partial); ++i) {
    kill("--resume", share(dice) * wholeTime);
    if (!std::filesystem::exists(partial)) break;
    const std::size_t done = completedCasesIn(partial);
    EXPECT_GE(done, before);
    before = done;
  }
  if (!std::filesystem::exists(killed)) {
    const CommandOutcome last = folder.ricochet("batch deck.toml -o killed.h5 --resume");
    EXPECT_EQ(last.status, 0) << last.output;
  }
  expectSameContent(folder.path() / "whole.h5", killed);
}

/// Half a period on the stop is pi sqrt(m/k) = 14 ms with m = 2 kg.
TEST(BatchCommand, SaysThatImpactsFallBetweenInstantsOfHistories) {
  const ScratchFolder folder;
  const auto outputOf = [&](const std::string& from, const std::string& to) {
    std::string text = deckOf(3);
    text.replace(text.find(from), from.size(), to);
    folder.write("deck.toml", text);
    const CommandOutcome outcome = folder.ricochet("batch deck.toml -o out.h5 --force");
    EXPECT_EQ(outcome.status, 0) << outcome.output;
    return outcome.output;
  };
  const char* const advice =
      "look at: instants of histories are 0.05 s apart, and an impact on contact stops can be over in 0.014 "
      "s";
  EXPECT_THAT(outputOf("seed = 7", "seed = 7"), HasSubstr(advice));
  EXPECT_THAT(outputOf("interval = 0.05", "interval = 0.01"), testing::Not(HasSubstr("look at")));
  const std::string histories = "[batch.histories]\nx = \"displacement(ball, ux)\"\n";
  EXPECT_THAT(outputOf(histories, ""), testing::Not(HasSubstr("look at")));
}

/// The peak force of an output is that of the motion, not that of rows that are farther apart than the
/// impact: by the energy from 0.009 m, with 2e4 N/m and a stop of 1e5 N/m at 0.005 m.
TEST(BatchCommand, OutputsDoNotDependOnRows) {
  const ScratchFolder folder;
  const std::string tail =
      "interval = INTERVAL\n[batch.parameters]\n\"masses.0.mass\" = { values = [1.0, 2.0] }\n"
      "[batch.outputs]\nforce = \"max(normal_force(stops))\"\nspeed = \"max(abs(velocity(ball, ux)))\"\n";
  std::string deck = test::bouncer(1.0, tail);
  deck.erase(deck.find("every = 100\n"), 12);
  const auto outputsWith = [&](const std::string& interval) {
    std::string text = deck;
    text.replace(text.find("INTERVAL"), 8, interval);
    folder.write("deck.toml", text);
    const CommandOutcome outcome = folder.ricochet("batch deck.toml -o out.h5 --force");
    EXPECT_EQ(outcome.status, 0) << outcome.output;
    EXPECT_THAT(outcome.output, testing::Not(HasSubstr("look at")));
    return H5File::open(folder.path() / "out.h5").readAny("/batch/outputs").values;
  };
  const std::vector<double> fine = outputsWith("0.001"), coarse = outputsWith("0.5");
  EXPECT_EQ(test::bitPatternsOf(fine), test::bitPatternsOf(coarse));
  // It starts at rest 0.004 m inside the stop, which is where the force and the energy are largest.
  const double energy = 0.5 * 2e4 * 0.009 * 0.009 + 0.5 * 1e5 * 0.004 * 0.004;
  ASSERT_EQ(fine.size(), 4U);
  for (std::size_t i = 0; i < 2; ++i) {
    EXPECT_NEAR(fine[2 * i], 400.0, 1e-3 * 400.0);
    const double mass = i == 0 ? 1.0 : 2.0;
    EXPECT_NEAR(fine[2 * i + 1], std::sqrt(2.0 * energy / mass), 1e-4);
  }
}

TEST(BatchCommand, GivesItsNameToWhatWasKilledJustBefore) {
  const ScratchFolder folder;
  folder.write("deck.toml", deckOf(5));
  ASSERT_EQ(folder.ricochet("batch deck.toml -o out.h5").status, 0);
  std::filesystem::copy(folder.path() / "out.h5", folder.path() / "whole.h5");
  std::filesystem::rename(folder.path() / "out.h5", folder.path() / "out.h5.partial");
  const CommandOutcome named = folder.ricochet("batch deck.toml -o out.h5 --resume");
  EXPECT_EQ(named.status, 0) << named.output;
  EXPECT_THAT(named.output, HasSubstr("5 complete, 0 failed, 0 missing (5 were done before)"));
  EXPECT_FALSE(std::filesystem::exists(folder.path() / "out.h5.partial"));
  expectSameContent(folder.path() / "whole.h5", folder.path() / "out.h5");
}

/// An invalid case, short cases and then a case of a million seconds, which never ends.
TEST(BatchCommand, StopsCleanlyWhenInterrupted) {
  const ScratchFolder folder;
  std::string text = deckOf(5);
  text.erase(text.find("[batch.histories]"));
  text.erase(text.find("interval = 0.05\n"), 16);
  const std::size_t begin = text.find("method =");
  text.replace(
      begin, text.find("[batch.outputs]") - begin,
      "[batch.parameters]\n\"transient.duration\" = { values = [-1, 0.01, 0.02, 0.03, 0.04, 0.05, 1e6] }\n");
  folder.write("deck.toml", text);
  const std::filesystem::path partial = folder.path() / "out.h5.partial";
  std::size_t done = 0;
  CommandOutcome stopped;
  // The short cases end soon after the file exists; the time depends on the machine.
  for (auto pause = std::chrono::milliseconds(250); done < 6 && pause.count() < 60000; pause *= 2) {
    test::Child run = folder.start("batch deck.toml -o out.h5");
    ASSERT_TRUE(run.waitForSize(partial, 1));
    std::this_thread::sleep_for(pause);
    stopped = run.finish(SIGINT);
    EXPECT_EQ(stopped.status, 1);
    EXPECT_THAT(stopped.output, HasSubstr("interrupted; out.h5.partial holds the"));
    EXPECT_FALSE(std::filesystem::exists(folder.path() / "out.h5"));
    done = completedCasesIn(partial);
    EXPECT_LT(done, 7u);
    if (hasUnfinishedContent(partial)) {  // the last case has not run
      EXPECT_TRUE(std::isnan(H5File::open(partial).readAny("/batch/outputs").values.back()));
    }
    std::filesystem::remove(partial);
  }
  EXPECT_EQ(done, 6u);
  // The reason is that of the run, because a stopped batch does not search for another reason.
  EXPECT_THAT(stopped.output,
              HasSubstr("failed: case 0 (transient.duration = -1): transient.duration: must"));
}

TEST(BatchCommand, BeginsEndsOrSaysWhyItCannotResume) {
  const ScratchFolder folder;
  folder.write("deck.toml", deckOf(5));
  const CommandOutcome begun = folder.ricochet("batch deck.toml -o out.h5 --resume");
  ASSERT_EQ(begun.status, 0) << begun.output;
  const std::string before = test::readText(folder.path() / "out.h5");
  const CommandOutcome ended = folder.ricochet("batch deck.toml -o out.h5 --resume");
  EXPECT_EQ(ended.status, 0) << ended.output;
  EXPECT_THAT(ended.output, HasSubstr("out.h5: is complete, nothing is left to resume"));
  EXPECT_EQ(test::readText(folder.path() / "out.h5"), before);

  const CommandOutcome again = folder.ricochet("batch deck.toml -o out.h5");
  EXPECT_EQ(again.status, 2);
  EXPECT_THAT(again.output, HasSubstr("exists and is complete"));

  std::filesystem::rename(folder.path() / "out.h5", folder.path() / "out.h5.partial");
  folder.write("deck.toml", deckOf(6));
  const CommandOutcome other = folder.ricochet("batch deck.toml -o out.h5 --resume");
  EXPECT_EQ(other.status, 2);
  EXPECT_THAT(other.output, HasSubstr("was made from another text of the deck"));
}

TEST(BatchCommand, TakesATable) {
  const ScratchFolder folder;
  folder.write("cases.csv", "mass, gap\n1.5, 0.002\n2.5, 0.02\n");
  std::string text = deckOf(5);
  const std::size_t begin = text.find("method =");
  text.replace(begin, text.find("[batch.outputs]") - begin,
               "method = \"table\"\nfile = \"cases.csv\"\n[batch.parameters]\n\"masses.0.mass\" = { column = "
               "\"mass\" }\n\"contacts.stops.obstacle.gap\" = { column = \"gap\" }\n");
  folder.write("deck.toml", text);
  const CommandOutcome outcome = folder.ricochet("batch deck.toml -o out.h5");
  ASSERT_EQ(outcome.status, 0) << outcome.output;
  const H5File file = H5File::open(folder.path() / "out.h5");
  EXPECT_EQ(file.readAny("/batch/parameters").values, (std::vector<double>{1.5, 0.002, 2.5, 0.02}));
  EXPECT_GT(file.readAny("/batch/outputs").values[1], 0.0);
  EXPECT_EQ(file.readAny("/batch/outputs").values[4], 0.0);  // 9 mm never reach 20 mm
  EXPECT_TRUE(std::isnan(file.readAny("/batch/outputs").values[5]));
  EXPECT_THAT(file.stringsAttribute("/batch/outputs", "names"),
              testing::ElementsAre("peak", "hits", "first"));
}

TEST(BatchCommand, FailsWithTheReasonsOfFailedCases) {
  const ScratchFolder folder;
  std::string text = deckOf(5);
  const std::size_t begin = text.find("method =");
  text.replace(begin, text.find("[batch.outputs]") - begin,
               "[batch.parameters]\n\"contacts.stops.normal.stiffness\" = { values = [1e5, 1e13] }\n");
  folder.write("deck.toml", text);
  const CommandOutcome outcome = folder.ricochet("batch deck.toml -o out.h5");
  EXPECT_EQ(outcome.status, 1);
  EXPECT_THAT(outcome.output, HasSubstr("1 complete, 1 failed, 0 missing"));
  EXPECT_THAT(outcome.output, HasSubstr("case 1 (contacts.stops.normal.stiffness = 1e+13): transient.step"));
  const H5File file = H5File::open(folder.path() / "out.h5");
  EXPECT_EQ(file.readStrings("/batch/failures/reason").size(), 1u);

  const std::size_t told = outcome.output.find("ricochet: deck.toml: 1 of 2 cases failed");
  ASSERT_NE(told, std::string::npos);
  const CommandOutcome ended = folder.ricochet("batch deck.toml -o out.h5 --resume");
  EXPECT_EQ(ended.status, 1);
  EXPECT_THAT(ended.output, HasSubstr("out.h5: is complete, nothing is left to resume"));
  const std::size_t end = outcome.output.find('\n', told);
  EXPECT_THAT(ended.output, HasSubstr(outcome.output.substr(told, end - told)));
}

/// Cases in lanes and one case alone: a negative number has no logarithm.
TEST(BatchCommand, FailsWhereAHistoryHasNoValue) {
  for (const int count : {1, 20}) {
    const ScratchFolder folder;
    std::string text = deckOf(count);
    text += "broken = \"log(displacement(ball, ux) - 1)\"\n";
    folder.write("deck.toml", text);
    const CommandOutcome outcome = folder.ricochet("batch deck.toml -o out.h5");
    EXPECT_EQ(outcome.status, 1);
    EXPECT_THAT(outcome.output, HasSubstr("batch.histories.broken: is no finite number at t = 0 s"));
    const H5File file = H5File::open(folder.path() / "out.h5");
    const auto cases = static_cast<std::size_t>(count);
    EXPECT_EQ(file.readAny<std::int8_t>("/batch/status").values,
              std::vector<std::int8_t>(cases, 6));  // bad_input
    const std::vector<double> histories = file.readAny("/batch/histories/broken").values;
    EXPECT_EQ(histories.size(), cases * 4);
    EXPECT_TRUE(std::ranges::all_of(histories, [](double x) { return std::isnan(x); }));
    // The run completed, but a failed case has no outputs.
    EXPECT_TRUE(
        std::ranges::all_of(file.readAny("/batch/outputs").values, [](double x) { return std::isnan(x); }));
    EXPECT_EQ(file.readAny<std::uint8_t>("/batch/defined").values, std::vector<std::uint8_t>(cases * 3, 0));
    EXPECT_EQ(file.readStrings("/batch/failures/reason").size(), cases);
  }
}

/// Command for mpirun on this machine (with leak checks off for its libraries); empty without mpirun, or if
/// the program has no MPI.
std::string launcher(int processes) {
  const bool found =
      test::runShell("command -v mpirun && ldd '" RICOCHET_PROGRAM "' | grep -q libmpi").status == 0;
  if (!found) return {};
  return fmt::format(
      "ASAN_OPTIONS=detect_leaks=0 OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 "
      "timeout --kill-after=5 120 mpirun --oversubscribe --enable-recovery -n {} '{}'",
      processes, RICOCHET_PROGRAM);
}

/// Expects success well before `timeout` ends a run that hangs. With recovery mpirun reports nothing about
/// its processes, so the file shows the success.
std::string outputInTime(const ScratchFolder& folder, const std::string& command) {
  const auto begin = std::chrono::steady_clock::now();
  const CommandOutcome outcome =
      test::runShell(fmt::format("cd '{}' || exit; {}", folder.path().string(), command));
  const std::chrono::duration<double> lasted = std::chrono::steady_clock::now() - begin;
  EXPECT_EQ(outcome.status, 0) << outcome.output;
  EXPECT_LT(lasted.count(), 60.0) << outcome.output;
  return outcome.output;
}

/// A command that kills one of the processes as soon as the file exists, when all processes know each other.
std::string commandKillingProcess(int rank) {
  return fmt::format(
      "(for i in $(seq 3000); do [ -e shot.h5.partial ] && break; sleep 0.01; done; for p in $(pgrep -f '^{} "
      "batch deck.toml -o shot.h5'); do grep -qz OMPI_COMM_WORLD_RANK={} /proc/$p/environ && kill -9 $p && "
      "echo shot; done) & ",
      RICOCHET_PROGRAM, rank);
}

TEST(BatchCommand, GivesTheSameOnSeveralProcesses) {
  const std::string mpirun = launcher(3);
  if (mpirun.empty()) GTEST_SKIP() << "no MPI";
  const ScratchFolder folder;
  folder.write("deck.toml", deckOf(300));
  ASSERT_EQ(folder.ricochet("batch deck.toml -o one.h5 -j 1").status, 0);
  EXPECT_THAT(outputInTime(folder, mpirun + " batch deck.toml -o three.h5"), HasSubstr("3 processes"));
  expectSameContent(folder.path() / "one.h5", folder.path() / "three.h5");
}

TEST(BatchCommand, OthersRunWhatADeadProcessHadInHand) {
  const std::string mpirun = launcher(3);
  if (mpirun.empty()) GTEST_SKIP() << "no MPI";
  const ScratchFolder folder;
  folder.write("deck.toml", deckOf(600));
  const std::string output =
      outputInTime(folder, commandKillingProcess(2) + mpirun + " batch deck.toml -o shot.h5");
  EXPECT_THAT(output, HasSubstr("shot\n"));
  EXPECT_THAT(output, HasSubstr("600 complete, 0 failed, 0 missing"));
  ASSERT_EQ(folder.ricochet("batch deck.toml -o whole.h5").status, 0);
  expectSameContent(folder.path() / "whole.h5", folder.path() / "shot.h5");
}

TEST(BatchCommand, OthersEndWhenTheFirstProcessDies) {
  const std::string mpirun = launcher(3);
  if (mpirun.empty()) GTEST_SKIP() << "no MPI";
  const ScratchFolder folder;
  folder.write("deck.toml", deckOf(600));
  const std::string output =
      outputInTime(folder, commandKillingProcess(0) + mpirun + " batch deck.toml -o shot.h5");
  EXPECT_THAT(output, HasSubstr("shot\n"));
  for (const int other : {1, 2})
    EXPECT_THAT(output, HasSubstr(fmt::format("process 0 of this batch is gone, so process {} ends", other)));
  EXPECT_TRUE(std::filesystem::exists(folder.path() / "shot.h5.partial"));
  EXPECT_FALSE(std::filesystem::exists(folder.path() / "shot.h5"));
}

TEST(BatchCommand, DrawsAnOutputAgainstItsParameters) {
  const ScratchFolder folder;
  folder.write("deck.toml", deckOf(50));
  ASSERT_EQ(folder.ricochet("batch deck.toml -o out.h5").status, 0);
  EXPECT_EQ(folder.ricochet("plot --batch out.h5 peak -o map.svg").status, 0);
  EXPECT_EQ(folder.ricochet("plot --batch out.h5 hits -x gap -o scatter.svg").status, 0);
  EXPECT_THAT(test::readText(folder.path() / "map.svg"), HasSubstr("masses.0.mass"));
  EXPECT_THAT(test::readText(folder.path() / "scatter.svg"), HasSubstr("contacts.stops.obstacle.gap"));
  const CommandOutcome unknown = folder.ricochet("plot --batch out.h5 peek");
  EXPECT_EQ(unknown.status, 2);
  EXPECT_THAT(unknown.output, HasSubstr("no output \"peek\"; there are peak, hits, first"));
}

TEST(BatchCommand, NeedsABatch) {
  const ScratchFolder folder;
  folder.write("deck.toml", test::bouncer(0.1));
  const CommandOutcome outcome = folder.ricochet("batch deck.toml");
  EXPECT_EQ(outcome.status, 2);
  EXPECT_THAT(outcome.output, HasSubstr("deck.toml:1:1: batch: missing"));
  EXPECT_TRUE(folder.isEmptyExceptFor("deck.toml"));
}

}  // namespace
}  // namespace ricochet
