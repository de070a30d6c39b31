#pragma once

#include "engine/event/series/mode_planes.hpp"
#include "engine/event/series/taylor_kernel.hpp"
#include "engine/model/modal_equation.hpp"

#include <array>
#include <span>
#include <vector>

namespace ricochet {

/// A scalar force on the structure along a row b of the contact set, as the Taylor expansion sees it:
///
///     F = given(tau) - stiffness d - damping d' + factor F_follows,   d = b.q
struct Channel {
  const double* row{nullptr};  ///< padded; its memory must outlive the expansion
  double stiffness{0.0};       ///< [N/m]
  double damping{0.0};         ///< [N s/m]
  int follows{-1};             ///< channel or constraint whose force it takes part of; -1: none
  bool followsConstraint{false};
  double factor{0.0};
  bool watched{false};  ///< its d is wanted while the orders run
};

/// The motion from an instant on as power series of the local time tau, under loads, contact springs and
/// constraints: coefficients of q and of every force, exact but for rounding up to the order. All memory is
/// taken by the constructor; `reset`, `add...`, `factorise` and `expand` take none, unless constraints depend
/// on each other.
///
/// Source of the method: A. Jorba, M. Zou, Exp. Math. 14 (2005) 99-117 (step from the last coefficients).
class TaylorExpansion {
 public:
  TaylorExpansion(const LinearSystem& linear, int order, int mostChannels, int mostConstraints);
  /// Of the modes of `planes`, which has to outlive it, in their order.
  TaylorExpansion(const ModePlanes& planes, int order, int mostChannels, int mostConstraints);

  int order() const noexcept { return order_; }

  void reset() noexcept;

  /// A force. `fedBack` is implied by stiffness or damping. A channel that follows comes after its leader.
  int add(const Channel& channel) noexcept;
  /// A row along which the motion is prescribed: b.q'' = target(tau).
  int constrain(const double* row) noexcept;
  /// Inverts the constraints' compliance with what follows them. To be called after the last `add`.
  void factorise();
  /// Whether constraints depend on each other: their reactions are not unique, and they may not be satisfied.
  bool hasDependentConstraints() const noexcept { return redundant_; }

  /// Coefficients of a given force, or of a constraint's target, to be filled up to the order; `count` of
  /// them are used.
  std::span<double> given(int channel, int count) noexcept;
  std::span<double> target(int constraint, int count) noexcept;
  std::span<const double> target(int constraint) const noexcept {
    return {&target_[at(constraint)],
            static_cast<std::size_t>(targetCount_[static_cast<std::size_t>(constraint)])};
  }
  std::span<const double> given(int channel) const noexcept {
    return {&given_[at(channel)], static_cast<std::size_t>(givenCount_[static_cast<std::size_t>(channel)])};
  }

  /// Coefficients of the speed of a part that spins (LinearSystem::spinning), as those of a given force.
  std::span<double> speed(std::size_t part, int count) noexcept;
  std::size_t spinningParts() const noexcept { return spinning_.size(); }

  /// Power that the drives of these parts give at tau, -W' v.G q, from the velocity there.
  double drivePower(double tau, const double* v) noexcept;

  /// Series from q, v (padded) on; `order` up to that of the constructor. In parts: `begin`, then orders.
  void begin(const Vector& q, const Vector& v, int order) noexcept;
  void run(int first, int last) noexcept;
  /// Leaves it at a lower order than was asked for.
  void cut(int order) noexcept { order_ = order; }

  /// Coefficients 0 ... order of a force or a reaction.
  std::span<const double> force(int channel) const noexcept;
  std::span<const double> reaction(int constraint) const noexcept;
  /// Coefficients of a force that may not be zero.
  std::size_t forceCount(int channel) const noexcept;
  /// Coefficients 0 ... order + 2 of b.q for any row.
  void along(const double* row, std::span<double> series) const noexcept;

  const double* column(int k) const noexcept { return q_.col(k).data(); }
  Eigen::Index rowSize() const noexcept { return q_.rows(); }

  /// Coefficients of b.q known so far, of a channel that is fed back or watched.
  const double* motion(int channel) const noexcept { return &dots_[at(channel)]; }

