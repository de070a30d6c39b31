#pragma once

#include "engine/model/modal_equation.hpp"
#include "engine/numerics/state.hpp"
#include "engine/schemes/heavy_damping.hpp"
#include "engine/schemes/modal_drift.hpp"
#include "engine/transient/scheme_traits.hpp"

#include <string_view>

namespace ricochet {

/// An equation of motion whose linear part the integrator can integrate itself.
template <class E>
concept SplitEquation = EquationOfMotion<E> &&
    requires(E e, double t, double dv, const Vector& q, Vector& v, Vector& f) {
  e.accelerationFromForce(f, q, v, f);
  e.kick(t, dv, q, v, f);  // f = force(t, q), contacts at v + dv f; then v += dv f
};

/// Kick and drift: impulses of contacts and loads at the ends of a step, exact damped motion of every mode
/// between them.
///
/// Second order in smooth motion, exact for the free structure for any h. The step limit comes from the
/// contacts, h < 2 / sqrt(k phi.phi), not from high modes, with one exception: while a contact stays closed,
/// a mode whose omega h is just below a multiple of pi resonates with the kicks unless it is damped, zeta > k
/// phi_i^2/(2 omega_i^2) (1 % suffices for stiff modes; stability.hpp). A contact dashpot uses the velocity
/// that includes the last kick.
class KickDrift {
 public:
  static constexpr std::string_view keyword = "kick_drift";
  static constexpr std::string_view title = "Kicks by contacts and loads, exact drift of the modes";
  static constexpr std::string_view formula =
      "v_k = v + h/2 f      (q+, v_d) = drift_h(q, v_k)      v+ = v_d + h/2 f(t+, q+, v_d + h/2 f)\n"
      "drift_h is the exact damped motion of every mode over h; f are contacts and loads";
  static constexpr std::string_view source =
      "G. Strang, SIAM J. Numer. Anal. 5 (1968) 506-517; the impulse method of H. Grubmueller et al., Mol. "
      "Simul. 6 (1991) 121-142";
  static constexpr SchemeTraits traits{.order = 2,
                                       .adaptive = false,
                                       .implicit = false,
                                       .contacts = ContactForm::trial,
                                       .links = true,
                                       .varyingSpin = false,
                                       .direct = false,
                                       .lanes = true,
                                       .forecasts = false,
                                       .exactDrift = true,
                                       .keys = std::span<const std::string_view>{}};

  explicit KickDrift(const LinearSystem& linear)
      : full_(linear),
        odd_(linear),
        dense_(linear),
        lostInFull_(linear),
        lostInOdd_(linear),
        force_(Vector::Zero(linear.omegaSquared.size())) {}

  template <SplitEquation E>
  void start(E& eq, State& s, double nominalStep) {
    full_.prepare(nominalStep);
    heavilyDamped_ = HeavyDamping::isDampingLossCorrectionNeeded(full_.linearSystem(), nominalStep);
    if (heavilyDamped_) lostInFull_.prepare(nominalStep);
    eq.force(s.time, s.q, s.v, 0.0, force_, force_);
    eq.accelerationFromForce(force_, s.q, s.v, s.a);
  }

  template <SplitEquation E>
  void step(E& eq, State& s, double h) noexcept {
    const ModalDrift& moves = modalDriftOfStepLength(h);
    if constexpr (requires { eq.kickDriftAndKickInOnePass(moves.driftCoefficientsOfModes(), h, s, force_); })
      if (!eq.linearSystem().damping)
        return eq.kickDriftAndKickInOnePass(moves.driftCoefficientsOfModes(), h, s, force_);
    moves.applyDrift(0.5 * h, force_, s.q, s.v);
    s.time += h;
    eq.kick(s.time, 0.5 * h, s.q, s.v, force_);
  }

  Vector& vectorChangedByLoadJump(State&) noexcept { return force_; }

  template <SplitEquation E>
  void completeAcceleration(E& eq, State& s) noexcept {
    eq.accelerationFromForce(force_, s.q, s.v, s.a);
  }

  /// Interpolates by the drift from the start of the step, with the impulses distributed over the
  /// interpolated part of the step:
  ///     q(tau) = drift_tau(q, v + h/2 f) - tau (h - tau)/2 f(tau),  f linear over the step.
  /// The result equals q and v at both ends of the step and is exact for the free structure.
  void interpolate(ModalEquation& eq, const State& from, const State& to, double theta, State& at);

  /// True if the energy balance of a step must be corrected by `refineEnergyTerms`, from the states at both
  /// ends.
  bool needsRefinedEnergyTerms() const noexcept { return heavilyDamped_; }

  /// Adds the error of the trapezoid of the damping loss after a step of h (heavy_damping.hpp).
  template <SplitEquation E>
  void refineEnergyTerms(E& eq, const State& from, const State& to, double h) {
    HeavyDamping& lost = h == full_.stepLength() ? lostInFull_ : lostInOdd_;
    lost.prepare(h);
    eq.accumulatedLedger().damping += lost.dampingLossCorrection(from, to);
  }

  template <class Archive>
  void serialise(Archive& archive) {
    archive.beginSection("KickDrift");
    archive(force_);
  }

 private:
  /// Drift tables for this step length: the table of the nominal step is kept; shorter steps before and after
  /// a breakpoint share another table.
  const ModalDrift& modalDriftOfStepLength(double h) {
    if (h == full_.stepLength()) return full_;
    odd_.prepare(h);
    return odd_;
  }

  ModalDrift full_;
  ModalDrift odd_;
  ModalDrift dense_;
  HeavyDamping lostInFull_;
  HeavyDamping lostInOdd_;
  bool heavilyDamped_{false};
  Vector force_;
};

}  // namespace ricochet
