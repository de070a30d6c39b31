#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace ricochet {

/// Optimal string alignment: the least number of insertions, deletions, replacements of one letter and
/// swaps of two neighbours that turn `a` into `b`. The case of ASCII letters does not count.
///
/// Source: F.J. Damerau, Comm. ACM 7 (1964) 171-176.
std::size_t nameDistance(std::string_view a, std::string_view b);

/// Whether `written` may well be a slip of the pen for `name`: a distance of at most a third of the longer
/// one, or one begins with the other.
bool isNear(std::string_view written, std::string_view name);

/// The name that the writer probably meant; empty if none is reasonably near. The first of equals wins.
template <class Names>
std::string nearestName(std::string_view written, const Names& names) {
  std::string_view nearest;
  std::size_t least = std::string_view::npos;
  for (const auto& candidate : names) {
    const std::string_view name{candidate};
    const std::size_t distance = nameDistance(written, name);
    if (distance >= least || !isNear(written, name)) continue;
    nearest = name;
    least = distance;
  }
  return std::string{nearest};
}

/// "a, b, c"
template <class Names>
std::string joinNames(const Names& names, std::string_view separator = ", ") {
  std::string all;
  for (const auto& candidate : names) {
    const std::string_view name{candidate};
    if (!all.empty()) all += separator;
    all += name;
  }
  return all;
}

}  // namespace ricochet
