#pragma once

#include "engine/contact/areas/fields/exact.hpp"
#include "engine/contact/areas/fields/pade.hpp"
#include "io/deck/contacts/patch_names.hpp"

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace ricochet {

/// What `ricochet patch` compares: one contact area, given by its shape or by its moments, and laws on it.
struct PatchRequest {
  std::optional<patch::PatchShape> shape;
  patch::PatchMoments moments{};  ///< of an axial patch, without a shape
  std::optional<patch::PadeCoefficients>
      coefficients;                  ///< of the quadratic forms, instead of those of moments
  double direction{0.0};             ///< of sliding in the axes of the patch [rad]
  std::vector<std::string> models;   ///< empty: all that the patch allows
  std::size_t rings{8}, angles{32};  ///< of the bristles
  std::size_t points{61};            ///< of a curve, omega L/V from 1/100 to 100
};

/// Resistances over mu N at V = 1: X along the sliding, Y to its left [-], M against the spin [m].
struct PatchPoint {
  double X{}, Y{}, M{};
};
struct PatchCurve {
  std::string model;
  std::vector<PatchPoint> points;   ///< at `ratios`
  std::optional<PatchPoint> error;  ///< largest against `exact`, omega L/V from 1/1000 to 1000
};

struct PatchStudy {
  patch::PatchMoments moments{};  ///< in the axes of the patch, about the centre of pressure
  patch::PatchMoments along{};    ///< with the first axis along the sliding
  Tangential<double> centre{};    ///< of pressure, in the axes of the patch [m]
  patch::PadeCoefficients pade{};
  patch::LateralCoefficients lateral{};
  double length{};                 ///< L [m]: the largest radius, of moments alone M0
  std::vector<double> ratios;      ///< omega L/V
  std::vector<PatchCurve> curves;  ///< the exact one first, if there is one
};

/// Throws PatchError: a shape that is none, a law that this patch does not allow.
PatchStudy studyPatch(const PatchRequest& request);

/// A line per ratio: omega L/V and, for each law, X, Y and M/L.
std::string patchTable(const PatchStudy& study, std::string_view separator);

/// Draws X and M/M0 of every law over omega L/V. Throws PlotError.
void plotPatch(const PatchStudy& study, const std::string& title, const std::filesystem::path& picture);

}  // namespace ricochet
