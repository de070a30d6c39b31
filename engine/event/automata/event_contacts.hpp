#pragma once

#include "engine/accounts/energy_ledger.hpp"
#include "engine/event/automata/contact_transitions.hpp"
#include "engine/event/automata/linear_contact.hpp"
#include "engine/event/automata/series_contacts.hpp"
#include "engine/event/automata/slip_turn.hpp"
#include "engine/event/chebyshev/long_step.hpp"
#include "engine/event/series/outlook.hpp"
#include "engine/event/series/taylor_expansion.hpp"
#include "engine/functions/function_series.hpp"
#include "engine/numerics/certified_root.hpp"
#include "engine/numerics/series.hpp"
#include "engine/numerics/state.hpp"

#include <utility>
#include <vector>

namespace ricochet {

/// The contacts of a run of the event scheme: what they put into the expansion, their guards over a step and
/// what follows when one vanishes. Laws are asked in `LinearForm`, `Series` and `double`; none is written
/// here.
class EventContacts {
 public:
  EventContacts(const ContactSet& set, const ModePlanes& planes, int order, double tolerance);

  std::size_t size() const noexcept { return contacts_.size() + series_.size(); }

  /// Takes over the states of a run at its start; see ContactTransitions::start.
  void start(ContactRun& run, const State& s, bool remembers);

  /// Passes the breakpoints at t.
  void advance(State& s) { transitions_.advance(s); }
  /// The next one, infinite if there is none.
  double nextBreakpoint() const noexcept { return transitions_.nextBreakpoint(); }

  /// Puts the contacts' forces and constraints into an expansion that is being built.
  void install(TaylorExpansion& expansion) noexcept;
  /// Gives it the coefficients known in advance, from t on.
  void provide(TaylorExpansion& expansion, FunctionSeries& functions, const State& s);
  /// Runs the orders: all at once, or one by one when a slip turns. False when states changed meanwhile.
  bool expand(TaylorExpansion& expansion, double t);
  /// Series of what the laws see, after the expansion.
  void collect(const TaylorExpansion& expansion);

  /// To find forces that are given as polynomials from the beginning.
  void forgetIntervals() noexcept { series_.forgetIntervals(); }
  /// Looks for the first guard to vanish in a step; if one does not hold at its start, for that one.
  Outlook examine(TaylorExpansion& expansion, double time, double step);
  /// Whether the series are to be found again, as a step of this length ends within polynomials among them.
  bool endsWithin(double step) noexcept { return series_.endsWithin(step); }

  // the same with steps that no high mode limits
  /// Whether the present states are ones that they take.
  bool allowsLongStep() const noexcept;
  bool anyClosed() const noexcept;
  /// Gives a step the forces known in advance: those that the expansion was given.
  void provide(LongStep& step, const TaylorExpansion& expansion) const noexcept;
  /// Series of what the laws see. False when they are not resolved: `error` is what the velocity may be off
  /// [m/s kg^1/2], `speed` that of the structure.
  bool collect(LongStep& step, double error, double speed);
  /// A guard that begins too near to zero to tell makes the outlook unclear.
  Outlook examineLong(double step);
  /// How far the root that ends a step is from the start of the present series, on either side, `most` at
  /// most [s]. From one root to the next a gap is better known than where they are, within touching.
  double offsetOf(const Outlook& outlook, const TaylorExpansion& expansion, double most);

  /// The state of a guard's contact as it is where the expansion starts.
  void bringToStart(const GuardRef& guard, const TaylorExpansion& expansion, double time) noexcept;
  /// Follows a guard that vanishes at s.time. Rigid impacts change s.v. Accounts take the energy that states
  /// hold or lose in between.
  void follow(const GuardRef& guard, State& s, ContactRun& run, EnergyLedger& ledger);

  /// Books work over the step just taken, and brings the states to its end.
  void accept(double step, double time, const TaylorExpansion& expansion, ContactRun& run,
              EnergyLedger& ledger) noexcept;

  /// To be called before the expansion of the step just taken is made anew: how far open contacts are still
  /// from their obstacles at least.
  void moveAlong(TaylorExpansion& expansion, double step) noexcept;

