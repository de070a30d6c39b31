#include "io/app/report/model_page.hpp"

#include "engine/contact/laws/laws.hpp"
#include "engine/contact/obstacles/obstacles.hpp"
#include "io/archive/restored_nodes.hpp"
#include "io/deck/deck.hpp"
#include "io/text/json.hpp"
#include "physical/elements/elements.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <utility>
#include <variant>

namespace ricochet {
namespace {

constexpr std::size_t kMostNodes = 30000;
constexpr std::size_t kMostMarkers = 2000;
constexpr std::size_t kShapeNumbers = 120000;  // largest number of values of all drawn mode shapes
constexpr std::size_t kMotionNumbers = 80000;  // largest number of values of all drawn instants
constexpr std::size_t kMostInstants = 2000;

/// Kinds of elements between two nodes that the picture draws differently.
enum class LineKind : std::int8_t { other, spring, dashpot, beam };

std::map<std::pair<int, int>, LineKind> kindsOfModelLines(const Deck& study) {
  std::map<std::pair<int, int>, LineKind> kinds;
  for (const AnyElement& any : study.structure.elements) {
    const ElementDofs dofs = std::visit([](const auto& element) { return element.dofs(); }, any);
    const LineKind kind = std::holds_alternative<Beam>(any)      ? LineKind::beam
                          : std::holds_alternative<Spring>(any)  ? LineKind::spring
                          : std::holds_alternative<Dashpot>(any) ? LineKind::dashpot
                                                                 : LineKind::other;
    LineKind& known = kinds[std::minmax(dofs.front().node.value, dofs.back().node.value)];
    known = std::max(known, kind);
  }
  return kinds;
}

std::string contactAsJson(const ContactRequest& contact) {
  const auto keyword = [](const auto& law) { return std::string_view(law.keyword); };
  std::vector<std::string> axes;
  for (int row = 0; row < 3; ++row)
    for (int column = 0; column < 3; ++column) axes.push_back(jsonNumber(contact.frame(row, column)));
  JsonObject object;
  object.addText("name", contact.name).addNumber("node", contact.first.value);
  object.add("second", contact.second ? jsonNumber(contact.second->value) : "null")
      .add("axes", jsonArray(axes));
  object.addText("obstacle", obstacleKeyword(contact.obstacle));
  object.add("curved", isCurved(contact.obstacle) ? "true" : "false");
  object.addText("normal", std::visit(keyword, contact.normal));
  object.addText("friction", std::visit(keyword, contact.friction.law));
  return object.text();
}

/// JSON list of the nodes with fixed dofs and the names of these dofs: [[0, "ux uy"], ...]; empty for a
/// restored result.
std::string supportsAsJson(const H5File& file) {
  if (!file.exists("/model/dofs/fixed")) return "[]";
  const std::vector<std::int32_t> nodes = file.read<std::int32_t>("/model/dofs/node", {kAny}).values;
  const std::vector<std::uint8_t> fixed = file.read<std::uint8_t>("/model/dofs/fixed", {nodes.size()}).values;
  const std::vector<std::string> components = file.readStrings("/model/dofs/component");
  std::map<std::int32_t, std::string> supports;
  for (std::size_t i = 0; i < nodes.size(); ++i)
    if (fixed[i] != 0) supports[nodes[i]] += (supports[nodes[i]].empty() ? "" : " ") + components.at(i);
  std::vector<std::string> held;
  for (const auto& [node, dofs] : supports) held.push_back(fmt::format("[{},{}]", node, jsonString(dofs)));
  return jsonArray(held);
}

/// Evenly spaced rows of a result that the page draws, at most `most`.
std::vector<std::size_t> evenlySpacedRows(std::size_t rows, std::size_t most) {
  std::vector<std::size_t> drawn;
  const std::size_t count = std::min(rows, std::max<std::size_t>(most, 2));
  for (std::size_t i = 0; i < count; ++i) drawn.push_back(count > 1 ? i * (rows - 1) / (count - 1) : 0);
  return drawn;
}

using RowMajor = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

/// Drawn instants of a group, and the rows of one of its datasets at these instants.
struct DrawnRows {
  std::vector<double> time, values;
};

DrawnRows readDrawnRows(const H5File& file, const std::string& group, const H5Shape& row) {
  DrawnRows drawn;
  const std::size_t width = std::accumulate(row.begin(), row.end(), std::size_t{1}, std::multiplies<>{});
  const std::vector<double> time = file.read(group + "/time", {kAny}).values;
  for (const std::size_t i : evenlySpacedRows(
           time.size(), std::min(kMostInstants, kMotionNumbers / std::max<std::size_t>(width, 1)))) {
    drawn.time.push_back(time[i]);
    const std::vector<double> values = file.readRows(group + "/displacement", i, 1, row).values;
    drawn.values.insert(drawn.values.end(), values.begin(), values.end());
  }
  return drawn;
}

/// Translations of the mode shapes, one row per node and axis, one column per mode.
RowMajor translationsOfModeShapes(const H5File& file, const RestoredNodes& nodes) {
  const RowMajor all = modeShapesAtNodes(file, nodes);
  const auto components = static_cast<Eigen::Index>(nodes.componentCount());
  RowMajor shapes(3 * static_cast<Eigen::Index>(nodes.size()), all.cols());
  for (Eigen::Index n = 0; n < static_cast<Eigen::Index>(nodes.size()); ++n)
    shapes.middleRows(3 * n, 3) = all.middleRows(components * n, 3);
  return shapes;
}

std::string modalMotionAsJson(const H5File& file, PageData& data, std::vector<std::string>& notes) {
  const RestoredNodes nodes = findNodesByName(file, {});
  const RowMajor shapes = translationsOfModeShapes(file, nodes);
  const auto modes = static_cast<std::size_t>(shapes.cols());
  DrawnRows drawn;
  if (file.exists("/transient/displacement") && file.rows("/transient/time") > 0)
    drawn = readDrawnRows(file, "/transient", {modes});
  const auto instants = static_cast<Eigen::Index>(drawn.time.size());
  const RowMajor coordinates = Eigen::Map<const RowMajor>(drawn.values.data(), instants, shapes.cols());
  std::vector<Eigen::Index> order(modes);
  std::iota(order.begin(), order.end(), Eigen::Index{0});
  const std::size_t most = kShapeNumbers / std::max<std::size_t>(3 * nodes.size(), 1);
  if (modes > most) {
    const auto share = [&](Eigen::Index mode) {
      return instants > 0
                 ? coordinates.col(mode).cwiseAbs().maxCoeff() * shapes.col(mode).cwiseAbs().maxCoeff()
                 : -static_cast<double>(mode);
    };
    std::ranges::stable_sort(order, [&](Eigen::Index a, Eigen::Index b) { return share(a) > share(b); });
    order.resize(most);
    std::ranges::sort(order);
    notes.push_back(fmt::format(
        "The picture of the structure moves with the {} of {} modes that move it most.", most, modes));
  }
  std::vector<double> drawnShapes, drawnCoordinates;
  std::vector<std::int32_t> numbers;
  for (const Eigen::Index mode : order) {
    numbers.push_back(static_cast<std::int32_t>(mode));
    for (Eigen::Index i = 0; i < shapes.rows(); ++i) drawnShapes.push_back(shapes(i, mode));
    for (Eigen::Index i = 0; i < instants; ++i) drawnCoordinates.push_back(coordinates(i, mode));
  }
  JsonObject object;
  object.addText("kind", "modal")
      .add("modes", data.appendIntegers(numbers))
      .add("shapes", data.appendReals(drawnShapes));
  object.add("time", data.appendDoubles(drawn.time)).add("coordinates", data.appendReals(drawnCoordinates));
  return object.text();
}

/// Motion of a direct run: of the nodes whose histories it archived.
std::string archivedMotionAsJson(const H5File& file, PageData& data, std::vector<std::string>& notes) {
  const std::string group = "/direct/physical";
  const std::vector<std::string> names = file.readStrings(group + "/node");
  const std::vector<std::string> components = file.readStrings(group + "/component");
  const DrawnRows drawn = readDrawnRows(file, group, {names.size(), components.size()});
  const RestoredNodes nodes = findNodesByName(file, names);
  std::vector<std::int32_t> numbers;
  for (const NodeIndex node : nodes.nodes) numbers.push_back(node.value);
  std::vector<double> translations;
  for (std::size_t at = 0; at < drawn.values.size(); at += components.size())
    for (std::size_t c = 0; c < 3; ++c)
      translations.push_back(c < components.size() ? drawn.values[at + c] : 0.0);
  if (nodes.size() < file.rows("/model/nodes/name"))
    notes.push_back(
        "The picture moves the nodes whose histories were archived; the others stay where they are.");
  JsonObject object;
  object.addText("kind", "nodes")
      .add("nodes", data.appendIntegers(numbers))
      .add("time", data.appendDoubles(drawn.time));
  return object.add("translations", data.appendReals(translations)).text();
}

}  // namespace

std::string modelAsJson(const H5File& file, const Deck* study, PageData& data) {
  if (!file.exists("/model/nodes/name")) return "null";
  const std::size_t count = file.rows("/model/nodes/name");
  JsonObject object;
  object.addNumber("count", static_cast<double>(count)).add("leftOut", count > kMostNodes ? "true" : "false");
  if (count > kMostNodes) return object.text();
  object.add("names", jsonArrayOfStrings(file.readStrings("/model/nodes/name")));
  object.add("positions", data.appendDoubles(file.read("/model/nodes/position", {count, 3}).values));
  if (file.exists("/model/nodes/has_place")) {
    const std::vector<std::uint8_t> placed =
        file.read<std::uint8_t>("/model/nodes/has_place", {count}).values;
    object.add("placed", data.appendBytes(std::vector<std::int8_t>(placed.begin(), placed.end())));
  }
  std::vector<std::int32_t> lines;
  if (file.exists("/model/lines")) lines = file.read<std::int32_t>("/model/lines", {kAny, 2}).values;
  object.add("lines", data.appendIntegers(lines));
  object.add("supports", supportsAsJson(file));
  if (study == nullptr) return object.text();
  const std::map<std::pair<int, int>, LineKind> kinds = kindsOfModelLines(*study);
  std::vector<std::int8_t> kind;
  for (std::size_t i = 0; i + 1 < lines.size(); i += 2) {
    const auto found = kinds.find(std::minmax(lines[i], lines[i + 1]));
    kind.push_back(static_cast<std::int8_t>(found == kinds.end() ? LineKind::other : found->second));
  }
  std::vector<std::string> contacts;
  for (std::size_t i = 0; i < std::min(study->contacts.size(), kMostMarkers); ++i)
    contacts.push_back(contactAsJson(study->contacts[i]));
  return object.add("kinds", data.appendBytes(kind)).add("contacts", jsonArray(contacts)).text();
}

std::string motionAsJson(const H5File& file, PageData& data, std::vector<std::string>& notes) {
  if (!file.exists("/model/nodes/name") || file.rows("/model/nodes/name") > kMostNodes) return "null";
  if (file.exists("/modal/shapes")) return modalMotionAsJson(file, data, notes);
  if (file.exists("/direct/physical/displacement") && file.rows("/direct/physical/time") > 0)
    return archivedMotionAsJson(file, data, notes);
  return "null";
}

}  // namespace ricochet
