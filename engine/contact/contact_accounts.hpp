#pragma once

#include "engine/contact/contact.hpp"

namespace ricochet {

/// Accumulated quantities of one contact over a run.
struct ContactTotals {
  int impacts{0};              ///< closings, and 1 if closed at the start
  double impulse{0.0};         ///< integral of N dt [N s]
  double frictionEnergy{0.0};  ///< dissipated by slip [J]
  double peakForce{0.0};       ///< largest N [N]
};

/// What the trapezoid misses of forces of a contact that jump inside a step: its velocities have been given
/// the impulse, its accounts take the rest.
struct ContactJump {
  bool kicked{false};   ///< there was one
  double impulse{0.0};  ///< of the normal force [N s]
  double peak{0.0};     ///< normal force that it jumps to [N]
  double loss{0.0};     ///< by the dashpot [J]
};

/// What the accounts of a contact have to ask at a step.
struct ContactAccount {
  bool imposed{false};
  bool normalDashpot{false};
  bool approach{false};  ///< the normal law remembers how fast the contact closed
  bool stickDashpot{false};
  bool carried{false};  ///< by what moves: supports or a surface
  bool traction{false};
  bool area{false};
};
ContactAccount accountOf(const Contact& contact) noexcept;

}  // namespace ricochet
