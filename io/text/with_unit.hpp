#pragma once

#include <fmt/core.h>

#include <string>

namespace ricochet {

/// Label of an axis or a column: "displacement [m]"; the name alone without a unit or for the unit 1, the
/// unit alone without a name.
inline std::string labelWithUnit(const std::string& name, const std::string& unit) {
  if (unit.empty() || unit == "1") return name;
  return fmt::format("{}{}[{}]", name, name.empty() ? "" : " ", unit);
}

}  // namespace ricochet
