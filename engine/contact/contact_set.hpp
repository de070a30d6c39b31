#pragma once

#include "engine/accounts/energy_ledger.hpp"
#include "engine/accounts/events.hpp"
#include "engine/contact/contact.hpp"
#include "engine/contact/contact_accounts.hpp"
#include "engine/contact/contact_areas.hpp"
#include "engine/contact/coupled_shifts.hpp"
#include "engine/contact/followed_contacts.hpp"
#include "engine/contact/gap_watch.hpp"
#include "engine/contact/held_contacts.hpp"
#include "engine/contact/try_contact.hpp"
#include "engine/functions/jump_instants.hpp"
#include "engine/functions/time_function.hpp"
#include "engine/numerics/kernels.hpp"

#include <algorithm>
#include <array>
#include <memory>
#include <span>
#include <vector>

namespace ricochet {

/// The contacts of a model and their rows b (local coordinate = offset + b q): one entry per mode, padded
/// with zeros and aligned. Order: rows of local axis 0 (gap direction) of all contacts, then of axis 1, then
/// of axis 2, each group padded to a multiple of kLanes rows; then the rows of rotations. Constant during a
/// run and shared by the runs of a batch.
class ContactSet {
 public:
  ContactSet() = default;
  ContactSet(std::vector<Contact> contacts, Eigen::Index modes);

  int size() const noexcept { return static_cast<int>(contacts_.size()); }
  const Contact& contact(int i) const { return contacts_[static_cast<std::size_t>(i)]; }
  const std::vector<Contact>& contacts() const noexcept { return contacts_; }
  bool hasTraction(int i) const { return hasTraction_[static_cast<std::size_t>(i)] != 0; }

  /// True if the friction of a contact acts on an area that can spin (PatchFriction).
  bool isArea(int i) const { return contacts_[static_cast<std::size_t>(i)].patch != nullptr; }

  /// True if the tangent plane of a contact turns or its obstacle moves (followed.hpp).
  bool isFollowed(int i) const { return isFollowed_[static_cast<std::size_t>(i)] != 0; }

  /// True if the obstacle is a circle or disc at rest and the body moves only across its axis: the laws are
  /// then evaluated in this plane (round_contacts.cpp).
  bool isCircleContactInPlane(std::size_t i) const noexcept { return isPlaneCircle_[i] != 0; }

  /// True if b_0 q alone decides whether a contact is open: a planar obstacle at rest.
  bool hasContactFreeInterval(std::size_t i) const noexcept;

  /// Gap [m] of a contact with an obstacle at rest, from b_axis q stored at places[axis * rowStride()].
  double gapFromCoordinatesAlongRows(int contact, const double* places) const noexcept;

  /// Rotation [rad] of a contact area about e2 x e3, and its rate; of a body that rolls times its radius.
  AxisMotion spin(int contact, const Motion& motion) const noexcept;

  /// Interval of the row product b_0 q [m] in which a contact is open.
  const FreeInterval& contactFreeInterval(std::size_t i) const noexcept { return free_[i]; }

  /// Padded row of local axis 0, 1, 2 of a contact, or of its rotation (3; about e3, times the radius, of a
  /// body that rolls); null when no mode moves the contact along this axis.
  const double* row(int contact, int axis) const noexcept {
    return pointers_[static_cast<std::size_t>(kAxes * contact + axis)];
  }
  static constexpr int kAxes = 4;

  /// Replaces the parameters of obstacle and laws of a contact between two runs; the kinds of obstacle and
  /// laws must be those of the present contact.
  void setParameters(int contact, const AnyObstacle& obstacle, const AnyNormalLaw& normal,
                     const AnyFrictionLaw& friction);

  /// Number of local axes along which a contact exerts forces.
  int axes(int contact) const noexcept { return isArea(contact) || isRolling(contact) ? kAxes : kAxes - 1; }
  bool isRolling(int i) const noexcept { return contacts_[static_cast<std::size_t>(i)].isRolling(); }
  Eigen::Index rowSize() const noexcept { return rows_.rows(); }

  /// Rows of local axis 0 (gap direction) of all contacts, one after the other.
  const double* gapRows() const noexcept { return rows_.data(); }
  /// Number of rows between the rows of one contact along two successive axes.
  std::size_t rowStride() const noexcept { return stride_; }
  const GapNorm& gapNorm() const noexcept { return gapNorm_; }

