#pragma once

#include "engine/accounts/energy_ledger.hpp"
#include "engine/event/automata/contact_transitions.hpp"
#include "engine/event/automata/linear_contact.hpp"
#include "engine/event/automata/series_contacts.hpp"
#include "engine/event/automata/slip_turn.hpp"
#include "engine/event/automata/state_search.hpp"
#include "engine/event/chebyshev/long_step.hpp"
#include "engine/event/links/series_links.hpp"
#include "engine/event/series/outlook.hpp"
#include "engine/event/series/taylor_expansion.hpp"
#include "engine/functions/function_series.hpp"
#include "engine/numerics/certified_root.hpp"
#include "engine/numerics/series.hpp"
#include "engine/numerics/state.hpp"

#include <utility>
#include <vector>

namespace ricochet {

/// Outcome of a search for reactions that hold all sticks; `bySelfStress`: only where contacts that face each
/// other are pressed together, which was not permitted.
/// `ifIdleOpen`: once contacts that bear nothing are open.
enum class Sharing : std::uint8_t { none, found, ifIdleOpen, bySelfStress };

/// The contacts and links of a run of the event scheme: their forces and constraints in the expansion of the
/// motion, their guards over a step, and their transitions where a guard vanishes. Contact laws are evaluated
/// in `LinearForm`, `Series` and `double`.
class EventContacts {
 public:
  EventContacts(const ContactSet& set, const LinkSet& links, const ModePlanes& planes, int order,
                double tolerance, ImpactLaw law);

  std::size_t size() const noexcept { return contacts_.size() + series_.size(); }

  /// Copies the states of a run at its start; see ContactTransitions::start.
  void copyRunStates(ContactRun& run, const LinkRun& links, const State& s, bool remembers);

  /// Passes the breakpoints of functions of time at s.time, and a jump of the motion to `jumped` (null:
  /// none).
  void passBreakpoints(const State* jumped, State& s, ContactRun& run, EnergyLedger& ledger) {
    if (jumped != nullptr) {
      gapBounds_.setZero();
      series_.discardFittedForcePolynomials();
      links_.recordMotionJump();
    }
    transitions_.passBreakpoints(jumped, s, run, ledger);
    links_.advanceTimeFunctions(s.time);
  }
  /// Next breakpoint of a function of time [s]; infinite if there is none.
  double nextBreakpoint() const noexcept {
    return std::min(transitions_.nextBreakpoint(), links_.nextBreakpoint());
  }

  /// Adds the forces and constraints of all contacts to a new expansion.
  void addForces(TaylorExpansion& expansion) noexcept;
  /// Sets the coefficients of forces that are functions of time, from s.time on.
  void setForcesKnownInAdvance(TaylorExpansion& expansion, FunctionSeries& functions, const State& s);
  /// Computes the orders of the expansion: all at once, or one by one if a slip turns. Returns false if
  /// contact states have changed meanwhile, so that the expansion must be built again.
  bool expandMotionInPowerSeries(TaylorExpansion& expansion, State& s);
  /// Collects the series of gaps, positions and forces of contacts from the expansion.
  void collectContactSeries(const TaylorExpansion& expansion);

  /// Index of a link whose force jumps at its present displacement so that no piece of its law is valid; -1:
  /// none.
  int indexOfLinkWithoutValidPiece() const noexcept { return links_.indexOfLinkWithoutValidPiece(); }
  int indexOfLinkWithoutForce() const noexcept { return links_.indexOfLinkWithoutForce(); }
  /// Records the events of link laws in an accepted step that began at `begin`.
  void recordLinkEvents(double begin, const LinkRun& run, std::vector<Event>& events) const {
    links_.recordEvents(begin, run, events);
  }
  /// Adds the ends of the pieces of all link laws to `functions`, which end the step at kinks.
  void addKinksOfLinkLaws(FunctionSeries& functions) { links_.addKinksOfLinkLaws(functions); }

