// Malicious files and names: reading them writes nothing, runs nothing, and shows nothing of other files.

#include "io/hdf5/hdf5.hpp"
#include "io/hdf5/rollback_journal.hpp"
#include "verification/support/program.hpp"

#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <hdf5.h>
#include <sys/stat.h>
#include <unistd.h>

#include <string>
#include <vector>

namespace ricochet {
namespace {

namespace fs = std::filesystem;
using test::CommandOutcome;
using test::ScratchFolder;
using testing::HasSubstr;
using testing::Not;

/// A file of the user, and the content that an attack would write to this file, of the same length.
const std::string kPrecious = "export PATH=/usr/bin  # precious\n",
                  kWanted = "touch OWNED  # by ricochet plot \n";

/// Writes a journal that restores kWanted in the file to which the journal belongs.
void makeJournal(const ScratchFolder& folder, const std::string& name) {
  folder.write("wanted", kWanted);
  const int file = ::open((folder.path() / "wanted").c_str(), O_RDWR);
  ASSERT_GE(file, 0);
  RollbackJournal journal(file, (folder.path() / name).string());
  ASSERT_TRUE(journal.open());
  ASSERT_TRUE(journal.saveOriginalRegion(0, kWanted.size()));
  ::close(file);
}

class HostileJournal : public ::testing::TestWithParam<const char*> {
 protected:
  HostileJournal() {
    folder_.write("precious", kPrecious);
    folder_.write("deck.toml", test::bouncer(0.01));
  }
  /// Runs every command that reads a result or continues a run.
  void runAll() const {
    const std::string file = GetParam();
    const std::vector<std::string> commands{
        "plot " + file,
        "restore " + file,
        "plot --batch " + file,
        "run deck.toml --resume -q -o x.h5",
        "batch deck.toml --resume -q -o x.h5",
        "run deck.toml -q -o x.h5",
    };
    for (const std::string& command : commands) {
      const CommandOutcome outcome = folder_.ricochet(command);
      EXPECT_EQ(test::readText(folder_.path() / "precious"), kPrecious) << command << outcome.output;
      EXPECT_EQ(outcome.signal, 0) << command;
      if (command != "run deck.toml -q -o x.h5") {
        EXPECT_EQ(outcome.status, 2) << command << outcome.output;
      }
    }
  }
  ScratchFolder folder_;
};
INSTANTIATE_TEST_SUITE_P(Name, HostileJournal, ::testing::Values("x.h5", "x.h5.partial"),
                         [](const auto& param) { return param.index == 0 ? "OfAResult" : "OfAPartialOne"; });

TEST_P(HostileJournal, WritesThroughNoSymbolicLink) {
  fs::create_symlink("precious", folder_.path() / GetParam());
  makeJournal(folder_, std::string(GetParam()) + ".journal");
  runAll();
}

TEST_P(HostileJournal, WritesThroughNoHardLink) {
  fs::create_hard_link(folder_.path() / "precious", folder_.path() / GetParam());
  makeJournal(folder_, std::string(GetParam()) + ".journal");
  runAll();
}

TEST(HostileFiles, AJournalOfNothingCutsNoResultOff) {
  const ScratchFolder folder;
  folder.write("deck.toml", test::bouncer(0.01));
  ASSERT_EQ(folder.ricochet("run deck.toml -q").status, 0);
  const std::string whole = test::readText(folder.path() / "deck.h5");
  folder.write("empty", "");
  {
    const int file = ::open((folder.path() / "empty").c_str(), O_RDWR);
    RollbackJournal journal(file, (folder.path() / "deck.h5.journal").string());
    ASSERT_TRUE(journal.open());
    ASSERT_TRUE(journal.saveOriginalRegion(0, 0));  // the file was empty, so that all bytes would be removed
    ::close(file);
  }
  EXPECT_EQ(folder.ricochet("restore deck.h5 -q").status, 0);
  EXPECT_EQ(test::readText(folder.path() / "deck.h5"), whole);
}

TEST(HostileFiles, TheJournalOfAnotherFileIsRefused) {
  const ScratchFolder folder;
  folder.write("one.partial", "the first bytes of one file");
  folder.write("two.partial", "and those of another, which is longer");
  const auto open = [&](const char* name) { return ::open((folder.path() / name).c_str(), O_RDWR); };
  const int one = open("one.partial"), two = open("two.partial");
  {
    RollbackJournal journal(one, (folder.path() / "journal").string());
    ASSERT_TRUE(journal.open());
    ASSERT_TRUE(journal.saveOriginalRegion(4, 5));
  }
  RollbackJournal other(two, (folder.path() / "journal").string());
  EXPECT_FALSE(other.open());
  EXPECT_EQ(errno, EBADMSG);
  EXPECT_EQ(test::readText(folder.path() / "two.partial"), "and those of another, which is longer");
  ::close(one);
  ::close(two);
}

TEST(HostileFiles, ReadersOfAPartialFileSeeItsLastFlushAndWriteNothing) {
  const ScratchFolder folder;
  const fs::path path = folder.path() / "x.h5.partial", left = folder.path() / "y.h5.partial";
  {
    const H5File file = H5File::create(path, Existing::refuse, Journal::keep);
    file.setAttribute("/", "flushed", 1.0);
    file.flush();
    file.setAttribute("/", "more", std::string(3000, 'x'));
    file.createGroup("/a/b");
    for (const char* end : {"", ".journal"})
      fs::copy_file(path.string() + end, left.string() + end);  // the program is killed here
  }
  {  // during a flush the header of the file is neither the old nor the new header
    const int file = ::open(left.c_str(), O_RDWR);
    RollbackJournal kept(file, left.string() + ".journal");
    ASSERT_TRUE(kept.open());
    const std::string torn(200, 'x');
    ASSERT_TRUE(kept.saveOriginalRegion(0, torn.size()) && writeAt(file, torn.data(), torn.size(), 0));
    ::close(file);
  }
  const std::string before = test::readText(left), journal = test::readText(left.string() + ".journal");
  {
    const H5File read = H5File::open(left);
    EXPECT_EQ(read.numberAttribute("/", "flushed"), 1.0);
    EXPECT_FALSE(read.exists("/a"));
  }
  EXPECT_EQ(test::readText(left), before);
  EXPECT_EQ(test::readText(left.string() + ".journal"), journal);
}

TEST(HostileFiles, NamesAreNoCommands) {
  const ScratchFolder folder;
  folder.write("deck.toml", test::bouncer(0.01));
  for (const std::string name :
       {"|touch PWNED;", "`touch PWNED`", "x\ntouch PWNED #", "x'.system('touch PWNED').'"}) {
    std::string quoted;
    for (const char each : name) quoted += each == '\'' ? std::string("'\\''") : std::string(1, each);
    ASSERT_EQ(folder.ricochet("run deck.toml -q -o '" + quoted + ".h5'").status, 0);
    const CommandOutcome plot = folder.ricochet("plot './" + quoted + ".h5'");
    EXPECT_EQ(plot.status, 0) << plot.output;
    const CommandOutcome bare = folder.ricochet("plot -o '" + quoted + ".png' '" + quoted + ".h5'");
    EXPECT_EQ(bare.status, 0) << bare.output;
    EXPECT_FALSE(fs::exists(folder.path() / "PWNED")) << name;
    for (const char* end : {".svg", ".png"}) EXPECT_TRUE(fs::exists(folder.path() / (name + end))) << name;
  }
  for (const auto& each : fs::directory_iterator(folder.path()))
    EXPECT_THAT(each.path().filename().string(), Not(HasSubstr(".ricochet-")));
}

TEST(HostileFiles, ClosedStreamsAreNoResult) {
  const ScratchFolder folder;
  folder.write("deck.toml", test::bouncer(0.01));
  ASSERT_EQ(folder.ricochet("run deck.toml -q -o open.h5").status, 0);
  const auto values = [&](const char* name) {
    return H5File::open(folder.path() / name).readAny("/transient/displacement").values;
  };
  for (const std::string closed : {"2>&-", ">&-", "<&- >&- 2>&-"}) {
    const CommandOutcome run =
        test::runShell("cd '" + folder.path().string() +
                       "' && (exec '" RICOCHET_PROGRAM "' run deck.toml --force " + closed + ")");
    EXPECT_EQ(run.status, 0) << closed << run.output;
    EXPECT_EQ(values("deck.h5"), values("open.h5")) << closed;
    const CommandOutcome wrong = test::runShell(
        "cd '" + folder.path().string() + "' && (exec '" RICOCHET_PROGRAM "' run no.toml " + closed + ")");
    EXPECT_EQ(wrong.status, 2) << closed << wrong.output;
  }
}

/// A result with one dataset that refers to another file.
class LeadsElsewhere : public ::testing::Test {
 protected:
  void SetUp() override {
    const H5File other = H5File::create(folder_.path() / "other.h5");
    other.write("/secret", {2}, std::vector<double>{1.0, 2.0}, {"1", "of another file"});
    folder_.write("raw", std::string(16, 's'));
    const hid_t file = H5Fcreate((folder_.path() / "x.h5").c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
    const hsize_t size = 2;
    const hid_t space = H5Screate_simple(1, &size, nullptr);
    const auto put = [&](const char* name, hid_t properties) {
      H5Dclose(H5Dcreate2(file, name, H5T_IEEE_F64LE, space, H5P_DEFAULT, properties, H5P_DEFAULT));
      H5Pclose(properties);
    };
    const hid_t own = H5Pcreate(H5P_DATASET_CREATE);
    H5Pset_alloc_time(own, H5D_ALLOC_TIME_EARLY);
    put("own", own);
    const hid_t external = H5Pcreate(H5P_DATASET_CREATE);
    H5Pset_external(external, (folder_.path() / "raw").c_str(), 0, 16);
    put("external", external);
    const hid_t mapped = H5Pcreate(H5P_DATASET_CREATE);
    H5Pset_virtual(mapped, space, (folder_.path() / "other.h5").c_str(), "/secret", space);
    put("virtual", mapped);
    H5Lcreate_external((folder_.path() / "other.h5").c_str(), "/secret", file, "link", H5P_DEFAULT,
                       H5P_DEFAULT);
    H5Lcreate_external((folder_.path() / "other.h5").c_str(), "/", file, "group", H5P_DEFAULT, H5P_DEFAULT);
    H5Lcreate_soft("/own", file, "soft", H5P_DEFAULT, H5P_DEFAULT);
    H5Sclose(space);
    H5Fclose(file);
  }
  ScratchFolder folder_;
};

TEST_F(LeadsElsewhere, IsNotRead) {
  const auto said = [](auto&& call) -> std::string {
    try {
      call();
    } catch (const ResultError& error) {
      return error.what();
    }
    return "nothing";
  };
  for (const Access access : {Access::read, Access::readWrite}) {
    const H5File file = H5File::open(folder_.path() / "x.h5", access);
    EXPECT_EQ(file.readAny("/own").values.size(), 2U);
    for (const char* name : {"/external", "/virtual"})
      EXPECT_THAT(said([&] { file.readAny(name); }), HasSubstr("its values lie in another file")) << name;
    for (const char* name : {"/link", "/soft", "/group/secret"}) {
      EXPECT_THAT(said([&] { file.readAny(name); }), HasSubstr("is a link to another place")) << name;
      EXPECT_THAT(said([&] { file.exists(name); }), HasSubstr("is a link to another place")) << name;
    }
    EXPECT_THAT(said([&] { file.hasAttribute("/group", "title"); }), HasSubstr("is a link to another place"));
  }
}

/// Decks, tables, matrices, meshes and node positions that are pipes, or devices without an end.
TEST(HostileFiles, InputsAreFiles) {
  const ScratchFolder folder;
  ASSERT_EQ(::mkfifo((folder.path() / "pipe").c_str(), 0600), 0);
  const std::string mesh = "[meshes.m]\nfile = \"pipe\"\n",
                    matrices = "[[matrices]]\nstiffness = \"pipe\"\nmass = \"pipe\"\ndofs = \"pipe\"\n";
  const std::string table =
      test::bouncer(0.01) + "[functions.f]\nfile = \"pipe\"\ncolumns = [\"t\", \"f\"]\n";
  folder.write("mesh.toml", mesh);
  folder.write("matrices.toml", matrices);
  folder.write("table.toml", table);
  for (const char* deck : {"pipe", "/dev/zero", "mesh.toml", "matrices.toml", "table.toml"}) {
    const CommandOutcome outcome = folder.ricochet(std::string("check ") + deck);
    EXPECT_EQ(outcome.status, 2) << deck << outcome.output;
    EXPECT_THAT(outcome.output, HasSubstr("is a pipe or a device, no file")) << deck;
  }
}

TEST(HostileFiles, APipeIsNotWaitedFor) {
  const ScratchFolder folder;
  ASSERT_EQ(::mkfifo((folder.path() / "x.h5").c_str(), 0600), 0);
  ASSERT_EQ(::mkfifo((folder.path() / "y.h5.partial").c_str(), 0600), 0);
  for (const std::string name : {"x.h5", "y.h5.partial"}) {
    const CommandOutcome outcome = folder.ricochet("plot " + name);
    EXPECT_EQ(outcome.status, 2) << outcome.output;
    EXPECT_THAT(outcome.output, HasSubstr("is no plain file"));
  }
}

}  // namespace
}  // namespace ricochet
