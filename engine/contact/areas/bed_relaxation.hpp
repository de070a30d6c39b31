#pragma once

namespace ricochet {

/// How a bed of springs S with dashpots tau S beside them, in series with a slider, goes through a trial of
/// length h in which the slider slips by q_p:
///
///     f = f_e + tau f_e',   f_e' = -S (q' - q_p')      f: on the slider; f_e: of the springs
///
/// With f straight in time and exp(-h/tau) by 1/(1 + x + x^2/2), x = h/tau, that is second order and gives
///
///     f   = base - span S (q' - q_p')                  at the end, base = w f_e0 + (1 - w) f0
///     f_e = f + d (f_e0 - f0) - (tau/span) (f - f0)
///
/// A slider that yields only in this trial, beside springs that would hold f_e*, has f_e = f_e* + h S q_p'.
/// Without dashpots f_e = f, and the trial is that of a plain elastic bed. `Force` is a vector of forces.
class BedRelaxation {
 public:
  BedRelaxation(double h, double tau) noexcept : span_(h), yieldSpan_(h + tau) {
    if (!(tau * tau > 0.0)) return;  // of tau that square to zero no quotient is left
    const double square = tau * tau + tau * h + 0.5 * h * h;
    share_ = h / (h + tau);
    weight_ = tau / (tau + 0.5 * h);
    span_ = square / (tau + 0.5 * h);
    decay_ = tau * tau / square;
    lag_ = tau / span_;
  }

  /// Of a rate in the trial of a slip that goes on [s]; 0: there is no trial.
  double span() const noexcept { return span_; }
  /// Plastic increment of a trial that yields over the rate of its slider [s].
  double yieldSpan() const noexcept { return yieldSpan_; }

  template <class Force>
  Force base(const Force& spring, const Force& whole) const noexcept {
    return scaled(weight_, spring) + scaled(1.0 - weight_, whole);
  }
  template <class Force>
  Force spring(const Force& spring0, const Force& whole0, const Force& whole) const noexcept {
    return scaled(1.0 - lag_, whole) + scaled(decay_, spring0) + scaled(lag_ - decay_, whole0);
  }
  /// `held`, `trial`: of the springs and of the bed if the slider were held.
  template <class Force>
  Force yielded(const Force& held, const Force& trial, const Force& whole) const noexcept {
    return scaled(share_, whole) + (held - scaled(share_, trial));
  }

 private:
  double share_{1.0}, weight_{0.0}, decay_{0.0}, lag_{0.0};
  double span_, yieldSpan_;
};

}  // namespace ricochet
