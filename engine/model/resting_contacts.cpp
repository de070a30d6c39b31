#include "engine/model/resting_contacts.hpp"

#include "engine/contact/followed_slip.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace ricochet {
namespace {

void removeFrictionFromContact(Contact& contact) {
  contact.friction = Frictionless{};
  contact.patch.reset();
  contact.spinRow.resize(0);
  contact.surface.clear();
  contact.surfaceSpin.clear();
  contact.rollRow.resize(0);
}

constexpr double kSmall = 1e-14;         // part of the largest displacement that counts as zero
constexpr double kInside = 1.0 - 1e-10;  // part of the friction limit within which a contact rests

}  // namespace

std::optional<RegularisedCoulomb> regularisedFrictionAtRest(const AnyFrictionLaw& any, double stiffness) {
  return std::visit(
      [&]<class Law>(const Law& law) -> std::optional<RegularisedCoulomb> {
        if constexpr (Law::traits.ofSpeed) {
          const double mu = kInside * law.table->coefficient.front();
          return RegularisedCoulomb{mu, mu, Law::traits.setValued ? stiffness : law.contactStiffness()};
        } else if constexpr (Law::traits.setValued) {
          return RegularisedCoulomb{kInside * law.muStatic, kInside * law.muDynamic, stiffness};
        } else if constexpr (Law::traits.coneStick) {
          return RegularisedCoulomb{kInside * law.muStatic, kInside * law.muDynamic, law.contactStiffness()};
        } else {
          return std::nullopt;
        }
      },
      any);
}

RestingContacts::RestingContacts(const ContactSet& real, bool friction, double kinetic, const State& before)
    : real_(&real),
      before_(before),
      resting_(real.contacts()),
      push_(resting_.size()),
      held_(resting_.size()),
      found_(resting_.size()),
      sticks_(resting_.size()),
      inside_(resting_.size()) {
  for (std::size_t i = 0; i < resting_.size(); ++i) {
    const Contact& contact = real.contacts()[i];
    stiffness_.push_back(constantOfStiffSpring(contact, kinetic));
    if (friction && real.hasTraction(static_cast<int>(i))) {
      held_[i] = contactStateBeforeLoads(contact);
      const RegularisedCoulomb law = *regularisedFrictionAtRest(contact.friction, stiffness_[i]);
      if (law.muStatic > law.muDynamic) sticks_[i] = SearchedStick::held;
    }
    setStateOfRestingContact(i);
  }
}

void RestingContacts::setStateOfRestingContact(std::size_t i) {
  constexpr double kHolds = 1e100;  // a coefficient of friction without limit, whose square is finite
  const Contact& real = real_->contacts()[i];
  Contact& contact = resting_[i];
  contact = real;
  if (traitsOf(real.normal).setValued) {
    addNormalFlexibility(contact, 1.0 / stiffness_[i]);
    const double force = std::sqrt(innerProduct(push_[i], push_[i]));
    // A contact with a force rests just inside its obstacle: rounding must not leave it open at the start.
    const double inside = force > 0.0 ? inside_[i] / force : 0.0;
    for (std::size_t a = 0; a < 3; ++a)
      contact.offset[static_cast<Eigen::Index>(a)] += push_[i][a] * (inside - 1.0 / stiffness_[i]);
  }
  if (!held_[i]) return removeFrictionFromContact(contact);
  RegularisedCoulomb friction = *regularisedFrictionAtRest(real.friction, stiffness_[i]);
  if (sticks_[i] == SearchedStick::held) friction.muStatic = friction.muDynamic = kHolds;
  contact.friction = friction;
}

void RestingContacts::setContactStatesBeforeLoads(ContactRun& run, LinkRun& links) const {
  links.setLinksUnloaded(before_.time);
  std::vector<ContactState> states = run.states();
  FollowedContacts followed = run.followedContacts();
  for (std::size_t i = 0; i < held_.size(); ++i) {
    if (!held_[i]) continue;
    states[i] = held_[i]->state;
    if (run.contactSet().isFollowed(static_cast<int>(i))) followed.state(i, 0) = held_[i]->followed;
  }
  run.restore(states, run.acceptedAreaStates(), followed);
}

