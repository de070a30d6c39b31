#include "engine/model/implicit_contact.hpp"

#include "engine/contact/followed.hpp"
#include "engine/links/link_tangent.hpp"
#include "engine/numerics/solve_in_place.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace ricochet {

ImplicitContact::ImplicitContact(ContactCompliance& linear, const ContactSet& set, LinkRun* links,
                                 const StaticCoupling* coupling, bool onlyCoupled)
    : linear_(&linear),
      set_(&set),
      links_(links),
      coupling_(coupling == nullptr || coupling->empty() ? nullptr : coupling),
      onlyCoupled_(onlyCoupled),
      slot_(static_cast<std::size_t>(set.size()), -1),
      qTrial_(Vector::Zero(set.rowSize())),
      vTrial_(qTrial_) {
  constexpr int kAxes = ContactSet::kAxes;
  const Eigen::Index rows = kAxes * static_cast<Eigen::Index>(contactAndLinkCount());
  norms_ = Vector::Zero(rows);
  for (int i = 0; i < contactAndLinkCount(); ++i)
    for (int axis = 0; axis < kAxes; ++axis)
      if (const double* row = rowOfContactOrLink(i, axis))
        norms_[kAxes * i + axis] = std::sqrt(kernels::dot(row, row, set.rowSize()));
  for (const Contact& contact : set.contacts()) travels_ |= contact.isTravelling();
  responses_ = Matrix::Zero(set.rowSize(), rows);
  hasResponse_.assign(static_cast<std::size_t>(rows), 0);
  compliance_ = Matrix::Zero(rows, rows);
  jacobian_ = compliance_;
  if (coupling_ != nullptr) delays_ = compliance_;
  if (coupling_ != nullptr) slopes_ = Matrix::Zero(rows, rows + 1);
  for (Vector* each : {&w_, &free_, &step_}) *each = Vector::Zero(rows);
  active_.reserve(static_cast<std::size_t>(contactAndLinkCount()));
  rows_.reserve(static_cast<std::size_t>(rows));
  findParallelLinks();
}

void ImplicitContact::prepareForceBalance(const ImplicitBalance& balance) {
  if (balance.share == balance_.share && balance.dq == balance_.dq && balance.dv == balance_.dv) return;
  balance_ = balance;
  linear_->prepareCompliance(balance.share * balance.dq, balance.share * balance.dv);
  std::fill(hasResponse_.begin(), hasResponse_.end(), char{0});
  compliance_.setConstant(std::numeric_limits<double>::quiet_NaN());
}

/// Discards the rows of travelling contacts, which change in every step.
void ImplicitContact::discardTravellingRows() noexcept {
  for (int i = 0; travels_ && i < set_->size(); ++i) {
    if (!set_->contact(i).isTravelling()) continue;
    const Eigen::Index row = ContactSet::kAxes * static_cast<Eigen::Index>(i);
    norms_[row] = std::sqrt(kernels::dot(set_->row(i, 0), set_->row(i, 0), set_->rowSize()));
    hasResponse_[static_cast<std::size_t>(row)] = 0;
    compliance_.row(row).setConstant(std::numeric_limits<double>::quiet_NaN());
    compliance_.col(row).setConstant(std::numeric_limits<double>::quiet_NaN());
  }
}

/// Rate that the accelerations of the balance add along the row of a travelling contact, b' dq a [m/s]. The
/// Newton matrix neglects this rate, which is smaller than the displacement by the factor dq x'/L.
double ImplicitContact::rateByChangeOfRow(const Row& row) noexcept {
  double along = row.slopeOfFree;
  for (const Row& other : rows_)
    if (const double force = active_[other.active].predicted[other.axis];
        other.coefficients != nullptr && force != 0.0)
      along += force * kernels::dot(row.slope, responseToUnitForceOnRow(other), set_->rowSize());
  return balance_.dq * along;
}

const double* ImplicitContact::responseToUnitForceOnRow(const Row& row) noexcept {
  auto column = responses_.col(row.index);
  if (hasResponse_[static_cast<std::size_t>(row.index)] == 0) {
    hasResponse_[static_cast<std::size_t>(row.index)] = 1;
    linear_->computeUnitForceResponse(row.coefficients, column.data());
    column *= balance_.share;
  }
  return column.data();
}

