#pragma once

#include "engine/contact/laws/automaton.hpp"
#include "engine/contact/laws/coulomb.hpp"
#include "engine/contact/laws/flores.hpp"
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

#include <optional>
#include <span>
#include <type_traits>
#include <variant>

namespace ricochet {

/// The laws of contacts: decks, results, the manual and the conformance tests use these lists.
using NormalLaws = DescribedList<LinearPenalty, ImposedForce, Rigid, Hertz, HuntCrossley, ForceTable, Flores>;
using FrictionLaws = DescribedList<Frictionless, RegularisedCoulomb, Coulomb, PatchFriction, Stribeck,
                                   SpeedCoulomb, Automaton, LuGre>;

static_assert(doesEachTypeDefineTraits(NormalLaws{}) && doesEachTypeDefineTraits(FrictionLaws{}));
static_assert([] {
  bool meet = true;
  NormalLaws::forEach([&meet]<class L>() { meet = meet && NormalLaw<L>; });
  FrictionLaws::forEach([&meet]<class L>() { meet = meet && FrictionLaw<L>; });
  return meet;
}());

/// Friction laws with a time-stepping form.
template <class L>
struct IsStepped : std::bool_constant<!L::traits.setValued> {};
using SteppedNormalLaws = NormalLaws::Where<IsStepped>;
/// Friction laws with constant coefficients and a time-stepping form that event-driven schemes accept as
/// well.
template <class L>
struct IsSteppedByAll
    : std::bool_constant<!L::traits.setValued && !L::traits.ofSpeed && L::traits.noSeries.value.empty()> {};
using SteppedFrictionLaws = FrictionLaws::Where<IsSteppedByAll>;

using AnyNormalLaw = NormalLaws::Variant;
using AnyFrictionLaw = FrictionLaws::Variant;

/// Restitution e of a rigid contact [-].
inline double restitutionCoefficientOf(const AnyNormalLaw& any) noexcept {
  return std::visit(
      []<class L>(const L& law) {
        if constexpr (L::traits.setValued)
          return law.restitution;
        else
          return 0.0;
      },
      any);
}

/// Inner break points of a piecewise linear law [m]; empty for all other laws.
inline std::span<const double> penetrationsAtForceKinks(const AnyNormalLaw& any) noexcept {
  return std::visit(
      []<class L>(const L& law) -> std::span<const double> {
        if constexpr (L::traits.form == ForceForm::pieces) return law.penetrationsAtTableKinks();
        return {};
      },
      any);
}

/// Friction coefficients in slip at a speed [m/s] of a law with set-valued stick; none for all other laws.
struct StickCone {
  double muStatic, muDynamic;
};
inline std::optional<StickCone> stickConeOf(const AnyFrictionLaw& any, double speed = 0.0) noexcept {
  return std::visit(
      [speed]<class L>(const L& law) -> std::optional<StickCone> {
        if constexpr (L::traits.setValued && L::traits.ofSpeed)
          return StickCone{law.table->coefficient.front(), law.table->coefficientAt(speed)};
        else if constexpr (L::traits.setValued)
          return StickCone{law.muStatic, law.muDynamic};
        return std::nullopt;
      },
      any);
}

/// Table of a friction law whose coefficient depends on the slip speed; null for all other laws.
inline const SpeedTable* frictionSpeedTableOrNull(const AnyFrictionLaw& any) noexcept {
  return std::visit(
      []<class L>(const L& law) -> const SpeedTable* {
        if constexpr (L::traits.ofSpeed) return law.table.get();
        return nullptr;
      },
      any);
}

}  // namespace ricochet
