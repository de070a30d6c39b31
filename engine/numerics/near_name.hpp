#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace ricochet {

/// Edit distance (optimal string alignment): the smallest number of insertions, deletions, replacements of
/// one letter and swaps of two neighbours that turn `a` into `b`. The case of ASCII letters is ignored.
///
/// Source: F.J. Damerau, Comm. ACM 7 (1964) 171-176.
std::size_t nameDistance(std::string_view a, std::string_view b);

/// True if `written` may be a misspelling of `name`: the distance is at most a third of the longer word, or
/// one word begins with the other.
bool isNameSimilar(std::string_view written, std::string_view name);

/// The name in a list that is nearest to a misspelt word; empty if no name is near. Among equal distances the
/// first name is returned.
template <class Names>
std::string nearestName(std::string_view written, const Names& names) {
  std::string_view nearest;
  std::size_t least = std::string_view::npos;
  for (const auto& candidate : names) {
    const std::string_view name{candidate};
    const std::size_t distance = nameDistance(written, name);
    if (distance >= least || !isNameSimilar(written, name)) continue;
    nearest = name;
    least = distance;
  }
  return std::string{nearest};
}

/// Joins names to the text "a, b, c".
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
