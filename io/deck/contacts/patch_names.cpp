#include "io/deck/contacts/patch_names.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <array>

namespace ricochet {
namespace {

std::size_t indexOfPatchName(std::string_view name, const std::vector<std::string>& names,
                             std::string_view what) {
  const auto found = std::find(names.begin(), names.end(), name);
  if (found == names.end()) throw PatchError(fmt::format("{}: no such {}", name, what));
  return static_cast<std::size_t>(found - names.begin());
}

}  // namespace

const std::vector<std::string>& namesOfPatchOutlines() {
  static const std::vector<std::string> kNames{"disc",      "annulus", "ring",     "ellipse",
                                               "rectangle", "polygon", "half_disc"};
  return kNames;
}

const std::vector<std::string>& namesOfPatchPressures() {
  static const std::vector<std::string> kNames{"uniform", "hertz", "punch", "linear"};
  return kNames;
}

patch::Outline patchOutlineNamed(std::string_view name) {
  using patch::Outline;
  constexpr std::array values{Outline::disc,      Outline::annulus, Outline::ring,    Outline::ellipse,
                              Outline::rectangle, Outline::polygon, Outline::halfDisc};
  return values[indexOfPatchName(name, namesOfPatchOutlines(), "shape")];
}

patch::Pressure patchPressureNamed(std::string_view name) {
  using patch::Pressure;
  constexpr std::array values{Pressure::uniform, Pressure::hertz, Pressure::punch, Pressure::linear};
  return values[indexOfPatchName(name, namesOfPatchPressures(), "pressure")];
}

const std::vector<std::string>& namesOfPatchModels() {
  static const std::vector<std::string> kNames{"exact", "potential", "pade", "linear_fractional", "bristle"};
  return kNames;
}

}  // namespace ricochet
