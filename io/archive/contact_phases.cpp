#include "io/archive/contact_phases.hpp"

#include "io/archive/result_names.hpp"
#include "io/hdf5/hdf5.hpp"

#include <algorithm>

namespace ricochet {
namespace {

/// State of a contact that closes at `from` and has its next event, if there is one, at `to`.
std::int8_t stateAfterClosing(const ContactStates& rows, double from, double to, const EventKind* next) {
  for (auto i = static_cast<std::size_t>(std::ranges::lower_bound(rows.time, from) - rows.time.begin());
       i < rows.time.size() && rows.time[i] < to; ++i)
    if (rows.state[i] != kOpenState) return rows.state[i];
  if (next != nullptr && *next == EventKind::stickToSlip) return kStickState;
  if (next != nullptr && (*next == EventKind::slipToStick || *next == EventKind::slipReversal))
    return kSlipState;
  return kClosedState;
}

std::int8_t stateAfterEvent(const ContactStates& rows, const ContactEvents& events, std::size_t i) {
  const auto [time, kind] = events[i];
  if (kind == EventKind::opening) return kOpenState;
  if (kind == EventKind::slipToStick) return kStickState;
  if (kind != EventKind::closing) return kSlipState;
  const bool isLast = i + 1 == events.size();
  const double end = isLast ? rows.time.back() : events[i + 1].first;
  const std::int8_t found = stateAfterClosing(rows, time, end, isLast ? nullptr : &events[i + 1].second);
  return isLast && found == kClosedState && rows.state.back() != kOpenState ? rows.state.back() : found;
}

}  // namespace

std::map<std::string, ContactEvents> eventsByContact(const H5File& file, Mode mode) {
  const std::string group = std::string(runGroupPrefix(mode)) + "/events";
  std::map<std::string, ContactEvents> events;
  if (!file.exists(group + "/kind")) return events;
  const std::vector<double> times = file.read(group + "/time", {kAny}).values;
  const std::vector<std::string> names = file.readStrings(group + "/contact");
  const std::vector<std::int8_t> kinds = file.read<std::int8_t>(group + "/kind", {kAny}).values;
  const std::size_t count = std::min({times.size(), names.size(), kinds.size()});
  for (std::size_t i = 0; i < count; ++i)
    if (kinds[i] < static_cast<std::int8_t>(kContactEvents))  // later kinds are of links
      events[contactGroupPath(names[i], mode)].emplace_back(times[i], static_cast<EventKind>(kinds[i]));
  return events;
}

std::vector<StatePhase> phasesOfContact(const ContactStates& rows, const ContactEvents& events) {
  if (rows.time.empty()) return {};
  const double end = rows.time.back();
  std::vector<StatePhase> phases{{rows.time.front(), end, rows.state.front()}};
  const auto change = [&](double time, std::int8_t state) {
    if (phases.back().state == state) return;
    if (phases.size() > 1 && phases.back().from == time) phases.pop_back();  // a phase without length
    phases.back().to = time;
    if (phases.back().state == state)
      phases.back().to = end;
    else
      phases.push_back({time, end, state});
  };
  for (std::size_t i = 0; i < events.size(); ++i) change(events[i].first, stateAfterEvent(rows, events, i));
  if (events.empty())
    for (std::size_t i = 0; i < rows.time.size(); ++i) change(rows.time[i], rows.state[i]);
  return phases;
}

}  // namespace ricochet
