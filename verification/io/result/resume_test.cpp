// Runs that are killed, interrupted or stopped by a full disk, and resumed.

#include "io/hdf5/hdf5.hpp"
#include "verification/support/datasets.hpp"
#include "verification/support/program.hpp"
#include "verification/support/tier.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstring>
#include <random>
#include <string>
#include <thread>
#include <vector>

namespace ricochet {
namespace {

namespace fs = std::filesystem;
using test::CommandOutcome;
using test::expectSameDatasets;
using test::ScratchFolder;
using testing::HasSubstr;
using testing::Not;

const std::string kLook =
    "[[checks]]\nquantity = \"displacement\"\nnode = \"ball\"\ndof = \"ux\"\ntime = 0.25\n"
    "reference = 0.0\nabsolute = 1.0\nsource = \"an instant that is seen once\"\n";

/// A deck that archives every step, so that writing the file takes most of the time.
std::string deckArchivingEveryStep(double duration) {
  std::string deck = test::bouncer(duration, kLook);
  return deck.replace(deck.find("every = 100"), 11, "every = 2");
}

/// Duration of a run that has not ended when its file contains some blocks.
constexpr double kLong = test::kSanitized ? 2.0 : 15.0;

/// Bytes of a result of some blocks; a row has 270 bytes.
constexpr std::uintmax_t kSomeBlocks = 4'000'000;

/// Kills a command after some seconds, if deck.h5 does not exist by then.
void kill(const ScratchFolder& folder, const std::string& arguments, double after) {
  test::Child run = folder.start(arguments);
  std::this_thread::sleep_for(std::chrono::duration<double>(after));
  const CommandOutcome outcome = run.finish(SIGKILL);
  EXPECT_TRUE(outcome.signal == SIGKILL || fs::exists(folder.path() / "deck.h5"))
      << outcome.status << outcome.output;
}

TEST(Resume, KilledAtRandomTheResultIsThatOfARunThatWasNot) {
  const ScratchFolder folder;
  folder.write("deck.toml", deckArchivingEveryStep(test::kSanitized ? 1.0 : 4.0));
  ASSERT_EQ(folder.ricochet("run deck.toml -q -o whole.h5").status, 0);
  std::mt19937 dice(7);
  std::uniform_real_distribution<double> after(0.02, 0.5);
  for (int i = 0; i < (test::kSanitized ? 2 : 5); ++i) {
    fs::remove(folder.path() / "deck.h5");
    kill(folder, "run deck.toml -q", after(dice));
    while (!fs::exists(folder.path() / "deck.h5")) {
      const bool again = i % 2 == 1 && dice() % 2 == 0;
      const bool left = fs::exists(folder.path() / "deck.h5.partial");
      if (again) {
        kill(folder, left ? "run deck.toml -q --resume" : "run deck.toml -q", after(dice));
        continue;
      }
      const CommandOutcome outcome = folder.ricochet(left ? "run deck.toml --resume" : "run deck.toml");
      ASSERT_TRUE(fs::exists(folder.path() / "deck.h5")) << outcome.output;
    }
    expectSameDatasets(folder.path() / "whole.h5", folder.path() / "deck.h5");
    EXPECT_FALSE(fs::exists(folder.path() / "deck.h5.partial.journal"));
  }
}

/// Damages the newer of the two checkpoints of a file by changing a bit.
void damageNewerCheckpoint(const fs::path& path) {
  const H5File file = H5File::open(path, Access::readWrite);
  std::string newer;
  std::uint64_t newest = 0;
  for (const std::string& name : file.namesOfGroupMembers("/checkpoint")) {
    std::uint64_t sequence = 0;  // first bytes of each checkpoint
    std::memcpy(&sequence, file.readAny<std::uint8_t>("/checkpoint/" + name).values.data(), sizeof sequence);
    if (sequence > newest) newer = "/checkpoint/" + name;
    newest = std::max(newest, sequence);
  }
  ASSERT_GE(newest, 2U);
  H5Array<std::uint8_t> bytes = file.readAny<std::uint8_t>(newer);
  bytes.values[100] ^= 1U;
  file.write(newer, bytes.shape, bytes.values, {"1", "damaged"});
}

/// If the newer checkpoint is damaged, the rows after the older checkpoint are computed again.
TEST(Resume, GoesOnAfterCtrlC) {
  const ScratchFolder folder;
  folder.write("deck.toml", deckArchivingEveryStep(kLong));
  ASSERT_EQ(folder.ricochet("run deck.toml -q -o whole.h5").status, 0);
  test::Child run = folder.start("run deck.toml");
  ASSERT_TRUE(run.waitForSize(folder.path() / "deck.h5.partial", kSomeBlocks));
  const CommandOutcome stopped = run.finish(SIGINT);
  ASSERT_EQ(stopped.status, 1) << stopped.output;
  EXPECT_THAT(stopped.output, HasSubstr("--resume"));
  EXPECT_EQ(H5File::open(folder.path() / "deck.h5").stringAttribute("/", "status"), "failed");
  fs::copy_file(folder.path() / "deck.h5", folder.path() / "torn.h5");
  damageNewerCheckpoint(folder.path() / "torn.h5");
  ASSERT_EQ(folder.ricochet("run deck.toml -q --resume -o torn.h5").status, 0);
  expectSameDatasets(folder.path() / "whole.h5", folder.path() / "torn.h5");
  ASSERT_EQ(folder.ricochet("run deck.toml -q --resume").status, 0);
  expectSameDatasets(folder.path() / "whole.h5", folder.path() / "deck.h5");
  const H5File file = H5File::open(folder.path() / "deck.h5");
  EXPECT_EQ(file.stringAttribute("/", "status"), "complete");
  EXPECT_FALSE(file.hasAttribute("/", "failure"));
}

TEST(Resume, GoesOnAfterAFullDisk) {
  const ScratchFolder folder;
  folder.write("deck.toml", deckArchivingEveryStep(test::kSanitized ? 1.0 : 4.0));
  ASSERT_EQ(folder.ricochet("run deck.toml -q -o whole.h5").status, 0);
  // Limit of the file in KiB; the complete file is larger.
  const auto limits = test::kSanitized ? std::vector{8000} : std::vector{3000, 8000, 20011};
  for (const int limit : limits) {
    fs::remove(folder.path() / "deck.h5");
    const CommandOutcome full = test::runShell(
        fmt::format("cd '{}' && bash -c \"ulimit -f {}; exec '" RICOCHET_PROGRAM "' run deck.toml -q\"",
                    folder.path().string(), limit));
    ASSERT_EQ(full.status, 1) << full.output;
    EXPECT_THAT(full.output, HasSubstr("File too large"));
    EXPECT_THAT(full.output, Not(HasSubstr("HDF5-DIAG")));
    EXPECT_THAT(full.output, HasSubstr("deck.h5.partial holds the run up to its last block"));
    EXPECT_FALSE(fs::exists(folder.path() / "deck.h5"));
    {
      const H5File file = H5File::open(folder.path() / "deck.h5.partial");
      EXPECT_GT(file.shape("/energy/time").front(), 1000U);
      EXPECT_EQ(file.stringAttribute("/", "status"), "running");
    }
    const CommandOutcome after = folder.ricochet("run deck.toml -q --resume");
    ASSERT_EQ(after.status, 0) << after.output;
    expectSameDatasets(folder.path() / "whole.h5", folder.path() / "deck.h5");
  }
}

TEST(Resume, RefusesWhatItCannotGoOnWith) {
  const ScratchFolder folder;
  folder.write("deck.toml", deckArchivingEveryStep(1000.0));
  {
    test::Child run = folder.start("run deck.toml -q");
    ASSERT_TRUE(run.waitForSize(folder.path() / "deck.h5.partial", kSomeBlocks));
    EXPECT_EQ(run.finish(SIGKILL).signal, SIGKILL);
  }
  const auto refused = [&](const std::string& arguments, const std::string& why) {
    const CommandOutcome outcome = folder.ricochet("run deck.toml --resume " + arguments);
    EXPECT_EQ(outcome.status, 2) << arguments;
    EXPECT_THAT(outcome.output, HasSubstr(why));
  };
  refused("--mode direct", "--mode modal");
  folder.write("deck.toml", deckArchivingEveryStep(1001.0));
  refused("", "is of another text of deck.toml");
  EXPECT_EQ(H5File::open(folder.path() / "deck.h5.partial").stringAttribute("/", "status"), "running");

  folder.write("deck.toml", test::bouncer(0.01));
  ASSERT_EQ(folder.ricochet("run deck.toml -q -o done.h5").status, 0);
  folder.write("deck.toml", test::bouncer(0.02));
  refused("-o done.h5", "is of another text of deck.toml");
}

/// A cluster may submit a job again in any state: the same command starts, continues and completes the run.
TEST(Resume, BeginsWhereThereIsNothingAndEndsWhereAllIsComplete) {
  const ScratchFolder folder;
  folder.write("deck.toml", test::bouncer(0.01));
  ASSERT_EQ(folder.ricochet("run deck.toml -q -o whole.h5").status, 0);
  const CommandOutcome begun = folder.ricochet("run deck.toml --resume");
  EXPECT_EQ(begun.status, 0) << begun.output;
  EXPECT_THAT(begun.output, HasSubstr("the run began anew"));
  expectSameDatasets(folder.path() / "whole.h5", folder.path() / "deck.h5");

  const std::string before = test::readText(folder.path() / "deck.h5");
  const auto changed = std::filesystem::last_write_time(folder.path() / "deck.h5");
  const CommandOutcome ended = folder.ricochet("run deck.toml --resume");
  EXPECT_EQ(ended.status, 0) << ended.output;
  EXPECT_THAT(ended.output, HasSubstr("deck.h5: is complete, nothing is left to resume"));
  EXPECT_EQ(test::readText(folder.path() / "deck.h5"), before);
  EXPECT_EQ(std::filesystem::last_write_time(folder.path() / "deck.h5"), changed);
}

TEST(Resume, RefusesToGoOnWhereADataFileHasChanged) {
  const ScratchFolder folder;
  const std::string before = "t,v\n0,1\n10000,1\n";
  folder.write("earlier.toml", test::bouncer(0.01));
  ASSERT_EQ(folder.ricochet("run earlier.toml -q").status, 0);
  const std::string result = test::readText(folder.path() / "earlier.h5");
  folder.write("f.csv", before);
  folder.write("deck.toml", deckArchivingEveryStep(test::kSanitized ? 2.0 : 5.0) +
                                "[functions.f]\nfile = \"f.csv\"\ncolumns = [\"t\", \"v\"]\n"
                                "[functions.g]\nresult = \"earlier.h5\"\n"
                                "quantity = \"displacement(ball, ux)\"\n"
                                "[[loads]]\nnodes = [\"ball\"]\nforce = [1.0, 0, 0]\nscale = \"f\"\n");
  {
    test::Child run = folder.start("run deck.toml -q");
    ASSERT_TRUE(run.waitForSize(folder.path() / "deck.h5.partial", kSomeBlocks));
    EXPECT_EQ(run.finish(SIGKILL).signal, SIGKILL);
  }
  const auto refused = [&](const std::string& file) {
    const CommandOutcome outcome = folder.ricochet("run deck.toml -q --resume");
    EXPECT_EQ(outcome.status, 2) << outcome.output;
    EXPECT_THAT(outcome.output, HasSubstr("the data file " + file + " has changed since it was begun"));
  };
  folder.write("f.csv", "t,v\n0,-7\n10000,-7\n");
  refused("f.csv");
  folder.write("f.csv", before);
  folder.write("earlier.toml", test::bouncer(0.02));
  ASSERT_EQ(folder.ricochet("run earlier.toml -q --force").status, 0);
  refused("earlier.h5");
  folder.write("earlier.h5", result);
  const CommandOutcome after = folder.ricochet("run deck.toml -q --resume");
  EXPECT_EQ(after.status, 0) << after.output;
}

TEST(Resume, WithoutItNothingThatCanBeResumedIsLost) {
  const ScratchFolder folder;
  folder.write("deck.toml", deckArchivingEveryStep(kLong));
  const auto refused = [&](const std::string& file) {
    const std::string before = test::readText(folder.path() / file);
    const CommandOutcome outcome = folder.ricochet("run deck.toml -q");
    EXPECT_EQ(outcome.status, 2) << outcome.output;
    EXPECT_THAT(
        outcome.output,
        HasSubstr(file + ": holds unfinished results: --resume goes on with them, --force begins anew"));
    EXPECT_TRUE(test::readText(folder.path() / file) == before);
  };
  const auto stopped = [&](int signal) {
    test::Child run = folder.start("run deck.toml -q --force");
    EXPECT_TRUE(run.waitForSize(folder.path() / "deck.h5.partial", kSomeBlocks));
    const CommandOutcome outcome = run.finish(signal);
    EXPECT_EQ(outcome.signal, signal == SIGKILL ? SIGKILL : 0) << outcome.output;
    EXPECT_EQ(outcome.status, signal == SIGKILL ? -1 : 1) << outcome.output;
  };
  stopped(SIGINT);
  refused("deck.h5");
  fs::remove(folder.path() / "deck.h5");
  stopped(SIGKILL);
  H5File::open(folder.path() / "deck.h5.partial");  // takes back what was not flushed
  refused("deck.h5.partial");
  EXPECT_EQ(folder.ricochet("run deck.toml -q --resume").status, 0);
}

TEST(Resume, TwoProgramsDoNotWriteOneFile) {
  const ScratchFolder folder;
  folder.write("deck.toml", deckArchivingEveryStep(1000.0));
  test::Child run = folder.start("run deck.toml -q");
  ASSERT_TRUE(run.waitForSize(folder.path() / "deck.h5.partial", kSomeBlocks));
  const CommandOutcome outcome = folder.ricochet("run deck.toml -q --resume");
  EXPECT_THAT(outcome.output, HasSubstr("another program has it open"));
  EXPECT_EQ(outcome.status, 2);
  for (const char* anew : {"run deck.toml -q", "run deck.toml -q --force", "batch deck.toml -q --force"}) {
    const CommandOutcome second = folder.ricochet(anew);
    EXPECT_EQ(second.status, 2) << anew;
  }
  EXPECT_THAT(folder.ricochet("run deck.toml -q --force").output,
              HasSubstr("deck.h5.partial: another program has it open"));
  EXPECT_EQ(run.finish(SIGKILL).signal, SIGKILL);
}

}  // namespace
}  // namespace ricochet