  /// Longest step over which the series of angles in laws of links are exact to the tolerance [s].
  double longestStepOfAccurateLinkSeries(double step, double sampling) const noexcept {
    return links_.longestStepOfAccurateSeries(step, sampling);
  }
  double longestStepForLinks() { return links_.longestStep(tolerance_); }

  /// Discards fitted polynomials of forces (series_fit.cpp): the next expansion computes new ones.
  void discardFittedForcePolynomials() noexcept { series_.discardFittedForcePolynomials(); }
  /// Finds the first guard that vanishes within the step, or a guard that does not hold at its start.
  /// `failing`, if given, receives all guards that do not hold at the start instead.
  Outlook findFirstEvent(TaylorExpansion& expansion, double time, double step,
                         std::vector<GuardRef>* failing = nullptr);
  /// Index of a contact that a step of length `step` brings to a place where its obstacle has no normal; -1:
  /// none.
  int contactAtSingularNormal(double step) const noexcept { return series_.contactAtSingularNormal(step); }
  /// True if a step of length `step` ends within the interval of a fitted force: the expansion must be
  /// repeated.
  bool doesStepEndInsideForceFit(double step) noexcept { return series_.doesStepEndInsideForceFit(step); }

  // For long steps, whose length the highest mode does not limit (LongStep): true if the present contact
  // states allow a long step.
  bool doContactsAllowLongStep() const noexcept;
  bool hasClosedContact() const noexcept;
  /// Sets the forces of a long step that are known in advance, from those of the expansion.
  void setForcesKnownInAdvance(LongStep& step, const TaylorExpansion& expansion) const noexcept;
  /// Collects the series of gaps, positions and forces of contacts from a long step. Returns false if the
  /// series are not resolved: `error` is the error of the velocity that is allowed, `speed` the velocity of
  /// the structure, both in modal coordinates [m/s kg^1/2].
  bool collectContactSeries(LongStep& step, double error, double speed);
  /// Finds the first guard that vanishes in a long step. The outlook is unclear if the sign of a guard at the
  /// start is uncertain.
  Outlook findFirstEventInLongStep(double step);
  /// Time from the start of the present series to the root that ended the long step [s], positive or
  /// negative; 0 if its size exceeds `most` [s]. The time is also 0 if the guard started at a root and the
  /// gap is within the touching tolerance: the gap is then more exact than the root.
  double timeToRootOfGuard(const Outlook& outlook, const TaylorExpansion& expansion, double most);

  /// Changes s.v by friction impulses without collision, see ContactTransitions::applyImpactWithoutCollision.
  bool applyImpactWithoutCollision(State& s, ContactRun& run, EnergyLedger& ledger);
  ImpactCounts& impactCounts() noexcept { return transitions_.impactCounts(); }
  /// Index of a contact in an impact whose impulses were not found; -1: none.
  int contactOfUnsolvedImpact() const noexcept { return transitions_.contactOfUnsolvedImpact(); }
  /// Sets the state of the contact of a guard to the start of the expansion.
  void moveContactToStepStart(const GuardRef& guard, const TaylorExpansion& expansion, double time) noexcept;
  /// Performs the transition of a guard that vanishes at s.time. Rigid impacts change s.v. The energy ledger
  /// receives the energy that states gain or lose in the transition.
  void applyGuardTransition(const GuardRef& guard, State& s, ContactRun& run, EnergyLedger& ledger);

  /// True if a rigid contact touching at rest would close at an instant at which another contact opened: the
  /// load passes from the other contact, and the states of both are found together.
  bool doesClosingTakeOverLoad(const GuardRef& guard, const State& s) const;

