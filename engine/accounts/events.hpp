#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <string_view>
#include <vector>

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

constexpr std::string_view nameOfEventKind(EventKind kind) noexcept {
  return kEventNames[static_cast<std::size_t>(kind)];
}

/// A change of state whose instant the scheme has located.
struct Event {
  double time{0.0};  ///< instant of the change [s]
  int contact{0};    ///< index of the contact; link i has the index (number of contacts) + i
  EventKind kind{EventKind::closing};
};

/// Puts events of several steps in the order of time, none of them before `earliest`. Where the guard of a
/// stick or slip is violated at the start of a step, its root lies in the step before, beside events of other
/// contacts; events of one contact keep their order. Returns the last instant.
inline double clampAndSortEventsByTime(std::vector<Event>& events, double earliest) {
  for (Event& each : events) each.time = std::max(each.time, earliest);
  if (!std::ranges::is_sorted(events, {}, &Event::time)) {
    std::ranges::stable_sort(events, {}, &Event::contact);
    for (std::size_t i = 1; i < events.size(); ++i)
      if (events[i].contact == events[i - 1].contact)
        events[i].time = std::max(events[i].time, events[i - 1].time);
    std::ranges::stable_sort(events, {}, &Event::time);
  }
  return events.empty() ? earliest : events.back().time;
}

}  // namespace ricochet
