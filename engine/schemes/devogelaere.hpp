#pragma once

#include "engine/model/equation_of_motion.hpp"
#include "engine/numerics/state.hpp"
#include "engine/transient/scheme_options.hpp"
#include "engine/transient/scheme_traits.hpp"

#include <array>
#include <string_view>

namespace ricochet {

/// De Vogelaere's method with two evaluations per step and a velocity at mid-step of the next higher order.
///
/// a_- is the acceleration at the middle of the previous step, a time p before the start (p = d for constant
/// steps); r = 1 gives the classical h^2/24 (4 a - a_-). De Vogelaere's own method is for forces without
/// velocity. The trapezoid v_h = v + h/4 (a + a_h) of the usual extension to damping reduces the order to 3;
/// the parabola used here keeps order 4. The damping of the structure is implicit at both instants; contact
/// dashpots use a velocity with an extrapolated acceleration.
///
/// Fourth order in smooth motion, second order through contact events. Start: q_- = q - d v + h^2/8 a, v_- by
/// the trapezoid, with loads that are extrapolated backwards in time, where they have values there.
class Devogelaere {
 public:
  static constexpr std::string_view keyword = "devogelaere";
  static constexpr std::string_view title = "De Vogelaere's method, two evaluations per step";
  static constexpr std::string_view formula =
      "q_h = q + d v + d^2/6 [(3 + r) a - r a_-]          d = h/2, r = d/p\n"
      "v_h = v + int_0^d of the parabola through a_-, a, a_h\n"
      "q+  = q + h v + h^2/6 (a + 2 a_h)\n"
      "v+  = v + h/6 (a + 4 a_h + a+)\n"
      "a_- is the acceleration half a step before, p ago";
  static constexpr std::string_view source =
      "R. de Vogelaere, J. Res. Nat. Bur. Stand. 54 (1955) 119-125; C.C. Fu, J. Appl. Mech. 37 (1970) "
      "599-605, for damping";
  static constexpr SchemeTraits traits{.order = 4,
                                       .adaptive = false,
                                       .implicit = false,
                                       .contacts = ContactForm::trial,
                                       .links = true,
                                       .varyingSpin = true,
                                       .direct = false,
                                       .lanes = false,
                                       .forecasts = true,
                                       .exactDrift = false,
                                       .keys = std::span<const std::string_view>{}};

  template <EquationOfMotion E>
  void start(E& eq, State& s, double nominalStep) {
    previous_ = 0.5 * nominalStep;
    for (Vector* each : {&half_, &earlier_, &jump_, &guess_, &position_, &velocity_})
      *each = Vector::Zero(s.a.size());
    position_ = s.q;
    velocity_ = s.v;
    eq.acceleration(s.time, s.q, s.v, s.a);
    position_ = s.q - previous_ * s.v + (0.5 * previous_ * previous_) * s.a;
    velocity_ = s.v - previous_ * s.a;
    eq.acceleration(s.time - previous_, position_, velocity_, half_);
    velocity_ = s.v - (0.5 * previous_) * (s.a + half_);
    eq.acceleration(s.time - previous_, position_, velocity_, half_);
    // A load such as sqrt(t) has no value before the start: the acceleration there is that of the start.
    if (!half_.allFinite()) half_ = s.a;
    earlier_ = 2.0 * half_ - s.a;
    eq.acceleration(s.time, s.q, s.v, s.a);  // the accepted trial is the trial of this state
  }

