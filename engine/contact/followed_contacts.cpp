#include "engine/contact/followed_contacts.hpp"

#include "engine/contact/contact_set.hpp"
#include "engine/contact/followed_slip.hpp"

#include <algorithm>
#include <variant>

namespace ricochet {

Local<double> surfaceVelocity(const Contact& contact, double t, const Local<double>& x,
                              const Local<double>& normal, double elapsed) noexcept {
  return surfaceVelocityFromSpeeds(
      contact, x, normal,
      [&](std::size_t i) { return contact.surface[i].speed.valueAtTimeInStep(t, elapsed); },
      [&](std::size_t i) { return contact.surfaceSpin[i].rate.valueAtTimeInStep(t, elapsed); });
}

Drift supportDriftAtTime(const Contact& contact, double t, double elapsed) noexcept {
  Drift drift;
  for (const DriftTerm& term : contact.drift) {
    const double displacement = term.displacementAt(t, elapsed), velocity = term.velocityAt(t, elapsed);
    for (std::size_t i = 0; i < 3; ++i) {
      drift.displacement[i] += displacement * term.direction[static_cast<Eigen::Index>(i)];
      drift.velocity[i] += velocity * term.direction[static_cast<Eigen::Index>(i)];
    }
  }
  return drift;
}

double rollingSlipFactor(const ContactFrame<double>& frame) noexcept {
  return frame.first[1] * frame.normal[0] - frame.first[0] * frame.normal[1];
}

void writeForceOfFollowedContact(const Contact& contact, const ContactState& state,
                                 FollowedState& followed) noexcept {
  const Tangential<double> traction{contact.tangentScale.first * state.traction.first,
                                    contact.tangentScale.second * state.traction.second};
  const ContactFrame<double>& frame = followed.frame;
  for (std::size_t a = 0; a < 3; ++a)
    followed.push[a] = state.compression * frame.normal[a] + traction.first * frame.first[a] +
                       traction.second * frame.second[a];
  followed.rollForce = -rollingSlipFactor(frame) * traction.first;
}

std::unique_ptr<ContactSet> ContactSet::makeCopyForTravellingContacts() const {
  if (travelling_.empty()) return nullptr;
  return std::make_unique<ContactSet>(contacts_, contacts_.front().rows.cols());
}

void ContactSet::updateTravellingRows(double t) noexcept {
  for (std::size_t k = 0; k < travelling_.size(); ++k) {
    const std::size_t i = travelling_[k];
    contacts_[i].way->computeNormalRowAndItsRateAtTime(t, rows_.col(static_cast<Eigen::Index>(i)).data(),
                                                       slopes_.col(static_cast<Eigen::Index>(k)).data());
  }
}

const double* ContactSet::rowDerivative(int contact) const noexcept {
  const auto found = std::find(travelling_.begin(), travelling_.end(), static_cast<std::size_t>(contact));
  return found == travelling_.end() ? nullptr : slopes_.col(found - travelling_.begin()).data();
}

AxisMotion ContactSet::spin(int contact, const Motion& motion) const noexcept {
  const double* along = row(contact, 3);
  if (along == nullptr) return {0.0, 0.0};
  const kernels::RowMotion found =
      kernels::motionAlongRow(along, motion.q, motion.v, motion.dv, motion.a, rowSize());
  return {found.displacement, found.velocity};
}

double ContactSet::gapFromCoordinatesAlongRows(int contact, const double* places) const noexcept {
  const Contact& c = contacts_[static_cast<std::size_t>(contact)];
  Local<double> x{};
  const int axes = gapAxisCount(c.obstacle);
  for (int axis = 0; axis < axes; ++axis) {
    const auto a = static_cast<std::size_t>(axis);
    x[a] = c.offset[axis] + (row(contact, axis) == nullptr ? 0.0 : places[a * rowStride()]);
  }
  return gapAndNormalOf(c.obstacle, x).gap;
}

namespace {

/// Motion of a followed contact in a trial. Coordinates and rates are computed only when a law requests them.
/// Position, drift and frame of the contact point are written to `after`.
class FollowedKinematics {
 public:
  struct Trial {
    const ContactSet& set;
    int contact;
    const Motion& motion;
    const double*
        /// Products b_axis q of the axes on which the gap depends, at places[axis * stride].
        places;
    double time;                   ///< instant of the trial [s]
    double elapsed;                ///< time since the accepted state [s]
    CoupledShifts::Shift shift{};  ///< shift of a coupled contact
    bool byRates{false};           ///< the path of a closed contact follows the rates
  };

