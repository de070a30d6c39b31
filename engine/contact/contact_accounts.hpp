#pragma once

#include "engine/contact/contact.hpp"

namespace ricochet {

/// Accumulated quantities of one contact over a run.
struct ContactTotals {
  int impacts{0};              ///< number of closings, plus 1 if closed at the start
  double impulse{0.0};         ///< integral of N dt [N s]
  double frictionEnergy{0.0};  ///< energy dissipated by slip [J]
  double peakForce{0.0};       ///< largest normal force N [N]
  /// Wear work of the impulses of a rigid contact with set-valued friction [J]: in an event run that of its
  /// impacts; in moreau, whose forces are impulses of steps, that of all.
  double impulseWear{0.0};
  /// Energy that slips gave to the structure in steps of the event scheme [J]. Friction takes energy: more
  /// than rounding shows that the state or the direction of a slip was wrong.
  double frictionGain{0.0};
};

/// Correction for a contact force that jumps inside a step, which the trapezoidal rule integrates wrongly.
/// The velocity has already received the impulse; the totals and the energy ledger receive the members below.
struct ContactJump {
  bool kicked{false};   ///< a force jumped, and the velocity was corrected
  double impulse{0.0};  ///< impulse of the correction, in addition to the integral of N dt [N s]
  double peak{0.0};     ///< normal force just after a closing or before an opening [N]
  double loss{0.0};     ///< additional energy dissipated by the dashpot [J]
};

/// Properties of a contact that decide which energy terms a step computes.
struct ContactAccount {
  bool imposed{false};        ///< the normal force is imposed
  bool normalDashpot{false};  ///< the normal law has a dashpot
  bool approach{false};       ///< the normal law depends on the closing speed
  bool stickDashpot{false};   ///< the stick has a dashpot
  bool keepsSpring{false};    ///< the node of the stick has no inertia and jumps when its damped stick breaks
  bool carried{false};        ///< supports or a moving surface do work through the contact
  bool traction{false};       ///< friction can transmit a tangential force
  bool area{false};           ///< friction acts on an area
  /// The path of the stick is a chord between turning tangents, which may do work on the body.
  bool chord{false};
};
ContactAccount energyAccountingTraitsOf(const Contact& contact) noexcept;

}  // namespace ricochet
