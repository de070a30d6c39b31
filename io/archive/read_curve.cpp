#include "io/archive/read_curve.hpp"

#include "io/archive/restored_nodes.hpp"
#include "io/archive/result_names.hpp"
#include "io/hdf5/hdf5.hpp"
#include "io/text/input_error.hpp"
#include "io/toml/read_names.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <charconv>

namespace ricochet {
namespace {

constexpr std::array<std::string_view, 3> kNodal{"displacement", "velocity", "acceleration"};
constexpr std::array<std::string_view, 5> kContact{"gap", "normal_force", "tangential_force", "slip_velocity",
                                                   "spin_moment"};

constexpr std::array<std::string_view, 3> kLink{"link_force", "link_displacement", "link_velocity"};

std::string trimmed(std::string_view text) {
  const auto begin = text.find_first_not_of(" \t");
  if (begin == std::string_view::npos) return {};
  return std::string(text.substr(begin, text.find_last_not_of(" \t") - begin + 1));
}

/// "name(inside)" taken apart. Names of the deck may hold commas: what follows the last one is the second
/// argument, unless a name of the result is all of it.
struct Call {
  std::string name;
  std::string inside;

  bool hasTwo() const { return inside.find(',') != std::string::npos; }
  std::string first() const { return trimmed(std::string_view(inside).substr(0, inside.rfind(','))); }
  std::string second() const { return hasTwo() ? trimmed(inside.substr(inside.rfind(',') + 1)) : ""; }
};

Call parseCall(std::string_view text) {
  const auto open = text.find('(');
  const std::string whole = trimmed(text);
  if (open == std::string_view::npos || whole.back() != ')')
    throw PlotError(fmt::format(
        "{}: is no quantity; write for instance \"displacement(NODE, ux)\" or \"gap(CONTACT)\"", text));
  return {trimmed(text.substr(0, open)), trimmed(text.substr(open + 1, text.rfind(')') - open - 1))};
}

std::size_t indexOf(const std::vector<std::string>& names, const std::string& name, std::string_view what) {
  const auto found = std::find(names.begin(), names.end(), name);
  if (found != names.end()) return static_cast<std::size_t>(found - names.begin());
  const std::string nearest = nearestName(name, names);
  throw PlotError(fmt::format("{}: no such {} in this result; it has {}{}", name, what, joinNames(names),
                              nearest.empty() ? "" : fmt::format(" (did you mean {}?)", nearest)));
}

[[noreturn]] void refuse(const Call& call, std::string_view usage) {
  throw PlotError(fmt::format("{}: write {}", call.name, usage));
}

/// A contact or a link, and the number after it: 1 without.
struct Numbered {
  std::string name;
  std::string number{"1"};
};

Numbered numbered(const Call& call, const std::vector<std::string>& names, std::string_view usage) {
  if (call.inside.empty()) refuse(call, usage);
  const auto isName = [&](std::string name) {
    std::replace(name.begin(), name.end(), '/', '_');  // as groups of the result are called
    return std::find(names.begin(), names.end(), name) != names.end();
  };
  if (!call.hasTwo() || isName(call.inside)) return {call.inside};
  return {call.first(), call.second()};
}

int numberOf(const std::string& text) {
  int value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  return error == std::errc() && end == text.data() + text.size() ? value : 0;
}

/// Column `offset` of every row of a dataset whose rows have the shape `row`.
Curve column(const H5File& file, const std::string& group, const std::string& name, std::size_t offset,
             const H5Shape& row = {}) {
  const std::string path = group + "/" + name;
  if (!file.exists(path)) throw PlotError(fmt::format("{}: this result does not hold it", path));
  Curve curve;
  curve.time = file.read(group + "/time", {kAny}).values;
  curve.values = file.readColumn(path, curve.time.size(), row, offset);
  curve.units = file.meaning(path).units;
  curve.quantity = name;
  curve.group = group;
  return curve;
}

/// Index of a node, or of the only one of a group.
std::size_t nodeOf(const H5File& file, const std::vector<std::string>& nodes, const std::string& name) {
  if (std::find(nodes.begin(), nodes.end(), name) != nodes.end()) return indexOf(nodes, name, "node");
  const auto groups = groupsOf(file);
  const auto group = groups.find(name);
  if (group == groups.end()) return indexOf(nodes, name, "node");
  if (group->second.size() != 1)
    throw PlotError(fmt::format("{}: is a group of {} nodes; a curve is of one: {}", name,
                                group->second.size(), joinNames(group->second)));
  return indexOf(nodes, group->second.front(), "node");
}

/// Of a field of nodes: "m/s or rad for m in rotations", "N or N m for rotations".
std::string unitOf(const std::string& field, bool rotation) {
  const std::size_t end = field.find(" or ");
  if (end == std::string::npos) return field;
  const std::string translation = field.substr(0, end);
  if (!rotation) return translation;
  return translation == "N" ? "N m" : "rad" + translation.substr(1);
}

Curve nodal(const H5File& file, const std::string& root, const Call& call) {
  if (!call.hasTwo() || call.first().empty()) refuse(call, fmt::format("{}(NODE, ux)", call.name));
  const std::string group = root + "/physical";
  if (!file.exists(group + "/node"))
    throw PlotError("this result holds no histories of nodes ([output] nodes)");
  const auto components = file.readStrings(group + "/component");
  const auto nodes = file.readStrings(group + "/node");
  const std::size_t node = nodeOf(file, nodes, call.first());
  const std::size_t component = indexOf(components, call.second(), "component");
  Curve curve =
      column(file, group, call.name, node * components.size() + component, {nodes.size(), components.size()});
  curve.units = unitOf(curve.units, component > 2);
  return curve;
}

/// Names of the contacts of a table, as groups of them would be called.
std::vector<std::string> tableNames(const H5File& file, const std::string& table) {
  std::vector<std::string> names = file.readStrings(table + "/name");
  for (std::string& each : names) each = objectName(each);
  return names;
}

Curve ofContact(const H5File& file, const std::string& root, const Call& call) {
  std::vector<std::string> names;
  const std::string all = root + "/contacts", table = root + contactTable(Mode::modal);
  const bool inTable = file.exists(table);
  if (inTable)
    names = tableNames(file, table);
  else if (file.exists(all))
    names = file.members(all);
  const Numbered asked = numbered(call, names, fmt::format("{}(CONTACT)", call.name));
  const std::string group = root + contactGroup(asked.name);
  const std::size_t place = indexOf(names, group.substr(all.size() + 1), "contact");
  const bool vector = call.name == kContact[2] || call.name == kContact[3];
  const int axis = numberOf(asked.number);
  if (axis < 1 || axis > (vector ? 2 : 1))
    throw PlotError(
        fmt::format("{}: the second argument is tangent 1 or 2, of a tangential quantity", call.name));
  const auto offset = static_cast<std::size_t>(axis - 1);
  if (!inTable) return column(file, group, call.name, offset, vector ? H5Shape{2} : H5Shape{});
  H5Shape row{names.size()};
  if (vector) row.push_back(2);
  Curve curve = column(file, table, call.name, place * (vector ? 2 : 1) + offset, row);
  curve.group = group;
  return curve;
}

Curve ofLink(const H5File& file, const std::string& root, const Call& call) {
  std::vector<std::string> names;
  const std::string all = root + "/links";
  if (file.exists(all)) names = file.members(all);
  const Numbered asked = numbered(call, names, fmt::format("{}(LINK)", call.name));
  const std::string group = root + linkGroup(asked.name);
  indexOf(names, group.substr(all.size() + 1), "link");
  const std::string dataset = call.name.substr(std::string_view("link_").size());
  const H5Shape shape = file.shape(group + "/" + dataset);
  const std::size_t axes = shape.size() > 1 ? shape[1] : 1;
  const int axis = numberOf(asked.number);
  if (axis < 1 || static_cast<std::size_t>(axis) > axes)
    throw PlotError(fmt::format("{}: the second argument is an axis from 1 to {}", call.name, axes));
  Curve curve = column(file, group, dataset, static_cast<std::size_t>(axis - 1),
                       shape.size() > 1 ? H5Shape{axes} : H5Shape{});
  curve.quantity = call.name;
  return curve;
}

}  // namespace

Curve readCurve(const H5File& file, std::string_view quantity, Mode mode) {
  const std::string root(rootOf(mode));
  const Call call = parseCall(quantity);
  const auto is = [&](const auto& names) {
    return std::find(names.begin(), names.end(), call.name) != names.end();
  };
  Curve curve;
  if (is(kNodal)) {
    curve = nodal(file, root, call);
  } else if (is(kContact)) {
    curve = ofContact(file, root, call);
  } else if (is(kLink)) {
    curve = ofLink(file, root, call);
  } else if (call.name == "energy") {
    if (call.inside.empty()) refuse(call, "energy(kinetic)");
    std::vector<std::string> parts = file.members(root + "/energy");
    std::erase(parts, "time");
    indexOf(parts, call.inside, "part of the energy");
    curve = column(file, root + "/energy", call.inside, 0);
    curve.quantity = "energy";
  } else if (call.name == "coordinate") {
    if (call.inside.empty()) refuse(call, "coordinate(MODE), modes count from 1");
    if (mode == Mode::direct) throw PlotError("coordinate: a direct run has no generalized coordinates");
    const int number = numberOf(call.inside);
    const std::size_t modes = file.rows("/modal/frequency");
    if (number < 1 || static_cast<std::size_t>(number) > modes)
      throw PlotError(fmt::format("coordinate({}): this result has {} modes", call.inside, modes));
    curve = column(file, "/transient", "displacement", static_cast<std::size_t>(number - 1), {modes});
    curve.quantity = "generalized displacement";
  } else {
    std::vector<std::string> known(kNodal.begin(), kNodal.end());
    known.insert(known.end(), kContact.begin(), kContact.end());
    known.insert(known.end(), kLink.begin(), kLink.end());
    known.insert(known.end(), {"energy", "coordinate"});
    const std::string nearest = nearestName(call.name, known);
    throw PlotError(fmt::format("{}: unknown quantity; there are {}{}", call.name, joinNames(known),
                                nearest.empty() ? "" : fmt::format(" (did you mean {}?)", nearest)));
  }
  curve.label = trimmed(quantity);
  curve.mode = mode;
  return curve;
}

std::vector<Curve> readCurves(const H5File& file, std::string_view quantity) {
  const bool modal = file.exists("/transient");
  const bool direct = file.exists("/direct");
  if (!direct) return {readCurve(file, quantity, Mode::modal)};
  if (!modal) return {readCurve(file, quantity, Mode::direct)};
  std::vector<Curve> curves{readCurve(file, quantity, Mode::modal)};
  if (parseCall(quantity).name == "coordinate") return curves;
  curves.push_back(readCurve(file, quantity, Mode::direct));
  curves[0].label += ", modal";
  curves[1].label += ", direct";
  return curves;
}

}  // namespace ricochet
