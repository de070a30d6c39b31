#include "io/hdf5/rollback_journal.hpp"

#include "io/hdf5/hdf5.hpp"
#include "io/hdf5/hdf5_journal.hpp"
#include "io/hdf5/hdf5_rows.hpp"
#include "verification/support/program.hpp"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <numeric>
#include <string>
#include <vector>

namespace ricochet {
namespace {

/// A text file with a journal, in the state that a killed program leaves.
class RollbackJournalTest : public ::testing::Test {
 protected:
  RollbackJournalTest() { open("the first bytes of a file"); }
  ~RollbackJournalTest() override { ::close(file_); }

  void open(const std::string& text) {
    folder_.write("file", text);
    file_ = ::open((folder_.path() / "file").c_str(), O_RDWR);
  }
  std::string journalPath() const { return (folder_.path() / "file.journal").string(); }
  std::string text() const { return test::readText(folder_.path() / "file"); }
  void overwrite(RollbackJournal& journal, std::uint64_t at, const std::string& text) {
    ASSERT_TRUE(journal.saveOriginalRegion(at, text.size()));
    ASSERT_TRUE(writeAt(file_, text.data(), text.size(), at));
  }

  test::ScratchFolder folder_;
  int file_{-1};
};

TEST_F(RollbackJournalTest, PutsBackWhatWasNotCommitted) {
  {
    RollbackJournal journal(file_, journalPath());
    ASSERT_TRUE(journal.open());
    overwrite(journal, 4, "FIRST");
    ASSERT_TRUE(journal.commit(25));
    overwrite(journal, 0, "new");
    overwrite(journal, 2, "twice over");
    overwrite(journal, 20, "and beyond the end");
  }
  EXPECT_EQ(text(), "netwice overtes of aand beyond the end");
  RollbackJournal next(file_, journalPath());
  ASSERT_TRUE(next.open());
  EXPECT_EQ(text(), "the FIRST bytes of a file");
  ASSERT_TRUE(next.rollBack());
  EXPECT_EQ(text(), "the FIRST bytes of a file");
}

TEST_F(RollbackJournalTest, RemovesNoOtherFileUnderItsName) {
  const auto write = [this](const std::string& text) { folder_.write("file.journal", text); };
  // "r" may be the beginning of a journal whose writer was killed
  for (const char* foreign : {"my notes", "r", "ricochet", "# journal"}) {
    write(foreign);
    EXPECT_EQ(RollbackJournal::isForeignFile(journalPath()), std::string("r") != foreign) << foreign;
    RollbackJournal::remove(journalPath());
    EXPECT_EQ(std::filesystem::exists(journalPath()), std::string("r") != foreign) << foreign;
  }
  std::filesystem::remove(journalPath());
  std::filesystem::create_symlink("file", journalPath());
  RollbackJournal::remove(journalPath());
  EXPECT_TRUE(std::filesystem::is_symlink(journalPath()));
  std::filesystem::remove(journalPath());
  {
    RollbackJournal journal(file_, journalPath());
    ASSERT_TRUE(journal.open());
    overwrite(journal, 4, "FIRST");
  }
  EXPECT_FALSE(RollbackJournal::isForeignFile(journalPath()));
  RollbackJournal::remove(journalPath());
  EXPECT_FALSE(std::filesystem::exists(journalPath()));
}

TEST_F(RollbackJournalTest, CutWhereverItIsTheWholeRecordsCount) {
  std::string whole;
  {
    RollbackJournal journal(file_, journalPath());
    ASSERT_TRUE(journal.open());
    overwrite(journal, 0, "abc");
    whole = test::readText(journalPath());
    // The program is killed before the write for which the journal was made.
    ASSERT_TRUE(journal.saveOriginalRegion(10, 8));
  }
  const std::string both = test::readText(journalPath());
  for (std::size_t length = whole.size(); length <= both.size(); ++length) {
    folder_.write("file", "abc first bytes of a file");
    folder_.write("file.journal", both.substr(0, length));
    RollbackJournal next(file_, journalPath());
    ASSERT_TRUE(next.open());
    EXPECT_EQ(text(), "the first bytes of a file") << length;
  }
}

TEST(JournaledFile, CutOffInTheMiddleOfAFlushIsAsBeforeIt) {
  // The file and its journal after each of the writes of a flush.
  const test::ScratchFolder folder;
  const auto path = folder.path() / "x.h5.partial";
  std::vector<double> values(3000);
  std::iota(values.begin(), values.end(), 0.0);
  {
    const H5File file = H5File::create(path, Existing::refuse, Journal::keep);
    GrowingDataset rows = GrowingDataset::createNumbers(file, "/a/x", {"m", "rows"});
    GrowingDataset names = GrowingDataset::createStrings(file, "/a/name", {"1", "names"}, 60);
    const std::vector<std::string> some(300, "a name that is longer than some others are");
    rows.append(values.data(), 1500);
    names.append(some);
    file.flush();
    rows.append(values.data() + 1500, 1500);
    names.append(some);
    file.setAttribute("/a", "more", 3.0);
    // The present content of the file is no complete flush: a part of the new data is missing.
    ASSERT_TRUE(std::filesystem::exists(path.string() + ".journal"));
    for (const char* name : {"y.h5.partial", "z.h5.partial"}) {
      std::filesystem::copy_file(path, folder.path() / name);
      std::filesystem::copy_file(path.string() + ".journal",
                                 folder.path() / (std::string(name) + ".journal"));
    }
    // A reader does not roll back a file that a program is writing.
    const std::string before = test::readText(path);
    EXPECT_EQ(JournaledFile::committedSize(path), before.size());
    EXPECT_EQ(test::readText(path), before);
    EXPECT_TRUE(std::filesystem::exists(path.string() + ".journal"));
  }
  EXPECT_FALSE(std::filesystem::exists(path.string() + ".journal"));
  EXPECT_EQ(H5File::open(path).shape("/a/x").front(), 3000U);
  for (const bool writes : {true, false}) {
    const H5File back = writes
                            ? H5File::open(folder.path() / "y.h5.partial", Access::readWrite, Journal::keep)
                            : H5File::open(folder.path() / "z.h5.partial");
    EXPECT_EQ(back.shape("/a/x").front(), 1500U);
    EXPECT_EQ(back.readAny("/a/x").values[1499], 1499.0);
    EXPECT_EQ(back.readStrings("/a/name").size(), 300U);
    EXPECT_FALSE(back.hasAttribute("/a", "more"));
  }
}

TEST(JournaledFile, JournalOfATwinIsRefused) {
  // Two files written by the same calls differ only by their random ids.
  const test::ScratchFolder folder;
  for (const char* name : {"a.h5.partial", "b.h5.partial"}) {
    const auto path = folder.path() / name;
    const H5File file = H5File::create(path, Existing::refuse, Journal::keep);
    for (const char* text : {"format", "compiler", "vectors", "title", "a", "b", "c", "d", "e", "f"})
      file.setAttribute("/", text, std::string(200, 'x'));
    GrowingDataset rows = GrowingDataset::createNumbers(file, "/a/x", {"m", "rows"});
    const std::vector<double> values(3000, 1.0);
    rows.append(values.data(), 1500);
    file.flush();
    rows.append(values.data() + 1500, 1500);
    const std::string copy = std::string("copy-of-") + name;
    std::filesystem::copy_file(path, folder.path() / copy);
    std::filesystem::copy_file(path.string() + ".journal", folder.path() / (copy + ".journal"));
  }
  const auto own = folder.path() / "copy-of-a.h5.partial", twin = folder.path() / "copy-of-b.h5.partial";
  EXPECT_EQ(std::filesystem::file_size(own), std::filesystem::file_size(twin));
  std::filesystem::copy_file(own.string() + ".journal", twin.string() + ".journal",
                             std::filesystem::copy_options::overwrite_existing);
  const std::string before = test::readText(twin);
  EXPECT_THROW(H5File::open(twin, Access::readWrite, Journal::keep), ResultError);
  EXPECT_EQ(test::readText(twin), before);
  EXPECT_EQ(H5File::open(own, Access::readWrite, Journal::keep).shape("/a/x").front(), 1500U);
}

}  // namespace
}  // namespace ricochet