double ImplicitContact::compliance(const Row& i, const Row& j) noexcept {
  double& entry = compliance_(i.index, j.index);
  if (!std::isnan(entry)) return entry;
  const bool byModes = i.coefficients != nullptr && j.coefficients != nullptr;
  entry = byModes ? kernels::dot(i.coefficients, responseToUnitForceOnRow(j), set_->rowSize()) : 0.0;
  if (coupling_ != nullptr) entry += coupling_->beside(i.index, j.index) / balance_.dq;
  return entry;
}

const double* ImplicitContact::rowOfContactOrLink(int body, int axis) const noexcept {
  if (!isLink(body)) return set_->row(body, axis);
  return axis < static_cast<int>(kLinkAxes)
             ? links_->linkSet().row(linkOf(body), static_cast<std::size_t>(axis))
             : nullptr;
}

double ImplicitContact::offsetOfContactOrLink(int body, std::size_t axis) const noexcept {
  if (isLink(body) || axis > 2) return 0.0;
  return set_->contact(body).offset[static_cast<Eigen::Index>(axis)];
}

void ImplicitContact::addActiveRow(std::size_t active, int axis, const Vector& q, const Vector& v) {
  const int contact = active_[active].contact;
  const double* row = rowOfContactOrLink(contact, axis);
  const double offset = offsetOfContactOrLink(contact, static_cast<std::size_t>(axis));
  const Eigen::Index size = set_->rowSize();
  const double displacement = row == nullptr ? 0.0 : kernels::dot(row, q.data(), size);
  const double rate = row == nullptr ? 0.0 : kernels::dot(row, v.data(), size);
  const double* slope = isLink(contact) || axis != 0 ? nullptr : set_->rowDerivative(contact);
  const double turning = slope == nullptr ? 0.0 : kernels::dot(slope, q.data(), size);
  rows_.push_back({active, static_cast<std::size_t>(axis), row, ContactSet::kAxes * contact + axis,
                   offset + displacement, rate + turning, slope});
}

/// Adds the contacts that the trial closed to the system, in addition to the contacts already in the system.
void ImplicitContact::addClosedContacts(const ContactRun& run, const Vector& q, const Vector& v) {
  for (const std::size_t i : run.evaluatedContacts()) {
    if (slot_[i] >= 0 || (onlyCoupled_ && !isCoupled(static_cast<int>(i)))) continue;
    slot_[i] = static_cast<int>(active_.size());
    const int axes = set_->axes(static_cast<int>(i));
    addActiveContactOrLink(run, static_cast<int>(i), run.trialState(i).imposed,
                           static_cast<std::size_t>(axes));
    for (int axis = 0; axis < axes; ++axis) addActiveRow(active_.size() - 1, axis, q, v);
  }
}

void ImplicitContact::addActiveLinks(const ContactRun& run, const Vector& q, const Vector& v) {
  for (int i = set_->size(); i < contactAndLinkCount(); ++i) {
    if (onlyCoupled_ && !isCoupled(i)) continue;
    addActiveContactOrLink(run, i, 0.0, kLinkAxes);
    for (int axis = 0; axis < static_cast<int>(kLinkAxes); ++axis)
      addActiveRow(active_.size() - 1, axis, q, v);
  }
}

bool ImplicitContact::doActiveRowsContainClosedContacts(const ContactRun& run) const noexcept {
  const auto touched = run.evaluatedContacts();
  return std::all_of(touched.begin(), touched.end(), [this](std::size_t i) {
    return slot_[i] >= 0 || (onlyCoupled_ && !isCoupled(static_cast<int>(i)));
  });
}

