#pragma once

#include "engine/event/automata/contact_automaton.hpp"
#include "engine/event/series/taylor_expansion.hpp"
#include "engine/numerics/certified_root.hpp"
#include "engine/numerics/register_bits.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <limits>
#include <optional>
#include <span>

namespace ricochet {

/// Powers of a step, which the polynomials of all guards share.
class StepPowers {
 public:
  // The other powers are set where they are first needed.
  // NOLINTNEXTLINE(cppcoreguidelines-pro-type-member-init)
  explicit StepPowers(double step) noexcept { restart(step); }

  void restart(double step) noexcept {
    powers_[0] = 1.0;
    powers_[1] = step;
    known_ = 2;
  }

  /// Largest excursion of a polynomial from its value at 0 over the step.
  double largestExcursionOfPolynomial(std::span<const double> p) noexcept {
    const double square = powers_[1] * powers_[1];
    for (; known_ < p.size(); ++known_) powers_[known_] = square * powers_[known_ - 2];
    kernels::Register16 sums{};  // of the terms of odd and of even order
    std::size_t k = 1;
    for (; k + 1 < p.size(); k += 2) {
      kernels::Register16 coefficients, powers;
      std::memcpy(&coefficients, p.data() + k, sizeof coefficients);
      std::memcpy(&powers, powers_.data() + k, sizeof powers);
      kernels::clearSignBit(coefficients);
      sums += coefficients * powers;
    }
    const double odd = sums[0], even = sums[1];
    return k < p.size() ? even + (odd + std::abs(p[k]) * powers_[k]) : even + odd;
  }

 private:
  std::array<double, 4 * kMostOrders + 8> powers_;
  std::size_t known_;
};

/// Behaviour of a guard at the start of a step: whether the guard is positive just after the start, and the
/// power of the local time with which it starts. Without a power, all coefficients are rounding: the guard
/// counts as zero, and its state holds, over the whole step.
struct GuardBeginning {
  bool holds{true};
  std::optional<double> power{};
  /// Decrease of the guard from its start up to which its state is kept; 0: the state is not kept.
  double toleratedDecrease{0.0};
};

/// Examines the guards of contacts one by one. `outlook` keeps the guard with the first root in the step, or
/// a guard that is negative at the start. `C` is the class of the contacts, `Noise` gives the rounding levels
/// of their series.
template <class C, class Noise>
class GuardScan {
 public:
  /// Starts from an outlook at `time` [s]. `slack`: rounding level of a quantity that vanishes only to the
  /// tolerance, divided by the level of a quantity that vanishes to rounding.
  GuardScan(const TaylorExpansion& expansion, double time, double slack, const Outlook& from)
      : outlook(from), expansion_(expansion), time_(time), slack_(slack), powers_(from.step) {}

  /// Shortens the step to `step` [s]; a guard whose root lies later is discarded.
  void shortenStepTo(double step) noexcept {
    if (step < outlook.step) {
      outlook.step = step;
      if (!outlook.doesStepEndAtGuard()) outlook.guard.reset();
    }
    powers_.restart(outlook.step);
  }

