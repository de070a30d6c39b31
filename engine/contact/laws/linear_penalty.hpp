#pragma once

#include "engine/contact/laws/normal_law.hpp"
#include "engine/numerics/field.hpp"
#include "engine/numerics/real.hpp"

#include <array>
#include <optional>
#include <string_view>
#include <type_traits>

namespace ricochet {

/// Linear penalty: a spring and a dashpot that act in penetration and never pull. N jumps to c |g'| when a
/// damped contact closes, and vanishes before the gap opens again.
/// `P`: type of the constants, a double or one value per lane (variant of a batch).
template <class P = double>
struct LinearPenaltyOf {
  static constexpr std::string_view keyword = "penalty";
  static constexpr std::string_view title = "Linear penalty: a spring and a dashpot that never pull";
  static constexpr std::string_view formula =
      "N = max(0, -k g - c g')   while g < 0\n"
      "with tension: N = -k g - c g'   while g < 0; friction acts while N > 0\n"
      "\n"
      "g   gap [m], negative in penetration\n"
      "g'  gap rate [m/s], positive when separating\n"
      "N   compression [N]";
  static constexpr std::string_view source =
      "P. Wriggers, Computational Contact Mechanics, Springer 2006; with the clamp DIS_CHOC of Code_Aster, "
      "R5.06.03";
  static constexpr bool kChosenByKeys = true;  ///< the key `stiffness` without `law` selects this law
  static constexpr NormalTraits traits{.setValued = false,
                                       .imposed = false,
                                       .form = ForceForm::linear,
                                       .asksRate = true,
                                       .spring = true,
                                       .remembersApproach = false,
                                       .stiffens = false,
                                       .numbersOnly = true,
                                       .lanes = true};
  template <class Q>
  using InLanes = LinearPenaltyOf<Q>;

  P stiffness{};
  P damping{};
  Mask<P> tension{};

  static constexpr auto numericParameters() {
    using F = Field<LinearPenaltyOf, P>;
    return std::array{
        F{"stiffness", &LinearPenaltyOf::stiffness, "N/m", 0.0, 1.0e6, "contact stiffness k", Need::positive},
        F{"damping", &LinearPenaltyOf::damping, "N s/m", 0.0, 10.0, "contact damping c"}};
  }

  static constexpr auto choiceParameters() {
    return std::array{
        Choice<LinearPenaltyOf, Mask<P>>{{.name = "tension",
                                          .unit = "-",
                                          .example = "true",
                                          .meaning = "drop the clamp: it pulls where the dashpot does",
                                          .allowed = kTrueFalse,
                                          .fallback = "false"},
                                         &LinearPenaltyOf::tension}};
  }

  template <class Real>
  Real force(NormalState state, const NormalKinematics<Real>& k) const noexcept {
    if (state != NormalState::closed) return Real(0.0);
    return trialForce(k);
  }

  template <class Real>
  NormalGuards<Real> guards(NormalState state, const NormalKinematics<Real>& k) const noexcept {
    switch (state) {
      case NormalState::open:
        return {k.gap, Real(1.0)};
      case NormalState::closed:
        return {selectByCondition(tension, Real(1.0), trialForce(k)), -k.gap};
      case NormalState::released:
        return {-trialForce(k), -k.gap};
    }
    return {};
  }

  NormalState stateAfterTransition(NormalState state, std::size_t guard) const noexcept {
    if (state == NormalState::open) return NormalState::closed;
    // the state `released` starts when the force vanishes in penetration, `open` when the gap opens
    if (guard == 1) return NormalState::open;
    if (state == NormalState::released) return NormalState::closed;
    return doesForceDependOnGapRate() ? NormalState::released : NormalState::open;
  }

  /// Elastic energy of the spring, 1/2 k g^2 [J], also in the state `released`.
  template <class Real>
  Real storedEnergy(NormalState state, const NormalKinematics<Real>& k) const noexcept {
    return state == NormalState::open ? Real(0.0) : 0.5 * stiffness * k.gap * k.gap;
  }

  P contactStiffness() const noexcept { return stiffness; }
  P contactDamping() const noexcept { return damping; }
  Mask<P> doesForceDependOnGapRate() const noexcept { return damping > 0.0; }
  /// True if the dashpot can make the normal force N negative.
  bool canNormalForceBeTensile() const noexcept requires std::is_same_v<P, double> {
    return tension && damping > 0.0;
  }

  /// The law in series with a spring of flexibility S has the stiffness k/(1 + k S); a law with a dashpot has
  /// no such form.
  std::optional<LinearPenaltyOf> lawWithSpringInSeries(
      double flexibility) const noexcept requires std::is_same_v<P, double> {
    if (damping > 0.0) return std::nullopt;
    return LinearPenaltyOf{stiffness / (1.0 + stiffness * flexibility), 0.0, tension};
  }

 private:
  template <class Real>
  Real trialForce(const NormalKinematics<Real>& k) const noexcept {
    return -(stiffness * k.gap + damping * k.gapRate);
  }
};
using LinearPenalty = LinearPenaltyOf<>;

}  // namespace ricochet
