#pragma once

#include "engine/event/series/mode_planes.hpp"
#include "engine/event/series/taylor_kernel.hpp"
#include "engine/model/modal_equation.hpp"

#include <array>
#include <span>
#include <vector>

namespace ricochet {

/// Bounds of the slopes of a force along a row, and of its error where it begins.
struct ForceSlopes {
  double stiffness{0.0};  ///< against the displacement [N/m]
  double damping{0.0};    ///< against the velocity [N s/m]
  double error{0.0};      ///< [N]
};

/// A scalar force on the structure along a row b of the contact set:
///
///     F = givenForce(tau) - stiffness d - damping d' + factor F_follows,   d = b.q
struct Channel {
  const double* row{nullptr};  ///< row b, padded; must outlive the expansion
  double stiffness{0.0};       ///< stiffness along the row [N/m]
  double damping{0.0};         ///< damping along the row [N s/m]
  /// Leader: channel or constraint whose force is added with `factor`; -1: none.
  int follows{-1};
  bool followsConstraint{false};
  /// The force goes on from that of a spring, without a jump where it begins to follow a constraint.
  bool continuesSpring{false};
  double factor{0.0};
  bool watched{false};  ///< the coefficients of d are needed order by order
  ForceSlopes given{};  ///< of a given force; only its rounding depends on them
};

/// The motion from an instant on as power series of the local time tau, under loads, contact springs and
/// constraints: coefficients of q and of every force, exact but for rounding up to the order. The constructor
/// allocates all memory, except for constraints that depend on each other.
///
/// Source of the method: A. Jorba, M. Zou, Exp. Math. 14 (2005) 99-117 (step from the last coefficients).
class TaylorExpansion {
 public:
  TaylorExpansion(const LinearSystem& linear, int order, int mostChannels, int mostConstraints);
  /// Prepares the expansion of the sorted modes of `planes`, which must outlive the expansion.
  TaylorExpansion(const ModePlanes& planes, int order, int mostChannels, int mostConstraints);

  int order() const noexcept { return order_; }

  void reset() noexcept;

  /// Adds the force of a channel and returns its number. A channel that follows must be added after its
  /// leader.
  int addForce(const Channel& channel) noexcept;
  /// Adds a force along a row whose coefficients the caller gives (`givenForce`).
  int addGivenForce(const double* row, bool watched, const ForceSlopes& given = {}) noexcept {
    return addForce({.row = row, .watched = watched, .given = given});
  }
  /// Adds a constraint b.q'' = targetAcceleration(tau) along the row b and returns its number. A constraint
  /// that does not `bear` has no reaction: constraints on which it depends must satisfy it.
  int addConstraint(const double* row, bool bears = true) noexcept;
  /// Inverts the compliance of the constraints, including the forces that follow their reactions. Call after
  /// the last `addForce`.
  void invertConstraintMatrix();
  /// True if constraints depend on each other: their reactions are not unique, and they may not be satisfied.
  bool hasDependentConstraints() const noexcept { return redundant_; }

  /// Coefficients of a given force, or of the target of a constraint, to be filled by the caller up to the
  /// order; `count` coefficients are used.
  std::span<double> givenForce(int channel, int count) noexcept;
  std::span<double> targetAcceleration(int constraint, int count) noexcept;
  std::span<const double> targetAcceleration(int constraint) const noexcept {
    return {&target_[firstCoefficientIndexOfChannel(constraint)],
            static_cast<std::size_t>(targetCount_[static_cast<std::size_t>(constraint)])};
  }
  std::span<const double> givenForce(int channel) const noexcept {
    return {&given_[firstCoefficientIndexOfChannel(channel)],
            static_cast<std::size_t>(givenCount_[static_cast<std::size_t>(channel)])};
  }

  /// The first `count` coefficients of the speed of a spinning part (LinearSystem::spinning), to be filled.
  std::span<double> spinSpeedSeries(std::size_t part, int count) noexcept;
  std::size_t spinningPartCount() const noexcept { return spinning_.size(); }

  /// Power of the drives of the spinning parts at tau, -W' v.G q, with the velocity v at tau [W].
  double powerOfSpinDrives(double tau, const double* v) noexcept;

  /// Starts an expansion at q, v (padded); `order` is at most the order of the constructor. Afterwards
  /// `computeSeriesOrders` computes the orders from `first` to `last`.
  void startFromState(const Vector& q, const Vector& v, int order) noexcept;
  void computeSeriesOrders(int first, int last) noexcept;
  /// Reduces the order of the expansion.
  void reduceSeriesOrder(int order) noexcept { order_ = order; }

  /// Coefficients 0 ... order of a force or a reaction.
  std::span<const double> force(int channel) const noexcept;
  std::span<const double> reaction(int constraint) const noexcept;
  /// Number of coefficients of a force that may be non-zero.
  std::size_t forceCoefficientCount(int channel) const noexcept;
  /// Coefficients 0 ... order + 2 of b.q for any row.
  void motionSeriesAlongRow(const double* row, std::span<double> series) const noexcept;

  const double* column(int k) const noexcept { return q_.col(k).data(); }
  Eigen::Index rowSize() const noexcept { return q_.rows(); }

  /// Coefficients of b.q known so far, for a channel whose force depends on the motion, or a watched channel.
  const double* motion(int channel) const noexcept { return &dots_[firstCoefficientIndexOfChannel(channel)]; }

