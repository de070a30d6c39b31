#pragma once

#include "engine/accounts/energy_ledger.hpp"
#include "engine/accounts/events.hpp"
#include "engine/contact/contact.hpp"
#include "engine/contact/contact_accounts.hpp"
#include "engine/contact/contact_areas.hpp"
#include "engine/contact/followed_contacts.hpp"
#include "engine/contact/gap_watch.hpp"
#include "engine/contact/held_contacts.hpp"
#include "engine/contact/try_contact.hpp"
#include "engine/functions/time_function.hpp"
#include "engine/numerics/kernels.hpp"

#include <algorithm>
#include <span>
#include <vector>

namespace ricochet {

/// Motion at which contacts are evaluated: generalized displacement q, and velocity v + dv a.
struct Motion {
  const double* q;
  const double* v;
  double dv;
  const double* a;
};

/// The contacts of a model and their rows, laid out for the hot loop: one row per contact dof, contiguous in
/// modes, padded with zeros and aligned; the rows of all gaps first, then those along the second axis, the
/// third, each padded to a multiple of kLanes, then the rotations of contact areas. Constant during a run and
/// shared by the runs of a batch.
class ContactSet {
 public:
  ContactSet() = default;
  ContactSet(std::vector<Contact> contacts, Eigen::Index modes);

  int size() const noexcept { return static_cast<int>(contacts_.size()); }
  const Contact& contact(int i) const { return contacts_[static_cast<std::size_t>(i)]; }
  const std::vector<Contact>& contacts() const noexcept { return contacts_; }
  bool hasTraction(int i) const { return hasTraction_[static_cast<std::size_t>(i)] != 0; }

  /// Whether a contact is an area that spins.
  bool isArea(int i) const { return contacts_[static_cast<std::size_t>(i)].patch != nullptr; }

  /// Whether the tangent plane of a contact turns, or what it touches moves.
  bool isFollowed(int i) const { return isFollowed_[static_cast<std::size_t>(i)] != 0; }

  /// Whether a contact is a circle or a disc at rest and its body moves across the axis only: its laws are
  /// then evaluated in that plane (round_contacts.cpp).
  bool isRound(std::size_t i) const noexcept { return isRound_[i] != 0; }

  /// Whether b_0 q alone tells if a contact is open.
  bool isByInterval(std::size_t i) const noexcept {
    return contacts_[i].drift.empty() && !isCurved(contacts_[i].obstacle);
  }

  /// Gap of a contact whose obstacle does not move, from b_axis q at places[axis * stride()].
  double gapFrom(int contact, const double* places) const noexcept;

  /// Rotation of a contact area about e2 x e3 and its rate [rad], or of a body that rolls (times its radius).
  AxisMotion spin(int contact, const Motion& motion) const noexcept;

  /// Interval of b_0 q in which a contact is certainly open.
  const FreeInterval& freeInterval(std::size_t i) const noexcept { return free_[i]; }

  /// Row of local axis 0, 1 or 2 of a contact, or of its rotation (3; about e3, times the radius, of a body
  /// that rolls), padded; null when no mode moves the contact along it.
  const double* row(int contact, int axis) const noexcept {
    return pointers_[static_cast<std::size_t>(kAxes * contact + axis)];
  }
  static constexpr int kAxes = 4;

  /// Other numbers for the obstacle and the laws of a contact, which stay of their kind, between two runs.
  void change(int contact, const AnyObstacle& obstacle, const AnyNormalLaw& normal,
              const AnyFrictionLaw& friction);

  /// Axes along which a contact pushes.
  int axes(int contact) const noexcept { return isArea(contact) || rolls(contact) ? kAxes : kAxes - 1; }
  bool rolls(int i) const noexcept { return contacts_[static_cast<std::size_t>(i)].rolls(); }
  Eigen::Index rowSize() const noexcept { return rows_.rows(); }

  /// The rows of local axis 0 of all contacts, one after the other.
  const double* gapRows() const noexcept { return rows_.data(); }
  /// Rows from one axis to the next.
  std::size_t stride() const noexcept { return stride_; }
  const GapNorm& gapNorm() const noexcept { return gapNorm_; }

 private:
  void findFreeInterval(std::size_t i);

  std::vector<Contact> contacts_;
  std::vector<char> hasTraction_;
  std::vector<char> isFollowed_;
  std::vector<char> isRound_;
  std::vector<FreeInterval> free_;
  Matrix rows_;  // padded modes x (3 stride + areas)
  std::size_t stride_{0};
  GapNorm gapNorm_;
  std::vector<const double*> pointers_;  // kAxes per contact, into rows_

