#pragma once

#include "engine/contact/obstacles/touch.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <vector>

namespace ricochet {

/// Shifts of the coupled contacts of one run (Contact::coupled), and how fast their forces change. The rate
/// of a force at the end of a step of h follows from the mean rates m and m' over this step and the one
/// before, of h', by the second-order backward difference:
///
///     lambda' = m + (m - m') h/(h + h'),   lambda'' = 2 (m - m')/(h + h')
///
/// After a step in which a coupled contact closed, opened, began to slip or to stick, and after a kink of a
/// load, which make lambda' jump, the next step takes lambda' = m.
class CoupledShifts {
 public:
  /// Along e1, e2, e3, beside `offset + rows q`.
  struct Shift {
    Local<double> displacement{};  ///< [m]
    Local<double> rate{};          ///< [m/s]
  };
  /// Of the force on the first node along e1, e2, e3.
  struct ForceRates {
    Local<double> mean{};    ///< over the last accepted step [N/s]
    Local<double> rate{};    ///< at its end [N/s]
    Local<double> second{};  ///< second derivative [N/s^2]
  };

  bool empty() const noexcept { return shifts_.empty(); }
  void resize(std::size_t contacts) {
    shifts_.resize(contacts);
    rates_.resize(contacts);
  }

  /// In the next trials.
  void setShift(std::size_t contact, const Shift& shift) noexcept { shifts_[contact] = shift; }
  const Shift& shiftOf(std::size_t contact) const noexcept { return shifts_[contact]; }
  const ForceRates& forceRatesOf(std::size_t contact) const noexcept { return rates_[contact]; }

  /// Factor of m in the rate of a force at the end of a step of h [s]; that of m' is one less, negated.
  double meanRateFactor(double h) const noexcept { return step_ > 0.0 ? 1.0 + h / (h + step_) : 1.0; }

  /// True after the first accepted step.
  bool hasStepped() const noexcept { return step_ >= 0.0; }

  /// Forgets the steps before.
  void restart() noexcept {
    step_ = kNone;
    for (ForceRates& each : rates_) each = {};
  }
  /// Takes the mean rate of a force over an accepted step of h [s].
  void accept(std::size_t contact, const Local<double>& mean, double h) noexcept {
    ForceRates& rates = rates_[contact];
    for (std::size_t axis = 0; axis < 3; ++axis) {
      const double change = step_ > 0.0 ? (mean[axis] - rates.mean[axis]) / (h + step_) : 0.0;
      rates.rate[axis] = mean[axis] + change * h;
      rates.second[axis] = 2.0 * change;
    }
    rates.mean = mean;
  }
  /// Ends an accepted step of h [s]. `jumped`: a coupled contact changed its phase in it.
  void endStep(double h, bool jumped) noexcept { step_ = jumped ? 0.0 : h; }

  /// A load has a kink at the present instant.
  void passKink() noexcept { step_ = std::min(step_, 0.0); }

  template <class Archive>
  void persist(Archive& archive) {
    archive(shifts_, rates_, step_);
  }

 private:
  std::vector<Shift> shifts_;      // empty without coupled contacts
  std::vector<ForceRates> rates_;  // likewise
  static constexpr double kNone = -1.0;
  double step_{kNone};  // last accepted step [s]; 0: none to compare with
};

}  // namespace ricochet
