#include "engine/contact/followed_contacts.hpp"

#include "engine/contact/contact_set.hpp"
#include "engine/contact/modal_coordinates.hpp"

#include <cmath>
#include <variant>

namespace ricochet {
namespace {

/// Coordinates for the friction of a followed contact: along the tangents what it has covered.
struct PathCoordinates {
  Tangential<double> path;
  Tangential<double> slipRate;

  double position(int axis) const noexcept { return axis == 1 ? path.first : path.second; }
  double rate(int axis) const noexcept { return axis == 1 ? slipRate.first : slipRate.second; }
  AxisMotion motion(int axis) const noexcept { return {position(axis), rate(axis)}; }
};

/// Covered since `from` and slip rate, as friction feels them (Contact::tangentScale).
PathCoordinates scaledPath(const PathCoordinates& path, const Tangential<double>& scale,
                           const Tangential<double>& from) noexcept {
  const Tangential<double> covered = path.path - from;
  return {from + Tangential<double>{scale.first * covered.first, scale.second * covered.second},
          {scale.first * path.slipRate.first, scale.second * path.slipRate.second}};
}

Tangential<double> alongTangents(const ContactFrame<double>& frame, const Local<double>& v) noexcept {
  return {inner(frame.first, v), inner(frame.second, v)};
}

/// Local coordinates that decide on the gap.
int gapAxes(const AnyObstacle& any) noexcept {
  switch (tangentKind(any)) {
    case TangentKind::fixed:
      return 1;
    case TangentKind::inPlane:
      return 2;
    case TangentKind::turning:
      return 3;
  }
  return 3;
}

}  // namespace

Local<double> surfaceVelocity(const Contact& contact, double t, const Local<double>& x,
                              const Local<double>& normal) noexcept {
  Local<double> velocity{};
  for (const SurfaceTerm& term : contact.surface) {
    const double speed = term.speed.at(t);
    velocity[1] += speed * term.direction.first;
    velocity[2] += speed * term.direction.second;
  }
  for (const SurfaceSpin& spin : contact.surfaceSpin) {
    const double rate = spin.rate.at(t);
    const auto* curved = std::get_if<Curved>(&contact.obstacle);
    if (curved == nullptr) {  // a disc that turns about its normal e1: e1 x place
      velocity[1] -= rate * x[2];
      velocity[2] += rate * x[1];
    } else {  // e3 x (radius normal)
      const double radius =
          std::visit([](const auto& shape) { return shape.surfaceRadius(); }, curved->shape);
      velocity[0] -= rate * radius * normal[1];
      velocity[1] += rate * radius * normal[0];
    }
  }
  return velocity;
}

Drift driftAt(const Contact& contact, double t) noexcept {
  Drift drift;
  for (const DriftTerm& term : contact.drift) {
    const double displacement = term.displacement.at(t), velocity = term.velocity.at(t);
    for (std::size_t i = 0; i < 3; ++i) {
      drift.displacement[i] += displacement * term.direction[static_cast<Eigen::Index>(i)];
      drift.velocity[i] += velocity * term.direction[static_cast<Eigen::Index>(i)];
    }
  }
  return drift;
}

double rollShare(const ContactFrame<double>& frame) noexcept {
  return frame.first[1] * frame.normal[0] - frame.first[0] * frame.normal[1];
}

double ContactSet::gapAt(int contact, const double* q, double t) const noexcept {
  const Contact& c = contacts_[static_cast<std::size_t>(contact)];
  Local<double> x{};
  const int axes = gapAxes(c.obstacle);
  for (int axis = 0; axis < axes; ++axis) {
    const double* b = row(contact, axis);
    x[static_cast<std::size_t>(axis)] = c.offset[axis] + (b == nullptr ? 0.0 : kernels::dot(b, q, rowSize()));
  }
  if (!c.drift.empty()) {
    const Drift drift = driftAt(c, t);
    for (std::size_t i = 0; i < 3; ++i) x[i] += drift.displacement[i];
  }
  return touchOf(c.obstacle, x).gap;
}

namespace {

/// Places and rates of a trial of a followed contact, its coordinates asked for as far as they count.
class FollowedTrial {
 public:
  FollowedTrial(const Contact& contact, const ModalCoordinates& coordinates, double t) noexcept
      : contact_(contact), coordinates_(coordinates), kind_(tangentKind(contact.obstacle)), time_(t) {
    if (!contact.drift.empty()) drift_ = driftAt(contact, t);
  }

  TangentKind kind() const noexcept { return kind_; }
  const Drift& drift() const noexcept { return drift_; }

  Touch<double> touch(FollowedState& after) noexcept {
    fill(after.place, 0, gapAxes(contact_.obstacle));
    return touchOf(contact_.obstacle, after.place);
  }

  /// The coordinates that the gap did not ask for, and the velocity.
  Local<double> complete(FollowedState& after) noexcept {
    fill(after.place, gapAxes(contact_.obstacle), 3);
    Local<double> velocity;
    for (int axis = 0; axis < 3; ++axis) {
      const auto a = static_cast<std::size_t>(axis);
      velocity[a] = coordinates_.rate(axis) + drift_.velocity[a];
    }
    return velocity;
  }

