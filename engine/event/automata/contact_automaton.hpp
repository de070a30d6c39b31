#pragma once

#include "engine/contact/contact_set.hpp"
#include "engine/contact/impulse/impact_axes.hpp"
#include "engine/event/series/outlook.hpp"
#include "engine/numerics/kernels.hpp"
#include "engine/numerics/state.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <limits>
#include <span>

namespace ricochet {

/// Rounding of a sum of many terms, relative to their sizes; generous, because a coefficient that counts as
/// zero only hands the decision over to the next one.
inline constexpr double kNoise = 1024.0 * std::numeric_limits<double>::epsilon();

/// A gap below this fraction of the distances whose difference it is counts as zero: such contacts take part
/// in an impact.
inline constexpr double kTouching = 1e-12;

/// Gap rate that counts as zero, relative to the fastest approach or slip of the run.
inline constexpr double kRest = 1e-13;

/// Largest drift of contacts at rest, relative to the speeds: what sticks in long steps leave, and rounding
/// that is magnified by contacts which hold each other.
inline constexpr double kMostDrift = 1e-10;

/// Constraints that depend on each other are examined up to this order of their acceleration, and hold where
/// none exceeds this fraction of the terms of its sum.
inline constexpr std::size_t kOrdersOfConstraints = 4;
inline constexpr double kKeptConstraint = 1e-8;

/// No expansion has more coefficients.
inline constexpr std::size_t kMostOrders = 40;

/// Euclidean norm of a row of the modal basis; zero of one that no mode moves.
double rowNorm(const double* row, Eigen::Index size) noexcept;

/// What a contact does between two events.
enum class Phase : std::uint8_t {
  open,
  released,          ///< within its obstacle, but its law does not press
  stick,             ///< also a contact without friction that is closed
  slip,              ///< along a line, or in a plane in a direction that turns
  slipWithoutSpeed,  ///< in a plane: a slip that starts at this instant, towards its acceleration
  slipUntilOpening   ///< in a plane: N ends before friction turns the slip, whose direction stays
};

/// Rounding that earlier steps of a run left in the motion, in modal coordinates.
struct MotionRounding {
  double place{0.0};  ///< [m kg^1/2]
  double speed{0.0};  ///< [m/s kg^1/2]
};

/// The automaton of a contact in the event scheme: its phase, the memory of its laws, what is known of its
/// guards where a step starts, and what happened to it at the present instant. How its force enters the
/// expansion of the motion is left to LinearContact (linear in the motion) and SeriesContact (order by
/// order): transitions ask them for the motion of the contact point only.
struct ContactAutomaton {
  ContactAutomaton(const ContactSet& set, int which) : index(which), contact(&set.contact(which)) {}
  ContactAutomaton(const ContactAutomaton&) = delete;
  ContactAutomaton& operator=(const ContactAutomaton&) = delete;
  ContactAutomaton(ContactAutomaton&&) = default;
  ContactAutomaton& operator=(ContactAutomaton&&) = delete;
  virtual ~ContactAutomaton() = default;

  /// Brings the slip rate to the motion s, and the position too where the place alone tells it.
  virtual void updateContactPoint(const State& s) noexcept = 0;
  /// Brings the position to the place of s: friction of a contact that closes is hooked there.
  virtual void updateClosingPosition(const State& s) noexcept = 0;
  /// Speeds whose difference is the slip rate of `updateContactPoint` [m/s]: its rounding is relative to
  /// them.
  virtual double speedScale(const State& s) const noexcept = 0;
  /// Rounding that earlier steps left in the slip rate [m/s].
  virtual double slipRounding() const noexcept = 0;
  /// Projects the velocity so that the contact has no slip rate; returns the largest along its lines [m/s].
  virtual double projectOutSlipRate(State& s) const noexcept = 0;
  /// Projects the velocity so that a rigid contact has no gap rate; returns the size of that rate [m/s].
  double projectOutGapRate(State& s) noexcept;
  /// Projects the place so that a rigid contact which touches has no gap; returns the size of that gap [m],
  /// zero where the gap is not rounding.
  virtual double projectOutGap(State& /*s*/) const noexcept { return 0.0; }
  /// Whether the gap at s is positive beyond rounding, though it counts as zero.
  virtual bool isApartBy(const State& /*s*/) const noexcept { return false; }
  /// Rate of the gap at s, negative where the contact approaches [m/s]; zero without a gap.
  virtual double gapRate(const State& s) noexcept = 0;
  /// Whether the contact is at the surface of its obstacle at s and neither arrives nor leaves: the next
  /// orders of the motion tell whether it presses.
  virtual bool isTouchingAtRest(const State& /*s*/) noexcept { return false; }
  /// Whether the gap is zero at s within rounding of the distances whose difference it is, or an open contact
  /// penetrates; its side becomes the one that it touches. Asked of rigid contacts.
  virtual bool isTouching(const State& /*s*/) noexcept { return false; }
  /// Limit below which a gap rate counts as zero [m/s]: rounding of the velocity, or the small fraction of
  /// the fastest approach or slip in the run at which bouncing ends.
  virtual double restGapRate(const State& /*s*/) const noexcept { return 0.0; }
  /// Axes of impulses at s, on the side that is touched. The rows stay as they are until the next call.
  virtual ImpactAxes impactAxes(const State& /*s*/) noexcept { return {}; }
  /// N with which the contact closes at s [N].
  virtual double closingForce(const State& s) const noexcept = 0;
  /// Whether the traction of a stick that begins with the contact grows faster than N.
  virtual bool stickOutgrowsForce() const noexcept { return false; }
  /// Whether N is zero to the rounding of an instant [s], where it has a series.
  virtual bool normalForceVanishes(double /*time*/) const noexcept { return false; }
  /// Whether a function of time moves the surface or the obstacle.
  virtual bool isDriven() const noexcept = 0;

