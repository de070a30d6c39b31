#include "io/hdf5/hdf5_history.hpp"

#include "verification/support/program.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <numeric>
#include <string>
#include <vector>

namespace ricochet {
namespace {

using ::testing::ElementsAre;

std::vector<double> valuesFromOne(std::size_t size) {
  std::vector<double> values(size);
  std::iota(values.begin(), values.end(), 1.0);
  return values;
}

/// Histories of two groups with one time axis: of a run that goes on, and of one that is over.
TEST(Hdf5History, HasTheSizeOfAllItsRowsOrGrows) {
  const test::ScratchFolder folder;
  const std::filesystem::path path = folder.path() / "x.h5";
  for (const bool isOver : {false, true}) {
    const H5File file = H5File::create(path, Existing::replace);
    GrowingOptions options{.expectedRows = 100};
    if (isOver) options.rows = 3;
    History time = History::ofNumbers("/a/time", {"s", "time"}, {}, {{"time"}});
    History gap = History::ofNumbers("/a/gap", {"m", "gap"}, {2}, {{"time"}, {"side", "number"}});
    History force = History::ofNumbers("/b/force", {"N", "force"}, {2}, {{"time"}, {"side", "number"}});
    History state =
        History::ofNamedCodes("/b/state", {"1", "state"}, {{"open", 0}, {"stick", 1}}, {}, {{"time"}});
    History name = History::ofStrings("/b/name", {"1", "name"}, 4, {{"time"}});
    NewAxes axes(file);
    time.create(file, options, axes);
    file.link("/b/time", "/a/time");
    gap.setAttribute("of", "both sides");
    for (History* each : {&gap, &force, &state, &name}) each->create(file, options, axes);
    axes.finish();
    for (const std::size_t rows : {2U, 1U}) {
      time.dataset().append(valuesFromOne(rows).data(), rows);
      for (History* each : {&gap, &force}) each->dataset().append(valuesFromOne(2 * rows).data(), rows);
      state.dataset().append(std::vector<std::int8_t>(rows, 1).data(), rows);
      name.dataset().append(std::vector<std::string>(rows, "sole"));
    }
    EXPECT_EQ(file.isGrowing("/a/gap"), !isOver);
    if (isOver) {
      EXPECT_THROW(time.dataset().append(valuesFromOne(1).data(), 1), ResultError);
    }
    std::vector<double> twice = valuesFromOne(4), end = valuesFromOne(2);
    twice.insert(twice.end(), end.begin(), end.end());
    for (const char* each : {"/a/gap", "/b/force"}) {
      EXPECT_EQ(file.read(each, {3, 2}).values, twice);
      const std::string group = std::string(each).substr(0, 2);
      EXPECT_TRUE(file.isScaleAttached(each, group + "/time", 0));
      EXPECT_TRUE(file.isScaleAttached(each, group + "/side", 1));
      EXPECT_TRUE(datasetsAlong(file, "/a/time").contains(file.addressOf(each)));
    }
    EXPECT_EQ(datasetsAlong(file, "/b/time").size(), 4U);
    EXPECT_EQ(file.addressOf("/a/side"), file.addressOf("/b/side"));
    EXPECT_EQ(file.stringAttribute("/a/gap", "of"), "both sides");
    EXPECT_THAT(file.readAny<std::int8_t>("/b/state").values, ElementsAre(1, 1, 1));
    EXPECT_THAT(file.readStrings("/b/name"), ElementsAre("sole", "sole", "sole"));

    // Axes that are found in the file keep the datasets that they had.
    History later = History::ofNumbers("/a/later", {"m", "later"}, {2}, {{"time"}, {"side", "number"}});
    options.rows = 3;
    NewAxes found(file);
    later.create(file, options, found);
    found.finish();
    for (const char* each : {"/a/gap", "/a/later"}) EXPECT_TRUE(file.isScaleAttached(each, "/a/side", 1));
    EXPECT_EQ(datasetsAlong(file, "/a/time").size(), 5U);
  }
}

}  // namespace
}  // namespace ricochet