  FollowedKinematics(const Trial& trial, const ContactState& from, const FollowedState& before,
                     FollowedState& after) noexcept
      : trial_(trial),
        contact_(trial.set.contact(trial.contact)),
        kind_(tangentKind(contact_.obstacle)),
        from_(from),
        before_(before),
        after_(after) {
    Local<double> drift{};
    if (!contact_.drift.empty()) {
      const Drift moved = supportDriftAtTime(contact_, trial.time, trial.elapsed);
      drift = moved.displacement;
      at_.velocity = moved.velocity;
    }
    after.drift = drift;
    const int axes = gapAxisCount(contact_.obstacle);
    for (int axis = 0; axis < axes; ++axis) {
      const auto a = static_cast<std::size_t>(axis);
      const double along =
          trial.set.row(trial.contact, axis) == nullptr ? 0.0 : trial.places[a * trial.set.rowStride()];
      after.place[a] = contact_.offset[axis] + along + drift[a] + trial.shift.displacement[a];
    }
    if (contact_.isTravelling()) {  // trial.places is the product of q with the row of an earlier instant
      const double* q = trial.motion.q;
      after.place[0] = contact_.offset[0] + drift[0] +
                       kernels::dot(trial.set.row(trial.contact, 0), q, trial.set.rowSize());
      after.slopeRate = kernels::dot(trial.set.rowDerivative(trial.contact), q, trial.set.rowSize());
      at_.velocity[0] += after.slopeRate;
    }
    touch_ = gapAndNormalOf(contact_.obstacle, after.place);
  }

  double gap() const noexcept { return touch_.gap; }
  double normalSign() const noexcept { return kind_ == TangentKind::fixed ? touch_.normal[0] : 1.0; }
  double gapRate() noexcept {
    computeVelocity();
    return innerProduct(touch_.normal, at_.velocity);
  }
  SlipMotion<double> slip(bool /*withRate*/) noexcept {
    computeContactFrame();
    slip_ = slipOfFollowedContact(contact_, from_, before_, at_, trial_.time, trial_.elapsed, surface_);
    if (trial_.byRates && from_.isClosed() && trial_.elapsed > 0.0) computePathFromSlipRates();
    after_.roll = at_.roll.position;
    after_.surfaceRate = surface_.rate;
    after_.travel = surface_.travel;
    return slip_;
  }
  Tangential<double> slipRate() const noexcept { return slip_.rate; }

  /// Computes the frame at the contact point and writes it to `after`.
  void computeContactFrame() noexcept {
    if (turned_) return;
    turned_ = true;
    computeVelocity();
    after_.frame = contactFrameAtNormal(kind_, touch_.normal, from_.isClosed() ? &before_.frame : nullptr);
    at_.frame = after_.frame;
    if (contact_.isRolling()) at_.roll = trial_.set.spin(trial_.contact, trial_.motion);
  }

  /// Position of the last slip of the friction automaton. In stick, the surface and the rolling body move
  /// this position. A contact that closes in stick is anchored one step earlier. To be called after
  /// `computeContactFrame`, for a closed contact.
  Local<double> anchorPositionOfStick(const ContactState& to) const noexcept {
    if (to.friction.slipping) return after_.place;
    Local<double> anchor = after_.place;
    if (from_.isClosed()) {
      anchor = before_.anchor;
      const double share = 0.5 * (rollingSlipFactor(before_.frame) + rollingSlipFactor(after_.frame));
      movePositionAlongTangents(
          {surface_.travel.first + share * (at_.roll.position - before_.roll), surface_.travel.second},
          anchor);
      return anchor;
    }
    for (std::size_t a = 0; a < 3; ++a) anchor[a] -= trial_.elapsed * at_.velocity[a];
    const double rolling = rollingSlipFactor(after_.frame) * at_.roll.rate;
    movePositionAlongTangents(scaled(trial_.elapsed, surface_.rate + Tangential<double>{rolling, 0.0}),
                              anchor);
    return anchor;
  }

