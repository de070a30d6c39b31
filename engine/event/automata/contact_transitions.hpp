#pragma once

#include "engine/accounts/energy_ledger.hpp"
#include "engine/event/automata/contact_automaton.hpp"
#include "engine/event/automata/rigid_impact.hpp"

#include <span>
#include <utility>
#include <vector>

namespace ricochet {

/// Transitions where a guard of a contact vanishes or a velocity jumps, for all kinds of contact force:
/// transitions of the normal law and of friction, impacts of rigid contacts, and the recorded events.
class ContactTransitions {
 public:
  /// `slack`: rounding level of a quantity that vanishes only to the tolerance, divided by the level of a
  /// quantity that vanishes to rounding.
  ContactTransitions(double slack, ImpactLaw law) : slack_(slack), impact_(law) { pending_.reserve(64); }

  /// Adds a contact; the caller owns it and must not move it.
  void addContactAutomaton(ContactAutomaton& c) { automata_.push_back(&c); }

  /// Copies the contact states of a run at its start, and determines the states of rigid contacts and
  /// set-valued sticks, which only the event scheme has. `remembers`: closed contacts were already closed
  /// before the run and keep the force of their springs.
  void copyRunStates(ContactRun& run, const State& s, const ContactSet& set, bool remembers);
  /// Passes the breakpoints at s.time, and a jump of the motion to `jumped` (null: none). Jumps of the
  /// motion, of surface velocities and of the velocities of supports may end sticks, as an impact does, and
  /// may be impacts of rigid contacts.
  void passBreakpoints(const State* jumped, State& s, ContactRun& run, EnergyLedger& ledger);
  /// Next breakpoint of a function of time [s]; infinite if there is none.
  double nextBreakpoint() const noexcept;

  /// Performs the transition of a guard that vanishes at s.time. Rigid impacts change s.v. The energy ledger
  /// receives the energy that states gain or lose in the transition.
  void applyGuardTransition(const GuardRef& guard, State& s, ContactRun& run, EnergyLedger& ledger);
  /// Records the events of contacts whose states at instant t were found together, from the states before t;
  /// moves(contact) is true if a slip leaves rest.
  template <class Moves>
  void recordEventsOfFoundStates(std::span<ContactAutomaton* const> contacts, double t, ContactRun& run,
                                 const Moves& moves);
  /// Counts energy that the spring of a stick lost in a change of states as friction [J].
  static void addLostSpringEnergyToFriction(ContactAutomaton& c, double energy, ContactRun& run,
                                            EnergyLedger& ledger) noexcept {
    c.state.storedTangential = c.stickEnergy();
    addFrictionEnergy(c, run, ledger, energy);
  }
  std::span<ContactAutomaton* const> automata() const noexcept { return automata_; }
  /// Cancels the start of a slip: the contact sticks under the tractions of other contacts. Its slip rate is
  /// rounding and would persist in the stick; it is projected out of s.v, like the rates of all contacts at
  /// rest.
  void cancelSlipStart(ContactAutomaton& c, State& s);
  /// Notes that slips have lost their speed between transitions: they may stick.
  void recordStoppedSlips(bool stopped = true) noexcept { slipsStopped_ |= stopped; }
  bool takeSlipStoppedFlag() noexcept { return std::exchange(slipsStopped_, false); }
  void projectOutSlipRatesOfSticks(State& s) noexcept;

  /// Ends the present instant after a step: no guard has a root at the start of the next step. If time has
  /// advanced (`moved`), the records of the previous instant are cleared too.
  void clearRecordsOfPresentInstant(bool moved) noexcept;

  /// Initialises impulse, friction energy and peak force of all contacts at the start of a run.
  void initializeTotals(ContactRun& run) const noexcept;

  /// Ends the start of a run: keeps the events and totals of contacts that were struck at this instant. The
  /// other contacts have found their states without an event.
  void keepImpactEventsAtRunStart(ContactRun& run) const;

  /// Delivers the events since the last call to the run. A slip that stopped and started again at one
  /// instant counts as continuous.
  void passNewEventsToRun(ContactRun& run);

  /// Changes s.v by friction impulses between rigid contacts that do not approach, if no contact states
  /// satisfy all guards (RigidImpact::solveImpactWithoutCollision). Returns false if there are no such
  /// impulses.
  bool applyImpactWithoutCollision(State& s, ContactRun& run, EnergyLedger& ledger);

  ImpactCounts& impactCounts() noexcept { return impact_.impactCounts(); }
  /// Index of a contact in an impact whose impulses were not found; -1: none.
  int contactOfUnsolvedImpact() const noexcept { return unsolvedImpact_; }

  /// Marks the expansion as outdated, since a contact state changed.
  void markContactStateChange(bool changed = true) noexcept { changed_ |= changed; }
  bool takeStateChangedFlag() noexcept { return std::exchange(changed_, false); }

  /// Records that the reactions of an expansion at this instant are not unique.
  void recordSharedTractions(bool shared) noexcept { sharesTractions_ |= shared; }
  /// True if contacts that stick may share tractions on their cones: reactions at this instant are not
  /// unique, or a contact is on its static cone already.
  bool canStickTractionsBeShared() const noexcept;
  /// Lets the traction of a slip on its static cone drop to mu_d N: the contact moves.
  void dropTractionToDynamicFriction(ContactAutomaton& c, double t);
  std::size_t pendingEventCount() const noexcept { return pending_.size(); }
  /// Discards the last events, which a rejected candidate recorded.
  void discardPendingEventsBeyondCount(std::size_t count) {
    pending_.resize(std::min(count, pending_.size()));
  }

