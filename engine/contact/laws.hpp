#pragma once

#include "engine/contact/automaton.hpp"
#include "engine/contact/coulomb.hpp"
#include "engine/contact/force_table.hpp"
#include "engine/contact/friction_law.hpp"
#include "engine/contact/frictionless.hpp"
#include "engine/contact/hertz.hpp"
#include "engine/contact/hunt_crossley.hpp"
#include "engine/contact/imposed_force.hpp"
#include "engine/contact/linear_penalty.hpp"
#include "engine/contact/normal_law.hpp"
#include "engine/contact/patch_friction.hpp"
#include "engine/contact/regularised_coulomb.hpp"
#include "engine/contact/rigid.hpp"
#include "engine/contact/stribeck.hpp"
#include "engine/type_list.hpp"

namespace ricochet {

using NormalLaws = TypeList<LinearPenalty, ImposedForce, Rigid, Hertz, HuntCrossley, ForceTable>;
using FrictionLaws = TypeList<Frictionless, RegularisedCoulomb, Coulomb>;  ///< at a point

/// Those with a time-stepping form.
using SteppedNormalLaws = TypeList<LinearPenalty, ImposedForce, Hertz, HuntCrossley, ForceTable>;
using SteppedFrictionLaws = TypeList<Frictionless, RegularisedCoulomb>;

using AnyNormalLaw = NormalLaws::Variant;
using AnyFrictionLaw =
    TypeList<Frictionless, RegularisedCoulomb, Coulomb, PatchFriction, Stribeck, Automaton>::Variant;

}  // namespace ricochet
