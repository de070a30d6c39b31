#include "engine/contact/held_contacts.hpp"

#include "engine/contact/contact_set.hpp"
#include "engine/contact/held_kernel.hpp"
#include "engine/numerics/processor.hpp"

#include <algorithm>
#include <utility>
#include <variant>

namespace ricochet {
namespace {

StickBatchKernel selectStickBatchKernelOfProcessor() noexcept {
#if defined(__x86_64__)
  if (widestUsableVectorUnit() == VectorUnit::avx512) return stickBatchKernelAvx512();
  if (widestUsableVectorUnit() == VectorUnit::avx2) return stickBatchKernelAvx2();
#endif
  return batch::baseline::evaluateTrialOfStickBatch;
}
const StickBatchKernel bestKernel = selectStickBatchKernelOfProcessor();

}  // namespace

bool StickBatch::canEvaluateContactInBatch(const Contact& contact) noexcept {
  const auto isUndamped = [](const auto& law) { return law.contactDamping() == 0.0; };
  return hasGap(contact.obstacle) && !contact.isFollowed() && !contact.patch && !contact.coupled &&
         traitsOf(contact.normal).spring && std::visit(isUndamped, contact.normal) &&
         traitsOf(contact.friction).coneStick && std::visit(isUndamped, contact.friction) &&
         bearsTraction(contact);
}

void StickBatch::moveStickingContactsToBatch(std::size_t i, const Contact& contact, const ContactState& state,
                                             double impulse, double peak) noexcept {
  addImpulseOfLastStep();
  HeldBlock& b = stickBlockOfContact(i);
  const std::size_t lane = i % batch::kWidth;
  const FreeInterval free = contactFreeIntervalOfObstacle(contact.obstacle);
  b.isSlot.set(lane, free.isBounded());
  b.reference.lane[lane] = free.isBounded() ? free.high : free.low;
  for (std::size_t axis = 0; axis < 3; ++axis)
    b.offset[axis].lane[lane] = contact.offset[static_cast<Eigen::Index>(axis)];
  const auto stiffness = [](const auto& law) { return law.contactStiffness(); };
  b.normalStiffness.lane[lane] = std::visit(stiffness, contact.normal);
  b.stickStiffness.lane[lane] = std::visit(stiffness, contact.friction);
  b.muStatic.lane[lane] = std::visit(
      []<class L>(const L& law) {
        if constexpr (L::traits.coneStick)
          return law.muStatic;
        else
          return 0.0;
      },
      contact.friction);
  b.anchorForce[0].lane[lane] = state.friction.anchorForce.first;
  b.anchorForce[1].lane[lane] = state.friction.anchorForce.second;
  b.anchorPosition[0].lane[lane] = state.friction.anchorPosition.first;
  b.anchorPosition[1].lane[lane] = state.friction.anchorPosition.second;
  b.compression[accepted_].lane[lane] = state.compression;
  b.compression[1 - accepted_].lane[lane] = 0.0;
  b.impulse.lane[lane] = impulse;
  b.peak.lane[lane] = peak;
  b.held.set(lane, true);
  b.keeps.set(lane, true);
  isHeld_[i] = 1;
  since_[i] = steps_;
  ++count_;
}

void StickBatch::removeFromBatch(std::size_t i) noexcept {
  if (!isInStickBatch(i)) return;
  HeldBlock& b = stickBlockOfContact(i);
  const std::size_t lane = i % batch::kWidth;
  b.held.set(lane, false);
  b.keeps.set(lane, false);
  b.compression[0].lane[lane] = b.compression[1].lane[lane] = 0.0;
  isHeld_[i] = 0;
  --count_;
}

bool StickBatch::evaluateAll(const double* places, std::size_t stride) noexcept {
  return bestKernel(
      {blocks_.data(), blocks_.size(), places, stride, accepted_, std::exchange(unbooked_, 0.0)});
}

/// Adds impulse and peak force of the last accepted step to the totals; otherwise the next trial does this.
void StickBatch::addImpulseOfLastStep() noexcept {
  const double h = std::exchange(unbooked_, 0.0);
  if (h == 0.0) return;
  for (HeldBlock& b : blocks_) batch::baseline::addImpulseOfStep(b, accepted_, h);
}

double StickBatch::impulse(std::size_t i) noexcept {
  addImpulseOfLastStep();
  return stickBlockOfContact(i).impulse.lane[i % batch::kWidth];
}

double StickBatch::largestForce(std::size_t i) noexcept {
  addImpulseOfLastStep();
  return stickBlockOfContact(i).peak.lane[i % batch::kWidth];
}

namespace {

/// Contact coordinates from row products that the screening has already computed.
struct KnownCoordinates {
  const Contact& contact;
  const double* places;
  std::size_t stride;

