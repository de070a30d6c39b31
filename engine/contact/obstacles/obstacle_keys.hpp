#pragma once

#include "engine/numerics/description.hpp"

/// Deck keys that several obstacles use.
namespace ricochet::obstacle_keys {

inline constexpr DeckKey kNormal{
    .name = "normal",
    .unit = "-",
    .example = "[1, 0, 0]",
    .need = Need::required,
    .meaning =
        "direction that points to the free side; of a pair from the first node to the second, and "
        "optional"};
inline constexpr DeckKey kTangent{.name = "tangent",
                                  .unit = "-",
                                  .example = "[0, 1, 0]",
                                  .meaning = "direction of tangent 1, projected on the surface"};
inline constexpr DeckKey kTangentAxis{.name = "axis",
                                      .unit = "-",
                                      .example = "[0, 0, 1]",
                                      .meaning = "direction of tangent 2, instead of that of tangent 1"};
inline constexpr DeckKey kAxis{.name = "axis",
                               .unit = "-",
                               .example = "[0, 0, 1]",
                               .need = Need::required,
                               .meaning = "axis; contact happens in the plane across it"};
inline constexpr DeckKey kCenter{.name = "center",
                                 .unit = "m",
                                 .example = "[0.001, 0, 0]",
                                 .meaning = "centre; of a pair the second node",
                                 .fallback = "`position` of the node"};
inline constexpr DeckKey kSide{.name = "side",
                               .unit = "-",
                               .example = "\"inside\"",
                               .meaning = "where the node is free",
                               .allowed = "outside, inside",
                               .fallback = "\"outside\""};
inline constexpr DeckKey kThickness{
    .name = "thickness",
    .unit = "m",
    .example = "0.005",
    .meaning = "matter on the node, a key of [[contacts]]; of a pair [da, db]",
    .allowed = ">= 0",
    .fallback = "0",
    .ofContact = true};
inline constexpr DeckKey kRollingRadius{
    .name = "rolling_radius",
    .unit = "m",
    .example = "0.005",
    .meaning = "where the body touches, a key of [[contacts]]: its rotation about the axis enters the slip",
    .allowed = ">= 0",
    .fallback = "no rolling",
    .ofContact = true};
inline constexpr DeckKey kSurfaceVelocity{
    .name = "surface_velocity",
    .unit = "m/s",
    .example = "[0, 0, 0.1]",
    .meaning = "velocity of the surface in its own plane, numbers or functions of time",
    .fallback = "0"};
inline constexpr DeckKey kSurfaceSpin{
    .name = "surface_spin",
    .unit = "rad/s",
    .example = "10.0",
    .meaning = "turning of the surface about its axis (a plane: its normal), a number or a function of time",
    .fallback = "0"};
inline constexpr DeckKey kCarriedBy{.name = "carried_by",
                                    .unit = "-",
                                    .example = "[\"wall\"]",
                                    .meaning = "names of the supports that move the obstacle"};

}  // namespace ricochet::obstacle_keys