  /// Sets what the series of the force needs where the contact closes.
  virtual void prepareClosing() noexcept {}

  /// Takes functions of time from their first piece to that of t.
  virtual void rewindFunctions(double t) = 0;
  /// Takes functions of time to the piece that follows t; returns whether an imposed N jumps up.
  virtual bool advanceFunctions(double t) = 0;
  /// Where the present piece of a function of time ends [s]; infinite if none does.
  virtual double nextBreakpoint() const noexcept = 0;

  /// Reads the parameters of the laws, which may have changed since the last run, and resets all members.
  virtual void reset(const ContactSet& set);

  Phase phase() const noexcept;
  bool closed() const noexcept { return state.closed(); }
  bool hasTraction() const noexcept { return lines > 0 && bearsTraction && !pulls; }
  /// Closed, with friction that ends where N does: its sign is watched.
  bool hasPullGuard() const noexcept { return mayPull && lines > 0 && bearsTraction && closed(); }
  bool isSlipping() const noexcept { return hasTraction() && state.friction.slipping; }
  /// Can slide in a plane, not along one line only.
  bool slidesInPlane() const noexcept { return lines == 2; }
  /// Slips in a plane, in a direction that has a series of its own.
  bool isTurningSlip() const noexcept {
    return slidesInPlane() && closed() && isSlipping() && slipPhase != Phase::slipUntilOpening;
  }
  /// Slips in a plane, but has no speed yet.
  bool lacksSlipSpeed() const noexcept { return slipPhase == Phase::slipWithoutSpeed; }
  /// Has its traction on the cone, while other contacts hold it: it moves along one line only, and not yet.
  bool isHeldOnCone() const noexcept { return dot(movingTraction, movingTraction) > 0.0; }
  /// Slips with a spring that does not carry all of the traction.
  bool hasRelaxingSlipSpring() const noexcept {
    return relaxation > 0.0 && state.friction.slipping && !pulls;
  }
  /// A set-valued stick (a constraint), which an impact may turn into a slip.
  bool sticksByConstraint() const noexcept {
    return closed() && setValuedStick && !pulls && (!state.friction.slipping || lacksSlipSpeed());
  }
  int& knownRootCount(GuardSlot slot) noexcept { return known[static_cast<std::size_t>(slot)]; }
  int knownRootCount(GuardSlot slot) const noexcept { return known[static_cast<std::size_t>(slot)]; }

  /// Arguments of the friction law in the present `state`.
  FrictionKinematics<double> frictionKinematics() const noexcept;
  /// Elastic energy of the stick, of `state` or at given kinematics [J].
  double stickEnergy() const noexcept;
  double stickEnergy(const FrictionKinematics<double>& k) const noexcept;

  /// Enters a state of friction from a memory.
  void enterFriction(FrictionState entered, const FrictionKinematics<double>& k,
                     const FrictionMemory<double>& memory) noexcept;
  /// Moves the anchor of a regularised stick without dashpot with the slip, so that the spring carries the
  /// traction.
  void moveAnchor(const FrictionKinematics<double>& k) noexcept;

  /// Whether the slip rate is zero: within rounding of the speeds, of the fastest slip of the run included,
  /// or of earlier steps, or within twice the drift that is known.
  bool isAtRest(const State& s) const noexcept;
  /// Largest rate that may be drift of contacts at rest [m/s].
  double largestDriftRate(const State& s) const noexcept {
    constexpr double kMagnified = 1e4;
    return std::max(kMostDrift * std::max({speedScale(s), largestSlip, largestImpact}),
                    kMagnified * slipRounding());
  }
  /// Guard of a stick that vanishes where the traction has this direction.
  GuardSlot coneGuardInDirection(const Tangential<double>& direction) const noexcept;
  /// Whether the spring of a stick along a line has no force: the contact point is at its anchor.
  bool isSlack() const noexcept;
  /// Whether a stick that begins as the contact closes needs more traction than mu_s N.
  bool startExceedsCone(const State& s) const noexcept;

