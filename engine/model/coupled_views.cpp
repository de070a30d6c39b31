// Motion of points without inertia in views.

#include "engine/contact/followed.hpp"
#include "engine/functions/function_series.hpp"
#include "engine/links/link_in_series.hpp"
#include "engine/links/link_tangent.hpp"
#include "engine/model/coupled_run.hpp"
#include "physical/dense_solvers.hpp"

#include <algorithm>
#include <cmath>

namespace ricochet {
namespace {

/// Force on the first node along e1, e2, e3 in a view. Curved obstacles determine the normal and the tangents
/// of results at `place`, the position of the contact point.
Vec3 contactForceOf(const ContactView& view, const Contact& contact, const Vec3& place) {
  Vec3 normal = view.normal, first(-normal[1], normal[0], 0.0), second(0.0, 0.0, 1.0);
  if (isCurved(contact.obstacle)) {
    const Local<double> n =
        gapAndNormalOf(contact.obstacle, Local<double>{place[0], place[1], place[2]}).normal;
    const ContactFrame<double> frame = frameForResults(tangentKind(contact.obstacle), n);
    normal = Eigen::Map<const Vec3>(n.data());
    first = Eigen::Map<const Vec3>(frame.first.data());
    second = Eigen::Map<const Vec3>(frame.second.data());
  }
  return view.normalForce * normal + view.tangentialForce.first * first +
         view.tangentialForce.second * second;
}

/// Sets the position of a contact point in a view, and adds the rate of its shift to the slip.
void addPointMotion(const Contact& contact, const Vec3& place, const Vec3& rate, ContactView& view) {
  view.position = place;
  const Touch<double> touch = gapAndNormalOf(contact.obstacle, Local<double>{place[0], place[1], place[2]});
  view.gap = touch.gap;
  view.normal = Eigen::Map<const Vec3>(touch.normal.data());
  if (view.phase == ContactPhase::open) return;
  const ContactFrame<double> frame = frameForResults(tangentKind(contact.obstacle), touch.normal);
  view.slipVelocity.first += Eigen::Map<const Vec3>(frame.first.data()).dot(rate);
  view.slipVelocity.second += Eigen::Map<const Vec3>(frame.second.data()).dot(rate);
}

}  // namespace

/// Motion of the points without the shifts, or its first or second derivative, along all axes.
Vector CoupledRun::freeMotion(const State& s, int derivative) const {
  const ContactSet& set = contacts_->contactSet();
  const LinkSet& links = links_->linkSet();
  const Vector& along = derivative == 0 ? s.q : derivative == 1 ? s.v : s.a;
  const auto k = static_cast<std::size_t>(derivative);
  Vector motion = coupledMotion(*coupling_, set, links, along);
  for (int i = 0; i < set.size(); ++i) {
    if (!coupling_->isBodyCoupled(i)) continue;
    const Contact& contact = set.contact(i);
    if (derivative == 0) {  // laws add the drift of their contact themselves
      motion.segment<3>(kAxes * i) += contact.offset;
      continue;
    }
    for (const DriftTerm& term : contact.drift)
      motion.segment<3>(kAxes * i) += derivativesAt(term.displacement, s.time)[k] * term.direction;
  }
  for (int i = 0; i < links.size(); ++i) {
    if (!coupling_->isBodyCoupled(set.size() + i)) continue;
    for (const LinkDrive& drive : links.link(i).drives) {
      const double driven = derivativesAt(drive.displacement, s.time)[k];
      for (std::size_t axis = 0; axis < kLinkAxes; ++axis)
        motion[kAxes * (set.size() + i) + static_cast<Eigen::Index>(axis)] += drive.factors[axis] * driven;
    }
  }
  return motion;
}

/// Writes the slopes d lambda/dx of a body at the position `moved`, slightly ahead along its motion, where
/// friction that slips has the slope of slip.
void CoupledRun::computeForceDerivatives(int body, const State& s, const Vector& free, const Vector& moved,
                                         Matrix& slopes) const {
  const int contacts = contacts_->contactSet().size();
  ContactTangent tangent;
  if (body < contacts) {
    const auto i = static_cast<std::size_t>(body);
    const ContactState& state = contacts_->state(i);
    if (!state.isClosed()) return;
    LocalMotion motion;
    for (std::size_t axis = 0; axis < 3; ++axis)
      motion.position[axis] = moved[kAxes * body + static_cast<Eigen::Index>(axis)];
    const Contact& contact = contacts_->contactSet().contact(body);
    tangent = contacts_->contactSet().isFollowed(body)
                  ? followedTangentMatrix(contact, state, contacts_->followed(i), state.imposed, motion,
                                          {s.time, 0.0})
                  : contactTangentMatrix(contact, state, state.imposed, motion, 0.0);
  } else {
    LinkMotion<double> motion;
    motion.time = s.time;
    for (std::size_t axis = 0; axis < kLinkAxes; ++axis) {
      motion.x[axis] = moved[kAxes * body + static_cast<Eigen::Index>(axis)];
      motion.v[axis] = free[kAxes * body + static_cast<Eigen::Index>(axis)];
    }
    tangent = linkTangentMatrix(links_->linkSet().link(body - contacts), links_->state(body - contacts),
                                motion, links_->followsRatesOfShifts());
  }
  for (Eigen::Index row = 0; row < 3; ++row)
    for (Eigen::Index column = 0; column < 3; ++column)
      slopes(kAxes * body + row, kAxes * body + column) =
          tangent.byPosition[static_cast<std::size_t>(row)][static_cast<std::size_t>(column)];
}

/// Rate of the force of a link at rest, by the relaxation of a dashpot [N/s]: a difference quotient with a
/// change of the force that is small compared with the force and large compared with rounding.
double CoupledRun::relaxationRate(int link, std::size_t axis) const {
  // times ahead [s], change relative to the force
  constexpr double kShortest = 1e-12, kLongest = 1.0, kChange = 1e-6;
  LinkState from = links_->state(link);
  from.motion.v.fill(0.0);
  LinkMotion<double> still = from.motion;
  for (double ahead = kShortest; ahead <= kLongest; ahead *= 10.0) {
    still.time = from.motion.time + ahead;
    const double change =
        lawSlopes(links_->linkSet().link(link).law, from, still).force[static_cast<Eigen::Index>(axis)] -
        from.force[axis];
    if (std::abs(change) > kChange * std::abs(from.force[axis]) || ahead * 10.0 > kLongest)
      return change / (still.time - from.motion.time);
  }
  return 0.0;
}

/// Forces of views along all axes. A force on a curved obstacle shifts the contact point, whose position
/// determines the direction of the force: solved by Newton's method with difference slopes. The iteration
/// starts at the accepted forces, because without forces the position may be on the far side of an obstacle.
Vector CoupledRun::forcesInViews(const State& s, std::span<const ContactView> contacts,
                                 std::span<const LinkState> links) const {
  constexpr int kMost = 20;
  constexpr double kRounding = 1e-13, kBit = 1e-7;
  const int count = static_cast<int>(contacts.size());
  const Eigen::Index n = coupling_->whole.rows();
  Vector forces = Vector::Zero(n);
  for (std::size_t i = 0; i < links.size(); ++i)
    for (std::size_t axis = 0; axis < kLinkAxes; ++axis)
      if (coupling_->isBodyCoupled(count + static_cast<int>(i)))
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
      if (!coupling_->isBodyCoupled(i) || view.phase == ContactPhase::open) continue;
      const Contact& contact = contacts_->contactSet().contact(i);
      const Vec3 place = places.segment<3>(kAxes * i) + driftOfContact(i, s.time);
      turned.segment<3>(kAxes * i) = contactForceOf(view, contact, place);
      if (!isCurved(contact.obstacle)) continue;
      const double bit = kBit * place.norm();
      for (Eigen::Index axis = 0; axis < 3; ++axis)
        slopes.block<3, 1>(kAxes * i, kAxes * i + axis) =
            (contactForceOf(view, contact, place + bit * Vec3::Unit(axis)) -
             contactForceOf(view, contact, place - bit * Vec3::Unit(axis))) /
            (2.0 * bit);
    }
    const Vector missing = turned - forces;
    if (missing.norm() <= kRounding * turned.norm()) return turned;
    const Matrix system = Matrix::Identity(n, n) - slopes * coupling_->whole;
    forces += Eigen::PartialPivLU<Matrix>(system).solve(missing);
  }
  return forces;
}

