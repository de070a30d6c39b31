#include "io/app/plot/plot_notes.hpp"

#include "engine/accounts/events.hpp"
#include "engine/transient/probes.hpp"
#include "io/app/plot/plot.hpp"
#include "io/app/plot/plot_thinning.hpp"
#include "io/archive/contact_phases.hpp"
#include "io/archive/result_names.hpp"
#include "io/hdf5/hdf5.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>

namespace ricochet {
namespace {

/// "at one instant", "every 0.01 s", or "up to 0.01 s apart" for unequal time intervals.
std::string rowSpacingText(const std::vector<double>& time) {
  if (time.size() < 2) return "at one instant";
  double longest = 0.0, shortest = std::numeric_limits<double>::infinity();
  for (std::size_t i = 1; i < time.size(); ++i) {
    longest = std::max(longest, time[i] - time[i - 1]);
    // the last interval may be shorter, because the end of a run is always archived
    if (i + 1 < time.size()) shortest = std::min(shortest, time[i] - time[i - 1]);
  }
  constexpr double kEven = 1e-6;
  return longest - shortest <= kEven * longest ? fmt::format("every {:.6g} s", longest)
                                               : fmt::format("up to {:.6g} s apart", longest);
}

struct TimesOfContact {
  std::size_t all{0}, withoutRow{0};
  double longest{0.0};    ///< longest contact time without a row [s]
  bool isOutside{false};  ///< true: the contact is closed outside the time that is shown too
};

/// Times from a closing of the contact to its next opening that meet the time that is shown, and the number
/// of these times that contain no row.
TimesOfContact closedIntervalsOfContact(const H5File& file, const Curve& curve, const ShownTime& shown) {
  TimesOfContact found;
  bool closed = false;
  double closing = 0.0;
  const ContactEvents events = eventsByContact(file, curve.mode)[curve.group];
  for (const auto& [time, kind] : events) {
    if (kind != EventKind::closing && kind != EventKind::opening) continue;
    found.isOutside = found.isOutside || time < shown.from || time > shown.to;
    if (kind == EventKind::opening && closed && closing <= shown.to && time >= shown.from) {
      const auto row = std::lower_bound(curve.time.begin(), curve.time.end(), closing);
      const bool hasRow = row != curve.time.end() && *row <= time;
      ++found.all;
      if (!hasRow) {
        ++found.withoutRow;
        found.longest = std::max(found.longest, time - closing);
      }
    }
    closed = kind == EventKind::closing;
    closing = time;
  }
  return found;
}

/// Largest normal force of the run at the contact of a curve, an attribute of its group or a column of the
/// table of numerous contacts; empty for a curve of something else.
std::optional<double> peakForceOfRun(const H5File& file, const Curve& curve) {
  if (curve.group.empty()) return std::nullopt;
  const std::string table = contactTablePath(curve.mode);
  if (file.exists(table + "/peak_force")) {
    const std::vector<std::string> names = file.readStrings(table + "/name");
    for (std::size_t i = 0; i < names.size(); ++i)
      if (contactGroupPath(names[i], curve.mode) == curve.group)
        return file.read(table + "/peak_force", {names.size()}).values[i];
  }
  if (!file.exists(curve.group) || !file.hasAttribute(curve.group, "peak_force")) return std::nullopt;
  return file.numberAttribute(curve.group, "peak_force");
}

}  // namespace

MissedBetweenRows extremesBetweenRows(const H5File& file, const Curve& curve, const ShownTime& shown) {
  MissedBetweenRows missed;
  const std::optional<double> peakOfRun = peakForceOfRun(file, curve);
  const bool hasRows = curve.style == CurveStyle::line || curve.style == CurveStyle::steps;
  if (!peakOfRun || !hasRows || curve.time.empty()) return missed;
  const std::string rows = fmt::format("{}: archived {}", curve.label, rowSpacingText(curve.time));
  const TimesOfContact contact = closedIntervalsOfContact(file, curve, shown);
  if (curve.quantity == ContactProbe{ContactProbe::Kind::normalForce}.name()) {
    Extent held;
    for (const double value : curve.values) held.includeValue(value);
    const double peak = *peakOfRun;
    constexpr double kDot = 1.0 / 450.0;  // relative difference that is invisible in a picture of this height
    if (!held.empty && peak - held.high > kDot * peak) {
      const std::string place =
          contact.isOutside
              ? fmt::format("outside {:.6g} s to {:.6g} s or between rows", shown.from, shown.to)
              : std::string("between rows");
      missed.brief = fmt::format("largest of the run, {:.6g} {}, {}", peak, curve.units, place);
      missed.notes.push_back(
          fmt::format("{}; the largest of the run, {:.6g} {}, lies {}, the largest of which is {:.6g} "
                      "{}: archive more often ([output] interval or every) to see it",
                      rows, peak, curve.units, place, held.high, curve.units));
    }
  }
  if (contact.withoutRow > 0) {
    missed.notes.push_back(
        fmt::format("{}; {} of the {} times that the contact was closed, {:.6g} s at most, lie between rows",
                    rows, contact.withoutRow, contact.all, contact.longest));
    if (missed.brief.empty())
      missed.brief = fmt::format("{} of {} times of contact between rows", contact.withoutRow, contact.all);
  }
  return missed;
}

}  // namespace ricochet
