#pragma once

#include "engine/contact/contact_view.hpp"
#include "engine/contact/passed_contacts.hpp"
#include "engine/model/equation_of_motion.hpp"
#include "engine/numerics/state.hpp"
#include "engine/schemes/step_control.hpp"
#include "engine/transient/scheme_options.hpp"
#include "engine/transient/scheme_traits.hpp"

#include <array>
#include <memory>
#include <string_view>

namespace ricochet {

/// Explicit Runge-Kutta pairs on (q, v) whose last stage is the first stage of the next step.
///
/// Every stage evaluates the contacts from the accepted state without changing this state. A contact that
/// opens, closes or changes between stick and slip is a kink or a jump inside a step: the stages disagree,
/// and the step is refused and shortened until its error is within the tolerance. A step that passes through
/// an obstacle between its stages (doesAnyContactCloseAndOpenWithinStep) is refused too. Friction and links
/// integrate their memories over the whole step themselves, to first or second order for any pair; the error
/// control adds this error to that of the pair (StepControl). Paths along curved surfaces follow the rates of
/// the stages to fourth order.
///
/// Between the ends of a step the acceleration is the derivative of the dense velocity, whose error is of one
/// order less in h. Where a contact or a link changes its state within the step, the acceleration may jump,
/// and a polynomial would pass the values on both sides of the jump: it is then linear in time.
template <class Tableau>
class RungeKutta {
 public:
  static constexpr std::string_view keyword = Tableau::keyword;
  static constexpr std::string_view title = Tableau::title;
  static constexpr std::string_view formula =
      "V_i = v + h sum_j a_ij A_j     Q_i = q + h sum_j a_ij V_j     A_i = a(t + c_i h, Q_i, V_i)\n"
      "error = h |sum_i e_i (V_i, A_i)| in the energy norm; the last stage is the first of the next step";
  static constexpr std::string_view source = Tableau::source;
  static constexpr std::array<std::string_view, 3> keys{"tolerance", "step_min", "step_max"};
  static constexpr SchemeTraits traits{.order = Tableau::order,
                                       .adaptive = true,
                                       .implicit = false,
                                       .contacts = ContactForm::trial,
                                       .links = true,
                                       .varyingSpin = true,
                                       .direct = false,
                                       .lanes = false,
                                       .forecasts = false,
                                       .exactDrift = false,
                                       .keys = keys};
  static constexpr int stages = Tableau::stages;

  explicit RungeKutta(const SchemeOptions& options = {}) : control_(options, Tableau::errorOrder) {}

  static bool isUnconditionallyStable(const SchemeOptions&) noexcept {
    return true;
    // the error estimate of this scheme shortens the step
  }

  /// Share of the impulse of a step due to a force that jumps at a fraction theta of the step; the error
  /// control bounds the error of this share.
  static double impulseShareOfForceJump(double theta) noexcept { return 1.0 - theta; }

  static constexpr bool kFollowsRates = true;  ///< rates at the ends of steps are of the order of the scheme

  template <EquationOfMotion E>
  void start(E& eq, State& s, double /*nominalStep*/) {
    if constexpr (requires { eq.contacts(); })
      if (HalvedTrial::needsTrialInHalfSteps(eq.contacts().contactSet()))
        halved_ = std::make_shared<HalvedTrial>(eq.contacts().contactSet());
    eq.acceleration(s.time, s.q, s.v, s.a);
    for (auto* stage : {&velocity_, &acceleration_})
      for (Vector& each : *stage) each = Vector::Zero(s.a.size());
    for (Vector* each : {&from_, &position_, &errorOfQ_, &errorOfV_}) *each = Vector::Zero(s.a.size());
    control_.start();
  }

  /// Computes a step of exactly h, whatever its error.
  template <EquationOfMotion E>
  void step(E& eq, State& s, double h) noexcept {
    from_ = s.q;
    velocity_[0] = s.v;
    acceleration_[0] = s.a;
    for (int i = 1; i < stages; ++i) {
      const auto k = static_cast<std::size_t>(i);
      position_ = s.q;
      velocity_[k] = s.v;
      for (std::size_t j = 0; j < k; ++j) {
        const double weight = h * Tableau::a[k - 1][j];
        if (weight == 0.0) continue;
        position_ += weight * velocity_[j];
        velocity_[k] += weight * acceleration_[j];
      }
      eq.acceleration(s.time + Tableau::c[k] * h, position_, velocity_[k], acceleration_[k]);
    }
    s.time += h;
    s.q = position_;
    s.v = velocity_[stages - 1];
    s.a = acceleration_[stages - 1];
  }