  /// Contacts that travel along beams: a set whose rows a run can change, null if no contact travels; setting
  /// of the first rows for an instant; rate of such a row.
  std::unique_ptr<ContactSet> makeCopyForTravellingContacts() const;
  void updateTravellingRows(double t) noexcept;
  const double* rowDerivative(int contact) const noexcept;

 private:
  void findContactFreeInterval(std::size_t i);

  std::vector<Contact> contacts_;
  std::vector<char> hasTraction_;
  std::vector<char> isFollowed_;
  std::vector<char> isPlaneCircle_;
  std::vector<FreeInterval> free_;
  Matrix rows_;  // padded modes x (3 stride + areas)
  std::size_t stride_{0};
  GapNorm gapNorm_;
  std::vector<const double*> pointers_;  // kAxes pointers per contact, into rows_
  std::vector<std::size_t> travelling_;  // indices of the travelling contacts
  Matrix slopes_;                        // rates of the first rows of the travelling contacts

 public:
  // A copy would keep pointers_ into the rows_ of the original.
  ContactSet(const ContactSet&) = delete;
  ContactSet& operator=(const ContactSet&) = delete;
  ContactSet(ContactSet&&) noexcept = default;
  ContactSet& operator=(ContactSet&&) noexcept = default;
  ~ContactSet() = default;
};

/// Contacts of one run: accepted states, trial states (kept only by `acceptStep`), events, energies.
class ContactRun {
 public:
  explicit ContactRun(const ContactSet& shared);

  /// Evaluates all contacts at a motion: forces and next friction memory in the trial states.
  void evaluate(double t, const Motion& motion) noexcept;

  /// Evaluation for a scheme whose kernel also computes row products: `rowsMultipliedByKernel()` lists the
  /// rows, the kernel returns the squared distance of q from the centre of the gap watch, and `evaluate`
  /// completes the trial. Sticking contacts without dashpots are then evaluated eight at a time (StickBatch).
  const kernels::Look& rowsMultipliedByKernel() const noexcept { return gaps_.rowsMultipliedByKernel(); }
  void evaluate(double t, const Motion& motion, double squared) noexcept;

  /// Forces of the last trial along the rows of the closed contacts.
  kernels::RowForces forces() const noexcept { return {activeRows_.data(), activeForces_.data(), active_}; }

  /// force = base + generalized forces of the last trial (padded; they may be the same array).
  void addForces(const double* base, double* force) const noexcept {
    kernels::addWeightedRowsToBase(base, forces(), force, set_->rowSize());
  }

  /// Sets the initial state: normal laws find their states, springs start without force; no event.
  void start(double t, const Motion& motion) noexcept;
  /// Passes an instant at which imposed normal forces or velocities may jump: adds the change of the contact
  /// forces to `force` (padded); energy that a stick spring releases is friction. True if a load moves a
  /// coupled contact at once, whose force is still that before the jump.
  bool advanceTimeFunctions(double t, double tolerance, const Motion& motion, double* force,
                            EnergyLedger& ledger) noexcept;
  /// Evaluates all but coupled contacts after a jump of the motion at t [s].
  void settleAfterMotionJump(double t, const Motion& motion, double* force, EnergyLedger& ledger) noexcept;
  bool canForceJump() const noexcept { return !(imposed_.empty() && jumps_.empty()); }

  /// Makes the trial the accepted state at `t`, a step h after the last one; adds energies to `ledger`.
  ///
  /// A force that jumps by J a fraction theta after the start of the step has the impulse J h (1 - theta);
  /// the trapezoid gave J h/2. `velocity` (padded) receives the difference J h (1/2 - theta): schemes keep
  /// their second order when friction drops to mu_d or a damped contact closes. True if a force jumped.
  bool acceptStep(double t, double h, EnergyLedger& ledger, double* velocity) noexcept;

  /// Sets the fraction of J h that the quadrature of a scheme gives to a force that jumps a fraction theta
  /// after the start of the step; 1/2 for the trapezoid.
  void setImpulseShareOfForceJump(double (*share)(double theta) noexcept) noexcept { shareOfJump_ = share; }

  /// For schemes whose velocity at the end of a step already includes a slip that started inside it:
  /// breakaway is then located with the traction extrapolated linearly from the step before.
  void enableBreakawayExtrapolation() noexcept { forecast_ = true; }
  /// Lets paths along curved surfaces follow the rates at both ends of a step (slipPathFromSlipRates).
  void enableSlipPathsFromSlipRates() noexcept { followsRates_ = true; }

