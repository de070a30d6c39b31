#pragma once

namespace ricochet {

/// Integrates an elastic bed over a trial of length h: springs S with dashpots tau S in parallel, in series
/// with a slider that slips by q_p:
///
///     f = f_e + tau f_e',   f_e' = -S (q' - q_p')      f: on the slider; f_e: of the springs
///
/// With f linear in time and exp(-h/tau) approximated by 1/(1 + x + x^2/2), x = h/tau, the result is of
/// second order:
///
///     f   = base - span S (q' - q_p')                  at the end, base = w f_e0 + (1 - w) f0
///     f_e = f + d (f_e0 - f0) - (tau/span) (f - f0)
///
/// A slider that starts to slip in this trial, beside springs that would have f_e* in stick, has f_e = f_e* +
/// h S q_p'. Without dashpots f_e = f, as in a plain elastic bed. `Force` is a vector of forces.
class BedRelaxation {
 public:
  BedRelaxation(double h, double tau) noexcept : span_(h), yieldSpan_(h + tau) {
    if (!(tau * tau > 0.0)) return;  // if tau^2 underflows to zero, tau counts as zero
    const double square = tau * tau + tau * h + 0.5 * h * h;
    share_ = h / (h + tau);
    weight_ = tau / (tau + 0.5 * h);
    span_ = square / (tau + 0.5 * h);
    decay_ = tau * tau / square;
    lag_ = tau / span_;
  }

  /// Factor `span` of the rate in the trial of a slip that continues [s]; 0 for a trial of zero length.
  double slipRateFactor() const noexcept { return span_; }
  /// Slip increment of the slider over its slip rate, in the trial in which the slip starts [s].
  double slipIncrementPerSlipRate() const noexcept { return yieldSpan_; }

  /// Trial force at zero rate, from the forces of the springs and of the bed at the accepted state.
  template <class Force>
  Force trialForceWithoutSlip(const Force& spring, const Force& whole) const noexcept {
    return scaled(weight_, spring) + scaled(1.0 - weight_, whole);
  }
  /// Force of the springs at the end of a slip that continues; `whole` is the force of the bed there.
  template <class Force>
  Force springForceInSlip(const Force& spring0, const Force& whole0, const Force& whole) const noexcept {
    return scaled(1.0 - lag_, whole) + scaled(decay_, spring0) + scaled(lag_ - decay_, whole0);
  }
  /// Force of the springs at the end of a trial in which the slip starts. `held` and `trial`: forces of the
  /// springs and of the bed if the slider stuck; `whole`: force of the bed.
  template <class Force>
  Force springForceAtSlipStart(const Force& held, const Force& trial, const Force& whole) const noexcept {
    return scaled(share_, whole) + (held - scaled(share_, trial));
  }

 private:
  double share_{1.0}, weight_{0.0}, decay_{0.0}, lag_{0.0};
  double span_, yieldSpan_;
};

}  // namespace ricochet