  /// Computes a step of h and the decision of the error control on this step.
  template <EquationOfMotion E>
  StepVerdict tryStep(E& eq, State& s, double h) noexcept {
    step(eq, s, h);
    mayJump_ = hasContactEventInTrial(eq);
    errorOfQ_.setZero();
    errorOfV_.setZero();
    for (std::size_t i = 0; i < stages; ++i) {
      errorOfQ_ += (h * Tableau::error[i]) * velocity_[i];
      errorOfV_ += (h * Tableau::error[i]) * acceleration_[i];
    }
    const StepEnds ends{from_, velocity_[0], s.q, s.v, h};
    double repeated = 0.0;
    if constexpr (requires { eq.contacts(); })
      if (halved_) repeated = halved_->estimateError(eq.contacts(), ends);
    const StepVerdict verdict = control_.decideWhetherToAcceptStep(eq, ends, errorOfQ_, errorOfV_, repeated);
    if constexpr (requires { eq.contacts(); })
      if (verdict.accepted && doesAnyContactCloseAndOpenWithinStep(eq.contacts(), ends))
        return {false, 0.5 * h};
    return verdict;
  }

  Vector& vectorChangedByLoadJump(State& s) noexcept { return s.a; }

  template <EquationOfMotion E>
  void completeAcceleration(E&, State&) noexcept {}

  template <EquationOfMotion E>
  void interpolate(E&, const State& from, const State& to, double theta, State& at) {
    at.time = from.time + theta * (to.time - from.time);
    Tableau::interpolate(velocity_, from.q, to.q, to.time - from.time, theta, at.q);
    Tableau::interpolate(acceleration_, from.v, to.v, to.time - from.time, theta, at.v);
    if (mayJump_) {
      at.a = (1.0 - theta) * from.a + theta * to.a;
      return;
    }
    at.a.setZero(from.a.size());
    for (std::size_t i = 0; i < stages; ++i) {
      const double end = i + 1 < stages ? Tableau::a[stages - 2][i] : 0.0;
      const double weight =
          hermiteWeightOfStageRate(i, end, theta) + Tableau::quarticWeightOfStageRate(i, theta);
      if (weight != 0.0) at.a += weight * acceleration_[i];
    }
  }

  template <class Archive>
  void serialise(Archive& archive) {
    archive.beginSection("RungeKutta");
    archive(control_);
  }

 private:
  /// Weight of the rate of a stage in the rate of the cubic with values and rates at both ends of the step;
  /// `end`: weight of this stage in the value at the end.
  static double hermiteWeightOfStageRate(std::size_t stage, double end, double theta) noexcept {
    const double s = 1.0 - theta;
    const double ofRate = stage == 0            ? s * (1.0 - 3.0 * theta)
                          : stage + 1 == stages ? theta * (3.0 * theta - 2.0)
                                                : 0.0;
    return 6.0 * theta * s * end + ofRate;
  }

  /// True if the last trial changes the phase of a contact or contains the event of a link.
  template <class E>
  static bool hasContactEventInTrial(const E& eq) noexcept {
    if constexpr (requires { eq.contacts(); })
      if (firstContactThatChangesPhase(eq.contacts()) >= 0) return true;
    if constexpr (requires { eq.links(); }) return eq.links().indexOfLinkWithEvent() >= 0;
    return false;
  }

  StepControl control_;
  Vector from_;  // q at the start of the step
  std::array<Vector, stages> velocity_;
  std::array<Vector, stages> acceleration_;
  Vector position_, errorOfQ_, errorOfV_;
  bool mayJump_{false};  // the acceleration may jump inside the last step
  // Work memory that copies of the scheme share; null if no contact needs a halved step.
  std::shared_ptr<HalvedTrial> halved_;
};

}  // namespace ricochet
