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
  Tangential<Real> position{};  ///< position of the node relative to the obstacle, in the tangent plane [m]
  Tangential<Real> slipRate{};  ///< rate of the position [m/s]
  Real compression{};           ///< normal force N, not negative [N]
  Real compressionRate{};  ///< rate N' [N/s]; used by guards of the slip state and by memories that relax
  Tangential<Real> reaction{};  ///< traction in stick of a set-valued law, determined by the motion [N]
  Constant<Real> elapsed{0.0};  ///< time since the accepted state, in a trial [s]
  Tangential<Real>
      reactionRate{};  ///< rate of `reaction` [N/s]; used by guards of a slip whose coefficient varies
};

/// Normal force [N] that limits friction: N in compression, zero while a dashpot makes the contact pull.
template <class Real>
Real normalForceForFriction(const Real& compression) noexcept {
  return select(Real(0.0) < compression, compression, Real(0.0));
}

/// Friction memory of a contact. A trial computes the next memory, which becomes valid when the step is
/// accepted. The deflection of the tangential spring is measured from its anchor.
template <class Real>
struct FrictionMemory {
  Tangential<Real> anchorForce{};     ///< force of the tangential spring at the anchor [N]
  Tangential<Real> anchorPosition{};  ///< position of the anchor [m]
  Tangential<Real> direction{};       ///< unit vector of the traction while slipping
  Mask<Real> slipping{};
  bool keepsBranch{false};  ///< a law with the trait `branchesBySteps` changes its branch after the step only
  /// True: other contacts hold the point of a set-valued slip, which has not moved yet. Its traction stays at
  /// mu_s N; so the contacts share reactions that the equations leave open.
  bool onStaticCone{false};
};

/// Converts a friction memory of doubles to another scalar type, without derivatives (higher terms).
template <class Real>
FrictionMemory<Real> convertToConstants(const FrictionMemory<double>& memory) noexcept {
  return {.anchorForce = convertToConstants<Real>(memory.anchorForce),
          .anchorPosition = convertToConstants<Real>(memory.anchorPosition),
          .direction = convertToConstants<Real>(memory.direction),
          .slipping = memory.slipping,
          .keepsBranch = memory.keepsBranch,
          .onStaticCone = memory.onStaticCone};
}

/// Result of a trial of friction: traction on the first node [N], and the next memory.
template <class Real>
struct FrictionTrial {
  Tangential<Real> traction{};
  FrictionMemory<Real> next{};
};

/// Properties of a friction law. No property has a default value.
struct FrictionTraits {
  Trait<bool> traction;      ///< false: no tangential force for any parameters
  Trait<bool> coefficients;  ///< the law has `muStatic` and a `muDynamic` that is not larger
  Trait<bool> setValued;     ///< stick is a constraint on the motion: no time-stepping form
  Trait<bool> dashpot;       ///< stick is a spring `stiffness` parallel to a dashpot `damping`
  Trait<bool> coneStick;  ///< stick ends at the constant cone of mu_s; only the dashpot dissipates in stick
  Trait<bool> ofArea;     ///< force and moment of an area, not of a point
  Trait<bool> asksRate;   ///< the law uses the slip rate in every trial
  Trait<bool> ofSpeed;    ///< the coefficient of a slip is a table over the slip speed
  Trait<bool> opensSlipping;  ///< a closing contact starts in slip, from its position one step earlier
  Trait<bool> anchorsPlace;   ///< on a curved surface the path is the chord from the anchor
  Trait<bool> numbersOnly;    ///< all parameters of the law are its fields, which are numbers
  /// The force jumps with the direction of the slip, so that forces may not balance at the end of a step: see
  /// FrictionMemory::keepsBranch.
  Trait<bool> branchesBySteps;
  Trait<bool> lanes;  ///< a form `InLanes<P>` with constants per vector lane exists
  /// Name of the law in the error of the scheme event; empty: event accepts the law.
  Trait<std::string_view> noSeries;
  Trait<std::string_view> noImpulse;  ///< name of the law in the refusal by moreau; empty: moreau accepts it
};

/// A friction law, written once for any scalar type: traction in each state, guards (positive while the state
/// holds) and memory at the start of a state for event-driven schemes; a return mapping `computeTrial` for
/// time-stepping schemes.
///
/// `lawWithSpringInSeries(S)` is the law between the ends of the law and of an isotropic spring 1/S without
/// mass in series, S > 0: T(s0) with s = s0 + S T. It is std::nullopt for a law that has no such form in
/// closed terms.
template <class L>
concept FrictionLaw = requires(const L law, FrictionState state, const FrictionKinematics<double> k,
                               const FrictionMemory<double> memory) {
  { law.template force<double>(state, k, memory) }
  noexcept->std::same_as<Tangential<double>>;
  { law.template guard<double>(state, k, memory) }
  noexcept->std::same_as<double>;
  { law.template frictionMemoryAtStateStart<double>(state, k, memory) }
  noexcept->std::same_as<FrictionMemory<double>>;
  { law.template frictionConeMargin<double>(k, memory, Tangential<double>{}) }
  noexcept->std::same_as<double>;  // distance to the friction cone along a unit vector [N]
  { law.template storedEnergy<double>(k, memory) }
  noexcept->std::same_as<double>;  // elastic energy [J]
  { law.tractionDropAtBreakaway(double{}) }
  noexcept->std::same_as<double>;  // drop of the traction at breakaway [N]
  { law.bearsTraction() }
  noexcept->std::same_as<bool>;  // false: all coefficients are zero
  { law.contactStiffness() }
  noexcept->std::same_as<double>;  // stiffness of the stick [N/m], for step limits
  { law.contactDamping() }
  noexcept->std::same_as<double>;  // damping of the stick [N s/m]
  // Optional: the law in series with a massless spring of this flexibility [m/N].
  law.lawWithSpringInSeries(double{});
  requires std::same_as<std::remove_cvref_t<decltype(L::traits)>, FrictionTraits>;
  L::keyword;
  L::numericParameters();
}
&&(!L::traits.coefficients || requires(const L law) { law.muStatic, law.muDynamic; }) &&
    (!L::traits.dashpot || requires(const L law) { law.stiffness, law.damping; }) &&
    (!L::traits.setValued ||
     requires(const L law, const FrictionKinematics<double> k) {
       { law.template tractionDirection<double>(k) } -> std::same_as<Tangential<double>>;
     }) &&
    (!L::traits.coneStick ||
     requires(const L law, const FrictionKinematics<double> k, const FrictionMemory<double> memory) {
       { law.template tractionAboveDynamicFriction<double>(k, memory) } -> std::same_as<double>;
       { law.template slipDirection<double>(k, memory) } -> std::same_as<Tangential<double>>;
       {
         law.template springForceRate<double>(memory, Tangential<double>{})
         } -> std::same_as<Tangential<double>>;
       {
         law.template turningRateOfTraction<double>(k, Tangential<double>{})
         } -> std::same_as<Tangential<double>>;
       { law.relaxationRate() } -> std::same_as<double>;  // relaxation rate of the spring [1/s]
     });

/// A friction law that also has a time-stepping form.
template <class L>
concept SteppedFrictionLaw = FrictionLaw<L> &&
    requires(const L law, const FrictionKinematics<double> k, const FrictionMemory<double> memory) {
  { law.template computeTrial<double>(k, memory) }
  noexcept->std::same_as<FrictionTrial<double>>;
};

}  // namespace ricochet
