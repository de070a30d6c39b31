#include "engine/contact/contact_set.hpp"

#include "engine/contact/followed.hpp"
#include "engine/contact/modal_coordinates.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <limits>

namespace ricochet {

ContactSet::ContactSet(std::vector<Contact> contacts, Eigen::Index modes) : contacts_(std::move(contacts)) {
  const auto count = static_cast<Eigen::Index>(contacts_.size());
  const auto turning = std::count_if(contacts_.begin(), contacts_.end(), [](const Contact& contact) {
    return contact.patch != nullptr || contact.isRolling();
  });
  const Eigen::Index apart = paddedSize(count);
  stride_ = static_cast<std::size_t>(apart);
  rows_ = Matrix::Zero(paddedSize(modes), 3 * apart + turning);
  pointers_.assign(static_cast<std::size_t>(kAxes * count), nullptr);
  Eigen::Index spins = 3 * apart;
  for (Eigen::Index i = 0; i < count; ++i) {
    const Contact& contact = contacts_[static_cast<std::size_t>(i)];
    hasTraction_.push_back(bearsTraction(contact) ? 1 : 0);
    isFollowed_.push_back(contact.isFollowed() ? 1 : 0);
    isPlaneCircle_.push_back(isContactWithCircleInPlane(contact) && !contact.coupled ? 1 : 0);
    free_.emplace_back();
    findContactFreeInterval(static_cast<std::size_t>(i));
    for (Eigen::Index axis = 0; axis < 3; ++axis) {
      const Eigen::Index column = axis * apart + i;
      rows_.col(column).head(modes) = contact.rows.row(axis).transpose();
      // what travels asks for its first row at every instant, even where neither side can move
      const bool isAsked = axis == 0 && contact.isTravelling();
      if (isAsked || !contact.rows.row(axis).isZero(0.0))
        pointers_[static_cast<std::size_t>(kAxes * i + axis)] = rows_.col(column).data();
    }
    if (!contact.patch && !contact.isRolling()) continue;
    const Eigen::RowVectorXd& rotation = contact.patch ? contact.spinRow : contact.rollRow;
    rows_.col(spins).head(modes) = rotation.transpose();
    if (!rotation.isZero(0.0)) pointers_[static_cast<std::size_t>(kAxes * i + 3)] = rows_.col(spins).data();
    ++spins;
  }
  std::vector<GapNorm::Further> further;
  for (Eigen::Index i = 0; i < count; ++i)
    for (Eigen::Index axis = 1; axis < 3; ++axis)
      if (isCurved(contacts_[static_cast<std::size_t>(i)].obstacle))
        further.push_back({static_cast<std::size_t>(i), rows_.col(axis * apart + i).data()});
  gapNorm_ = GapNorm(gapRows(), count, rowSize(), further);
  for (std::size_t i = 0; i < contacts_.size(); ++i)
    if (contacts_[i].isTravelling()) travelling_.push_back(i);
  slopes_ = Matrix::Zero(rowSize(), static_cast<Eigen::Index>(travelling_.size()));
}

void ContactSet::findContactFreeInterval(std::size_t i) {
  const Contact& contact = contacts_[i];
  free_[i] = contactFreeIntervalOfObstacle(contact.obstacle);
  free_[i].low -= contact.offset[0];
  free_[i].high -= contact.offset[0];
}

void ContactSet::setParameters(int contact, const AnyObstacle& obstacle, const AnyNormalLaw& normal,
                               const AnyFrictionLaw& friction) {
  const auto i = static_cast<std::size_t>(contact);
  Contact& changed = contacts_[i];
  assert(changed.obstacle.index() == obstacle.index() && changed.normal.index() == normal.index() &&
         changed.friction.index() == friction.index());
  changed.obstacle = obstacle;
  changed.normal = normal;
  changed.friction = friction;
  hasTraction_[i] = bearsTraction(changed) ? 1 : 0;
  findContactFreeInterval(i);
}

bool ContactSet::hasContactFreeInterval(std::size_t i) const noexcept {
  const Contact& contact = contacts_[i];
  return contact.drift.empty() && !isCurved(contact.obstacle) && !contact.coupled && !contact.isTravelling();
}

ContactRun::ContactRun(const ContactSet& shared)
    : shared_(&shared),
      own_(shared.makeCopyForTravellingContacts()),
      set_(own_ ? own_.get() : &shared),
      states_(2 * static_cast<std::size_t>(set_->size())),
      current_(static_cast<std::size_t>(set_->size()), 0),
      totals_(current_.size()),
      gaps_(set_->gapNorm(), set_->gapRows(), set_->size(), set_->rowSize(),
            static_cast<Eigen::Index>(3 * set_->rowStride())),
      touched_(current_.size()),
      held_(current_.size()),
      canBeHeld_(current_.size()),
      account_(current_.size()),
      heldRows_(3 * current_.size()),
      imposedIndex_(current_.size(), kNone),
      // Room for the rows of all contacts before and after a jump of an imposed force.
      activeRows_(2 * ContactSet::kAxes * current_.size()),
      activeForces_(activeRows_.size()),
      pushing_(activeRows_.size()),
      areas_(set_->contacts()),
      followed_(set_->contacts()) {
  gaps_.registerContactsWithSeveralRows(*set_);
  // The time loop removes events before this number is reached; more events need an allocation.
  constexpr std::size_t kEventsKept = 4096;
  events_.reserve(kEventsKept);
  for (std::size_t i = 0; i < current_.size(); ++i) {
    const Contact& contact = set_->contacts()[i];
    // Numbers of jumps, for n contacts: i for the displacement of a coupled contact i, n + i for its
    // velocity, 2 n + i for the displacement of a contact that is not coupled.
    const std::size_t ofVelocity = current_.size() + i;
    if (contact.coupled) {  // the shifts of coupled contacts pass kinks by themselves
      shifts_.resize(current_.size());
      for (const DriftTerm& term : contact.drift) jumps_.add(term.displacement.jumpInstants(), i);
    } else {
      for (const DriftTerm& term : contact.drift) {
        jumps_.add(term.displacement.jumpInstants(), ofVelocity + current_.size());
        jumps_.add(term.instantsOfVelocityJumps(), ofVelocity);
      }
    }
    for (const SurfaceTerm& term : contact.surface) jumps_.add(term.speed.jumpInstants(), ofVelocity);
    for (const SurfaceSpin& spin : contact.surfaceSpin) jumps_.add(spin.rate.jumpInstants(), ofVelocity);
    if (!traitsOf(contact.normal).imposed) continue;
    imposedIndex_[i] = imposed_.size();
    imposed_.push_back({i, FunctionCursor(contact.imposedForce)});
  }
}

namespace {

/// Local coordinates of a contact with an additional shift along its axes.
class ShiftedCoordinates {
 public:
  ShiftedCoordinates(const ModalCoordinates& given, const CoupledShifts::Shift& shift) noexcept
      : given_(given), shift_(shift) {}