bool RestingContacts::moveSpringsOfRestingContacts(const ContactRun& run, const Vector& q) {
  constexpr double kLittle = 0.1;  // displacement that is left where springs are stiff enough
  constexpr double kStiffer = 10.0, kHalf = 0.5;
  constexpr double kRounding = 1e-9;  // part of the largest displacement that may be rounding
  constexpr int kMostStiffenings = 6;
  bool displaced = false;
  double largest = 0.0;
  for (std::size_t i = 0; i < resting_.size(); ++i) {
    const ContactState& found = run.trialState(i);
    const double displacement = copySpringForcesFromTrial(i, run);
    largest = std::max(largest, displacement);
    const double zero = kSmall * largest_ + roundingErrorOfDisplacement(i, q);
    displaced = displaced || displacement > zero;
    inside_[i] = 2.0 * zero;
    if (held_[i] && traitsOf(real_->contacts()[i].friction).setValued && found.isClosed() &&
        !found.friction.slipping && sticks_[i] == SearchedStick::byLaw)
      sticks_[i] = SearchedStick::held;
  }
  largest_ = std::max(largest_, largest);
  const bool isRounding = largest <= kRounding * largest_;  // if it no longer falls
  displaced = displaced && !(isRounding && last_ > 0.0 && largest > kHalf * last_);
  const bool stiffen =
      displaced && !isRounding && largest > kLittle * last_ && last_ > 0.0 && stiffened_ < kMostStiffenings;
  if (stiffen) ++stiffened_;
  last_ = stiffen || !displaced ? 0.0 : largest;
  const bool released = !displaced && releaseSticks(run);
  for (std::size_t i = 0; i < resting_.size(); ++i) {
    if (stiffen) stiffness_[i] *= kStiffer;
    setStateOfRestingContact(i);
  }
  return displaced || released;
}

double RestingContacts::copySpringForcesFromTrial(std::size_t i, const ContactRun& run) {
  const Contact& real = real_->contacts()[i];
  const ContactState& found = run.trialState(i);
  double change = 0.0;
  if (traitsOf(real.normal).setValued) {
    Local<double> normal{found.side};
    if (isCurved(real.obstacle)) normal = run.trialFollowedState(i).frame.normal;
    const double compression = found.isClosed() ? found.compression : 0.0;
    change = std::abs(compression - std::sqrt(innerProduct(push_[i], push_[i])));
    for (std::size_t a = 0; a < 3; ++a) push_[i][a] = found.isClosed() ? compression * normal[a] : 0.0;
  }
  if (held_[i] && traitsOf(real.friction).setValued && !found.friction.slipping) {
    const Tangential<double> before = held_[i]->state.friction.anchorForce;
    const Tangential<double> shift = found.traction - before;  // an open contact has no traction
    held_[i]->state.friction.anchorForce = found.traction;
    change = std::max(change, std::sqrt(dot(shift, shift)));
  }
  return change > 0.0 ? change / stiffness_[i] : 0.0;
}

double RestingContacts::tractionAsFractionOfFrictionLimit(std::size_t i, const ContactState& found) const {
  if (sticks_[i] != SearchedStick::held || !found.isClosed()) return 0.0;
  const double traction = std::sqrt(dot(found.traction, found.traction));
  const RegularisedCoulomb law = *regularisedFrictionAtRest(real_->contacts()[i].friction, stiffness_[i]);
  const double limit = law.muStatic * found.compression;
  if (!(traction > limit)) return 0.0;
  return limit > 0.0 ? traction / limit : std::numeric_limits<double>::infinity();
}

bool RestingContacts::releaseSticks(const ContactRun& run) {
  constexpr double kNear = 0.999;  // part of the largest use that counts as equal to it
  double most = 0.0;
  for (std::size_t i = 0; i < held_.size(); ++i)
    most = std::max(most, tractionAsFractionOfFrictionLimit(i, run.trialState(i)));
  for (std::size_t i = 0; i < held_.size(); ++i)
    if (const double use = tractionAsFractionOfFrictionLimit(i, run.trialState(i));
        use > 0.0 && use >= kNear * most)
      sticks_[i] = SearchedStick::released;
  return most > 0.0;
}