 public:
  // the pointers follow the storage: copies are made by construction only
  ContactSet(const ContactSet&) = delete;
  ContactSet& operator=(const ContactSet&) = delete;
  ContactSet(ContactSet&&) noexcept = default;
  ContactSet& operator=(ContactSet&&) noexcept = default;
  ~ContactSet() = default;
};

/// Contacts of one run: accepted states, the trial, events and accounts. A trial leaves no trace until
/// `accept`.
class ContactRun {
 public:
  explicit ContactRun(const ContactSet& set);

  /// Tries all contacts at a motion: forces and next memory, kept only by `accept`.
  void evaluate(double t, const Motion& motion) noexcept;

  /// The same for a scheme whose motion a kernel brings about that looks at the contacts as well: what it has
  /// to look at, and the rest of the trial from what it returned. Contacts that only hold on to their springs
  /// are then followed by HeldContacts.
  const kernels::Look& next() const noexcept { return gaps_.next(); }
  void evaluate(double t, const Motion& motion, double squared) noexcept;

  /// What the last trial pushes along the rows of the closed contacts.
  kernels::RowForces forces() const noexcept { return {activeRows_.data(), activeForces_.data(), active_}; }

  /// force = base + generalized forces of the last trial (padded; they may be the same array).
  void addForces(const double* base, double* force) const noexcept {
    kernels::addRows(base, forces(), force, set_->rowSize());
  }

  /// Makes the state at the start: contacts settle and hook their springs without an event.
  void start(double t, const Motion& motion) noexcept;

  /// Passes an instant at which imposed normal forces may jump: the contacts concerned take their new force
  /// at the same motion, and `force` (padded) the difference.
  /// Elastic energy that a stick spring gives up there is booked as friction.
  void advance(double t, double tolerance, const Motion& motion, double* force,
               EnergyLedger& ledger) noexcept;
  bool mayJump() const noexcept { return !imposed_.empty(); }

  /// Keeps the trial as the state at `t`, a step h after the last: records events, feeds the ledger.
  ///
  /// A force that jumps by J inside the step, a fraction theta after its start, gave the impulse J h/2 in the
  /// scheme's trapezoid and should have given J h (1 - theta). `velocity` (padded) takes the difference J h
  /// (1/2 - theta): with it schemes keep their second order through the drop from static to dynamic friction
  /// and where a contact with a dashpot closes. Returns whether there was one.
  bool accept(double t, double h, EnergyLedger& ledger, double* velocity) noexcept;

  /// For schemes whose quadrature is no trapezoid: the part of J h that they give to a force that jumps a
  /// fraction theta after the start of the step, instead of 1/2.
  void setShareOfJump(double (*share)(double theta) noexcept) noexcept { shareOfJump_ = share; }

  /// For schemes whose end of step knows already of a slip that started inside: the instant of break-away is
  /// then taken from the traction forecast in a straight line from the step before.
  void forecastBreakaway() noexcept { forecast_ = true; }

  /// Accepted state of a contact. The gap of one that stays open is not followed: see viewContacts.
  const ContactState& state(std::size_t i) const noexcept {
    if (held_.has(i)) show(i);
    return states_[2 * i + current_[i]];
  }

  /// Contacts that the last trial looked at one by one: the others are open or held. And a contact as the
  /// last trial left it.
  std::span<const std::size_t> touched() const noexcept { return {touched_.data(), touchedCount_}; }
  const ContactState& tried(std::size_t i) const noexcept {
    const auto all = touched();
    if (held_.has(i)) show(i);
    return states_[2 * i +
                   (std::find(all.begin(), all.end(), i) == all.end() ? current_[i] : 1U - current_[i])];
  }

  /// Makes the trial of a contact that was open leave it open: its gap is zero but for rounding.
  void leaveOpen(std::size_t i) noexcept;

  /// What the area of a contact knows, accepted and as the last trial left it.
  const AreaState& area(std::size_t i) const noexcept { return areas_.state(i, current_[i]); }
  const AreaState& triedArea(std::size_t i) const noexcept {
    return areas_.state(i, &tried(i) == &state(i) ? current_[i] : 1U - current_[i]);
  }
  std::span<const Bristle> bristles(std::size_t i) const noexcept { return areas_.bristles(i, current_[i]); }

  /// What a followed contact knows, accepted and as the last trial left it.
  const FollowedState& followed(std::size_t i) const noexcept { return followed_.state(i, current_[i]); }
  const FollowedState& triedFollowed(std::size_t i) const noexcept {
    return followed_.state(i, &tried(i) == &state(i) ? current_[i] : 1U - current_[i]);
  }

  /// Instant of the accepted states [s].
  double time() const noexcept { return time_; }

