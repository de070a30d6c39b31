#include "engine/model/contact_force_rate.hpp"

#include "engine/functions/function_series.hpp"
#include "engine/numerics/dual_functions.hpp"

#include <algorithm>

namespace ricochet {
namespace {

/// Derivatives by the three coordinates of the position, then by time.
using PlaceSlope = Dual<4>;
constexpr std::size_t kTime = 3;

struct PressedLaw {
  bool closed;
  PlaceSlope force;
};

PressedLaw normalForceAt(const Contact& contact, const PlaceSlope& gap, double approach, double time) {
  return std::visit(
      [&](const auto& law) -> PressedLaw {
        NormalKinematics<PlaceSlope> k;
        k.gap = gap;
        k.approach = approach;
        if (law.traits.imposed) {
          const auto imposed = valueAndDerivativesAt(contact.imposedForce, time);
          k.imposed = PlaceSlope::dualFromValueAndSlopes(imposed[0], imposed[1], PlaceSlope(time, kTime));
        }
        const NormalKinematics<double> plain{gap.value(), 0.0, k.imposed.value(), 0.0, approach};
        const NormalState state = nextStateOfNormalLaw(law, NormalState::closed, plain);
        if (state != NormalState::closed) return {false, {}};
        return {true, law.template force<PlaceSlope>(state, k)};
      },
      contact.normal);
}

Vec3 toVector(const Local<double>& x) { return {x[0], x[1], x[2]}; }

}  // namespace

ContactForceRate::ContactForceRate(const Contact& contact, const Vec3& place, const Vec3& force,
                                   double approach, const ContactFrame<double>* earlier,
                                   const Instant& instant, bool slips)
    : contact_(contact), approach_(approach) {
  std::visit(
      [this]<class L>(const L& law) {
        if constexpr (L::traits.coneStick) {
          stiffness_ = law.stiffness;
          resting_ = law.muStatic;
          moving_ = law.muDynamic;
        }
      },
      contact.friction);
  now_.place = {place[0], place[1], place[2]};
  now_.frame = contactFrameAtNormal<double>(tangentKind(contact.obstacle),
                                            gapAndNormalOf(contact.obstacle, now_.place).normal, earlier);
  const auto& scale = contact.tangentScale;
  now_.traction = {scale.first * toVector(now_.frame.first).dot(force),
                   scale.second * toVector(now_.frame.second).dot(force)};
  now_.instant = instant;
  now_.slips = slips && stiffness_ > 0.0;
}

/// Sets the slip and its parts that the position does not determine: the motion of the surface and the
/// rolling of the body.
void ContactForceRate::setSlipOfLaws(const At& at, Laws& laws) const {
  const Local<double> surface = surfaceVelocity(contact_, at.instant.time, at.place,
                                                gapAndNormalOf(contact_.obstacle, at.place).normal);
  const auto& scale = contact_.tangentScale;
  laws.slip.row(0) = scale.first * toVector(at.frame.first).transpose();
  laws.slip.row(1) = scale.second * toVector(at.frame.second).transpose();
  laws.slipStill = -(laws.slip * toVector(surface));
  if (contact_.isRolling())
    laws.slipStill[0] -= scale.first * rollingSlipFactor(at.frame) * at.instant.rollRate;
}

ContactForceRate::Laws ContactForceRate::tangentsOfContactLawsAt(const At& at) const {
  Laws laws;
  Local<PlaceSlope> x;
  for (std::size_t a = 0; a < 3; ++a) x[a] = PlaceSlope(at.place[a], a);
  const Touch<PlaceSlope> touch = gapAndNormalOf(contact_.obstacle, x);
  const auto [closed, force] = normalForceAt(contact_, touch.gap, approach_, at.instant.time);
  laws.closed = closed;
  if (!closed) return laws;
  laws.pressed = force.value();
  laws.pressingStill = force.slope(kTime);
  const ContactFrame<PlaceSlope> frame =
      contactFrameAtNormal(tangentKind(contact_.obstacle), touch.normal, &at.frame);
  for (std::size_t j = 0; j < 3; ++j) {
    laws.pressing[static_cast<Eigen::Index>(j)] = force.slope(j);
    for (std::size_t a = 0; a < 3; ++a) {
      laws.turning[j].normal[a] = frame.normal[a].slope(j);
      laws.turning[j].first[a] = frame.first[a].slope(j);
      laws.turning[j].second[a] = frame.second[a].slope(j);
    }
  }
  setSlipOfLaws(at, laws);
  return laws;
}

/// Rate of the traction for a rate of the normal force and a rate of slip.
Eigen::Vector2d ContactForceRate::tractionRate(const At& at, const Laws& laws, double pressing,
                                               const Eigen::Vector2d& slip) const {
  if (!at.slips) return -stiffness_ * slip;
  const double size = at.traction.norm();
  if (!(size > 0.0) || !(laws.pressed > 0.0)) return Eigen::Vector2d::Zero();
  const Eigen::Vector2d along = at.traction / size;
  return moving_ * pressing * along - stiffness_ * (slip - slip.dot(along) * along);
}

ContactForceRate::Linear ContactForceRate::forceRate(const At& at, const Laws& laws) const {
  Linear of;
  if (!laws.closed) return of;
  const auto& scale = contact_.tangentScale;
  const double size = at.traction.norm();
  const Eigen::Vector2d traction =
      at.slips && size > 0.0 ? Eigen::Vector2d(moving_ * std::max(0.0, laws.pressed) / size * at.traction)
                             : at.traction;
  const auto along = [&](const ContactFrame<double>& frame, double normal, const Eigen::Vector2d& t) {
    return Vec3(normal * toVector(frame.normal) + scale.first * t[0] * toVector(frame.first) +
                scale.second * t[1] * toVector(frame.second));
  };
  for (Eigen::Index j = 0; j < 3; ++j) {
    const double pressing = laws.pressing[j];
    of.byRate.col(j) = along(at.frame, pressing, tractionRate(at, laws, pressing, laws.slip.col(j))) +
                       along(laws.turning[static_cast<std::size_t>(j)], laws.pressed, traction);
  }
  of.still = along(at.frame, laws.pressingStill, tractionRate(at, laws, laws.pressingStill, laws.slipStill));
  return of;
}

/// True if the contact slips just after an instant: the traction of the stick then leaves the cone.
bool ContactForceRate::isSlipping(const At& at, const Laws& laws, const Vec3& rate) const {
  constexpr double kOnCone = 1e-9;  // relative to the traction
  const double size = at.traction.norm();
  if (!(stiffness_ > 0.0) || !laws.closed || !(size > 0.0)) return at.slips;
  if (!at.slips && size < (1.0 - kOnCone) * resting_ * laws.pressed) return false;
  const double pressing = laws.pressing.dot(rate) + laws.pressingStill;
  const Eigen::Vector2d slip = laws.slip * rate + laws.slipStill;
  return -stiffness_ * slip.dot(at.traction) > (at.slips ? moving_ : resting_) * pressing * size;
}

/// The contact after a time t at a constant rate of its point.
ContactForceRate::At ContactForceRate::contactAfterTime(const At& at, const Laws& laws, const Vec3& rate,
                                                        double t) const {
  At next = at;
  for (std::size_t a = 0; a < 3; ++a) next.place[a] += t * rate[static_cast<Eigen::Index>(a)];
  next.instant.time += t;
  next.instant.rollRate += t * at.instant.rollAcceleration;
  if (!laws.closed) return next;
  const Eigen::Vector2d slip = laws.slip * rate + laws.slipStill;
  next.traction += t * tractionRate(at, laws, laws.pressing.dot(rate) + laws.pressingStill, slip);
  next.frame = contactFrameAtNormal<double>(tangentKind(contact_.obstacle),
                                            gapAndNormalOf(contact_.obstacle, next.place).normal, &at.frame);
  return next;
}

bool ContactForceRate::updateSlipPhase(const Vec3& rate) {
  const bool before = now_.slips;
  now_.slips = isSlipping(now_, tangentsOfContactLawsAt(now_), rate);
  return now_.slips != before;
}

ContactForceRate::Linear ContactForceRate::forceRateJustAfter(const Vec3& rate, double ahead) const {
  const At next = contactAfterTime(now_, tangentsOfContactLawsAt(now_), rate, ahead);
  return forceRate(next, tangentsOfContactLawsAt(next));
}

Vec3 ContactForceRate::secondForceDerivative(const Vec3& rate, double longest) const {
  const Laws laws = tangentsOfContactLawsAt(now_);
  return derivativeJustAfterInstant([&](double share) {
           const At next = contactAfterTime(now_, laws, rate, share * longest);
           const Linear of = forceRate(next, tangentsOfContactLawsAt(next));
           return Vec3(of.byRate * rate + of.still);
         }) /
         longest;
}

}  // namespace ricochet
