#pragma once

#include "engine/accounts/energy_ledger.hpp"
#include "engine/contact/followed.hpp"
#include "engine/event/automata/contact_automaton.hpp"
#include "engine/event/series/mode_planes.hpp"
#include "engine/numerics/series.hpp"

#include <algorithm>
#include <array>
#include <span>
#include <vector>

namespace ricochet {

/// A contact whose force is not a linear function of the motion: a curved obstacle, a surface or supports
/// that move, a body that rolls, a normal law with a power of the penetration or a table, friction whose
/// coefficient depends on the slip speed. `state.position` is the path covered along the surface [m].
///
/// Four coordinates move it: the position along e1, e2, e3, and the rolling radius times the rotation of a
/// body that rolls [m].
struct SeriesContact final : ContactAutomaton {
  static constexpr std::size_t kAxes = 4;
  static constexpr std::size_t kRolling = 3;
  template <class T>
  using PerAxis = std::array<T, kAxes>;

  SeriesContact(const ContactSet& set, const ModePlanes& planes, int index, int order);

  /// True if the force of a contact is not a linear function of the motion.
  static bool isNonLinear(const Contact& contact) noexcept;
  /// True if a contact may have reactions: a rigid contact, or one with true sticks.
  static bool canHaveReactions(const Contact& contact) noexcept;
  /// True if the force of a contact with reactions has a power series.
  static bool hasReactionsInSeries(const Contact& contact) noexcept;

  /// Updates position, frame, gap, N and slip rate to s; the path along the surface is unchanged.
  void updateContactPoint(const State& s) noexcept override;
  void updateClosingPosition(const State& s) noexcept override;
  double speedScaleOfSlipRate(const State& s) const noexcept override;
  double slipRateRoundingError() const noexcept override { return reach * rounding.speed; }
  double projectOutSlipRate(State& s) const noexcept override;
  double gapRate(const State& s) noexcept override;
  bool isGapBeyondRounding(const State& s) noexcept override {
    updateContactPoint(s);
    return state.gap > kSeenGap * largestTouchingGap();
  }
  bool isTouching(const State& s) noexcept override;
  bool isTouchingAtRest(const State& s) noexcept override;
  double largestNegligibleGapRate(const State& s) const noexcept override;
  ImpactAxes impulseAxesOfContact(const State& s) noexcept override;
  double normalForceAtClosing(const State& /*s*/) const noexcept override {
    return normalForceAt(state.gap, state.gapRate);
  }
  bool doesStickTractionOutgrowNormalForce() const noexcept override {
    return isSteep && -state.gap <= gapRoundingError();
  }
  bool hasImposedMotion() const noexcept override { return isSurfaceMoving() || !drift.empty(); }
  void prepareForceSeriesAtClosing() noexcept override;
  void rewindTimeFunctions(double t) override;
  bool advanceTimeFunctions(double t) override;
  double nextBreakpoint() const noexcept override;
  void reset(const ContactSet& set) override;

  /// Gap that counts as zero [m].
  double largestTouchingGap() const noexcept;

  /// Gap and normal at x. A closed contact keeps its side of a slot, and so does an open one in a slot
  /// without a gap: the position alone does not determine the side there.
  template <class Real>
  Touch<Real> gapAndNormalAt(const Local<Real>& x) const noexcept {
    const FreeInterval free = contactFreeIntervalOfObstacle(contact->obstacle);
    if (!free.isBounded() ||
        (state.normal == NormalState::open && free.high - free.low > largestTouchingGap()))
      return gapAndNormalOf(contact->obstacle, x);
    const Real zero(0.0);
    return {state.side > 0.0 ? x[0] - free.low : free.high - x[0], {Real(state.side), zero, zero}};
  }

  FollowedState followed{};  ///< position, frame and surface rate where the contact touches

  // Geometry.
  PerAxis<const double*> row{};  ///< rows of the coordinates; null: no mode moves the contact along this axis
  PerAxis<double> rowSize{};     ///< Euclidean norms of the rows
  double reach{0.0};             ///< bound of the displacement of the contact point per |q|
  std::array<Vector, 3> impactRow;  ///< rows of `impulseAxesOfContact` along the normal and the slip lines
  double compliance{0.0};           ///< bound of the acceleration per force [1/kg]
  TangentKind kind{TangentKind::fixed};
  Tangential<double> tangentScale{1.0, 1.0};  ///< Contact::tangentScale, unless the rows contain it

