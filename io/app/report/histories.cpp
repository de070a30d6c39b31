#include "io/app/report/histories.hpp"

#include "io/app/plot/contact_bands.hpp"
#include "io/app/plot/plot_notes.hpp"
#include "io/app/report/reduction.hpp"
#include "io/app/report/spectrum.hpp"
#include "io/archive/contact_phases.hpp"
#include "io/archive/read_curve.hpp"
#include "io/archive/result_names.hpp"
#include "io/text/json.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <map>
#include <memory>
#include <utility>

namespace ricochet {
namespace {

constexpr std::size_t kMostSpans = 4000;    // largest number of state intervals of a contact
constexpr std::size_t kMostEvents = 20000;  // largest number of rows of the table of events
constexpr std::size_t kMostTotals = 20000;  // largest number of values of a dataset of statistics

/// Instants that several histories have in common.
struct SharedTime {
  std::vector<double> time;
  RowReduction reduction;
  std::unique_ptr<Spectrum> spectrum;
};

/// Series of instants of a run, each series once.
class SharedTimes {
 public:
  SharedTimes(const H5File& file, std::size_t buckets) : file_(file), buckets_(buckets) {}

  std::size_t indexOfGroup(const std::string& group) {
    if (!groups_.empty() && groups_.back().first == group) return groups_.back().second;
    std::vector<double> time = file_.read(group + "/time", {kAny}).values;
    std::size_t number = 0;
    while (number < times_.size() && times_[number].time != time) ++number;
    if (number == times_.size()) {
      const RowReduction reduction(time.size(), buckets_);
      times_.push_back({std::move(time), reduction, nullptr});
      times_.back().spectrum = std::make_unique<Spectrum>(times_.back().time);
    }
    groups_.emplace_back(group, number);
    return number;
  }
  const SharedTime& operator[](std::size_t number) const { return times_[number]; }

  std::string timesAsJson(PageData& data) const {
    std::vector<std::string> all;
    for (const SharedTime& each : times_) {
      JsonObject object;
      object.addNumber("rows", static_cast<double>(each.time.size()));
      object.add("values", data.appendDoubles(each.reduction.drawnTimes(each.time)));
      object.add("reduced", each.reduction.isHistoryReduced() ? "true" : "false");
      object.addNumber("stride", static_cast<double>(each.reduction.sharedRowStride()));
      if (each.reduction.isHistoryReduced())
        object.add("sampled", data.appendDoubles(each.reduction.valuesAtSharedRows(each.time)));
      if (!each.spectrum->empty()) {
        object.add("frequencies", data.appendDoubles(each.spectrum->frequencies()));
        object.addNumber("segments", static_cast<double>(each.spectrum->segmentCount()));
        object.addNumber("resolution", each.spectrum->frequencyResolution());
        object.add("interpolated", each.spectrum->isHistoryInterpolated() ? "true" : "false");
      }
      all.push_back(object.text());
    }
    return jsonArray(all);
  }