  /// Accepted state of a contact. The gap of a contact that stays open is not updated: see fillContactViews.
  const ContactState& state(std::size_t i) const noexcept {
    if (held_.isInStickBatch(i)) updateContactStateFromStickBatch(i);
    return states_[2 * i + current_[i]];
  }

  /// Indices of the contacts that the last trial evaluated one by one; the others are open or held.
  std::span<const std::size_t> evaluatedContacts() const noexcept { return {touched_.data(), touchedCount_}; }
  /// State of a contact after the last trial.
  const ContactState& trialState(std::size_t i) const noexcept;

  /// Sets FrictionMemory::keepsBranch of a contact for the next trials.
  void keepStickOrSlip(std::size_t i, bool keeps) noexcept { acceptedState(i).friction.keepsBranch = keeps; }
  /// Resets the trial of a contact to open if its gap is negative only by rounding.
  void resetTrialToOpen(std::size_t i) noexcept;
  CoupledShifts& contactPointShifts() noexcept { return shifts_; }
  const CoupledShifts& contactPointShifts() const noexcept { return shifts_; }
  /// Makes the trial of the coupled contacts their state at the start, which `start` leaves open, and at a
  /// jump of loads that move them, where the change of their forces is added to `force` (null: none).
  void startCoupledContacts() noexcept;
  void acceptDisplacementJumps(double t, double* force, EnergyLedger& ledger) noexcept;

  /// Force along the axes of a contact: in the accepted state, and after the last trial.
  std::array<double, ContactSet::kAxes> force(std::size_t i) const noexcept;
  std::array<double, ContactSet::kAxes> trialForce(std::size_t i) const noexcept;

  /// State of the area of a contact: accepted, and after the last trial.
  const AreaState& acceptedAreaState(std::size_t i) const noexcept { return areas_.state(i, current_[i]); }
  const AreaState& trialAreaState(std::size_t i) const noexcept { return areas_.state(i, slot(i)); }
  std::span<const Bristle> bristles(std::size_t i) const noexcept { return areas_.bristles(i, current_[i]); }
  std::span<const Bristle> trialBristles(std::size_t i) const noexcept { return areas_.bristles(i, slot(i)); }

  /// Additional state of a followed contact: accepted, and after the last trial.
  const FollowedState& followedState(std::size_t i) const noexcept { return followed_.state(i, current_[i]); }
  const FollowedState& trialFollowedState(std::size_t i) const noexcept {
    return followed_.state(i, slot(i));
  }

  double time() const noexcept { return time_; }  ///< instant of the accepted states [s]
  /// Copies of all accepted states; the states of areas and followed contacts are copied to slot 0.
  std::vector<ContactState> states() const;
  ContactAreas acceptedAreaStates() const;
  FollowedContacts followedContacts() const;

  std::span<const ContactTotals> runTotals() const noexcept {
    if (held_.count() > 0) updateContactTotalsFromStickBatch();
    return totals_;
  }

  /// Elastic energy stored in the contacts [J].
  double storedEnergy() const noexcept;

  /// Events since the last call, in order of time.
  std::vector<Event>& events() noexcept { return events_; }

  // For schemes that evaluate the contact automata themselves: sets an accepted state.
  void setState(std::size_t i, const ContactState& state) noexcept {
    removeContactFromStickBatch(i);
    acceptedState(i) = state;
  }
  void setState(std::size_t i, const FollowedState& followed) noexcept {
    followed_.state(i, current_[i]) = followed;
  }
  ContactTotals& totalsOfContact(std::size_t i) noexcept;

  /// Sets the accepted states to those of another run at the same motion, after `start` of this run; totals
  /// and events are not copied. The parameters of the laws may differ from those of the other run.
  void restore(std::span<const ContactState> states, const ContactAreas& areas = {},
               const FollowedContacts& followed = {});
  /// Copies the accepted states of a run of the same set, whose trials this run can then repeat.
  void copyStates(const ContactRun& other);
  /// Initialises the totals of a run that starts at the accepted states.
  void initialiseContactTotals() noexcept;
  // For runs of a batch that share vector registers (lanes) and evaluate contacts themselves: records events,
  // impacts and the impulse of a jumping force (see `acceptStep`) of a contact in a step of h [s] that ended
  // at t.
  ContactJump recordContactStep(std::size_t i, const ContactState& from, const ContactState& to, double t,
                                double h, double* velocity) noexcept;
  /// Sorts by time the events recorded from index `from` on.
  void sortContactEventsByTime(std::size_t from) noexcept;
  /// Continues at t and q from states that were `put`; the previous step began at `from` [s] or later.
  void resume(double t, double from, const double* q) noexcept;
  void setTime(double t) noexcept { time_ = t; }
  /// Appends an event at time t, or at the start of the step if t is earlier by rounding.
  void appendContactEvent(std::size_t i, EventKind kind, double t) noexcept;
  /// Resets all data without influence on the motion, so that equal states have equal bytes.
  void resetUnusedContactData(const double* q) noexcept;

