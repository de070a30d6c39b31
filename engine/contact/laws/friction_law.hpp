#pragma once

#include "engine/numerics/real.hpp"
#include "engine/numerics/trait.hpp"

#include <concepts>
#include <cstdint>
#include <string_view>
#include <type_traits>

namespace ricochet {

enum class FrictionState : std::uint8_t { stick, slip };

template <class Real>
struct FrictionKinematics {
  Tangential<Real> position{};  ///< of the node against the obstacle, in the tangent plane [m]
  Tangential<Real> slipRate{};  ///< its rate [m/s]
  Real compression{};           ///< N [N], not negative
  Real compressionRate{};       ///< N' [N/s]; guards of the slip state use it, and memories that relax
  Tangential<Real> reaction{};  ///< of a set-valued law in stick: the traction that the motion determines [N]
  Constant<Real> elapsed{0.0};  ///< of a trial: since the memory was kept [s]
};

/// What a contact remembers of its friction. A trial writes the next memory; accepting a step keeps it.
template <class Real>
struct FrictionMemory {
  Tangential<Real> anchorForce{};     ///< force of the tangential spring where it was last hooked [N]
  Tangential<Real> anchorPosition{};  ///< position there [m]
  Tangential<Real> direction{};       ///< unit vector of the traction while slipping
  Mask<Real> slipping{};
};

/// A memory of numbers in an arithmetic that differentiates or expands.
template <class Real>
FrictionMemory<Real> constantIn(const FrictionMemory<double>& memory) noexcept {
  return {.anchorForce = constantIn<Real>(memory.anchorForce),
          .anchorPosition = constantIn<Real>(memory.anchorPosition),
          .direction = constantIn<Real>(memory.direction),
          .slipping = memory.slipping};
}

/// Outcome of a trial: the traction on the first node and the memory that goes with it.
template <class Real>
struct FrictionTrial {
  Tangential<Real> traction{};
  FrictionMemory<Real> next{};
};

/// What a friction law says of itself. No answer has a default.
struct FrictionTraits {
  Trait<bool> traction;      ///< false: no tangential force, whatever its numbers
  Trait<bool> coefficients;  ///< it has `muStatic`, and `muDynamic` that is not larger
  Trait<bool> setValued;     ///< stick is a constraint on the motion: it has no time-stepping form
  Trait<bool> dashpot;       ///< its stick is a spring `stiffness` beside a dashpot `damping`
  Trait<bool> coneStick;     ///< ... within the constant cone of mu_s; such a stick loses by the dashpot only
  Trait<bool> ofArea;        ///< force and moment of an area, not of a point
  Trait<bool> asksRate;      ///< every trial needs the slip rate
  Trait<bool>
      opensSlipping;  ///< what closes slips from where it was a step before; else its spring is hooked there
  Trait<bool> anchorsPlace;  ///< on a curved surface its path is from a place along the present tangents
  Trait<bool> numbersOnly;   ///< its fields are all that it is made of
  Trait<bool> lanes;         ///< it has a form `InLanes<P>` whose constants differ by lane
  Trait<std::string_view> onlyBySteps;  ///< as what event and moreau refuse it; empty: they follow it
};

/// A friction law, written once over the scalar type: a smooth traction in each state with guards that are
/// positive while the state holds and the memory on entry of a state (event driven), and a return mapping
/// (time stepping).
template <class L>
concept FrictionLaw = requires(const L law, FrictionState state, const FrictionKinematics<double> k,
                               const FrictionMemory<double> memory) {
  { law.template force<double>(state, k, memory) }
  noexcept->std::same_as<Tangential<double>>;
  { law.template guard<double>(state, k, memory) }
  noexcept->std::same_as<double>;
  { law.template enter<double>(state, k, memory) }
  noexcept->std::same_as<FrictionMemory<double>>;
  { law.template margin<double>(k, memory, Tangential<double>{}) }
  noexcept->std::same_as<double>;  // [N], of stick along a unit vector
  { law.template stored<double>(k, memory) }
  noexcept->std::same_as<double>;  // [J]
  { law.breakawayDrop(double{}) }
  noexcept->std::same_as<double>;  // [N], as slip starts
  { law.bearsTraction() }
  noexcept->std::same_as<bool>;  // false: these coefficients allow no tangential force
  { law.contactStiffness() }
  noexcept->std::same_as<double>;  // [N/m], for step limits
  { law.contactDamping() }
  noexcept->std::same_as<double>;  // [N s/m]
  requires std::same_as<std::remove_cvref_t<decltype(L::traits)>, FrictionTraits>;
  L::keyword;
  L::fields();
}
&&(!L::traits.coefficients || requires(const L law) { law.muStatic, law.muDynamic; }) &&
    (!L::traits.dashpot || requires(const L law) { law.stiffness, law.damping; }) &&
    (!L::traits.setValued ||
     requires(const L law, const FrictionKinematics<double> k) {
       { law.template turning<double>(k) } -> std::same_as<Tangential<double>>;
     }) &&
    (!L::traits.coneStick ||
     requires(const L law, const FrictionKinematics<double> k, const FrictionMemory<double> memory) {
       { law.template excess<double>(k, memory) } -> std::same_as<double>;
       { law.template slipDirection<double>(k, memory) } -> std::same_as<Tangential<double>>;
       { law.template springRate<double>(memory, Tangential<double>{}) } -> std::same_as<Tangential<double>>;
       { law.template turningRate<double>(k, Tangential<double>{}) } -> std::same_as<Tangential<double>>;
       { law.relaxation() } -> std::same_as<double>;  // [1/s]
     });

/// A friction law that also has a time-stepping form.
template <class L>
concept SteppedFrictionLaw = FrictionLaw<L> &&
    requires(const L law, const FrictionKinematics<double> k, const FrictionMemory<double> memory) {
  { law.template trial<double>(k, memory) }
  noexcept->std::same_as<FrictionTrial<double>>;
};

}  // namespace ricochet
