#pragma once

#include "engine/contact/held_contacts.hpp"
#include "engine/contact/laws/linear_penalty.hpp"
#include "engine/contact/laws/regularised_coulomb.hpp"
#include "engine/contact/obstacles/plane.hpp"
#include "engine/contact/obstacles/slot.hpp"
#include "engine/numerics/pack.hpp"

namespace ricochet::batch::RICOCHET_LANES {

/// Adds the impulse of the last accepted step and updates the largest normal force of eight contacts.
inline void addImpulseOfStep(HeldBlock& b, std::size_t accepted, double h) noexcept {
  const Pack to(b.compression[accepted]);
  const Pack both = Pack(b.compression[1 - accepted]) + to;
  (Pack(b.impulse) + Pack(0.5 * h) * both).store(b.impulse);
  const Pack peak(b.peak);
  select(peak < to, to, peak).store(b.peak);
}

/// Positions of eight contacts along a local axis [m].
inline Pack positionsOfContactBlock(const HeldBlock& b, std::size_t axis, const double* places) noexcept {
  return Pack(b.offset[axis]) + Pack(*reinterpret_cast<const Eight*>(places));
}

/// Evaluates eight held contacts with the formulas of `computeContactTrial`; returns the mask of contacts
/// that open or slip.
inline PackMask evaluateBlockOfStickBatch(HeldBlock& b, const HeldTrial& trial,
                                          const double* places) noexcept {
  const SlotOf<Pack> slot{Pack(b.reference)};
  const PlaneOf<Pack> plane{Pack(b.reference)};
  const LinearPenaltyOf<Pack> normal{Pack(b.normalStiffness), Pack(0.0), PackMask(false)};
  const RegularisedCoulombOf<Pack> friction{Pack(b.muStatic), Pack(b.muStatic), Pack(b.stickStiffness),
                                            Pack(0.0)};
  const Pack x = positionsOfContactBlock(b, 0, places);
  const PackMask isSlot(b.isSlot);
  const NormalKinematics<Pack> k{select(isSlot, slot.template gap<Pack>(x), plane.template gap<Pack>(x)),
                                 Pack(0.0), Pack(0.0), Pack(0.0)};
  const Pack side = select(isSlot, slot.template normalSign<Pack>(x), plane.template normalSign<Pack>(x));
  const NormalGuards<Pack> guards = normal.template guards<Pack>(NormalState::closed, k);
  const Pack compression = normal.template force<Pack>(NormalState::closed, k);

  FrictionKinematics<Pack> slide{};
  slide.position = {positionsOfContactBlock(b, 1, places + trial.stride),
                    positionsOfContactBlock(b, 2, places + 2 * trial.stride)};
  slide.compression = compression;
  FrictionMemory<Pack> memory;
  memory.anchorForce = {Pack(b.anchorForce[0]), Pack(b.anchorForce[1])};
  memory.anchorPosition = {Pack(b.anchorPosition[0]), Pack(b.anchorPosition[1])};
  const FrictionTrial<Pack> stick = friction.template computeTrial<Pack>(slide, memory);

  const PackMask held(b.held);
  const Pack zero(0.0);
  const PackMask keeps = held & (guards[0] >= zero) & (guards[1] >= zero) & ~stick.next.slipping;
  keeps.store(b.keeps);
  select(keeps, compression, zero).store(b.compression[1 - trial.accepted]);
  (side * compression).store(b.push[0]);
  stick.traction.first.store(b.push[1]);
  stick.traction.second.store(b.push[2]);
  return held & ~keeps;
}

[[gnu::flatten]] inline bool evaluateTrialOfStickBatch(const HeldTrial& trial) noexcept {
  PackMask left(false);
  for (std::size_t i = 0; i < trial.count; ++i) {
    HeldBlock& b = trial.blocks[i];
    if (!any(PackMask(b.held))) continue;
    if (trial.accountFor != 0.0) addImpulseOfStep(b, trial.accepted, trial.accountFor);
    left = left | evaluateBlockOfStickBatch(b, trial, trial.places + i * kWidth);
  }
  return !any(left);
}

}  // namespace ricochet::batch::RICOCHET_LANES
