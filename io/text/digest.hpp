#pragma once

#include <filesystem>
#include <string>
#include <string_view>

namespace ricochet {

/// SHA-256 of a text, 64 lower-case hexadecimal digits.
std::string sha256(std::string_view text);

/// The same of what a file holds; empty if it cannot be read.
std::string sha256OfFile(const std::filesystem::path& file);

}  // namespace ricochet
