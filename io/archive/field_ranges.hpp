#pragma once

#include "io/hdf5/hdf5.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace ricochet {

/// Smallest and largest finite value of a column over all rows; both are 0 if no value is finite.
struct ColumnRange {
  double low{0.0}, high{0.0};
};

/// Ranges of the columns of a growing dataset whose rows have the shape `row`, read in blocks of rows.
std::vector<ColumnRange> columnRanges(const H5File& file, const std::string& path, const H5Shape& row);

/// True for the name of a rotation: "rx", "ry", "rz".
inline bool isRotation(std::string_view component) noexcept { return component.starts_with('r'); }

/// Names of the members of a group; empty if there is no such group.
std::vector<std::string> groupMembers(const H5File& file, const std::string& group);

}  // namespace ricochet
