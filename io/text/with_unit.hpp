#pragma once

#include <fmt/core.h>

#include <string>

namespace ricochet {

/// "displacement [m]", as labels of axes and columns have it: the name alone where there is no unit or the
/// unit is 1, the unit alone where there is no name.
inline std::string withUnit(const std::string& name, const std::string& unit) {
  if (unit.empty() || unit == "1") return name;
  return fmt::format("{}{}[{}]", name, name.empty() ? "" : " ", unit);
}

}  // namespace ricochet
