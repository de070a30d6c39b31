#pragma once

#include "engine/event/chebyshev/chebyshev_expansion.hpp"

#include <span>

namespace ricochet {

/// A step of the event scheme that no high mode limits: modes move exactly, forces are Chebyshev polynomials
/// (ChebyshevExpansion). The forces and motions of its channels as power series of the local time, as
/// TaylorExpansion gives them, and whether they are resolved.
///
/// Lengths are 17/omega_max, where the interpolated kernels are exact to rounding, less where modes are
/// damped far beyond the critical, and its fourths: tables of a length serve all steps that have it.
class LongStep {
 public:
  static constexpr int kPoints = 16;
  static constexpr int kLevels = 6;

  /// Whether a structure can be taken: its modes do not couple, and no part spins.
  static bool suits(const LinearSystem& linear) noexcept {
    return !linear.damping && linear.spinning.empty();
  }

  /// `planes` has to outlive it.
  LongStep(const ModePlanes& planes, int mostChannels, int mostConstraints);

  double length(int level) const noexcept;

  /// Takes over the channels of an expansion. The motions of the first `loads` are followed if they vary.
  void install(const TaylorExpansion& expansion, int loads, bool loadsVary);
  int channels() const noexcept { return expansion_.channels(); }
  int constraints() const noexcept { return expansion_.constraints(); }

  /// The step that comes. Given forces are zero until they are set.
  void prepare(int level);
  double length() const noexcept { return expansion_.step(); }
  double instant(int point) const noexcept;  ///< local time of a Chebyshev point [s]

  /// A given force by its values at the points, or as a polynomial of the local time.
  std::span<double> given(int channel) noexcept { return expansion_.given(channel); }
  void give(int channel, std::span<const double> series) noexcept {
    atPoints(series, expansion_.given(channel));
  }
  /// The same for a constraint's b.q''.
  void aim(int constraint, std::span<const double> series) noexcept {
    atPoints(series, expansion_.target(constraint));
  }

  /// Solves for the forces from q, v. False when they are not resolved: what the last coefficients of one
  /// leave out may change the velocity by more than `error` [m/s kg^1/2]; nor are they when a followed motion
  /// is not known between the points to what `error` and the speed of the structure allow.
  bool expand(const Vector& q, const Vector& v, double error, double speed);
  /// What the least resolved force leaves out, as a part of what it may.
  double excess() const noexcept { return excess_; }

  /// Coefficients 0 ... kPoints - 1 of a force; of b.q of a channel that has a stiffness or is followed; of a
  /// reaction.
  std::span<const double> force(int channel) const noexcept {
    return seriesOf(forces_, forceKnown_, channel, expansion_.force(channel));
  }
  std::span<const double> motion(int channel) const noexcept {
    return seriesOf(motions_, motionKnown_, channel, expansion_.motion(channel));
  }
  std::span<const double> reaction(int constraint) const noexcept {
    return seriesOf(reactions_, reactionKnown_, constraint, expansion_.reaction(constraint));
  }

  /// Number by which a row is known.
  int rowOf(const double* row) { return expansion_.rowOf(row); }
  /// The same of b.q of any row, by its number; with a test, false when it is not resolved to `error` [m].
  void along(int row, std::span<double> series);
  bool along(int row, double error, std::span<double> series);
  /// An interval that b.q stays in over the step.
  ChebyshevExpansion::Reach reach(int row) noexcept { return expansion_.reach(row); }

  /// q and v at tau; the acceleration there, from them.
  void evaluate(double tau, Vector& q, Vector& v) noexcept;
  void acceleration(double tau, const Vector& q, const Vector& v, Vector& a) const noexcept;

  /// Work of the force on the structure until tau, of a channel that has a stiffness or is followed.
  double work(int channel, double tau) const noexcept;
  double reactionWork(int constraint, double tau);

 private:
  std::span<const double> seriesOf(Matrix& m, std::vector<char>& known, int channel,
                                   std::span<const double> values) const noexcept {
    const std::span<double> column(m.col(channel).data(), static_cast<std::size_t>(kPoints));
    if (char& done = known[static_cast<std::size_t>(channel)]; done == 0) {
      series(values, column);
      done = 1;
    }
    return column;
  }
  void atPoints(std::span<const double> series, std::span<double> values) const noexcept;
  bool followsWell(double error, double speed);
  double excessOf(std::span<const double> values, double size, double error) const noexcept;
  void series(std::span<const double> values, std::span<double> series) const noexcept;

  const LinearSystem* linear_;
  ChebyshevExpansion expansion_;
  double longest_;
  double excess_{0.0};
  // kPoints x channels or constraints, found when asked for
  mutable Matrix forces_, motions_, reactions_;
  mutable std::vector<char> forceKnown_, motionKnown_, reactionKnown_;
  std::vector<const double*> rows_, constraintRows_;
  std::vector<double> rowSize_, constraintSize_;
  std::vector<char> follows_;  ///< the motion of the row is of interest, but changes no force
  int loads_{0};
};

}  // namespace ricochet