  template <class Archive>
  void serialise(Archive& archive) {
    archive.beginSection("ContactTransitions");
    archive(pending_, impact_.impactCounts(), slipsStopped_);
    if constexpr (Archive::kReads) changed_ = true;
  }

 private:
  void settleJumpsOfGapRates(bool all, State& s, ContactRun& run, EnergyLedger& ledger);
  void openAfterImpact(ContactAutomaton& c, const State& s, ContactRun& run, EnergyLedger& ledger);
  void deleteEventsOfContact(const ContactAutomaton& c, double t, ContactRun& run);
  void recordFrictionEvents(ContactAutomaton& c, double t, bool moves);
  void recordEvent(ContactAutomaton& c, EventKind kind, double t) { pending_.push_back({t, c.index, kind}); }
  void recordBreakawayEvent(ContactAutomaton& c, const Tangential<double>& before, double t);

  void applyNormalTransition(ContactAutomaton& c, std::size_t guard, const GuardRef& ref, State& s,
                             ContactRun& run, EnergyLedger& ledger);
  void closeContact(ContactAutomaton& c, bool fromOpen, bool jumped, const State& s, ContactRun& run);
  void openContact(ContactAutomaton& c, NormalState from, const GuardRef& ref, double t);
  void endFrictionAtTension(ContactAutomaton& c, double t, ContactRun& run, EnergyLedger& ledger);
  void restartFrictionAfterTension(ContactAutomaton& c, bool jumped, const State& s, ContactRun& run,
                                   EnergyLedger& ledger);
  void applyFrictionTransition(ContactAutomaton& c, const GuardRef& guard, State& s, ContactRun& run,
                               EnergyLedger& ledger);
  void stopSlip(ContactAutomaton& c, const FrictionMemory<double>& before, double t);
  void startSlip(ContactAutomaton& c, GuardSlot slot, const FrictionMemory<double>& before, double t);

  static void addFrictionEnergy(const ContactAutomaton& c, ContactRun& run, EnergyLedger& ledger,
                                double energy) noexcept;
  void attachFrictionSpring(ContactAutomaton& c, const State& s, bool fromZero = false);
  void keepSpringForceFromEarlierRun(ContactAutomaton& c, const State& s) noexcept;
  void restartFriction(ContactAutomaton& c, const State& s);
  void turnSlipIntoStickAfterForceJump(ContactAutomaton& c, double t);
  void removeSlipRate(ContactAutomaton& c, State& s) noexcept;
  void projectOutContactRates(State& s, const ContactAutomaton* stopping) noexcept;
  void resetContactToOpen(ContactAutomaton& c, ContactRun& run, EnergyLedger& ledger) noexcept;

  static void recordStickDrift(ContactAutomaton& c, const State& s, bool endsBounces) noexcept;
  void updateStickAfterVelocityJump(ContactAutomaton& c, State& s);

  void resolveImpact(const ContactAutomaton& hit, State& s, ContactRun& run, EnergyLedger& ledger);
  void recordMotionBeforeImpact(const State& s, bool endsBounces) noexcept;
  void endImpact(const ContactAutomaton* hit, State& s, ContactRun& run, EnergyLedger& ledger);
  ContactAutomaton& automatonOfImpactingContact(const ImpactingContact& striker) const noexcept {
    return *automata_[static_cast<std::size_t>(striker.contact)];
  }
  void projectOutContactGaps(State& s) noexcept;
  void endImpactOfContact(const ImpactingContact& striker, bool leaves, State& s, ContactRun& run,
                          EnergyLedger& ledger);
  void closeContactAfterImpact(const ImpactingContact& striker, State& s);

  void recordFrictionChange(ContactAutomaton& c) const noexcept;
  bool canStayOnStaticFrictionCone(const ContactAutomaton& c) const noexcept {
    return c.doesStickTractionDropAtSlipStart() && canStickTractionsBeShared();
  }

  double guardTolerance() const noexcept { return 10.0 * slack_ * kNoise; }

  double slack_;
  RigidImpact impact_;
  std::vector<ContactAutomaton*> automata_;  ///< automata by contact index
  std::vector<Event> pending_;
  bool changed_{true};
  bool slipsStopped_{false};
  bool sharesTractions_{false};  ///< see recordSharedTractions
  int unsolvedImpact_{-1};
};

template <class Moves>
void ContactTransitions::recordEventsOfFoundStates(std::span<ContactAutomaton* const> contacts, double t,
                                                   ContactRun& run, const Moves& moves) {
  for (ContactAutomaton* each : contacts) {
    ContactAutomaton& c = *each;
    deleteEventsOfContact(c, t, run);
    const bool wasOpen = c.phaseBefore == Phase::open;
    if (wasOpen && (c.isClosed() || c.openedNow)) {
      recordEvent(c, EventKind::closing, t);
      ++run.totalsOfContact(static_cast<std::size_t>(c.index)).impacts;
    }
    if (!c.isClosed() && (!wasOpen || c.openedNow)) recordEvent(c, EventKind::opening, t);
    if (c.isClosed() && !wasOpen && c.hasTraction()) recordFrictionEvents(c, t, moves(c));
    c.closedNow = wasOpen && c.isClosed();
  }
}

}  // namespace ricochet
