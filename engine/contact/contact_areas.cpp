#include "engine/contact/contact_areas.hpp"

#include "engine/contact/areas/patch_law.hpp"
#include "engine/contact/contact_set.hpp"
#include "engine/contact/crossing.hpp"
#include "engine/contact/modal_coordinates.hpp"

#include <algorithm>
#include <cmath>

namespace ricochet {
namespace {

/// State of a point of an area whose contact is open: no force, in slip.
constexpr Bristle kOpenBristle{{}, true, {}};

}  // namespace

ContactAreas::ContactAreas(std::span<const Contact> contacts) : index_(contacts.size(), 0) {
  std::size_t points = 0;
  for (std::size_t i = 0; i < contacts.size(); ++i) {
    if (!contacts[i].patch) continue;
    index_[i] = areas_.size();
    areas_.push_back({{}, points, contacts[i].patch->bristleCount()});
    points += 2 * areas_.back().count;
  }
  points_.resize(points);
}

void ContactAreas::reset(std::size_t contact, std::size_t slot) noexcept {
  state(contact, slot) = {};
  for (Bristle& each : bristles(contact, slot)) each = kOpenBristle;
}

void ContactAreas::copyState(std::size_t contact, std::size_t slot, const ContactAreas& from,
                             std::size_t fromSlot) noexcept {
  state(contact, slot) = from.state(contact, fromSlot);
  std::ranges::copy(from.bristles(contact, fromSlot), bristles(contact, slot).begin());
}

namespace {

/// True if the slip rate or spin rate of an area exceeds the rounding error of the generalized velocity.
bool isAreaMoving(const ContactSet& set, int contact, const Motion& motion) noexcept {
  constexpr double kNoticeable = 1e-10;
  const Eigen::Index size = set.rowSize();
  const double speed = std::sqrt(kernels::dot(motion.v, motion.v, size));
  for (const int axis : {1, 2, 3})
    if (const double* row = set.row(contact, axis)) {
      const double rate =
          kernels::motionAlongRow(row, motion.q, motion.v, motion.dv, motion.a, size).velocity;
      if (std::abs(rate) > kNoticeable * speed * std::sqrt(kernels::dot(row, row, size))) return true;
    }
  return false;
}

/// Motion of an area in the state `s`; the members `held` and `begins` belong to the accepted state and are
/// set by the caller.
AreaMotion motionOfContactArea(const Contact& contact, const ContactState& s, const AreaState& area,
                               double elapsed) noexcept {
  return {.position = s.position,
          .spin = area.spin,
          .rate = s.slipRate,
          .spinRate = area.spinRate,
          .compression = normalForceForFriction(s.compression),
          .elapsed = elapsed,
          .dashpot = stickRelaxationTime(contact),
          .held = {},
          .begins = false};
}

double frictionPower(const ContactState& force, const AreaState& moment, const ContactState& motion,
                     const AreaState& spin) noexcept {
  return dot(force.traction, motion.slipRate) + moment.moment * spin.spinRate;
}

}  // namespace

/// A contact that has just closed, or is closed at the start, slips at once if it moves: the elastic bed of
/// the area starts without force at the present position.
void ContactRun::evaluateContactArea(std::size_t i, double elapsed, const Motion& motion) noexcept {
  const int index = static_cast<int>(i);
  const ContactState& from = acceptedState(i);
  ContactState& to = writableTrialState(i);
  const std::size_t before = current_[i], after = 1U - before;
  to.traction = {};
  to.friction = {};
  to.storedTangential = 0.0;
  if (!to.isClosed() && !from.isClosed()) return areas_.reset(i, after);

  AreaState& area = areas_.state(i, after);
  const ModalCoordinates coordinates(*set_, index, motion, gaps_.rowProduct(i));
  const AxisMotion first = coordinates.motion(1), second = coordinates.motion(2);
  to.position = {first.position, second.position};
  to.slipRate = {first.rate, second.rate};
  const AxisMotion spin = set_->spin(index, motion);
  area.spin = spin.position;
  area.spinRate = spin.rate;
  if (!to.isClosed()) {  // the contact has just opened: the elastic bed is released
    area.moment = 0.0;
    area.memory = {};
    for (Bristle& each : areas_.bristles(i, after)) each = kOpenBristle;
    return;
  }
  AreaMemory memory = areas_.state(i, before).memory;
  if (!from.isClosed()) {
    const bool moves = elapsed > 0.0 || isAreaMoving(*set_, index, motion);
    memory = {.wrench = {}, .position = to.position, .spin = area.spin, .slipSpeed = 0.0, .slipping = moves};
    for (Bristle& each : areas_.bristles(i, before)) each = {{}, moves, {}};
  }
  const Contact& contact = set_->contact(index);
  AreaMotion now = motionOfContactArea(contact, to, area, elapsed);
  now.begins = !from.isClosed();
  now.held = {from.traction, areas_.state(i, before).moment};
  const AreaTrial result =
      contact.patch->computeTrial(now, memory, areas_.bristles(i, before), areas_.bristles(i, after));
  to.traction = result.wrench.force;
  to.storedTangential = result.storedEnergy;
  to.friction.slipping = result.next.slipping;
  area.moment = result.wrench.moment;
  area.memory = result.next;
}

/// Records the start or end of slip of an area. Slip begins when the trial wrench of a sticking area leaves
/// the limit surface. Slip ends when the power of friction changes sign; with a dashpot, when the trial
/// wrench returns inside the limit surface.
void ContactRun::recordAreaEvents(std::size_t i, double t, double h) noexcept {
  const ContactState& from = acceptedState(i);
  const ContactState& to = writableTrialState(i);
  const AreaState& before = areas_.state(i, current_[i]);
  const AreaState& after = areas_.state(i, 1U - current_[i]);
  const bool begins = to.friction.slipping;
  if (from.friction.slipping == begins) return;
  const Contact& contact = set_->contact(static_cast<int>(i));
  const auto excess = [&](const ContactState& s, const AreaState& area, double elapsed) {
    return contact.patch->distanceFromLimitSurface(motionOfContactArea(contact, s, area, elapsed),
                                                   before.memory);
  };
  double root = 0.0;
  if (begins)
    root = stepFractionOfZeroCrossing(-excess(from, before, 0.0), -excess(to, after, h));
  else if (stickRelaxationTime(contact) > 0.0 && contact.patch->bristleCount() == 0)
    root = stepFractionOfZeroCrossing(excess(from, before, 0.0), excess(to, after, h));
  else
    root = stepFractionOfZeroCrossing(-frictionPower(from, before, from, before),
                                      -frictionPower(from, before, to, after));
  const double theta = std::max(0.0, root);
  appendContactEvent(i, to.friction.slipping ? EventKind::stickToSlip : EventKind::slipToStick,
                     t - h * (1.0 - theta));
}

}  // namespace ricochet
