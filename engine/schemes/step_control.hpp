#pragma once

#include "engine/contact/memory_error.hpp"
#include "engine/contact/passed_contacts.hpp"
#include "engine/links/passed_links.hpp"
#include "engine/model/equation_of_motion.hpp"
#include "engine/numerics/state.hpp"
#include "engine/transient/scheme_options.hpp"
#include "engine/transient/transient_grid.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace ricochet {

/// Decision of a scheme that chooses its steps on the step just tried.
struct StepVerdict {
  bool accepted{false};
  double next{0.0};  ///< length of the next step, or of the repetition of a refused step [s]
};

/// Longest step of a scheme [s].
template <class I, class Model>
double longestStep(const I& integrator, const Model& model, const TransientOptions& options) {
  double longest = longestStepResolvingPulses(model, options);
  if constexpr (requires { integrator.largestStep(); })
    if (options.scheme.stepMax == 0.0) longest = std::min(longest, integrator.largestStep());
  if (options.scheme.stepMax > 0.0) longest = std::min(longest, options.scheme.stepMax);
  return std::max(longest, shortestStepLength(options));
}

/// Error control of the step by a proportional-integral rule.
///
///     E = error / (absolute + relative largest),   error in the energy norm sqrt(|v|^2 + |omega q|^2),
///     accepted when E <= 1;   h+ = h 0.9 E^(-0.7/p) E_before^(0.4/p), at most 5 h and at least h/5
///
/// `largest` is the largest norm of the motion so far; p is the power of h to which the error of a step is
/// proportional. The error is the sum of the estimate of the scheme, the errors of the memories of contacts
/// and links in its trial (frictionMemoryError, HalvedTrial, LinkRun::errorOfInternalVariables), the error of
/// the balance of points without inertia (CoupledError), and link forces inside the step that no stage has
/// evaluated (errorOfForceBetweenStepEnds). Source: E. Hairer, G. Wanner, Solving Ordinary Differential
/// Equations II, section IV.2.
class StepControl {
 public:
  StepControl(const SchemeOptions& options, int power)
      : absolute_(options.absoluteTolerance), relative_(options.relativeTolerance), power_(power) {}

  void start() noexcept {
    largest_ = 0.0;
    before_ = 1.0;
    refused_ = false;
  }

  /// `repeated`: error of the friction memories, estimated by repeating the trial in two half steps
  /// (HalvedTrial).
  template <EquationOfMotion E>
  StepVerdict decideWhetherToAcceptStep(E& eq, const StepEnds& step, const Vector& errorOfQ,
                                        const Vector& errorOfV, double repeated = 0.0) noexcept {
    const auto norm = [&](const Vector& q, const Vector& v) {
      return std::sqrt(v.squaredNorm() + (eq.linearSystem().omegaSquared.array() * q.array().square()).sum());
    };
    double motion = norm(step.q1, step.v1);
    double error = norm(errorOfQ, errorOfV);
    if constexpr (requires { eq.contacts(); })
      error += std::max(frictionMemoryError(eq.contacts(), step.h), repeated);
    if constexpr (requires { eq.links(); })
      error += eq.links().errorOfInternalVariables() + errorOfForceBetweenStepEnds(eq.links());
    if constexpr (requires { eq.errorOfCoupledPoints(step); }) {
      const auto coupled = eq.errorOfCoupledPoints(step);
      motion = std::max(motion, coupled.size);
      error += coupled.sumOfErrorsInEnergyNorm(std::max(largest_, motion));
    }
    const double scaled = error / (absolute_ + relative_ * std::max(largest_, motion));
    return decideWhetherToAcceptStep(scaled, motion, step.h);
  }

 private:
  StepVerdict decideWhetherToAcceptStep(double scaled, double motion, double h) noexcept {
    constexpr double kSafety = 0.9, kShortest = 0.2, kLongest = 5.0, kTiny = 1e-8;
    if (!(scaled <= 1.0)) {  // a NaN counts as a refused error
      refused_ = true;
      const double factor = std::isfinite(scaled) ? kSafety * std::pow(scaled, -1.0 / power_) : kShortest;
      return {false, h * std::clamp(factor, kShortest, kSafety)};
    }
    const double now = std::max(scaled, kTiny);
    double factor = kSafety * std::pow(now, -0.7 / power_) * std::pow(before_, 0.4 / power_);
    factor = std::clamp(factor, kShortest, refused_ ? 1.0 : kLongest);  // no growth just after a refused step
    before_ = now;
    refused_ = false;
    largest_ = std::max(largest_, motion);
    return {true, h * factor};
  }

  double absolute_;
  double relative_;
  int power_;
  double largest_{0.0};
  double before_{1.0};
  bool refused_{false};
};

}  // namespace ricochet
