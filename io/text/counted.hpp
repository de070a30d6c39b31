#pragma once

#include <fmt/core.h>

#include <concepts>
#include <string>
#include <string_view>

namespace ricochet {

/// "1 mode", "3 modes"; with the ends that a noun has otherwise, "1 basis", "2 bases".
inline std::string counted(std::integral auto number, std::string_view noun, std::string_view plural = "s",
                           std::string_view singular = "") {
  return fmt::format("{} {}{}", number, noun, number == 1 ? singular : plural);
}

}  // namespace ricochet
