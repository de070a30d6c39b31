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

/// Input of `ricochet patch`: one contact area, given by its shape or by its moments, and the laws to compare
/// on this area.
struct PatchRequest {
  std::optional<patch::PatchShape> shape;
  patch::PatchMoments moments{};  ///< moments of an axisymmetric patch given without a shape
  std::optional<patch::PadeCoefficients>
      coefficients;                 ///< coefficients of the quadratic forms; empty: computed from the moments
  double direction{0.0};            ///< sliding direction, as an angle in the axes of the patch [rad]
  std::vector<std::string> models;  ///< laws to compare; empty: all laws that the patch allows
  std::size_t rings{8}, angles{32};  ///< numbers of rings and angles of the bristle model
  std::size_t points{61};  ///< number of points of a curve over the ratio of spin to sliding, omega L/V from
                           ///< 1/100 to 100, with the length L of the study
};

/// Resistances divided by mu N at V = 1: X along the sliding direction, Y to its left [-], M against the spin
/// [m].
struct PatchPoint {
  double X{}, Y{}, M{};
};
struct PatchCurve {
  std::string model;
  std::vector<PatchPoint> points;   ///< computed points, one for each value of `ratios`
  std::optional<PatchPoint> error;  ///< largest error against the law `exact`, omega L/V from 1/1000 to 1000
};

struct PatchStudy {
  patch::PatchMoments moments{};  ///< moments in the axes of the patch, about the centre of pressure
  patch::PatchMoments along{};    ///< moments in axes whose first axis is the sliding direction
  Tangential<double> centre{};    ///< centre of pressure, in the axes of the patch [m]
  patch::PadeCoefficients pade{};
  patch::LateralCoefficients lateral{};
  double length{};  ///< reference length L [m]: the largest radius, or M0 if only moments are given
  std::vector<double> ratios;      ///< values of omega L/V
  std::vector<PatchCurve> curves;  ///< curves of the laws; the exact law comes first if the patch has one
};

/// Throws PatchError for an invalid shape, or for a law that this patch does not allow.
PatchStudy computePatchForces(const PatchRequest& request);

/// Table with one line per ratio: omega L/V and, for each law, X, Y and M/L.
std::string patchForceTable(const PatchStudy& study, std::string_view separator);

/// Draws X and M/M0 of every law over omega L/V. Throws PlotError.
void plotPatchForces(const PatchStudy& study, const std::string& title, const std::filesystem::path& picture);

}  // namespace ricochet
