#pragma once

#include "engine/numerics/extremes.hpp"

#include <cmath>
#include <initializer_list>
#include <limits>

namespace ricochet {

/// Energy balance of a run [J].
///
///     balance = kinetic + elastic + contact + damping + friction - external - initial
///
/// `damping`, `friction` and `external` are accumulated from the start with the quadrature of the scheme
/// (trapezoid on the positions of its steps); the other terms are values at one instant. The residual
/// `balanceResidual` measures the energy error of a run: its largest value, divided by the largest energy, is
/// the relative energy error (`EnergyWatch`).
struct EnergyLedger {
  double kinetic{0.0};   ///< kinetic energy 1/2 |v|^2
  double elastic{0.0};   ///< elastic energy of the structure 1/2 |omega q|^2
  double contact{0.0};   ///< energy stored in the springs of the contacts
  double damping{0.0};   ///< energy dissipated by modal damping, dashpots and contact dashpots
  double friction{0.0};  ///< energy dissipated by slip
  double external{0.0};  ///< work of the loads and of imposed normal forces
  double initial{0.0};   ///< initial energy: kinetic + elastic + contact at the start

  /// Restarts the balance at an instant at which the terms have the values `now`.
  void restartEnergyBalanceAt(const EnergyLedger& now) noexcept {
    damping -= now.damping;
    friction -= now.friction;
    external -= now.external;
    initial = now.kinetic + now.elastic + now.contact;
  }

  double balanceResidual() const noexcept {
    return kinetic + elastic + contact + damping + friction - external - initial;
  }

  /// Energy scale to which the balance is compared. A preload that stays in the contacts is subtracted,
  /// because a large constant energy would hide an error.
  double energyScale(double initialContact) const noexcept {
    return largerValueOrNan(
        largerValueOrNan(kinetic + elastic + std::abs(contact - initialContact), damping + friction),
        std::abs(external));
  }

  /// Sum of the absolute values of all terms; the rounding error of the balance is proportional to this sum.
  double sumOfEnergyMagnitudes() const noexcept {
    return kinetic + elastic + std::abs(contact) + std::abs(damping) + std::abs(friction) +
           std::abs(external) + std::abs(initial);
  }
};

/// Interpolates the accumulated terms between two instants of a step; the instantaneous terms are copied from
/// `from`.
inline EnergyLedger interpolatedEnergyLedger(const EnergyLedger& from, const EnergyLedger& to,
                                             double theta) noexcept {
  EnergyLedger ledger = from;
  for (double EnergyLedger::*part :
       {&EnergyLedger::contact, &EnergyLedger::damping, &EnergyLedger::friction, &EnergyLedger::external})
    ledger.*part = from.*part + theta * (to.*part - from.*part);
  return ledger;
}

/// Largest residual of a run divided by the largest energy of the run.
///
/// A residual within the rounding error counts as 0: in a structure at rest the residual and the energy are
/// both rounding errors and their quotient is meaningless. Bounds of the rounding error, with u = 2^-52:
///
///     u (16 + steps) E    every step rounds each term of the balance; E is the largest value of size(), with
///                         the energy of a preload in contacts and links
///     64 u P^2            bound for a structure at rest, whose speed sqrt(2 kinetic) is at most 64 u P
///
/// P [sqrt(J)] bounds the impulse that the contacts have transmitted, in coordinates of unit mass
/// (passedImpulse in contact_view.hpp). Rigid contacts and sticks without compliance carry a load without
/// storing energy, so that no term of the balance shows the size of these forces. Forces that cancel up to a
/// rounding error u P leave a spurious speed of that size and do a spurious work of order u P^2. The second
/// bound is not applied to a structure that moves faster.
class EnergyWatch {
 public:
  void startWatchFromLedger(const EnergyLedger& ledger) noexcept {
    *this = {};
    initialContact_ = ledger.contact;
    updateExtremesFromLedger(ledger);
  }
  void updateExtremesFromLedger(const EnergyLedger& ledger) noexcept {
    largestResidual_ = largerValueOrNan(largestResidual_, std::abs(ledger.balanceResidual()));
    largestEnergy_ = largerValueOrNan(largestEnergy_, ledger.energyScale(initialContact_));
    largestKinetic_ = largerValueOrNan(largestKinetic_, ledger.kinetic);
    largestSize_ = largerValueOrNan(largestSize_, ledger.sumOfEnergyMagnitudes());
  }
  /// Relative energy error [-] after `steps` steps: 0 if the residual is within rounding or nothing has
  /// moved, NaN if an energy was not finite. `passedImpulse()` returns the bound P of the transmitted impulse
  /// [sqrt(J)]; the function is called only if the residual exceeds the rounding error of the balance.
  template <class PassedImpulse>
  double relativeEnergyError(long long steps, PassedImpulse&& passedImpulse) const {
    constexpr double kFewSteps = 16.0, kAtRest = 64.0;
    if (!std::isfinite(largestResidual_ + largestEnergy_ + largestKinetic_ + largestSize_))
      return std::numeric_limits<double>::quiet_NaN();
    const double ofParts = kUnit * (kFewSteps + static_cast<double>(steps)) * largestSize_;
    if (!(largestEnergy_ > 0.0) || largestResidual_ <= ofParts) return 0.0;
    const double impulse = passedImpulse(), speed = kAtRest * kUnit * impulse;
    const bool isAtRest = 2.0 * largestKinetic_ <= speed * speed;
    if (isAtRest && largestResidual_ <= speed * impulse) return 0.0;
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