 private:
  const H5File& file_;
  std::size_t buckets_;
  std::vector<SharedTime> times_;
  std::vector<std::pair<std::string, std::size_t>> groups_;
};

/// True if all values of a history are zero, such as those of a contact without friction or spin.
bool isZeroHistory(const std::vector<double>& history) {
  return std::ranges::all_of(history, [](double value) { return value == 0.0; });
}

/// True if a spectrum shows more than the rounding of its history: a constant history has none.
bool hasOscillation(const std::vector<double>& spectrum, const std::vector<double>& history) {
  constexpr double kRounding = 1e-13;
  double size = 0.0;
  for (const double value : history) size = std::max(size, std::abs(value));
  return std::ranges::any_of(spectrum, [&](double amplitude) { return amplitude > kRounding * size; });
}

std::string historiesAsJson(const H5File& file, const ShownHistories& shown, SharedTimes& times,
                            PageData& data) {
  std::vector<std::string> series;
  for (const HistorySource& source : shown.sources) {
    const std::size_t number = times.indexOfGroup(source.group);
    const SharedTime& shared = times[number];
    if (shared.time.empty()) continue;
    const std::vector<double> history =
        file.readColumn(source.path, shared.time.size(), source.row, source.offset);
    const bool isNeeded = source.quantity == "gap" || source.quantity == "normal_force";
    if (!isNeeded && isZeroHistory(history)) continue;
    JsonObject object;
    object.addText("label", source.labelOfHistory())
        .addText("kind", source.kind)
        .addText("owner", source.owner);
    object.addText("quantity", source.quantity).addText("part", source.part).addText("unit", source.unit);
    object.addText("meaning", source.meaning).addText("path", source.path);
    object.addNumber("offset", static_cast<double>(source.offset));
    object.addNumber("time", static_cast<double>(number));
    object.add("values", data.appendReals(shared.reduction.drawnValues(history)));
    if (shared.reduction.isHistoryReduced())
      object.add("sampled", data.appendReals(shared.reduction.valuesAtSharedRows(history)));
    if (const std::vector<double> spectrum = shared.spectrum->amplitudes(history);
        hasOscillation(spectrum, history))
      object.add("spectrum", data.appendReals(spectrum));
    series.push_back(object.text());
  }
  return jsonArray(series);
}

/// The states of a contact over time; `events`: its events.
std::string statesAsJson(const H5File& file, Mode mode, const ShownContacts& contacts, std::size_t i,
                         const ContactEvents& events, PageData& data) {
  const std::string group = contacts.contactGroupPathOf(i, mode), path = group + "/state";
  if (!file.exists(path) || !file.exists(group + "/time")) return "null";
  ContactStates rows{file.read(group + "/time", {kAny}).values, {}};
  const bool isTable = !contacts.table.empty();
  const H5Shape row = isTable ? H5Shape{contacts.all} : H5Shape{};
  const std::size_t step = isTable ? contacts.all : 1, first = isTable ? contacts.numbers[i] : 0;
  const std::vector<std::int8_t> all = file.readRows<std::int8_t>(path, 0, rows.time.size(), row).values;
  for (std::size_t at = first; at < all.size(); at += step) rows.state.push_back(all[at]);
  std::vector<StateSpan> spans;
  if (!rows.time.empty()) {
    const bool slides = hasContactFriction(file, contacts.names[i], mode, rows);
    for (const StatePhase& each :
         contactPhasesBetween(rows, events, slides, rows.time.front(), rows.time.back()))
      spans.push_back({each.from, each.to, each.state});
  }
  std::vector<double> edges;
  std::vector<std::int8_t> kinds;
  for (const StateSpan& span : mergeShortStateSpans(std::move(spans), kMostSpans)) {
    edges.insert(edges.end(), {span.from, span.to});
    kinds.push_back(static_cast<std::int8_t>(span.state));
  }
  JsonObject names, object;
  for (const auto& [name, value] : file.valueNames(path)) names.addText(std::to_string(value), name);
  names.addText(std::to_string(kClosedState), "closed");
  object.add("edges", data.appendDoubles(edges))
      .add("states", data.appendBytes(kinds))
      .add("names", names.text());
  return object.text();
}

/// Sentences about events of a contact between two archived rows.
std::string missedEventsAsJson(const H5File& file, Mode mode, const std::string& name,
                               const std::string& group) {
  const std::string path = group + "/normal_force";
  if (!file.exists(path) || !file.exists(group + "/time")) return "[]";
  Curve curve;
  curve.label = "normal_force(" + name + ")";
  curve.quantity = "normal_force";
  curve.units = file.meaning(path).units;
  curve.group = group;
  curve.mode = mode;
  curve.time = file.read(group + "/time", {kAny}).values;
  curve.values = file.read(path, {curve.time.size()}).values;
  if (curve.time.empty()) return "[]";
  return jsonArrayOfStrings(extremesBetweenRows(file, curve, {curve.time.front(), curve.time.back()}).notes);
}

/// A number of a dataset of reals or integers.
double readNumberAt(const H5File& file, const std::string& path, std::size_t row) {
  if (file.holds(path) == H5File::Holds::reals) return file.readRows(path, row, 1).values.front();
  return static_cast<double>(file.readRows<std::int64_t>(path, row, 1).values.front());
}

std::string contactsAsJson(const H5File& file, Mode mode, const ShownContacts& contacts, PageData& data) {
  std::vector<std::string> all;
  std::map<std::string, ContactEvents> events = eventsByContact(file, mode);
  for (std::size_t i = 0; i < contacts.names.size(); ++i) {
    const std::string group = contacts.contactGroupPathOf(i, mode);
    const ContactEvents& own = events[contactGroupPath(contacts.names[i], mode)];
    JsonObject object;
    object.addText("name", contacts.names[i]).add("states", statesAsJson(file, mode, contacts, i, own, data));
    if (contacts.table.empty()) {
      object.add("attributes", attributesAsJson(file, group));
      object.add("missed", missedEventsAsJson(file, mode, contacts.names[i], group));
      for (const char* each : {"statistics", "impacts", "histograms"})
        if (file.exists(group + "/" + each))
          object.add(each, groupAsJson(file, group + "/" + each, data, kMostTotals));
    } else {
      JsonObject totals;
      for (const char* each : {"impacts", "impulse", "friction_energy", "peak_force"})
        if (const std::string path = group + "/" + each; file.exists(path))
          totals.addNumber(each, readNumberAt(file, path, contacts.numbers[i]));
      object.add("attributes", totals.text());
    }
    all.push_back(object.text());
  }
  return jsonArray(all);
}

std::string eventsAsJson(const H5File& file, const std::string& group, PageData& data) {
  if (!file.exists(group + "/time")) return "null";
  const std::size_t all = file.rows(group + "/time"), shown = std::min(all, kMostEvents);
  const std::vector<std::string> contacts = file.readStrings(group + "/contact", 0, shown);
  std::vector<std::string> names;
  std::vector<std::int32_t> numbers;
  for (const std::string& contact : contacts) {
    const auto known = std::ranges::find(names, contact);
    numbers.push_back(static_cast<std::int32_t>(known - names.begin()));
    if (known == names.end()) names.push_back(contact);
  }
  JsonObject kinds, object;
  for (const auto& [name, value] : file.valueNames(group + "/kind"))
    kinds.addText(std::to_string(value), name);
  object.addNumber("all", static_cast<double>(all))
      .add("contacts", jsonArrayOfStrings(names))
      .add("kinds", kinds.text());
  object.add("time", data.appendDoubles(file.readRows(group + "/time", 0, shown).values));
  object.add("contact", data.appendIntegers(numbers));
  object.add("kind", data.appendBytes(file.readRows<std::int8_t>(group + "/kind", 0, shown).values));
  return object.text();
}

}  // namespace

std::string runAsJson(const H5File& file, Mode mode, const ShownHistories& shown, std::size_t buckets,
                      PageData& data) {
  const std::string root(runGroupPrefix(mode));
  SharedTimes times(file, buckets);
  JsonObject object;
  object.addText("mode", mode == Mode::direct ? "direct" : "modal");
  object.add("series", historiesAsJson(file, shown, times, data));
  object.add("times", times.timesAsJson(data));
  object.add("contacts", contactsAsJson(file, mode, shown.contacts, data));
  object.add("events", eventsAsJson(file, root + "/events", data));
  for (const std::string& group : {mode == Mode::modal ? std::string("/transient") : root, root + "/energy"})
    if (file.exists(group))
      object.add(group == root + "/energy" ? "energy" : "run", attributesAsJson(file, group));
  return object.add("notes", jsonArrayOfStrings(shown.notes)).text();
}

}  // namespace ricochet
