// Balance of points without inertia, whose forces shift them together (static_coupling.hpp).

#include "engine/contact/followed.hpp"
#include "engine/model/implicit_contact.hpp"
#include "engine/numerics/solve_in_place.hpp"

#include <Eigen/LU>

#include <algorithm>
#include <limits>

namespace ricochet {
namespace {

/// Position and rate of a contact point, including the motion imposed by supports and loads.
struct DrivenPoint {
  Local<double> place, rate;
};
DrivenPoint motionOfContactPointWithDrive(const Contact& contact, double t, double elapsed,
                                          const LocalMotion& motion) noexcept {
  const Drift drift = supportDriftAtTime(contact, t, elapsed);
  DrivenPoint point;
  for (std::size_t axis = 0; axis < 3; ++axis) {
    point.place[axis] = motion.position[axis] + drift.displacement[axis];
    point.rate[axis] = motion.rate[axis] + drift.velocity[axis];
  }
  return point;
}

}  // namespace

/// Static displacement of a point along a row under the forces of the balance [m].
double ImplicitContact::displacementShiftOfRow(const Row& row) const noexcept {
  double shift = 0.0;
  for (const Row& other : rows_)
    shift += coupling_->beside(row.index, other.index) * active_[other.active].predicted[other.axis];
  return shift;
}

/// Finds the time in which the force of each coupled body has grown: since the accepted state, or since a
/// contact touched, g/g' at the motion from which the balance starts.
void ImplicitContact::findGrowthTimesOfForces(const ContactRun& run) noexcept {
  for (Active& active : active_) {
    active.grows = elapsed_;
    if (isLink(active.contact) || !isCoupled(active.contact)) continue;
    if (run.state(static_cast<std::size_t>(active.contact)).normal != NormalState::open) continue;
    const Contact& contact = set_->contact(active.contact);
    const auto [place, rate] =
        motionOfContactPointWithDrive(contact, time_, elapsed_, motionOfContactOrLink(active));
    const Touch<double> touch = gapAndNormalOf(contact.obstacle, place);
    const double gapRate = innerProduct(touch.normal, rate);
    if (touch.gap < 0.0 && gapRate < 0.0) active.grows = std::min(elapsed_, touch.gap / gapRate);
  }
}

/// Change of the rate of the shift along `row` per change of the force on `other` in the step, divided by the
/// compliance between the rows [1/s]. The shift of a link grows linearly within the step, because the law of
/// a link is evaluated at instants inside.
double ImplicitContact::factorOfDisplacementShiftRate(const Row& row, const Row& other) const noexcept {
  if (!(elapsed_ > 0.0)) return 0.0;
  if (isLink(active_[row.active].contact)) return 1.0 / elapsed_;
  const Active& pushes = active_[other.active];
  if (isLink(pushes.contact) || pushes.grows < elapsed_) return 1.0 / pushes.grows;
  return factorOfMean_ / elapsed_;
}

/// Rate of the shift along a row at the accepted instant [m/s]. A run starts with settled springs: points
/// whose laws depend on their rate rest on the surface, but along a row that no force shifts the coordinates
/// give the rate.
double ImplicitContact::rateOfDisplacementShiftAtStart(const Row& row) const noexcept {
  const Active& own = active_[row.active];
  if (!coupling_->canForcesMovePointAlongRow(row.index)) return 0.0;
  if (own.rests) return own.begins && row.axis < 3 ? (*own.begins)[row.axis] : -row.rate;
  double rate = 0.0;
  for (const Row& other : rows_)
    rate += coupling_->beside(row.index, other.index) * active_[other.active].rate[other.axis];
  return rate;
}

/// Rate of the shift along a row at which the law of the row is evaluated [m/s].
double ImplicitContact::rateOfDisplacementShift(const Row& row) const noexcept {
  if (!(elapsed_ > 0.0)) return rateOfDisplacementShiftAtStart(row);
  const std::optional<Local<double>>& begins = active_[row.active].begins;
  return begins && row.axis < 3 ? (*begins)[row.axis] : rateOfDisplacementShiftDueToForces(row);
}

/// Rate of the shift along a row under the forces of the balance, S lambda' [m/s].
double ImplicitContact::rateOfDisplacementShiftDueToForces(const Row& row) const noexcept {
  double rate = 0.0;
  for (const Row& other : rows_) {
    const Active& active = active_[other.active];
    const double factor = factorOfDisplacementShiftRate(row, other);
    const double earlier = factor * active.grows - 1.0;
    rate += coupling_->beside(row.index, other.index) *
            (factor * (active.predicted[other.axis] - active.before[other.axis]) -
             earlier * active.mean[other.axis]);
  }
  return rate;
}

/// Linearises the laws of all bodies, lambda = linear + slopes dw. The laws are evaluated at the shift rate
/// of their previous forces lambda_p, so that with K = dq d(lambda)/dx + dv d(lambda)/dx' and R =
/// d(lambda)/dx' S_r
///
///     lambda = f + K dw + R (lambda - lambda_p)
///            = (I - R)^-1 (f - R lambda_p) + (I - R)^-1 K dw
///
/// If a law was evaluated at another rate (Active::begins), the difference of the rates is added; at the
/// start of a run, the law keeps the rate Active::begins.
void ImplicitContact::computeLawTangents() noexcept {
  const auto n = static_cast<Eigen::Index>(rows_.size());
  auto slopes = slopes_.topLeftCorner(n, n + 1), delays = delays_.topLeftCorner(n, n);
  slopes.setZero();
  delays.setIdentity();
  bool delayed = false;
  for (Eigen::Index i = 0; i < n; ++i) {
    const Row& row = rows_[static_cast<std::size_t>(i)];
    const Active& active = active_[row.active];
    slopes(i, n) = active.law.force[row.axis];
    for (std::size_t axis = 0; axis < active.axes; ++axis) {
      const auto column = static_cast<Eigen::Index>(active.firstRow + axis);
      const double byRate = active.law.byRate[row.axis][axis];
      slopes(i, column) = balance_.dq * active.law.byPosition[row.axis][axis] + balance_.dv * byRate;
      if (byRate == 0.0 || !isCoupled(active.contact)) continue;
      delayed = true;
      const Row& moved = rows_[static_cast<std::size_t>(column)];
      if (active.begins && !active.rests)
        slopes(i, n) += byRate * (rateOfDisplacementShiftDueToForces(moved) - rateOfDisplacementShift(moved));
      for (Eigen::Index j = 0; j < n; ++j) {
        const Row& other = rows_[static_cast<std::size_t>(j)];
        const double byForce = byRate * coupling_->beside(moved.index, other.index) *
                               (factorOfDisplacementShiftRate(moved, other) - balance_.dv / balance_.dq);
        delays(i, j) -= byForce;
        slopes(i, n) -= byForce * active_[other.active].predicted[other.axis];
      }
    }
  }
  if (delayed) static_cast<void>(solveInPlace(delays_, slopes_, n, n + 1));
}

/// Passes the shifts of the balance to the trial of the contacts and links.
void ImplicitContact::storeDisplacementShifts(ContactRun& run) const noexcept {
  for (const Active& active : active_) {
    if (!isCoupled(active.contact)) continue;
    CoupledShifts::Shift shift;
    LinkRun::Shift ofLink;
    for (std::size_t axis = 0; axis < std::min<std::size_t>(active.axes, 3); ++axis) {
      const Row& row = rows_[active.firstRow + axis];
      shift.displacement[axis] = displacementShiftOfRow(row);
      shift.rate[axis] = rateOfDisplacementShift(row);
      if (axis >= kLinkAxes) continue;
      ofLink.displacement[axis] = shift.displacement[axis];
      ofLink.rate[axis] = shift.rate[axis];
    }
    if (isLink(active.contact))
      links_->setDisplacementShift(linkOf(active.contact), ofLink);
    else
      run.contactPointShifts().setDisplacementShift(static_cast<std::size_t>(active.contact), shift);
  }
}

/// Adds a contact or link to the system; the caller then adds its rows.
void ImplicitContact::addActiveContactOrLink(const ContactRun& run, int body, double imposed,
                                             std::size_t axes) {
  Active active{body, imposed, rows_.size(), axes, {}, {}, {}, {}, {}, elapsed_, false, {}};
  if (isCoupled(body) && isLink(body)) {
    const LinkState& kept = links_->state(linkOf(body));
    active.before = {-kept.force[0], -kept.force[1], 0.0, 0.0};
  } else if (isCoupled(body)) {
    const auto i = static_cast<std::size_t>(body);
    active.before = run.force(i);
    const CoupledShifts::ForceRates& rates = run.contactPointShifts().forceRatesOfContact(i);
    std::copy(rates.mean.begin(), rates.mean.end(), active.mean.begin());
    std::copy(rates.rate.begin(), rates.rate.end(), active.rate.begin());
    active.rests = !(elapsed_ > 0.0) && !run.contactPointShifts().hasAcceptedStep() &&
                   doesForceDependOnRate(set_->contact(body));
  }
  active_.push_back(active);
}

/// Rate of the shift [m/s] with which the point of a body rests on the surface of the obstacle, or continues
/// to slip along its traction, which does not jump, as fast as the motion without the shift requires.
Local<double> ImplicitContact::rateOfDisplacementShiftAfterJump(const Active& active,
                                                                const ContactState& from) const noexcept {
  const Contact& contact = set_->contact(active.contact);
  LocalMotion motion = motionOfContactOrLink(active);
  for (std::size_t axis = 0; axis < 3; ++axis) motion.rate[axis] = rows_[active.firstRow + axis].rate;
  const auto [place, free] = motionOfContactPointWithDrive(contact, time_, elapsed_, motion);
  const Local<double> normal = gapAndNormalOf(contact.obstacle, place).normal;
  const Local<double> surface = surfaceVelocity(contact, time_, place, normal, elapsed_);
  Local<double> rate{}, traction{};
  const auto isShifted = [&](std::size_t axis) {
    return coupling_->canForcesMovePointAlongRow(rows_[active.firstRow + axis].index);
  };
  for (std::size_t axis = 0; axis < 3; ++axis)
    if (isShifted(axis)) rate[axis] = surface[axis] - free[axis];
  if (!from.friction.slipping) return rate;
  for (std::size_t axis = 0; axis < 3; ++axis) traction[axis] = active.before[axis];
  const double pressed = innerProduct(traction, normal);
  for (std::size_t axis = 0; axis < 3; ++axis)
    traction[axis] = isShifted(axis) ? traction[axis] - pressed * normal[axis] : 0.0;
  const double square = innerProduct(traction, traction);
  const double slid = square > 0.0 ? std::max(0.0, innerProduct(rate, traction) / square) : 0.0;
  for (std::size_t axis = 0; axis < 3; ++axis) rate[axis] -= slid * traction[axis];
  return rate;
}

/// Finds a shift rate at which a law has the force before the jump, starting from Active::begins, by steps of
/// least norm, since the force of a slip does not depend on its speed. With the slopes J by the rate and the
/// missing force m, d = J^t (J J^t + e^2)^-1 m.
void ImplicitContact::findForceRates(const ContactRun& run, Active& active) noexcept {
  constexpr int kMostPasses = 10;
  constexpr double kSmall = 1e-4;  // e, relative to |J|
  const Local<double> first = *active.begins;
  double missing = std::numeric_limits<double>::infinity(), missingFirst = 0.0;
  for (int pass = 0;; ++pass) {
    evaluateLaw(run, active);
    Mat3 slopes;
    Vec3 lack;
    for (std::size_t i = 0; i < 3; ++i) {
      lack[static_cast<Eigen::Index>(i)] = active.before[i] - active.law.force[i];
      for (std::size_t j = 0; j < 3; ++j)
        slopes(static_cast<Eigen::Index>(i), static_cast<Eigen::Index>(j)) =
            coupling_->canForcesMovePointAlongRow(rows_[active.firstRow + j].index) ? active.law.byRate[i][j]
                                                                                    : 0.0;
    }
    missing = lack.norm();
    if (pass == 0) missingFirst = missing;
    if (pass == kMostPasses || slopes.isZero(0.0)) break;
    Mat3 system = slopes * slopes.transpose();
    system.diagonal().array() += kSmall * kSmall * slopes.squaredNorm();
    const Vec3 step = slopes.transpose() * (system.inverse() * lack);
    for (std::size_t i = 0; i < 3; ++i) (*active.begins)[i] += step[static_cast<Eigen::Index>(i)];
  }
  if (!(missing < missingFirst)) active.begins = first;
}

/// Starts the balance from forces that continue at the rates of the accepted states if nothing jumped: at
/// other rates, a dashpot could break a stick, or a slip without inertia could be in balance too. Just after
/// a jump, forces continue too, but the rates at which the laws give these forces must be found.
void ImplicitContact::setInitialGuessesOfForces(const ContactRun& run) noexcept {
  for (Active& active : active_) {
    if (!isCoupled(active.contact)) continue;
    active.predicted = active.before;
    const bool goesOn = !isLink(active.contact) && active.before[0] != 0.0 && factorOfMean_ > 1.0;
    for (std::size_t axis = 0; goesOn && axis < 3; ++axis)
      active.predicted[axis] +=
          elapsed_ / factorOfMean_ * (active.rate[axis] + (factorOfMean_ - 1.0) * active.mean[axis]);
  }
  for (std::size_t i = 0; i < rows_.size(); ++i)
    if (isCoupled(active_[rows_[i].active].contact))
      w_[static_cast<Eigen::Index>(i)] += displacementShiftOfRow(rows_[i]) / balance_.dq;
  for (Active& active : active_)
    if (active.rests)
      active.begins =
          rateOfDisplacementShiftAfterJump(active, run.state(static_cast<std::size_t>(active.contact)));
  if (!(elapsed_ > 0.0) || factorOfMean_ > 1.0 || !mayBeginAfterJump_) return;
  for (Active& active : active_) {
    if (isLink(active.contact) || !isCoupled(active.contact)) continue;
    const ContactState& from = run.state(static_cast<std::size_t>(active.contact));
    if (!from.isClosed() || !doesForceDependOnRate(set_->contact(active.contact))) continue;
    active.begins = rateOfDisplacementShiftAfterJump(active, from);
    findForceRates(run, active);
    beganAfterJump_ = true;
  }
}

}  // namespace ricochet
