#include "io/app/plot/contact_bands.hpp"

#include "engine/accounts/events.hpp"
#include "io/app/plot/gnuplot.hpp"
#include "io/archive/recorded_columns.hpp"
#include "io/archive/result_names.hpp"
#include "io/hdf5/hdf5.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <optional>
#include <set>

namespace ricochet {
namespace {

constexpr std::size_t kMostBands = 300;
constexpr const char* kStickColour = "#d6e6f4";
constexpr const char* kSlipColour = "#fbe3c8";
constexpr std::int8_t kOpen = 0, kStick = 1, kSlip = 2;  // numbers of the states in a result

/// State of a contact that is closed in its first row in [from, to); slip where there is no row.
std::int8_t closedStateAtStart(const ContactStates& rows, double from, double to) {
  const auto row = std::lower_bound(rows.time.begin(), rows.time.end(), from);
  if (row == rows.time.end() || *row >= to) return kSlip;
  const std::int8_t found = rows.state[static_cast<std::size_t>(row - rows.time.begin())];
  return found == kOpen ? kSlip : found;
}

struct TimedEvent {
  double time;
  EventKind kind;
};

std::vector<TimedEvent> eventsOf(const H5File& file, const std::string& contact, Mode mode) {
  const std::string group = std::string(runGroupPrefix(mode)) + "/events";
  std::vector<TimedEvent> events;
  if (!file.exists(group + "/kind")) return events;
  const std::vector<double> times = file.read(group + "/time", {kAny}).values;
  const std::vector<std::string> names = file.readStrings(group + "/contact");
  const std::vector<std::int8_t> kinds = file.read<std::int8_t>(group + "/kind", {kAny}).values;
  const std::size_t count = std::min({times.size(), names.size(), kinds.size()});
  for (std::size_t i = 0; i < count; ++i)
    if (contactGroup(names[i], mode) == contactGroup(contact, mode))
      events.push_back({times[i], static_cast<EventKind>(kinds[i])});
  return events;
}

/// Name of the contact of a panel: the contact of all its curves that belong to a contact, or the only
/// contact of the result.
std::optional<std::string> contactOf(const H5File& file, const std::vector<const Curve*>& panel) {
  const Mode mode = panel.front()->mode;
  if (std::any_of(panel.begin(), panel.end(), [&](const Curve* c) { return c->mode != mode; }))
    return std::nullopt;
  const std::vector<std::string> names = contactNamesIn(file, mode);
  std::set<std::string> shown;
  for (const std::string& name : names)
    for (const Curve* curve : panel)
      if (curve->group == contactGroup(name, mode)) shown.insert(name);
  if (shown.size() == 1) return *shown.begin();
  return shown.empty() && names.size() == 1 ? std::optional(names.front()) : std::nullopt;
}

/// The table of numerous contacts does not name their laws: friction shows there in what the contact did.
bool hasFriction(const H5File& file, const std::string& contact, Mode mode, const ContactStates& rows) {
  const std::string group = contactGroup(contact, mode);
  if (file.exists(group))
    return !file.hasAttribute(group, "friction") || file.stringAttribute(group, "friction") != "none";
  if (std::find(rows.state.begin(), rows.state.end(), kStick) != rows.state.end()) return true;
  const std::string energies = contactTable(mode) + "/friction_energy";
  if (!file.exists(energies)) return true;
  const std::vector<std::string> names = contactNamesIn(file, mode);
  const auto at = static_cast<std::size_t>(std::find(names.begin(), names.end(), contact) - names.begin());
  return file.read(energies, {names.size()}).values[at] != 0.0;
}

}  // namespace

ContactPhases phasesOf(const H5File& file, const std::vector<const Curve*>& panel, double from, double to) {
  ContactPhases phases;
  const std::optional<std::string> contact = contactOf(file, panel);
  if (!contact) return phases;
  const Mode mode = panel.front()->mode;
  const std::optional<ContactStates> rows = readStates(file, *contact, mode);
  if (!rows || rows->time.empty()) return phases;
  phases.contact = *contact;
  phases.hasFriction = hasFriction(file, *contact, mode, *rows);
  const std::vector<TimedEvent> events = eventsOf(file, *contact, mode);
  std::int8_t state = rows->state.front();
  double begin = rows->time.front();
  const auto close = [&](double end) {
    const double a = std::max(begin, from), b = std::min(end, to);
    if (state != kOpen && a < b) phases.bands.push_back({a, b, state == kStick});
  };
  for (std::size_t i = 0; i < events.size(); ++i) {
    const double next = i + 1 < events.size() ? events[i + 1].time : rows->time.back();
    const EventKind kind = events[i].kind;
    std::int8_t after = kSlip;
    if (kind == EventKind::opening) after = kOpen;
    if (kind == EventKind::slipToStick) after = kStick;
    if (kind == EventKind::closing) {
      after = closedStateAtStart(*rows, events[i].time, next);
      if (events[i].time >= from && events[i].time <= to) phases.closings.push_back(events[i].time);
    }
    if (after == state) continue;
    close(events[i].time);
    begin = events[i].time;
    state = after;
  }
  close(rows->time.back());
  if (phases.bands.size() > kMostBands || phases.closings.size() > kMostBands) return {};
  return phases;
}

std::string drawPhases(std::FILE* gnuplot, const ContactPhases& phases, double from, double to) {
  constexpr double kVisible = 1.0 / 400.0;  // least visible length of a band, relative to the axis
  fmt::print(gnuplot, "unset object\nunset label\n");
  bool sticks = false, slips = false;
  for (const ContactBand& band : phases.bands) {
    (band.sticks ? sticks : slips) = true;
    fmt::print(
        gnuplot,
        "set object rectangle from {:.15g}, graph 0 to {:.15g}, graph 1 behind fillcolor rgb '{}' fillstyle "
        "solid noborder\n",
        band.from, band.to, band.sticks ? kStickColour : kSlipColour);
  }
  bool isMarked = false;
  for (const double closing : phases.closings) {
    const auto band = std::find_if(phases.bands.begin(), phases.bands.end(),
                                   [&](const ContactBand& b) { return b.from <= closing && closing < b.to; });
    if (band != phases.bands.end() && band->to - band->from > kVisible * (to - from)) continue;
    isMarked = true;
    fmt::print(
        gnuplot,
        "set label '' at {:.15g}, graph 0 point pointtype 9 pointsize 0.5 linecolor rgb '#555555' front\n",
        closing);
  }
  std::string entries;
  const auto add = [&](bool isShown, const char* style, const char* what) {
    if (isShown)
      entries += fmt::format(", keyentry {} title {}", style, gnuplotString(phases.contact + " " + what));
  };
  const std::string box = "with boxes fillstyle solid noborder fillcolor rgb ";
  add(sticks, fmt::format("{}'{}'", box, kStickColour).c_str(), "sticks");
  add(slips, fmt::format("{}'{}'", box, kSlipColour).c_str(), phases.hasFriction ? "slips" : "is closed");
  add(isMarked, "with points pointtype 9 pointsize 0.7 linecolor rgb '#555555'", "closes");
  return entries;
}

}  // namespace ricochet
