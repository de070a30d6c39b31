#pragma once

#include "engine/contact/contact_set.hpp"
#include "engine/contact/impulse/impact_axes.hpp"
#include "engine/event/series/motion_noise.hpp"
#include "engine/event/series/outlook.hpp"
#include "engine/numerics/kernels.hpp"
#include "engine/numerics/state.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <limits>
#include <span>
#include <utility>

namespace ricochet {

/// A gap below this fraction of the coordinates from which it is computed counts as zero: such contacts take
/// part in an impact.
inline constexpr double kTouching = 1e-12;

/// Part of the gap that counts as zero from which on a gap is more than rounding.
inline constexpr double kSeenGap = 1e-1;

/// Gap rate that counts as zero, relative to the fastest approach or slip of the run.
inline constexpr double kRest = 1e-13;

/// Largest drift of contacts at rest, relative to the speeds: drift of sticks in long steps, and rounding
/// magnified by contacts that hold each other.
inline constexpr double kMostDrift = 1e-10;

/// Constraints that depend on each other are examined up to this order of their acceleration. They hold if no
/// acceleration exceeds the fraction below of the terms of its sum.
inline constexpr std::size_t kOrdersOfConstraints = 4;
inline constexpr double kKeptConstraint = 1e-8;

/// Euclidean norm of a row of the modal basis; zero if no mode moves the contact along this row.
double euclideanNormOfRow(const double* row, Eigen::Index size) noexcept;

/// Phase of a contact between two events: one value for the states of the normal law and of friction
/// together.
enum class Phase : std::uint8_t {
  open,
  released,          ///< in penetration, but the law has no force
  stick,             ///< stick; also a closed contact without friction
  slip,              ///< slip along a line, or in a plane with a turning direction
  slipWithoutSpeed,  ///< slip in a plane that starts now, along its acceleration
  /// Slip in a plane with a fixed direction: N ends before friction turns the slip.
  slipUntilOpening
};

/// Rounding errors that earlier steps of a run left in the motion, in modal coordinates.
struct MotionRounding {
  double place{0.0};  ///< error of the displacement [m kg^1/2]
  double speed{0.0};  ///< error of the velocity [m/s kg^1/2]
};

/// The automaton of a contact in the event scheme: its phase, the memory of its laws, the known roots of its
/// guards at the start of a step, and its transitions at the present instant. LinearContact (force linear in
/// the motion) and SeriesContact (force computed order by order) add the force to the expansion of the
/// motion; transitions use only the motion of their contact point.
struct ContactAutomaton {
  ContactAutomaton(const ContactSet& set, int which) : index(which), contact(&set.contact(which)) {}
  ContactAutomaton(const ContactAutomaton&) = delete;
  ContactAutomaton& operator=(const ContactAutomaton&) = delete;
  ContactAutomaton(ContactAutomaton&&) = default;
  ContactAutomaton& operator=(ContactAutomaton&&) = delete;
  virtual ~ContactAutomaton() = default;

  /// Updates the slip rate to the motion s, and the position if it follows from the displacement alone.
  virtual void updateContactPoint(const State& s) noexcept = 0;
  /// Updates the position to the displacement of s: the friction spring of a contact that closes is anchored
  /// there.
  virtual void updateClosingPosition(const State& s) noexcept = 0;
  /// Size of the speeds whose difference is the slip rate [m/s]; the rounding error of the slip rate is
  /// relative to this size.
  virtual double speedScaleOfSlipRate(const State& s) const noexcept = 0;
  /// Rounding error of the slip rate due to earlier steps [m/s].
  virtual double slipRateRoundingError() const noexcept = 0;
  /// Projects the velocity so that the contact has no slip rate; returns the largest slip rate removed [m/s].
  virtual double projectOutSlipRate(State& s) const noexcept = 0;
  /// Projects the velocity so that a rigid contact has no gap rate; returns the size of the gap rate removed
  /// [m/s].
  double projectOutGapRate(State& s) noexcept;
  /// Projects the displacement so that a touching rigid contact has no gap; returns the size of the gap
  /// removed [m], zero if the gap exceeds rounding.
  virtual double projectOutGap(State& /*s*/) const noexcept { return 0.0; }
  /// True if the gap at s is positive beyond rounding although it counts as zero.
  virtual bool isGapBeyondRounding(const State& /*s*/) noexcept { return false; }
  /// Gap rate at s, negative if the contact approaches [m/s]; zero for a contact without a gap.
  virtual double gapRate(const State& s) noexcept = 0;
  /// True if the contact touches its obstacle at s without a gap rate: later orders of the motion decide
  /// whether it presses.
  virtual bool isTouchingAtRest(const State& /*s*/) noexcept { return false; }
  /// True if the gap of a rigid contact is zero at s within rounding of the coordinates, or an open contact
  /// penetrates; the contact then takes the side that it touches.
  virtual bool isTouching(const State& /*s*/) noexcept { return false; }
  /// Limit below which a gap rate counts as zero [m/s]: rounding error of the velocity, or kRest times the
  /// fastest approach or slip in the run, where bouncing ends.
  virtual double largestNegligibleGapRate(const State& /*s*/) const noexcept { return 0.0; }
  /// Axes of impulses at s, on the touched side. The rows are valid until the next call.
  virtual ImpactAxes impulseAxesOfContact(const State& /*s*/) noexcept { return {}; }
  /// Normal force with which the contact closes at s [N].
  virtual double normalForceAtClosing(const State& s) const noexcept = 0;
  /// True if the traction of a stick that begins at closing grows faster than N.
  virtual bool doesStickTractionOutgrowNormalForce() const noexcept { return false; }
  /// True if N, where it has a series, is zero within the rounding of an instant [s].
  virtual bool isNormalForceZeroWithinRounding(double /*time*/) const noexcept { return false; }
  /// True if a function of time moves the surface or the obstacle.
  virtual bool hasImposedMotion() const noexcept = 0;

