#pragma once

#include <algorithm>
#include <cmath>

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

  double balance() const noexcept {
    return kinetic + elastic + contact + damping + friction - external - initial;
  }

  /// Energy that has been in play: what the balance is measured against. A preload that stays in the contacts
  /// does not count (it would hide an error).
  double inPlay(double initialContact) const noexcept {
    return std::max(
        {kinetic + elastic + std::abs(contact - initialContact), damping + friction, std::abs(external)});
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
class EnergyWatch {
 public:
  void begin(const EnergyLedger& ledger) noexcept {
    *this = {};
    initialContact_ = ledger.contact;
    observe(ledger);
  }
  void observe(const EnergyLedger& ledger) noexcept {
    largestResidual_ = std::max(largestResidual_, std::abs(ledger.balance()));
    largestEnergy_ = std::max(largestEnergy_, ledger.inPlay(initialContact_));
  }
  /// Fraction [-]; 0 for a run in which nothing ever moved.
  double error() const noexcept { return largestEnergy_ > 0.0 ? largestResidual_ / largestEnergy_ : 0.0; }
  double largestEnergy() const noexcept { return largestEnergy_; }

 private:
  double initialContact_{0.0};
  double largestResidual_{0.0};
  double largestEnergy_{0.0};
};

}  // namespace ricochet