  /// Examines the guard `p`, a series in the local time with the rounding levels noiseOf(noise, k). `exact`,
  /// if given, evaluates the guard where the series is not valid (PowerGuard).
  template <class NoiseOf, class... Exact>
  void operator()(C& c, GuardSlot slot, std::span<const double> p, const NoiseOf& noiseOf,
                  const Exact&... exact) {
    constexpr bool kIsExact = sizeof...(exact) > 0;
    constexpr double kSuspicious = 1e-7;
    const Urgency urgency = guardPriority(c, slot);
    if (outlook.urgency >= urgency) return;
    const bool unknown = c.knownRootCount(slot) == 0;
    double reach = powers_.largestExcursionOfPolynomial(p);
    if (!std::isfinite(reach)) {
      p = leadingFiniteCoefficients(p);
      reach = powers_.largestExcursionOfPolynomial(p);
    }
    const bool stopping = unknown && slot == GuardSlot::slip && doesSlipEndAtThisInstant(c, p);
    if (!kIsExact && unknown && p[0] > reach && !stopping) return;
    double power = 0.0;
    const bool isSuspicious = kIsExact || !unknown || stopping || !(p[0] > kSuspicious * reach);
    if (isSuspicious) {
      const Noise levels(expansion_, c);
      // The gap rate after an impact does not depend on the rounding of the instant, unlike the
      // accelerations. The impact found the separation by the same bound.
      const bool leaves = c.openedAt == time_ && !c.openedNow && c.setValuedNormal &&
                          slot == (c.state.side > 0.0 ? GuardSlot::low : GuardSlot::high);
      const bool byInstant =
          (unknown && !leaves) || c.openedAtZeroForce || (slot == GuardSlot::slip && c.setValuedStick);
      const auto noise = [&](std::size_t k) {
        return noiseOf(levels, k) + (byInstant ? coefficientChangeByTimeRounding(p, k) : 0.0);
      };
      std::optional<double> fromZero;
      if constexpr (kIsExact)
        if (c.hasForceWithoutPowerSeries()) fromZero = (0.0 + ... + exact.leadingPowerOfTimeAtStart());
      const GuardBeginning beginning = fromZero ? leadingGuardTermFromZeroStart(c, slot, p, *fromZero)
                                                : leadingGuardTerm(c, slot, p, noise);
      if (stopping || !beginning.holds) {
        const bool jumped = unknown && p[0] < -10.0 * slack_ * noise(0);
        return outlook.recordFailingGuard({c.index, slot, std::abs(p[0]) <= noise(0), jumped}, urgency);
      }
      if (!beginning.power) {
        if (beginning.toleratedDecrease > 0.0 && !outlook.doesStepEndAtGuard())
          endStepWhereKeptStateFails(c, slot, p, beginning.toleratedDecrease);
        return;
      }
      power = *beginning.power;
    }
    if (outlook.doesStepEndAtGuard()) return;
    RootSearch search;
    if constexpr (kIsExact)
      search = (exact.firstRoot(outlook.step, power), ...);
    else
      search = firstRoot(deflatedPolynomial(p, static_cast<int>(power)), outlook.step);
    const bool isGap = slot <= GuardSlot::high && c.setValuedNormal;
    if (isGap && !isSuspicious && search.found && isRootDueToRounding(c, slot, p, noiseOf)) return;
    if (!search.found && search.time >= outlook.step) return;
    if (!kIsExact && search.found && doesGuardFallOnlyByRounding(c, slot, p, noiseOf)) return;
    if (search.found && slot == GuardSlot::back && c.canSlipInPlane() && doesContactOpen(c, p, search.time))
      return;
    outlook.endStepAtRoot(c.index, slot, search);
  }

  Outlook outlook;

 private:
  /// True if the first root of a guard in the step is an effect of rounding: the gap of a body that rests on
  /// other contacts drifts, and without the coefficients that are rounding at its beginning, this gap has no
  /// root.
  template <class NoiseOf>
  bool isRootDueToRounding(const C& c, GuardSlot slot, std::span<const double> p,
                           const NoiseOf& noiseOf) const {
    const Noise levels(expansion_, c);
    const auto noise = [&](std::size_t k) {
      return noiseOf(levels, k) + coefficientChangeByTimeRounding(p, k);
    };
    if (p[0] > noise(0)) return false;
    const GuardBeginning beginning = leadingGuardTerm(c, slot, p, noise);
    if (!beginning.power || !beginning.holds) return beginning.holds;
    if (*beginning.power < 3.0) return false;  // the gap changes with a rate or acceleration
    const RootSearch rest =
        firstRoot(deflatedPolynomial(p, static_cast<int>(*beginning.power)), outlook.step);
    return !rest.found && rest.time >= outlook.step;
  }

  /// Ends the step where the guard of a state that is kept within rounding falls by more than
  /// `toleratedDecrease`.
  void endStepWhereKeptStateFails(const C& c, GuardSlot slot, std::span<const double> p,
                                  double toleratedDecrease) {
    RootSearch search = findGuardDecreaseInStep(p, toleratedDecrease);
    if (!doesGuardFallInStep(search)) return;
    // Where the guard is positive at first, its own root is the instant at which the state ends.
    if (p[0] > 0.0)
      if (const RootSearch own = firstRoot(p, outlook.step); doesGuardFallInStep(own)) search = own;
    outlook.endStepAtRoot(c.index, slot, search);
  }

