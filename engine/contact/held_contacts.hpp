#pragma once

#include "engine/contact/contact.hpp"
#include "engine/numerics/eight.hpp"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace ricochet {

/// Data of eight contacts, one per vector lane, with a mask of those that are held (StickBatch).
struct HeldBlock {
  using Eight = batch::Eight;
  using EightMask = batch::EightMask;

  EightMask held;
  EightMask keeps;   ///< contacts that stay closed and sticking in the last trial
  EightMask isSlot;  ///< obstacle is a slot; else a plane
  Eight reference;   ///< clearance of a slot, thickness of a plane [m]
  Eight offset[3];   ///< [m]
  Eight normalStiffness, stickStiffness, muStatic;
  Eight anchorForce[2], anchorPosition[2];
  Eight compression[2];  ///< normal forces: accepted and trial, index `accepted` [N]
  Eight push[3];         ///< forces of the trial along the rows of the contacts [N]
  Eight impulse, peak;   ///< integral of N dt [N s] and largest N [N], as in ContactTotals
};

/// Arguments of one trial of all held contacts.
struct HeldTrial {
  HeldBlock* blocks;
  std::size_t count;
  const double* places;  ///< rows . q of the trial: axis 0 of all contacts, then axis 1, axis 2
  std::size_t stride;    ///< offset from one axis to the next in `places`
  std::size_t accepted;  ///< index of the accepted normal force in `compression`
  double accountFor;     ///< length of the last accepted step whose impulse is not yet added [s]; 0: none
};

/// Evaluates held contacts: closed, sticking contacts without dashpots on a plane or a slot, whose laws have
/// the traits `spring` and `coneStick`. Eight contacts are evaluated at a time, with the bits of single
/// evaluations; when a guard becomes negative in a trial, the contact is evaluated alone. Positions and
/// friction memory determine the forces, so a ContactState is computed only when it is read, and the energy
/// balance needs no terms per step because springs dissipate nothing.
class StickBatch {
 public:
  explicit StickBatch(std::size_t contacts)
      : blocks_((contacts + batch::kWidth - 1) / batch::kWidth), isHeld_(contacts, 0), since_(contacts, 0) {}

  /// True if a contact with this obstacle and these laws can be held.
  static bool canEvaluateContactInBatch(const Contact& contact) noexcept;

  std::size_t count() const noexcept { return count_; }
  bool isInStickBatch(std::size_t i) const noexcept { return isHeld_[i] != 0; }
  /// True if a step has been accepted since contact i became held; until then the stored state of the contact
  /// is valid.
  bool hasAcceptedStepInStickBatch(std::size_t i) const noexcept { return since_[i] != steps_; }
  bool doesContactKeepSticking(std::size_t i) const noexcept {
    return stickBlockOfContact(i).keeps.isSet(i % batch::kWidth);
  }
  const double& force(std::size_t i, std::size_t axis) const noexcept {
    return stickBlockOfContact(i).push[axis].lane[i % batch::kWidth];
  }

  void moveStickingContactsToBatch(std::size_t i, const Contact& contact, const ContactState& state,
                                   double impulse, double peak) noexcept;
  void removeFromBatch(std::size_t i) noexcept;

  /// Evaluates all held contacts at the row products `places`; true if all stay held.
  bool evaluateAll(const double* places, std::size_t stride) noexcept;

  /// Accepts the trial that ended a step of h [s].
  void acceptStep(double h) noexcept {
    accepted_ = 1 - accepted_;
    ++steps_;
    unbooked_ = h;
  }

  /// Integral of the normal force of a held contact so far [N s], and its largest value [N].
  double impulse(std::size_t i) noexcept;
  double largestForce(std::size_t i) noexcept;

 private:
  HeldBlock& stickBlockOfContact(std::size_t i) noexcept { return blocks_[i / batch::kWidth]; }
  const HeldBlock& stickBlockOfContact(std::size_t i) const noexcept { return blocks_[i / batch::kWidth]; }
  void addImpulseOfLastStep() noexcept;

  std::vector<HeldBlock> blocks_;
  std::vector<std::uint8_t> isHeld_;
  std::vector<long> since_;  // number of accepted steps when the contact became held
  long steps_{0};
  std::size_t count_{0};
  std::size_t accepted_{0};
  double unbooked_{0.0};
};

/// Function that evaluates all held contacts, compiled for several processor generations (held_kernel.hpp);
/// returns true if all stay held.
using StickBatchKernel = bool (*)(const HeldTrial&) noexcept;
StickBatchKernel stickBatchKernelAvx2() noexcept;
StickBatchKernel stickBatchKernelAvx512() noexcept;

}  // namespace ricochet
