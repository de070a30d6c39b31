#include "io/archive/field_ranges.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <numeric>

namespace ricochet {

std::vector<ColumnRange> columnRanges(const H5File& file, const std::string& path, const H5Shape& row) {
  constexpr std::size_t kNumbersAtOnce = std::size_t{1} << 20U;
  constexpr double kInfinite = std::numeric_limits<double>::infinity();
  const std::size_t columns = std::accumulate(row.begin(), row.end(), std::size_t{1}, std::multiplies<>{});
  const std::size_t rows = file.rows(path, row);
  const std::size_t step = std::max<std::size_t>(kNumbersAtOnce / std::max<std::size_t>(columns, 1), 1);
  std::vector<ColumnRange> ranges(columns, {kInfinite, -kInfinite});
  for (std::size_t first = 0; first < rows; first += step) {
    const std::vector<double> block = file.readRows(path, first, std::min(step, rows - first), row).values;
    for (std::size_t i = 0; i < block.size(); ++i) {
      if (!std::isfinite(block[i])) continue;
      ColumnRange& range = ranges[i % columns];
      range.low = std::min(range.low, block[i]);
      range.high = std::max(range.high, block[i]);
    }
  }
  for (ColumnRange& range : ranges)
    if (range.low > range.high) range = {};
  return ranges;
}

std::vector<std::string> groupMembers(const H5File& file, const std::string& group) {
  return file.exists(group) ? file.namesOfGroupMembers(group) : std::vector<std::string>{};
}

}  // namespace ricochet
