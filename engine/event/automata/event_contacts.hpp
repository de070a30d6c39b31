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

/// The contacts and links of a run of the event scheme: their forces and constraints in the expansion of the
/// motion, their guards over a step, and their transitions where a guard vanishes. Contact laws are evaluated
/// in `LinearForm`, `Series` and `double`.
class EventContacts {
 public:
  EventContacts(const ContactSet& set, const LinkSet& links, const ModePlanes& planes, int order,
                double tolerance, ImpactLaw law);

  std::size_t size() const noexcept { return contacts_.size() + series_.size(); }

  /// Takes over the states of a run at its start; see ContactTransitions::start.
  void copyRunStates(ContactRun& run, const LinkRun& links, const State& s, bool remembers);

  /// Passes the breakpoints of functions of time at s.time.
  void passBreakpoints(State& s) {
    transitions_.passBreakpoints(s);
    links_.advanceFunctions(s.time);
  }
  /// The next breakpoint [s]; infinite if there is none.
  double nextBreakpoint() const noexcept {
    return std::min(transitions_.nextBreakpoint(), links_.nextBreakpoint());
  }

  /// Puts the contacts' forces and constraints into an expansion that is being built.
  void addForces(TaylorExpansion& expansion) noexcept;
  /// Gives the expansion the coefficients of forces that functions of time tell from s.time on.
  void setForceInputs(TaylorExpansion& expansion, FunctionSeries& functions, const State& s);
  /// Runs the orders of the expansion: all at once, or one by one where a slip turns. False if contact states
  /// changed meanwhile: the expansion is to be built again.
  bool expandMotion(TaylorExpansion& expansion, State& s);
  /// Collects the series of gaps, positions and forces of contacts from the expansion.
  void collectSeries(const TaylorExpansion& expansion);

  /// Link whose force jumps where the motion would stay; -1: none.
  int linkWithoutPiece() const noexcept { return links_.linkWithoutPiece(); }
  /// Records events of the laws of links in a step of this length, which was accepted.
  void recordLinkEvents(double step, const LinkRun& run, std::vector<Event>& events) const {
    links_.recordEvents(step, run, events);
  }
  /// Gives the ends of pieces of the laws of links to the functions at whose kinks a step ends.
  void addKinks(FunctionSeries& functions) { links_.addKinks(functions); }

  /// Longest step over which the series of angles in laws of links are exact to the tolerance [s].
  double longestLinkStep() { return links_.longestStep(tolerance_); }

  /// Discards fitted polynomials of forces (series_fit.cpp): the next expansion fits them anew.
  void discardFits() noexcept { series_.discardFits(); }
  /// Finds the first guard that vanishes within the step, or a guard that does not hold at its start.
  Outlook findFirstEvent(TaylorExpansion& expansion, double time, double step);
  /// Contact that a step of this length brings to a place where its obstacle has no normal; -1: none.
  int contactWithoutNormal(double step) const noexcept { return series_.contactWithoutNormal(step); }
  /// Whether a step of this length ends within the interval of a fitted force: the expansion is to be
  /// repeated.
  bool stepEndsInsideFit(double step) noexcept { return series_.stepEndsInsideFit(step); }

  // long steps, whose length the highest mode does not limit (LongStep)
  /// Whether long steps can take the present contact states.
  bool allowsLongStep() const noexcept;
  bool hasClosedContact() const noexcept;
  /// Gives a long step the forces known in advance: those that the expansion was given.
  void setForceInputs(LongStep& step, const TaylorExpansion& expansion) const noexcept;
  /// Collects the series of gaps, positions and forces of contacts from a long step. False if they are not
  /// resolved: `error` is the error of the velocity that is allowed, `speed` the velocity of the structure,
  /// both in modal coordinates [m/s kg^1/2].
  bool collectSeries(LongStep& step, double error, double speed);
  /// Finds the first guard that vanishes in a long step. The outlook is unclear if a guard begins too near to
  /// zero to tell its sign.
  Outlook findFirstEventInLongStep(double step);
  /// Offset in time from the start of the present series to the root that ended the long step, of either
  /// sign; 0 if its size exceeds `most` [s]. The offset is also 0 if the guard started at a root and its
  /// value is within the touching tolerance: the gap is then more exact than the root.
  double timeToRoot(const Outlook& outlook, const TaylorExpansion& expansion, double most);