  /// |v_k|, the size of coefficient k of the velocity.
  double velocitySize(int k) const noexcept;
  /// |q_k| [kg^1/2 m s^-k], and |q_k| with each mode weighted by omega^2.
  double size(int k) const noexcept;
  double stiffSize(int k) const noexcept;
  /// Sizes in bands of modes (kernels::bandSquares), of each plane in turn: along a row |b.q| is at most the
  /// sum over the bands of |b| |q|, which is less than over all modes at once, as motions have more of the
  /// slow ones than rows.
  static constexpr int kBands = 8;
  using Bands = Eigen::Array<double, kBands, 1>;
  static Bands bandsOf(const double* row, std::span<const ModePlane> planes) noexcept;
  /// Bound of what the terms from `first`, up to 4, on do to q(tau) for tau up to `step`: in each band, and
  /// of |q|. The tightest for the longest step that was asked for.
  Bands paths(double step, int first) noexcept;
  double path(double step, int first) noexcept { return paths(step, first).matrix().norm(); }

  int channels() const noexcept { return channels_; }
  int constraints() const noexcept { return constraints_; }
  /// A channel as it was added; one that follows a constraint is not told apart after `factorise`.
  Channel channel(int number) const noexcept;
  const double* constraintRow(int number) const noexcept {
    return constraintRows_[static_cast<std::size_t>(number)];
  }
  /// Sum of the sizes of the terms that make up a force's coefficient: what its rounding is relative to.
  double forceSize(int channel, int k) const noexcept;
  /// The same times |b| over all channels and constraints: what accelerations are sums of.
  double pushSize(int k) const noexcept;

  /// Acceleration along a row per unit of a force, constraints and what follows them included.
  double response(const double* row, int channel) const noexcept;
  /// Reaction of a constraint to a unit of a force.
  double reactionTo(int constraint, int channel) const noexcept;

  /// q and v at tau.
  void evaluate(double tau, Vector& q, Vector& v) const noexcept;
  /// v alone at 4, 6 or 8 instants: columns of `rates`.
  void velocities(std::span<const double> times, Matrix& rates) const noexcept;
  void acceleration(double tau, Vector& a) const noexcept;

 private:
  std::size_t at(int channel) const noexcept {
    return static_cast<std::size_t>(channel) * static_cast<std::size_t>(stride_);
  }
  TaylorExpansion(const LinearSystem& linear, const ModePlanes* planes, int order, int mostChannels,
                  int mostConstraints);
  std::size_t planeOf(const double* row) const noexcept {
    return planes_ == nullptr ? 0 : planes_->planeOf(row);
  }
  void arrange() noexcept;
  void measure(double step) noexcept;
  void turn(int k) noexcept;

  /// A part that spins at W(tau): columns of G q.
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
  Matrix q_;        // padded modes x (order + 3)
  Matrix damping_;  // C, padded, when it couples modes
  Matrix effects_;  // padded modes x constraints
  bool damped_;
  /// Terms whose sizes are known one by one.
  static constexpr int kAlone = 4;
  using Sizes = Eigen::Matrix<double, kBands, kAlone + 1>;
  Sizes sizes_;            // of these, and of all others together, in bands
  double measured_{-1.0};  // up to this step; < 0: not yet
  std::vector<Spinning> spinning_;
  Matrix extra_;   // accelerations by what spins: padded modes x (order + 1)
  Vector moment_;  // scratch

  int channels_{0};
  std::vector<const double*> rows_;
  std::vector<double> stiffness_, dampingOf_, factor_;
  std::vector<int> follows_, givenCount_, live_, fed_, planeOf_;
  std::array<int, ModePlanes::kMost + 1> fedBegin_{};
  std::vector<char> fedBack_, followsConstraint_;
  std::vector<double> given_, force_, dots_;

  bool redundant_{false};
  int constraints_{0};
  std::vector<const double*> constraintRows_, effectPointers_, pushRows_;
  std::vector<int> targetCount_;
  std::vector<double> inverse_, compliance_, target_, reaction_, residual_, pushes_;
  kernels::TaylorArrays arrays_{};
};

}  // namespace ricochet
