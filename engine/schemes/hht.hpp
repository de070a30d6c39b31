#pragma once

#include "engine/schemes/newmark.hpp"
#include "engine/transient/scheme_traits.hpp"

namespace ricochet {

/// Newmark's method with a balance of forces that is a weighted mean of both ends of the step, which damps
/// frequencies that the step does not resolve.
///
/// All forces, including loads and contacts, are weighted alike: loads that are linear over the step act as
/// at t + (1 + alpha) h. `a` belongs to about t + (1 + alpha) h and is internal to the scheme; results show
/// the acceleration g. Second order and unconditionally stable; the spectral radius at infinite frequency is
/// (1 + alpha)/(1 - alpha).
class Hht {
 public:
  static constexpr std::string_view keyword = "hht";
  static constexpr std::string_view title = "Newmark's method with the balance of forces shifted back";
  static constexpr std::string_view formula =
      "q+ = q + h v + h^2 [(1/2 - beta) a + beta a+],   v+ = v + h [(1 - gamma) a + gamma a+]\n"
      "a+ = (1 + alpha) g(t+, q+, v+) - alpha g(t, q, v),   g = f - C v - Omega^2 q\n"
      "beta = (1 - alpha)^2 / 4,   gamma = 1/2 - alpha,   -1/3 <= alpha <= 0";
  static constexpr std::string_view source =
      "H.M. Hilber, T.J.R. Hughes, R.L. Taylor, Earthq. Eng. Struct. Dyn. 5 (1977) 283-292, where the "
      "stiffness alone is shifted; damping and loads as in T.J.R. Hughes, The Finite Element Method (1987), "
      "section 9.3";
  static constexpr std::array<std::string_view, 1> keys{"alpha"};
  static constexpr SchemeTraits traits{.order = 2,
                                       .adaptive = false,
                                       .implicit = true,
                                       .contacts = ContactForm::trial,
                                       .links = true,
                                       .varyingSpin = true,
                                       .direct = true,
                                       .lanes = false,
                                       .forecasts = true,
                                       .exactDrift = false,
                                       .keys = keys};

  static bool isUnconditionallyStable(const SchemeOptions&) noexcept { return true; }

  explicit Hht(const SchemeOptions& options = {})
      : alpha_(options.alpha), beta_(0.25 * (1.0 - alpha_) * (1.0 - alpha_)), gamma_(0.5 - alpha_) {}

  template <ImplicitEquation E>
  void start(E& eq, State& s, double /*nominalStep*/) {
    eq.prepareImplicitContact();
    eq.acceleration(s.time, s.q, s.v, s.a);
    force_ = s.a;
    before_ = s.a;
    mean_ = s.a;
    base_ = s.a;
    trial_ = s.a;
  }

  template <ImplicitEquation E>
  bool step(E& eq, State& s, double h) noexcept {
    s.q += h * s.v + (h * h * (0.5 - beta_)) * mean_;
    s.v += (h * (1.0 - gamma_)) * mean_;
    s.time += h;
    base_ = -alpha_ * force_;
    trial_ = mean_;
    const ImplicitBalance end{.share = 1.0 + alpha_, .dq = beta_ * h * h, .dv = gamma_ * h};
    if (!eq.solveImplicit(s.time, end, base_, s.q, s.v, trial_)) return false;
    mean_ = trial_;
    force_ = (mean_ - base_) / end.share;
    s.q += end.dq * mean_;
    s.v += end.dv * mean_;
    s.a = force_;
    return true;
  }

  Vector& vectorChangedByLoadJump(State&) noexcept { return force_; }

  /// Stores the force g before a load jumps; `updateStateAfterLoadJump` adds the jump of g to the internal
  /// acceleration.
  void storeStateBeforeLoadJump(const State&) noexcept { before_ = force_; }
  void updateStateAfterLoadJump(const State&) noexcept { mean_ += force_ - before_; }

  template <EquationOfMotion E>
  void completeAcceleration(E&, State& s) noexcept {
    s.a = force_;
  }

  template <EquationOfMotion E>
  void interpolate(E&, const State& from, const State& to, double theta, State& at) {
    interpolateCubic(from, to, theta, at);
  }

  template <class Archive>
  void serialise(Archive& archive) {
    archive.beginSection("Hht");
    archive(force_, before_, mean_);
  }

 private:
  double alpha_;
  double beta_;
  double gamma_;
  Vector force_;   // g at the last accepted instant
  Vector before_;  // g before a load jumped at this instant
  Vector mean_;    // internal acceleration of the scheme
  Vector base_, trial_;
};

}  // namespace ricochet