double RestingContacts::roundingErrorOfDisplacement(std::size_t i, const Vector& q) const {
  constexpr double kUnits = 16.0 * std::numeric_limits<double>::epsilon();
  const Contact& contact = real_->contacts()[i];
  const auto size = contact.rows.cols();
  const double parts = (contact.rows.cwiseAbs() * q.head(size).cwiseAbs()).maxCoeff();
  return contact.offsetRoundingError + kUnits * (contact.offset.norm() + parts);
}

void RestingContacts::recordStickStates(const ContactRun& run) {
  for (std::size_t i = 0; i < held_.size(); ++i) {
    if (!held_[i] || traitsOf(real_->contacts()[i].friction).setValued) continue;
    found_[i].state = run.trialState(i);
    setStickTractionAtFrictionLimit(found_[i].state);
    if (run.contactSet().isFollowed(static_cast<int>(i))) found_[i].followed = run.trialFollowedState(i);
  }
}

void RestingContacts::storeStickStates(RunMemory& memory) const {
  for (std::size_t i = 0; i < held_.size(); ++i) {
    if (!isStickingElastically(i)) continue;
    memory.contacts[i] = found_[i].state;
    if (real_->contacts()[i].isFollowed()) memory.followed.state(i, 0) = found_[i].followed;
  }
}

void RestingContacts::setStickTractionAtFrictionLimit(ContactState& state) {
  if (state.isClosed() && state.friction.slipping)
    state.friction = {.anchorForce = state.traction, .anchorPosition = state.position};
}

double RestingContacts::constantOfStiffSpring(const Contact& contact, double kinetic) {
  const double most = contact.rows.rowwise().squaredNorm().maxCoeff();
  return most > 0.0 ? kinetic / most : kinetic;
}

Local<double> RestingContacts::positionAt(const Contact& contact, const Vector& q) const {
  const Vec3 x = contact.offset + contact.rows * q.head(contact.rows.cols());
  const Drift drift = supportDriftAtTime(contact, before_.time);
  return {x[0] + drift.displacement[0], x[1] + drift.displacement[1], x[2] + drift.displacement[2]};
}

RestingContacts::Held RestingContacts::stickStateWithoutForce(const Contact& contact, const Vector& q) const {
  Held held;
  held.followed.place = held.followed.anchor = positionAt(contact, q);
  held.followed.drift = supportDriftAtTime(contact, before_.time).displacement;
  const Touch<double> touch = gapAndNormalOf(contact.obstacle, held.followed.place);
  held.followed.frame = contactFrameAtNormal(tangentKind(contact.obstacle), touch.normal, nullptr);
  if (contact.isRolling()) held.followed.roll = contact.rollRow.dot(q.head(contact.rollRow.size()));
  held.state.gap = touch.gap;
  held.state.normal = NormalState::closed;
  held.state.side = isCurved(contact.obstacle) ? 1.0 : touch.normal[0];
  held.state.position = {held.followed.place[1], held.followed.place[2]};
  held.state.friction.anchorPosition = held.state.position;
  return held;
}

RestingContacts::Held RestingContacts::contactStateBeforeLoads(const Contact& contact) const {
  Held held = stickStateWithoutForce(contact, before_.q);
  if (isCurved(contact.obstacle) && held.state.gap > contact.offsetRoundingError)
    held.state.normal = NormalState::open;
  return held;
}

void RestingContacts::anchorStickWhereContactFirstTouched(const ContactRun& run, const Vector& from,
                                                          const Vector& to) {
  constexpr int kHalvings = 60;
  for (std::size_t i = 0; i < held_.size(); ++i) {
    if (!held_[i] || held_[i]->state.isClosed() || !run.state(i).isClosed()) continue;
    const Contact& contact = real_->contacts()[i];
    double open = 0.0, closed = 1.0;  // parts of the way
    for (int k = 0; k < kHalvings; ++k) {
      const double middle = 0.5 * (open + closed);
      const Local<double> place = positionAt(contact, from + middle * (to - from));
      (gapAndNormalOf(contact.obstacle, place).gap > 0.0 ? open : closed) = middle;
    }
    held_[i] = stickStateWithoutForce(contact, from + closed * (to - from));
  }
}

}  // namespace ricochet