  template <class Archive>
  void serialise(Archive& archive) {
    archive.beginSection("ContactRun");
    removeAllContactsFromStickBatch();
    stopSkippingGapsOfContacts();
    updateContactFreeIntervals();  // schemes that set states by `put` do not update the free intervals
    archive(states_, current_, totals_, gaps_, touched_, touchedCount_);
    for (Imposed& each : imposed_) archive(each.cursor);
    archive(jumps_, areas_, followed_, shifts_, events_, time_);
    updateContactFreeIntervals();  // free intervals of the states that were read
  }

  const ContactSet& contactSet() const noexcept { return *set_; }

 private:
  std::size_t slot(std::size_t i) const noexcept {  // slot of the state after the last trial
    return current_[i] ^ (&trialState(i) == &state(i) ? 0U : 1U);
  }
  double gapAt(std::size_t i, double along) const noexcept;
  void updateContactFreeInterval(std::size_t i) noexcept;
  void updateContactFreeIntervals() noexcept;
  void copyTrialToAccepted(std::size_t i) noexcept;
  void setInitialStateFromTrial(std::size_t i) noexcept;
  void updateCoupledForceRates(double h) noexcept;
  void addEnergies(std::size_t i, double h, EnergyLedger& ledger) noexcept;
  ContactJump recordEvents(std::size_t i, double t, double h, double* velocity) noexcept;
  ContactJump recordForceJump(std::size_t i, double theta, double h, double* velocity) noexcept;
  double stepFractionAtBreakaway(std::size_t i, double h) const noexcept;
  bool recordFrictionEvents(std::size_t i, double t, double h, double* velocity) noexcept;
  void addImpulse(std::size_t i, double normal, const Tangential<double>& impulse, double* velocity) noexcept;
  void evaluate(std::size_t i, double t, const Motion& motion) noexcept;
  void evaluateContactAndCollectForces(std::size_t i, double t, const Motion& motion) noexcept;
  bool acceptStep(std::size_t i, double t, double h, EnergyLedger& ledger, double* velocity) noexcept;
  void applyContactForceJump(std::size_t i, double t, const Motion& motion, double* force,
                             EnergyLedger& ledger) noexcept;
  void recordStateAfterJump(std::size_t i, double t) noexcept;
  void collectForcesOfContactState(std::size_t i, const ContactState& state, double factor) noexcept;
  // Functions for held contacts (held_contacts.cpp).
  void evaluateStickBatch(std::span<const std::size_t> looked, double t, const Motion& motion) noexcept;
  void moveStickingContactsToBatch() noexcept;
  void listRowsOfStickBatch() noexcept;
  void updateContactStateFromStickBatch(std::size_t i) const noexcept;
  void updateContactTotalsFromStickBatch() const noexcept;
  void removeContactFromStickBatch(std::size_t i) noexcept;
  void removeAllContactsFromStickBatch() noexcept {
    for (std::size_t i = 0; held_.count() > 0 && i < current_.size(); ++i) removeContactFromStickBatch(i);
  }
  // Functions for followed contacts (followed_contacts.cpp).
  void evaluateFollowedContact(std::size_t i, double t, double imposed, const Motion& motion) noexcept;
  void addWorkOfFollowedContact(std::size_t i, double h, EnergyLedger& ledger) noexcept;
  void stopSkippingGapsOfContacts() noexcept;
  void copyContactLawsFromSet();
  void updateTravellingRows(double t) noexcept;

  // Functions for contacts in the plane of a circle or disc (round_contacts.cpp).
  void evaluateCircleContactInPlane(std::size_t i, double t, const Motion& motion) noexcept;
  void evaluateCircleContactAndCollectForces(std::size_t i, double t, const Motion& motion) noexcept;
  template <class Shape>
  void evaluateCircleShape(const Shape& shape, std::size_t i, double t, const Motion& motion) noexcept;

