#pragma once

#include "engine/contact/laws/automaton.hpp"
#include "engine/contact/laws/coulomb.hpp"
#include "engine/contact/laws/force_table.hpp"
#include "engine/contact/laws/friction_law.hpp"
#include "engine/contact/laws/frictionless.hpp"
#include "engine/contact/laws/hertz.hpp"
#include "engine/contact/laws/hunt_crossley.hpp"
#include "engine/contact/laws/imposed_force.hpp"
#include "engine/contact/laws/linear_penalty.hpp"
#include "engine/contact/laws/lugre.hpp"
#include "engine/contact/laws/normal_law.hpp"
#include "engine/contact/laws/patch_friction.hpp"
#include "engine/contact/laws/regularised_coulomb.hpp"
#include "engine/contact/laws/rigid.hpp"
#include "engine/contact/laws/stribeck.hpp"
#include "engine/numerics/description.hpp"
#include "engine/numerics/type_list.hpp"

#include <type_traits>

namespace ricochet {

/// The laws of contacts: what a deck can name, a result can show and the manual and the tests look at.
using NormalLaws = DescribedList<LinearPenalty, ImposedForce, Rigid, Hertz, HuntCrossley, ForceTable>;
using FrictionLaws =
    DescribedList<Frictionless, RegularisedCoulomb, Coulomb, PatchFriction, Stribeck, Automaton, LuGre>;

/// Those with a time-stepping form.
template <class L>
struct IsStepped : std::bool_constant<!L::kSetValued> {};
using SteppedNormalLaws = NormalLaws::Where<IsStepped>;
/// And a form for event-driven schemes too.
using SteppedFrictionLaws = TypeList<Frictionless, RegularisedCoulomb>;

using AnyNormalLaw = NormalLaws::Variant;
using AnyFrictionLaw = FrictionLaws::Variant;

}  // namespace ricochet
