#include "io/app/report/history_sources.hpp"

#include "engine/transient/kinematic.hpp"
#include "io/archive/field_ranges.hpp"
#include "io/archive/result_names.hpp"
#include "io/hdf5/hdf5_axes.hpp"
#include "io/quantities/table/quantity.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <numeric>
#include <set>
#include <utility>

namespace ricochet {
namespace {

constexpr std::size_t kMostDofs = 24, kMostContacts = 16, kMostLinks = 12, kMostModes = 12;

std::size_t columnCountOf(const H5Shape& row) {
  return std::accumulate(row.begin(), row.end(), std::size_t{1}, std::multiplies<>{});
}

/// Range of each column of a dataset: highest minus lowest value.
std::vector<double> rangesOfColumns(const H5File& file, const std::string& path, const H5Shape& row) {
  std::vector<double> ranges;
  for (const ColumnRange& range : columnRanges(file, path, row)) ranges.push_back(range.high - range.low);
  return ranges;
}

/// Indices of the columns with the largest ranges, each range relative to the largest range of columns with
/// the same unit. Columns with a relative range below rounding are at rest and left out.
std::vector<std::size_t> columnsOfLargestRange(std::vector<double> ranges,
                                               const std::vector<std::string>& components) {
  constexpr double kRounding = 1e-12;
  const auto turns = [&](std::size_t column) { return isRotation(components[column % components.size()]); };
  double largest[2] = {0.0, 0.0};
  for (std::size_t c = 0; c < ranges.size(); ++c) largest[turns(c)] = std::max(largest[turns(c)], ranges[c]);
  std::vector<std::size_t> moving;
  for (std::size_t c = 0; c < ranges.size(); ++c) {
    const double unit = largest[turns(c)];
    ranges[c] = unit > 0.0 ? ranges[c] / unit : 0.0;
    if (ranges[c] > kRounding) moving.push_back(c);
  }
  std::ranges::stable_sort(moving, [&](std::size_t a, std::size_t b) { return ranges[a] > ranges[b]; });
  return moving;
}

void addNodeHistories(const H5File& file, Mode mode, ShownHistories& shown) {
  const std::string group = std::string(runGroupPrefix(mode)) + "/physical";
  if (!file.exists(group + "/node")) return;
  const std::vector<std::string> nodes = file.readStrings(group + "/node");
  const std::vector<std::string> components = file.readStrings(group + "/component");
  const H5Shape row{nodes.size(), components.size()};
  std::vector<std::size_t> moving;
  for (const std::string_view name : kKinematicNames) {
    const std::string path = fmt::format("{}/{}", group, name);
    if (!file.exists(path)) continue;
    if (moving.empty()) {
      moving = columnsOfLargestRange(rangesOfColumns(file, path, row), components);
      if (moving.size() > kMostDofs) {
        shown.notes.push_back(fmt::format("Of {} dofs that move, the page shows the {} that move most.",
                                          moving.size(), kMostDofs));
        moving.resize(kMostDofs);
      }
    }
    const Quantity& quantity = *findCheckQuantity(name);
    for (const std::size_t column : moving) {
      const std::string& component = components[column % components.size()];
      shown.sources.push_back({"node", nodes[column / components.size()], std::string(name), component,
                               std::string(isRotation(component) ? quantity.turningUnit : quantity.unit),
                               std::string(quantity.meaning), group, path, row, column});
    }
  }
}

/// Adds the columns of every dataset of reals of a group that has a row per instant. For a table, `column` is
/// the index of an object, and `count` the number of objects.
void addHistoriesOfGroup(const H5File& file, const HistorySource& of, std::size_t column, std::size_t count,
                         ShownHistories& shown) {
  if (!file.exists(of.group + "/time")) return;
  const std::size_t rows = file.rows(of.group + "/time");
  const std::set<std::uint64_t> along = addressesOfDatasetsAlongScale(file, of.group + "/time");
  for (const std::string& name : file.namesOfGroupMembers(of.group)) {
    const std::string path = of.group + "/" + name;
    if (name == "time" || !file.isDataset(path) || !along.contains(file.addressOfObject(path)) ||
        file.holds(path) != H5File::Holds::reals)
      continue;
    const H5Shape shape = file.shape(path);
    // number of dimensions that distinguish the objects of a table
    const std::size_t objects = count > 0 ? 1 : 0;
    if (shape.size() < 1 + objects || shape[0] != rows) continue;
    if (objects == 1 && shape[1] != count) continue;
    HistorySource source = of;
    source.quantity = name;
    source.path = path;
    const Meaning meaning = file.meaning(path);
    source.unit = meaning.units;
    source.meaning = meaning.longName;
    source.row.assign(shape.begin() + 1, shape.end());
    const std::size_t parts =
        columnCountOf(H5Shape(shape.begin() + 1 + static_cast<std::ptrdiff_t>(objects), shape.end()));
    for (std::size_t part = 0; part < parts; ++part) {
      source.part = shape.size() > 1 + objects ? std::to_string(part + 1) : "";
      source.offset = column * parts + part;
      shown.sources.push_back(source);
    }
  }
}

void addContactHistories(const H5File& file, Mode mode, ShownHistories& shown) {
  const ShownContacts& contacts = shown.contacts;
  if (contacts.all > contacts.names.size())
    shown.notes.push_back(
        fmt::format("Of {} contacts, the page shows histories of the {} that pushed hardest.", contacts.all,
                    contacts.names.size()));
  const bool isTable = !contacts.table.empty();
  for (std::size_t i = 0; i < contacts.names.size(); ++i) {
    HistorySource of{};
    of.kind = "contact";
    of.owner = contacts.names[i];
    of.group = contacts.contactGroupPathOf(i, mode);
    addHistoriesOfGroup(file, of, isTable ? contacts.numbers[i] : 0, isTable ? contacts.all : 0, shown);
  }
}

/// Adds the histories of the generalized coordinates with the largest ranges.
void addCoordinateHistories(const H5File& file, ShownHistories& shown) {
  const std::string path = "/transient/displacement";
  if (!file.exists(path)) return;
  const H5Shape row{file.rows("/modal/eigenvalue")};
  const std::vector<double> ranges = rangesOfColumns(file, path, row);
  std::vector<std::size_t> modes(ranges.size());
  std::iota(modes.begin(), modes.end(), std::size_t{0});
  std::ranges::stable_sort(modes, [&](std::size_t a, std::size_t b) { return ranges[a] > ranges[b]; });
  modes.resize(std::min(modes.size(), kMostModes));
  std::ranges::sort(modes);
  const Meaning meaning = file.meaning(path);
  for (const std::size_t mode : modes)
    shown.sources.push_back({"coordinate", "", "coordinate", std::to_string(mode + 1), meaning.units,
                             meaning.longName, "/transient", path, row, mode});
}

}  // namespace

std::string HistorySource::labelOfHistory() const {
  std::string arguments = owner;
  if (!part.empty()) arguments += (arguments.empty() ? "" : ", ") + part;
  return kind == "energy" ? fmt::format("energy({})", quantity) : fmt::format("{}({})", quantity, arguments);
}

std::string ShownContacts::contactGroupPathOf(std::size_t i, Mode mode) const {
  return table.empty() ? std::string(runGroupPrefix(mode)) + "/contacts/" + names[i] : table;
}

ShownContacts mostLoadedContacts(const H5File& file, Mode mode, std::size_t most) {
  ShownContacts held;
  std::vector<double> peaks;
  const std::string table = contactTablePath(mode);
  if (file.exists(table)) {
    held.table = table;
    held.names = file.readStrings(table + "/name");
    if (file.exists(table + "/peak_force"))
      peaks = file.read(table + "/peak_force", {held.names.size()}).values;
  } else {
    held.names = groupMembers(file, std::string(runGroupPrefix(mode)) + "/contacts");
    for (std::size_t i = 0; i < held.names.size(); ++i) {
      const std::string group = held.contactGroupPathOf(i, mode);
      peaks.push_back(file.hasAttribute(group, "peak_force") ? file.numberAttribute(group, "peak_force")
                                                             : 0.0);
    }
  }
  held.all = held.names.size();
  held.numbers.resize(held.all);
  peaks.resize(held.all, 0.0);
  std::iota(held.numbers.begin(), held.numbers.end(), std::size_t{0});
  if (held.all <= most) return held;
  std::ranges::stable_sort(held.numbers, [&](std::size_t a, std::size_t b) { return peaks[a] > peaks[b]; });
  held.numbers.resize(most);
  std::ranges::sort(held.numbers);
  std::vector<std::string> names;
  for (const std::size_t number : held.numbers) names.push_back(held.names[number]);
  held.names = std::move(names);
  return held;
}

ShownHistories selectShownHistories(const H5File& file, Mode mode) {
  ShownHistories shown;
  const std::string root(runGroupPrefix(mode));
  shown.contacts = mostLoadedContacts(file, mode, kMostContacts);
  addNodeHistories(file, mode, shown);
  addContactHistories(file, mode, shown);
  std::vector<std::string> links = groupMembers(file, root + "/links");
  if (links.size() > kMostLinks) {
    shown.notes.push_back(
        fmt::format("Of {} links, the page shows histories of the first {}.", links.size(), kMostLinks));
    links.resize(kMostLinks);
  }
  for (const std::string& link : links) {
    HistorySource of{};
    of.kind = "link";
    of.owner = link;
    of.group = root + "/links/" + link;
    addHistoriesOfGroup(file, of, 0, 0, shown);
  }
  HistorySource energy{};
  energy.kind = "energy";
  energy.group = root + "/energy";
  if (file.exists(energy.group)) addHistoriesOfGroup(file, energy, 0, 0, shown);
  if (mode == Mode::modal) addCoordinateHistories(file, shown);
  return shown;
}

}  // namespace ricochet
