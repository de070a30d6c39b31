#pragma once

#include "engine/model/modal_equation.hpp"
#include "engine/schemes/central_difference.hpp"
#include "engine/schemes/hermite.hpp"
#include "engine/schemes/reached_stiffness.hpp"
#include "engine/schemes/stability.hpp"
#include "engine/schemes/step_control.hpp"
#include "engine/transient/scheme_options.hpp"
#include "engine/transient/scheme_traits.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <string_view>

namespace ricochet {

/// Central differences whose step follows the apparent frequency of the motion.
///
/// Only coordinates whose acceleration changes against their motion count: a load that grows from rest has no
/// frequency. A step below a fiftieth of the shortest period of the structure with all contacts closed is
/// never refused, because an apparent frequency above this limit comes from a load or a kink. Contacts that
/// stiffen with their penetration and links by formulas count in this period by the stiffness that they reach
/// in the step, and so they do in the upper limit of the step.
///
/// The step is that of central_difference, which starts anew from (q, v, a): both kicks are h/2, so that the
/// step stays centred and of second order when h changes. A contact that closes raises the apparent
/// frequency, and the step is repeated. Motions that are too small to raise the apparent frequency would let
/// the step grow, so the step has an upper limit: a twentieth of the shortest period of the basis and 0.9 of
/// the largest stable step with all contacts closed, unless `step_max` is given. The method controls the
/// resolution, not the error, but that of points without inertia (CoupledError), which have no frequency.
class AdaptiveCentral : public CarriesAcceleration {
 public:
  static constexpr std::string_view keyword = "adaptive_central";
  static constexpr std::string_view title =
      "Central differences with a step that follows the apparent frequency";
  static constexpr std::string_view formula =
      "f_app = 1/(2 pi) max_i sqrt( |a_i+ - a_i| / max(|q_i+ - q_i|, |v|/100 h) )\n"
      "refused when 50 f_app h >= 1: h/(4/3) is tried; five steps in a row below 0.75: 1.1 h follows\n"
      "the step itself is that of `central_difference`";
  static constexpr std::string_view source = "ADAPT_ORDRE2 of Code_Aster, R5.06.04";
  static constexpr std::array<std::string_view, 2> keys{"step_min", "step_max"};
  static constexpr SchemeTraits traits{.order = 2,
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

  static bool isUnconditionallyStable(const SchemeOptions&) noexcept {
    return true;
    // the largest step limits the error of this scheme
  }

  /// Default of the largest step for a model [s].
  static double defaultLargestStep(const ModalModel& model);

  template <EquationOfMotion E>
  void start(E& eq, State& s, double nominalStep) {
    central_.start(eq, s, nominalStep);
    position_ = s.q;
    acceleration_ = s.a;
    calm_ = 0;
    largest_ = 0.0;
    if constexpr (requires { eq.model(); }) {
      ceiling_ = defaultLargestStep(eq.model());
      known_ = stiffnessBounds(eq.model()).omegaSquared;
      reached_ = ReachedStiffness(eq.model());
    }
  }

  double largestStep() const noexcept { return ceiling_; }

  /// Computes a step of exactly h, whatever the apparent frequency.
  template <EquationOfMotion E>
  void step(E& eq, State& s, double h) noexcept {
    central_.step(eq, s, h);
  }

  template <EquationOfMotion E>
  StepVerdict tryStep(E& eq, State& s, double h) noexcept {
    position_ = s.q;
    acceleration_ = s.a;
    if constexpr (requires { eq.hasErrorOfCoupledPoints(); })
      if (eq.hasErrorOfCoupledPoints()) velocity_ = s.v;
    central_.step(eq, s, h);
    if constexpr (requires { eq.hasErrorOfCoupledPoints(); })
      if (eq.hasErrorOfCoupledPoints() && !isStepAccurate(eq, s, h)) return {false, 0.5 * h};
    return decideWhetherToAcceptStep(s, h,
                                     reached_.isEmpty()
                                         ? ReachedStiffness::Sum{}
                                         : reached_.stiffnessAboveBounds(eq.contacts(), eq.links()));
  }

  template <class Archive>
  void serialise(Archive& archive) {
    archive.beginSection("AdaptiveCentral");
    archive(position_, acceleration_, calm_, largest_);
  }

 private:
  /// True if the forces at points without inertia balance within the tolerance at the end of a step.
  template <EquationOfMotion E>
  bool isStepAccurate(E& eq, const State& s, double h) {
    constexpr double kTolerance = 1e-5;  // allowed error, relative to the largest motion in energy norm
    const auto coupled = eq.errorOfCoupledPoints({position_, velocity_, s.q, s.v, h});
    const double motion = std::sqrt(2.0 * (eq.kineticEnergy(s.v) + eq.elasticEnergy(s.q)));
    largest_ = std::max({largest_, motion, coupled.size});
    return coupled.sumOfErrorsInEnergyNorm(largest_) <= kTolerance * largest_;
  }

  /// Decides whether a step is accepted. `beyond`: stiffness that laws reach in the step in excess of known_.
  StepVerdict decideWhetherToAcceptStep(const State& s, double h,
                                        const ReachedStiffness::Sum& beyond) noexcept;

  CentralDifference central_;
  // Displacement, velocity and acceleration before the step; the velocity is kept only with a CoupledError.
  Vector position_, velocity_, acceleration_;
  double largest_{0.0};  // largest motion in energy norm [J^1/2]; only with a CoupledError
  int calm_{0};          // number of consecutive steps well below the limit
  double ceiling_{0.0};
  double known_{0.0};  // largest eigenvalue with all contacts closed, as far as it is known [rad^2/s^2]
  ReachedStiffness reached_;
};

}  // namespace ricochet
