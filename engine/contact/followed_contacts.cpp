#include "engine/contact/followed_contacts.hpp"

#include "engine/contact/contact_set.hpp"

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

double ContactSet::gapFrom(int contact, const double* places) const noexcept {
  const Contact& c = contacts_[static_cast<std::size_t>(contact)];
  Local<double> x{};
  const int axes = gapAxes(c.obstacle);
  for (int axis = 0; axis < axes; ++axis) {
    const auto a = static_cast<std::size_t>(axis);
    x[a] = c.offset[axis] + (row(contact, axis) == nullptr ? 0.0 : places[a * stride()]);
  }
  return touchOf(c.obstacle, x).gap;
}

namespace {

/// Places and rates of a trial of a followed contact, its coordinates asked for as far as they count.
class FollowedTrial {
 public:
  /// `places`: b_axis q of the axes that decide on the gap, at places[axis * stride].
  FollowedTrial(const ContactSet& set, int contact, const Motion& motion, const double* places,
                double t) noexcept
      : set_(set),
        index_(contact),
        contact_(set.contact(contact)),
        motion_(motion),
        places_(places),
        kind_(tangentKind(contact_.obstacle)),
        time_(t) {
    if (!contact_.drift.empty()) drift_ = driftAt(contact_, t);
  }

  TangentKind kind() const noexcept { return kind_; }
  const Drift& drift() const noexcept { return drift_; }

  Touch<double> touch(FollowedState& after) const noexcept {
    const int axes = gapAxes(contact_.obstacle);
    for (int axis = 0; axis < axes; ++axis) {
      const auto a = static_cast<std::size_t>(axis);
      const double along = set_.row(index_, axis) == nullptr ? 0.0 : places_[a * set_.stride()];
      after.place[a] = contact_.offset[axis] + along + drift_.displacement[a];
    }
    return touchOf(contact_.obstacle, after.place);
  }

  /// The coordinates that the gap did not ask for, and the velocity.
  Local<double> complete(FollowedState& after) const noexcept {
    const Eigen::Index size = set_.rowSize();
    for (int axis = gapAxes(contact_.obstacle); axis < 3; ++axis) {
      const double* row = set_.row(index_, axis);
      const double along = row == nullptr ? 0.0 : kernels::dot(row, motion_.q, size);
      const auto a = static_cast<std::size_t>(axis);
      after.place[a] = contact_.offset[axis] + along + drift_.displacement[a];
    }
    Local<double> velocity = drift_.velocity;
    const double* first = set_.row(index_, 0);
    const double* second = set_.row(index_, 1);
    if (first != nullptr && second != nullptr) {
      double rates[2];
      kernels::rowRates(first, second, motion_.v, motion_.dv, motion_.a, size, rates);
      velocity[0] += rates[0];
      velocity[1] += rates[1];
    } else {
      velocity[0] += rateAlong(first);
      velocity[1] += rateAlong(second);
    }
    velocity[2] += rateAlong(set_.row(index_, 2));
    return velocity;
  }

  /// What it has covered and how fast it slips. `roll`: place and rate of a body that rolls.
  PathCoordinates path(const ContactState& from, const FollowedState& before, FollowedState& after,
                       const Local<double>& velocity, const AxisMotion& roll, double elapsed) const noexcept {
    const double share = rollShare(after.frame);
    after.roll = roll.position;
    after.surfaceRate = {};
    if (!contact_.surface.empty() || !contact_.surfaceSpin.empty())
      after.surfaceRate =
          alongTangents(after.frame, surfaceVelocity(contact_, time_, after.place, after.frame.normal));
    PathCoordinates path{alongTangents(after.frame, after.place),
                         alongTangents(after.frame, velocity) - after.surfaceRate};
    path.slipRate.first -= share * roll.rate;
    if (!from.closed()) return scaledPath(path, contact_.tangentScale, {});
    after.travel = scaled(0.5 * elapsed, before.surfaceRate + after.surfaceRate);
    const Tangential<double>& scale = contact_.tangentScale;
    if (std::holds_alternative<Automaton>(contact_.friction)) {  // along the present tangents
      Local<double> away;
      for (std::size_t a = 0; a < 3; ++a) away[a] = after.place[a] - before.anchor[a];
      return {from.friction.anchorPosition + alongTangents(after.frame, away),
              {scale.first * path.slipRate.first, scale.second * path.slipRate.second}};
    }
    path.path =
        from.position + covered(kind_, before.frame, before.place, after.frame, after.place) - after.travel;
    path.path.first -= 0.5 * (share + rollShare(before.frame)) * (after.roll - before.roll);
    return scaledPath(path, scale, from.position);
  }

 private:
  double rateAlong(const double* row) const noexcept {
    if (row == nullptr) return 0.0;
    return kernels::rowMotion(row, motion_.q, motion_.v, motion_.dv, motion_.a, set_.rowSize()).velocity;
  }

  const ContactSet& set_;
  int index_;
  const Contact& contact_;
  const Motion& motion_;
  const double* places_;
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
  const FollowedTrial place(*set_, index, motion, gaps_.places() + i, t);
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
    if (gaps_.isOpenCurved(i)) accepted(i).gap = gaps_.acceptedGap(i);
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
