#pragma once

#include "engine/event/automata/contact_automaton.hpp"
#include "engine/event/series/taylor_expansion.hpp"
#include "engine/numerics/certified_root.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <optional>
#include <span>

namespace ricochet {

/// Powers of a step, which the polynomials of all guards share.
class StepPowers {
 public:
  explicit StepPowers(double step) noexcept : powers_{1.0, step} {}

  /// Largest excursion of a polynomial from its value at 0 over the step.
  double excursion(std::span<const double> p) noexcept {
    const double square = powers_[1] * powers_[1];
    for (; known_ < p.size(); ++known_) powers_[known_] = square * powers_[known_ - 2];
    double even = 0.0;
    double odd = 0.0;
    std::size_t k = 1;
    for (; k + 1 < p.size(); k += 2) {
      odd += std::abs(p[k]) * powers_[k];
      even += std::abs(p[k + 1]) * powers_[k + 1];
    }
    return k < p.size() ? even + (odd + std::abs(p[k]) * powers_[k]) : even + odd;
  }

 private:
  std::array<double, 2 * kMostOrders + 8> powers_;
  std::size_t known_{2};
};

/// How a guard begins: whether upwards, and as which power of the local time; none where there is nothing but
/// rounding, which is as good as zero for good.
struct GuardBeginning {
  bool holds{true};
  std::optional<double> power{};
};

/// Looks at the guards of contacts one by one, and keeps in an outlook the first to vanish in the step, or
/// one that does not hold at its start. `C` is a kind of contact and `Noise` the rounding levels of its
/// series.
template <class C, class Noise>
class GuardScan {
 public:
  /// From an outlook, at time [s]; `slack`: noise of a quantity that vanishes to the tolerance only, over
  /// that of one that rounds.
  GuardScan(const TaylorExpansion& expansion, double time, double slack, const Outlook& from)
      : outlook(from), expansion_(expansion), time_(time), slack_(slack), powers_(from.step) {}

  /// Limits the step, no root having been found before that.
  void limitStep(double step) noexcept {
    if (step < outlook.step) {
      outlook.step = step;
      if (!outlook.broken()) outlook.guard.reset();
    }
    powers_ = StepPowers(outlook.step);
  }

  /// Looks at a guard, a series in the local time with the rounding levels noiseOf(noise, k); `exact`, if
  /// given, tells its values where the series does not (PowerGuard).
  template <class NoiseOf, class... Exact>
  void operator()(C& c, GuardSlot slot, std::span<const double> p, const NoiseOf& noiseOf,
                  const Exact&... exact) {
    constexpr bool kIsExact = sizeof...(exact) > 0;
    constexpr double kSuspicious = 1e-7;
    const Urgency urgency = urgencyOf(c, slot);
    if (outlook.urgency >= urgency) return;
    const bool unknown = c.knownRoots(slot) == 0;
    const double reach = powers_.excursion(p);
    const bool stopping = unknown && slot == GuardSlot::slip && stops(c, p);
    if (!kIsExact && unknown && p[0] > reach && !stopping) return;
    double power = 0.0;
    if (kIsExact || !unknown || stopping || !(p[0] > kSuspicious * reach)) {
      const Noise levels(expansion_, c);
      const auto noise = [&](std::size_t k) { return noiseOf(levels, k); };
      std::optional<double> fromZero;
      if constexpr (kIsExact)
        if (c.forceLacksSeries()) fromZero = (0.0 + ... + exact.startingPower());
      const GuardBeginning beginning =
          fromZero ? beginningFromZero(c, slot, p, *fromZero) : beginningOf(c, slot, p, noise);
      if (stopping || !beginning.holds) {
        const bool jumped = unknown && p[0] < -10.0 * slack_ * noise(0);
        outlook.urgency = urgency;
        outlook.guard = GuardRef{c.index, slot, std::abs(p[0]) <= noise(0), jumped};
        return;
      }
      if (!beginning.power) return;
      power = *beginning.power;
    }
    if (outlook.broken()) return;
    RootSearch search;
    if constexpr (kIsExact)
      search = (exact.firstRoot(outlook.step, power), ...);
    else
      search = firstRoot(deflated(p, static_cast<int>(power)), outlook.step);
    if (!search.found && search.time >= outlook.step) return;
    if (search.found && slot == GuardSlot::back && c.inPlane() && opens(c, p, search.time)) return;
    outlook.step = search.time;
    outlook.guard.reset();
    if (search.found) outlook.guard = GuardRef{c.index, slot};
  }

