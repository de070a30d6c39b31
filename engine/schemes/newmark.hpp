#pragma once

#include "engine/model/equation_of_motion.hpp"
#include "engine/model/implicit_contact.hpp"
#include "engine/numerics/state.hpp"
#include "engine/schemes/hermite.hpp"
#include "engine/transient/scheme_options.hpp"
#include "engine/transient/scheme_traits.hpp"

#include <array>
#include <string_view>

namespace ricochet {

/// An equation that can solve for contact forces at the end of a step.
template <class E>
concept ImplicitEquation = EquationOfMotion<E> &&
    requires(E e, double t, ImplicitBalance balance, const Vector& q, Vector& a) {
  e.prepareImplicitContact();
  { e.solveImplicit(t, balance, q, q, q, a) } -> std::same_as<bool>;
};

/// Newmark's method with loads and contacts evaluated at the end of the step.
///
/// Second order for gamma = 1/2, unconditionally stable for 2 beta >= gamma >= 1/2. beta = 1/4, gamma = 1/2
/// is the average acceleration method, which dissipates no energy.
class Newmark : public CarriesAcceleration {
 public:
  static constexpr std::string_view keyword = "newmark";
  static constexpr std::string_view title = "Newmark's method, loads and contacts at the end of the step";
  static constexpr std::string_view formula =
      "q+ = q + h v + h^2 [(1/2 - beta) a + beta a+],   v+ = v + h [(1 - gamma) a + gamma a+]\n"
      "a+ = f(t+, q+, v+) - C v+ - Omega^2 q+";
  static constexpr std::string_view source = "N.M. Newmark, J. Eng. Mech. Div. ASCE 85 (1959) 67-94";
  static constexpr std::array<std::string_view, 2> keys{"beta", "gamma"};
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

  static bool isUnconditionallyStable(const SchemeOptions& options) noexcept {
    return options.gamma >= 0.5 && 2.0 * options.beta >= options.gamma;
  }

  explicit Newmark(const SchemeOptions& options = {}) : beta_(options.beta), gamma_(options.gamma) {}

  template <ImplicitEquation E>
  void start(E& eq, State& s, double /*nominalStep*/) {
    eq.prepareImplicitContact();
    eq.acceleration(s.time, s.q, s.v, s.a);
    none_ = Vector::Zero(s.a.size());
  }

  /// Computes a step; returns false if no acceleration was found, and the state is then invalid.
  template <ImplicitEquation E>
  bool step(E& eq, State& s, double h) noexcept {
    s.q += h * s.v + (h * h * (0.5 - beta_)) * s.a;
    s.v += (h * (1.0 - gamma_)) * s.a;
    s.time += h;
    const ImplicitBalance end{.share = 1.0, .dq = beta_ * h * h, .dv = gamma_ * h};
    if (!eq.solveImplicit(s.time, end, none_, s.q, s.v, s.a)) return false;
    s.q += end.dq * s.a;
    s.v += end.dv * s.a;
    return true;
  }

 private:
  double beta_;
  double gamma_;
  Vector none_;
};

}  // namespace ricochet
