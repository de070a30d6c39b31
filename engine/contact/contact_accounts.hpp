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

/// What the accounts of a contact have to ask at a step.
struct ContactAccount {
  bool imposed{false};
  bool normalDashpot{false};
  bool stickDashpot{false};
  bool carried{false};  ///< by what moves: supports or a surface
  bool traction{false};
  bool area{false};
};
ContactAccount accountOf(const Contact& contact) noexcept;

}  // namespace ricochet
