#pragma once

#include "engine/contact/obstacles/touch.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <vector>

namespace ricochet {

/// Shifts of the coupled contacts of one run (Contact::coupled), and the rates of their forces. The rate of a
/// force at the end of a step of h follows from the mean rates m and m' over this step and over the previous
/// step of h' [s], by the second-order backward difference:
///
///     lambda' = m + (m - m') h/(h + h'),   lambda'' = 2 (m - m')/(h + h')
///
/// lambda' jumps at a kink of a load and in a step in which a coupled contact closes, opens, begins to slip
/// or to stick; the next step then uses lambda' = m.
class CoupledShifts {
 public:
  /// Shift of a contact along e1, e2, e3, in addition to `offset + rows q`.
  struct Shift {
    Local<double> displacement{};  ///< displacement by the shift [m]
    Local<double> rate{};          ///< rate of the displacement [m/s]
  };
  /// Rates of the force on the first node along e1, e2, e3.
  struct ForceRates {
    Local<double> mean{};    ///< mean rate over the last accepted step [N/s]
    Local<double> rate{};    ///< rate at the end of this step [N/s]
    Local<double> second{};  ///< second derivative of the force [N/s^2]
  };

  bool empty() const noexcept { return shifts_.empty(); }
  void resize(std::size_t contacts) {
    shifts_.resize(contacts);
    rates_.resize(contacts);
  }

  /// Sets the shift of a contact for the next trials.
  void setDisplacementShift(std::size_t contact, const Shift& shift) noexcept { shifts_[contact] = shift; }
  const Shift& displacementShiftOfContact(std::size_t contact) const noexcept { return shifts_[contact]; }
  const ForceRates& forceRatesOfContact(std::size_t contact) const noexcept { return rates_[contact]; }

  /// Factor of m in the rate lambda' at the end of a step of h [s]; the factor of m' is 1 minus this factor.
  double weightOfMeanForceRate(double h) const noexcept { return step_ > 0.0 ? 1.0 + h / (h + step_) : 1.0; }

  /// Previous step of which a mean rate can be used [s]; 0: none.
  double previousStepLength() const noexcept { return std::max(step_, 0.0); }

  /// True after the first accepted step.
  bool hasAcceptedStep() const noexcept { return step_ >= 0.0; }

  /// Discards the force rates of earlier steps.
  void discardForceRates() noexcept {
    step_ = kNone;
    for (ForceRates& each : rates_) each = {};
  }
  /// Updates the force rates of a contact from the mean rate over an accepted step of h [s].
  void acceptStep(std::size_t contact, const Local<double>& mean, double h) noexcept {
    ForceRates& rates = rates_[contact];
    for (std::size_t axis = 0; axis < 3; ++axis) {
      const double change = step_ > 0.0 ? (mean[axis] - rates.mean[axis]) / (h + step_) : 0.0;
      rates.rate[axis] = mean[axis] + change * h;
      rates.second[axis] = 2.0 * change;
    }
    rates.mean = mean;
  }
  /// Ends an accepted step of h [s]. `jumped`: a coupled contact changed its phase in this step.
  void recordEndOfAcceptedStep(double h, bool jumped) noexcept { step_ = jumped ? 0.0 : h; }

  /// Discards the previous step at an instant at which a load has a kink.
  void discardPreviousStep() noexcept { step_ = std::min(step_, 0.0); }

  template <class Archive>
  void serialise(Archive& archive) {
    archive(shifts_, rates_, step_);
  }

 private:
  std::vector<Shift> shifts_;      // one entry per contact; empty without coupled contacts
  std::vector<ForceRates> rates_;  // one entry per contact; empty without coupled contacts
  static constexpr double kNone = -1.0;
  double step_{kNone};  // last accepted step [s]; 0: no earlier mean rate can be used
};

}  // namespace ricochet