  /// Sets the data of the force series at the closing of the contact.
  virtual void prepareForceSeriesAtClosing() noexcept {}

  /// Moves the functions of time from their first piece to the piece of t.
  virtual void rewindTimeFunctions(double t) = 0;
  /// Moves the functions of time to the piece after t; returns true if an imposed N jumps up.
  virtual bool advanceTimeFunctions(double t) = 0;
  /// End of the present piece of a function of time [s]; infinite if no piece ends.
  virtual double nextBreakpoint() const noexcept = 0;

  /// Reads the parameters of the laws, which may have changed since the last run, and resets all members.
  virtual void reset(const ContactSet& set);

  Phase phase() const noexcept;
  bool isClosed() const noexcept { return state.isClosed(); }
  bool hasTraction() const noexcept { return lines > 0 && bearsTraction && !pulls; }
  /// True for a closed contact whose friction ends where N becomes negative: the sign of N is a guard.
  bool hasTensionGuard() const noexcept {
    return canNormalForceBeTensile && lines > 0 && bearsTraction && isClosed();
  }
  bool isSlipping() const noexcept { return hasTraction() && state.friction.slipping; }
  /// True if the contact can slip in a plane, not only along one line.
  bool canSlipInPlane() const noexcept { return lines == 2; }
  /// True for a slip in a plane whose direction has a series of its own.
  bool isTurningSlip() const noexcept {
    return canSlipInPlane() && isClosed() && isSlipping() && slipPhase != Phase::slipUntilOpening;
  }
  /// True for a slip in a plane that has no speed yet.
  bool isSlipWithZeroSpeed() const noexcept { return slipPhase == Phase::slipWithoutSpeed; }
  /// Slip rate below which the direction of a slip does not come from its slip rate [m/s].
  double leastSlipSpeedThatGivesDirection() const noexcept {
    constexpr double kRoundings = 16.0;
    return isSlipWithZeroSpeed() ? std::numeric_limits<double>::infinity()
                                 : kRoundings * slipRateRoundingError();
  }
  /// True if the traction of a set-valued stick on its cone drops where slip starts, mu_s > mu_d.
  bool doesStickTractionDropAtSlipStart() const noexcept;
  /// True for a slip that has not moved yet: other contacts hold the point.
  bool isOnStaticFrictionCone() const noexcept {
    return isClosed() && isSlipping() && state.friction.onStaticCone;
  }
  /// True if the traction is on the cone while other contacts hold the contact: it can move along one line
  /// only, and does not move yet.
  bool isHeldOnCone() const noexcept { return dot(movingTraction, movingTraction) > 0.0; }
  /// True for a set-valued slip at rest that stays at rest. `moves(a)`: the expansion moves it along line a.
  /// `onCone`: slips held on their cones count too.
  template <class Moves>
  bool isSlipWithoutMotion(const State& s, bool onCone, const Moves& moves) const {
    if (!isClosed() || !setValuedStick || !state.friction.slipping || pulls) return false;
    if (isHeldOnCone() && !onCone) return false;
    for (std::size_t a = 0; a < static_cast<std::size_t>(lines); ++a)
      if (moves(a)) return false;
    return isSlipWithZeroSpeed() || isAtRest(s);
  }
  /// True for a rigid contact with true stick that touches without a force, and does not move.
  bool isTouchingAtRestWithoutForce(const State& s) {
    return !isClosed() && setValuedNormal && setValuedStick && isTouchingAtRest(s) && isAtRest(s);
  }
  /// True for a slip whose spring does not carry the whole traction.
  bool hasRelaxingSlipSpring() const noexcept {
    return relaxation > 0.0 && state.friction.slipping && !pulls;
  }
  /// True for a set-valued stick (a constraint), whose traction is a reaction.
  bool isHeldByFriction() const noexcept {
    return isClosed() && setValuedStick && !pulls && (!state.friction.slipping || isSlipWithZeroSpeed());
  }
  /// True for a set-valued stick, which an impact may turn into a slip, and for one on its cone, whose
  /// traction is known.
  bool isStickingByConstraint() const noexcept {
    return isHeldByFriction() || (isOnStaticFrictionCone() && setValuedStick && !pulls);
  }
  /// Rounding error of the gap due to the places of the bodies [m]. The gap of an elastic contact needs none:
  /// its force is continuous there.
  double offsetRoundingError() const noexcept { return setValuedNormal ? contact->offsetRoundingError : 0.0; }
  int& knownRootCount(GuardSlot slot) noexcept { return known[static_cast<std::size_t>(slot)]; }
  int knownRootCount(GuardSlot slot) const noexcept { return known[static_cast<std::size_t>(slot)]; }