/// True if an open contact closes only within rounding. Coupled contacts are never grazing: their forces grow
/// from zero and move each other's gaps by similar amounts.
bool ImplicitContact::isContactGrazing(const ContactRun& run, int contact,
                                       const LocalMotion& motion) const noexcept {
  if (isCoupled(contact)) return false;
  const Contact& c = set_->contact(contact);
  if (run.state(static_cast<std::size_t>(contact)).normal != NormalState::open) return false;
  if (!hasGap(c.obstacle)) return false;
  const double gap = gapOfContactAtMotion(c, motion, time_, elapsed_);
  double size = 0.0;
  for (int axis = 0; axis < (isCurved(c.obstacle) ? 3 : 1); ++axis)
    size += std::abs(c.offset[axis]) + norms_[ContactSet::kAxes * contact + axis] * scaleQ_;
  return gap >= -kRounding * size;
}

ContactTangent ImplicitContact::tangentOfContactOrLink(const Active& active,
                                                       const LocalMotion& motion) const noexcept {
  const int i = linkOf(active.contact);
  LinkMotion<double> moved;
  moved.time = time_;
  for (std::size_t axis = 0; axis < kLinkAxes; ++axis) {
    moved.x[axis] = motion.position[axis];
    moved.v[axis] = motion.rate[axis];
  }
  links_->linkSet().addImposedDriveMotion(i, moved, time_ - links_->state(i).motion.time);
  return linkTangentMatrix(links_->linkSet().link(i), links_->state(i), moved,
                           links_->areDisplacementShiftRatesUsed());
}

void ImplicitContact::evaluateLaws(const ContactRun& run) noexcept {
  for (Active& active : active_) evaluateLaw(run, active);
}

LocalMotion ImplicitContact::motionOfContactOrLink(const Active& active) const noexcept {
  LocalMotion motion;
  for (std::size_t axis = 0; axis < active.axes; ++axis) {
    const Row& row = rows_[active.firstRow + axis];
    const double w = w_[static_cast<Eigen::Index>(active.firstRow + axis)];
    motion.position[axis] = row.position + balance_.dq * w;
    motion.rate[axis] = row.rate + balance_.dv * w;
    if (!isCoupled(active.contact)) continue;
    // The rate of the shift is S lambda', not the rate that the scheme gives to a displacement.
    motion.rate[axis] +=
        rateOfDisplacementShift(row) - balance_.dv / balance_.dq * displacementShiftOfRow(row);
  }
  return motion;
}

/// Force and slopes of one law at the motion of the accelerations w.
void ImplicitContact::evaluateLaw(const ContactRun& run, Active& active) noexcept {
  LocalMotion motion = motionOfContactOrLink(active);
  if (const Row& row = rows_[active.firstRow]; row.slope != nullptr) motion.rate[0] += rateByChangeOfRow(row);
  active.law = {};
  if (isLink(active.contact)) {
    active.law = tangentOfContactOrLink(active, motion);
    return;
  }
  if (isContactGrazing(run, active.contact, motion)) return;
  const auto i = static_cast<std::size_t>(active.contact);
  const Contact& contact = set_->contact(active.contact);
  if (set_->isFollowed(active.contact)) {
    active.law = tangentMatrixOfFollowedContact(contact, run.state(i), run.followedState(i), active.imposed,
                                                motion, {time_, time_ - run.time()});
    return;
  }
  AcceptedArea area;
  if (set_->isArea(active.contact)) area = {&run.acceptedAreaState(i), run.bristles(i)};
  active.law = contactTangentMatrix(contact, run.state(i), active.imposed, motion, time_ - run.time(), area);
}

