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
#include "engine/type_list.hpp"

namespace ricochet {

/// The laws of links: what a deck can name, a result can show and the conformance tests look at.
using LinkLaws = TypeList<ForceDisplacement, ForceVelocity, FormulaForce, Buckling, Crushing, Antiseismic,
                          Zener, Elastoplastic, CrackedRotor>;

using AnyLinkLaw = LinkLaws::Variant;

}  // namespace ricochet
