// Motion of points without inertia in views.

#include "engine/contact/followed.hpp"
#include "engine/functions/function_series.hpp"
#include "engine/links/link_in_series.hpp"
#include "engine/links/link_tangent.hpp"
#include "engine/model/contact_force_rate.hpp"
#include "engine/model/coupled_run.hpp"
#include "physical/dense_solvers.hpp"

#include <algorithm>
#include <cmath>
#include <optional>

namespace ricochet {
namespace {

/// Force on the first node along e1, e2, e3 in a view. Curved obstacles determine the normal and the tangents
/// of results at `place`, the position of the contact point.
Vec3 contactForceAlongAxesOfState(const ContactView& view, const Contact& contact, const Vec3& place) {
  Vec3 normal = view.normal, first(-normal[1], normal[0], 0.0), second(0.0, 0.0, 1.0);
  if (isCurved(contact.obstacle)) {
    const Local<double> n =
        gapAndNormalOf(contact.obstacle, Local<double>{place[0], place[1], place[2]}).normal;
    const ContactFrame<double> frame = contactFrameInResults(tangentKind(contact.obstacle), n);
    normal = Eigen::Map<const Vec3>(n.data());
    first = Eigen::Map<const Vec3>(frame.first.data());
    second = Eigen::Map<const Vec3>(frame.second.data());
  }
  return view.normalForce * normal + view.tangentialForce.first * first +
         view.tangentialForce.second * second;
}

/// Sets the position of a contact point in a view, and adds the rate of its shift to the slip.
void addPointShiftToView(const Contact& contact, const Vec3& place, const Vec3& rate, ContactView& view) {
  view.position = place;
  const Touch<double> touch = gapAndNormalOf(contact.obstacle, Local<double>{place[0], place[1], place[2]});
  view.gap = touch.gap;
  view.normal = Eigen::Map<const Vec3>(touch.normal.data());
  if (view.phase == ContactPhase::open) return;
  const ContactFrame<double> frame = contactFrameInResults(tangentKind(contact.obstacle), touch.normal);
  view.slipVelocity.first += Eigen::Map<const Vec3>(frame.first.data()).dot(rate);
  view.slipVelocity.second += Eigen::Map<const Vec3>(frame.second.data()).dot(rate);
}

/// True if a power series of time describes what the law of a link does between its kinks.
bool doesLawHavePowerSeries(const Link& link) {
  return std::visit([](const auto& law) { return law.reasonAgainstPowerSeriesOfLaw().empty(); }, link.law);
}

}  // namespace

/// Motion of the points without the shifts, or its first or second derivative, along all axes.
Vector CoupledRun::freeMotion(const State& s, int derivative) const {
  const ContactSet& set = contacts_->contactSet();
  const LinkSet& links = links_->linkSet();
  const Vector& along = derivative == 0 ? s.q : derivative == 1 ? s.v : s.a;
  const auto k = static_cast<std::size_t>(derivative);
  Vector motion = displacementsOfCoupledPoints(*coupling_, set, links, along);
  for (int i = 0; i < set.size(); ++i) {
    if (!coupling_->isContactOrLinkCoupled(i)) continue;
    const Contact& contact = set.contact(i);
    if (derivative == 0) {  // laws add the drift of their contact themselves
      motion.segment<3>(kAxes * i) += contact.offset;
      continue;
    }
    for (const DriftTerm& term : contact.drift)
      motion.segment<3>(kAxes * i) += valueAndDerivativesAt(term.displacement, s.time)[k] * term.direction;
  }
  for (int i = 0; i < links.size(); ++i) {
    if (!coupling_->isContactOrLinkCoupled(set.size() + i)) continue;
    for (const LinkDrive& drive : links.link(i).drives) {
      const double driven = valueAndDerivativesAt(drive.displacement, s.time)[k];
      for (std::size_t axis = 0; axis < kLinkAxes; ++axis)
        motion[kAxes * (set.size() + i) + static_cast<Eigen::Index>(axis)] += drive.factors[axis] * driven;
    }
  }
  return motion;
}

/// Slopes d lambda/dx of a link a time `ahead` [s] after a state at the same instant, at a rate of its point.
Mat3 CoupledRun::slopesOfLinkForces(int link, const LinkState& from, double ahead, const Vec3& rate) const {
  LinkMotion<double> motion = from.motion;
  for (std::size_t axis = 0; axis < kLinkAxes; ++axis) {
    motion.v[axis] = rate[static_cast<Eigen::Index>(axis)];
    motion.x[axis] += ahead * motion.v[axis];
  }
  const ContactTangent tangent =
      linkTangentMatrix(links_->linkSet().link(link), from, motion, links_->areDisplacementShiftRatesUsed());
  Mat3 slopes;
  for (std::size_t row = 0; row < 3; ++row)
    for (std::size_t column = 0; column < 3; ++column)
      slopes(static_cast<Eigen::Index>(row), static_cast<Eigen::Index>(column)) =
          tangent.byPosition[row][column];
  return slopes;
}

/// Rate of the force of a link at rest, by the relaxation of a dashpot [N/s]: a difference quotient with a
/// change of the force that is small compared with the force and large compared with rounding.
double CoupledRun::relaxationRate(int link, LinkState from, std::size_t axis) const {
  // times ahead [s], change relative to the force
  constexpr double kShortest = 1e-12, kLongest = 1.0, kChange = 1e-6;
  from.motion.v.fill(0.0);
  LinkMotion<double> still = from.motion;
  for (double ahead = kShortest; ahead <= kLongest; ahead *= 10.0) {
    still.time = from.motion.time + ahead;
    const double change = forceAndDerivativesOfLinkLaw(links_->linkSet().link(link).law, from, still)
                              .force[static_cast<Eigen::Index>(axis)] -
                          from.force[axis];
    if (std::abs(change) > kChange * std::abs(from.force[axis]) || ahead * 10.0 > kLongest)
      return change / (still.time - from.motion.time);
  }
  return 0.0;
}

/// Forces of views along all axes. A force on a curved obstacle shifts the contact point, whose position
/// determines the direction of the force: solved by Newton's method with difference slopes. The iteration
/// starts at the accepted forces, because without forces the position may be on the far side of an obstacle.
Vector CoupledRun::forcesOfViews(const State& s, std::span<const ContactView> contacts,
                                 std::span<const LinkState> links) const {
  constexpr int kMost = 20;
  constexpr double kRounding = 1e-13, kBit = 1e-7;
  const int count = static_cast<int>(contacts.size());
  const Eigen::Index n = coupling_->whole.rows();
  Vector forces = Vector::Zero(n);
  for (std::size_t i = 0; i < links.size(); ++i)
    for (std::size_t axis = 0; axis < kLinkAxes; ++axis)
      if (coupling_->isContactOrLinkCoupled(count + static_cast<int>(i)))
        forces[kAxes * (count + static_cast<Eigen::Index>(i)) + static_cast<Eigen::Index>(axis)] =
            -links[i].force[axis];
  const Vector free = freeMotion(s, 0), accepted = acceptedForces();
  for (int i = 0; i < count; ++i) forces.segment<3>(kAxes * i) = accepted.segment<3>(kAxes * i);
  for (int round = 0; round < kMost; ++round) {
    const Vector places = free + coupling_->whole * forces;
    Vector turned = forces;
    Matrix slopes = Matrix::Zero(n, n);
    for (int i = 0; i < count; ++i) {
      const ContactView& view = contacts[static_cast<std::size_t>(i)];
      if (!coupling_->isContactOrLinkCoupled(i) || view.phase == ContactPhase::open) continue;
      const Contact& contact = contacts_->contactSet().contact(i);
      const Vec3 place = places.segment<3>(kAxes * i) + supportDriftOf(i, s.time);
      turned.segment<3>(kAxes * i) = contactForceAlongAxesOfState(view, contact, place);
      if (!isCurved(contact.obstacle)) continue;
      const double bit = kBit * place.norm();
      for (Eigen::Index axis = 0; axis < 3; ++axis)
        slopes.block<3, 1>(kAxes * i, kAxes * i + axis) =
            (contactForceAlongAxesOfState(view, contact, place + bit * Vec3::Unit(axis)) -
             contactForceAlongAxesOfState(view, contact, place - bit * Vec3::Unit(axis))) /
            (2.0 * bit);
    }
    const Vector missing = turned - forces;
    if (missing.norm() <= kRounding * turned.norm()) return turned;
    const Matrix system = Matrix::Identity(n, n) - slopes * coupling_->whole;
    forces += Eigen::PartialPivLU<Matrix>(system).solve(missing);
  }
  return forces;
}

/// Rates of the forces on the points: lambda' = slopes x' + still, lambda'' = slopes x'' + share lambda' +
/// curved.
struct CoupledRun::LinearisedForces {
  explicit LinearisedForces(Eigen::Index n)
      : slopes(Matrix::Zero(n, n)), still(Vector::Zero(n)), share(still), curved(still) {}
  Eigen::PartialPivLU<Matrix> factoriseWithCompliance(const Matrix& compliance) const {
    return Eigen::PartialPivLU<Matrix>(Matrix::Identity(slopes.rows(), slopes.rows()) - slopes * compliance);
  }

