#include "engine/contact/static_motion.hpp"

#include "engine/contact/modal_coordinates.hpp"
#include "engine/functions/function_series.hpp"
#include "engine/numerics/dual_functions.hpp"

#include <array>
#include <variant>

namespace ricochet {
namespace {

/// A number and its first two derivatives with respect to time.
using Rates = std::array<double, 3>;
using TangentialRates = std::array<Tangential<double>, 3>;

/// Acceleration of the contact point along e1, e2, e3, without the static displacement.
Vec3 contactAcceleration(const ContactSet& set, int contact, const State& s) {
  const Motion motion{s.v.data(), s.a.data(), 0.0, s.a.data()};
  const ModalCoordinates coordinates(set, contact, motion, 0.0);
  const Contact& own = set.contact(contact);
  const double scale[3] = {1.0, own.tangentScale.first, own.tangentScale.second};
  Vec3 acceleration;
  for (int axis = 0; axis < 3; ++axis) {
    const double share = set.isFollowed(contact) || scale[axis] == 0.0 ? 1.0 : scale[axis];
    acceleration[axis] = coordinates.motion(axis).rate / share;
  }
  for (const DriftTerm& term : own.drift)
    acceleration += valueAndDerivativesAt(term.displacement, s.time)[2] * term.direction;
  return acceleration;
}

/// Stiffness -dN/dg of a closed normal law at a gap [N/m].
double normalStiffnessAt(const AnyNormalLaw& law, double gap) {
  using StaticSlope = Dual<1>;
  NormalKinematics<StaticSlope> k;
  k.gap = StaticSlope(gap, 0);
  return std::visit(
      [&](const auto& own) { return -own.template force<StaticSlope>(NormalState::closed, k).slope(0); },
      law);
}

/// Normal force N, N', N'' from the rates of the gap without the static displacement.
Rates normalForceRates(const Contact& contact, const ContactView& view, double gapAcceleration, double time) {
  if (traitsOf(contact.normal).imposed) {
    Rates rates = valueAndDerivativesAt(contact.imposedForce, time);
    rates[0] = view.normalForce;
    return rates;
  }
  const double slope = normalStiffnessAt(contact.normal, view.gap);
  return {view.normalForce, -slope * view.gapRate, -slope * gapAcceleration};
}

/// Traction, and its rates, of a friction law with a spring k and without dashpot; all in the coordinates of
/// the law, in which friction is isotropic.
TangentialRates tractionRates(double k, ContactPhase phase, const Tangential<double>& traction,
                              const Rates& normal, const Tangential<double>& rate,
                              const Tangential<double>& acceleration) {
  if (phase == ContactPhase::stick) return {traction, scaled(-k, rate), scaled(-k, acceleration)};
  const double size = length(traction);  // friction limit mu N
  if (!(size > 0.0) || !(normal[0] > 0.0)) return {traction, {}, {}};
  const Tangential<double> e = scaled(1.0 / size, traction);
  const double mu = size / normal[0];
  const Tangential<double> across = rate - scaled(dot(rate, e), e);
  const Tangential<double> turn = scaled(-k / size, across);
  const Tangential<double> acrossRate =
      acceleration - scaled(dot(acceleration, e) + dot(rate, turn), e) - scaled(dot(rate, e), turn);
  return {traction, scaled(mu * normal[1], e) - scaled(k, across),
          scaled(mu * normal[2], e) + scaled(mu * normal[1], turn) - scaled(k, acrossRate)};
}

}  // namespace

void setStickTractionInsideStep(const ContactSet& set, int contact, const ContactView& from,
                                const ContactView& to, ContactView& view) {
  const Contact& own = set.contact(contact);
  const bool sticks = from.phase == ContactPhase::stick && to.phase == ContactPhase::stick;
  if (own.compliance.isZero(0.0) || !sticks || set.isFollowed(contact) || !traitsOf(own.friction).coneStick)
    return;
  const ClosedContact closed = stiffnessAndDampingOfClosedContact(own);
  if (closed.stickDamping > 0.0) return;
  // The law measures the slip without the static displacement.
  const Vec3 path = view.position - (from.position - own.compliance * from.staticForce[0]);
  const auto& r = own.tangentScale;
  const double side = view.normal[0];
  view.tangentialForce = {
      from.tangentialForce.first - closed.stickStiffness * r.first * r.first * side * path[1],
      from.tangentialForce.second - closed.stickStiffness * r.second * r.second * path[2]};
}

void addDisplacementByStaticForce(const ContactSet& set, int contact, const State& s, ContactView& view) {
  const Contact& own = set.contact(contact);
  if (own.compliance.isZero(0.0)) return;
  view.staticForce.fill(Vec3::Zero());
  if (view.phase == ContactPhase::open) return;
  const Vec3& normal = view.normal;
  const Vec3 first(-normal[1], normal[0], 0.0), second(0.0, 0.0, 1.0);
  const Vec3 acceleration = contactAcceleration(set, contact, s);
  const Rates n = normalForceRates(own, view, normal.dot(acceleration), s.time);
  // A tangent without friction has the scale 0: both its traction and its slip are zero in the law.
  const auto& r = own.tangentScale;
  const auto inverse = [](double x) { return x == 0.0 ? 0.0 : 1.0 / x; };
  const Tangential<double> back{inverse(r.first), inverse(r.second)};
  const auto times = [](const Tangential<double>& a, const Tangential<double>& b) {
    return Tangential<double>{a.first * b.first, a.second * b.second};
  };
  TangentialRates t{view.tangentialForce, {}, {}};
  const bool givesAcross = !own.compliance.bottomRightCorner<2, 2>().isZero(0.0);
  if (givesAcross && set.hasTraction(contact)) {
    const Tangential<double> slipAcceleration{first.dot(acceleration), second.dot(acceleration)};
    t = tractionRates(stiffnessAndDampingOfClosedContact(own).stickStiffness, view.phase,
                      times(back, view.tangentialForce), n, times(r, view.slipVelocity),
                      times(r, slipAcceleration));
    for (Tangential<double>& each : t) each = times(r, each);
  }
  std::array<Vec3, 3> moved;
  for (std::size_t i = 0; i < moved.size(); ++i) {
    view.staticForce[i] = n[i] * normal + t[i].first * first + t[i].second * second;
    moved[i] = own.compliance * view.staticForce[i];
  }
  view.position += moved[0];
  view.gap += normal.dot(moved[0]);
  view.slipVelocity.first += first.dot(moved[1]);
  view.slipVelocity.second += second.dot(moved[1]);
}

void addCrossComplianceDisplacement(const ContactSet& set, std::span<ContactView> views) {
  for (int i = 0; i < set.size(); ++i)
    for (const CrossCompliance& cross : set.contact(i).crossCompliance) {
      ContactView& view = views[static_cast<std::size_t>(i)];
      const Vec3 moved = cross.perForce * views[static_cast<std::size_t>(cross.other)].staticForce[0];
      view.position += moved;
      view.gap += view.normal.dot(moved);
    }
}

}  // namespace ricochet