  double position(int axis) const noexcept {
    return contact.offset[axis] + places[static_cast<std::size_t>(axis) * stride];
  }
  double rate(int) const noexcept { return 0.0; }  // laws without a dashpot do not use the rate
  AxisMotion motion(int axis) const noexcept { return {position(axis), 0.0}; }
};

}  // namespace

/// Updates the accepted state of a held contact: an evaluation at the accepted position from its stored
/// friction memory.
void ContactRun::updateContactStateFromStickBatch(std::size_t i) const noexcept {
  if (!held_.hasAcceptedStepInStickBatch(i)) return;
  const Contact& contact = set_->contacts()[i];
  ContactState& kept = states_[2 * i + current_[i]];
  ContactState now;
  const KnownCoordinates coordinates{contact, gaps_.acceptedDisplacementsAlongRows() + i, set_->rowStride()};
  FlatKinematics<double, KnownCoordinates> at(contact, coordinates);
  computeContactTrial<double>(contact, at, 0.0, 0.0, kept, now);
  kept = now;
}

void ContactRun::updateContactTotalsFromStickBatch() const noexcept {
  for (std::size_t i = 0; i < current_.size(); ++i) {
    if (!held_.isInStickBatch(i)) continue;
    totals_[i].impulse = held_.impulse(i);
    totals_[i].peakForce = held_.largestForce(i);
  }
}

/// Ends the held evaluation of a contact: its state and totals are stored again in this object.
void ContactRun::removeContactFromStickBatch(std::size_t i) noexcept {
  if (!held_.isInStickBatch(i)) return;
  updateContactStateFromStickBatch(i);
  totals_[i].impulse = held_.impulse(i);
  totals_[i].peakForce = held_.largestForce(i);
  held_.removeFromBatch(i);
  listRowsOfStickBatch();
}

/// Starts the held evaluation of all closed, sticking contacts that allow it.
void ContactRun::moveStickingContactsToBatch() noexcept {
  bool changed = false;
  for (const std::size_t i : evaluatedContacts()) {
    const ContactState& state = acceptedState(i);
    if (canBeHeld_[i] == 0 || !state.isClosed() || state.friction.slipping) continue;
    held_.moveStickingContactsToBatch(i, set_->contacts()[i], state, totals_[i].impulse,
                                      totals_[i].peakForce);
    changed = true;
  }
  if (changed) listRowsOfStickBatch();
}

void ContactRun::listRowsOfStickBatch() noexcept {
  listed_ = false;
  std::size_t count = 0;
  for (std::size_t i = 0; i < current_.size(); ++i)
    for (const std::size_t axis : {std::size_t{1}, std::size_t{2}})
      if (held_.isInStickBatch(i) && set_->row(static_cast<int>(i), static_cast<int>(axis)) != nullptr)
        heldRows_[count++] = axis * set_->rowStride() + i;
  gaps_.setRowsOfStickBatch({heldRows_.data(), count});
}

void ContactRun::evaluateStickBatch(std::span<const std::size_t> looked, double t,
                                    const Motion& motion) noexcept {
  const bool all = held_.evaluateAll(gaps_.trialDisplacementsAlongRows(), set_->rowStride()) &&
                   looked.size() == held_.count();
  if (!all || !listed_) {
    active_ = 0;
    for (const std::size_t i : looked) {
      if (!held_.doesContactKeepSticking(i)) {
        if (gaps_.isContactCertainlyOpen(i)) continue;
        if (held_.isInStickBatch(i)) updateContactStateFromStickBatch(i);
        evaluateContactAndCollectForces(i, t, motion);
        continue;
      }
      for (const std::size_t axis : {std::size_t{0}, std::size_t{1}, std::size_t{2}}) {
        const double* row = set_->row(static_cast<int>(i), static_cast<int>(axis));
        if (row == nullptr) continue;
        const auto at = static_cast<std::size_t>(active_++);
        activeRows_[at] = row;
        pushing_[at] = &held_.force(i, axis);
        activeForces_[at] = held_.force(i, axis);
      }
    }
    listed_ = all;
    return;
  }
  for (std::size_t k = 0; k < static_cast<std::size_t>(active_); ++k) activeForces_[k] = *pushing_[k];
}

}  // namespace ricochet
