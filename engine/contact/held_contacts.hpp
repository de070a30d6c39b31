#pragma once

#include "engine/contact/contact.hpp"
#include "engine/numerics/eight.hpp"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace ricochet {

/// Eight contacts side by side, and which of them are held.
struct HeldBlock {
  using Eight = batch::Eight;
  using EightMask = batch::EightMask;

  EightMask held;
  EightMask keeps;   ///< of the held, those that the last trial leaves held
  EightMask isSlot;  ///< else a plane
  Eight reference;   ///< clearance of a slot, thickness of a plane [m]
  Eight offset[3];   ///< [m]
  Eight normalStiffness, stickStiffness, muStatic;
  Eight anchorForce[2], anchorPosition[2];
  Eight compression[2];  ///< accepted and of the trial, in turns [N]
  Eight push[3];         ///< of the trial along the contacts' rows [N]
  Eight impulse, peak;   ///< ContactTotals
};

/// A trial of all of them.
struct HeldTrial {
  HeldBlock* blocks;
  std::size_t count;
  const double* places;  ///< rows . q of the trial: those of axis 0 of all contacts, then axis 1, axis 2
  std::size_t stride;    ///< from one axis to the next
  std::size_t accepted;  ///< which of the compressions is the accepted one
  double accountFor;     ///< the step that led to it when its impulse is not yet booked [s]; 0 when it is
};

/// Contacts that are held: closed, not slipping, and nothing but springs: on an obstacle with two planes
/// or one, laws with the traits `spring` and `coneStick`, both without dashpots. Their laws are evaluated
/// eight at a time, with the bits of a trial of each; where a guard breaks in a trial the contact is tried by
/// itself. What they were told at the last event and where they are is all there is to know, so their
/// ContactState is made only for who looks at it, and springs lose nothing that the accounts would have to
/// know step by step.
class HeldContacts {
 public:
  explicit HeldContacts(std::size_t contacts)
      : blocks_((contacts + batch::kWidth - 1) / batch::kWidth), isHeld_(contacts, 0), since_(contacts, 0) {}

  /// Whether a contact of this kind can be held at all.
  static bool suits(const Contact& contact) noexcept;

  std::size_t count() const noexcept { return count_; }
  bool has(std::size_t i) const noexcept { return isHeld_[i] != 0; }
  /// Whether a step has been accepted since it is held: until then its state is as it was told.
  bool hasMoved(std::size_t i) const noexcept { return since_[i] != steps_; }
  bool keeps(std::size_t i) const noexcept { return block(i).keeps.holds(i % batch::kWidth); }
  const double& push(std::size_t i, std::size_t axis) const noexcept {
    return block(i).push[axis].lane[i % batch::kWidth];
  }

  void hold(std::size_t i, const Contact& contact, const ContactState& state, double impulse,
            double peak) noexcept;
  void drop(std::size_t i) noexcept;

  /// Tries all at these places. Whether all stay held.
  bool attempt(const double* places, std::size_t stride) noexcept;

  /// Keeps the trial that ended a step of h.
  void accept(double h) noexcept {
    accepted_ = 1 - accepted_;
    ++steps_;
    unbooked_ = h;
  }

  /// Integral of the compression so far [N s], and its largest value [N].
  double impulse(std::size_t i) noexcept;
  double peak(std::size_t i) noexcept;

 private:
  HeldBlock& block(std::size_t i) noexcept { return blocks_[i / batch::kWidth]; }
  const HeldBlock& block(std::size_t i) const noexcept { return blocks_[i / batch::kWidth]; }
  void book() noexcept;

  std::vector<HeldBlock> blocks_;
  std::vector<std::uint8_t> isHeld_;
  std::vector<long> since_;  // number of accepted steps when it began to be held
  long steps_{0};
  std::size_t count_{0};
  std::size_t accepted_{0};
  double unbooked_{0.0};
};

/// One trial, compiled for several generations of processors (held_kernel.hpp). Whether all stay held.
using HeldKernel = bool (*)(const HeldTrial&) noexcept;
HeldKernel heldKernelAvx2() noexcept;
HeldKernel heldKernelAvx512() noexcept;

}  // namespace ricochet
