#include "io/hdf5/hdf5_history.hpp"

#include "io/hdf5/hdf5_group.hpp"
#include "verification/support/program.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <numeric>
#include <span>
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
    History time = History::historyOfNumbers("/a/time", {"s", "time"}, {}, {{"time"}});
    History gap = History::historyOfNumbers("/a/gap", {"m", "gap"}, {2}, {{"time"}, {"side", "number"}});
    History force =
        History::historyOfNumbers("/b/force", {"N", "force"}, {2}, {{"time"}, {"side", "number"}});
    History state =
        History::historyOfNamedCodes("/b/state", {"1", "state"}, {{"open", 0}, {"stick", 1}}, {}, {{"time"}});
    History name = History::historyOfStrings("/b/name", {"1", "name"}, 4, {{"time"}});
    NewAxes axes(file);
    time.create(file, options, axes);
    file.linkObject("/b/time", "/a/time");
    gap.setAttribute("of", "both sides");
    for (History* each : {&gap, &force, &state, &name}) each->create(file, options, axes);
    axes.writeListsOfDatasets();
    for (const std::size_t rows : {2U, 1U}) {
      time.dataset().append(valuesFromOne(rows).data(), rows);
      for (History* each : {&gap, &force}) each->dataset().append(valuesFromOne(2 * rows).data(), rows);
      state.dataset().append(std::vector<std::int8_t>(rows, 1).data(), rows);
      name.dataset().append(std::vector<std::string>(rows, "sole"));
    }
    EXPECT_EQ(file.isGrowingDataset("/a/gap"), !isOver);
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
      EXPECT_TRUE(addressesOfDatasetsAlongScale(file, "/a/time").contains(file.addressOfObject(each)));
    }
    EXPECT_EQ(addressesOfDatasetsAlongScale(file, "/b/time").size(), 4U);
    EXPECT_EQ(file.addressOfObject("/a/side"), file.addressOfObject("/b/side"));
    EXPECT_EQ(file.stringAttribute("/a/gap", "of"), "both sides");
    EXPECT_THAT(file.readAny<std::int8_t>("/b/state").values, ElementsAre(1, 1, 1));
    EXPECT_THAT(file.readStrings("/b/name"), ElementsAre("sole", "sole", "sole"));

    // Axes that are found in the file keep the datasets that they had.
    History later =
        History::historyOfNumbers("/a/later", {"m", "later"}, {2}, {{"time"}, {"side", "number"}});
    options.rows = 3;
    NewAxes found(file);
    later.create(file, options, found);
    found.writeListsOfDatasets();
    for (const char* each : {"/a/gap", "/a/later"}) EXPECT_TRUE(file.isScaleAttached(each, "/a/side", 1));
    EXPECT_EQ(addressesOfDatasetsAlongScale(file, "/a/time").size(), 5U);
  }
}

/// Creates a history of the last rows of a run, or shares an equal one, and writes its values.
void writeLastRows(const H5File& file, History& history, const std::vector<double>& values,
                   EqualHistories& equals, NewAxes& axes) {
  const std::size_t rows = values.size() / history.rowSize();
  if (const History* equal = equals.findEqualHistory(history, std::as_bytes(std::span(values))))
    return history.linkToEqualHistory(file, *equal);
  history.create(file, {.rows = rows}, axes);
  history.dataset().append(values.data(), rows);
}