  /// Where in the step a guard has fallen by `decrease` from its start.
  RootSearch findGuardDecreaseInStep(std::span<const double> p, double decrease) const noexcept {
    std::array<double, 2 * kMostOrders + 4> lifted;
    std::copy(p.begin(), p.end(), lifted.begin());
    lifted[0] = decrease;
    return firstRoot(std::span<const double>(lifted).first(p.size()), outlook.step);
  }
  /// True if the root of a friction guard is rounding: the guard is zero within rounding at the start of the
  /// step, and it falls by no more than rounding up to the root.
  template <class NoiseOf>
  bool doesGuardFallOnlyByRounding(const C& c, GuardSlot slot, std::span<const double> p,
                                   const NoiseOf& noiseOf) const {
    if (slot < GuardSlot::ahead || c.setValuedStick) return false;
    const double decrease = toleratedGuardDecreaseAtLimit(c, p, noiseOf(Noise(expansion_, c), 0));
    return decrease > 0.0 && !doesGuardFallInStep(findGuardDecreaseInStep(p, decrease));
  }
  bool doesGuardFallInStep(const RootSearch& search) const noexcept {
    return search.found || search.time < outlook.step;
  }

  /// Priority of a guard whose root ends the step. A set-valued stick of an elastic contact that begins with
  /// N = 0 has the highest priority.
  Urgency guardPriority(const C& c, GuardSlot slot) const {
    if (slot < GuardSlot::ahead) return Urgency::normal;
    const bool elasticStick = c.isStickingByConstraint() && c.phase() == Phase::stick && !c.setValuedNormal;
    const bool unpressed =
        elasticStick && c.compression[0] <= Noise(expansion_, c).compressionRoundingError(0);
    return unpressed ? Urgency::unpressedStick : Urgency::friction;
  }

  /// True if a slip in two dimensions ends now: its slip rate is within rounding of the fastest slip, or
  /// reaches zero within the rounding of the time. This test is needed because each step is a fraction of the
  /// remaining duration of the slip.
  bool doesSlipEndAtThisInstant(const C& c, std::span<const double> rate) const noexcept {
    constexpr double kInstant = 8.0 * std::numeric_limits<double>::epsilon();
    return c.canSlipInPlane() && c.setValuedStick && rate[1] < 0.0 &&
           rate[0] <= std::max(kNoise * c.fastestSlip, kInstant * -rate[1] * std::abs(time_));
  }

  /// True if the cone guard of a stick vanishes because the contact opens. (mu N)^2 and T^2 then both vanish
  /// within rounding: a double root, which rounding may move before the simple root of N. No slip is started.
  bool doesContactOpen(const C& c, std::span<const double> cone, double time) const noexcept {
    const std::size_t orders = cone.size() / 2;
    const double first = polynomialAt(c.traction[0].first(orders), time);
    const double second = polynomialAt(c.traction[1].first(orders), time);
    return first * first + second * second <=
           kNoise * (std::abs(cone[0]) + StepPowers(time).largestExcursionOfPolynomial(cone));
  }

  /// Change of coefficient k within the rounding of the instant: the remainder of the loads at a zero of all
  /// loads.
  double coefficientChangeByTimeRounding(std::span<const double> p, std::size_t k) const noexcept {
    constexpr double kInstant = 8.0 * std::numeric_limits<double>::epsilon();
    return k + 1 < p.size() ? kInstant * std::abs(time_) * static_cast<double>(k + 1) * std::abs(p[k + 1])
                            : 0.0;
  }

  /// True if friction of a contact has changed between stick and slip so often at one instant that the search
  /// for states of all contacts, if others may be concerned, has found none.
  static bool doesContactAlternateStickAndSlip(const C& c, GuardSlot slot) noexcept {
    return slot >= GuardSlot::ahead && (C::kHoldsWithinRounding || !c.setValuedStick) &&
           c.frictionChanges >= c.mostFrictionChanges;
  }

  /// True if the gap of an opening contact has a positive acceleration that may be rounding. If N < 0
  /// exceeded rounding, the acceleration is real; otherwise the gap must stay positive, because the next
  /// coefficients, whose rounding turning slips magnify, would close the contact again.
  bool doesContactOpenSlowly(const C& c, std::span<const double> p) const {
    if (!(p[2] > 0.0)) return false;
    if (!c.openedAtZeroForce) return true;
    const RootSearch rest = firstRoot(deflatedPolynomial(p, 2), outlook.step);
    return !rest.found && rest.time >= outlook.step;
  }