  double position(int axis) const noexcept { return motion(axis).position; }
  double rate(int axis) const noexcept { return motion(axis).rate; }
  AxisMotion motion(int axis) const noexcept {
    const AxisMotion found = given_.motion(axis);
    const auto a = static_cast<std::size_t>(axis);
    return {found.position + shift_.displacement[a], found.rate + shift_.rate[a]};
  }

 private:
  const ModalCoordinates& given_;
  const CoupledShifts::Shift& shift_;
};

}  // namespace

void ContactRun::evaluate(std::size_t i, double t, const Motion& motion) noexcept {
  if (set_->isCircleContactInPlane(i)) return evaluateCircleContactInPlane(i, t, motion);
  const int index = static_cast<int>(i);
  const double imposed = imposedIndex_[i] == kNone ? 0.0 : imposed_[imposedIndex_[i]].cursor.at(t);
  if (set_->isFollowed(index)) return evaluateFollowedContact(i, t, imposed, motion);
  const Contact& contact = set_->contact(index);
  const ModalCoordinates coordinates(*set_, index, motion, gaps_.rowProduct(i));
  if (contact.coupled) {
    const ShiftedCoordinates shifted(coordinates, shifts_.displacementShiftOfContact(i));
    FlatKinematics<double, ShiftedCoordinates> at(contact, shifted);
    return computeContactTrial<double>(contact, at, imposed, t - time_, acceptedState(i),
                                       writableTrialState(i));
  }
  FlatKinematics<double, ModalCoordinates> at(contact, coordinates);
  computeContactTrial<double>(contact, at, imposed, t - time_, acceptedState(i), writableTrialState(i));
  if (set_->isArea(index)) evaluateContactArea(i, t - time_, motion);
}

void ContactRun::collectForcesOfContactState(std::size_t i, const ContactState& state,
                                             double factor) noexcept {
  if (!state.isClosed()) return;
  const int index = static_cast<int>(i);
  const auto add = [&](int axis, double force) {
    const double* row = set_->row(index, axis);
    if (row == nullptr) return;
    activeRows_[static_cast<std::size_t>(active_)] = row;
    activeForces_[static_cast<std::size_t>(active_)] = factor * force;
    ++active_;
  };
  if (set_->isFollowed(index)) {
    const FollowedState& followed =
        followed_.state(i, &state == &acceptedState(i) ? current_[i] : 1U - current_[i]);
    for (int axis = 0; axis < 3; ++axis) add(axis, followed.push[static_cast<std::size_t>(axis)]);
    if (set_->isRolling(index)) add(3, followed.rollForce);
    return;
  }
  add(0, state.side * state.compression);
  if (!set_->hasTraction(index)) return;
  add(1, state.traction.first);
  add(2, state.traction.second);
  if (set_->isArea(index))
    add(3, areas_.state(i, &state == &acceptedState(i) ? current_[i] : 1U - current_[i]).moment);
}

namespace {

/// Force of a contact along its axes in the state `kept`. `followed()` gives the state of a followed contact,
/// `area()` that of its area.
template <class Followed, class Area>
std::array<double, ContactSet::kAxes> contactForceInState(const ContactState& kept, const ContactSet& set,
                                                          std::size_t i, Followed&& followed,
                                                          Area&& area) noexcept {
  if (!kept.isClosed()) return {};
  const int index = static_cast<int>(i);
  if (!set.isFollowed(index))
    return {kept.side * kept.compression, kept.traction.first, kept.traction.second,
            set.isArea(index) ? area().moment : 0.0};
  const FollowedState& also = followed();
  return {also.push[0], also.push[1], also.push[2], also.rollForce};
}

}  // namespace

std::array<double, ContactSet::kAxes> ContactRun::force(std::size_t i) const noexcept {
  return contactForceInState(
      state(i), *set_,
      i, [&]() -> auto& { return followedState(i); }, [&]() -> auto& { return acceptedAreaState(i); });
}

std::array<double, ContactSet::kAxes> ContactRun::trialForce(std::size_t i) const noexcept {
  return contactForceInState(
      trialState(i), *set_,
      i, [&]() -> auto& { return trialFollowedState(i); }, [&]() -> auto& { return trialAreaState(i); });
}

/// Updates the force rates of coupled contacts (CoupledShifts) from the change of their forces over an
/// accepted step of h [s].
void ContactRun::updateCoupledForceRates(double h) noexcept {
  if (!(h > 0.0)) return;
  bool jumped = false;
  for (std::size_t i = 0; i < current_.size(); ++i) {
    if (!set_->contacts()[i].coupled) continue;
    const auto before = force(i), after = trialForce(i);
    Local<double> mean;
    for (std::size_t axis = 0; axis < 3; ++axis) mean[axis] = (after[axis] - before[axis]) / h;
    shifts_.acceptStep(i, mean, h);
    jumped |= state(i).phase(true) != trialState(i).phase(true);
  }
  shifts_.recordEndOfAcceptedStep(h, jumped);
}

void ContactRun::evaluateContactAndCollectForces(std::size_t i, double t, const Motion& motion) noexcept {
  touched_[touchedCount_++] = i;
  if (set_->isCircleContactInPlane(i)) return evaluateCircleContactAndCollectForces(i, t, motion);
  evaluate(i, t, motion);
  collectForcesOfContactState(i, writableTrialState(i), 1.0);
}

void ContactRun::updateContactFreeInterval(std::size_t i) noexcept {
  const bool open = acceptedState(i).normal == NormalState::open;
  gaps_.setContactFreeInterval(
      i, open && set_->hasContactFreeInterval(i) ? set_->contactFreeInterval(i) : FreeInterval{});
  if (set_->isFollowed(static_cast<int>(i))) {
    const Contact& contact = set_->contacts()[i];
    gaps_.allowSkippingCurvedContact(
        i, open && isCurved(contact.obstacle) && contact.drift.empty() && !contact.coupled);
  }
}

/// Copies the trial state to the accepted state at the same instant.
void ContactRun::copyTrialToAccepted(std::size_t i) noexcept {
  acceptedState(i) = writableTrialState(i);
  if (set_->isArea(static_cast<int>(i))) areas_.copyState(i, current_[i], areas_, 1U - current_[i]);
  if (set_->isFollowed(static_cast<int>(i))) followed_.copyState(i, current_[i], followed_, 1U - current_[i]);
  updateContactFreeInterval(i);
}

void ContactRun::resetTrialToOpen(std::size_t i) noexcept {
  ContactState& left = writableTrialState(i);
  const double gap = left.gap;
  const double side = left.side;
  left = {};
  left.gap = gap;
  left.side = side;
  if (set_->isArea(static_cast<int>(i))) areas_.reset(i, 1U - current_[i]);
  if (set_->isFollowed(static_cast<int>(i))) {
    FollowedState& followed = followed_.state(i, 1U - current_[i]);
    followed.push = {};
    followed.rollForce = 0.0;
  }
}

std::vector<ContactState> ContactRun::states() const {
  std::vector<ContactState> copies;
  for (std::size_t i = 0; i < current_.size(); ++i) copies.push_back(state(i));
  return copies;
}

void ContactRun::initialiseContactTotals() noexcept {
  for (std::size_t i = 0; i < totals_.size(); ++i) {
    removeContactFromStickBatch(i);
    const ContactState& s = acceptedState(i);
    totals_[i] = {.impacts = s.isClosed() ? 1 : 0,
                  .impulse = 0.0,
                  .frictionEnergy = 0.0,
                  .peakForce = s.isClosed() ? s.compression : 0.0,
                  .impulseWear = 0.0,
                  .frictionGain = 0.0};
  }
}

void ContactRun::resume(double t, double from, const double* q) noexcept {
  removeAllContactsFromStickBatch();
  gaps_.start(q);
  time_ = t;
  for (Imposed& each : imposed_) each.cursor.seek(from);
  updateContactFreeIntervals();
}

/// Resets data without influence on the motion, so that equal ends of runs have equal bytes: the last
/// evaluated gap of an open contact, the trial states and the index of the accepted state depend on the
/// history of the evaluations.
void ContactRun::resetUnusedContactData(const double* q) noexcept {
  removeAllContactsFromStickBatch();
  gaps_.start(q);
  for (std::size_t i = 0; i < current_.size(); ++i) {
    const Contact& contact = set_->contacts()[i];
    ContactState& s = acceptedState(i);
    const bool stays = contact.drift.empty() && !contact.coupled && !contact.isTravelling();
    if (s.normal == NormalState::open && stays) {  // the gap of other contacts is updated in every step
      s.gap =
          set_->gapFromCoordinatesAlongRows(static_cast<int>(i), gaps_.acceptedDisplacementsAlongRows() + i);
      s.side = visitPlanarObstacle(contact.obstacle, s.side, [&](const auto& shape) {
        return shape.normalSign(contact.offset[0] + gaps_.acceptedCoordinateAlongGapRow(i));
      });
      s.gapRate = 0.0;
      s.position = s.slipRate = s.tractionRate = {};
    }
    writableTrialState(i) = s;
    if (set_->isArea(static_cast<int>(i))) areas_.copyState(i, 1U - current_[i], areas_, current_[i]);
    if (set_->isFollowed(static_cast<int>(i)))
      followed_.copyState(i, 1U - current_[i], followed_, current_[i]);
    current_[i] = 0;
  }
  std::fill(touched_.begin(), touched_.end(), 0);
  touchedCount_ = 0;
}

void ContactRun::updateContactFreeIntervals() noexcept {
  for (std::size_t i = 0; i < current_.size(); ++i) updateContactFreeInterval(i);
}

FollowedContacts ContactRun::followedContacts() const {
  FollowedContacts copies(set_->contacts());
  for (std::size_t i = 0; i < current_.size(); ++i)
    if (set_->isFollowed(static_cast<int>(i))) copies.copyState(i, 0, followed_, current_[i]);
  return copies;
}

ContactAreas ContactRun::acceptedAreaStates() const {
  ContactAreas copies(set_->contacts());
  for (std::size_t i = 0; i < current_.size(); ++i)
    if (set_->isArea(static_cast<int>(i))) copies.copyState(i, 0, areas_, current_[i]);
  return copies;
}

double ContactRun::storedEnergy() const noexcept {
  double total = 0.0;
  for (std::size_t i = 0; i < current_.size(); ++i) total += state(i).storedEnergy();
  return total;
}

void ContactRun::sortContactEventsByTime(std::size_t from) noexcept {
  std::sort(events_.begin() + static_cast<std::ptrdiff_t>(from), events_.end(),
            [](const Event& a, const Event& b) { return a.time < b.time; });
}

double ContactRun::gapAt(std::size_t i, double along) const noexcept {
  const Contact& contact = set_->contacts()[i];
  return visitPlanarObstacle(contact.obstacle, 0.0,
                             [&](const auto& shape) { return shape.gap(contact.offset[0] + along); });
}

}  // namespace ricochet
