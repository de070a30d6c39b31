#include "engine/contact/contact_view.hpp"

#include "engine/contact/followed.hpp"
#include "engine/contact/modal_coordinates.hpp"
#include "engine/contact/static_motion.hpp"

#include <algorithm>
#include <span>
#include <tuple>

namespace ricochet {
namespace {

/// Accepted position of the contact point of a coupled contact whose normal turns with its shift; null for
/// contacts whose position follows from the coordinates.
const Local<double>* shiftedContactPointOrNull(const ContactRun& contacts, int i) {
  const Contact& contact = contacts.contactSet().contact(i);
  const auto k = static_cast<std::size_t>(i);
  return contact.coupled && isCurved(contact.obstacle) && contacts.state(k).isClosed()
             ? &contacts.followedState(k).place
             : nullptr;
}

/// Position of a travelling contact along e1, without the offset, and its rate.
AxisMotion motionOfTravellingContact(const ContactTravelPath& way, const State& s) {
  Eigen::RowVectorXd row(way.generalizedCoordinateCount()), rate(way.generalizedCoordinateCount());
  way.computeNormalRowAndItsRateAtTime(s.time, row.data(), rate.data());
  const auto q = s.q.head(way.generalizedCoordinateCount()), v = s.v.head(way.generalizedCoordinateCount());
  return {row.dot(q), row.dot(v) + rate.dot(q)};
}

/// Writes gap, normal and position of a contact at a state to `view`, and the slip velocity of a closed
/// contact. `shifted`: position of a contact point that does not follow from the coordinates.
ContactFrame<double> setKinematicsOfContactView(const ContactSet& set, int i, const State& s, bool closed,
                                                ContactView& view, const Local<double>* shifted = nullptr) {
  const Contact& contact = set.contact(i);
  const Motion motion{s.q.data(), s.v.data(), 0.0, s.v.data()};
  const ModalCoordinates coordinates(set, i, motion, 0.0);  // b_0 q and its rate are read by motion(0)
  const Drift drift = supportDriftAtTime(contact, s.time);
  Local<double> place, velocity;
  const bool scaledRows = !set.isFollowed(i);
  const double scale[3] = {1.0, contact.tangentScale.first, contact.tangentScale.second};
  for (int axis = 0; axis < 3; ++axis) {
    const auto a = static_cast<std::size_t>(axis);
    const double share = !scaledRows || scale[a] == 0.0 ? 1.0 : scale[a];
    AxisMotion axial = coordinates.motion(axis);
    if (axis == 0 && contact.isTravelling()) {
      axial = motionOfTravellingContact(*contact.way, s);
      axial.position += contact.offset[0];
    }
    view.position[axis] = place[a] = axial.position / share + drift.displacement[a];
    view.velocity[axis] = velocity[a] = axial.rate / share + drift.velocity[a];
  }
  if (shifted != nullptr) place = *shifted;
  const Touch<double> touch = gapAndNormalOf(contact.obstacle, place);
  view.gap = touch.gap;
  view.normal = {touch.normal[0], touch.normal[1], touch.normal[2]};
  view.gapRate = innerProduct(touch.normal, velocity);
  const ContactFrame<double> frame = contactFrameInResults(tangentKind(contact.obstacle), touch.normal);
  view.slipVelocity = {};
  if (closed) {
    const Local<double> surface = surfaceVelocity(contact, s.time, place, touch.normal);
    for (std::size_t a = 0; a < 3; ++a) velocity[a] -= surface[a];
    view.slipVelocity = {innerProduct(frame.first, velocity), innerProduct(frame.second, velocity)};
    if (set.isRolling(i)) view.slipVelocity.first -= rollingSlipFactor(frame) * set.spin(i, motion).rate;
  }
  return frame;
}

/// Traction of an accepted state, transformed to the tangents of results.
Tangential<double> tractionAlongResultTangents(const ContactRun& contacts, int i,
                                               const ContactFrame<double>& frame) {
  const ContactState& state = contacts.state(static_cast<std::size_t>(i));
  const Tangential<double>& scale = contacts.contactSet().contact(i).tangentScale;
  const Tangential<double> traction{scale.first * state.traction.first, scale.second * state.traction.second};
  ContactFrame<double> own;
  switch (tangentKind(contacts.contactSet().contact(i).obstacle)) {
    case TangentKind::inPlane:
      return traction;
    case TangentKind::turning:
      own = contacts.followedState(static_cast<std::size_t>(i)).frame;
      break;
    case TangentKind::fixed:
      break;
  }
  Local<double> force;
  for (std::size_t a = 0; a < 3; ++a)
    force[a] = traction.first * own.first[a] + traction.second * own.second[a];
  return {innerProduct(frame.first, force), innerProduct(frame.second, force)};
}

/// Computes the normal force inside a step from the normal law if the contact is closed at one end of the
/// step. The kinematics in `view` are set, all other values are interpolated. The friction force of a slip,
/// opening or closing is scaled with the normal force.
void setNormalForceOfViewInsideStep(const Contact& contact, const ContactView& from, const ContactView& to,
                                    double time, ContactView& view) {
  NormalKinematics<double> k;
  k.imposed = contact.imposedForce.at(time);
  k.gap = view.gap;
  k.gapRate = view.gapRate;
  const bool opens = to.phase == ContactPhase::open, closes = from.phase == ContactPhase::open;
  const ContactView& pressed = closes ? to : from;
  k.approach = pressed.approach;
  const auto [closed, force, stored] = std::visit(
      [&](const auto& law) {
        const NormalState state = nextStateOfNormalLaw(law, NormalState::open, k);
        return std::tuple(state == NormalState::closed, law.template force<double>(state, k),
                          law.template storedEnergy<double>(state, k));
      },
      contact.normal);
  view.storedNormal = stored;
  view.phase = closed ? pressed.phase : ContactPhase::open;
  if (!closed) view.slipVelocity = {};
  double share = closed ? 1.0 : 0.0;
  if (opens || closes) {
    view.tangentialForce = pressed.tangentialForce;
    view.spinMoment = pressed.spinMoment;
    share = pressed.normalForce > 0.0 ? std::clamp(force / pressed.normalForce, 0.0, 1.0) : 0.0;
  } else if (closed && view.phase == ContactPhase::slip && view.normalForce > 0.0) {
    share = std::max(0.0, force / view.normalForce);
  }
  view.normalForce = force;
  view.tangentialForce = scaled(share, view.tangentialForce);
  view.spinMoment *= share;
}

}  // namespace

void fillContactViews(const ContactRun& contacts, const State& s, std::vector<ContactView>& views) {
  const ContactSet& set = contacts.contactSet();
  views.resize(static_cast<std::size_t>(set.size()));
  for (int i = 0; i < set.size(); ++i) {
    const ContactState& state = contacts.state(static_cast<std::size_t>(i));
    ContactView& view = views[static_cast<std::size_t>(i)];
    const ContactFrame<double> frame =
        setKinematicsOfContactView(set, i, s, state.isClosed(), view, shiftedContactPointOrNull(contacts, i));
    view.approach = state.approach;
    view.normalForce = state.isClosed() ? state.compression : 0.0;
    view.tangentialForce = {};
    if (state.isClosed()) view.tangentialForce = tractionAlongResultTangents(contacts, i, frame);
    view.spinMoment = view.slipSpeed = 0.0;
    if (state.isClosed() && set.isArea(i)) {
      const AreaState& area = contacts.acceptedAreaState(static_cast<std::size_t>(i));
      view.spinMoment = state.side * area.moment;
      view.slipSpeed = area.memory.slipSpeed;
    }
    view.storedNormal = state.storedNormal;
    const ContactTotals& totals = contacts.runTotals()[static_cast<std::size_t>(i)];
    view.frictionEnergy = totals.frictionEnergy;
    view.impulseWear = totals.impulseWear;
    view.phase = state.phase(set.hasTraction(i));
    addDisplacementByStaticForce(set, i, s, view);
  }
  addCrossComplianceDisplacement(set, views);
}

void interpolateViews(const ContactSet& set, std::span<const ContactView> from,
                      std::span<const ContactView> to, double theta, const State& s,
                      std::vector<ContactView>& views) {
  views.resize(from.size());
  for (int i = 0; i < set.size(); ++i) {
    const auto k = static_cast<std::size_t>(i);
    const auto blend = [theta](double a, double b) { return a + theta * (b - a); };
    ContactView& view = views[k];
    view.phase = from[k].phase;
    view.approach = from[k].approach;
    const bool isClosed = from[k].phase != ContactPhase::open || to[k].phase != ContactPhase::open;
    const bool isPressed = isClosed && !traitsOf(set.contact(i).normal).setValued;
    setKinematicsOfContactView(set, i, s, isPressed || view.phase != ContactPhase::open, view);
    view.spinMoment = blend(from[k].spinMoment, to[k].spinMoment);
    view.slipSpeed = blend(from[k].slipSpeed, to[k].slipSpeed);
    view.storedNormal = blend(from[k].storedNormal, to[k].storedNormal);
    view.frictionEnergy = blend(from[k].frictionEnergy, to[k].frictionEnergy);
    view.impulseWear = blend(from[k].impulseWear, to[k].impulseWear);
    view.normalForce = blend(from[k].normalForce, to[k].normalForce);
    view.tangentialForce = {blend(from[k].tangentialForce.first, to[k].tangentialForce.first),
                            blend(from[k].tangentialForce.second, to[k].tangentialForce.second)};
    if (!set.contact(i).coupled) {
      if (isPressed) setNormalForceOfViewInsideStep(set.contact(i), from[k], to[k], s.time, view);
    } else if (view.phase == ContactPhase::open) {
      view.normalForce = 0.0;
      view.tangentialForce = {};
    }
    setStickTractionInsideStep(set, i, from[k], to[k], view);
    addDisplacementByStaticForce(set, i, s, view);
  }
  addCrossComplianceDisplacement(set, views);
}

bool canNormalForceBeTensile(const Contact& contact) {
  return std::visit(
      []<class L>(const L& law) -> bool {
        if constexpr (requires { law.canNormalForceBeTensile(); })
          return law.canNormalForceBeTensile();
        else
          return L::traits.imposed;
      },
      contact.normal);
}

int mostLoadedContact(const ContactRun& contacts) {
  const std::span<const ContactTotals> totals = contacts.runTotals();
  const auto largest = std::max_element(
      totals.begin(), totals.end(), [](const auto& a, const auto& b) { return a.peakForce < b.peakForce; });
  if (largest == totals.end() || !(largest->peakForce > 0.0)) return -1;
  return static_cast<int>(largest - totals.begin());
}

int firstContactThatChangesPhase(const ContactRun& contacts) {
  for (const std::size_t i : contacts.evaluatedContacts()) {
    const bool hasTraction = contacts.contactSet().hasTraction(static_cast<int>(i));
    if (contacts.state(i).phase(hasTraction) != contacts.trialState(i).phase(hasTraction))
      return static_cast<int>(i);
  }
  return -1;
}

}  // namespace ricochet