  /// See ContactTransitions::strikeWithoutCollision.
  bool strikeWithoutCollision(State& s, ContactRun& run, EnergyLedger& ledger);
  ImpactCounts& impactCounts() noexcept { return transitions_.impactCounts(); }
  /// Contact of an impact whose impulses were not found; -1: none.
  int unsolvedImpact() const noexcept { return transitions_.unsolvedImpact(); }
  /// Brings the state of a guard's contact to the start of the expansion.
  void moveToStepStart(const GuardRef& guard, const TaylorExpansion& expansion, double time) noexcept;
  /// Follows a guard that vanishes at s.time. Rigid impacts change s.v. Accounts take the energy that states
  /// hold or lose in between.
  void applyGuardTransition(const GuardRef& guard, State& s, ContactRun& run, EnergyLedger& ledger);

  /// Whether a rigid contact that touches at rest would close at an instant at which another one opened: one
  /// takes over from the other, and which stay is found together.
  bool takesOver(const GuardRef& guard, const State& s) const;

  /// The states of all contacts at their limit are to be found together (StateSearch); false if there are
  /// none. `drifts` and `unloads`: see StateSearch::gatherSoughtContacts.
  bool startSearch(const State& s, bool drifts, bool unloads) {
    return search_.gatherSoughtContacts(transitions_.automata(), s, drifts, unloads);
  }
  /// Whether a guard ends a set-valued stick in a plane.
  bool isStickEndInPlane(const GuardRef& guard) const noexcept;
  /// Lets contacts stick that can slide in a plane and have no slip rate; false if there are none.
  bool holdSticksAtRest(const State& s);
  /// Puts the next candidate into the contacts; false after the last, when their states are as before.
  bool nextCandidate();
  /// Whether constraints of the present expansion depend on each other: their reactions are not unique, and
  /// the motion need not satisfy them.
  bool hasDependentConstraints(const TaylorExpansion& expansion) const noexcept {
    return expansion.hasDependentConstraints() || series_.hasDependentReactions();
  }
  /// Contact whose constraint the expansion does not satisfy; -1: none.
  int violatedConstraint(const TaylorExpansion& expansion);
  /// Takes the present candidate as the state at this instant.
  void acceptCandidate(const TaylorExpansion& expansion, const State& s, ContactRun& run);
  /// See StateSearch::removeDrift.
  bool removeDrift(State& s) const { return search_.removeDrift(s); }

  /// Books work over the step just taken, and brings the states to its end.
  void acceptStep(double step, double time, const TaylorExpansion& expansion, ContactRun& run,
                  EnergyLedger& ledger) noexcept;

  /// Updates the lower bounds of gaps of open contacts after a step; to be called before the expansion of
  /// that step is overwritten.
  void reduceGapBounds(TaylorExpansion& expansion, double step) noexcept;

  void addWorkUntil(double t, double time, const TaylorExpansion& expansion, EnergyLedger& ledger) noexcept;
  void initializeTotals(ContactRun& run) const noexcept { transitions_.initializeTotals(run); }

  /// Shows the states at t in the step to the run, for output; `reportStates` shows those of the present
  /// instant.
  void reportStatesAt(double t, double time, const TaylorExpansion& expansion, ContactRun& run,
                      LinkRun& links) noexcept;
  void reportStates(ContactRun& run, LinkRun& links) const noexcept;

  /// Whether the direction of some slip has a series in the present expansion.
  bool hasTurningSlip() const noexcept { return !turns_.empty(); }

  /// Longest part of a step over which the series resolve the directions of slips and the springs of damped
  /// slips.
  double longestFrictionStep(const TaylorExpansion& expansion, double step) noexcept;
  /// Restarts slips in a plane whose speed is rounding of earlier steps only.
  void restartSlowSlips();
  /// Gives slips in a plane that gained speed a direction of their own, and takes it from those that lost
  /// their speed; `elapsed`: time of the run so far [s].
  void updateSlipDirections(const State& s, double elapsed, double step) noexcept;

