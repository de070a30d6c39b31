#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>

namespace ricochet {

/// A guard of a contact: positive while the contact's state holds. `slot` tells which one.
enum class GuardSlot : std::uint8_t {
  normalFirst,  ///< guards of the normal law
  normalSecond,
  low,    ///< open: distance to the lower end of the free interval, or to a curved obstacle ...
  high,   ///< ... and to the upper end
  pull,   ///< a dashpot that may pull: N, while friction acts, or -N, while it does not
  ahead,  ///< stick: margin along +axis ...
  back,   ///< ... and -axis, or the whole cone in two dimensions
  slip    ///< slip goes on
};

/// Number of roots that each guard is known to have at the start of a step.
using KnownRoots = std::array<int, 8>;
/// Clears the known roots of friction guards. Roots of the normal law are kept: a change of friction does not
/// change the gap and its rate.
inline void clearFrictionRoots(KnownRoots& known) noexcept {
  for (const GuardSlot each : {GuardSlot::ahead, GuardSlot::back, GuardSlot::slip})
    known[static_cast<std::size_t>(each)] = 0;
}

struct GuardRef {
  int contact{-1};
  GuardSlot slot{GuardSlot::normalFirst};
  bool vanishes{true};  ///< to rounding
  bool jumped{false};   ///< it does not vanish but is negative at once: an impact or a function jumped
};

/// Order in which negative guards at the start of a step are treated. A set-valued stick with N = 0 comes
/// first: its traction is not admissible, and neither are the effects of that traction on other contacts.
enum class Urgency : std::uint8_t { none, friction, normal, unpressedStick };

/// Result of examining the guards over a step.
struct Outlook {
  double step{0.0};  ///< time up to the first root, or up to which no root is certified [s]
  std::optional<GuardRef> guard{};
  Urgency urgency{Urgency::none};  ///< of a guard that does not hold at the start
  bool isBroken() const noexcept { return urgency != Urgency::none; }
  bool fromRoot{false};  ///< long step: the guard has a known root at the start
  bool unclear{false};   ///< long step: the sign of a guard at the start is within rounding
};

}  // namespace ricochet
