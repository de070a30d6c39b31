#include "io/prepare/row_limit.hpp"

#include "engine/accounts/checkpoint.hpp"

#include <gtest/gtest.h>

#include <random>
#include <vector>

namespace ricochet {
namespace {

constexpr double kStart = 2.0, kDuration = 10.0;

/// Ends of steps with lengths between a tenth and twice `mean`; the last step ends at the end of the run.
std::vector<double> randomSteps(double mean) {
  std::mt19937 random(7);
  std::uniform_real_distribution<double> length(0.1 * mean, 1.9 * mean);
  std::vector<double> ends{kStart};
  while (ends.back() < kStart + kDuration)
    ends.push_back(std::min(ends.back() + length(random), kStart + kDuration));
  return ends;
}

std::vector<double> rowsOf(RowLimit& limit, const std::vector<double>& steps, std::vector<double> rows = {}) {
  for (const double time : steps)
    if (limit.isStepKeptAsRow(time, rows.size())) rows.push_back(time);
  return rows;
}

TEST(RowLimit, KeepsEveryStepOfAFewAndNoMoreThanTheMost) {
  for (const double mean : {0.3, 0.11, 0.05, 0.001, 1e-5}) {
    RowLimit limit(kStart, kDuration, 100);
    const std::vector<double> steps = randomSteps(mean), rows = rowsOf(limit, steps);
    EXPECT_LE(rows.size(), 101u) << mean;  // and one more row for the end
    EXPECT_EQ(rows.size() + limit.omittedSteps(), steps.size());
    EXPECT_EQ(rows.front(), kStart);
    EXPECT_EQ(rows.back(), kStart + kDuration);
    for (std::size_t i = 0; i < std::min<std::size_t>(50, rows.size()); ++i) EXPECT_EQ(rows[i], steps[i]);
    // Afterwards a row is the first step that is at least an interval after the last row.
    for (std::size_t i = 50; i + 1 < rows.size(); ++i) {
      EXPECT_GE(rows[i] - rows[i - 1], 0.2) << mean;
      EXPECT_LE(rows[i] - rows[i - 1], 0.2 + 1.9 * mean) << mean;
    }
  }
}

TEST(RowLimit, GoesOnFromACheckpoint) {
  const std::vector<double> steps = randomSteps(0.01);
  RowLimit whole(kStart, kDuration, 100), first(kStart, kDuration, 100), second(kStart, kDuration, 100);
  const std::vector<double> all = rowsOf(whole, steps);
  const auto middle = steps.begin() + static_cast<std::ptrdiff_t>(steps.size() / 2);
  const std::vector<double> some = rowsOf(first, {steps.begin(), middle});
  std::vector<std::byte> bytes;
  CheckpointWriter writer(bytes);
  writer(first);
  CheckpointReader reader(bytes);
  reader(second);
  EXPECT_EQ(rowsOf(second, {middle, steps.end()}, some), all);
  EXPECT_EQ(second.omittedSteps(), whole.omittedSteps());
}

TEST(RowLimit, KeepsAllWithoutALimit) {
  RowLimit none;
  EXPECT_EQ(rowsOf(none, randomSteps(0.001)), randomSteps(0.001));
  EXPECT_FALSE(none.hasRowLimit());
}

}  // namespace
}  // namespace ricochet