  /// Sets the rounding that earlier steps left in the motion.
  void setRounding(const MotionRounding& rounding) noexcept {
    for (ContactAutomaton* c : transitions_.automata()) c->rounding = rounding;
  }

  /// Whether the expansion must be built anew.
  bool takeChangedFlag() noexcept { return transitions_.takeChangedFlag(); }

  /// Tells the run what happened since the last call.
  void deliverEvents(ContactRun& run) { transitions_.deliverEvents(run); }

  /// The expansion is built anew after reading.
  template <class Archive>
  void persist(Archive& archive) {
    archive.beginSection("EventContacts");
    archive(contacts_, transitions_, series_, links_);
    if constexpr (Archive::kReads) gapBounds_.setZero();
  }

 private:
  friend class LinearGuards;
  bool isLinear(int contact) const noexcept { return place_[static_cast<std::size_t>(contact)] >= 0; }
  LinearContact& linearContact(int contact) noexcept {
    return contacts_[static_cast<std::size_t>(place_[static_cast<std::size_t>(contact)])];
  }
  void addNormalForce(TaylorExpansion& expansion, LinearContact& c) noexcept;
  void addTangentForces(TaylorExpansion& expansion, LinearContact& c) noexcept;
  void setNormalInputs(TaylorExpansion& expansion, FunctionSeries& functions, LinearContact& c, double t);
  void setTangentInputs(TaylorExpansion& expansion, FunctionSeries& functions, LinearContact& c, double t);
  void fixDirectionBeforeOpening(LinearContact& c, double speed) noexcept;
  bool computeOrder(TaylorExpansion& expansion, int k);
  template <class Source>
  static void collectGap(const Source& source, LinearContact& c, std::size_t orders);
  template <class Source>
  static void collectCompression(const Source& source, LinearContact& c, std::size_t orders);
  template <class Source>
  static void collectTangentialSeries(const Source& source, LinearContact& c, std::size_t a,
                                      std::size_t orders);
  template <class Source>
  void collectClosedContact(const Source& source, LinearContact& c, std::size_t orders);
  bool sampleGap(LongStep& step, LinearContact& c, double error, double speed);
  double earliestClosingTime(TaylorExpansion& expansion, double step) noexcept;
  void screenOpenContacts(TaylorExpansion& expansion, double step) noexcept;
  void computeMotionBounds(const TaylorExpansion::Bands& paths) noexcept;
  double& gapBound(const LinearContact& c) noexcept {
    return gapBounds_[place_[static_cast<std::size_t>(c.index)]];
  }
  static void expandSpringExcess(LinearContact& c, std::size_t orders) noexcept;
  static bool tryDroppingSpringTransient(LinearContact& c, std::size_t orders) noexcept;
  double longestDampedStep(LinearContact& c, int order, double step) const noexcept;

  const ContactSet* set_;
  int order_;
  double tolerance_;
  std::size_t orders_{0};  ///< coefficients that the series of forces have in the present step
  double slack_;  ///< noise of a quantity that vanishes only to the tolerance, over that of one that rounds
  std::vector<LinearContact> contacts_;  ///< of linear forces
  std::vector<int> place_;               ///< index in contacts_ of each contact of the set, or -1
  // of contacts_, padded: lower bound of the distance of an open contact from its obstacle, in b.q; bound of
  // its motion in a step; norms of its row in bands of modes
  Vector gapBounds_, motionBounds_;
  Matrix bands_;
  std::vector<LinearContact*> contactsInReach_;  ///< open contacts that may close in the present step
  ContactTransitions transitions_;               ///< transitions of all contacts
  StateSearch search_;
  SeriesContacts series_;  ///< contacts of other forces
  SeriesLinks links_;
  std::vector<double> scratch_, scratch2_;
  SeriesTape tape_;
  std::vector<SlipTurn> turns_;
  SlipStarts starts_;
};

}  // namespace ricochet