  /// Arguments of the friction law in the present `state`.
  FrictionKinematics<double> frictionKinematics() const noexcept;
  /// Elastic energy of the stick, in the present state or at given kinematics [J].
  double stickEnergy() const noexcept;
  double stickEnergy(const FrictionKinematics<double>& k) const noexcept;

  /// Enters a state of friction; the friction memory starts from the given memory.
  void enterFrictionState(FrictionState entered, const FrictionKinematics<double>& k,
                          const FrictionMemory<double>& memory) noexcept;
  /// Moves the anchor of a regularised stick without dashpot with the slip, so that the spring carries the
  /// traction.
  void moveSpringAnchor(const FrictionKinematics<double>& k) noexcept;

  /// Removes the balanced reactions before a new expansion, unless their states were restored.
  void resetBalancedReaction() noexcept {
    if (!std::exchange(keepsBalance, false)) discardBalancedReaction();
  }
  void discardBalancedReaction() noexcept {
    balancedReaction = {};
    balancedFor = std::numeric_limits<double>::infinity();
  }
  /// Moves the start of the balanced reactions to the end of a step [s]. Where the time ends for which they
  /// are found, those of least norm act again until a guard asks for others.
  void moveBalancedReactionToStepEnd(double step) noexcept {
    constexpr double kRounding = 1e-9;
    for (std::array<double, 2>& part : balancedReaction) part[0] += part[1] * step;
    balancedFor -= step;
    if (balancedFor <= kRounding * step) discardBalancedReaction();
  }
  /// True if the slip rate is zero: within the rounding of the speeds (the fastest slip of the run included)
  /// or of earlier steps, or within twice the known drift.
  bool isAtRest(const State& s) const noexcept;
  /// Largest rate that may be drift of contacts at rest [m/s].
  double largestDriftRate(const State& s) const noexcept {
    constexpr double kMagnified = 1e4;
    return std::max(kMostDrift * std::max({speedScaleOfSlipRate(s), largestSlip, largestImpact}),
                    kMagnified * slipRateRoundingError());
  }
  /// Guard of a stick that vanishes when the traction reaches the cone in this direction.
  GuardSlot coneGuardInDirection(const Tangential<double>& direction) const noexcept;
  /// True if the spring of a stick along a line has no force: the contact point is at its anchor.
  bool isSpringUnloaded() const noexcept;
  /// True if a stick that begins at closing needs more traction than mu_s N.
  bool doesStickStartExceedFrictionCone(const State& s) const noexcept;

  int index;
  const Contact* contact;
  ContactState state{};
  int lines{0};                              ///< number of slip lines of the contact point, 0 to 2
  std::array<Tangential<double>, 2> axis{};  ///< directions of the slip lines along the tangents

  // Properties of the laws.
  bool bearsTraction{false};             ///< a friction coefficient is not zero
  bool setValuedStick{false};            ///< a stick is a constraint
  bool setValuedNormal{false};           ///< the contact is rigid
  bool imposedNormal{false};             ///< N is a function of time
  bool pushesFromGeometry{false};        ///< the gap determines the closing
  bool doesForceDependOnGapRate{false};  ///< N depends on the gap rate
  bool vanishesWithGap{false};           ///< N vanishes with the gap
  bool canNormalForceBeTensile{false};   ///< a dashpot can make N negative
  /// Relaxation rate kappa of a damped stick's spring during slip [1/s]; 0: the spring carries the traction.
  double relaxation{0.0};

