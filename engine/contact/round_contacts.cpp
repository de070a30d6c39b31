// Contacts with a circle or a disc at rest whose body moves across the axis only.
//
// The trial of followed_contacts.cpp, by the same laws and with the same bits, without what is zero in a
// plane: the place along the axis, the second tangent, and what supports, surfaces and rolling would add.

#include "engine/contact/contact_set.hpp"
#include "engine/contact/followed.hpp"

#include <variant>

namespace ricochet {
namespace {

/// For friction: what has been covered along the arc, and how fast.
struct ArcCoordinates {
  double path;
  double across;  ///< along the axis, where nothing moves
  double slipRate;

  double position(int axis) const noexcept { return axis == 1 ? path : across; }
  double rate(int axis) const noexcept { return axis == 1 ? slipRate : 0.0; }
  AxisMotion motion(int axis) const noexcept { return {position(axis), rate(axis)}; }
};

/// Components across the axis: the others of a FollowedState stay as they are made.
void putAcross(const Local<double>& from, Local<double>& to) noexcept {
  to[0] = from[0];
  to[1] = from[1];
}

/// What a contact has covered along the arc when it is at a place: the automaton along the present tangent.
double arcTo(const Local<double>& place, const Local<double>& n, const Local<double>& tangent,
             const ContactState& from, const FollowedState& before, bool anchored) noexcept {
  if (!from.closed()) return tangent[0] * place[0] + tangent[1] * place[1];
  if (anchored)
    return from.friction.anchorPosition.first +
           (tangent[0] * (place[0] - before.anchor[0]) + tangent[1] * (place[1] - before.anchor[1]));
  const ContactFrame<double> frame = frameAt(TangentKind::inPlane, n, nullptr);
  return from.position.first + covered(TangentKind::inPlane, before.frame, before.place, frame, place).first;
}

}  // namespace

bool isRoundInPlane(const Contact& contact) noexcept {
  const auto* curved = std::get_if<Curved>(&contact.obstacle);
  if (curved == nullptr) return false;
  const bool round =
      std::holds_alternative<Circle>(curved->shape) || std::holds_alternative<Disc>(curved->shape);
  const bool atRest = contact.drift.empty() && contact.surface.empty() && contact.surfaceSpin.empty() &&
                      contact.rollRow.size() == 0;
  const bool inPlane =
      !contact.rows.row(0).isZero(0.0) && !contact.rows.row(1).isZero(0.0) && contact.rows.row(2).isZero(0.0);
  const bool stepped =
      std::visit([]<class L>(const L&) { return !L::kSetValued && !L::kImposed; }, contact.normal);
  const bool isotropic = contact.tangentScale.first == 1.0 && contact.tangentScale.second == 1.0;
  return round && atRest && inPlane && stepped && isotropic && !contact.patch;
}

template <class Shape>
void ContactRun::tryRound(const Shape& shape, std::size_t i, double t, const Motion& motion) noexcept {
  const int index = static_cast<int>(i);
  const Contact& contact = set_->contact(index);
  const ContactState& from = accepted(i);
  ContactState& to = trial(i);
  const FollowedState& before = followed_.state(i, current_[i]);
  FollowedState& after = followed_.state(i, 1U - current_[i]);

  const double* places = gaps_.places() + i;
  const Local<double> place{contact.offset[0] + places[0], contact.offset[1] + places[set_->stride()],
                            contact.offset[2]};
  const Touch<double> touch = shape.template touch<double>(place);
  after.place = place;
  putAcross({}, after.push);
  if (from.normal == NormalState::open && touch.gap > 0.0) {
    to = {};
    to.gap = touch.gap;
    return;
  }
  double rates[2];
  kernels::rowRates(set_->row(index, 0), set_->row(index, 1), motion.v, motion.dv, motion.a, set_->rowSize(),
                    rates);
  const Local<double>& n = touch.normal;
  to.gap = touch.gap;
  to.side = 1.0;
  to.imposed = 0.0;
  pressNormal(contact, from.normal, to, [&] { return n[0] * rates[0] + n[1] * rates[1]; });
  if (!to.closed() && !from.closed()) {
    to.traction = {};
    to.friction = {};
    to.storedTangential = 0.0;
    return;
  }
  const Local<double> tangent{-n[1], n[0], 0.0};
  putAcross(n, after.frame.normal);
  putAcross(tangent, after.frame.first);

  const double elapsed = t - time_;
  const bool anchored = std::holds_alternative<Automaton>(contact.friction);
  const ArcCoordinates arc{arcTo(place, n, tangent, from, before, anchored), place[2],
                           tangent[0] * rates[0] + tangent[1] * rates[1]};
  evaluateFriction(contact.friction, arc, from, elapsed, to);
  if (!to.closed()) return;
  const double pull = to.traction.first;
  putAcross({to.compression * n[0] + pull * tangent[0], to.compression * n[1] + pull * tangent[1], 0.0},
            after.push);
  if (!anchored) return;
  after.anchor = before.anchor;
  if (to.friction.slipping)
    after.anchor = place;
  else if (!from.closed())  // what closes sticking was there a step before
    after.anchor = {place[0] - elapsed * rates[0], place[1] - elapsed * rates[1], place[2]};
}

void ContactRun::evaluateRound(std::size_t i, double t, const Motion& motion) noexcept {
  const AnyCurvedObstacle& shape = std::get<Curved>(set_->contacts()[i].obstacle).shape;
  if (const auto* circle = std::get_if<Circle>(&shape))
    tryRound(*circle, i, t, motion);
  else
    tryRound(std::get<Disc>(shape), i, t, motion);
}

void ContactRun::touchRound(std::size_t i, double t, const Motion& motion) noexcept {
  evaluateRound(i, t, motion);
  if (!trial(i).closed()) return;
  const Local<double>& push = followed_.state(i, 1U - current_[i]).push;
  const auto at = static_cast<std::size_t>(active_);
  for (const std::size_t axis : {std::size_t{0}, std::size_t{1}}) {
    activeRows_[at + axis] = set_->row(static_cast<int>(i), static_cast<int>(axis));
    activeForces_[at + axis] = push[axis];
  }
  active_ += 2;
}

}  // namespace ricochet