  /// Starts the search for the states of all contacts at their limit (StateSearch); false if there are no
  /// such contacts, or none of these states.
  bool startSearchForContactStates(const State& s, SearchScope scope) {
    search_.startSlipsOnStaticFrictionCone(transitions_.canStickTractionsBeShared());
    eventsBeforeSearch_ = transitions_.pendingEventCount();
    return search_.gatherContactsForStateSearch(transitions_.automata(), s, scope);
  }
  /// Starts the search for states with fewer changes than the present ones; false if there can be none.
  bool startSearchForFewerChanges(const State& s);
  /// Adds the candidates of that search that change a contact whose guard does not hold with the present one.
  void addCandidatesForFailingGuards(TaylorExpansion& expansion, double time, double step);
  /// True if the present candidate of that search has the states before the instant, which have ended.
  bool isCandidateOfStatesBefore() const noexcept { return search_.isCandidateOfStatesBefore(); }
  /// True if a guard ends a set-valued stick in a plane, or a rigid contact whose N < 0.
  bool isGuardOfReactionLimit(const GuardRef& guard) const noexcept;
  /// True if a guard ends a set-valued stick in a plane.
  bool isGuardOfPlanarStickEnd(const GuardRef& guard) const noexcept;
  /// Sets contacts to stick that can slip in a plane and have no slip rate; false if there are none.
  bool holdSticksAtRest(const State& s);
  /// Applies the next candidate states to the contacts; false after the last candidate, when the contacts
  /// have their previous states again.
  bool applyNextCandidateStates();
  /// See StateSearch::isStateProposalDue, openAllGatheredContacts and proposeContactStates.
  bool isStateProposalDue() const noexcept { return search_.isStateProposalDue(); }
  bool openContactsOfStateSearch();
  /// Closes rigid contacts that are open, touch at rest and neither approach nor separate in the expansion,
  /// and lets slips stick that do not move in it: other contacts hold them there, and they bear a share of
  /// the load. Removes what is left of their rates from s. False if there are none. `onCone`: also
  /// slips that others hold on their cones. Idle contacts are left out.
  bool closeContactsHeldByOthers(const TaylorExpansion& expansion, State& s, bool onCone);
  /// True if contacts were idle when reactions were last shared out: they bore nothing, and face contacts
  /// that did, so that both must not be closed.
  bool hasIdleContacts() const noexcept { return !idle_.empty(); }
  void forgetIdleContacts() noexcept { idle_.clear(); }
  /// Closes rigid contacts that touch at rest but begin to slide in the expansion: they slip against their
  /// accelerations. False if there are none.
  bool closeContactsThatStartSliding(const TaylorExpansion& expansion, const State& s);
  /// True once after slips lost their speed between transitions: other contacts may hold them.
  bool takeSlipStoppedFlag() noexcept { return transitions_.takeSlipStoppedFlag(); }
  /// True if others hold a slip on its cone in the present expansion.
  bool isAnyContactHeldOnCone() const {
    return std::ranges::any_of(transitions_.automata(), &ContactAutomaton::isHeldOnCone);
  }
  /// Gives the contacts their states before `closeContactsHeldByOthers` or `openUnloadedContacts`.
  void restoreStatesBeforeStateSearch();
  void proposeContactStates(const State& s, const State& later) { search_.proposeContactStates(s, later); }
  /// True if constraints of the present expansion depend on each other: their reactions are not unique, and
  /// the motion may not satisfy all of them.
  bool hasDependentConstraints(const TaylorExpansion& expansion) const noexcept {
    return expansion.hasDependentConstraints() || series_.hasDependentReactions();
  }
  /// Index of a contact whose constraint the expansion, for a step of length `step` [s], does not satisfy;
  /// -1: none.
  int violatingContact(const TaylorExpansion& expansion, double step);
  /// Records that the reactions of the expansion are not unique: contacts that stick may share their
  /// tractions.
  void recordSharedTractions(const TaylorExpansion& expansion) noexcept {
    transitions_.recordSharedTractions(hasDependentConstraints(expansion));
  }
  /// Shares out the reactions of contacts at rest that the expansion leaves open, so that the sticks hold as
  /// long as possible; none if they are unique, or at their limits now. Self-stress between contacts is used
  /// only if `maySelfStress`. `contact`: the one whose reactions are at a limit; `horizon`: time ahead [s].
  Sharing distributeReactionsOfRestingContacts(const TaylorExpansion& expansion, int contact, double horizon,
                                               bool maySelfStress);
  /// Opens the contacts without a force in the last sharing of the reactions at rest: they touch only.
  void openUnloadedContacts(const State& s);
  /// Time for which the shares that were found hold all sticks [s].
  double durationOfSharedTractions() const noexcept;
  /// Lets the tractions of slips on their static cones drop to mu_d N that move in the expansion; to be
  /// called when all guards hold. Returns the index of one of these contacts; -1: none.
  int dropTractionsOfContactsThatSlide(const TaylorExpansion& expansion, double t);
  /// Accepts the present candidate as the contact states at this instant.
  void acceptCandidateContactStates(const TaylorExpansion& expansion, const State& s, ContactRun& run,
                                    EnergyLedger& ledger);
  /// Removes rates within the drift from the velocity, see StateSearch::removeDriftRatesFromVelocity.
  bool removeDriftRatesFromVelocity(State& s) const { return search_.removeDriftRatesFromVelocity(s); }

