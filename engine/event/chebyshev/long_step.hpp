#pragma once

#include "engine/event/chebyshev/chebyshev_expansion.hpp"

#include <span>

namespace ricochet {

/// A step of the event scheme whose length the highest mode does not limit: modes move exactly, forces are
/// Chebyshev polynomials (ChebyshevExpansion). Forces and motions of the channels are returned as power
/// series of the local time; `solveForcesAndMotion` tests whether the forces are resolved.
///
/// The lengths are 17/omega_max 4^-level, where the interpolated kernels are exact to rounding (shorter if
/// modes are damped far beyond critical damping). The tables of a length serve all steps of this length.
class LongStep {
 public:
  static constexpr int kPoints = 16;
  static constexpr int kLevels = 6;

  /// True if long steps are possible for a structure: its modes are uncoupled and no part spins.
  static bool areLongStepsPossibleForStructure(const LinearSystem& linear) noexcept {
    return !linear.damping && linear.spinning.empty();
  }

  /// `planes` must outlive the long step.
  LongStep(const ModePlanes& planes, int mostChannels, int mostConstraints);

  double length(int level) const noexcept;

  /// Copies the channels and constraints of an expansion. The motions along the first `loads` channels are
  /// computed if the loads vary.
  void copyChannels(const TaylorExpansion& expansion, int loads, bool loadsVary);
  int channelCount() const noexcept { return expansion_.channelCount(); }
  int constraintCount() const noexcept { return expansion_.constraintCount(); }

  /// Sets the length of the next step by its level. Given forces are zero until they are set.
  void setStepLength(int level);
  double length() const noexcept { return expansion_.stepLength(); }
  double instantOfChebyshevPoint(int point) const noexcept;  ///< local time of a Chebyshev point [s]

  /// Sets a given force: by its values at the points, or by its polynomial of the local time.
  std::span<double> givenForce(int channel) noexcept { return expansion_.givenForce(channel); }
  void setGivenForce(int channel, std::span<const double> series) noexcept {
    evaluateSeriesAtPoints(series, expansion_.givenForce(channel));
  }
  /// Sets b.q'' of a constraint to a polynomial of the local time.
  void setTargetAcceleration(int constraint, std::span<const double> series) noexcept {
    evaluateSeriesAtPoints(series, expansion_.targetAcceleration(constraint));
  }

  /// Solves for the forces from q, v. Returns false if the step is not resolved: the truncation error of a
  /// force may change the velocity by more than `error` [m/s kg^1/2], or the interpolation error of a
  /// followed motion (along a row without feedback) exceeds the bound from `error` and the modal velocity
  /// `speed`.
  bool solveForcesAndMotion(const Vector& q, const Vector& v, double error, double speed);
  /// Largest truncation error of a force, relative to its limit.
  double largestRelativeTruncationError() const noexcept { return excess_; }

  /// Coefficients 0 ... kPoints - 1 of a force; of b.q of a channel with a stiffness or a followed motion; of
  /// a reaction.
  std::span<const double> force(int channel) const noexcept {
    return powerSeriesThroughValues(forces_, forceKnown_, channel, expansion_.force(channel));
  }
  std::span<const double> motion(int channel) const noexcept {
    return powerSeriesThroughValues(motions_, motionKnown_, channel, expansion_.motion(channel));
  }
  std::span<const double> reaction(int constraint) const noexcept {
    return powerSeriesThroughValues(reactions_, reactionKnown_, constraint, expansion_.reaction(constraint));
  }

  /// Number of a row in the expansion; a new row is added.
  int findOrAddRow(const double* row) { return expansion_.findOrAddRow(row); }
  /// Coefficients of b.q for the row number `row`. The second form returns false if the interpolation error
  /// exceeds `error` [m].
  void motionSeriesAlongRow(int row, std::span<double> series);
  bool motionSeriesAlongRow(int row, double error, std::span<double> series);
  /// Bounds of b.q over the step.
  ChebyshevExpansion::Reach displacementBoundsAlongRow(int row) noexcept {
    return expansion_.displacementBoundsAlongRow(row);
  }

  /// Displacement and velocity at local time tau; acceleration at tau from q and v.
  void evaluate(double tau, Vector& q, Vector& v) noexcept;
  void acceleration(double tau, const Vector& q, const Vector& v, Vector& a) const noexcept;

  /// Work of a force on the structure up to tau, for a channel with a stiffness or a followed motion [J].
  double workOfForce(int channel, double tau) const noexcept;
  double workOfReaction(int constraint, double tau);

 private:
  std::span<const double> powerSeriesThroughValues(Matrix& m, std::vector<char>& known, int channel,
                                                   std::span<const double> values) const noexcept {
    const std::span<double> column(m.col(channel).data(), static_cast<std::size_t>(kPoints));
    if (char& done = known[static_cast<std::size_t>(channel)]; done == 0) {
      computeSeries(values, column);
      done = 1;
    }
    return column;
  }
  void evaluateSeriesAtPoints(std::span<const double> series, std::span<double> values) const noexcept;
  bool doesStepResolveFollowedMotions(double error, double speed);
  double relativeTruncationError(std::span<const double> values, double size, double error) const noexcept;
  void computeSeries(std::span<const double> values, std::span<double> series) const noexcept;

  const LinearSystem* linear_;
  ChebyshevExpansion expansion_;
  double longest_;
  double excess_{0.0};
  // Coefficients, kPoints x channels or constraints, computed at first use.
  mutable Matrix forces_, motions_, reactions_;
  mutable std::vector<char> forceKnown_, motionKnown_, reactionKnown_;
  std::vector<const double*> rows_, constraintRows_;
  std::vector<double> rowSize_, constraintSize_;
  /// 1: the motion along the row is computed, but no force depends on this motion.
  std::vector<char> follows_;
  int loads_{0};
};

}  // namespace ricochet