  // Functions for contact areas (contact_areas.cpp).
  void evaluateContactArea(std::size_t i, double elapsed, const Motion& motion) noexcept;
  void recordAreaEvents(std::size_t i, double t, double h) noexcept;

  const ContactSet* shared_;
  std::unique_ptr<ContactSet> own_;  // set of a run with travelling contacts; null otherwise
  const ContactSet* set_;            // own_, or the set shared by all runs
  ContactState& acceptedState(std::size_t i) noexcept { return states_[2 * i + current_[i]]; }
  ContactState& writableTrialState(std::size_t i) noexcept { return states_[2 * i + 1 - current_[i]]; }

  // Each contact has an accepted and a trial state: `acceptStep` exchanges their indices. State and totals of
  // a held contact are updated only when they are read.
  mutable std::vector<ContactState> states_;
  std::vector<std::uint8_t> current_;  // index of the accepted state: 0 or 1
  mutable std::vector<ContactTotals> totals_;
  GapWatch gaps_;                     // row products b_0 q of the contacts that may be closed
  std::vector<std::size_t> touched_;  // contacts evaluated one by one in the last trial
  std::size_t touchedCount_{0};

  mutable StickBatch held_;
  std::vector<char> canBeHeld_;  // 1: StickBatch can evaluate the contact in stick
  std::vector<ContactAccount> account_;
  bool holds_{false};                  // held contacts could be evaluated in the last trial
  bool listed_{false};                 // all active rows belong to held contacts
  std::vector<std::size_t> heldRows_;  // tangential rows of the held contacts

  struct Imposed {
    std::size_t contact;
    FunctionCursor cursor;
  };
  std::vector<Imposed> imposed_;  // contacts whose normal force is imposed
  JumpInstants jumps_;            // jumps of the velocities of surfaces and supports at contacts
  static constexpr std::size_t kNone = static_cast<std::size_t>(-1);
  std::vector<std::size_t> imposedIndex_;  // index of each contact in imposed_, or kNone

  // Rows of the closed contacts and the forces along these rows, collected for one pass over the modes.
  std::vector<const double*> activeRows_;
  std::vector<double> activeForces_;
  std::vector<const double*> pushing_;  // addresses of the forces if all belong to held contacts
  Eigen::Index active_{0};
  ContactAreas areas_;
  FollowedContacts followed_;
  CoupledShifts shifts_;
  std::vector<Event> events_;
  double time_{0.0};  // instant of the accepted states [s]
  bool forecast_{false}, followsRates_{false};
  double jumpLoss_{0.0};  // energy dissipated by dashpots at force jumps of this step [J]
  double (*shareOfJump_)(double) noexcept = [](double) noexcept { return 0.5; };
};

// Functions that every step calls are inline; functions for contacts that may be closed are not.

inline void ContactRun::evaluate(double t, const Motion& motion) noexcept {
  removeAllContactsFromStickBatch();
  if (own_) updateTravellingRows(t);
  holds_ = listed_ = false;
  active_ = 0;
  touchedCount_ = 0;
  for (const std::size_t i : gaps_.evaluateGaps(motion.q))
    if (!gaps_.isContactCertainlyOpen(i)) evaluateContactAndCollectForces(i, t, motion);
}

inline void ContactRun::evaluate(double t, const Motion& motion, double squared) noexcept {
  holds_ = true;
  if (own_) updateTravellingRows(t);
  touchedCount_ = 0;
  const std::span<const std::size_t> looked = gaps_.completeTrialGaps(motion.q, squared);
  if (held_.count() > 0) return evaluateStickBatch(looked, t, motion);
  active_ = 0;
  for (const std::size_t i : looked)
    if (!gaps_.isContactCertainlyOpen(i)) evaluateContactAndCollectForces(i, t, motion);
}

inline bool ContactRun::acceptStep(double t, double h, EnergyLedger& ledger, double* velocity) noexcept {
  const std::size_t before = events_.size();
  bool kicked = false;
  if (!shifts_.empty()) updateCoupledForceRates(h);
  for (std::size_t k = 0; k < touchedCount_; ++k) kicked |= acceptStep(touched_[k], t, h, ledger, velocity);
  if (kicked) ledger.damping += std::exchange(jumpLoss_, 0.0);
  gaps_.acceptStep();
  if (held_.count() > 0) held_.acceptStep(h);
  if (holds_ && touchedCount_ > 0) moveStickingContactsToBatch();
  time_ = t;
  if (events_.size() > before + 1) sortContactEventsByTime(before);
  return kicked;
}

}  // namespace ricochet