  int index;
  const Contact* contact;
  ContactState state{};
  int lines{0};                              ///< along which the contact point slides, 0 to 2
  std::array<Tangential<double>, 2> axis{};  ///< their directions along the tangents

  // what the laws are
  bool bearsTraction{false};       ///< some coefficient of friction is not zero
  bool setValuedStick{false};      ///< ... and a stick is a constraint
  bool setValuedNormal{false};     ///< rigid
  bool imposedNormal{false};       ///< N is a function of time
  bool pushesFromGeometry{false};  ///< a gap says when the contact closes
  bool usesGapRate{false};         ///< N depends on the gap rate
  bool vanishesWithGap{false};     ///< N is zero where the gap is
  bool mayPull{false};             ///< a dashpot can make N negative
  double relaxation{
      0.0};  ///< kappa of a damped stick's spring while it slips [1/s]; 0: it carries the traction

  Phase slipPhase{Phase::slip};  ///< of the three slips, the one that a slip is
  /// Rigid and closed without a reaction: contacts that it depends on bear its share.
  bool unloaded{false};
  /// The slip that starts goes along the only free line, though a traction on the cone could hold the point.
  bool slidesOnLine{false};
  bool pulls{false};                  ///< N < 0: no friction
  double pulledAt{0.0};               ///< since when [s] ...
  Tangential<double> springAtPull{};  ///< ... and the force of the spring of a damped stick then [N]

  // of the present instant
  bool closedNow{false};           ///< the contact closed ...
  bool closedFromOpen{false};      ///< ... at the surface of its obstacle, not within
  bool forceGrowsFromZero{false};  ///< ... and N grows from zero
  bool openedNow{false};           ///< rigid, opened as N < 0
  bool openedAtZeroForce{false};   ///< ... to rounding: its gap has no acceleration
  bool openedByForce{false};       ///< ... in the states as they were, not in a search for all states
  bool tractionDrops{false};       ///< the traction fell as the slip began, which starts the motion
  /// Direction of the tractions that would move a contact that is held on its cone; zero: it is not.
  Tangential<double> movingTraction{};
  int frictionChanges{0};  ///< how often friction changed its state
  int slowSteps{0};        ///< in a row, at whose ends a slip that turns is as slow as a drift
  Tangential<double> tractionAtPullOff{};  ///< of a true stick under which N < 0 opened the contact
  KnownRoots known{};                      ///< roots of guards that lie at the start of the step
  double stickDrift{0.0};                  ///< rate that counts as zero, beside rounding [m/s]

  // at the end of the step before the present instant
  Phase phaseBefore{Phase::open};
  Tangential<double> directionBefore{};  ///< of the traction of a slip

  double speedBefore{
      0.0};  ///< of the structure before a jump at this instant, in modal coordinates [m/s kg^1/2]

  MotionRounding rounding{};
  double fastestSlip{0.0};    ///< since the contact closed [m/s]
  double largestSlip{0.0};    ///< the fastest slip of the run [m/s]
  double largestImpact{0.0};  ///< of a rigid contact: the fastest approach of the run [m/s]
  double lastApproach{0.0};   ///< ... and the one of its last impact [m/s]

  // of a rigid contact
  double openedAt{-std::numeric_limits<double>::infinity()};  ///< when it opened last [s]
  int lowFlights{0};                                          ///< in a row, too low to tell from touching
  int fastReturns{0};  ///< in a row, as fast as ever after a flight too short for the time to show

 protected:
  template <class Archive>
  void persistAutomaton(Archive& archive) {
    archive(state, slipPhase, unloaded, slidesOnLine, pulls, pulledAt, springAtPull, closedNow,
            closedFromOpen, forceGrowsFromZero, openedNow, openedAtZeroForce, openedByForce, tractionDrops,
            frictionChanges, slowSteps, tractionAtPullOff, known, phaseBefore, directionBefore, speedBefore,
            rounding, fastestSlip, largestSlip, largestImpact, lastApproach, openedAt, lowFlights,
            fastReturns);
  }
};

/// Step over which the series of a direction is exact to 1e-3 [s]; the guard of a slip is the slip rate along
/// it. The tolerance of the motion alone would allow longer steps where friction is weak.
double limitStepByTurn(const std::array<std::span<double>, 2>& direction, int order) noexcept;

}  // namespace ricochet
