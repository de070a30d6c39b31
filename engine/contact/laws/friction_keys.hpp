#pragma once

#include "engine/numerics/description.hpp"

/// Deck keys that several friction laws use.
namespace ricochet::friction_keys {

inline constexpr DeckKey kCoefficient{.name = "coefficient",
                                      .unit = "-",
                                      .example = "0.3",
                                      .meaning = "both coefficients",
                                      .allowed = ">= 0",
                                      .instead = "static dynamic"};
inline constexpr DeckKey kStickDamping{
    .name = "damping",
    .unit = "N s/m",
    .example = "50.0",
    .meaning =
        "stick damping c_t, a number or \"critical\": 2 sqrt(m k_t) with the mass of the node, "
        "m = 1/(t M^-1 t) along a tangent t (M: the assembled mass matrix), the smaller of both; "
        "`check` tells it",
    .allowed = ">= 0, \"critical\"",
    .fallback = "\"critical\""};
inline constexpr DeckKey kAlong{
    .name = "along",
    .unit = "-",
    .example = "[0, 1, 0]",
    .meaning =
        "the only direction in which there is friction; it becomes tangent 1, unless it is "
        "tangent 2",
    .fallback = "all of the tangent plane"};
inline constexpr DeckKey kAcross{
    .name = "across",
    .unit = "-",
    .example = "0.5",
    .meaning = "coefficient along tangent 2 over that along tangent 1; not with `along`",
    .allowed = ">= 0",
    .fallback = "1"};

}  // namespace ricochet::friction_keys
