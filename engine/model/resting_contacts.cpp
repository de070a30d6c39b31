#include "engine/model/resting_contacts.hpp"

#include "engine/contact/followed_slip.hpp"

#include <utility>

namespace ricochet {
namespace {

void removeFriction(Contact& contact) {
  contact.friction = Frictionless{};
  contact.patch.reset();
  contact.spinRow.resize(0);
  contact.surface.clear();
  contact.surfaceSpin.clear();
  contact.rollRow.resize(0);
}

constexpr double kInside = 1.0 - 1e-10;  // part of the friction limit within which a contact rests

}  // namespace

std::optional<RegularisedCoulomb> frictionAtRest(const AnyFrictionLaw& any, double stiffness) {
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
    : real_(&real), before_(before), resting_(real.contacts()) {
  for (Contact& contact : resting_) {
    const int i = static_cast<int>(stiffness_.size());
    stiffness_.push_back(stiffSpringConstant(contact, kinetic));
    replaced_ = replaced_ || traitsOf(contact.normal).setValued;
    if (traitsOf(contact.normal).setValued) addNormalFlexibility(contact, 1.0 / stiffness_.back());
    if (!friction || !real.hasTraction(i)) {
      removeFriction(contact);
      held_.emplace_back();
      continue;
    }
    replaced_ = replaced_ || traitsOf(contact.friction).setValued;
    contact.friction = *frictionAtRest(contact.friction, stiffness_.back());
    held_.push_back(stateOfStickBeforeLoads(real.contact(i)));
  }
}

void RestingContacts::setStatesBeforeLoads(ContactRun& run, LinkRun& links) const {
  links.setUnloadedStates(before_.time);
  std::vector<ContactState> states = run.states();
  FollowedContacts followed = run.followedContacts();
  for (std::size_t i = 0; i < held_.size(); ++i) {
    if (!held_[i]) continue;
    states[i] = held_[i]->state;
    if (run.contactSet().isFollowed(static_cast<int>(i))) followed.state(i, 0) = held_[i]->followed;
  }
  run.restore(states, run.areas(), followed);
}

void RestingContacts::moveSprings(const ContactRun& run) {
  for (std::size_t i = 0; i < held_.size(); ++i) {
    const Contact& real = real_->contacts()[i];
    const ContactState& found = run.trialState(i);
    if (traitsOf(real.normal).setValued && found.isClosed()) {
      Local<double> normal{found.side};
      if (isCurved(real.obstacle)) normal = run.trialFollowedState(i).frame.normal;
      for (std::size_t a = 0; a < 3; ++a)
        resting_[i].offset[static_cast<Eigen::Index>(a)] =
            real.offset[static_cast<Eigen::Index>(a)] - found.compression / stiffness_[i] * normal[a];
    }
    if (held_[i] && traitsOf(real.friction).setValued && found.isClosed() && !found.friction.slipping)
      held_[i]->state.friction.anchorForce = found.traction;
  }
}

void RestingContacts::recordSticks(const ContactRun& run) {
  for (std::size_t i = 0; i < held_.size(); ++i) {
    if (!held_[i] || traitsOf(real_->contacts()[i].friction).setValued) continue;
    held_[i]->state = run.trialState(i);
    setStickAtFrictionLimit(held_[i]->state);
    if (run.contactSet().isFollowed(static_cast<int>(i))) held_[i]->followed = run.trialFollowedState(i);
  }
}

void RestingContacts::storeSticks(RunMemory& memory) const {
  for (std::size_t i = 0; i < held_.size(); ++i) {
    if (!sticksElastically(i)) continue;
    memory.contacts[i] = held_[i]->state;
    if (real_->contacts()[i].isFollowed()) memory.followed.state(i, 0) = held_[i]->followed;
  }
}

void RestingContacts::setStickAtFrictionLimit(ContactState& state) {
  if (state.isClosed() && state.friction.slipping)
    state.friction = {.anchorForce = state.traction, .anchorPosition = state.position};
}

double RestingContacts::stiffSpringConstant(const Contact& contact, double kinetic) {
  const double most = contact.rows.rowwise().squaredNorm().maxCoeff();
  return most > 0.0 ? kinetic / most : kinetic;
}

RestingContacts::Held RestingContacts::stateOfStickBeforeLoads(const Contact& contact) const {
  Held held;
  Vec3 x = contact.offset + contact.rows * before_.q.head(contact.rows.cols());
  const Drift drift = supportDriftAt(contact, before_.time);
  for (std::size_t a = 0; a < 3; ++a) {
    x[static_cast<Eigen::Index>(a)] += drift.displacement[a];
    held.followed.place[a] = held.followed.anchor[a] = x[static_cast<Eigen::Index>(a)];
  }
  held.followed.drift = drift.displacement;
  const Touch<double> touch = gapAndNormalOf(contact.obstacle, held.followed.place);
  held.followed.frame = contactFrameAtNormal(tangentKind(contact.obstacle), touch.normal, nullptr);
  if (contact.isRolling()) held.followed.roll = contact.rollRow.dot(before_.q.head(contact.rollRow.size()));
  held.state.gap = touch.gap;
  held.state.normal = NormalState::closed;
  held.state.side = isCurved(contact.obstacle) ? 1.0 : touch.normal[0];
  held.state.position = {x[1], x[2]};
  held.state.friction.anchorPosition = held.state.position;
  return held;
}

}  // namespace ricochet
