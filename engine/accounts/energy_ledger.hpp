#pragma once

#include "engine/numerics/extremes.hpp"

#include <cmath>
#include <initializer_list>
#include <limits>

namespace ricochet {

/// Where the energy is and where it went [J].
///
///     balance = kinetic + elastic + contact + damping + friction - external - initial
///
/// `damping`, `friction` and `external` are accumulated since the start with the scheme's own quadrature
/// (trapezoid on the positions it visits), the others are of the instant. A run that conserves what it should
/// keeps |balance| small: its largest value over the largest energy is the first thing to look at.
struct EnergyLedger {
  double kinetic{0.0};   ///< 1/2 |v|^2
  double elastic{0.0};   ///< 1/2 |omega q|^2
  double contact{0.0};   ///< springs of the contacts
  double damping{0.0};   ///< dissipated by modal damping, dashpots, contact dashpots
  double friction{0.0};  ///< dissipated by slip
  double external{0.0};  ///< work of loads and imposed normal forces
  double initial{0.0};   ///< kinetic + elastic + contact at the start

  /// Begins anew at an instant at which the accounts read `now`.
  void open(const EnergyLedger& now) noexcept {
    damping -= now.damping;
    friction -= now.friction;
    external -= now.external;
    initial = now.kinetic + now.elastic + now.contact;
  }

  double balance() const noexcept {
    return kinetic + elastic + contact + damping + friction - external - initial;
  }

  /// Energy that has been in play: what the balance is measured against. A preload that stays in the contacts
  /// does not count (it would hide an error).
  double inPlay(double initialContact) const noexcept {
    return larger(larger(kinetic + elastic + std::abs(contact - initialContact), damping + friction),
                  std::abs(external));
  }

  /// Sum of the sizes of all parts: what the balance is computed from, and rounded with.
  double size() const noexcept {
    return kinetic + elastic + std::abs(contact) + std::abs(damping) + std::abs(friction) +
           std::abs(external) + std::abs(initial);
  }
};

/// What accumulates, between two instants of a step; what is of the instant is that of the first.
inline EnergyLedger blended(const EnergyLedger& from, const EnergyLedger& to, double theta) noexcept {
  EnergyLedger ledger = from;
  for (double EnergyLedger::*part :
       {&EnergyLedger::contact, &EnergyLedger::damping, &EnergyLedger::friction, &EnergyLedger::external})
    ledger.*part = from.*part + theta * (to.*part - from.*part);
  return ledger;
}

/// The run's largest residual against its largest energy.
///
/// A residual that rounding explains counts as none: in a structure at rest both the residual and the energy
/// in play are rounding, and their quotient says nothing. With u = 2^-52:
///
///     u (16 + steps) E    every step rounds each part of the balance; E is the largest sum of their
///                         sizes, a preload that stays in contacts and links included
///     64 u P^2            of a structure at rest: its speed sqrt(2 kinetic) is at most 64 u P
///
/// P [sqrt(J)] bounds the impulse that contacts have passed on, in coordinates of unit mass
/// (passedImpulse in contact_view.hpp). Rigid contacts and true sticks hold a load without storing energy, so
/// that no part of the balance tells how large the forces are. Forces that cancel but for u P leave such a
/// speed, and do that work. A structure that moves faster is judged without this bound.
class EnergyWatch {
 public:
  void begin(const EnergyLedger& ledger) noexcept {
    *this = {};
    initialContact_ = ledger.contact;
    observe(ledger);
  }
  void observe(const EnergyLedger& ledger) noexcept {
    largestResidual_ = larger(largestResidual_, std::abs(ledger.balance()));
    largestEnergy_ = larger(largestEnergy_, ledger.inPlay(initialContact_));
    largestKinetic_ = larger(largestKinetic_, ledger.kinetic);
    largestSize_ = larger(largestSize_, ledger.size());
  }
  /// Fraction [-] after so many steps; 0 for a residual that is rounding, and where nothing ever moved; NaN
  /// where an energy was no finite number.
  /// `passedImpulse()` gives P; it is only asked for where next to nothing moved.
  template <class PassedImpulse>
  double error(long long steps, PassedImpulse&& passedImpulse) const {
    constexpr double kFewSteps = 16.0, kAtRest = 64.0;
    constexpr double kNextToNothing = 1e-9;  // speeds at rest leave some u of the energy in play
    if (!std::isfinite(largestResidual_ + largestEnergy_ + largestKinetic_ + largestSize_))
      return std::numeric_limits<double>::quiet_NaN();
    const double ofParts = kUnit * (kFewSteps + static_cast<double>(steps)) * largestSize_;
    if (!(largestEnergy_ > 0.0) || largestResidual_ <= ofParts) return 0.0;
    if (largestKinetic_ <= kNextToNothing * largestEnergy_) {
      const double impulse = passedImpulse(), speed = kAtRest * kUnit * impulse;
      const bool isAtRest = 2.0 * largestKinetic_ <= speed * speed;
      if (isAtRest && largestResidual_ <= speed * impulse) return 0.0;
    }
    return largestResidual_ / largestEnergy_;
  }
  double largestEnergy() const noexcept { return largestEnergy_; }

 private:
  static constexpr double kUnit = std::numeric_limits<double>::epsilon();

  double initialContact_{0.0};
  double largestResidual_{0.0};
  double largestEnergy_{0.0};
  double largestKinetic_{0.0};
  double largestSize_{0.0};
};

}  // namespace ricochet