/// Rates of the forces on the points: lambda' = slopes x' + relaxed, lambda'' = slopes x'' + share lambda' +
/// curved.
struct CoupledRun::LinearisedForces {
  explicit LinearisedForces(Eigen::Index n)
      : slopes(Matrix::Zero(n, n)), relaxed(Vector::Zero(n)), share(relaxed), curved(relaxed) {}
  Eigen::PartialPivLU<Matrix> factorWith(const Matrix& compliance) const {
    return Eigen::PartialPivLU<Matrix>(Matrix::Identity(slopes.rows(), slopes.rows()) - slopes * compliance);
  }

  Matrix slopes;
  /// Relaxation rate of a dashpot: in proportion to its force, as in the linear law.
  Vector relaxed, share, curved;
};

/// Adds the relaxation of dashpots. The rates of dashpots that relax faster than a tenth of the step are
/// those of the last steps: the small error of the force, divided by the relaxation time, would exceed the
/// rate.
void CoupledRun::addRelaxation(double time, const Vector& forces, LinearisedForces& of) const {
  constexpr double kFast = 0.1;
  const int count = contacts_->contactSet().size();
  for (int i = 0; i < links_->linkSet().size(); ++i)
    for (std::size_t axis = 0; axis < kLinkAxes; ++axis) {
      const auto at = kAxes * (count + i) + static_cast<Eigen::Index>(axis);
      if (!coupling_->isBodyCoupled(count + i) || forces[at] == 0.0) continue;
      of.relaxed[at] = -relaxationRate(i, axis);
      of.share[at] = of.relaxed[at] / forces[at];
    }
  if (!(rates_.step > 0.0) || of.share.isZero(0.0)) return;
  const Vector relaxation = of.factorWith(coupling_->beside).inverse().diagonal().cwiseProduct(of.share);
  const double ahead = time - acceptedAt_;
  for (Eigen::Index at = kAxes * count; at < relaxation.size(); ++at) {
    if (!(std::abs(relaxation[at]) * rates_.step > kFast)) continue;
    of.slopes.row(at).setZero();
    of.share[at] = 0.0;
    of.curved[at] = rates_.second[at];
    of.relaxed[at] = rates_.rate[at] + ahead * rates_.second[at];
  }
}