  template <EquationOfMotion E>
  void step(E& eq, State& s, double h) noexcept {
    const double d = 0.5 * h;
    const double p = previous_;
    const double r = d / p;
    position_ = s.q + d * s.v + (d * d / 6.0) * ((3.0 + r) * s.a - r * half_);
    // integral over [0, d] of the parabola through the accelerations a_-, a, a_h
    const double weight = d * (2.0 * d + 3.0 * p) / (6.0 * (d + p));
    velocity_ = s.v + (d * (d + 3.0 * p) / (6.0 * p)) * s.a - (d * r * d / (6.0 * (d + p))) * half_;
    guess_ = (0.5 * (1.0 + r) * (2.0 + r)) * s.a - (r * (2.0 + r)) * half_ + (0.5 * r * (1.0 + r)) * earlier_;
    eq.implicitAcceleration(s.time + d, 0.0, weight, position_, velocity_, guess_);

    s.q += h * s.v + (h * h / 6.0) * (s.a + 2.0 * guess_);
    s.v += (h / 6.0) * (s.a + 4.0 * guess_);
    s.time += h;
    // the parabola through a_-, a, a_h is extrapolated to the end of the step
    earlier_ =
        (2.0 * r * r / (1.0 + r)) * half_ - (1.0 + 2.0 * r) * s.a + ((2.0 + 4.0 * r) / (1.0 + r)) * guess_;
    half_.swap(guess_);
    earlier_.swap(s.a);  // the next step uses the acceleration at the start of this step
    eq.implicitAcceleration(s.time, 0.0, h / 6.0, s.q, s.v, s.a);
    s.v += (h / 6.0) * s.a;
    previous_ = d;
  }

  Vector& vectorChangedByLoadJump(State& s) noexcept { return s.a; }

  /// Vectors that the scheme carries from step to step beside displacement, velocity and acceleration.
  std::array<Vector*, 2> vectorsCarriedBetweenSteps() noexcept { return {&half_, &earlier_}; }

  /// Stores the acceleration before a load jumps; the jump is then added to the stored accelerations too.
  void storeStateBeforeLoadJump(const State& s) noexcept { jump_ = s.a; }
  void updateStateAfterLoadJump(const State& s) noexcept {
    jump_ = s.a - jump_;
    half_ += jump_;
    earlier_ += jump_;
  }

  /// Share of the impulse of a step due to a force that jumps at a fraction theta of the step.
  static double impulseShareOfForceJump(double theta) noexcept { return theta < 0.5 ? 5.0 / 6.0 : 1.0 / 6.0; }

  template <EquationOfMotion E>
  void completeAcceleration(E&, State&) noexcept {}

  /// Interpolates by the quintic with displacement, velocity and acceleration at both ends.
  template <EquationOfMotion E>
  void interpolate(E&, const State& from, const State& to, double theta, State& at) {
    const double h = to.time - from.time;
    const double t = theta;
    const double s = 1.0 - theta;
    at.time = from.time + t * h;
    at.q = (s * s * s * (1.0 + 3.0 * t + 6.0 * t * t)) * from.q +
           (t * t * t * (1.0 + 3.0 * s + 6.0 * s * s)) * to.q +
           (h * t * s * s * s * (1.0 + 3.0 * t)) * from.v - (h * s * t * t * t * (1.0 + 3.0 * s)) * to.v +
           (0.5 * h * h * t * t * s * s * s) * from.a + (0.5 * h * h * s * s * t * t * t) * to.a;
    at.v = (30.0 * t * t * s * s / h) * (to.q - from.q) + (s * s * (1.0 + 2.0 * t - 15.0 * t * t)) * from.v +
           (t * t * (1.0 + 2.0 * s - 15.0 * s * s)) * to.v +
           (0.5 * h * t * s * s * (2.0 - 5.0 * t)) * from.a - (0.5 * h * s * t * t * (2.0 - 5.0 * s)) * to.a;
    at.a = s * from.a + t * to.a;
  }

  template <class Archive>
  void serialise(Archive& archive) {
    archive.beginSection("Devogelaere");
    archive(half_, earlier_, jump_, guess_, previous_);
  }

 private:
  Vector half_;     // acceleration at the time previous_ before the accepted instant
  Vector earlier_;  // acceleration at twice this time before the accepted instant
  Vector jump_, guess_, position_, velocity_;
  double previous_{0.0};
};

}  // namespace ricochet
