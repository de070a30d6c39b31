#include "io/app/plot/contact_bands.hpp"

#include "engine/accounts/events.hpp"
#include "io/app/plot/gnuplot.hpp"
#include "io/archive/result_names.hpp"
#include "io/hdf5/hdf5.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <optional>
#include <set>
#include <utility>

namespace ricochet {
namespace {

constexpr std::size_t kMostBands = 300;
constexpr const char* kStickColour = "#d6e6f4";
constexpr const char* kSlipColour = "#fbe3c8";
constexpr const char* kClosedColour = "#e4e4e4";

const char* colourOfContactState(std::int8_t state) {
  return state == kStickState ? kStickColour : state == kSlipState ? kSlipColour : kClosedColour;
}

/// Name of the contact of a panel: the contact of all its curves that belong to a contact, or the only
/// contact of the result.
std::optional<std::string> contactOfPanel(const H5File& file, const std::vector<const Curve*>& panel) {
  const Mode mode = panel.front()->mode;
  if (std::any_of(panel.begin(), panel.end(), [&](const Curve* c) { return c->mode != mode; }))
    return std::nullopt;
  const std::vector<std::string> names = contactNamesIn(file, mode);
  std::set<std::string> shown;
  for (const std::string& name : names)
    for (const Curve* curve : panel)
      if (curve->group == contactGroupPath(name, mode)) shown.insert(name);
  if (shown.size() == 1) return *shown.begin();
  return shown.empty() && names.size() == 1 ? std::optional(names.front()) : std::nullopt;
}

/// True if the friction law of a contact has coefficients that are all 0: no friction.
bool areFrictionCoefficientsZero(const H5File& file, const std::string& group) {
  const auto isZero = [&](const char* name) {
    return file.hasAttribute(group, name) && file.numberAttribute(group, name) == 0.0;
  };
  return isZero("friction_static") && isZero("friction_dynamic");
}

}  // namespace

bool hasContactFriction(const H5File& file, const std::string& contact, Mode mode,
                        const ContactStates& rows) {
  const std::string group = contactGroupPath(contact, mode);
  if (file.exists(group))
    return !file.hasAttribute(group, "friction") ||
           (file.stringAttribute(group, "friction") != "none" && !areFrictionCoefficientsZero(file, group));
  if (std::ranges::find(rows.state, kStickState) != rows.state.end()) return true;
  const std::string energies = contactTablePath(mode) + "/friction_energy";
  if (!file.exists(energies)) return true;
  const std::vector<std::string> names = contactNamesIn(file, mode);
  const auto at = static_cast<std::size_t>(std::find(names.begin(), names.end(), contact) - names.begin());
  return file.read(energies, {names.size()}).values[at] != 0.0;
}

std::vector<StatePhase> contactPhasesBetween(const ContactStates& rows, const ContactEvents& events,
                                             bool hasFriction, double from, double to) {
  std::vector<StatePhase> phases;
  for (const StatePhase& each : phasesOfContact(rows, events)) {
    const double a = std::max(each.from, from), b = std::min(each.to, to);
    if (a < b) phases.push_back({a, b, hasFriction || each.state == kOpenState ? each.state : kClosedState});
  }
  return phases;
}

ContactPhases contactPhasesOfPanel(const H5File& file, const std::vector<const Curve*>& panel, double from,
                                   double to) {
  ContactPhases phases;
  const std::optional<std::string> contact = contactOfPanel(file, panel);
  if (!contact) return phases;
  const Mode mode = panel.front()->mode;
  const std::optional<ContactStates> rows = readContactStates(file, *contact, mode);
  if (!rows || rows->time.empty()) return phases;
  phases.contact = *contact;
  const bool slides = hasContactFriction(file, *contact, mode, *rows);
  const ContactEvents events = eventsByContact(file, mode)[contactGroupPath(*contact, mode)];
  for (const auto& [time, kind] : events)
    if (kind == EventKind::closing && time >= from && time <= to) phases.closings.push_back(time);
  phases.bands = contactPhasesBetween(*rows, events, slides, from, to);
  std::erase_if(phases.bands, [](const StatePhase& each) { return each.state == kOpenState; });
  if (phases.bands.size() > kMostBands || phases.closings.size() > kMostBands) return {};
  return phases;
}

std::string drawContactPhases(std::FILE* gnuplot, const ContactPhases& phases, double from, double to) {
  constexpr double kVisible = 1.0 / 400.0;  // least visible length of a band, relative to the axis
  fmt::print(gnuplot, "unset object\nunset label\n");
  std::set<std::int8_t> shown;
  for (const StatePhase& band : phases.bands) {
    shown.insert(band.state);
    fmt::print(
        gnuplot,
        "set object rectangle from {:.15g}, graph 0 to {:.15g}, graph 1 behind fillcolor rgb '{}' fillstyle "
        "solid noborder\n",
        band.from, band.to, colourOfContactState(band.state));
  }
  bool isMarked = false;
  for (const double closing : phases.closings) {
    const auto band = std::find_if(phases.bands.begin(), phases.bands.end(),
                                   [&](const StatePhase& b) { return b.from <= closing && closing < b.to; });
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
  for (const auto& [state, what] : {std::pair(kStickState, "sticks"), std::pair(kSlipState, "slips"),
                                    std::pair(kClosedState, "is closed")})
    add(shown.contains(state),
        fmt::format("with boxes fillstyle solid noborder fillcolor rgb '{}'", colourOfContactState(state))
            .c_str(),
        what);
  add(isMarked, "with points pointtype 9 pointsize 0.7 linecolor rgb '#555555'", "closes");
  return entries;
}

}  // namespace ricochet
