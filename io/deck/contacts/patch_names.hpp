#pragma once

#include "engine/contact/areas/fields/patch_shape.hpp"

#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace ricochet {

/// A contact area cannot be studied as asked; what() says why.
class PatchError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// Names of outlines and pressures as decks and commands write them, and what they name.
const std::vector<std::string>& patchOutlines();
const std::vector<std::string>& patchPressures();
patch::Outline patchOutline(std::string_view name);
patch::Pressure patchPressure(std::string_view name);

/// Names of the laws, in the order in which they are shown.
const std::vector<std::string>& patchModels();

}  // namespace ricochet
