#pragma once

#include "engine/contact/areas/fields/patch_shape.hpp"

#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace ricochet {

/// A contact area cannot be studied as requested; what() gives the reason.
class PatchError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// Names of outlines and pressure distributions in decks and commands, and the values that these names stand
/// for.
const std::vector<std::string>& namesOfPatchOutlines();
const std::vector<std::string>& namesOfPatchPressures();
patch::Outline patchOutlineNamed(std::string_view name);
patch::Pressure patchPressureNamed(std::string_view name);

/// Names of the laws, in the order of output.
const std::vector<std::string>& namesOfPatchModels();

}  // namespace ricochet
