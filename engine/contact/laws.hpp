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
#include "engine/description.hpp"
#include "engine/type_list.hpp"

#include <type_traits>

namespace ricochet {

/// The laws of contacts: what a deck can name, a result can show and the manual and the tests look at.
using NormalLaws = DescribedList<LinearPenalty, ImposedForce, Rigid, Hertz, HuntCrossley, ForceTable>;
using FrictionLaws =
    DescribedList<Frictionless, RegularisedCoulomb, Coulomb, PatchFriction, Stribeck, Automaton>;

/// Those with a time-stepping form.
template <class L>
struct IsStepped : std::bool_constant<!L::kSetValued> {};
using SteppedNormalLaws = NormalLaws::Where<IsStepped>;
/// And a form for event-driven schemes too.
using SteppedFrictionLaws = TypeList<Frictionless, RegularisedCoulomb>;

using AnyNormalLaw = NormalLaws::Variant;
using AnyFrictionLaw = FrictionLaws::Variant;

}  // namespace ricochet
