#include "engine/transient/archive_times.hpp"

#include "engine/transient/transient_grid.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace ricochet {
namespace {

/// Equidistant rows are computed instead of listed: the same instants in the same order, without memory.
TEST(ArchiveTimesTest, AtEqualDistancesAreThoseOfAList) {
  struct Case {
    double interval, start, end;
    std::size_t size;
  };
  for (const Case& each : {Case{0.1, 0.0, 1.0, 11}, Case{0.3, -1.0, 1.0, 8}, Case{0.25, 2.0, 3.0, 5},
                           Case{1e-8, 0.0, 1.0, 100'000'001}, Case{5.0, 0.0, 1.0, 2}}) {
    const ArchiveTimes regular = ArchiveTimes::equidistantTimes(each.interval, each.start, each.end);
    ASSERT_EQ(regular.size(), each.size);
    EXPECT_EQ(regular[0], each.start);
    EXPECT_EQ(regular[each.size - 1], each.end);
    if (each.size > 100) continue;
    TransientOptions options, listed;
    options.instants = listed.instants = {each.end, each.start, 0.5, each.start + each.interval, 0.5};
    options.archiveTimes = regular;
    listed.archiveTimes = regular.allTimes();
    const TransientOutputs outputs(options), ofList(listed);
    ASSERT_EQ(outputs.size(), each.size + 5);
    double before = -HUGE_VAL;
    std::size_t archived = 0;
    for (std::size_t i = 0; i < outputs.size(); ++i) {
      EXPECT_GE(outputs[i].time, before);
      EXPECT_EQ(outputs[i].time, ofList[i].time);
      EXPECT_EQ(outputs[i].index, ofList[i].index);
      if (outputs[i].index == TransientOutput::kArchive)
        EXPECT_EQ(outputs[i].time, regular[archived++]);
      else
        EXPECT_EQ(outputs[i].time, options.instants[static_cast<std::size_t>(outputs[i].index)]);
      before = outputs[i].time;
    }
    EXPECT_EQ(archived, each.size);
  }
}

}  // namespace
}  // namespace ricochet
