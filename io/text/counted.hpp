#pragma once

#include <fmt/core.h>

#include <concepts>
#include <string>
#include <string_view>

namespace ricochet {

/// Number and noun: "1 mode", "3 modes"; for nouns with other endings, `one` and `many` are given: "1 basis",
/// "2 bases".
inline std::string numberWithNoun(std::integral auto number, std::string_view noun,
                                  std::string_view plural = "s", std::string_view singular = "") {
  return fmt::format("{} {}{}", number, noun, number == 1 ? singular : plural);
}

}  // namespace ricochet
