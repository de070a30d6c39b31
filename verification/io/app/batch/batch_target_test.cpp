// Behaviour of a batch and a run with existing files, with files of other writers, and with a full disk.

#include "io/hdf5/hdf5.hpp"
#include "verification/support/bits.hpp"
#include "verification/support/program.hpp"
#include "verification/support/tier.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/file.h>

#include <algorithm>
#include <string>

namespace ricochet {
namespace {

namespace fs = std::filesystem;
using test::CommandOutcome;
using test::ScratchFolder;
using testing::HasSubstr;
using testing::Not;

/// Cases with masses from 1 kg to -2 kg: a negative mass is an error of the deck. A case takes `duration`
/// seconds with steps of 10 us.
std::string deckOf(int count, double duration, const std::string& more = {}) {
  return test::bouncer(duration, fmt::format("{}[batch.parameters]\n"
                                             "\"masses.0.mass\" = {{ from = 1.0, to = -2.0, count = {} }}\n"
                                             "[batch.outputs]\npeak = \"max(displacement(ball, ux))\"\n",
                                             more, count));
}

std::vector<std::int8_t> statusesOf(const fs::path& file) {
  return H5File::open(file).readAny<std::int8_t>("/batch/status").values;
}

std::size_t pendingCasesIn(const fs::path& file) {
  const std::vector<std::int8_t> all = statusesOf(file);
  return static_cast<std::size_t>(std::count(all.begin(), all.end(), 0));
}

/// Runs a command with a limit of the file size in KiB.
CommandOutcome runWithFileLimit(const ScratchFolder& folder, std::uintmax_t kibibytes,
                                const std::string& arguments) {
  return test::runShell(fmt::format("cd '{}' && bash -c \"trap '' XFSZ; ulimit -f {}; exec '" RICOCHET_PROGRAM
                                    "' {}\"",
                                    folder.path().string(), kibibytes, arguments));
}

bool isLeft(const ScratchFolder& folder, std::string_view beginning) {
  const fs::directory_iterator all(folder.path());
  return std::any_of(begin(all), end(all), [&](const fs::directory_entry& entry) {
    return entry.path().filename().string().starts_with(beginning);
  });
}

TEST(BatchTarget, AFullDiskAtTheEndLosesNothing) {
  const ScratchFolder folder;
  // a case takes 20 ms under the sanitizers
  const int cases = test::kSanitized ? 180 : 600;
  folder.write("deck.toml", deckOf(cases, 0.001));
  ASSERT_EQ(folder.ricochet("batch deck.toml -q -o whole.h5").status, 1);
  // The last data that are written are the reasons of two thirds of the cases, at least 100 bytes each.
  const std::uintmax_t size = fs::file_size(folder.path() / "whole.h5") / 1024;
  const std::uintmax_t half = static_cast<std::uintmax_t>(cases) / 30;  // of the reasons [KiB]
  const CommandOutcome full = runWithFileLimit(folder, size - half, "batch deck.toml -q -o out.h5");
  EXPECT_EQ(full.status, 1) << full.output;
  EXPECT_THAT(full.output,
              HasSubstr("File too large; out.h5.partial holds the cases that are done: remedy it "
                        "and give --resume\n"));
  EXPECT_EQ(std::count(full.output.begin(), full.output.end(), '\n'), 1) << full.output;
  EXPECT_FALSE(fs::exists(folder.path() / "out.h5"));
  EXPECT_EQ(statusesOf(folder.path() / "out.h5.partial"), statusesOf(folder.path() / "whole.h5"));

  const CommandOutcome after = folder.ricochet("batch deck.toml -q -o out.h5 --resume");
  EXPECT_EQ(after.status, 1) << after.output;  // status of the failed cases
  EXPECT_FALSE(isLeft(folder, "out.h5.partial"));
  const H5File whole = H5File::open(folder.path() / "whole.h5"), out = H5File::open(folder.path() / "out.h5");
  EXPECT_EQ(out.stringAttribute("/", "status"), "complete");
  EXPECT_EQ(test::bitPatternsOf(out.readAny("/batch/outputs").values),
            test::bitPatternsOf(whole.readAny("/batch/outputs").values));
  EXPECT_EQ(out.readStrings("/batch/failures/reason"), whole.readStrings("/batch/failures/reason"));
}

TEST(BatchTarget, AFullDiskAtTheStartLeavesNothing) {
  const ScratchFolder folder;
  folder.write("deck.toml", deckOf(600, 0.001));
  for (const char* command : {"batch", "run"})
    for (const unsigned limit : {0u, 1u, 4u, 12u}) {
      const CommandOutcome full =
          runWithFileLimit(folder, limit, fmt::format("{} deck.toml -q -o out.h5", command));
      EXPECT_EQ(full.status, 1) << command << limit << full.output;
      EXPECT_THAT(full.output, HasSubstr("File too large; nothing was written: remedy it, or name another"));
      EXPECT_EQ(std::count(full.output.begin(), full.output.end(), '\n'), 1) << full.output;
      EXPECT_TRUE(folder.isEmptyExceptFor("deck.toml")) << command << limit;
    }
}

/// A batch that does not end by itself.
std::string endlessBatch() { return deckOf(400, 1.0e4); }

TEST(BatchTarget, TwoProgramsDoNotWriteOneFile) {
  const ScratchFolder folder;
  folder.write("deck.toml", endlessBatch());
  folder.write("run.toml", test::bouncer(0.01));
  test::Child first = folder.start("batch deck.toml -q -j 1 -o out.h5");
  ASSERT_TRUE(first.waitForSize(folder.path() / "out.h5.partial", 8'000));
  for (const char* second : {"batch deck.toml -o out.h5", "batch deck.toml -o out.h5 --force",
                             "batch deck.toml -o out.h5 --resume", "run run.toml -o out.h5 --force"}) {
    const CommandOutcome outcome = folder.ricochet(std::string(second) + " -q");
    EXPECT_EQ(outcome.status, 2) << second << outcome.output;
    EXPECT_THAT(outcome.output, HasSubstr("out.h5.partial: another program has it open")) << second;
    EXPECT_THAT(outcome.output, Not(HasSubstr("anew"))) << second;
  }
  const CommandOutcome stopped = first.finish(SIGINT);
  EXPECT_EQ(stopped.status, 1) << stopped.output;
  EXPECT_EQ(statusesOf(folder.path() / "out.h5.partial").size(), 400U);
}

TEST(BatchTarget, KeepsWhatIsUnfinished) {
  const ScratchFolder folder;
  folder.write("deck.toml", endlessBatch());
  folder.write("run.toml", test::bouncer(0.01));
  const fs::path partial = folder.path() / "out.h5.partial";
  {
    test::Child first = folder.start("batch deck.toml -q -j 1 -o out.h5");
    ASSERT_TRUE(first.waitForSize(partial, 8'000));
    const CommandOutcome stopped = first.finish(SIGINT);
    EXPECT_EQ(stopped.status, 1) << stopped.output;
  }
  const std::size_t pending = pendingCasesIn(partial);
  const std::string before = test::readText(partial);
  const auto refused = [&](const std::string& arguments, const std::string& why) {
    const CommandOutcome outcome = folder.ricochet(arguments + " -q -o out.h5");
    EXPECT_EQ(outcome.status, 2) << arguments << outcome.output;
    EXPECT_THAT(outcome.output, HasSubstr(why)) << arguments;
    EXPECT_TRUE(test::readText(partial) == before) << arguments;
  };
  const std::string kept =
      "out.h5.partial: holds unfinished results: --resume goes on with them, --force begins";
  refused("batch deck.toml", kept);
  refused("run run.toml", kept);
  refused("compare run.toml", kept);
  const CommandOutcome run = folder.ricochet("run deck.toml --resume -q -o out.h5");
  EXPECT_EQ(run.status, 2) << run.output;
  EXPECT_THAT(run.output, HasSubstr("out.h5.partial: is of a batch"));
  EXPECT_EQ(pendingCasesIn(partial), pending);

  folder.write("deck.toml", deckOf(4, 0.001));
  EXPECT_EQ(folder.ricochet("batch deck.toml -q -o out.h5 --force").status, 1);  // two cases are bad
  EXPECT_EQ(statusesOf(folder.path() / "out.h5").size(), 4U);
  EXPECT_FALSE(fs::exists(partial));
}

TEST(BatchTarget, ReplacesOnlyWhatItCanHaveLeft) {
  const ScratchFolder folder;
  folder.write("deck.toml", test::bouncer(0.01));
  folder.write("deck.h5.partial", "my notes");
  folder.write("target", "");
  fs::create_symlink("target", folder.path() / "linked.h5.partial");
  for (const char* force : {"", " --force"}) {
    const CommandOutcome notes = folder.ricochet(std::string("run deck.toml -q") + force);
    EXPECT_EQ(notes.status, 2) << notes.output;
    EXPECT_THAT(notes.output, HasSubstr("deck.h5.partial: is there and is no result"));
    EXPECT_EQ(test::readText(folder.path() / "deck.h5.partial"), "my notes");
    const CommandOutcome linked = folder.ricochet(std::string("run deck.toml -q -o linked.h5") + force);
    EXPECT_EQ(linked.status, 2) << linked.output;
    EXPECT_THAT(linked.output, HasSubstr("linked.h5.partial: is no plain file"));
  }
  EXPECT_EQ(fs::file_size(folder.path() / "target"), 0U);
}

TEST(BatchTarget, LooksAtTheStatusOfWhatItShallResume) {
  const ScratchFolder folder;
  folder.write("deck.toml", deckOf(400, 0.001));
  folder.write("diverging.toml",
               test::bouncer(0.1,
                             "[functions.f]\nformula = \"if(t >= 0.005, if(t < 0.09, 10^308, 0), 0)\"\n"
                             "[[loads]]\nnodes = [\"ball\"]\n"
                             "force = [1.0e5, 0, 0]\nscale = \"f\"\n"));
  ASSERT_EQ(folder.ricochet("run diverging.toml -q -o out.h5").status, 1);
  const CommandOutcome failed = folder.ricochet("batch deck.toml -q -o out.h5 --resume");
  EXPECT_EQ(failed.status, 2);
  EXPECT_THAT(failed.output, HasSubstr("nothing to resume; out.h5 is no batch: its status is failed"));
}

TEST(BatchTarget, IsNotGoneOnWithWhereADataFileHasChanged) {
  const ScratchFolder folder;
  const std::string load =
      "[functions.f]\nfile = \"f.csv\"\ncolumns = [\"t\", \"v\"]\n"
      "[[loads]]\nnodes = [\"ball\"]\nforce = [1.0, 0, 0]\nscale = \"f\"\n";
  folder.write("f.csv", "t,v\n0,1\n100000,1\n");
  folder.write("deck.toml", deckOf(400, 1.0e4, load));
  const fs::path partial = folder.path() / "deck.h5.partial";
  {
    test::Child first = folder.start("batch deck.toml -q -j 1");
    ASSERT_TRUE(first.waitForSize(partial, 8'000));
    const CommandOutcome stopped = first.finish(SIGINT);
    EXPECT_EQ(stopped.status, 1) << stopped.output;
  }
  folder.write("f.csv", "t,v\n0,-7\n100000,-7\n");
  const CommandOutcome outcome = folder.ricochet("batch deck.toml -q --resume");
  EXPECT_EQ(outcome.status, 2) << outcome.output;
  EXPECT_THAT(outcome.output,
              HasSubstr("deck.h5.partial: the data file f.csv has changed since it was begun"));
  EXPECT_EQ(statusesOf(partial).size(), 400U);
}

TEST(BatchTarget, IsNoneOfTheFilesThatTheDeckReads) {
  const ScratchFolder folder;
  const std::string table = "t,v\n0,1\n10,1\n";
  folder.write("f.csv", table);
  folder.write("cases.csv", "mass\n1.0\n2.0\n");
  folder.write("earlier.toml", test::bouncer(0.01));
  ASSERT_EQ(folder.ricochet("run earlier.toml -q").status, 0);
  const std::string result = test::readText(folder.path() / "earlier.h5");
  folder.write("deck.toml",
               test::bouncer(0.01,
                             "[functions.f]\nfile = \"f.csv\"\ncolumns = [\"t\", \"v\"]\n"
                             "[functions.g]\nresult = \"earlier.h5\"\n"
                             "quantity = \"displacement(ball, ux)\"\n"
                             "[batch]\nmethod = \"table\"\nfile = \"cases.csv\"\n[batch.parameters]\n"
                             "\"masses.0.mass\" = { column = \"mass\" }\n"
                             "[batch.outputs]\npeak = \"max(displacement(ball, ux))\"\n"));
  fs::create_hard_link(folder.path() / "f.csv", folder.path() / "other.csv");
  for (const char* command : {"run", "batch", "compare"})
    for (const char* input : {"f.csv", "other.csv", "cases.csv", "earlier.h5"}) {
      const CommandOutcome outcome = folder.ricochet(fmt::format("{} deck.toml -q -f -o {}", command, input));
      EXPECT_EQ(outcome.status, 2) << command << input << outcome.output;
      EXPECT_THAT(outcome.output, HasSubstr(": is read by the deck; give what is written another name"));
    }
  folder.write("again.toml",
               test::bouncer(0.02, "[functions.f]\nformula = \"1\"\n")
                   .replace(test::bouncer(0.02).find("displacement = ["),
                            std::string("displacement = [ { node = \"ball\", value = [0.009, 0, "
                                        "0] } ]")
                                .size(),
                            "restart = \"earlier.h5\""));
  EXPECT_EQ(folder.ricochet("run again.toml -q -f -o earlier.h5").status, 2);
  EXPECT_EQ(test::readText(folder.path() / "f.csv"), table);
  EXPECT_EQ(test::readText(folder.path() / "cases.csv"), "mass\n1.0\n2.0\n");
  EXPECT_EQ(test::readText(folder.path() / "earlier.h5"), result);
}

}  // namespace
}  // namespace ricochet
