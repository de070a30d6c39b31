#pragma once

#include <fmt/core.h>

#include <array>
#include <cstddef>
#include <string>

namespace ricochet {

/// A number of bytes in the unit in which it is readable: "2.98 GB", "57.9 MB", "640 bytes".
inline std::string byteCountText(double bytes) {
  constexpr std::array<const char*, 5> kUnits{"bytes", "kB", "MB", "GB", "TB"};
  constexpr double kNext = 999.5;  // from here on three digits would show 1000
  std::size_t unit = 0;
  for (; bytes >= kNext && unit + 1 < kUnits.size(); ++unit) bytes *= 1e-3;
  const int digits = bytes < 9.995 && unit > 0 ? 2 : bytes < 99.95 && unit > 0 ? 1 : 0;
  return fmt::format("{:.{}f} {}", bytes, digits, kUnits[unit]);
}

}  // namespace ricochet
