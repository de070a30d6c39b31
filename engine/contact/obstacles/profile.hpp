#pragma once

#include "engine/contact/obstacles/obstacle_keys.hpp"
#include "engine/contact/obstacles/touch.hpp"
#include "engine/numerics/field.hpp"

#include <array>
#include <cstddef>
#include <memory>
#include <optional>
#include <string_view>
#include <vector>

namespace ricochet {

/// Corners of a closed line in the plane of e1 and e2, counter-clockwise, and its sides.
class ProfileLine {
 public:
  /// `angles` increase from 0 to less than 2 pi [rad], `radii` are positive [m]; at least three corners are
  /// needed. Throws std::invalid_argument.
  ProfileLine(const std::vector<double>& angles, const std::vector<double>& radii);

  struct Side {
    std::array<double, 2> start;  ///< start corner (e1, e2) [m]
    std::array<double, 2> along;  ///< unit vector along the side
    double length;                ///< length of the side [m]
  };
  /// Nearest element of the line to a point (x, y): a side, or the corner at the start of this side.
  struct Nearest {
    const Side* side;
    bool corner;
    bool inside;  ///< the point is within the closed line
  };
  Nearest nearestPointOnProfile(double x, double y) const noexcept;
  /// Inward normals of both sides, for a point beyond a corner that turns by more than 30 degrees.
  std::optional<std::array<Local<double>, 2>> normalsOfSidesAtCorner(double x, double y) const noexcept;
  const std::vector<Side>& sides() const noexcept { return sides_; }

 private:
  const Side& precedingSideOfProfile(const Side& side) const noexcept;

  std::vector<Side> sides_;
};

/// Inside of a closed polar profile whose axis is e3: straight sides between corners (angle, radius), angles
/// from e1 towards e2.
struct Profile {
  static constexpr std::string_view keyword = "profile";
  static constexpr std::string_view title = "Inside of a closed polar profile";
  static constexpr std::string_view formula =
      "gap g: the distance to the line, positive inside\n"
      "nearest to a side:    g = n.(x - s), n the inward normal of the side, s its start\n"
      "nearest to a corner:  g = +-|x - s|, normal = +-(x - s)/|x - s|\n"
      "An impact of a rigid contact beyond a corner of more than 30 degrees is one on the side that it "
      "approaches.\n"
      "\n"
      "x   place from the centre, across the axis [m]\n"
      "The sides are straight between corners (angle, radius).";
  static constexpr std::string_view source =
      "geometry: the distance to a polygon; OBST type DISCRET of Code_Aster, R5.06.03, takes chords";
  static constexpr CurvedTraits traits{.inPlane = true,
                                       .byFields = false,
                                       .isHole = true,
                                       .onlyBySteps = "a profile, whose normal jumps where its sides meet"};

  std::shared_ptr<const ProfileLine> line{makeExample()};

  static constexpr auto numericParameters() { return std::array<Field<Profile>, 0>{}; }
  static constexpr auto deckKeys() {
    namespace keys = obstacle_keys;
    return std::array{keys::kAxis,
                      DeckKey{.name = "reference",
                              .unit = "-",
                              .example = "[1, 0, 0]",
                              .need = Need::required,
                              .meaning = "direction of the angle 0"},
                      DeckKey{.name = "angles_deg",
                              .unit = "deg",
                              .example = "[0, 72, 144, 216, 288]",
                              .need = Need::required,
                              .meaning = "of the corners, once around",
                              .allowed = "increasing by less than 180"},
                      DeckKey{.name = "radii",
                              .unit = "m",
                              .example = "[0.01, 0.01, 0.015, 0.015, 0.01]",
                              .need = Need::required,
                              .meaning = "of the corners",
                              .allowed = "> 0"},
                      keys::kCenter,
                      keys::kSurfaceVelocity,
                      keys::kCarriedBy,
                      keys::kRollingRadius};
  }

  template <class Real>
  Touch<Real> gapAndNormal(const Local<Real>& x) const noexcept {
    const ProfileLine::Nearest near = line->nearestPointOnProfile(valueOf(x[0]), valueOf(x[1]));
    const ProfileLine::Side& side = *near.side;
    const Real dx = x[0] - side.start[0], dy = x[1] - side.start[1];
    const Real square = dx * dx + dy * dy;
    if (!near.corner || !(square > 0.0)) {
      const double nx = -side.along[1], ny = side.along[0];
      return {nx * dx + ny * dy, {Real(nx), Real(ny), Real(0.0)}};
    }
    const double sign = near.inside ? 1.0 : -1.0;
    const Real distance = sqrt(square);
    return {sign * distance, {sign * dx / distance, sign * dy / distance, Real(0.0)}};
  }

  double surfaceRadius() const noexcept { return 0.0; }
  std::optional<std::array<Local<double>, 2>> normalsOfSidesAtCorner(const Local<double>& x) const noexcept {
    return line->normalsOfSidesAtCorner(x[0], x[1]);
  }

  /// Example: a square hole about the axis with a half side of 0.01 m.
  static std::shared_ptr<const ProfileLine> makeExample();
};

}  // namespace ricochet
