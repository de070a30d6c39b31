#include "io/hdf5/hdf5.hpp"

#include "io/hdf5/hdf5_axes.hpp"
#include "io/hdf5/hdf5_rows.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <cmath>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <limits>
#include <numeric>
#include <string>
#include <thread>
#include <utility>
#include <vector>

namespace ricochet {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Pair;

/// A separate file for each test, removed at the end.
class Hdf5 : public ::testing::Test {
 protected:
  Hdf5() {
    const auto* test = ::testing::UnitTest::GetInstance()->current_test_info();
    path = scratchFolder() /
           (std::string{"ricochet_"} + test->name() + "_" + std::to_string(::getpid()) + ".h5");
    std::filesystem::remove(path);
  }
  ~Hdf5() override {
    std::error_code ignored;
    std::filesystem::remove(path, ignored);
    std::filesystem::remove(copyPath(), ignored);
  }

  static std::filesystem::path scratchFolder() { return ::testing::TempDir(); }
  std::filesystem::path copyPath() const { return path.string() + ".copy"; }

  static std::string bytesOf(const std::filesystem::path& file) {
    std::ifstream stream(file, std::ios::binary);
    return {std::istreambuf_iterator<char>(stream), std::istreambuf_iterator<char>()};
  }

  std::filesystem::path path;
};

template <class Action>
std::string errorOf(Action action) {
  try {
    action();
  } catch (const ResultError& error) {
    return error.what();
  }
  return "nothing thrown";
}

/// Numbers start, start + 1, ...
std::vector<double> increasingNumbers(std::size_t size, double start = 0.0) {
  std::vector<double> values(size);
  std::iota(values.begin(), values.end(), start);
  return values;
}

TEST_F(Hdf5, FixedDatasetsComeBackWithShapeAndMeaning) {
  const std::vector<double> shapes = increasingNumbers(24);
  {
    const H5File file = H5File::create(path);
    file.write("/modal/shapes", {2, 3, 4}, shapes, {"1", "mode shapes"});
    file.write<std::int32_t>("/model/node", {3}, std::vector<std::int32_t>{0, -1, 7}, {"1", "node"});
    file.write<std::int64_t>("/model/seed", {}, std::vector<std::int64_t>{1234567890123}, {"1", "seed"});
    file.write<std::uint8_t>("/model/used", {2}, std::vector<std::uint8_t>{0, 255}, {"1", "used"});
    file.write<double>("/model/none", {0, 3}, std::vector<double>{}, {"m", "nothing"});
  }
  const H5File file = H5File::open(path);
  const H5Array<double> found = file.readAny("/modal/shapes");
  EXPECT_EQ(found.shape, (H5Shape{2, 3, 4}));
  EXPECT_EQ(found.values, shapes);
  EXPECT_THAT(file.readAny<std::int32_t>("/model/node").values, ElementsAre(0, -1, 7));
  EXPECT_THAT(file.readAny("/model/node").values, ElementsAre(0.0, -1.0, 7.0));
  EXPECT_TRUE(file.shape("/model/seed").empty());
  EXPECT_THAT(file.readAny<std::int64_t>("/model/seed").values, ElementsAre(1234567890123));
  EXPECT_THAT(file.readAny<std::int64_t>("/model/used").values, ElementsAre(0, 255));
  EXPECT_EQ(file.shape("/model/none"), (H5Shape{0, 3}));
  EXPECT_EQ(file.meaning("/modal/shapes").units, "1");
  EXPECT_EQ(file.meaning("/model/none").longName, "nothing");
  EXPECT_THAT(file.namesOfGroupMembers("/model"), ElementsAre("node", "none", "seed", "used"));
}

TEST_F(Hdf5, DoublesComeBackBitForBit) {
  const std::vector<double> values{0.1, -0.0, 5e-324, std::numeric_limits<double>::infinity(),
                                   1.0 + std::numeric_limits<double>::epsilon()};
  const H5File file = H5File::create(path);
  file.write("/x", {5}, values, {"m", "x"});
  const std::vector<double> found = file.readAny("/x").values;
  EXPECT_EQ(found, values);
  EXPECT_TRUE(std::signbit(found[1]));
}

TEST_F(Hdf5, StringsAreUtf8AndMayBeEmpty) {
  const H5File file = H5File::create(path);
  file.writeStrings("/names", {"shoe", "", "tête"}, {"1", "names"});
  file.writeStrings("/none", std::vector<std::string>{}, {"1", "no names"});
  file.writeText("/deck", "title = \"é\"\n", {"1", "the deck"});
  EXPECT_THAT(file.readStrings("/names"), ElementsAre("shoe", "", "tête"));
  EXPECT_THAT(file.readStrings("/none"), IsEmpty());
  EXPECT_EQ(file.readText("/deck"), "title = \"é\"\n");
  EXPECT_TRUE(file.shape("/deck").empty());
}

TEST_F(Hdf5, AttributesOfEveryKindAreReplacedAndRead) {
  const H5File file = H5File::create(path);
  file.createGroup("/contacts/sole");
  file.setAttribute("/", "status", "running");
  file.setAttribute("/", "status", "complete");
  file.setAttribute("/contacts/sole", "impacts", 3);
  file.setAttribute("/contacts/sole", "peak_force", 12.5);
  file.setAttribute("/contacts/sole", "axis", std::vector<double>{0.0, 1.0});
  file.setAttribute("/contacts/sole", "counts", std::vector<std::int64_t>{4, 5});
  file.setAttribute("/contacts/sole", "nodes", std::vector<std::string>{"a", "b"});
  file.setAttribute("/contacts/sole", "empty", std::vector<std::string>{});
  EXPECT_EQ(file.stringAttribute("/", "status"), "complete");
  EXPECT_EQ(file.integerAttribute("/contacts/sole", "impacts"), 3);
  EXPECT_EQ(file.numberAttribute("/contacts/sole", "peak_force"), 12.5);
  EXPECT_THAT(file.numbersAttribute("/contacts/sole", "axis"), ElementsAre(0.0, 1.0));
  EXPECT_THAT(file.numbersAttribute("/contacts/sole", "counts"), ElementsAre(4.0, 5.0));
  EXPECT_THAT(file.stringsAttribute("/contacts/sole", "nodes"), ElementsAre("a", "b"));
  EXPECT_THAT(file.stringsAttribute("/contacts/sole", "empty"), IsEmpty());
  EXPECT_TRUE(file.hasAttribute("/", "status"));
  EXPECT_FALSE(file.hasAttribute("/", "missing"));
}

TEST_F(Hdf5, PathsAreLookedUpAndRemoved) {
  const H5File file = H5File::create(path);
  file.write("/a/b/x", {1}, increasingNumbers(1), {"m", "x"});
  EXPECT_TRUE(file.exists("/"));
  EXPECT_TRUE(file.exists("/a/b/x"));
  EXPECT_FALSE(file.exists("/a/c/x"));
  file.remove("/a/b");
  EXPECT_FALSE(file.exists("/a/b/x"));
}

TEST_F(Hdf5, WritingAgainReplacesTheValuesOfTheSameShape) {
  const H5File file = H5File::create(path);
  file.write("/restart/q", {2}, increasingNumbers(2), {"m", "q"});
  file.write("/restart/q", {2}, increasingNumbers(2, 5.0), {"m", "q"});
  EXPECT_THAT(file.readAny("/restart/q").values, ElementsAre(5.0, 6.0));
  EXPECT_THAT(errorOf([&file] {
                file.write("/restart/q", {3}, increasingNumbers(3), {"m", "q"});
              }),
              HasSubstr("exists with another shape"));
  EXPECT_THAT(errorOf([&file] {
                file.write("/restart/v", {3}, increasingNumbers(2), {"m", "v"});
              }),
              HasSubstr("2 values"));
}

TEST_F(Hdf5, DatasetGrowsByBlocksAcrossChunks) {
  constexpr std::size_t kWidth = 7;
  constexpr std::size_t kRows = 20000;  // chunks hold 1024 rows
  const std::vector<double> all = increasingNumbers(kRows * kWidth);
  {
    const H5File file = H5File::create(path);
    GrowingDataset grown = GrowingDataset::createNumbers(file, "/transient/displacement",
                                                         {"m", "displacement"}, {.rowShape = {kWidth}});
    std::size_t block = 1;
    while (grown.rows() < kRows) {
      const std::size_t rows = std::min(block, kRows - grown.rows());
      grown.append(all.data() + grown.rows() * kWidth, rows);
      block = block * 3 + 1;
    }
    grown.append(all.data(), 0);
    EXPECT_EQ(grown.rows(), kRows);
  }
  const H5File file = H5File::open(path);
  const H5Array<double> found = file.readAny("/transient/displacement");
  EXPECT_EQ(found.shape, (H5Shape{kRows, kWidth}));
  EXPECT_EQ(found.values, all);
  const H5Array<double> some = file.readRows("/transient/displacement", 4095, 2, {kWidth});
  EXPECT_EQ(some.shape, (H5Shape{2, kWidth}));
  EXPECT_EQ(some.values, increasingNumbers(2 * kWidth, 4095.0 * kWidth));
  EXPECT_THAT(errorOf([&file] { file.readRows("/transient/displacement", 19999, 2, {kWidth}); }),
              HasSubstr("no rows"));
}

TEST_F(Hdf5, RowsMayBeTablesSingleValuesOrNothing) {
  const H5File file = H5File::create(path);
  GrowingDataset table = GrowingDataset::createNumbers(file, "/t", {"m", "t"}, {.rowShape = {2, 3}});
  GrowingDataset time = GrowingDataset::createNumbers(file, "/time", {"s", "time"});
  GrowingDataset none = GrowingDataset::createNumbers(file, "/none", {"m", "n"}, {.rowShape = {0, 3}});
  GrowingDataset wide = GrowingDataset::createNumbers(file, "/wide", {"m", "w"}, {.rowShape = {60000}});
  table.append(increasingNumbers(12).data(), 2);
  time.append(increasingNumbers(2).data(), 2);
  none.append(static_cast<const double*>(nullptr), 2);
  wide.append(increasingNumbers(120000).data(), 2);
  EXPECT_EQ(file.shape("/t"), (H5Shape{2, 2, 3}));
  EXPECT_EQ(file.readAny("/t").values, increasingNumbers(12));
  EXPECT_EQ(file.shape("/time"), (H5Shape{2}));
  EXPECT_EQ(file.shape("/none"), (H5Shape{2, 0, 3}));
  EXPECT_EQ(file.readAny("/wide").values, increasingNumbers(120000));
}

TEST_F(Hdf5, GrowingStringsComeBack) {
  const H5File file = H5File::create(path);
  GrowingDataset name = GrowingDataset::createStrings(file, "/name", {"1", "name"}, 4);
  name.append(std::vector<std::string>{"sole"});
  name.append(std::vector<std::string>{"", "heel"});
  EXPECT_THAT(file.readStrings("/name"), ElementsAre("sole", "", "heel"));
  EXPECT_THAT(errorOf([&name] { name.append(increasingNumbers(1).data(), 1); }),
              HasSubstr("of another type"));
}

TEST_F(Hdf5, ContactStateIsAnEnumeration) {
  const H5File file = H5File::create(path);
  GrowingDataset state = GrowingDataset::createNamedCodes(
      file, "/contacts/sole/state", {"1", "contact state"}, {{"open", 0}, {"stick", 1}, {"slip", 2}});
  const std::vector<std::int8_t> states{2, 0, 1, 1};
  state.append(states.data(), states.size());
  EXPECT_THAT(file.valueNames("/contacts/sole/state"),
              ElementsAre(Pair("open", 0), Pair("stick", 1), Pair("slip", 2)));
  EXPECT_THAT(file.readAny<std::int8_t>("/contacts/sole/state").values, ElementsAre(2, 0, 1, 1));
  EXPECT_THAT(file.readAny("/contacts/sole/state").values, ElementsAre(2.0, 0.0, 1.0, 1.0));
  EXPECT_EQ(file.meaning("/contacts/sole/state").longName, "contact state");
}

TEST_F(Hdf5, ScalesAreAttached) {
  const H5File file = H5File::create(path);
  GrowingDataset time = GrowingDataset::createNumbers(file, "/g/time", {"s", "time"});
  GrowingDataset gap = GrowingDataset::createNumbers(file, "/g/gap", {"m", "gap"}, {.rowShape = {2}});
  file.makeDatasetScale("/g/time", "time");
  EXPECT_FALSE(file.isScaleAttached("/g/gap", "/g/time", 0));
  file.attachScale("/g/gap", "/g/time", 0);
  EXPECT_TRUE(file.isScaleAttached("/g/gap", "/g/time", 0));
  EXPECT_FALSE(file.isScaleAttached("/g/gap", "/g/time", 1));
  EXPECT_EQ(file.stringAttribute("/g/gap", "units"), "m");
  EXPECT_THAT(errorOf([&file] { file.makeDatasetScale("/g/gap", "gap"); }), HasSubstr("one dimension"));
}

TEST_F(Hdf5, AxesAreMadeOrFoundBesideTheDataset) {
  const H5File file = H5File::create(path);
  const Axis side{"side", "which side", {"left", "right"}}, column{"column", "number", {}, 0};
  file.write("/g/x", {2, 3}, increasingNumbers(6), {"m", "x"});
  file.write("/g/y", {3, 2}, increasingNumbers(6), {"m", "y"});
  for (int i = 0; i < 2; ++i) labelAxes(file, "/g/x", {side, column});  // again is as once
  labelAxes(file, "/g/y", {{"column"}, {"side"}});
  EXPECT_TRUE(file.isScaleAttached("/g/y", "/g/column", 0) && file.isScaleAttached("/g/y", "/g/side", 1));
  EXPECT_THAT(file.readStrings("/g/side"), ElementsAre("left", "right"));
  EXPECT_THAT(file.readAny("/g/column").values, ElementsAre(0.0, 1.0, 2.0));
  EXPECT_THAT(errorOf([&] { labelAxis(file, "/g/x", 1, {"side"}); }), HasSubstr("not as long as its axis"));
  EXPECT_THAT(errorOf([&] { labelAxis(file, "/g/x", 1, {"colum"}); }), HasSubstr("there is no such axis"));
  file.linkObject("/h/column", "/g/column");
  EXPECT_TRUE(file.isScaleAttached("/g/x", "/h/column", 1));
}

TEST_F(Hdf5, AppendingGoesOnAfterTruncation) {
  {
    const H5File file = H5File::create(path);
    GrowingDataset::createNumbers(file, "/x", {"m", "x"}, {.rowShape = {2}})
        .append(increasingNumbers(20).data(), 10);
  }
  const H5File file = H5File::open(path, Access::readWrite);
  GrowingDataset x = GrowingDataset::open(file, "/x", {2});
  EXPECT_EQ(x.rows(), 10U);
  EXPECT_EQ(x.rowSize(), 2U);
  x.truncate(4);
  x.append(increasingNumbers(12, 8.0).data(), 6);
  EXPECT_EQ(file.readAny("/x").values, increasingNumbers(20));
  EXPECT_THAT(errorOf([&x] { x.truncate(11); }), HasSubstr("fewer rows"));
}

TEST_F(Hdf5, CopyTakenBetweenFlushesHoldsWhatWasFlushed) {
  const H5File file = H5File::create(path);
  file.setAttribute("/", "status", "running");
  GrowingDataset x = GrowingDataset::createNumbers(file, "/g/x", {"m", "x"}, {.rowShape = {100}});
  x.append(increasingNumbers(100000).data(), 1000);
  file.flush();
  x.append(increasingNumbers(3000000).data(), 30000);
  std::filesystem::copy_file(path, copyPath());
  const H5File copy = H5File::open(copyPath());
  EXPECT_EQ(copy.stringAttribute("/", "status"), "running");
  EXPECT_EQ(copy.shape("/g/x"), (H5Shape{1000, 100}));
  EXPECT_EQ(copy.readAny("/g/x").values, increasingNumbers(100000));
}

TEST_F(Hdf5, KilledWriterLeavesWhatItFlushed) {
  const pid_t child = ::fork();
  ASSERT_GE(child, 0);
  if (child == 0) {
    const H5File file = H5File::create(path);
    std::vector<GrowingDataset> many;
    for (int i = 0; i < 50; ++i)
      many.push_back(
          GrowingDataset::createNumbers(file, "/g/x" + std::to_string(i), {"m", "x"}, {.rowShape = {20}}));
    const std::vector<double> block = increasingNumbers(20 * 3000);
    for (GrowingDataset& x : many) x.append(block.data(), 3000);
    file.flush();
    for (GrowingDataset& x : many) x.append(block.data(), 3000);
    ::raise(SIGKILL);
  }
  int status = 0;
  ASSERT_EQ(::waitpid(child, &status, 0), child);
  ASSERT_TRUE(WIFSIGNALED(status));
  const H5File file = H5File::open(path, Access::readWrite);
  EXPECT_EQ(file.namesOfGroupMembers("/g").size(), 50U);
  EXPECT_EQ(file.shape("/g/x49"), (H5Shape{3000, 20}));
  EXPECT_EQ(file.readAny("/g/x49").values, increasingNumbers(20 * 3000));
  GrowingDataset::open(file, "/g/x0", {20}).append(increasingNumbers(20).data(), 1);
  EXPECT_EQ(file.shape("/g/x0"), (H5Shape{3001, 20}));
}

TEST_F(Hdf5, MetadataStaysInMemoryUntilTheNextFlush) {
  // Chunks of one row need more metadata than the cache of the library keeps; metadata written early would
  // show rows that were never flushed.
  constexpr std::size_t kFlushed = 5000;
  constexpr std::size_t kRows = 100000;
  const H5File file = H5File::create(path);
  GrowingDataset x = GrowingDataset::createNumbers(file, "/x", {"m", "x"}, {.expectedRows = 1});
  const std::vector<double> values = increasingNumbers(kRows);
  x.append(values.data(), kFlushed);
  file.flush();
  x.append(values.data(), kRows);
  std::filesystem::copy_file(path, copyPath());
  EXPECT_TRUE(H5File::open(copyPath()).readAny("/x").values == increasingNumbers(kFlushed));
}

TEST_F(Hdf5, SameWritesMakeTheSameBytes) {
  for (const std::filesystem::path& name : {path, copyPath()}) {
    H5File file = H5File::create(name);
    GrowingDataset x = GrowingDataset::createNumbers(file, "/g/x", {"m", "x"});
    x.append(increasingNumbers(10).data(), 10);
    file.writeStrings("/names", {"a", "b"}, {"1", "names"});
    file.close();
    // Time stamps, in seconds, would differ.
    if (name == path) std::this_thread::sleep_for(std::chrono::milliseconds(1100));
  }
  EXPECT_TRUE(bytesOf(path) == bytesOf(copyPath()));
}

TEST_F(Hdf5, ErrorsSayWhereAndWhy) {
  EXPECT_THAT(errorOf([] { H5File::open("/nonexistent/a.h5"); }),
              ::testing::AllOf(HasSubstr("/nonexistent/a.h5: cannot open: "), HasSubstr("No such file")));
  const H5File file = H5File::create(path);
  EXPECT_THAT(
      errorOf([&file] { file.readAny("/missing"); }),
      ::testing::AllOf(HasSubstr(path.string() + ":/missing: cannot open: "), HasSubstr("doesn't exist")));
  EXPECT_THAT(errorOf([this] { H5File::create(path); }), HasSubstr("the file exists"));
  file.write("/x", {1}, increasingNumbers(1), {"m", "x"});
  EXPECT_THAT(errorOf([&file] { file.readStrings("/x"); }), HasSubstr("holds no strings"));
  EXPECT_THAT(errorOf([&file] {
                GrowingDataset::createNumbers(file, "/x", {"m", "x"});
              }),
              HasSubstr("cannot create: "));
}

TEST_F(Hdf5, NothingIsPrinted) {
  ::testing::internal::CaptureStderr();
  errorOf([] { H5File::open("/nonexistent/a.h5"); });
  const H5File file = H5File::create(path);
  errorOf([&file] { file.readAny("/missing"); });
  EXPECT_EQ(::testing::internal::GetCapturedStderr(), "");
}

TEST_F(Hdf5, ReplacingAndClosingAreExplicit) {
  H5File first = H5File::create(path);
  first.write("/x", {1}, increasingNumbers(1), {"m", "x"});
  first.close();
  first.close();
  H5File second = H5File::create(path, Existing::replace);
  EXPECT_FALSE(second.exists("/x"));
  H5File moved = std::move(second);
  moved.createGroup("/g");
  EXPECT_TRUE(moved.exists("/g"));
}

}  // namespace
}  // namespace ricochet
