#pragma once

#include "physical/types.hpp"

#include <string_view>
#include <variant>

namespace ricochet {

/// Constants of a cross-section in its principal axes y, z through the centroid.
///
/// `inertiaY` = integral of z^2 for bending in the local x-z plane, `inertiaZ` = integral of y^2 for bending
/// in x-y.
struct SectionConstants {
  double area{0.0};        ///< [m^2]
  double inertiaY{0.0};    ///< [m^4]
  double inertiaZ{0.0};    ///< [m^4]
  double torsion{0.0};     ///< Saint-Venant's constant J [m^4]
  double shearAreaY{0.0};  ///< shear area for a force along y [m^2]; 0: not known
  double shearAreaZ{0.0};  ///< shear area for a force along z [m^2]; 0: not known
  Eigen::Vector2d shearCentre{Eigen::Vector2d::Zero()};  ///< (y, z) relative to the centroid [m]

  double polarInertia() const noexcept { return inertiaY + inertiaZ; }
};

/// Shapes of cross-sections. `shearCoefficient`: Cowper's ratio of shear area to area for Poisson's ratio nu.
///
/// Source: G.R. Cowper, J. Appl. Mech. 33 (1966) 335-340, table 1.

/// Ring of outer radius a and inner radius b = m a: k = 6 (1 + nu) (1 + m^2)^2 / ((7 + 6 nu) (1 + m^2)^2 +
/// (20 + 12 nu) m^2).
struct TubeSection {
  static constexpr std::string_view keyword = "tube";
  double outerRadius{0.0};  ///< [m]
  double thickness{0.0};    ///< [m], at most the outer radius
  SectionConstants computeSectionConstants() const noexcept;
  double shearCoefficient(double poisson) const noexcept;
};

/// Full disc: k = 6 (1 + nu) / (7 + 6 nu).
struct CircleSection {
  static constexpr std::string_view keyword = "circle";
  double radius{0.0};  ///< [m]
  SectionConstants computeSectionConstants() const noexcept;
  double shearCoefficient(double poisson) const noexcept;
};

/// Full rectangle: k = 10 (1 + nu) / (12 + 11 nu). J is Saint-Venant's series, a b^3 (1/3 - 64 b / (pi^5 a)
/// sum tanh(n pi a / (2 b)) / n^5, n odd) of sides a >= b.
/// Source: S. Timoshenko, J.N. Goodier, Theory of Elasticity, 1951, article 94.
struct RectangleSection {
  static constexpr std::string_view keyword = "rectangle";
  double heightY{0.0};  ///< [m]
  double heightZ{0.0};  ///< [m]
  SectionConstants computeSectionConstants() const noexcept;
  double shearCoefficient(double poisson) const noexcept;
};

/// A general section, given by its constants.
struct GeneralSection {
  static constexpr std::string_view keyword = "general";
  SectionConstants given;
  SectionConstants computeSectionConstants() const noexcept { return given; }
};

using AnySection = std::variant<TubeSection, CircleSection, RectangleSection, GeneralSection>;

/// Constants of a section for a material with Poisson's ratio `poisson`; `shearCoefficient` > 0 replaces
/// Cowper's coefficient.
SectionConstants sectionConstants(const AnySection& section, double poisson, double shearCoefficient = 0.0);

}  // namespace ricochet