/// Assembles the Newton matrix I - W K and the right-hand side w_free + W lambda - w.
void ImplicitContact::assembleEquations() noexcept {
  const auto n = static_cast<Eigen::Index>(rows_.size());
  if (coupling_ != nullptr) computeLawTangents();
  for (Eigen::Index i = 0; i < n; ++i) {
    const Row& row = rows_[static_cast<std::size_t>(i)];
    step_[i] = free_[i] - w_[i];
    for (Eigen::Index j = 0; j < n; ++j) jacobian_(i, j) = i == j ? 1.0 : 0.0;
    if (!canForcesMovePointAlongRow(row)) continue;
    for (Eigen::Index j = 0; j < n; ++j) {
      const Row& other = rows_[static_cast<std::size_t>(j)];
      if (!canForcesMovePointAlongRow(other)) continue;
      const double entry = compliance(row, other);
      const Active& active = active_[other.active];
      step_[i] += entry * (coupling_ == nullptr ? active.law.force[other.axis] : slopes_(j, n));
      if (coupling_ != nullptr) {
        for (Eigen::Index k = 0; k < n; ++k) jacobian_(i, k) -= entry * slopes_(j, k);
        continue;
      }
      for (std::size_t axis = 0; axis < active.axes; ++axis) {
        const double k = balance_.dq * active.law.byPosition[other.axis][axis] +
                         balance_.dv * active.law.byRate[other.axis][axis];
        jacobian_(i, static_cast<Eigen::Index>(active.firstRow + axis)) -= entry * k;
      }
    }
  }
}

/// Solves jacobian step = step in place. Returns false if the matrix is singular.
bool ImplicitContact::solveLinearEquations() noexcept {
  const auto n = static_cast<Eigen::Index>(rows_.size());
  return solveInPlace(jacobian_, step_, n, 1);
}

/// Adds `factor` times the Newton step to the accelerations w of the contact points, and predicts the forces
/// of the linearised laws.
void ImplicitContact::applyNewtonStepToForces(double factor) noexcept {
  const auto n = static_cast<Eigen::Index>(rows_.size());
  for (Active& active : active_) {
    for (std::size_t axis = 0; axis < active.axes; ++axis) {
      double full = active.law.force[axis];
      if (const auto row = static_cast<Eigen::Index>(active.firstRow + axis); coupling_ != nullptr)
        full = slopes_(row, n) + slopes_.row(row).head(n).dot(step_.head(n));
      for (std::size_t i = 0; coupling_ == nullptr && i < active.axes; ++i) {
        const double slope =
            balance_.dq * active.law.byPosition[axis][i] + balance_.dv * active.law.byRate[axis][i];
        full += slope * step_[static_cast<Eigen::Index>(active.firstRow + i)];
      }
      active.predicted[axis] += factor * (full - active.predicted[axis]);
    }
  }
  w_.head(n) += factor * step_.head(n);
}

/// True if the forces of a contact equal the forces of the balance, to the tolerance or to the rounding of
/// positions and rates, whichever is larger.
bool ImplicitContact::isContactOrLinkBalanced(const Active& active,
                                              const std::array<double, 4>& force) const noexcept {
  // the displacement of a point without inertia has a static part, whose terms round too
  const double rounding = isCoupled(active.contact) ? 4.0 * kRounding : kRounding;
  for (std::size_t axis = 0; axis < active.axes; ++axis) {
    double allowed = kTolerance * largestForce_;
    for (std::size_t i = 0; i < active.axes; ++i) {
      const Eigen::Index index = rows_[active.firstRow + i].index;
      const double offset =
          std::abs(offsetOfContactOrLink(active.contact, i)) + distanceByImposedMotion(active.contact, i);
      const double moved = std::abs(balance_.dq * w_[static_cast<Eigen::Index>(active.firstRow + i)]);
      allowed +=
          rounding * (std::abs(active.law.byPosition[axis][i]) *
                          (offset + (isCoupled(active.contact) ? moved : 0.0) + norms_[index] * scaleQ_) +
                      std::abs(active.law.byRate[axis][i]) *
                          (norms_[index] * scaleV_ +
                           (isCoupled(active.contact) && elapsed_ > 0.0 ? moved / elapsed_ : 0.0)));
    }
    if (!(std::abs(force[axis] - active.predicted[axis]) <= allowed)) return false;
  }
  return true;
}

/// Displacement of a body by loads and supports, whose terms round even where their sum moves no coordinate
/// [m].
double ImplicitContact::distanceByImposedMotion(int body, std::size_t axis) const noexcept {
  if (isLink(body)) return axis < kLinkAxes ? std::abs(links_->state(linkOf(body)).motion.x[axis]) : 0.0;
  const Contact& contact = set_->contact(body);
  if (contact.drift.empty() || axis > 2) return 0.0;
  return std::abs(supportDriftAtTime(contact, time_, elapsed_).displacement[axis]);
}