  /// Copies of all of them; of areas and followed contacts, what is accepted is in slot 0.
  std::vector<ContactState> states() const;
  ContactAreas areas() const;
  FollowedContacts followedContacts() const;

  std::span<const ContactTotals> totals() const noexcept {
    if (held_.count() > 0) showTotals();
    return totals_;
  }

  /// Elastic energy that the contacts hold [J].
  double stored() const noexcept;

  /// Events since the last call, in order of time.
  std::vector<Event>& events() noexcept { return events_; }

  // for schemes that run the contacts' automata themselves
  void put(std::size_t i, const ContactState& state) noexcept {
    letGo(i);
    accepted(i) = state;
  }
  void put(std::size_t i, const FollowedState& followed) noexcept {
    followed_.state(i, current_[i]) = followed;
  }
  ContactTotals& totalsOf(std::size_t i) noexcept {
    letGo(i);
    return totals_[i];
  }

  /// Takes the states of another run at the same motion, after `start` at it; totals and pending events are
  /// not part of the dynamics. The numbers of the laws may be others than in that run.
  void restore(std::span<const ContactState> states, const ContactAreas& areas = {},
               const FollowedContacts& followed = {});

  /// Totals of a run that starts at the accepted states.
  void openTotals() noexcept;

  // for the lanes of a batch, which evaluate and account for contacts themselves
  /// Records what changed in a step of h that ended at t between two states of a contact: events, impacts,
  /// the impulse of a force that jumped (see `accept`).
  ContactJump record(std::size_t i, const ContactState& from, const ContactState& to, double t, double h,
                     double* velocity) noexcept {
    letGo(i);
    accepted(i) = from;
    trial(i) = to;
    touched_[0] = i;
    touchedCount_ = 1;
    return recordEvents(i, t, h, velocity);
  }
  /// Puts the events of one instant, from this index on, in order of time.
  void sortEvents(std::size_t from) noexcept;
  /// Goes on at t and q from states that were `put`; the step before began at `from` [s] or later.
  void resume(double t, double from, const double* q) noexcept;
  void setTime(double t) noexcept { time_ = t; }
  /// Leaves nothing at the accepted q that depends on what was looked at, and when.
  void tidy(const double* q) noexcept;

  template <class Archive>
  void persist(Archive& archive) {
    archive.section("ContactRun");
    letAllGo();
    wakeAll();
    watchAll();  // not every scheme does on its way
    archive(states_, current_, totals_, gaps_, touched_, touchedCount_);
    for (Imposed& each : imposed_) archive(each.cursor);
    archive(areas_, followed_, events_, time_);
    watchAll();  // as what was read says
  }

  const ContactSet& set() const noexcept { return *set_; }

 private:
  double gapAt(std::size_t i, double along) const noexcept;
  void watch(std::size_t i) noexcept;
  void watchAll() noexcept;
  void keepTrial(std::size_t i) noexcept;
  void accountFor(std::size_t i, double h, EnergyLedger& ledger) noexcept;
  ContactJump recordEvents(std::size_t i, double t, double h, double* velocity) noexcept;
  ContactJump recordJump(std::size_t i, double theta, double h, double* velocity) noexcept;
  double breakaway(std::size_t i, double h) const noexcept;
  bool recordFriction(std::size_t i, double t, double h, double* velocity) noexcept;
  void addImpulse(std::size_t i, double normal, const Tangential<double>& impulse, double* velocity) noexcept;
  void push(std::size_t i, EventKind kind, double t) noexcept;
  void evaluate(std::size_t i, double t, const Motion& motion) noexcept;
  void touch(std::size_t i, double t, const Motion& motion) noexcept;
  bool accept(std::size_t i, double t, double h, EnergyLedger& ledger, double* velocity) noexcept;
  void advanceImposed(double t, double tolerance, const Motion& motion, double* force,
                      EnergyLedger& ledger) noexcept;
  void collect(std::size_t i, const ContactState& state, double factor) noexcept;

  // of held contacts (held_contacts.cpp)
  void evaluateHeld(std::span<const std::size_t> looked, double t, const Motion& motion) noexcept;
  void hold() noexcept;
  void followHeld() noexcept;
  void show(std::size_t i) const noexcept;
  void showTotals() const noexcept;
  void letGo(std::size_t i) noexcept;
  void letAllGo() noexcept {
    for (std::size_t i = 0; held_.count() > 0 && i < current_.size(); ++i) letGo(i);
  }

  // of followed contacts (followed_contacts.cpp)
  void evaluateFollowed(std::size_t i, double t, double imposed, const Motion& motion) noexcept;
  void bookFollowed(std::size_t i, EnergyLedger& ledger) noexcept;
  void wakeAll() noexcept;

