#include "engine/model/coupled_run.hpp"

#include "engine/contact/followed.hpp"
#include "engine/functions/function_series.hpp"
#include "engine/links/link_in_series.hpp"
#include "engine/links/link_tangent.hpp"
#include "physical/dense_solvers.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

namespace ricochet {
namespace {

constexpr Eigen::Index kAxes = ContactSet::kAxes;

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

CoupledRun::CoupledRun(const StaticCoupling& coupling, ContactRun& contacts, LinkRun& links)
    : coupling_(&coupling),
      contacts_(&contacts),
      links_(&links),
      balance_(*this, contacts.contactSet(), links.empty() ? nullptr : &links, &coupling, true) {
  for (Vector* each : {&q_, &v_, &none_, &a_}) *each = Vector::Zero(contacts.contactSet().rowSize());
  balance_.prepare({.share = 1.0, .dq = 1.0, .dv = 0.0});
  for (Vector* each : {&books_.forces, &books_.moved, &books_.driven})
    *each = Vector::Zero(coupling.whole.rows());
}

/// Forces do not move the coordinates, which are given.
void CoupledRun::computeResponse(const double* /*row*/, double* response) noexcept {
  Eigen::Map<Vector>(response, none_.size()).setZero();
}

void CoupledRun::solve(double t, const Motion& motion) noexcept {
  const Eigen::Index n = none_.size();
  q_ = Eigen::Map<const Vector>(motion.q, n);
  v_ = Eigen::Map<const Vector>(motion.v, n);
  if (motion.dv != 0.0) v_ += motion.dv * Eigen::Map<const Vector>(motion.a, n);
  a_.setZero();
  if (balance_.solve(*contacts_, t, q_, v_, none_, a_)) return;
  lostBalance_ = true;
  const int body = std::max(0, balance_.unsolvedBody()), contacts = contacts_->contactSet().size();
  const double nothing = std::numeric_limits<double>::quiet_NaN();
  if (body < contacts)
    contacts_->shifts().setDisplacementShift(static_cast<std::size_t>(body),
                                             {{nothing, nothing, nothing}, {}});
  else
    links_->setDisplacementShift(body - contacts, {{nothing, nothing}, {}});
  contacts_->evaluate(t, motion);
}

void CoupledRun::start(double t, const Motion& motion) noexcept {
  links_->setUnloadedStates(t);
  contacts_->evaluate(t, motion);
  solve(t, motion);
  contacts_->startCoupledContacts();
  links_->start(t, motion);
}

Vector coupledForces(const StaticCoupling& coupling, const ContactRun& contacts, const LinkRun& links,
                     ForcesOf of) {
  Vector forces = Vector::Zero(coupling.whole.rows());
  const int count = contacts.contactSet().size();
  for (int i = 0; i < count; ++i) {
    if (!coupling.isBodyCoupled(i)) continue;
    const auto at = static_cast<std::size_t>(i);
    const auto force = of == ForcesOf::trial ? contacts.trialForce(at) : contacts.force(at);
    forces.segment<3>(kAxes * i) = Eigen::Map<const Vec3>(force.data());
  }
  for (int i = 0; i < links.linkSet().size(); ++i) {
    if (!coupling.isBodyCoupled(count + i)) continue;
    const LinkState& link = of == ForcesOf::trial ? links.trialState(i) : links.state(i);
    for (std::size_t axis = 0; axis < kLinkAxes; ++axis)
      forces[kAxes * (count + i) + static_cast<Eigen::Index>(axis)] = -link.force[axis];
  }
  return forces;
}

Vector coupledMotion(const StaticCoupling& coupling, const ContactSet& contacts, const LinkSet& links,
                     const Vector& along) {
  Vector motion = Vector::Zero(coupling.whole.rows());
  const auto product = [&](const double* row) {
    return row == nullptr ? 0.0 : kernels::dot(row, along.data(), contacts.rowSize());
  };
  for (int i = 0; i < contacts.size(); ++i)
    for (int axis = 0; coupling.isBodyCoupled(i) && axis < 3; ++axis)
      motion[kAxes * i + axis] = product(contacts.row(i, axis));
  for (int i = 0; i < links.size(); ++i) {
    if (!coupling.isBodyCoupled(contacts.size() + i)) continue;
    for (std::size_t axis = 0; axis < kLinkAxes; ++axis)
      motion[kAxes * (contacts.size() + i) + static_cast<Eigen::Index>(axis)] = product(links.row(i, axis));
  }
  return motion;
}

bool shiftsFartherThanMotion(const StaticCoupling& coupling, const Vector& change, const Vector& motion) {
  constexpr double kFar = 10.0;  // smallest ratio of shift to motion of a jump
  return (coupling.whole * change).norm() > kFar * motion.norm();
}

Vector CoupledRun::acceptedForces() const {
  return coupledForces(*coupling_, *contacts_, *links_, ForcesOf::accepted);
}

double CoupledRun::stored() const noexcept {
  const Vector forces = acceptedForces();
  return 0.5 * forces.dot(coupling_->beside * forces);
}

CoupledRun::Books CoupledRun::balanceTermsAt(const State& s) const {
  const ContactSet& set = contacts_->contactSet();
  const LinkSet& links = links_->linkSet();
  const Eigen::Index n = coupling_->whole.rows();
  Books books{acceptedForces(), coupledMotion(*coupling_, set, links, s.q), Vector::Zero(n), stored()};
  for (int i = 0; i < set.size(); ++i) {
    if (!coupling_->isBodyCoupled(i)) continue;
    books.driven.segment<3>(kAxes * i) = driftOfContact(i, s.time);
    books.held += contacts_->state(static_cast<std::size_t>(i)).stored();
  }
  for (int i = 0; i < links.size(); ++i) {
    const int body = set.size() + i;
    if (!coupling_->isBodyCoupled(body)) continue;
    LinkMotion<double> driven{};
    driven.time = s.time;
    links.addDriveMotion(i, driven);
    for (std::size_t axis = 0; axis < kLinkAxes; ++axis)
      books.driven[kAxes * body + static_cast<Eigen::Index>(axis)] = driven.x[axis];
    const LinkState& link = links_->state(i);
    books.held += link.stored + link.dissipated - link.external;
  }
  return books;
}

void CoupledRun::accept(const State& s, const EnergyLedger& before, EnergyLedger& ledger) noexcept {
  constexpr double kShare = 1e-2;  // share of the stored energy; integration errors are smaller
  Books now = balanceTermsAt(s);
  const Vector moved = now.moved - books_.moved, driven = now.driven - books_.driven;
  const Vector change = now.forces - books_.forces;
  if (shiftsFartherThanMotion(*coupling_, change, moved + driven)) {
    const double done = -0.5 * (now.forces + books_.forces).dot(moved);
    // Other contacts dissipate energy too, or return stored energy: neither is a loss by the jump.
    const double spent = (ledger.damping - before.damping) + (ledger.friction - before.friction) -
                         (ledger.external - before.external);
    const double lost = done - (now.held - books_.held) - std::max(0.0, spent);
    const double smooth = 0.5 * change.cwiseAbs().dot(moved.cwiseAbs() + driven.cwiseAbs());
    if (lost > smooth + kShare * (std::abs(now.held) + std::abs(books_.held))) ledger.damping += lost;
  }
  books_ = std::move(now);
}

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

Vec3 CoupledRun::driftOfContact(int contact, double t) const {
  const Drift drift = supportDriftAt(contacts_->contactSet().contact(contact), t);
  return {drift.displacement[0], drift.displacement[1], drift.displacement[2]};
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
  Matrix slopes = Matrix::Zero(n, n);
  // Relaxation rate of a dashpot: in proportion to its force, as in the linear law.
  Vector relaxed = Vector::Zero(n), share = Vector::Zero(n), curved = Vector::Zero(n);
  for (int body = 0; body < count + static_cast<int>(links.size()); ++body) {
    if (!coupling_->isBodyCoupled(body)) continue;
    if (body < count && dependsOnRate(contacts_->contactSet().contact(body))) {
      // The rates of a force that depends on rates do not follow from its slopes.
      if (contacts[static_cast<std::size_t>(body)].phase == ContactPhase::open) continue;
      const CoupledShifts::ForceRates& found =
          contacts_->shifts().forceRatesOf(static_cast<std::size_t>(body));
      relaxed.segment<3>(kAxes * body) = Eigen::Map<const Vec3>(found.rate.data());
      curved.segment<3>(kAxes * body) = Eigen::Map<const Vec3>(found.second.data());
    } else {
      computeForceDerivatives(body, s, rate, moved, slopes);
    }
  }
  const Matrix system = Matrix::Identity(n, n) - slopes * coupling_->beside;
  const Eigen::PartialPivLU<Matrix> factor(system);
  for (int i = 0; i < static_cast<int>(links.size()); ++i)
    for (std::size_t axis = 0; axis < kLinkAxes; ++axis) {
      const auto at = kAxes * (count + i) + static_cast<Eigen::Index>(axis);
      if (!coupling_->isBodyCoupled(count + i) || forces[at] == 0.0) continue;
      relaxed[at] = -relaxationRate(i, axis);
      share[at] = relaxed[at] / forces[at];
    }
  const Vector first = factor.solve(Vector(slopes * rate + relaxed));
  const Vector second = factor.solve(Vector(slopes * freeMotion(s, 2) + share.cwiseProduct(first) + curved));
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
