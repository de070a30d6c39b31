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

bool CoupledError::doesCouplingDependOnRates(const StaticCoupling& coupling, const ContactSet& contacts,
                                             const LinkSet& links) noexcept {
  if (coupling.empty()) return false;
  for (int i = 0; i < contacts.size(); ++i)
    if (coupling.isContactOrLinkCoupled(i) && doesForceDependOnRate(contacts.contact(i))) return true;
  for (int i = 0; i < links.size(); ++i)
    if (coupling.isContactOrLinkCoupled(contacts.size() + i) && traitsOf(links.link(i).law).forceFollowsRate)
      return true;
  return false;
}

void CoupledError::evaluateTrialAt(double t, const Vector& q, const Vector& v) {
  const Motion motion{q.data(), v.data(), 0.0, v.data()};
  contacts_.evaluate(t, motion);
  balance_.solve(t, motion);
  if (!links_.empty()) links_.evaluate(t, motion);
}

CoupledError::Parts CoupledError::errorOfTrial(const ContactRun& contacts, const LinkRun& links,
                                               const StepEnds& step) {
  constexpr double kNoise = 1e-5;  // relative error of rates in the instant of a jump
  const double h = step.h, start = contacts.time();
  contacts_.copyStates(contacts);
  links_ = links;
  const Vector way = step.q1 - step.q0;
  const Vector middle = step.q0 + 0.5 * way + 0.125 * h * (step.v0 - step.v1);
  Vector rate = 1.5 / h * way - 0.25 * (step.v0 + step.v1);
  evaluateTrialAt(start + 0.5 * h, middle, rate);
  const Vector before = forcesOnCoupledPoints(*coupling_, contacts, links, ForcesOf::accepted);
  const Vector after = forcesOnCoupledPoints(*coupling_, contacts, links, ForcesOf::trial);
  Vector left =
      forcesOnCoupledPoints(*coupling_, contacts_, links_, ForcesOf::trial) - 0.5 * (before + after);
  EnergyLedger ledger;
  contacts_.acceptStep(start + 0.5 * h, 0.5 * h, ledger, rate.data());
  if (!links_.empty()) links_.acceptStep(0.5 * h, contacts_.events(), rate.data());
  contacts_.events().clear();
  evaluateTrialAt(start + h, step.q1, step.v1);
  if (balance_.takeFlagOfLostForceBalance()) return {.motion = std::numeric_limits<double>::infinity()};
  const Vector change = forcesOnCoupledPoints(*coupling_, contacts_, links_, ForcesOf::trial) - after;
  double memories = 0.0, kept = 0.0;
  bool jumps = doCoupledPointsSnapThrough(before, after, way);
  if (jumps) left.setZero();
  for (int body = 0; body < contacts.contactSet().size(); ++body) {
    const auto i = static_cast<std::size_t>(body);
    const ContactState &from = contacts.state(i), &to = contacts.trialState(i);
    if (!coupling_->isContactOrLinkCoupled(body) || !from.isClosed() || !to.isClosed()) continue;
    const Contact& contact = contacts.contactSet().contact(body);
    const ContactState& halved = contacts_.trialState(i);
    memories += std::pow(frictionMemoryDifference(contact, halved, to), 2);
    kept += halved.storedTangential;
    if (from.phase(true) == to.phase(true)) continue;
    left.segment<3>(ContactSet::kAxes * body).setZero();
    jumps = true;
  }
  const auto energy = [&](const Vector& each) { return 0.5 * std::abs(each.dot(coupling_->whole * each)); };
  const double size = std::sqrt(2.0 * (energy(before) + kept));
  double relaxing = std::sqrt(2.0 * energy(change) + memories);
  if (jumps) relaxing = std::max(0.0, relaxing - kNoise * size);
  return {.motion = 0.5 * h * velocityChangeRateUnderForces(change) + relaxing,
          .accounts = energy(left),
          .size = size};
}

/// True if points snap through: the forces change from `before` to `after` while the coordinates move by
/// `way`.
bool CoupledError::doCoupledPointsSnapThrough(const Vector& before, const Vector& after,
                                              const Vector& way) const {
  constexpr double kMuch = 0.1;
  const Vector change = after - before;
  const bool closes = before.isZero(0.0);
  if (closes || !(change.norm() > kMuch * std::max(before.norm(), after.norm()))) return false;
  return isPointShiftBeyondMotion(
      *coupling_, change,
      displacementsOfCoupledPoints(*coupling_, contacts_.contactSet(), links_.linkSet(), way));
}

/// Norm of the change of the velocities per second under forces [m/s^2 kg^1/2].
double CoupledError::velocityChangeRateUnderForces(const Vector& forces) const {
  const ContactSet& set = contacts_.contactSet();
  Vector along = Vector::Zero(set.rowSize());
  for (int body = 0; body < set.size() + links_.linkSet().size(); ++body)
    for (int axis = 0; axis < 3; ++axis) {
      const double force = forces[ContactSet::kAxes * body + axis];
      if (force == 0.0) continue;
      const double* row = body < set.size()
                              ? set.row(body, axis)
                              : links_.linkSet().row(body - set.size(), static_cast<std::size_t>(axis));
      if (row != nullptr) along += force * Eigen::Map<const Vector>(row, set.rowSize());
    }
  return along.norm();
}

}  // namespace ricochet