  // of contacts in a plane across a round obstacle (round_contacts.cpp)
  void evaluateRound(std::size_t i, double t, const Motion& motion) noexcept;
  void touchRound(std::size_t i, double t, const Motion& motion) noexcept;
  template <class Shape>
  void tryRound(const Shape& shape, std::size_t i, double t, const Motion& motion) noexcept;

  // of contact areas (contact_areas.cpp)
  void evaluateArea(std::size_t i, double elapsed, const Motion& motion) noexcept;
  void recordArea(std::size_t i, double t, double h) noexcept;

  const ContactSet* set_;
  ContactState& accepted(std::size_t i) noexcept { return states_[2 * i + current_[i]]; }
  ContactState& trial(std::size_t i) noexcept { return states_[2 * i + 1 - current_[i]]; }

  // two states per contact, accepted and trial; accepting turns them over, which costs no copy of what was
  // just written; those of a held contact and its totals are brought up to date for who looks at them
  mutable std::vector<ContactState> states_;
  std::vector<std::uint8_t> current_;  // which of the two is accepted
  mutable std::vector<ContactTotals> totals_;
  GapWatch gaps_;                     // b_0 q of the contacts that may not be open
  std::vector<std::size_t> touched_;  // contacts that are or were closed, or may close: the others are open
  std::size_t touchedCount_{0};

  mutable HeldContacts held_;
  std::vector<char> suits_;  // contacts that can be held
  std::vector<ContactAccount> account_;
  bool holds_{false};                  // the last trial was one that allows for held contacts
  bool listed_{false};                 // the active rows are those of the held contacts
  std::vector<std::size_t> heldRows_;  // tangential rows of the held contacts

  struct Imposed {
    std::size_t contact;
    FunctionCursor cursor;
  };
  std::vector<Imposed> imposed_;  // contacts whose normal force is imposed
  static constexpr std::size_t kNone = static_cast<std::size_t>(-1);
  std::vector<std::size_t> imposedIndex_;  // of every contact, into imposed_; or kNone

  // rows of the closed contacts and what pushes along them, gathered for one pass over the modes
  std::vector<const double*> activeRows_;
  std::vector<double> activeForces_;
  std::vector<const double*> pushing_;  // where the forces are while all of them are of held contacts
  Eigen::Index active_{0};
  ContactAreas areas_;
  FollowedContacts followed_;
  std::vector<Event> events_;
  double time_{0.0};  // of the accepted states [s]
  bool forecast_{false};
  double jumpLoss_{0.0};  // of this step
  double (*shareOfJump_)(double) noexcept = [](double) noexcept { return 0.5; };
};

// What every step goes through is inline; what only contacts that may be closed need is not.

inline void ContactRun::evaluate(double t, const Motion& motion) noexcept {
  letAllGo();
  holds_ = listed_ = false;
  active_ = 0;
  touchedCount_ = 0;
  for (const std::size_t i : gaps_.look(motion.q))
    if (!gaps_.isFree(i)) touch(i, t, motion);
}

inline void ContactRun::evaluate(double t, const Motion& motion, double squared) noexcept {
  holds_ = true;
  touchedCount_ = 0;
  const std::span<const std::size_t> looked = gaps_.seen(motion.q, squared);
  if (held_.count() > 0) return evaluateHeld(looked, t, motion);
  active_ = 0;
  for (const std::size_t i : looked)
    if (!gaps_.isFree(i)) touch(i, t, motion);
}

inline void ContactRun::advance(double t, double tolerance, const Motion& motion, double* force,
                                EnergyLedger& ledger) noexcept {
  if (!imposed_.empty()) advanceImposed(t, tolerance, motion, force, ledger);
}

inline bool ContactRun::accept(double t, double h, EnergyLedger& ledger, double* velocity) noexcept {
  const std::size_t before = events_.size();
  bool kicked = false;
  for (std::size_t k = 0; k < touchedCount_; ++k) kicked |= accept(touched_[k], t, h, ledger, velocity);
  if (kicked) ledger.damping += std::exchange(jumpLoss_, 0.0);
  gaps_.accept();
  if (held_.count() > 0) held_.accept(h);
  if (holds_ && touchedCount_ > 0) hold();
  time_ = t;
  if (events_.size() > before + 1) sortEvents(before);
  return kicked;
}

inline AxisMotion ContactSet::spin(int contact, const Motion& motion) const noexcept {
  const double* along = row(contact, 3);
  if (along == nullptr) return {0.0, 0.0};
  const kernels::RowMotion found =
      kernels::rowMotion(along, motion.q, motion.v, motion.dv, motion.a, rowSize());
  return {found.displacement, found.velocity};
}

}  // namespace ricochet
