#pragma once

#include "engine/contact/areas/fields/exact.hpp"
#include "engine/contact/areas/fields/friction_drop.hpp"
#include "verification/support/table.hpp"

#include <fstream>
#include <numbers>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

namespace ricochet::test {

/// Friction coefficient of one, in stick and in slip.
inline constexpr patch::FrictionDrop kUndropped{1.0, 1.0, 0.0};

/// The thirteen contact areas of friction.md by their names in its tables, R = 1.
inline patch::PatchShape patchShapeNamed(std::string_view name) {
  using patch::Outline;
  using patch::Pressure;
  patch::PatchShape shape;
  const auto starts = [&](std::string_view prefix) { return name.substr(0, prefix.size()) == prefix; };
  if (name == "ring") shape.outline = Outline::ring;
  if (starts("annulus")) shape.outline = Outline::annulus;
  if (name == "half_disc") shape.outline = Outline::halfDisc;
  if (name == "square" || name == "rect_2x1") shape.outline = Outline::rectangle;
  if (name == "ellipse_1_0.5" || name == "hertz_ellipse_1_0.5") shape.outline = Outline::ellipse;
  if (starts("triangle")) shape.outline = Outline::polygon;
  shape.innerRadius = 0.5;
  shape.halfSides = {1.0, name == "square" ? 1.0 : 0.5};
  const double half = 0.5 * std::numbers::sqrt3;
  shape.vertices = name == "triangle_eq"
                       ? std::vector<Tangential<double>>{{1.0, 0.0}, {-0.5, half}, {-0.5, -half}}
                       : std::vector<Tangential<double>>{{0.0, 0.0}, {2.0, 0.0}, {0.0, 1.0}};
  if (name == "disc_hertz" || name == "hertz_ellipse_1_0.5") shape.pressure = Pressure::hertz;
  if (name == "disc_punch") shape.pressure = Pressure::punch;
  if (name == "disc_linear_0.8") {
    shape.pressure = Pressure::linear;
    shape.gradient = {0.8, 0.0};
  }
  return shape;
}

inline double radians(const std::string& degrees) { return std::stod(degrees) * std::numbers::pi / 180.0; }

/// Resistances along V, to the left of V, and against the spin, for V = 1 at the angle `angle` and the spin
/// u, in the axes of the area.
struct Resistances {
  double X{}, Y{}, M{};
};
template <class L>
Resistances frictionResistancesOfPatch(const L& law, double angle, double u) {
  const Tangential<double> e{std::cos(angle), std::sin(angle)};
  const patch::Wrench<double> w = law.wrench(patch::Twist<double>{e, u});
  return {-dot(w.force, e), e.second * w.force.first - e.first * w.force.second, -w.moment};
}

}  // namespace ricochet::test