 private:
  /// Computes the path from the slip rates at the start, the middle and the end of the step.
  void computePathFromSlipRates() noexcept {
    const ContactFrame<double>& frame = before_.frame;
    const Tangential<double>& scale = contact_.tangentScale;
    const Tangential<double> along =
        Tangential<double>{from_.slipRate.first / scale.first, from_.slipRate.second / scale.second} +
        before_.surfaceRate;
    Local<double> velocity;
    for (std::size_t a = 0; a < 3; ++a)
      velocity[a] =
          from_.gapRate * frame.normal[a] + along.first * frame.first[a] + along.second * frame.second[a];
    const double h = trial_.elapsed;
    const MiddleOfPath middle(before_.place, velocity, at_.place, at_.velocity, h);
    const Local<double> normal = gapAndNormalOf(contact_.obstacle, middle.place).normal;
    const Local<double> surface =
        surfaceVelocity(contact_, trial_.time - 0.5 * h, middle.place, normal, 0.5 * h);
    Local<double> past;
    for (std::size_t a = 0; a < 3; ++a) past[a] = middle.velocity[a] - surface[a];
    const Tangential<double> between =
        tangentialComponents(contactFrameAtNormal(kind_, normal, &frame), past);
    slip_.path =
        from_.position + slipPathFromSlipRates(from_.slipRate,
                                               {scale.first * between.first, scale.second * between.second},
                                               slip_.rate, h);
  }
  /// Moves the position `place` by a path along the tangents.
  void movePositionAlongTangents(const Tangential<double>& way, Local<double>& place) const noexcept {
    for (std::size_t a = 0; a < 3; ++a)
      place[a] += way.first * after_.frame.first[a] + way.second * after_.frame.second[a];
  }
  /// Computes the coordinates on which the gap does not depend, and the velocity.
  void computeVelocity() noexcept {
    if (completed_) return;
    completed_ = true;
    const ContactSet& set = trial_.set;
    const Motion& motion = trial_.motion;
    const Eigen::Index size = set.rowSize();
    for (int axis = gapAxisCount(contact_.obstacle); axis < 3; ++axis) {
      const double* row = set.row(trial_.contact, axis);
      const double along = row == nullptr ? 0.0 : kernels::dot(row, motion.q, size);
      const auto a = static_cast<std::size_t>(axis);
      after_.place[a] = contact_.offset[axis] + along + after_.drift[a] + trial_.shift.displacement[a];
    }
    at_.place = after_.place;
    const double* first = set.row(trial_.contact, 0);
    const double* second = set.row(trial_.contact, 1);
    Local<double>& velocity = at_.velocity;  // includes the velocity of the drift
    if (first != nullptr && second != nullptr) {
      double rates[2];
      kernels::velocitiesAlongRows(first, second, motion.v, motion.dv, motion.a, size, rates);
      velocity[0] += rates[0];
      velocity[1] += rates[1];
    } else {
      velocity[0] += rateAlongRow(first);
      velocity[1] += rateAlongRow(second);
    }
    velocity[2] += rateAlongRow(set.row(trial_.contact, 2));
    for (std::size_t a = 0; a < 3; ++a) velocity[a] += trial_.shift.rate[a];
  }
  double rateAlongRow(const double* row) const noexcept {
    if (row == nullptr) return 0.0;
    const Motion& motion = trial_.motion;
    return kernels::motionAlongRow(row, motion.q, motion.v, motion.dv, motion.a, trial_.set.rowSize())
        .velocity;
  }

