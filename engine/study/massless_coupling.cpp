#include "engine/study/massless_coupling.hpp"

#include "engine/study/parts/held_at_end.hpp"
#include "physical/dense_solvers.hpp"

#include <algorithm>
#include <array>
#include <cmath>

namespace ricochet {
namespace {

/// True for a dashpot of the structure, which comes after the links of the study, and for a link whose force
/// follows the rate at once.
bool doesLinkNeedSpringInSeries(const Study& study, std::size_t link) {
  return link >= study.links.size() || traitsOf(study.links[link].law).forceFollowsRate;
}

}  // namespace

std::optional<double> flexibilityAlongSlipPath(const ContactRequest& request, const Mat3& compliance,
                                               const Direction& first, const Direction& second) {
  const auto& r = request.tangentScale;
  const double s11 = r.first * r.first * compliance(1, 1);
  const double s22 = r.second * r.second * compliance(2, 2);
  const double s12 = r.first * r.second * compliance(1, 2);
  if (std::abs(s11 - s22) <= kRoundingOfFlexibility * std::max(s11, s22) && s12 == 0.0) return s11;
  // The point moves along one line only: the forces of the tangents are parallel.
  const Vector a = r.first * first.force, b = r.second * second.force;
  const double sizes = a.squaredNorm() * b.squaredNorm();
  const double product = a.dot(b);
  if (product * product < (1.0 - 1e-12) * sizes) return std::nullopt;
  const std::array<double, 2> line{a.squaredNorm() >= b.squaredNorm() ? a.squaredNorm() : product,
                                   a.squaredNorm() >= b.squaredNorm() ? product : b.squaredNorm()};
  for (const SurfaceTerm& term : request.surface)
    if (std::abs(line[0] * term.direction.second - line[1] * term.direction.first) >
        kRoundingOfFlexibility * std::hypot(line[0], line[1]) *
            std::hypot(term.direction.first, term.direction.second))
      return std::nullopt;
  return s11 + s22;
}

/// A contact whose point a load moves at once finds its force with the displacement of the point: laws in
/// series take the displacement by loads as one that varies steadily.
void MasslessCoupling::coupleContactsMovedByLoadJumps() {
  for (const NodalLoad& load : study_.loads) {
    if (!doesFunctionJumpDuringRun(continueTimeFunctionBeyondEnd(load.scale, study_), study_)) continue;
    const Vector force = loadDirection(load, physical_);
    const Vector response = directions_.responseToForce(force);
    if (response.isZero(0.0)) continue;
    for (const Direction& each : directions_.directionsOfForces())
      if (directions_.isContact(each.owner) && !each.response.isZero(0.0) &&
          MasslessDirections::isMovedBy(each, force, response))
        coupled_[each.owner] = 1;
  }
}

/// Finds the contacts, links and dashpots whose forces have to be solved together.
void MasslessCoupling::findCouplings() {
  const std::vector<Direction>& all = directions_.directionsOfForces();
  coupled_.assign(all.empty() ? 0 : all.back().owner + 1, 0);
  for (const Direction& a : all) {
    if (!a.active || a.response.isZero(0.0)) continue;
    if (directions_.isContact(a.owner) && !doesContactHaveClosedFormAlone(a.owner)) coupled_[a.owner] = 1;
    for (const Direction& b : all)
      if (b.owner != a.owner && b.active && directions_.isCoupled(a, b) &&
          !directions_.areObstaclesOnOppositeSides(a.owner, b.owner))
        coupled_[a.owner] = coupled_[b.owner] = 1;
  }
  coupleContactsMovedByLoadJumps();
  for (const Direction& a : all)  // finds the opposite stop of a coupled contact
    for (const Direction& b : all)
      if (coupled_[a.owner] != 0 && directions_.areObstaclesOnOppositeSides(a.owner, b.owner))
        coupled_[b.owner] = 1;
}

Mat3 MasslessCoupling::complianceOf(std::size_t contact) const {
  Mat3 compliance = Mat3::Zero();
  for (int a = 0; a < 3; ++a)
    for (int b = 0; b < 3; ++b)
      if (directions_.isCoupled(directions_.directionOf(contact, a), directions_.directionOf(contact, b)))
        compliance(a, b) =
            directions_.directionOf(contact, a).force.dot(directions_.directionOf(contact, b).response);
  return compliance;
}

/// True if the laws of a contact that shares its part with no other contact have a closed form in series.
bool MasslessCoupling::doesContactHaveClosedFormAlone(std::size_t i) const {
  const ContactRequest& request = study_.contacts[i];
  if (isCurved(request.obstacle) || !request.surfaceSpin.empty() || !request.carriers.empty()) return false;
  const Direction &first = directions_.directionOf(i, 1), &second = directions_.directionOf(i, 2);
  const Mat3 compliance = complianceOf(i);
  const bool bears = first.active || second.active;
  const std::optional<double> along = flexibilityAlongSlipPath(request, compliance, first, second);
  if (bears && (!along || compliance(0, 1) != 0.0 || compliance(0, 2) != 0.0)) return false;
  Contact laws;
  laws.normal = request.normal;
  laws.friction = sticks_[i].law;
  if (!addNormalFlexibility(laws, compliance(0, 0))) return false;
  if (!bears || *along == 0.0) return true;
  if (!addFrictionFlexibility(laws, *along)) return false;
  for (const SurfaceTerm& term : request.surface)
    if (term.speed.formulaOrNull() != nullptr || !term.speed.breakpoints().empty() ||
        term.speed.piece(term.speed.lastPiece()).slope != 0.0)
      return false;
  const NormalTraits& normal = traitsOf(laws.normal);
  const bool hasSlope = normal.form == ForceForm::linear || normal.form == ForceForm::pieces;
  return normal.imposed || (hasSlope && !normal.setValued);
}

/// True for a direction whose law has a force only together with a spring in series.
bool MasslessCoupling::doesDirectionNeedSpringInSeries(const Direction& direction) const {
  if (directions_.isContact(direction.owner)) {
    const ContactRequest& request = study_.contacts[direction.owner];
    if (direction.axis == 0) return traitsOf(request.normal).setValued;
    return direction.axis < 3 && traitsOf(request.friction.law).setValued;
  }
  return doesLinkNeedSpringInSeries(study_, directions_.linkOf(direction.owner));
}

const Direction* MasslessCoupling::sharedReactionDirection() const {
  constexpr double kRounding = 1e-9;
  std::vector<const Direction*> held;
  for (const Direction& each : directions_.directionsOfForces()) {
    if (!isCoupledToOthers(each.owner) || !each.active || each.response.isZero(0.0) ||
        !doesDirectionNeedSpringInSeries(each))
      continue;
    if (std::any_of(held.begin(), held.end(), [&](const Direction* other) {
          return other->axis == 0 && each.axis == 0 &&
                 directions_.areObstaclesOnOppositeSides(other->owner, each.owner);
        }))
      continue;
    // Beside a rigid contact, a dashpot has the force of a point that does not move while this is closed.
    const bool isDashpot =
        !directions_.isContact(each.owner) && directions_.linkOf(each.owner) >= study_.links.size();
    std::vector<const Direction*> others = held;
    if (isDashpot)
      std::erase_if(others,
                    [&](const Direction* d) { return directions_.isContact(d->owner) && d->axis == 0; });
    const auto n = static_cast<Eigen::Index>(others.size());
    Matrix compliance(n, n);
    Vector beside(n);
    for (Eigen::Index i = 0; i < n; ++i) {
      const Direction& row = *others[static_cast<std::size_t>(i)];
      beside[i] = row.force.dot(each.response);
      for (Eigen::Index j = 0; j < n; ++j)
        compliance(i, j) = row.force.dot(others[static_cast<std::size_t>(j)]->response);
    }
    const double own = each.force.dot(each.response);
    const double left = n == 0 ? own : own - beside.dot(Vector(compliance.ldlt().solve(beside)));
    if (!(left > kRounding * own)) return &each;
    held.push_back(&each);
  }
  return nullptr;
}

/// Adds the compliance of all coupled contacts, links and dashpots to the forces. A law that is a spring only
/// in series with other springs takes half of its own flexibility.
void MasslessCoupling::addCouplingCompliance(MasslessForces& forces) const {
  if (std::find(coupled_.begin(), coupled_.end(), 1) == coupled_.end()) return;
  StaticCoupling& coupling = forces.coupling;
  const std::size_t bodies = study_.contacts.size() + forces.links.size();
  coupling.couples = coupled_;
  coupling.couples.resize(bodies, 0);
  const auto rows = static_cast<Eigen::Index>(ContactSet::kAxes * bodies);
  coupling.whole = coupling.beside = Matrix::Zero(rows, rows);
  const auto place = [](const Direction& d) {
    return static_cast<Eigen::Index>(ContactSet::kAxes * d.owner + static_cast<std::size_t>(d.axis));
  };
  for (const Direction& a : directions_.directionsOfForces())
    for (const Direction& b : directions_.directionsOfForces()) {
      if (!isCoupledToOthers(a.owner) || !isCoupledToOthers(b.owner) || !directions_.isCoupled(a, b))
        continue;
      const double flexibility = a.force.dot(b.response);
      coupling.whole(place(a), place(b)) = flexibility;
      if (a.active && b.active) coupling.beside(place(a), place(b)) = flexibility;
    }
  for (std::size_t i = 0; i < bodies; ++i)
    if (isCoupledToOthers(i)) addFlexibilityToLaws(i, forces);
}

/// Puts a spring in series with the law of a contact or link that needs one: half of the flexibility of its
/// own point.
void MasslessCoupling::addFlexibilityToLaws(std::size_t owner, MasslessForces& forces) const {
  const auto at = static_cast<Eigen::Index>(ContactSet::kAxes * owner);
  Matrix& beside = forces.coupling.beside;
  if (!directions_.isContact(owner)) {
    MasslessLink& link = forces.links[directions_.linkOf(owner)];
    link.coupled = true;
    const double share =
        doesLinkNeedSpringInSeries(study_, directions_.linkOf(owner)) ? 0.5 * beside(at, at) : 0.0;
    link.compliance = share * Eigen::Matrix2d::Identity();
    for (Eigen::Index axis = 0; axis < 2; ++axis)
      if (beside(at + axis, at + axis) > 0.0) beside(at + axis, at + axis) -= share;
    return;
  }
  MasslessForces::OfContact& contact = forces.contacts[owner];
  const ContactRequest& request = study_.contacts[owner];
  contact.coupled = true;
  contact.compliance.setZero();
  contact.others.clear();
  contact.alongTangents.reset();
  if (traitsOf(request.normal).setValued) contact.compliance(0, 0) = 0.5 * beside(at, at);
  beside(at, at) -= contact.compliance(0, 0);
  if (!traitsOf(request.friction.law).setValued) return;
  const double first = beside(at + 1, at + 1), second = beside(at + 2, at + 2);
  // A tangent along which only dofs with mass move leaves the stick set-valued.
  const auto isHeavy = [&](int axis, double flexibility) {
    const Direction& direction = directions_.directionOf(owner, axis);
    return direction.active && flexibility == 0.0 && !direction.force.isZero(0.0);
  };
  if (isHeavy(1, first) || isHeavy(2, second)) return;
  const double along = first > 0.0 && second > 0.0 ? std::min(first, second) : std::max(first, second);
  contact.alongTangents = 0.5 * along;
  for (const Eigen::Index axis : {at + 1, at + 2})
    if (beside(axis, axis) > 0.0) beside(axis, axis) -= 0.5 * along;
}

}  // namespace ricochet