  Matrix slopes;
  /// Relaxation rate of a dashpot: in proportion to its force, as in the linear law.
  Vector still, share, curved;
  std::vector<Eigen::Index> fromSteps{};  // rows of links whose rates are those of the last steps
};

/// Points of the bodies at an instant of a view, and what determines the rates of their forces.
struct CoupledRun::PointsInView {
  double time;
  Vector forces, moved;          // without the compliances that the laws contain
  Vector rate;                   // velocity of the contact points, for the slopes of the laws
  std::vector<LinkState> links;  // x: displacement in the law
  double reach;                  // size of the positions [m]
  std::vector<std::optional<ContactForceRate>> pressed{};  // contacts whose laws do not depend on rates

  /// Time in which the points move by a share of their positions, at least of those after a moment;
  /// `otherwise` if they do not move [s].
  double timeToMoveByShare(double share, double otherwise) const {
    constexpr double kMoment = 1e-6;  // [s]
    const double speed = rate.cwiseAbs().maxCoeff();
    return speed > 0.0 ? share * std::max(reach / speed, kMoment) : otherwise;
  }
  /// A displacement that is small beside the positions [m]; 0 if the points do not move.
  double smallDisplacement() const { return timeToMoveByShare(1e-6, 0.0) * rate.cwiseAbs().maxCoeff(); }
};

/// Relaxation rate of a dashpot without force [1/s], from the force after a displacement of `move` [m].
double CoupledRun::unloadedRelaxation(const Link& link, LinkState at, std::size_t axis, double move) const {
  at.motion.v.fill(0.0);
  at.motion.x[axis] += move;
  const auto i = static_cast<Eigen::Index>(axis);
  const double force = forceAndDerivativesOfLinkLaw(link.law, at, at.motion).force[i];
  return force != 0.0 ? forceRatesAtConstantRate(link, at, Eigen::Vector2d::Zero())[0][i] / force : 0.0;
}

/// Adds the rates of forces that depend on time, and the relaxation of dashpots. The rates of dashpots that
/// relax in less than a step are those of the last steps: the small error of the force, divided by the
/// relaxation time, would exceed the rate.
void CoupledRun::addTimeDependentForceRates(const PointsInView& points, LinearisedForces& of) const {
  constexpr double kFast = 1.0;
  const int count = contacts_->contactSet().size();
  for (int i = 0; i < links_->linkSet().size(); ++i) {
    if (!coupling_->isContactOrLinkCoupled(count + i)) continue;
    const LinkState& from = points.links[static_cast<std::size_t>(i)];
    const Link& link = links_->linkSet().link(i);
    const Eigen::Vector2d driven = forceAndDerivativesOfLinkLaw(link.law, from, from.motion).byTime;
    const auto rates = forceRatesAtConstantRate(link, from, Eigen::Vector2d::Zero());
    for (std::size_t axis = 0; axis < kLinkAxes; ++axis) {
      const auto along = static_cast<Eigen::Index>(axis), at = kAxes * (count + i) + along;
      if (doesLawHavePowerSeries(link))
        of.still[at] = -rates[0][along];
      else if (points.forces[at] != 0.0)
        of.still[at] = -relaxationRate(i, from, axis);
      if (driven[along] != 0.0) continue;
      if (points.forces[at] != 0.0)
        of.share[at] = of.still[at] / points.forces[at];
      else if (doesLawHavePowerSeries(link))
        of.share[at] = unloadedRelaxation(link, from, axis, points.smallDisplacement());
    }
  }
  if (!(rates_.step > 0.0) || of.share.isZero(0.0)) return;
  const Vector relaxation =
      of.factoriseWithCompliance(coupling_->beside).inverse().diagonal().cwiseProduct(of.share);
  const double ahead = points.time - acceptedAt_;
  for (Eigen::Index at = kAxes * count; at < relaxation.size(); ++at) {
    if (!(std::abs(relaxation[at]) * rates_.step > kFast)) continue;
    of.slopes.row(at).setZero();
    of.fromSteps.push_back(at);
    of.share[at] = 0.0;
    of.curved[at] = rates_.second[at];
    of.still[at] = rates_.rate[at] + ahead * rates_.second[at];
  }
}

/// Finds the closed contacts whose laws do not depend on rates.
void CoupledRun::findPressedContacts(const State& s, std::span<const ContactView> contacts,
                                     PointsInView& points) const {
  const ContactSet& set = contacts_->contactSet();
  const Motion motion{s.q.data(), s.v.data(), 0.0, s.v.data()}, next{s.v.data(), s.a.data(), 0.0, s.a.data()};
  points.pressed.resize(contacts.size());
  for (int i = 0; i < set.size(); ++i) {
    const auto k = static_cast<std::size_t>(i);
    const Contact& contact = set.contact(i);
    const ContactView& view = contacts[k];
    const bool isClosed = coupling_->isContactOrLinkCoupled(i) && view.phase != ContactPhase::open;
    if (!isClosed || doesForceDependOnRate(contact)) continue;
    ContactForceRate::Instant instant{.time = s.time};
    if (set.isRolling(i)) {
      instant.rollRate = set.spin(i, motion).rate;
      instant.rollAcceleration = set.spin(i, next).rate;
    }
    const Vec3 place = points.moved.segment<3>(kAxes * i) + supportDriftOf(i, s.time);
    const Vec3 force = points.forces.segment<3>(kAxes * i);
    const ContactFrame<double>* frame = set.isFollowed(i) ? &contacts_->followedState(k).frame : nullptr;
    points.pressed[k].emplace(contact, place, force, view.approach, frame, instant,
                              view.phase == ContactPhase::slip);
  }
}

/// Linearises the forces just ahead along the rates of the points, in the phases of the contacts there.
CoupledRun::LinearisedForces CoupledRun::linearisedForcesOfCoupledPoints(
    const PointsInView& points, std::span<const ContactView> contacts) const {
  constexpr double kAhead = 1e-9;  // step ahead, relative to the positions
  LinearisedForces of(coupling_->whole.rows());
  const double ahead = points.timeToMoveByShare(kAhead, 0.0);
  const int count = static_cast<int>(contacts.size());
  for (int body = 0; body < count + links_->linkSet().size(); ++body) {
    if (!coupling_->isContactOrLinkCoupled(body)) continue;
    const Eigen::Index at = kAxes * body;
    const Vec3 rate = points.rate.segment<3>(at);
    if (body >= count) {
      const LinkState& from = points.links[static_cast<std::size_t>(body - count)];
      of.slopes.block<3, 3>(at, at) = slopesOfLinkForces(body - count, from, ahead, rate);
      continue;
    }
    const auto k = static_cast<std::size_t>(body);
    if (points.pressed[k]) {
      const ContactForceRate::Linear force = points.pressed[k]->forceRateJustAfter(rate, ahead);
      of.slopes.block<3, 3>(at, at) = force.byRate;
      of.still.segment<3>(at) = force.still;
    } else if (contacts[k].phase != ContactPhase::open) {
      // The rates of a force that depends on rates do not follow from its slopes.
      const CoupledShifts::ForceRates& found = contacts_->contactPointShifts().forceRatesOfContact(k);
      const Vec3 curved = Eigen::Map<const Vec3>(found.second.data());
      of.still.segment<3>(at) =
          Eigen::Map<const Vec3>(found.rate.data()) + (points.time - acceptedAt_) * curved;
      of.curved.segment<3>(at) = curved;
    }
  }
  addTimeDependentForceRates(points, of);
  return of;
}

/// Rates of the forces, solved with those of the points: the laws have the slopes of the phases and branches
/// into which the points move. `free`: rate of the points without the shifts.
CoupledRun::LinearisedForces CoupledRun::findForceRates(const Vector& free,
                                                        std::span<const ContactView> contacts,
                                                        PointsInView& points, Vector& first) const {
  constexpr int kMost = 20;
  constexpr double kSame = 1e-6;  // relative to the rates; the slopes change little ahead
  for (int pass = 1;; ++pass) {
    LinearisedForces of = linearisedForcesOfCoupledPoints(points, contacts);
    first = of.factoriseWithCompliance(coupling_->beside).solve(Vector(of.slopes * free + of.still));
    const Vector rate = free + coupling_->beside * first;
    bool goesOn = !((rate - points.rate).norm() <= kSame * rate.norm());
    points.rate = rate;
    for (std::size_t i = 0; i < contacts.size(); ++i)
      if (points.pressed[i])
        goesOn |= points.pressed[i]->updateSlipPhase(rate.segment<3>(kAxes * static_cast<Eigen::Index>(i)));
    if (!goesOn || pass == kMost) return of;
  }
}

/// Adds the second derivatives of the forces at constant rates of the points: the change of the slopes.
void CoupledRun::addForceCurvature(const PointsInView& points, LinearisedForces& of) const {
  constexpr double kLongest = 1e-4;  // longest difference, relative to the positions
  constexpr double kAtRest = 1e-6;   // longest difference where no point moves [s]
  const double longest = points.timeToMoveByShare(kLongest, kAtRest);
  const auto count = static_cast<int>(points.pressed.size());
  for (int body = 0; body < count + links_->linkSet().size(); ++body) {
    if (!coupling_->isContactOrLinkCoupled(body)) continue;
    const Eigen::Index at = kAxes * body;
    const Vec3 rate = points.rate.segment<3>(at);
    if (body < count) {
      if (const auto& pressed = points.pressed[static_cast<std::size_t>(body)])
        of.curved.segment<3>(at) = pressed->secondForceDerivative(rate, longest);
      continue;
    }
    const Link& link = links_->linkSet().link(body - count);
    const LinkState& from = points.links[static_cast<std::size_t>(body - count)];
    // The series contains what the force does at rest too, but not on which side of a kink it goes on.
    const bool bySeries = doesLawHavePowerSeries(link) && !of.still.segment<2>(at).isZero(0.0);
    const auto forceRate = [&](double share) {
      return Vec3(slopesOfLinkForces(body - count, from, share * longest, rate) * rate);
    };
    Eigen::Vector2d curved;
    if (bySeries)
      curved = -forceRatesAtConstantRate(link, from, rate.head<2>())[1];
    else
      curved = derivativeJustAfterInstant(forceRate).head<2>() / longest;
    for (Eigen::Index axis = 0; axis < 2; ++axis) {
      if (std::ranges::find(of.fromSteps, at + axis) != of.fromSteps.end()) continue;
      of.curved[at + axis] = curved[axis];
      if (bySeries) of.share[at + axis] = 0.0;
    }
  }
}

void CoupledRun::addCoupledMotionTo(const State& s, std::span<ContactView> contacts,
                                    std::span<LinkState> links) const {
  const int count = static_cast<int>(contacts.size());
  const Vector forces = forcesOfViews(s, contacts, links);
  const Vector free = freeMotion(s, 0), rate = freeMotion(s, 1);
  const Vector moved = free + coupling_->beside * forces;
  PointsInView points{s.time, forces, moved, rate, {links.begin(), links.end()}, moved.cwiseAbs().maxCoeff()};
  for (std::size_t i = 0; i < links.size(); ++i) {  // views show the point, not the displacement in the law
    const Link& link = links_->linkSet().link(static_cast<int>(i));
    if (link.inSeries != InSeries::withinLaw) continue;
    Eigen::Map<Eigen::Vector2d>(points.links[i].motion.x.data()) +=
        link.compliance * Eigen::Map<const Eigen::Vector2d>(links[i].force.data());
  }
  findPressedContacts(s, contacts, points);
  Vector first;
  LinearisedForces of = findForceRates(rate, contacts, points, first);
  addForceCurvature(points, of);
  const Vector second =
      of.factoriseWithCompliance(coupling_->beside)
          .solve(Vector(of.slopes * freeMotion(s, 2) + of.share.cwiseProduct(first) + of.curved));
  const Vector shift = coupling_->whole * forces, shiftRate = coupling_->whole * first;
  for (int i = 0; i < count; ++i) {
    if (!coupling_->isContactOrLinkCoupled(i)) continue;
    ContactView& view = contacts[static_cast<std::size_t>(i)];
    const Contact& contact = contacts_->contactSet().contact(i);
    const auto at = kAxes * i;
    view.staticForce = {forces.segment<3>(at), first.segment<3>(at), second.segment<3>(at)};
    const Vec3 unshifted =
        isCurved(contact.obstacle) ? Vec3(free.segment<3>(at) + supportDriftOf(i, s.time)) : view.position;
    addPointShiftToView(contact, unshifted + shift.segment<3>(at), shiftRate.segment<3>(at), view);
  }
  // Displacement of the springs that the laws contain.
  const Vector within = shift - coupling_->beside * forces;
  for (std::size_t i = 0; i < links.size(); ++i)
    for (std::size_t axis = 0; axis < kLinkAxes; ++axis) {
      const auto at = kAxes * (count + static_cast<Eigen::Index>(i)) + static_cast<Eigen::Index>(axis);
      if (!coupling_->isContactOrLinkCoupled(count + static_cast<int>(i))) continue;
      links[i].forceRates[0][axis] = -first[at];
      links[i].forceRates[1][axis] = -second[at];
      links[i].motion.x[axis] += within[at];
      links[i].motion.v[axis] = rate[at] + shiftRate[at];
    }
}

}  // namespace ricochet