  Outlook outlook;

 private:
  /// A true stick of an elastic contact that begins without a force goes before all others.
  Urgency urgencyOf(const C& c, GuardSlot slot) const {
    if (slot < GuardSlot::ahead) return Urgency::normal;
    const bool elasticStick = c.holds() && c.phase() == Phase::stick && !c.setValuedNormal;
    const bool unpressed = elasticStick && c.compression[0] <= Noise(expansion_, c).compression(0);
    return unpressed ? Urgency::unpressedStick : Urgency::friction;
  }

  /// Whether a slip in two dimensions is at its end: what is left of it is rounding of what it was, or ends
  /// at this very instant. It comes nearer by steps that are a part of what is left, so that it is never
  /// small beside a step.
  bool stops(const C& c, std::span<const double> rate) const noexcept {
    constexpr double kInstant = 8.0 * std::numeric_limits<double>::epsilon();
    return c.inPlane() && c.setValuedStick && rate[1] < 0.0 &&
           rate[0] <= std::max(kNoise * c.fastestSlip, kInstant * -rate[1] * std::abs(time_));
  }

  /// Whether the cone of a stick vanishes because the contact opens: (mu N)^2 and T^2 are both rounding
  /// there, a double root that may seem to come before the simple one of N. No slip is worth the while any
  /// more.
  bool opens(const C& c, std::span<const double> cone, double time) const noexcept {
    const std::size_t orders = cone.size() / 2;
    const double first = polynomialAt(c.traction[0].first(orders), time);
    const double second = polynomialAt(c.traction[1].first(orders), time);
    return first * first + second * second <= kNoise * (std::abs(cone[0]) + StepPowers(time).excursion(cone));
  }

  /// Friction that went to and fro at one instant.
  static bool alternates(const C& c, GuardSlot slot) noexcept {
    constexpr int kMostChanges = 4;
    return slot >= GuardSlot::ahead && C::kHoldsWithinRounding && c.frictionChanges >= kMostChanges;
  }

  /// A guard with a value right after the start, but no series: of a slip and the stick after it one holds,
  /// but they have not the same interval.
  static GuardBeginning beginningFromZero(const C& c, GuardSlot slot, std::span<const double> p,
                                          double power) noexcept {
    return {p[0] >= 0.0 || (alternates(c, slot) && slot != GuardSlot::slip), power};
  }

  /// From the first coefficient that is more than noise.
  template <class NoiseAt>
  GuardBeginning beginningOf(const C& c, GuardSlot slot, std::span<const double> p,
                             const NoiseAt& noise) const {
    const auto known = static_cast<std::size_t>(c.knownRoots(slot));
    // a slip that starts without a drop of the traction starts without an acceleration, to the tolerance; a
    // stick that a slip ends in leaves its cone without a rate; what follows in a plane may be slow too
    const bool falls = slot == GuardSlot::slip && c.tractionDrops;
    const bool isFriction = slot >= GuardSlot::ahead;
    const bool slow = isFriction ? known > 0 && c.relaxation == 0.0 && !falls : c.openedAtZeroForce;
    const std::size_t last = c.inPlane() ? kMostOrders : known;
    // what came to rest by cancellation has more rounding than is left of it; it is not to turn a slip back
    const bool isBehind = slot == GuardSlot::slip && c.inPlane() && !c.setValuedStick && p[0] < 0.0;
    const double rest = isBehind ? std::numeric_limits<double>::epsilon() * c.fastestSlip : 0.0;
    const std::size_t count = C::decisiveCoefficients(p.size(), expansion_.order());
    std::size_t k = known;
    while (k < count &&
           !(std::abs(p[k]) > (slow && k <= last ? slack_ : 1.0) * noise(k) + (k == 0 ? rest : 0.0)))
      ++k;
    if (k >= count) return {};
    // to and fro within rounding: the state holds until there is more than that
    if (p[k] < 0.0 && alternates(c, slot) && std::abs(p[0]) <= slack_ * noise(0))
      return p[0] > 0.0 ? GuardBeginning{true, 0.0} : GuardBeginning{};
    return {p[k] > 0.0, static_cast<double>(k)};
  }

  const TaylorExpansion& expansion_;
  double time_;
  double slack_;
  StepPowers powers_;
};

}  // namespace ricochet
