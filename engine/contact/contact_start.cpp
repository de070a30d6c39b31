// Contacts at the start of a run, and where imposed forces or motions jump.

#include "engine/contact/contact_set.hpp"
#include "engine/contact/followed.hpp"

#include <cmath>
#include <limits>

namespace ricochet {
namespace {

bool hasDashpot(const AnyFrictionLaw& any) noexcept {
  return std::visit([]<class L>(const L& law) { return !L::traits.coneStick || law.contactDamping() > 0.0; },
                    any);
}

bool hasRelaxingSpring(const AnyFrictionLaw& any) noexcept {
  return std::visit(
      []<class L>(const L& law) {
        if constexpr (requires { law.relaxationRate(); }) return law.contactDamping() > 0.0;
        return false;
      },
      any);
}

}  // namespace

ContactAccount energyAccountingTraitsOf(const Contact& contact) noexcept {
  return {.imposed = traitsOf(contact.normal).imposed,
          .normalDashpot = doesForceDependOnRate(contact.normal),
          .approach = traitsOf(contact.normal).remembersApproach,
          .stickDashpot = hasDashpot(contact.friction),
          .keepsSpring = contact.coupled && hasRelaxingSpring(contact.friction),
          .carried = !contact.drift.empty() || !contact.surface.empty() || !contact.surfaceSpin.empty() ||
                     contact.isTravelling(),
          .traction = bearsTraction(contact),
          .area = contact.patch != nullptr,
          .chord = isCurved(contact.obstacle) && traitsOf(contact.friction).anchorsPlace};
}

namespace {

/// Rounding error of the gap rate of a contact [m/s], estimated from the sum of all coordinates.
double roundingErrorOfGapRate(const ContactSet& set, int contact, const Motion& motion) noexcept {
  constexpr double kRounding = 64.0 * std::numeric_limits<double>::epsilon();
  const auto square = [&](const double* x) { return x == nullptr ? 0.0 : kernels::dot(x, x, set.rowSize()); };
  double rows = 0.0;
  for (int axis = 0; axis < gapAxisCount(set.contact(contact).obstacle); ++axis)
    rows += square(set.row(contact, axis));
  return kRounding * std::sqrt(rows * square(motion.v));
}

/// Sets the state of a closed contact as if it had closed at rest.
void setContactStateClosedAtRest(const Contact& contact, ContactState& s) noexcept {
  s.approach = 0.0;
  const NormalKinematics<double> k{.gap = s.gap, .gapRate = s.gapRate, .imposed = s.imposed};
  s.compression =
      std::visit([&](const auto& law) { return law.template force<double>(s.normal, k); }, contact.normal);
}

}  // namespace

void ContactRun::start(double t, const Motion& motion) noexcept {
  gaps_.start(motion.q);
  time_ = t;
  shifts_.discardForceRates();
  copyContactLawsFromSet();
  if (own_) updateTravellingRows(t);
  for (Imposed& each : imposed_) {
    each.cursor.rewind();
    each.cursor.advance(t, 0.0);
  }
  for (std::size_t i = 0; i < current_.size(); ++i) {
    removeContactFromStickBatch(i);
    canBeHeld_[i] = StickBatch::canEvaluateContactInBatch(set_->contacts()[i]) ? 1 : 0;
    account_[i] = energyAccountingTraitsOf(set_->contacts()[i]);
    acceptedState(i) = {};
    writableTrialState(i) = {};
    if (set_->isArea(static_cast<int>(i))) areas_.reset(i, current_[i]);
    if (!set_->contacts()[i].coupled) evaluate(i, t, motion);
    const int index = static_cast<int>(i);
    if (account_[i].approach && writableTrialState(i).approach > 0.0 &&
        writableTrialState(i).approach <= roundingErrorOfGapRate(*set_, index, motion)) {
      setContactStateClosedAtRest(set_->contact(index), writableTrialState(i));
      if (set_->isFollowed(index))
        writeForceOfFollowedContact(set_->contact(index), writableTrialState(i),
                                    followed_.state(i, 1U - current_[i]));
    }
    setInitialStateFromTrial(i);
  }
  events_.clear();
}

ContactTotals& ContactRun::totalsOfContact(std::size_t i) noexcept {
  removeContactFromStickBatch(i);
  return totals_[i];
}

void ContactRun::setInitialStateFromTrial(std::size_t i) noexcept {
  copyTrialToAccepted(i);
  totals_[i] = {};
  totals_[i].impacts = writableTrialState(i).isClosed() ? 1 : 0;
  totals_[i].peakForce = writableTrialState(i).compression;
}

void ContactRun::startCoupledContacts() noexcept {
  for (std::size_t i = 0; i < current_.size(); ++i)
    if (set_->contacts()[i].coupled) setInitialStateFromTrial(i);
}

namespace {

/// Recomputes the force of a restored contact whose normal law has other parameters than in the other run.
/// `fresh`: state of this run at the same motion, from which the spring energy starts. The gap of a coupled
/// contact depends on forces that are not restored yet, hence its stored gap counts.
void recomputeForceOfRestoredContact(const Contact& contact, const ContactState& fresh,
                                     ContactState& taken) noexcept {
  constexpr double kRounding = 1e-9;  // relative; equal parameters give an equal force
  if (!doesMotionDetermineForce(traitsOf(contact.normal)) || !fresh.isClosed() || !taken.isClosed()) return;
  const ContactState& at = contact.coupled ? taken : fresh;
  const NormalKinematics<double> k{.gap = at.gap, .gapRate = at.gapRate, .approach = taken.approach};
  const double pressed = std::visit(
      [&](const auto& law) { return law.template force<double>(NormalState::closed, k); }, contact.normal);
  if (std::abs(pressed - taken.compression) <= kRounding * taken.compression) return;
  taken.compression = pressed;
  taken.storedNormal = fresh.storedNormal;
}

}  // namespace

void ContactRun::restore(std::span<const ContactState> states, const ContactAreas& areas,
                         const FollowedContacts& followed) {
  gaps_.stopSkippingGapsOfContacts();
  for (std::size_t i = 0; i < current_.size(); ++i) {
    removeContactFromStickBatch(i);
    const ContactState fresh = acceptedState(i);
    acceptedState(i) = states[i];
    if (followsRates_) acceptedState(i).gapRate = fresh.gapRate;  // other schemes may not know it
    // A run starts with points without inertia at rest; stored points may move.
    const Contact& contact = set_->contacts()[i];
    if (!contact.coupled || !doesForceDependOnRate(contact.normal))
      recomputeForceOfRestoredContact(contact, fresh, acceptedState(i));
    if (set_->isArea(static_cast<int>(i)) && !areas.empty()) areas_.copyState(i, current_[i], areas, 0);
    if (set_->isFollowed(static_cast<int>(i)) && !followed.empty())
      followed_.copyState(i, current_[i], followed, 0);
    updateContactFreeInterval(i);
  }
}

void ContactRun::copyStates(const ContactRun& other) {
  for (std::size_t i = 0; i < current_.size(); ++i) {
    removeContactFromStickBatch(i);
    acceptedState(i) = other.state(i);
    if (set_->isArea(static_cast<int>(i))) areas_.copyState(i, current_[i], other.areas_, other.current_[i]);
    if (set_->isFollowed(static_cast<int>(i)))
      followed_.copyState(i, current_[i], other.followed_, other.current_[i]);
  }
  for (std::size_t k = 0; k < imposed_.size(); ++k) imposed_[k].cursor = other.imposed_[k].cursor;
  shifts_ = other.shifts_;
  time_ = other.time_;
  gaps_.stopSkippingGapsOfContacts();
  updateContactFreeIntervals();
}

bool ContactRun::advanceTimeFunctions(double t, double tolerance, const Motion& motion, double* force,
                                      EnergyLedger& ledger) noexcept {
  bool moved = false;
  for (Imposed& each : imposed_)
    if (each.cursor.advance(t, tolerance)) applyContactForceJump(each.contact, t, motion, force, ledger);
  jumps_.visitJumpsAtTime(t, tolerance, [&](std::size_t jump, double) {
    if (jump < current_.size()) {
      moved = true;
      return;
    }
    const std::size_t contact = jump % current_.size();
    if (moved && set_->contacts()[contact].coupled) return;  // all of them are solved together after the jump
    const bool isDisplaced = jump >= 2 * current_.size();
    if (!isDisplaced && !acceptedState(contact).isClosed()) return;
    const double stored = acceptedState(contact).storedNormal;
    applyContactForceJump(contact, t, motion, force, ledger);
    if (isDisplaced) ledger.external += acceptedState(contact).storedNormal - stored;
  });
  return moved;
}

void ContactRun::settleAfterMotionJump(double t, const Motion& motion, double* force,
                                       EnergyLedger& ledger) noexcept {
  gaps_.stopSkippingGapsOfContacts();
  for (std::size_t i = 0; i < current_.size(); ++i) {
    if (set_->contacts()[i].coupled) continue;
    removeContactFromStickBatch(i);
    if (acceptedState(i).isClosed()) applyContactForceJump(i, t, motion, force, ledger);
    updateContactFreeInterval(i);
  }
}

namespace {

/// Elongation of the spring of a stick: its energy is half of its force times this length [m].
Tangential<double> elongationOfStickSpring(const ContactState& s) noexcept {
  const double square = dot(s.traction, s.traction);
  return scaled(square > 0.0 ? -2.0 * s.storedTangential / square : 0.0, s.traction);
}

/// Energy that slip dissipates while a load moves a contact point at once along a straight way [J]: the force
/// of the slip is that at its end where it has begun on the way, else the mean of both ends.
double energyLostBySlipInLoadJump(const ContactState& from, const ContactState& to) noexcept {
  if (!to.isClosed()) return from.storedTangential;
  if (!from.isClosed() || !to.friction.slipping) return 0.0;
  const Tangential<double> stretched = elongationOfStickSpring(to) - elongationOfStickSpring(from);
  const Tangential<double> slip = to.position - from.position - stretched;
  const double force = dot(to.traction, slip);
  return std::max(0.0, from.friction.slipping ? -0.5 * (dot(from.traction, slip) + force) : -force);
}

}  // namespace

/// What coupled contacts store and dissipate while a load moves them is work of the load.
void ContactRun::acceptDisplacementJumps(double t, double* force, EnergyLedger& ledger) noexcept {
  active_ = 0;
  listed_ = false;
  for (std::size_t i = 0; i < current_.size(); ++i) {
    const ContactState &from = acceptedState(i), &to = trialState(i);
    if (!set_->contacts()[i].coupled || &from == &to) continue;  // a contact that is far stays open
    collectForcesOfContactState(i, from, -1.0);
    const double stored = to.storedEnergy() - from.storedEnergy();
    const double slid = set_->hasTraction(static_cast<int>(i)) ? energyLostBySlipInLoadJump(from, to) : 0.0;
    ledger.friction += slid;
    totals_[i].frictionEnergy += slid;
    totals_[i].peakForce = std::max(totals_[i].peakForce, to.compression);
    ledger.external += stored + slid;
    recordStateAfterJump(i, t);
    copyTrialToAccepted(i);
    collectForcesOfContactState(i, acceptedState(i), 1.0);
  }
  if (force != nullptr) addForces(force, force);
  active_ = 0;
}

void ContactRun::applyContactForceJump(std::size_t i, double t, const Motion& motion, double* force,
                                       EnergyLedger& ledger) noexcept {
  active_ = 0;
  listed_ = false;
  collectForcesOfContactState(i, acceptedState(i), -1.0);
  gaps_.copyAcceptedToTrial(i);
  evaluate(i, t, motion);
  const double released = acceptedState(i).storedTangential - writableTrialState(i).storedTangential;
  ledger.friction += released;
  totals_[i].frictionEnergy += released;
  recordStateAfterJump(i, t);
  copyTrialToAccepted(i);
  collectForcesOfContactState(i, acceptedState(i), 1.0);
  addForces(force, force);
}

/// Records the event of a contact whose state is another one after a jump.
void ContactRun::recordStateAfterJump(std::size_t i, double t) noexcept {
  const ContactState &before = acceptedState(i), &after = writableTrialState(i);
  if (before.isClosed() != after.isClosed()) {
    appendContactEvent(i, after.isClosed() ? EventKind::closing : EventKind::opening, t);
    totals_[i].impacts += after.isClosed() ? 1 : 0;
  } else if (after.isClosed() && set_->hasTraction(static_cast<int>(i)) &&
             before.friction.slipping != after.friction.slipping) {
    appendContactEvent(i, after.friction.slipping ? EventKind::stickToSlip : EventKind::slipToStick, t);
  }
}

}  // namespace ricochet
