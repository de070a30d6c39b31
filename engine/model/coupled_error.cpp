#include "engine/model/coupled_error.hpp"

#include "engine/contact/memory_error.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace ricochet {

CoupledError::CoupledError(const StaticCoupling& coupling, const ContactSet& contacts, const LinkSet& links)
    : coupling_(&coupling),
      contacts_(contacts),
      links_(links, contacts.size()),
      balance_(coupling, contacts_, links_) {}

bool CoupledError::canOccur(const StaticCoupling& coupling, const ContactSet& contacts) noexcept {
  if (coupling.empty()) return false;
  for (int i = 0; i < contacts.size(); ++i) {
    const Contact& contact = contacts.contact(i);
    if (coupling.couplesBody(i) && (dependsOnRate(contact.normal) || dependsOnRate(contact.friction)))
      return true;
  }
  return false;
}

void CoupledError::tryAt(double t, const Vector& q, const Vector& v) {
  const Motion motion{q.data(), v.data(), 0.0, v.data()};
  contacts_.evaluate(t, motion);
  balance_.solve(t, motion);
  if (!links_.empty()) links_.evaluate(t, motion);
}

CoupledError::Parts CoupledError::of(const ContactRun& contacts, const LinkRun& links, const StepEnds& step) {
  constexpr double kNoise = 1e-5;  // of rates, in the instant of a jump
  const double h = step.h, start = contacts.time();
  contacts_.copyStates(contacts);
  links_ = links;
  const Vector way = step.q1 - step.q0;
  const Vector middle = step.q0 + 0.5 * way + 0.125 * h * (step.v0 - step.v1);
  Vector rate = 1.5 / h * way - 0.25 * (step.v0 + step.v1);
  tryAt(start + 0.5 * h, middle, rate);
  const Vector before = forces(contacts, links, Of::accepted), after = forces(contacts, links, Of::trial);
  Vector left = forces(contacts_, links_, Of::trial) - 0.5 * (before + after);
  EnergyLedger ledger;
  contacts_.accept(start + 0.5 * h, 0.5 * h, ledger, rate.data());
  if (!links_.empty()) links_.accept(0.5 * h, contacts_.events(), rate.data());
  contacts_.events().clear();
  tryAt(start + h, step.q1, step.v1);
  if (balance_.takeLostBalance()) return {.motion = std::numeric_limits<double>::infinity()};
  const Vector change = forces(contacts_, links_, Of::trial) - after;
  double memories = 0.0, kept = 0.0;
  bool jumps = snaps(before, after, way);
  if (jumps) left.setZero();
  for (int body = 0; body < contacts.set().size(); ++body) {
    const auto i = static_cast<std::size_t>(body);
    const ContactState &from = contacts.state(i), &to = contacts.triedState(i);
    if (!coupling_->couplesBody(body) || !from.closed() || !to.closed()) continue;
    const Contact& contact = contacts.set().contact(body);
    const ContactState& halved = contacts_.triedState(i);
    memories += std::pow(memoryDifference(contact, halved, to), 2);
    kept += halved.storedTangential;
    if (from.phase(true) == to.phase(true)) continue;
    left.segment<3>(ContactSet::kAxes * body).setZero();
    jumps = true;
  }
  const auto energy = [&](const Vector& each) { return 0.5 * std::abs(each.dot(coupling_->whole * each)); };
  const double size = std::sqrt(2.0 * (energy(before) + kept));
  double relaxing = std::sqrt(2.0 * energy(change) + memories);
  if (jumps) relaxing = std::max(0.0, relaxing - kNoise * size);
  return {.motion = 0.5 * h * velocityOf(change) + relaxing, .accounts = energy(left), .size = size};
}

/// Whether points went much farther than the coordinates by `way`, and their forces changed much: whatever
/// the length of the step, if a point snaps through.
bool CoupledError::snaps(const Vector& before, const Vector& after, const Vector& way) const {
  constexpr double kFar = 10.0, kMuch = 0.1;
  const Vector change = after - before;
  const bool closes = before.isZero(0.0);
  if (closes || !(change.norm() > kMuch * std::max(before.norm(), after.norm()))) return false;
  const ContactSet& set = contacts_.set();
  double square = 0.0;
  for (int body = 0; body < set.size(); ++body)
    for (int axis = 0; coupling_->couplesBody(body) && axis < 3; ++axis)
      if (const double* row = set.row(body, axis); row != nullptr)
        square += std::pow(kernels::dot(row, way.data(), set.rowSize()), 2);
  return (coupling_->whole * change).norm() > kFar * std::sqrt(square);
}

/// Forces of the bodies on parts without inertia along all axes; zero along those of others.
Vector CoupledError::forces(const ContactRun& contacts, const LinkRun& links, Of of) const {
  Vector found = Vector::Zero(coupling_->whole.rows());
  const int count = contacts.set().size();
  for (int body = 0; body < count + links.set().size(); ++body) {
    if (!coupling_->couplesBody(body)) continue;
    if (body < count) {
      const auto i = static_cast<std::size_t>(body);
      const auto force = of == Of::trial ? contacts.triedForce(i) : contacts.force(i);
      found.segment<3>(ContactSet::kAxes * body) = Eigen::Map<const Vec3>(force.data());
      continue;
    }
    const LinkState& link = of == Of::trial ? links.triedState(body - count) : links.state(body - count);
    for (std::size_t axis = 0; axis < kLinkAxes; ++axis)
      found[ContactSet::kAxes * body + static_cast<Eigen::Index>(axis)] = -link.force[axis];
  }
  return found;
}

/// Norm of the change of the velocities per second under forces [kg^1/2 m/s^2].
double CoupledError::velocityOf(const Vector& forces) const {
  const ContactSet& set = contacts_.set();
  Vector along = Vector::Zero(set.rowSize());
  for (int body = 0; body < set.size() + links_.set().size(); ++body)
    for (int axis = 0; axis < 3; ++axis) {
      const double force = forces[ContactSet::kAxes * body + axis];
      if (force == 0.0) continue;
      const double* row = body < set.size()
                              ? set.row(body, axis)
                              : links_.set().row(body - set.size(), static_cast<std::size_t>(axis));
      if (row != nullptr) along += force * Eigen::Map<const Vector>(row, set.rowSize());
    }
  return along.norm();
}

}  // namespace ricochet
