#include "io/archive/recorded_columns.hpp"

#include "io/archive/field_ranges.hpp"
#include "io/archive/read_curve.hpp"
#include "io/archive/result_names.hpp"
#include "io/hdf5/hdf5.hpp"
#include "io/toml/read_names.hpp"
#include "physical/elements/beam_forces.hpp"

#include <fmt/core.h>

#include <algorithm>

namespace ricochet {
namespace {

/// Unit of a dataset for a label; numbers without unit have none.
std::string unitForLabel(const H5File& file, const std::string& path) {
  const std::string unit = file.meaning(path).units;
  return unit == "1" ? std::string{} : unit;
}

/// Appends the two ends of an interval and its constant value to a column.
void appendConstantInterval(HistoryColumn& column, double from, double to, double value) {
  column.time.insert(column.time.end(), {from, to});
  column.values.insert(column.values.end(), {value, value});
}

/// Group of the records of a contact in a result, and the lines of a deck that request these records.
struct RecordPlace {
  std::string group;
  const char* remedy;
};
RecordPlace groupOfRecordWithRemedy(const std::string& contact, Mode mode, OfRecord what) {
  const std::string own = contactGroupPath(contact, mode);
  if (what == OfRecord::impact)
    return {own + "/impacts",
            "no table of impacts of it: give the deck "
            "[statistics] with impact_table = true"};
  if (what == OfRecord::histogram)
    return {own + "/histograms", "no histograms of it: give the deck [statistics] with bins"};
  return {own + "/statistics", "no statistics of it: give the deck [statistics]"};
}

/// True for datasets of places and sectors of records, which are abscissae.
bool isAbscissaOfRecord(OfRecord what, const std::string& name) {
  if (what == OfRecord::impact) return name == "start";
  return what == OfRecord::statistic && (name == "from" || name == "to" || name.starts_with("sector"));
}

HistoryColumn readHistogram(const H5File& file, const std::string& path, const std::string& number,
                            int window) {
  const std::vector<double> edges = file.read(path + "/edges", {kAny}).values;
  const std::size_t bins = edges.empty() ? 0 : edges.size() - 1;
  const H5Array<double> weights = file.read(path + "/weight", {kAny, bins});
  const std::size_t windows = weights.shape[0];
  if (window == 0 && windows > 1)
    throw PlotError(fmt::format("{}: has {} windows: name one of them, 1 to {}", path, windows, windows));
  const auto row = static_cast<std::size_t>(std::max(window - 1, 0));
  if (row >= windows)
    throw PlotError(fmt::format("{}: there is no window {}; it has {}", path, window, windows));
  HistoryColumn column{path, {}, {}, unitForLabel(file, path + "/weight"), CurveStyle::bars, number};
  if (const std::string unit = unitForLabel(file, path + "/edges"); !unit.empty())
    column.abscissa += fmt::format(" [{}]", unit);
  for (std::size_t i = 0; i < bins; ++i)
    appendConstantInterval(column, edges[i], edges[i + 1], weights.values[row * bins + i]);
  return column;
}

}  // namespace

HistoryColumn readColumn(const H5File& file, const std::string& group, std::string_view name,
                         std::size_t offset, const H5Shape& row) {
  const std::string path = fmt::format("{}/{}", group, name);
  if (!file.exists(path)) throw PlotError(fmt::format("{}: this result does not hold it", path));
  HistoryColumn column{group, file.read(group + "/time", {kAny}).values, {}, file.meaning(path).units};
  column.values = file.readColumn(path, column.time.size(), row, offset);
  return column;
}

std::optional<ContactStates> readContactStates(const H5File& file, const std::string& contact, Mode mode) {
  const bool inTable = file.exists(contactTablePath(mode));
  const std::string group = inTable ? contactTablePath(mode) : contactGroupPath(contact, mode);
  if (!file.exists(group + "/state") || !file.exists(group + "/time")) return std::nullopt;
  ContactStates rows{file.read(group + "/time", {kAny}).values, {}};
  const std::vector<std::string> names = contactNamesIn(file, mode);
  const std::size_t width = inTable ? names.size() : 1;
  const auto at = static_cast<std::size_t>(std::find(names.begin(), names.end(), contact) - names.begin());
  const auto all = file.read<std::int8_t>(group + "/state", inTable ? H5Shape{kAny, width} : H5Shape{kAny});
  for (std::size_t row = 0; row < rows.time.size(); ++row)
    rows.state.push_back(all.values[row * width + (inTable ? at : 0)]);
  return rows;
}

std::vector<BeamElementName> beamElementsIn(const H5File& file) {
  std::vector<BeamElementName> elements;
  if (!file.exists("/beams/beam")) return elements;
  const std::vector<std::string> beams = file.readStrings("/beams/beam");
  const std::vector<std::int64_t> numbers = file.read<std::int64_t>("/beams/number", {beams.size()}).values;
  for (std::size_t i = 0; i < beams.size(); ++i) elements.push_back({beams[i], numbers[i]});
  return elements;
}

HistoryColumn readSectionForce(const H5File& file, const QuantityAt& at) {
  const bool isElastic = std::holds_alternative<OfRestored>(at.quantity->source);
  const std::string name = isElastic ? "elastic_force" : "force";
  const std::size_t elements = file.readStrings("/beams/beam").size();
  HistoryColumn column = readColumn(
      file, "/beams", name,
      static_cast<std::size_t>(at.body) * kSectionForces.size() + static_cast<std::size_t>(at.part),
      {elements, kSectionForces.size()});
  column.units = at.unit();
  return column;
}

std::vector<std::string> namesOfRecordedNumbers(const H5File& file, const std::string& contact, Mode mode,
                                                OfRecord what) {
  const RecordPlace place = groupOfRecordWithRemedy(contact, mode, what);
  std::vector<std::string> numbers = groupMembers(file, place.group);
  std::erase_if(numbers, [&](const std::string& each) {
    const std::string path = place.group + "/" + each;
    return isAbscissaOfRecord(what, each) ||
           (file.isDataset(path) &&
            (file.holds(path) != H5File::Holds::reals || file.shape(path).size() != 1));
  });
  if (numbers.empty())
    throw PlotError(fmt::format("contact \"{}\": this result holds {}", contact, place.remedy));
  return numbers;
}

HistoryColumn readContactRecord(const H5File& file, const std::string& contact, Mode mode, OfRecord what,
                                const std::string& number, int window) {
  const std::string own = contactGroupPath(contact, mode),
                    group = groupOfRecordWithRemedy(contact, mode, what).group;
  if (what == OfRecord::state) {
    const std::optional<ContactStates> rows = readContactStates(file, contact, mode);
    if (!rows) throw PlotError(fmt::format("{}/state: this result does not hold it", own));
    return {own, rows->time, {rows->state.begin(), rows->state.end()}, {}, CurveStyle::steps};
  }
  const std::string path = group + "/" + number;
  if (what == OfRecord::histogram) return readHistogram(file, path, number, window);
  const std::vector<double> values = file.read(path, {kAny}).values;
  const auto times = [&](const char* name) { return file.read(group + "/" + name, {values.size()}).values; };
  HistoryColumn column{own, {}, values, unitForLabel(file, path), CurveStyle::marks};
  if (what == OfRecord::impact) {
    column.time = times("start");
    return column;
  }
  column.style = CurveStyle::bars;
  column.values.clear();
  const std::vector<double> from = times("from"), to = times("to");
  for (std::size_t i = 0; i < values.size(); ++i) appendConstantInterval(column, from[i], to[i], values[i]);
  return column;
}

}  // namespace ricochet