  Trial trial_;
  const Contact& contact_;
  TangentKind kind_;
  const ContactState& from_;
  const FollowedState& before_;
  FollowedState& after_;
  Touch<double> touch_{};
  FollowedPlace<double> at_{};
  SlipMotion<double> slip_{};
  SurfaceMotion surface_{};
  bool completed_{false}, turned_{false};
};

}  // namespace

namespace {

/// True if the path of a contact can follow its rates: the velocity at the start of a step follows from gap
/// rate and slip rate.
bool canSlipPathFollowRates(const Contact& contact) noexcept {
  const Tangential<double>& scale = contact.tangentScale;
  return isCurved(contact.obstacle) && !contact.isRolling() && !contact.coupled && !contact.isTravelling() &&
         scale.first > 0.0 && scale.second > 0.0 && !traitsOf(contact.friction).anchorsPlace;
}

}  // namespace

void ContactRun::evaluateFollowedContact(std::size_t i, double t, double imposed,
                                         const Motion& motion) noexcept {
  const int index = static_cast<int>(i);
  const Contact& contact = set_->contact(index);
  const ContactState& from = acceptedState(i);
  ContactState& to = writableTrialState(i);
  const FollowedState& before = followed_.state(i, current_[i]);
  FollowedState& after = followed_.state(i, 1U - current_[i]);
  after.push = {};
  after.rollForce = 0.0;
  after.travel = {};
  const double elapsed = t - time_;
  const bool byRates = followsRates_ && canSlipPathFollowRates(contact);
  FollowedKinematics at(
      {*set_, index, motion, gaps_.trialDisplacementsAlongRows() + i, t, elapsed,
       contact.coupled ? shifts_.displacementShiftOfContact(i) : CoupledShifts::Shift{}, byRates},
      from, before, after);
  if (from.normal == NormalState::open && hasGap(contact.obstacle) && at.gap() > 0.0) {
    to = {};
    to.gap = at.gap();
    return;
  }
  computeContactTrial<double>(contact, at, imposed, elapsed, from, to);
  if (!to.isClosed()) return;
  at.computeContactFrame();
  if (byRates) to.gapRate = at.gapRate();
  writeForceOfFollowedContact(contact, to, after);
  if (traitsOf(contact.friction).anchorsPlace) after.anchor = at.anchorPositionOfStick(to);
}

void setPositionsOfFollowedContacts(ContactRun& run, double t, const Motion& motion) {
  const ContactSet& set = run.contactSet();
  for (int i = 0; i < set.size(); ++i) {
    const auto at = static_cast<std::size_t>(i);
    const Contact& contact = set.contact(i);
    if (!set.isFollowed(i) || contact.coupled || !run.state(at).isClosed()) continue;
    FollowedState followed = run.followedState(at);
    followed.drift = supportDriftAtTime(contact, t).displacement;
    for (int axis = 0; axis < 3; ++axis) {
      const double* row = set.row(i, axis);
      const auto a = static_cast<std::size_t>(axis);
      followed.place[a] = contact.offset[axis] + followed.drift[a] +
                          (row == nullptr ? 0.0 : kernels::dot(row, motion.q, set.rowSize()));
    }
    const ContactFrame<double>& frame = followed.frame;
    followed.surfaceRate =
        tangentialComponents(frame, surfaceVelocity(contact, t, followed.place, frame.normal));
    if (contact.isRolling()) followed.roll = set.spin(i, motion).position;
    writeForceOfFollowedContact(contact, run.state(at), followed);
    run.setState(at, followed);
  }
}

/// Copies the parameters of the laws, which may have changed since the last run, to the set of this run.
void ContactRun::copyContactLawsFromSet() {
  for (int i = 0; own_ && i < own_->size(); ++i) {
    const Contact& given = shared_->contact(i);
    own_->setParameters(i, given.obstacle, given.normal, given.friction);
  }
}

void ContactRun::updateTravellingRows(double t) noexcept { own_->updateTravellingRows(t); }

/// Ends the skipping of open contacts and updates their gaps to the accepted instant.
void ContactRun::stopSkippingGapsOfContacts() noexcept {
  gaps_.stopSkippingGapsOfContacts();
  for (std::size_t i = 0; i < current_.size(); ++i)
    if (gaps_.canSkipCurvedContact(i)) acceptedState(i).gap = gaps_.acceptedGap(i);
}

/// Adds the work that moving supports and surfaces do on the structure through a followed contact, by the
/// trapezoidal rule: minus contact force times drift, plus traction times displacement of the surface. The
/// drive of a contact along the slope of a beam does the work minus force times the rate of x1 by the slope.
void ContactRun::addWorkOfFollowedContact(std::size_t i, double h, EnergyLedger& ledger) noexcept {
  const FollowedState& from = followed_.state(i, current_[i]);
  const FollowedState& to = followed_.state(i, 1U - current_[i]);
  for (std::size_t a = 0; a < 3; ++a)
    ledger.external -= 0.5 * (from.push[a] + to.push[a]) * (to.drift[a] - from.drift[a]);
  ledger.external -= 0.25 * h * (from.push[0] + to.push[0]) * (from.slopeRate + to.slopeRate);
  const Tangential<double>& scale = set_->contacts()[i].tangentScale;
  const Tangential<double> pull = acceptedState(i).traction + writableTrialState(i).traction;
  ledger.external +=
      0.5 * (scale.first * pull.first * to.travel.first + scale.second * pull.second * to.travel.second);
}

}  // namespace ricochet