void CoupledRun::addMotionTo(const State& s, std::span<ContactView> contacts,
                             std::span<LinkState> links) const {
  constexpr double kAhead = 1e-9;  // step ahead, relative to the coordinates
  const int count = static_cast<int>(contacts.size());
  const Eigen::Index n = coupling_->whole.rows();
  const Vector forces = forcesInViews(s, contacts, links);
  const Vector free = freeMotion(s, 0), rate = freeMotion(s, 1);
  Vector moved = free + coupling_->beside * forces;
  if (const double speed = rate.cwiseAbs().maxCoeff(); speed > 0.0)
    moved += kAhead * moved.cwiseAbs().maxCoeff() / speed * rate;
  LinearisedForces of(n);
  for (int body = 0; body < count + static_cast<int>(links.size()); ++body) {
    if (!coupling_->isBodyCoupled(body)) continue;
    if (body < count && dependsOnRate(contacts_->contactSet().contact(body))) {
      // The rates of a force that depends on rates do not follow from its slopes.
      if (contacts[static_cast<std::size_t>(body)].phase == ContactPhase::open) continue;
      const CoupledShifts::ForceRates& found =
          contacts_->shifts().forceRatesOf(static_cast<std::size_t>(body));
      const Vec3 curved = Eigen::Map<const Vec3>(found.second.data());
      of.relaxed.segment<3>(kAxes * body) =
          Eigen::Map<const Vec3>(found.rate.data()) + (s.time - acceptedAt_) * curved;
      of.curved.segment<3>(kAxes * body) = curved;
    } else {
      computeForceDerivatives(body, s, rate, moved, of.slopes);
    }
  }
  addRelaxation(s.time, forces, of);
  const Eigen::PartialPivLU<Matrix> factor = of.factorWith(coupling_->beside);
  const Vector first = factor.solve(Vector(of.slopes * rate + of.relaxed));
  const Vector second =
      factor.solve(Vector(of.slopes * freeMotion(s, 2) + of.share.cwiseProduct(first) + of.curved));
  const Vector shift = coupling_->whole * forces, shiftRate = coupling_->whole * first;
  for (int i = 0; i < count; ++i) {
    if (!coupling_->isBodyCoupled(i)) continue;
    ContactView& view = contacts[static_cast<std::size_t>(i)];
    const Contact& contact = contacts_->contactSet().contact(i);
    const auto at = kAxes * i;
    view.staticForce = {forces.segment<3>(at), first.segment<3>(at), second.segment<3>(at)};
    const Vec3 unshifted =
        isCurved(contact.obstacle) ? Vec3(free.segment<3>(at) + driftOfContact(i, s.time)) : view.position;
    addPointMotion(contact, unshifted + shift.segment<3>(at), shiftRate.segment<3>(at), view);
  }
  // Displacement of the springs that the laws contain.
  const Vector within = shift - coupling_->beside * forces;
  for (std::size_t i = 0; i < links.size(); ++i)
    for (std::size_t axis = 0; axis < kLinkAxes; ++axis) {
      const auto at = kAxes * (count + static_cast<Eigen::Index>(i)) + static_cast<Eigen::Index>(axis);
      if (!coupling_->isBodyCoupled(count + static_cast<int>(i))) continue;
      links[i].forceRates[0][axis] = -first[at];
      links[i].forceRates[1][axis] = -second[at];
      links[i].motion.x[axis] += within[at];
      links[i].motion.v[axis] = rate[at] + shiftRate[at];
    }
}

}  // namespace ricochet
