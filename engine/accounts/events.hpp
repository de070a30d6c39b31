#pragma once

#include <array>
#include <cstdint>
#include <string_view>

namespace ricochet {

/// A change of state of a contact. `slipReversal`: from slip to slip the other way, without rest in between.
/// The last two are of links.
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
inline constexpr std::size_t kContactEvents = 5;  ///< those before are of contacts

constexpr std::string_view name(EventKind kind) noexcept {
  return kEventNames[static_cast<std::size_t>(kind)];
}

/// A located change of state.
struct Event {
  double time{0.0};  ///< [s]
  int contact{0};    ///< index in the contact set; links count on after the contacts
  EventKind kind{EventKind::closing};
};

}  // namespace ricochet