  /// Beginning of a guard that has values after the start but no series there. A slip and the stick that
  /// follows it use different fitted intervals, so that both may fail: an alternating stick then holds.
  static GuardBeginning leadingGuardTermFromZeroStart(const C& c, GuardSlot slot, std::span<const double> p,
                                                      double power) noexcept {
    return {p[0] >= 0.0 || (doesContactAlternateStickAndSlip(c, slot) && slot != GuardSlot::slip), power};
  }

  /// Beginning of a guard from its first coefficient that exceeds the rounding level.
  template <class NoiseAt>
  GuardBeginning leadingGuardTerm(const C& c, GuardSlot slot, std::span<const double> p,
                                  const NoiseAt& noise) const {
    const auto known = static_cast<std::size_t>(c.knownRootCount(slot));
    if (slot < GuardSlot::ahead && c.openedByForce && known == 2 && doesContactOpenSlowly(c, p))
      return {true, 2.0};
    // If the traction does not drop, a slip starts with zero acceleration, and a stick after a slip starts on
    // its cone with zero rate. These coefficients vanish only within the tolerance; in a plane, the later
    // ones too.
    const bool falls = slot == GuardSlot::slip && c.tractionDrops;
    const bool isFriction = slot >= GuardSlot::ahead;
    const bool slow = isFriction ? known > 0 && c.relaxation == 0.0 && !falls : c.openedAtZeroForce;
    const std::size_t last = c.canSlipInPlane() ? kMostOrders : known;
    // A slip rate that vanished by cancellation may be negative by rounding: it must not reverse the slip.
    const bool isBehind = slot == GuardSlot::slip && c.canSlipInPlane() && !c.setValuedStick && p[0] < 0.0;
    const double rest = isBehind ? std::numeric_limits<double>::epsilon() * c.fastestSlip : 0.0;
    const std::size_t count = C::untruncatedCoefficientCount(p.size(), expansion_.order());
    std::size_t k = known;
    while (k < count &&
           !(std::abs(p[k]) > (slow && k <= last ? slack_ : 1.0) * noise(k) + (k == 0 ? rest : 0.0)))
      ++k;
    if (k >= count) return {};
    if (p[k] < 0.0 && isFriction)
      if (const double decrease = toleratedGuardDecreaseAtLimit(c, p, noise(0)); decrease > 0.0)
        return {.toleratedDecrease = decrease};
    // The state alternates only by rounding: it is kept until the guard exceeds rounding.
    if (p[k] < 0.0 && doesContactAlternateStickAndSlip(c, slot) && std::abs(p[0]) <= slack_ * noise(0))
      return p[0] > 0.0 ? GuardBeginning{true, 0.0}
                        : GuardBeginning{.toleratedDecrease = kTolerated * slack_ * noise(0)};
    if (p[k] < 0.0 && slot == GuardSlot::back && isUnloadedStickInPlane(c)) {
      const double force = kTolerated * slack_ * Noise(expansion_, c).compressionRoundingError(0);
      return {.toleratedDecrease = force * force};
    }
    return {p[k] > 0.0, static_cast<double>(k)};
  }

  /// Decrease up to which a guard of friction is zero within rounding: of a pressed contact whose stick is a
  /// spring, at its limit or without slip rate; else 0. The traction is the same beside such a root, so that
  /// either may be kept: at rest, both fail in the next orders, which are rounding that stiff springs and
  /// dashpots have magnified.
  double toleratedGuardDecreaseAtLimit(const C& c, std::span<const double> p, double noise) const {
    if (c.setValuedStick || !(std::abs(p[0]) <= noise)) return 0.0;
    return c.compression[0] > Noise(expansion_, c).compressionRoundingError(0) ? kTolerated * noise : 0.0;
  }

  /// True for a stick with a spring in a plane whose N and traction are zero within rounding. If the traction
  /// outgrows the limit, the slip has no direction yet: the stick is kept until its traction tells.
  bool isUnloadedStickInPlane(const C& c) const {
    if (!c.canSlipInPlane() || c.setValuedStick || !c.setValuedNormal) return false;
    const double none = Noise(expansion_, c).compressionRoundingError(0);
    return c.compression[0] <= none && std::hypot(c.traction[0][0], c.traction[1][0]) <= none;
  }

  /// Decrease of a guard in its rounding levels up to which a state is kept.
  static constexpr double kTolerated = 2.0;

  const TaylorExpansion& expansion_;
  double time_;
  double slack_;
  StepPowers powers_;
};

}  // namespace ricochet