  /// Adds the work of the last step to the energy ledger, and moves the contact states to its end.
  void acceptStep(double step, double time, const TaylorExpansion& expansion, ContactRun& run,
                  EnergyLedger& ledger) noexcept;

  /// Updates the lower bounds of gaps of open contacts after a step; to be called before the expansion of
  /// that step is overwritten.
  void updateLowerBoundsOfGaps(TaylorExpansion& expansion, double step) noexcept;

  void addWorkUpToTime(double t, double time, const TaylorExpansion& expansion, ContactRun& run,
                       EnergyLedger& ledger) noexcept;
  void initializeTotals(ContactRun& run) const noexcept { transitions_.initializeTotals(run); }
  void keepImpactEventsAtRunStart(ContactRun& run) const { transitions_.keepImpactEventsAtRunStart(run); }

  /// Copies the contact states at time t of the step to the run, for output; `reportStatesToRun` copies those
  /// of the present instant.
  void reportStatesToRunAt(double t, double time, const TaylorExpansion& expansion, ContactRun& run,
                           LinkRun& links) noexcept;
  void reportStatesToRun(ContactRun& run, LinkRun& links) const noexcept;

  /// True if the direction of a slip has a series in the present expansion.
  bool hasTurningSlip() const noexcept { return !turns_.empty(); }
  /// True if the motion has forces that are no linear functions of it; its series may then lack some orders.
  bool hasForcesNonlinearInMotion() const noexcept {
    return !turns_.empty() || series_.isSolvedOrderByOrder() || !links_.empty();
  }

  /// Longest part of a step over which the series resolve the directions of slips and the springs of damped
  /// slips.
  double longestStepForFriction(const TaylorExpansion& expansion, double step) noexcept;
  /// Restarts slips in a plane whose speed is only rounding of earlier steps.
  void restartSlowSlips();
  /// Starts the series of the direction of a slip in a plane that has gained speed, and ends the series of a
  /// slip that has lost its speed; `elapsed`: time since the start of the run [s].
  void updateSlipDirections(const State& s, double elapsed, double step) noexcept;

  /// Sets the rounding errors that earlier steps left in the motion.
  void setMotionRoundingErrors(const MotionRounding& rounding) noexcept {
    for (ContactAutomaton* c : transitions_.automata()) c->rounding = rounding;
  }

  /// Returns true if the expansion must be built again, and clears this flag.
  bool takeStateChangedFlag() noexcept { return transitions_.takeStateChangedFlag(); }

  /// Passes the events since the last call to the run.
  void passNewEventsToRun(ContactRun& run) { transitions_.passNewEventsToRun(run); }

  /// Reads or writes the contacts; the expansion is built again after reading.
  template <class Archive>
  void serialise(Archive& archive) {
    archive.beginSection("EventContacts");
    archive(contacts_, transitions_, series_, links_);
    if constexpr (Archive::kReads) gapBounds_.setZero();
  }