  void bookUntil(double t, double time, const TaylorExpansion& expansion, EnergyLedger& ledger) noexcept;
  void openAccounts(ContactRun& run) const noexcept { transitions_.openAccounts(run); }

  /// Shows the states at t in the step to the run, for output; `put` shows those of the present instant.
  void show(double t, double time, const TaylorExpansion& expansion, ContactRun& run) noexcept;
  void put(ContactRun& run) const noexcept;

  /// Whether a slip's direction is among the series of the present expansion.
  bool anyTurning() const noexcept { return !turns_.empty(); }

  /// Longest part of a step over which the series of order `order` tells where slips go, and what the springs
  /// of damped ones hold.
  double longestSlipStep(const TaylorExpansion& expansion, double step) noexcept;
  /// Slips in two dimensions get a direction of their own once they move; `speed` is that of the structure.
  void watchTurning(double speed, double t, double step) noexcept;

  /// Whether the expansion must be built anew.
  bool takeChanged() noexcept { return transitions_.takeChanged(); }

  /// Tells the run what happened since the last call.
  void handOver(ContactRun& run) { transitions_.handOver(run); }

  /// The expansion is built anew after reading.
  template <class Archive>
  void persist(Archive& archive) {
    archive.section("EventContacts");
    archive(contacts_, transitions_, series_);
    if constexpr (Archive::kReads) margins_.setZero();
  }

 private:
  friend class EventGuards;
  bool isLinear(int contact) const noexcept { return place_[static_cast<std::size_t>(contact)] >= 0; }
  LinearContact& of(int contact) noexcept {
    return contacts_[static_cast<std::size_t>(place_[static_cast<std::size_t>(contact)])];
  }
  void installNormal(TaylorExpansion& expansion, LinearContact& c) noexcept;
  void installTangents(TaylorExpansion& expansion, LinearContact& c) noexcept;
  void provideNormal(TaylorExpansion& expansion, FunctionSeries& functions, LinearContact& c, double t);
  void provideTangents(TaylorExpansion& expansion, FunctionSeries& functions, LinearContact& c, double t);
  void watchOpening(LinearContact& c, double speed) noexcept;
  bool unfold(TaylorExpansion& expansion, int k);
  template <class Source>
  static void collectGap(const Source& source, LinearContact& c, std::size_t orders);
  template <class Source>
  static void collectCompression(const Source& source, LinearContact& c, std::size_t orders);
  template <class Source>
  static void collectTangent(const Source& source, LinearContact& c, std::size_t a, std::size_t orders);
  template <class Source>
  void collectClosed(const Source& source, LinearContact& c, std::size_t orders);
  bool sampleGuards(LongStep& step, LinearContact& c, double error, double speed);
  double earliestClosing(TaylorExpansion& expansion, double step) noexcept;
  void screenOpenContacts(TaylorExpansion& expansion, double step) noexcept;
  void findReaches(const TaylorExpansion::Bands& paths) noexcept;
  double& marginOf(const LinearContact& c) noexcept {
    return margins_[place_[static_cast<std::size_t>(c.index)]];
  }
  static void relax(LinearContact& c, std::size_t orders) noexcept;
  static bool settle(LinearContact& c, std::size_t orders) noexcept;
  double longestDampedStep(LinearContact& c, int order, double step) const noexcept;

  const ContactSet* set_;
  int order_;
  double tolerance_;
  std::size_t orders_{0};  ///< coefficients that the series of forces have in the present step
  double slack_;  ///< noise of a quantity that vanishes only to the tolerance, over that of one that rounds
  std::vector<LinearContact> contacts_;  ///< those that are linear
  std::vector<int> place_;               ///< of every contact of the set: in contacts_, or -1
  // of contacts_, padded: while one is open it is at least so far from its obstacle, in b.q; how far it may
  // come in a step; its row in bands
  Vector margins_, reaches_;
  Matrix bands_;
  std::vector<LinearContact*> near_;  ///< open, and may be touched in the present step of power series
  ContactTransitions transitions_;    ///< of all
  SeriesContacts series_;             ///< the others
  std::vector<double> scratch_, scratch2_;
  SeriesTape tape_;
  std::vector<SlipTurn> turns_;
  SlipStarts starts_;
};

}  // namespace ricochet