  /// Size |v_k| of coefficient k of the velocity.
  double velocityNorm(int k) const noexcept;
  /// Size |q_k| of coefficient k of the displacement [kg^1/2 m s^-k], and size |omega^2 q_k| of the elastic
  /// force.
  double displacementNorm(int k) const noexcept;
  double elasticForceNorm(int k) const noexcept;
  /// Norms per band of modes (kernels::sumSquaresByModeBand), plane by plane. |b.q| is at most the sum over
  /// the bands of |b| |q|, which is a tighter bound than |b| |q| over all modes, as q has more of the low
  /// modes than b.
  static constexpr int kBands = 8;
  using Bands = Eigen::Array<double, kBands, 1>;
  static Bands rowNormsByModeBand(const double* row, std::span<const ModePlane> planes) noexcept;
  /// Bounds of the sum of the terms of q(tau) from order `first` <= 4 on, for tau <= `step`: per band, and
  /// over all modes. The bounds are tightest for the longest step since the start of the expansion.
  Bands boundsOfMotionOverStep(double step, int first) noexcept;
  double boundOfMotionOverStep(double step, int first) noexcept {
    return boundsOfMotionOverStep(step, first).matrix().norm();
  }

  int channelCount() const noexcept { return channels_; }
  int constraintCount() const noexcept { return constraints_; }
  /// A channel as it was added. After `factorise` the leader of a channel that follows a constraint is
  /// numbered after the channels.
  Channel channel(int number) const noexcept;
  const double* constraintRow(int number) const noexcept {
    return constraintRows_[static_cast<std::size_t>(number)];
  }
  /// Force on the modes per unit reaction of a constraint, with the forces that follow it.
  const double* modalForcePerUnitReaction(int number) const noexcept {
    return effectPointers_[static_cast<std::size_t>(number)];
  }
  /// Sum of the sizes of the terms of coefficient k of a force, the reference of its rounding.
  double sumOfForceTermMagnitudes(int channel, int k) const noexcept;
  /// Sum of |b| times the size of the force over all channels and constraints, the reference of the rounding
  /// of accelerations.
  double forceNormSum(int k) const noexcept;

  /// Acceleration along a row per unit force of a channel, with the reactions of the constraints and the
  /// forces that follow these reactions.
  double accelerationPerUnitForce(const double* row, int channel) const noexcept;
  /// Reaction of a constraint to a unit of a force.
  double reactionToUnitForce(int constraint, int channel) const noexcept;

  /// Displacement and velocity at local time tau.
  void evaluate(double tau, Vector& q, Vector& v) const noexcept;
  /// Velocities alone at 4, 6 or 8 instants, as columns of `rates`.
  void velocitiesAt(std::span<const double> times, Matrix& rates) const noexcept;
  void acceleration(double tau, Vector& a) const noexcept;

 private:
  std::size_t firstCoefficientIndexOfChannel(int channel) const noexcept {
    return static_cast<std::size_t>(channel) * static_cast<std::size_t>(stride_);
  }
  TaylorExpansion(const LinearSystem& linear, const ModePlanes* planes, int order, int mostChannels,
                  int mostConstraints);
  std::size_t planeNumberOfRow(const double* row) const noexcept {
    return planes_ == nullptr ? 0 : planes_->planeNumberOfRow(row);
  }
  void computeLeastNormInverseOfConstraints();
  void listActiveForces() noexcept;
  void computeNormsOfSeriesTerms(double step) noexcept;
  void addGyroscopicTermsOfOrder(int k) noexcept;

  /// A part that spins at the speed W(tau), with the coefficients of G q as columns of `turned`.
  struct Spinning {
    const SpinningPart* part;
    std::vector<double> speed;
    int count;
    Matrix turned;
  };

  const LinearSystem* linear_;
  const ModePlanes* planes_;
  std::vector<ModePlane> plane_;
  int capacity_;
  int order_;
  int stride_;
  Matrix q_;        // coefficients of q, padded modes x (order + 3)
  Matrix damping_;  // damping C, padded, if it couples modes
  Matrix effects_;  // constraint effects, padded modes x constraints
  bool damped_;
  /// Number of terms whose sizes are stored individually.
  static constexpr int kAlone = 4;
  using Sizes = Eigen::Matrix<double, kBands, kAlone + 1>;
  Sizes sizes_;            // norms per band: of the first kAlone terms, and bound of all later terms
  double measured_{-1.0};  // longest step for which sizes_ holds [s]; < 0: not computed
  std::vector<Spinning> spinning_;
  Matrix extra_;   // accelerations by spinning parts: padded modes x (order + 1)
  Vector moment_;  // work vector

  int channels_{0};
  std::vector<const double*> rows_;
  std::vector<double> stiffness_, dampingOf_, factor_;
  std::vector<ForceSlopes> givenSlopes_;
  std::vector<int> follows_, givenCount_, live_, fed_, planeOf_;
  std::array<int, ModePlanes::kMost + 1> fedBegin_{};
  std::vector<char> fedBack_, followsConstraint_;
  std::vector<double> given_, force_, dots_;
  mutable std::vector<double> rowNorms_, constraintNorms_;  // norms of the rows; < 0: not computed

  bool redundant_{false};
  int constraints_{0};
  std::vector<const double*> constraintRows_, effectPointers_, pushRows_;
  std::vector<char> bears_;
  std::vector<int> targetCount_;
  std::vector<double> inverse_, compliance_, target_, reaction_, residual_, pushes_;
  kernels::TaylorArrays arrays_{};
};

}  // namespace ricochet
