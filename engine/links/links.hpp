#pragma once

#include "engine/links/antiseismic.hpp"
#include "engine/links/buckling.hpp"
#include "engine/links/cracked_rotor.hpp"
#include "engine/links/crushing.hpp"
#include "engine/links/elastoplastic.hpp"
#include "engine/links/force_displacement.hpp"
#include "engine/links/force_velocity.hpp"
#include "engine/links/formula_force.hpp"
#include "engine/links/zener.hpp"
#include "engine/numerics/description.hpp"

#include <array>

namespace ricochet {

/// List of the laws of links for decks, results and conformance tests.
using LinkLaws = DescribedList<ForceDisplacement, ForceVelocity, FormulaForce, Buckling, Crushing,
                               Antiseismic, Zener, Elastoplastic, CrackedRotor>;

/// Keys of a [[links]] entry that do not depend on its law.
inline constexpr std::array kLinkKeys{
    DeckKey::optional("name", "-", "\"link\"", "of the link").required(),
    DeckKey::optional("nodes", "-", "[\"body\"]", "one node (to the ground) or two").required(),
    DeckKey::optional("axis", "-", "[1, 0, 0]",
                      "direction; of two nodes without it from the first to the second")
        .required(),
    DeckKey::optional("dof", "-", "\"rz\"", "a displacement or rotation of the nodes")
        .allows("ux, uy, uz, rx, ry, rz")
        .insteadOf("axis")};

using AnyLinkLaw = LinkLaws::Variant;

inline LinkTraits traitsOf(const AnyLinkLaw& law) noexcept {
  return std::visit([]<class Law>(const Law&) { return Law::traits; }, law);
}

}  // namespace ricochet