  /// What it has covered and how fast it slips. `roll`: place and rate of a body that rolls.
  PathCoordinates path(const ContactState& from, const FollowedState& before, FollowedState& after,
                       const Local<double>& velocity, const AxisMotion& roll, double elapsed) const noexcept {
    const double share = rollShare(after.frame);
    after.roll = roll.position;
    after.surfaceRate =
        alongTangents(after.frame, surfaceVelocity(contact_, time_, after.place, after.frame.normal));
    PathCoordinates path{alongTangents(after.frame, after.place),
                         alongTangents(after.frame, velocity) - after.surfaceRate};
    path.slipRate.first -= share * roll.rate;
    if (!from.closed()) return scaledPath(path, contact_.tangentScale, {});
    after.travel = scaled(0.5 * elapsed, before.surfaceRate + after.surfaceRate);
    path.path = from.position + covered(before.frame, before.place, after.frame, after.place) - after.travel;
    path.path.first -= 0.5 * (share + rollShare(before.frame)) * (after.roll - before.roll);
    path = scaledPath(path, contact_.tangentScale, from.position);
    if (std::holds_alternative<Automaton>(contact_.friction)) {  // along the present tangents
      Local<double> away;
      for (std::size_t a = 0; a < 3; ++a) away[a] = after.place[a] - before.anchor[a];
      path.path = from.friction.anchorPosition + alongTangents(after.frame, away);
    }
    return path;
  }

 private:
  void fill(Local<double>& place, int first, int last) const noexcept {
    for (int axis = first; axis < last; ++axis) {
      const auto a = static_cast<std::size_t>(axis);
      place[a] = coordinates_.position(axis) + drift_.displacement[a];
    }
  }

  const Contact& contact_;
  const ModalCoordinates& coordinates_;
  TangentKind kind_;
  double time_;
  Drift drift_{};
};

/// What a closed contact pushes along e1, e2, e3 and turns.
void putPush(const Contact& contact, const ContactState& state, FollowedState& followed) noexcept {
  const Tangential<double> traction{contact.tangentScale.first * state.traction.first,
                                    contact.tangentScale.second * state.traction.second};
  const ContactFrame<double>& frame = followed.frame;
  for (std::size_t a = 0; a < 3; ++a)
    followed.push[a] = state.compression * frame.normal[a] + traction.first * frame.first[a] +
                       traction.second * frame.second[a];
  followed.rollForce = -rollShare(frame) * traction.first;
}

/// Where the automaton slipped last; what closes sticking was there a step before.
Local<double> anchorOf(const ContactState& from, const ContactState& to, const FollowedState& before,
                       const FollowedState& after, const Local<double>& velocity, double elapsed) noexcept {
  if (to.friction.slipping) return after.place;
  if (from.closed()) return before.anchor;
  Local<double> earlier;
  for (std::size_t a = 0; a < 3; ++a) earlier[a] = after.place[a] - elapsed * velocity[a];
  return earlier;
}

}  // namespace

void ContactRun::evaluateFollowed(std::size_t i, double t, double imposed, const Motion& motion) noexcept {
  const int index = static_cast<int>(i);
  const Contact& contact = set_->contact(index);
  const ContactState& from = accepted(i);
  ContactState& to = trial(i);
  const FollowedState& before = followed_.state(i, current_[i]);
  FollowedState& after = followed_.state(i, 1U - current_[i]);
  const ModalCoordinates coordinates(*set_, index, motion, gaps_.along(i));
  FollowedTrial place(contact, coordinates, t);
  const Touch<double> touch = place.touch(after);
  after.drift = place.drift().displacement;
  after.push = {};
  after.rollForce = 0.0;
  after.travel = {};
  const bool hasGap = !std::holds_alternative<NoObstacle>(contact.obstacle);
  if (from.normal == NormalState::open && hasGap && touch.gap > 0.0) {
    to = {};
    to.gap = touch.gap;
    return;
  }
  const Local<double> velocity = place.complete(after);
  to.gap = touch.gap;
  to.side = place.kind() == TangentKind::fixed ? touch.normal[0] : 1.0;
  to.imposed = imposed;
  pressNormal(contact, from.normal, to, [&] { return inner(touch.normal, velocity); });
  if (!to.closed() && !from.closed()) {
    to.traction = {};
    to.friction = {};
    to.storedTangential = 0.0;
    return;
  }
  after.frame = frameAt(place.kind(), touch.normal, from.closed() ? &before.frame : nullptr);
  AxisMotion roll{0.0, 0.0};
  if (contact.rollRow.size() > 0) roll = set_->spin(index, motion);
  const double elapsed = t - time_;
  const PathCoordinates path = place.path(from, before, after, velocity, roll, elapsed);
  evaluateFriction(contact.friction, path, from, elapsed, to);
  if (!to.closed()) return;
  putPush(contact, to, after);
  if (std::holds_alternative<Automaton>(contact.friction))
    after.anchor = anchorOf(from, to, before, after, velocity, elapsed);
}

/// Wakes all, so that what they know is of the accepted instant.
void ContactRun::wakeAll() noexcept {
  gaps_.wakeAll();
  for (std::size_t i = 0; i < current_.size(); ++i)
    if (const double gap = gaps_.takeWokenGap(i); !std::isnan(gap)) accepted(i).gap = gap;
}

/// Work that supports and surfaces do on the structure through a contact that follows them, by the trapezoid:
/// the force pushes the structure, which moves by the place less its drift, and by what the surface covers
/// less than along it.
void ContactRun::bookFollowed(std::size_t i, EnergyLedger& ledger) noexcept {
  const FollowedState& from = followed_.state(i, current_[i]);
  const FollowedState& to = followed_.state(i, 1U - current_[i]);
  for (std::size_t a = 0; a < 3; ++a)
    ledger.external -= 0.5 * (from.push[a] + to.push[a]) * (to.drift[a] - from.drift[a]);
  const Tangential<double>& scale = set_->contacts()[i].tangentScale;
  const Tangential<double> pull = accepted(i).traction + trial(i).traction;
  ledger.external +=
      0.5 * (scale.first * pull.first * to.travel.first + scale.second * pull.second * to.travel.second);
}

}  // namespace ricochet