/// Largest difference between the forces of the laws and the forces of the balance [N]; stores the contact
/// with this difference.
double ImplicitContact::largestForceResidual() noexcept {
  double largest = -1.0;
  largestForce_ = 0.0;
  for (const Active& active : active_)
    for (std::size_t axis = 0; axis < active.axes; ++axis) {
      largestForce_ = std::max(largestForce_, std::abs(active.predicted[axis]));
      const double r = std::abs(active.law.force[axis] - active.predicted[axis]);
      if (r > largest || std::isnan(r)) {
        largest = r;
        troubled_ = active.contact;
      }
    }
  return largest;
}

bool ImplicitContact::areAllContactsAndLinksBalanced(bool atJumps) const noexcept {
  return std::all_of(active_.begin(), active_.end(), [&](const Active& active) {
    return isContactOrLinkBalanced(active, active.law.force) || (atJumps && isInsideForceJump(active));
  });
}

void ImplicitContact::addForceResponses(const Vector& free, Vector& a) noexcept {
  a = free;
  for (const Row& row : rows_) {
    const double force = active_[row.active].predicted[row.axis];
    if (row.coefficients == nullptr || force == 0.0) continue;
    kernels::addScaled(force, responseToUnitForceOnRow(row), a.data(), a.size());
  }
}

bool ImplicitContact::hasForces() const noexcept {
  return std::any_of(active_.begin(), active_.end(), [](const Active& each) {
    return std::any_of(each.predicted.begin(), each.predicted.end(), [](double f) { return f != 0.0; });
  });
}

void ImplicitContact::addForces(Vector& force) const noexcept {
  for (const Row& row : rows_) {
    const double along = active_[row.active].predicted[row.axis];
    if (row.coefficients == nullptr || along == 0.0) continue;
    kernels::addScaled(along, row.coefficients, force.data(), force.size());
  }
}

/// Forces of a contact in the trial that is accepted after the balance.
std::array<double, 4> ImplicitContact::acceptedForce(const Active& active, ContactRun& run) const noexcept {
  if (isLink(active.contact)) {
    const LinkState& kept = links_->trialState(linkOf(active.contact));
    return {-kept.force[0], -kept.force[1], 0.0, 0.0};
  }
  const auto i = static_cast<std::size_t>(active.contact);
  LocalMotion motion;
  for (std::size_t axis = 0; axis < active.axes; ++axis) {
    const Row& row = rows_[active.firstRow + axis];
    motion.position[axis] =
        axis < 3 ? set_->contact(active.contact).offset[static_cast<Eigen::Index>(axis)] : 0.0;
    if (row.coefficients != nullptr)
      motion.position[axis] += kernels::dot(row.coefficients, qTrial_.data(), qTrial_.size());
    if (isCoupled(active.contact)) motion.position[axis] += displacementShiftOfRow(row);
  }
  if (run.trialState(i).isClosed() && isContactGrazing(run, active.contact, motion)) run.resetTrialToOpen(i);
  return run.trialForce(i);
}

/// True if the forces of the trial equal the forces of the solution. A link takes the force of the solution
/// where that of the trial differs because of the rounding of its motion alone.
bool ImplicitContact::doContactForcesMatchSolution(ContactRun& run) noexcept {
  for (const Active& active : active_) {
    const std::array<double, 4> force = acceptedForce(active, run);
    double difference = 0.0;
    for (std::size_t axis = 0; axis < active.axes; ++axis)
      difference = std::max(difference, std::abs(force[axis] - active.predicted[axis]));
    if (difference > kTolerance * largestForce_ && isInsideForceJump(active)) {
      for (std::size_t axis = 0; axis < kLinkAxes; ++axis)
        links_->setTrialForce(linkOf(active.contact), axis, -active.predicted[axis]);
      continue;
    }
    if (isContactOrLinkBalanced(active, force)) continue;
    troubled_ = active.contact;
    return false;
  }
  return true;
}

}  // namespace ricochet