  Phase slipPhase{Phase::slip};  ///< kind of slip: one of the three slip phases
  /// Rigid and closed without a reaction: the contacts on which it depends bear its load.
  bool unloaded{false};
  /// The slip that starts moves along the only free line, although a traction on the cone could hold the
  /// point.
  bool slidesOnLine{false};
  bool pulls{false};                  ///< N < 0: no friction
  double pulledAt{0.0};               ///< start of N < 0 [s]
  Tangential<double> springAtPull{};  ///< spring force of a damped stick at the start of N < 0 [N]

  // Transitions at the present instant.
  bool closedNow{false};           ///< the contact closed at this instant
  bool closedFromOpen{false};      ///< the closing was at the surface of the obstacle, not in penetration
  bool forceGrowsFromZero{false};  ///< N grows from zero after the closing
  bool openedNow{false};           ///< a rigid contact opened at this instant, as N < 0
  bool openedAtZeroForce{false};   ///< the opening had N = 0 within rounding: no gap acceleration
  bool openedByForce{false};       ///< the opening was a single transition, not part of a search
  bool tractionDrops{false};       ///< the traction dropped at the start of slip, which starts the motion
  /// Direction of the traction that would move a contact held on its cone; zero: the contact is not held.
  Tangential<double> movingTraction{};
  int frictionChanges{0};      ///< number of friction transitions at this instant
  int mostFrictionChanges{4};  ///< so many show that only rounding changes the friction
  /// Speed up to which a slip that starts keeps its direction [m/s]; 0: the direction follows the slip rate,
  /// or the slip starts at this instant.
  double fixedDirectionSpeedLimit{0.0};
  int slowSteps{0};                        ///< number of consecutive steps with a slow slip in a plane
  Tangential<double> tractionAtPullOff{};  ///< traction of a set-valued stick when N < 0 opened the contact
  KnownRoots known{};                      ///< roots of guards that lie at the start of the step
  /// Parts of N and of the traction that balance those of other contacts, linear in the local time: see
  /// findRestingReactions. Normal, tangents.
  std::array<std::array<double, 2>, 3> balancedReaction{};
  double balancedFor{std::numeric_limits<double>::infinity()};  ///< time for which they hold all sticks [s]
  bool keepsBalance{false};  ///< for the first expansion after a checkpoint, or after states were restored
  double stickDrift{0.0};    ///< slip rate that counts as zero, in addition to rounding [m/s]

  // Phase at the end of the step before the present instant.
  Phase phaseBefore{Phase::open};
  Tangential<double> directionBefore{};  ///< direction of the traction of a slip before this instant

  /// Speed of the structure before a jump at this instant, in modal coordinates [m/s kg^1/2].
  double speedBefore{0.0};

  MotionRounding rounding{};
  double fastestSlip{0.0};    ///< fastest slip since the closing [m/s]
  double largestSlip{0.0};    ///< the fastest slip of the run [m/s]
  double largestImpact{0.0};  ///< fastest approach of a rigid contact in the run [m/s]
  double lastApproach{0.0};   ///< approach of its last impact [m/s]

  // Flights of a rigid contact.
  double openedAt{-std::numeric_limits<double>::infinity()};  ///< instant of the last opening [s]
  int lowFlights{0};   ///< number of consecutive flights with a gap within rounding
  int fastReturns{0};  ///< number of consecutive fast impacts after flights too short for the clock

 protected:
  template <class Archive>
  void serialiseAutomaton(Archive& archive) {
    archive(state, slipPhase, unloaded, slidesOnLine, pulls, pulledAt, springAtPull, closedNow,
            closedFromOpen, forceGrowsFromZero, openedNow, openedAtZeroForce, openedByForce, tractionDrops,
            frictionChanges, fixedDirectionSpeedLimit, slowSteps, tractionAtPullOff, known, phaseBefore,
            directionBefore, speedBefore, rounding, fastestSlip, largestSlip, largestImpact, lastApproach,
            openedAt, lowFlights, fastReturns);
    for (std::array<double, 2>& part : balancedReaction)
      for (double& force : part) archive(force);
    archive(balancedFor);
    if constexpr (Archive::kReads) keepsBalance = true;
  }
};

/// Longest step of a slip in a plane [s]. Over it the series of the direction is exact to 1e-3: the guard of
/// a slip is the slip rate along this direction, and the tolerance of the motion alone would allow longer
/// steps where friction is weak. Along the series `path` of the slip, the step also ends where it would
/// magnify the rounding of the direction by more than 1e4, and where a slow slip with a fixed
/// direction speeds up.
double longestStepOfTurningSlip(const ContactAutomaton& c, const std::array<std::span<double>, 2>& direction,
                                const std::array<std::span<double>, 2>& path, int order) noexcept;

}  // namespace ricochet