  // Form of the normal law.
  bool isPower{false};  ///< N is a power of the penetration where the contact starts
  bool isSteep{false};  ///< the exponent of this power exceeds 1
  double exponent{1.0};
  bool hasKinks{false};

  // Functions of time.
  std::vector<FunctionCursor> drift, surface, spin;
  FunctionCursor imposed;

  // Channels and fitted force of the present step; -1: the coordinate does not move.
  PerAxis<int> channel{-1, -1, -1, -1};
  bool isFitted{false};  ///< N has no series at this instant: it is a fitted polynomial (series_fit.cpp)
  int pass{0};           ///< number of the pass of Picard's iteration
  /// True: the interval of the polynomial ends at the opening; false: it begins at the closing.
  bool ends{false};
  double most{0.0};            ///< upper bound of the length of the interval [s]; 0: none
  double fitInterval{0.0};     ///< length of the interval of the fitted polynomial [s]
  double scale{0.0};           ///< size of the terms whose sum is the position [m]
  double offsetPastKink{0.0};  ///< shift of the gap in the law, past a kink of the table [m]
  /// The last examined step ends at a kink of the table: 1 the gap grows past it, -1 it falls, 0 no.
  int wayPastKink{0};

  // Friction coefficient by the slip speed.
  const SpeedTable* speedTable{nullptr};  ///< table of the coefficient; null: constant coefficients
  SpeedPiece speedPiece{};
  /// The last examined step ends where the speed leaves the piece of the table: 1 upwards, -1 downwards, 0
  /// no.
  int speedPieceExit{0};
  int pieceChanges{0};  ///< number of piece changes at one instant

  // Series over the step with `order` + 3 coefficients each.
  std::vector<double> storage;
  PerAxis<std::span<double>> place;    ///< coordinates
  PerAxis<std::span<double>> carried;  ///< part of the coordinates that supports impose
  PerAxis<std::span<double>> push;     ///< forces along the coordinates
  std::span<double> gap, compression, imposedSeries;
  std::array<std::span<double>, 2> path, moved;   ///< paths of the contact and of the surface along the lines
  std::array<std::span<double>, 2> surfaceSpeed;  ///< velocity of the surface along the lines
  std::array<std::span<double>, 2> traction, spring;
  /// Direction along both tangents of the traction of a turning slip.
  std::array<std::span<double>, 2> tractionDirection;
  bool transientDecayed{false};  ///< the transient of a damped slip's spring is below rounding
  std::span<double> spinRate;    ///< rotation rate of a surface that spins about the normal of a plane

  /// Discards the fitted polynomial if the motion has changed.
  void discardFittedForcePolynomial() noexcept {
    pass = 0;
    most = 0.0;
  }

  /// Distance from the end of a piece of the speed table that is rounding [m/s].
  double slipSpeedRoundingError(double end) const noexcept;
  /// Shifts the gap in the law past a kink at which a step has ended: the shift selects the next piece, so
  /// that this kink is not found again. The shift stays until the gap has moved away from the kink.
  void shiftGapBeyondForceKink(double step) noexcept;
  /// True on the piece of the table beyond a kink, at the start of the step.
  bool isBeyondForceKink(double kink) const noexcept { return -(gap[0] + offsetPastKink) > kink; }

  /// Selects the piece of the speed table for a speed against the traction; at an end of the present piece,
  /// this piece is kept.
  void chooseSpeedPiece(double speed) noexcept;

  /// True if the contact closed at this instant at the surface of its obstacle, not in penetration.
  bool hasJustClosedAtSurface() const noexcept { return closedNow && closedFromOpen; }
  double largestTangentRowNorm() const noexcept { return reach; }
  /// Bounds of the slopes of the force along coordinate i.
  ForceSlopes stiffnessAndDampingOfContactForce(std::size_t i) const noexcept;
  bool isSurfaceMoving() const noexcept { return !surface.empty() || !spin.empty(); }

  /// Moves position, path, forces and energies to local time t of a step; `orders`: number of force
  /// coefficients.
  void moveStateToTime(double t, double time, std::size_t orders) noexcept;

  /// Moves the spring of a slip to local time t, after `moveStateToTime`. The spring of a damped slip has its
  /// own force; any other spring carries the traction.
  void moveSlipSpringToTime(double t, std::size_t orders) noexcept;
  /// Adds the work of moving supports over the step up to local time t to the ledger.
  void addSupportWork(double t, std::size_t orders, EnergyLedger& ledger) const noexcept;
  void reportStateToRun(ContactRun& run) const noexcept;