TEST(Hdf5History, IsOneDatasetWithEqualOnesOfOtherGroups) {
  const test::ScratchFolder folder;
  const std::filesystem::path path = folder.path() / "x.h5";
  const H5File file = H5File::create(path);
  const auto force = [](const std::string& group, const std::string& unit = "N",
                        const std::string& name = "force") {
    return History::historyOfNumbers(group + "/" + name, {unit, "force"}, {2},
                                     {{"time"}, {"side", "number"}});
  };
  NewAxes axes(file);
  EqualHistories equals(2, axes);
  History time = History::historyOfNumbers("/a/time", {"s", "time"}, {}, {{"time"}});
  time.create(file, {.rows = 2}, axes);
  time.dataset().append(valuesFromOne(2).data(), 2);
  for (const char* group : {"/b", "/c", "/e", "/f", "/g"})
    file.linkObject(std::string(group) + "/time", "/a/time");
  History later = History::historyOfNumbers("/d/time", {"s", "time"}, {}, {{"time"}});
  later.create(file, {.rows = 2}, axes);
  later.dataset().append(std::vector<double>{3.0, 4.0}.data(), 2);

  History a = force("/a"), equal = force("/b"), otherValues = force("/c"), otherTimes = force("/d");
  History otherUnit = force("/e", "kN"), otherName = force("/f", "N", "push"), labelled = force("/g");
  labelled.setAttribute("of", "both sides");
  std::vector<double> same = valuesFromOne(4), different = same;
  different.back() = -0.0;
  same.back() = 0.0;
  for (History* each : {&a, &equal, &otherTimes, &otherUnit, &otherName, &labelled})
    writeLastRows(file, *each, same, equals, axes);
  writeLastRows(file, otherValues, different, equals, axes);
  axes.writeListsOfDatasets();

  EXPECT_TRUE(equal.isSharedDataset());
  EXPECT_EQ(file.addressOfObject("/b/force"), file.addressOfObject("/a/force"));
  for (const History* each : {&a, &otherValues, &otherTimes, &otherUnit, &otherName, &labelled})
    EXPECT_FALSE(each->isSharedDataset()) << each->path();
  for (const char* group : {"/a", "/b", "/c", "/d", "/e", "/g"}) {
    const std::string dataset = std::string(group) + "/force", scale = std::string(group) + "/time";
    EXPECT_EQ(file.read(dataset, {2, 2}).values, same) << group;
    EXPECT_TRUE(file.isScaleAttached(dataset, scale, 0)) << group;
    EXPECT_TRUE(file.isScaleAttached(dataset, std::string(group) + "/side", 1)) << group;
    EXPECT_TRUE(addressesOfDatasetsAlongScale(file, scale).contains(file.addressOfObject(dataset))) << group;
  }
}

TEST(Hdf5Group, HasItsAttributesAndWhatComesLater) {
  const test::ScratchFolder folder;
  const H5File file = H5File::create(folder.path() / "x.h5");
  NewGroup group("/contacts/sole");
  group.setAttribute("stiffness", 1e5);
  group.setAttribute("law", "penalty");
  group.setAttribute("empty", "");
  group.setAttribute("frame", std::vector<double>{1.0, 2.0, 3.0});
  group.reserveNumber("peak");
  group.reserveLink("gap");
  group.create(file);
  file.setAttribute("/contacts/sole", "peak", 2.0);
  file.write("/contacts/sole/gap", {2}, valuesFromOne(2), {"m", "gap"});
  EXPECT_EQ(file.numberAttribute("/contacts/sole", "stiffness"), 1e5);
  EXPECT_EQ(file.stringAttribute("/contacts/sole", "law"), "penalty");
  EXPECT_EQ(file.stringAttribute("/contacts/sole", "empty"), "");
  EXPECT_THAT(file.numbersAttribute("/contacts/sole", "frame"), ElementsAre(1.0, 2.0, 3.0));
  EXPECT_EQ(file.numberAttribute("/contacts/sole", "peak"), 2.0);
  EXPECT_THAT(file.namesOfGroupMembers("/contacts/sole"), ElementsAre("gap"));
}

constexpr int kNumbers = 12;

/// Size of a file of many groups with numbers as attributes, which are read back.
std::uintmax_t sizeWithManyGroups(const std::filesystem::path& path, Types types, int groups) {
  H5File file = H5File::create(path, Existing::replace, Journal::keep, types);
  for (int i = 0; i < groups; ++i) {
    const std::string group = "/group" + std::to_string(i);
    file.createGroup(group);
    for (int j = 0; j < kNumbers; ++j) file.setAttribute(group, "number" + std::to_string(j), 0.5 + i * j);
    file.setAttribute(group, "number0", i);  // replaces the first
  }
  file.close();
  const H5File again = H5File::open(path);
  for (const int i : {0, groups - 1}) {
    const std::string group = "/group" + std::to_string(i);
    EXPECT_EQ(again.numberAttribute(group, "number1"), 0.5 + i);
    EXPECT_EQ(again.integerAttribute(group, "number0"), i);
    EXPECT_EQ(again.attributes(group).size(), kNumbers);
  }
  return std::filesystem::file_size(path);
}

TEST(Hdf5File, SharesItsTypesIfAsked) {
  const test::ScratchFolder folder;
  const std::filesystem::path path = folder.path() / "x.h5";
  const auto perGroup = [&](Types types) {
    return (sizeWithManyGroups(path, types, 200) - sizeWithManyGroups(path, types, 100)) / 100;
  };
  // The type of a number takes 20 bytes, a reference to it 10.
  EXPECT_GE(perGroup(Types::repeat), perGroup(Types::share) + 9 * kNumbers);
}

}  // namespace
}  // namespace ricochet
