#pragma once

#include "engine/numerics/certified_root.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace ricochet {

/// A guard of a contact: positive while the state of the contact holds. `slot` is the kind of the guard.
enum class GuardSlot : std::uint8_t {
  normalFirst,  ///< guards of the normal law
  normalSecond,
  low,    ///< open: distance to the lower end of the free interval, or to a curved obstacle
  high,   ///< open: distance to the upper end of the free interval
  pull,   ///< pulling dashpot: N while friction acts, -N otherwise
  ahead,  ///< stick: margin to the cone along +axis
  back,   ///< stick: margin along -axis, or to the whole cone in two dimensions
  slip    ///< slip: slip rate against the traction
};

/// Number of known roots at the start of a step, for each guard of a contact.
using KnownRoots = std::array<int, 8>;
/// Clears the known roots of friction guards. Roots of the normal law are kept: a change of friction does not
/// change the gap and its rate.
inline void clearKnownRootsOfFrictionGuards(KnownRoots& known) noexcept {
  for (const GuardSlot each : {GuardSlot::ahead, GuardSlot::back, GuardSlot::slip})
    known[static_cast<std::size_t>(each)] = 0;
}

struct GuardRef {
  int contact{-1};
  GuardSlot slot{GuardSlot::normalFirst};
  bool vanishes{true};  ///< the guard is zero within rounding
  bool jumped{false};   ///< the guard is negative at once: an impact, or a jump of a function
};

/// Order in which negative guards at the start of a step are treated. A set-valued stick with N = 0 comes
/// first: its traction is not admissible, and neither are the effects of that traction on other contacts.
enum class Urgency : std::uint8_t { none, friction, normal, unpressedStick };

/// Result of the examination of all guards over a step.
struct Outlook {
  double step{0.0};  ///< time up to the first root, or up to which no root is certified [s]
  std::optional<GuardRef> guard{};
  Urgency urgency{Urgency::none};  ///< urgency of a guard that does not hold at the start
  bool doesStepEndAtGuard() const noexcept { return urgency != Urgency::none; }
  /// Ends the step at the end of a search for a root, with this guard if one was found.
  void endStepAtRoot(int contact, GuardSlot slot, const RootSearch& search) noexcept {
    step = search.time;
    guard.reset();
    if (search.found) guard = GuardRef{contact, slot};
  }
  bool fromRoot{false};  ///< long step: the guard has a known root at the start
  bool unclear{false};   ///< long step: the sign of a guard at the start is within rounding
  /// Receives every guard that does not hold at the start, if given: the examination then goes on after it.
  std::vector<GuardRef>* failing{nullptr};
  /// Records a guard that does not hold at the start.
  void recordFailingGuard(const GuardRef& failed, Urgency of) {
    if (failing != nullptr) return failing->push_back(failed);
    urgency = of;
    guard = failed;
  }
};

}  // namespace ricochet