  /// Direction of a slip line in the coordinates, for the frame at the contact point: the slip rate along
  /// the line is its product with the rates, and a traction along it pushes along it.
  ///
  ///     (scale axis).(e2', e3')  along e1, e2, e3       -(scale axis)_1 (e3 x normal).e2'  for the rolling
  template <class Real>
  PerAxis<Real> slipDirection(std::size_t line, const ContactFrame<Real>& frame) const {
    const auto [first, second] = scaledSlipAxis(line);
    PerAxis<Real> along{};
    for (std::size_t i = 0; i < kRolling; ++i) along[i] = first * frame.first[i] + second * frame.second[i];
    if (contact->isRolling())
      along[kRolling] = -first * (frame.first[1] * frame.normal[0] - frame.first[0] * frame.normal[1]);
    return along;
  }
  PerAxis<double> directionOfSlipLine(std::size_t line) const noexcept;
  Tangential<double> scaledSlipAxis(std::size_t line) const noexcept {
    return {tangentScale.first * axis[line].first, tangentScale.second * axis[line].second};
  }
  /// Coordinate of the contact point at q = 0, without moving supports.
  double coordinateOffsetOfContactPoint(std::size_t i) const noexcept {
    return i < kRolling ? contact->offset[static_cast<Eigen::Index>(i)] : 0.0;
  }
  /// Frame of the contact from which the tangents are carried along to a normal; null: none.
  const ContactFrame<double>* previousContactFrameOrNull(const Local<double>& normal) const noexcept {
    constexpr double kMostTurned = -0.5;  // cosine of the largest turn of the normal
    const bool carries = kind == TangentKind::turning && isClosed();
    return carries && innerProduct(normal, followed.frame.normal) > kMostTurned ? &followed.frame : nullptr;
  }

  struct Motion {
    ContactState state;
    FollowedState followed;
  };
  Motion motion() const noexcept { return {state, followed}; }
  void setMotion(const Motion& motion) noexcept {
    state = motion.state;
    followed = motion.followed;
  }

  std::span<const double> gapSeries(std::size_t orders) const noexcept { return gap.first(orders + 1); }
  std::span<const double> compressionSeries(std::size_t orders) const noexcept {
    return compression.first(orders);
  }
  std::span<const double> tractionSeries(std::size_t a, std::size_t orders) const noexcept {
    return traction[a].first(orders);
  }
  std::span<const double> slipPathSeries(std::size_t a, std::size_t orders) const noexcept {
    return path[a].first(orders + 1);
  }
  std::span<const double> surfaceMotionSeries(std::size_t a, std::size_t orders) const noexcept {
    return moved[a].first(orders + 1);
  }
  /// True: friction that alternates at one instant by rounding keeps its state until a guard exceeds
  /// rounding.
  static constexpr bool kHoldsWithinRounding = true;
  /// Number of leading coefficients of a guard that are free of truncation: the two highest orders are not.
  static constexpr std::size_t untruncatedCoefficientCount(std::size_t size, int order) noexcept {
    const std::size_t count = std::min(size, static_cast<std::size_t>(order - 1));
    return count > 2 ? count - 2 : 0;
  }
  /// True if N of a contact that begins is a fitted polynomial: its guards have values, but no series.
  bool hasForceWithoutPowerSeries() const noexcept { return isFitted && !ends; }

  /// True for a fitted polynomial, which has no valid peak within the step.
  bool isForcePeakAtStepEnds() const noexcept { return isFitted; }

  /// Rounding error of the gap, a few units in the last place of the coordinates of its sum [m].
  double gapRoundingError() const noexcept;

  double storedNormalEnergy(double gap) const noexcept;
  /// Normal force N at a gap [m] and a gap rate [m/s].
  double normalForceAt(double gapAt, double gapRate) const noexcept;

  template <class Archive>
  void serialise(Archive& archive) {
    archive.beginSection("SeriesContact");
    serialiseAutomaton(archive);
    archive(followed, drift, surface, spin, imposed, scale, offsetPastKink, speedPiece, pieceChanges);
  }

 private:
  void findSlipLinesOfContact(Eigen::Index size);
  void combineRowsAlongDirection(const PerAxis<double>& direction, Vector& combined) const noexcept;
  void evaluateForces(const PerAxis<double>& x, const PerAxis<double>& v, double time) noexcept;
};

}  // namespace ricochet