 private:
  friend class LinearGuards;
  bool isLinearContact(int contact) const noexcept { return place_[static_cast<std::size_t>(contact)] >= 0; }
  LinearContact& linearContact(int contact) noexcept {
    return contacts_[static_cast<std::size_t>(place_[static_cast<std::size_t>(contact)])];
  }
  void setPhaseOfContacts(std::span<const int> which, Phase phase, const State& s,
                          std::span<const Tangential<double>> tractions = {});
  void discardDataOfOldContactStates() noexcept;
  void addNormalForce(TaylorExpansion& expansion, LinearContact& c) noexcept;
  void addTangentialForces(TaylorExpansion& expansion, LinearContact& c) noexcept;
  void setImposedNormalForceSeries(TaylorExpansion& expansion, FunctionSeries& functions, LinearContact& c,
                                   double t);
  void setTangentialMotionSeries(TaylorExpansion& expansion, FunctionSeries& functions, LinearContact& c,
                                 double t);
  void keepSlipDirectionFixedBeforeOpening(LinearContact& c, double speed) noexcept;
  bool computeMotionOfOrder(TaylorExpansion& expansion, int k);
  template <class Source>
  static void collectGapSeries(const Source& source, LinearContact& c, std::size_t orders);
  template <class Source>
  static void collectCompressionSeries(const Source& source, LinearContact& c, std::size_t orders);
  template <class Source>
  static void collectTractionAndSlipSeries(const Source& source, LinearContact& c, std::size_t a,
                                           std::size_t orders);
  template <class Source>
  void collectSeriesOfClosedContact(const Source& source, LinearContact& c, std::size_t orders);
  bool sampleGapInLongStep(LongStep& step, LinearContact& c, double error, double speed);
  double earliestClosingTime(TaylorExpansion& expansion, double step) noexcept;
  void skipContactsThatCannotClose(TaylorExpansion& expansion, double step) noexcept;
  void computeMotionBounds(const TaylorExpansion::Bands& paths) noexcept;
  double& lowerBoundOfGap(const LinearContact& c) noexcept {
    return gapBounds_[place_[static_cast<std::size_t>(c.index)]];
  }
  static void expandSpringForceExcess(LinearContact& c, std::size_t orders) noexcept;
  static bool tryNeglectingSpringTransient(LinearContact& c, std::size_t orders) noexcept;
  double longestStepForDampedContacts(LinearContact& c, int order, double step) const noexcept;

  const ContactSet* set_;
  int order_;
  double tolerance_;
  std::size_t orders_{0};  ///< number of force coefficients in the present step
  /// Rounding level of a quantity that vanishes to the tolerance, relative to one that vanishes to rounding.
  double slack_;
  std::vector<LinearContact> contacts_;  ///< contacts with linear forces
  std::vector<int> place_;               ///< index in contacts_ of each contact of the set, or -1
  // Arrays over contacts_, padded: lower bound of the distance of an open contact from its obstacle, in b.q;
  // bound of its motion in a step; norms of its row in bands of modes.
  Vector gapBounds_, motionBounds_;
  Matrix bands_;
  std::vector<LinearContact*> contactsInReach_;  ///< open contacts that may close in the present step
  ContactTransitions transitions_;               ///< transitions of all contacts
  StateSearch search_;
  std::vector<int> held_;              ///< contacts that closeContactsHeldByOthers closes or lets stick
  std::vector<GuardRef> failing_;      ///< guards that do not hold with a candidate
  std::vector<int> idle_;              ///< contacts that openUnloadedContacts opens
  std::size_t eventsBeforeSearch_{0};  ///< number of pending events at the start of the search
  SeriesContacts series_;              ///< contacts with nonlinear forces
  SeriesLinks links_;
  std::vector<double> scratch_, scratch2_;
  SeriesTape tape_;
  std::vector<SlipTurn> turns_;
  SlipStarts starts_;
};

}  // namespace ricochet
