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
  ahead,  ///< stick: margin along +axis ...
  back,   ///< ... and -axis, or the whole cone in two dimensions
  slip    ///< slip goes on
};

/// Roots that are known to lie at the start of a step, per guard.
using KnownRoots = std::array<int, 7>;
/// Those of friction: what it does leaves the gap and its rate alone, and a contact that closed at this very
/// instant still begins at the root of its normal law.
inline void forgetFrictionRoots(KnownRoots& known) noexcept {
  for (const GuardSlot each : {GuardSlot::ahead, GuardSlot::back, GuardSlot::slip})
    known[static_cast<std::size_t>(each)] = 0;
}

struct GuardRef {
  int contact{-1};
  GuardSlot slot{GuardSlot::normalFirst};
  bool vanishes{true};  ///< to rounding
  bool jumped{false};   ///< it does not vanish but is negative at once: an impact or a function jumped
};

/// Which of the guards that do not hold at the start of a step is followed first. A true stick without a
/// normal force pulls with what there is not, and what its traction does to others is not to be followed.
enum class Urgency : std::uint8_t { none, friction, normal, unpressedStick };

/// What the guards say of a step.
struct Outlook {
  double step{0.0};  ///< up to the first root, or to what is certified
  std::optional<GuardRef> guard{};
  Urgency urgency{Urgency::none};  ///< of a guard that does not hold at the start
  bool broken() const noexcept { return urgency != Urgency::none; }
  bool fromRoot{false};  ///< of a long step: its guard began at a root that is known
  bool unclear{false};   ///< of a long step: a guard begins too near to zero to tell
};

}  // namespace ricochet
