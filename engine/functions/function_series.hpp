#pragma once

#include "engine/functions/time_function.hpp"
#include "engine/numerics/series.hpp"

#include <array>
#include <limits>
#include <span>
#include <vector>

namespace ricochet {

/// Power series of functions of time. A formula with a branch (`if`, `abs` ...) is smooth only up to the
/// instant at which the compared values become equal. This instant is a kink, at which the step of the event
/// scheme has to end.
///
/// Where compared values are equal at the start, to rounding, the branch is that of an instant just after the
/// start: the formula is recorded there, and its series expanded at the start.
///
/// A series can be valid and tell nothing of what follows, as that of exp(-(t/T)^2) a long time before 0.
/// Formulas that may be so flat are compared with their series at instants within
/// the step.
class FunctionSeries {
 public:
  /// Longest time between two instants at which a formula is compared with its series, relative to the run.
  static constexpr double kSampling = 1e-3;
  /// Interval over which a straight line replaces a formula without a series at its start, such as t^1.5 at
  /// 0, relative to the run.
  static constexpr double kSecant = 1e-10;

  /// `run`: duration of the run from `start` on [s]; 0: neither comparisons nor replacements.
  explicit FunctionSeries(int order, double run = 0.0, double start = 0.0)
      : order_(order), start_(start), secant_(kSecant * run), sampling_(kSampling * run), tape_(order) {}

  /// Discards the kinks and comparisons of all functions that were expanded before.
  void begin() noexcept {
    used_ = compared_ = 0;
    hasFormula_ = false;
    resolved_ = std::numeric_limits<double>::infinity();
  }

  /// Expands a function at time t into coefficients; returns the number of coefficients that may differ from
  /// zero.
  int expandFunction(const FunctionCursor& function, double t, std::span<double> series);
  /// The same for the motion of a support, whose values stay those of t: the motion of the structure, to
  /// which a link compares it, is not shifted.
  int expandSupportMotion(const FunctionCursor& function, double t, std::span<double> series);

  /// Adds a polynomial in local time whose first root ends the step, like a kink.
  void endStepAtRoot(std::span<const double> decision);

  /// End of a step, in local time [s], and whether it is a kink.
  struct StepEnd {
    double time;
    bool isKink;
  };
  /// First instant after the start at which a compared difference of a formula expanded since `begin` changes
  /// its sign (a kink), or up to which series and formulas agree; `step` if there is none within the step.
  StepEnd endOfExpandedStep(double step) noexcept;

  /// True if a formula was expanded since `begin`: its series may lack some orders, as that of sin(t^3).
  bool hasFormula() const noexcept { return hasFormula_; }

  /// Shifts the start of the next expansion by a time `shift` [s] of the size of rounding, to just after a
  /// kink, so that formulas use their branches after the kink.
  void shiftStartOfNextExpansion(double shift) noexcept { shift_ = shift; }

  template <class Archive>
  void serialise(Archive& archive) {
    archive(shift_);
  }

 private:
  /// A formula and its series from local time 0 on.
  struct Compared {
    const Formula* formula;
    double scale;  // largest magnitude of the compared difference close to the start
    double start;  // instant of the local time 0 [s]
    std::vector<double> series;
  };
  Series recordFormulaOnTape(const Formula& formula, double t, double after, int last);
  bool areFormulaBranchesValid(double shortest, double after, std::size_t count) noexcept;
  bool isSeriesOfFormulaNegligible(std::span<const double> series, double scale) const noexcept;
  int expandWithBranchesValidAfter(const FunctionCursor& function, double start, double after,
                                   std::span<double> series);
  bool replaceSeriesBySecant(const Formula& formula, double begin, std::span<double> series);
  double largestFormulaValueAround(const Formula& formula, double t) const noexcept;
  static bool doesSeriesAgreeWithFormula(const Compared& of, double t, double& largest) noexcept;

  int order_;
  double start_;
  double secant_;
  double sampling_;
  SeriesTape tape_;
  double shift_{0.0};
  bool hasFormula_{false};
  std::vector<std::vector<double>> decisions_;
  std::size_t used_{0};
  double resolved_{
      std::numeric_limits<double>::infinity()};  // time over which decisions of formulas are exact [s]
  std::vector<Compared> comparisons_;
  std::size_t compared_{0};
};

/// Whether a power series of a formula may be valid at an instant and yet tell nothing of the formula some
/// time later, as where exp(-(t/T)^2) is almost zero: functions other than sine and cosine, divisions by
/// variables and powers above 8.
bool canPowerSeriesMislead(const Formula& formula) noexcept;

/// Value, first and second derivative of a function at an instant.
std::array<double, 3> valueAndDerivativesAt(const TimeFunction& function, double time);

}  // namespace ricochet
