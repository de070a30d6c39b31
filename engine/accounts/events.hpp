#pragma once

#include <array>
#include <cstdint>
#include <string_view>

namespace ricochet {

/// A change of state of a contact or link. `slipReversal`: the slip changes its sign without a stick in
/// between. The last two kinds are events of links.
enum class EventKind : std::uint8_t {
  closing,
  opening,
  stickToSlip,
  slipToStick,
  slipReversal,
  buckling,
  yield
};

inline constexpr std::array<std::string_view, 7> kEventNames{
    "closing", "opening", "stick_to_slip", "slip_to_stick", "slip_reversal", "buckling", "yield"};
inline constexpr std::size_t kContactEvents =
    5;  ///< number of event kinds of contacts, which precede the kinds of links in EventKind

constexpr std::string_view name(EventKind kind) noexcept {
  return kEventNames[static_cast<std::size_t>(kind)];
}

/// A change of state whose instant the scheme has located.
struct Event {
  double time{0.0};  ///< instant of the change [s]
  int contact{0};    ///< index of the contact; link i has the index (number of contacts) + i
  EventKind kind{EventKind::closing};
};

}  // namespace ricochet
