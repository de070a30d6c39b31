#include "io/archive/restored_nodes.hpp"

#include "io/toml/document.hpp"
#include "io/toml/read_names.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <unordered_set>

namespace ricochet {
namespace {

constexpr std::size_t kBlock = 16384;  // number of rows of a table that are read at once

/// Calls f(first, count) for blocks of `size` rows.
template <class F>
void callForEachRowBlock(std::size_t size, F&& f) {
  for (std::size_t first = 0; first < size; first += kBlock) f(first, std::min(kBlock, size - first));
}

/// Throws unless 0 <= index < count for an index read from `dataset`.
void requireIndexInRange(const H5File& result, std::string_view dataset, std::int32_t index,
                         std::size_t count) {
  if (index >= 0 && static_cast<std::size_t>(index) < count) return;
  throw ResultError(fmt::format("{}:{}: holds the index {} of {}: the file is damaged, or was changed",
                                result.name(), dataset, index, count));
}

/// Names of nodes and groups that contain a comma.
std::vector<std::string> namesWithComma(
    const H5File& result, const std::unordered_map<std::string, std::vector<std::string>>& groups) {
  std::vector<std::string> found;
  const auto look = [&](const std::string& name) {
    if (name.find(',') != std::string::npos) found.push_back(name);
  };
  for (const auto& group : groups) look(group.first);
  callForEachRowBlock(result.rows("/model/nodes/name"), [&](std::size_t first, std::size_t size) {
    for (const std::string& name : result.readStrings("/model/nodes/name", first, size)) look(name);
  });
  return found;
}

/// Splits a list at its commas; the longest known name that contains commas is kept whole.
std::vector<std::string> splitNodeNames(std::string_view list, const std::vector<std::string>& withComma) {
  std::vector<std::string> names;
  while (true) {
    std::size_t length = std::min(list.find(','), list.size());
    for (const std::string& name : withComma)
      if (name.size() > length && list.starts_with(name) &&
          (list.size() == name.size() || list[name.size()] == ','))
        length = name.size();
    names.emplace_back(list.substr(0, length));
    if (length == list.size()) return names;
    list.remove_prefix(length + 1);
  }
}

/// The requested nodes: groups are replaced by their nodes, each once.
std::vector<std::string> nodesOfRequestedGroups(const H5File& result, const std::vector<std::string>& asked) {
  const auto groups = nodesOfGroups(result);
  std::vector<std::string> names;
  std::unordered_set<std::string> known;
  const auto add = [&](const std::string& name) {
    if (known.insert(name).second) names.push_back(name);
  };
  const auto hasComma = [](const std::string& list) { return list.find(',') != std::string::npos; };
  std::vector<std::string> withComma;
  if (std::any_of(asked.begin(), asked.end(), hasComma)) withComma = namesWithComma(result, groups);
  for (const std::string& list : asked)
    for (const std::string& name : splitNodeNames(list, withComma))
      if (const auto group = groups.find(name); group != groups.end())
        for (const std::string& each : group->second) add(each);
      else
        add(name);
  return names;
}

[[noreturn]] void throwUnknownNode(const H5File& result, const std::string& name) {
  const std::vector<std::string> all = result.readStrings("/model/nodes/name");
  throw RestoreError(fmt::format("{}: there is {}", result.name(), unknownNameMessage("node", name, all)));
}

void readNodeNames(const H5File& result, const std::vector<std::string>& asked, RestoredNodes& found) {
  const std::size_t count = result.rows("/model/nodes/name");
  std::unordered_map<std::string, std::size_t> wanted;
  for (std::size_t i = 0; i < asked.size(); ++i) wanted.emplace(asked[i], i);
  std::vector<NodeIndex> nodes(asked.size(), NodeIndex{-1});
  const bool someHaveNoPlace = asked.empty() && result.exists("/model/nodes/has_place");
  callForEachRowBlock(count, [&](std::size_t first, std::size_t size) {
    const std::vector<std::string> names = result.readStrings("/model/nodes/name", first, size);
    const std::vector<std::uint8_t> placed =
        someHaveNoPlace ? result.readRows<std::uint8_t>("/model/nodes/has_place", first, size).values
                        : std::vector<std::uint8_t>{};
    for (std::size_t i = 0; i < size; ++i) {
      const NodeIndex index{static_cast<int>(first + i)};
      if (asked.empty()) {
        if (someHaveNoPlace && placed[i] == 0) continue;
        found.names.push_back(names[i]);
        found.nodes.push_back(index);
      } else if (const auto at = wanted.find(names[i]); at != wanted.end()) {
        nodes[at->second] = index;
      }
    }
  });
  if (asked.empty()) return;
  for (std::size_t i = 0; i < asked.size(); ++i)
    if (nodes[i].value < 0) throwUnknownNode(result, asked[i]);
  found.names = asked;
  found.nodes = std::move(nodes);
}

void readNodeDofs(const H5File& result, RestoredNodes& found) {
  std::unordered_map<std::int32_t, std::size_t> place;
  for (std::size_t i = 0; i < found.size(); ++i) place.emplace(found.nodes[i].value, i);
  const std::size_t count = result.rows("/model/nodes/name");
  found.dofs.assign(found.size(), {-1, -1, -1, -1, -1, -1});
  callForEachRowBlock(result.rows("/model/dofs/node"), [&](std::size_t first, std::size_t size) {
    const std::vector<std::int32_t> nodes =
        result.readRows<std::int32_t>("/model/dofs/node", first, size).values;
    for (const std::int32_t node : nodes) requireIndexInRange(result, "/model/dofs/node", node, count);
    if (std::none_of(nodes.begin(), nodes.end(), [&](std::int32_t n) { return place.contains(n); })) return;
    const std::vector<std::string> components = result.readStrings("/model/dofs/component", first, size);
    for (std::size_t i = 0; i < size; ++i) {
      const auto at = place.find(nodes[i]);
      if (at == place.end()) continue;
      for (int c = 0; c < kComponents; ++c)
        if (components[i] == componentName(componentOfIndex(c))) {
          found.dofs[at->second][static_cast<std::size_t>(c)] = static_cast<long>(first + i);
          found.rotations |= c > 2;
        }
    }
  });
}

void readNodePositions(const H5File& result, RestoredNodes& found) {
  std::vector<std::size_t> order(found.size());
  for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
  const auto indexOf = [&](std::size_t i) { return static_cast<std::size_t>(found.nodes[i].value); };
  std::sort(order.begin(), order.end(),
            [&](std::size_t a, std::size_t b) { return indexOf(a) < indexOf(b); });
  found.positions.resize(found.size());
  std::size_t next = 0;
  callForEachRowBlock(result.rows("/model/nodes/name"), [&](std::size_t first, std::size_t size) {
    if (next == order.size() || indexOf(order[next]) >= first + size) return;
    const std::vector<double> rows = result.readRows("/model/nodes/position", first, size, {3}).values;
    for (; next < order.size() && indexOf(order[next]) < first + size; ++next)
      found.positions[order[next]] = Vec3::Map(rows.data() + 3 * (indexOf(order[next]) - first));
  });
}

void readElementLines(const H5File& result, RestoredNodes& found) {
  if (!result.exists("/model/lines")) return;
  const std::size_t count = result.rows("/model/nodes/name");
  std::unordered_map<std::int32_t, std::int32_t> place;
  for (std::size_t i = 0; i < found.size(); ++i)
    place.emplace(found.nodes[i].value, static_cast<std::int32_t>(i));
  callForEachRowBlock(result.rows("/model/lines", {2}), [&](std::size_t first, std::size_t size) {
    const std::vector<std::int32_t> ends =
        result.readRows<std::int32_t>("/model/lines", first, size, {2}).values;
    for (const std::int32_t end : ends) requireIndexInRange(result, "/model/lines", end, count);
    for (std::size_t i = 0; i < size; ++i) {
      const auto a = place.find(ends[2 * i]), b = place.find(ends[2 * i + 1]);
      if (a != place.end() && b != place.end()) found.lines.emplace_back(a->second, b->second);
    }
  });
}

}  // namespace

namespace {

using Groups = std::unordered_map<std::string, std::vector<std::string>>;

const std::string* stringValueOfKey(const InputValue& table, std::string_view key) {
  const InputValue* value = table.find(key);
  return value == nullptr ? nullptr : std::get_if<std::string>(&value->content);
}

/// Adds "NAME.0" and "NAME.N", which also name the ends of a beam.
void addNamesOfBeamEnds(const InputValue& beam, Groups& groups) {
  const std::string* name = stringValueOfKey(beam, "name");
  const InputValue* elements = beam.find("elements");
  const auto* count = elements == nullptr ? nullptr : std::get_if<std::int64_t>(&elements->content);
  const InputValue* nodes = beam.find("nodes");
  const InputValue::Array* ends = nodes == nullptr ? nullptr : nodes->array();
  if (name == nullptr || count == nullptr || ends == nullptr || ends->size() != 2) return;
  for (const bool last : {false, true}) {
    const auto* end = std::get_if<std::string>(&(last ? ends->back() : ends->front()).content);
    if (end == nullptr) continue;
    const auto other = groups.find(*end);  // one node is an end of two beams
    const std::string node = other != groups.end() && other->second.size() == 1 ? other->second[0] : *end;
    groups[fmt::format("{}.{}", *name, last ? *count : 0)] = {node};
  }
}

}  // namespace

std::unordered_map<std::string, std::vector<std::string>> nodesOfGroups(const H5File& result) {
  std::unordered_map<std::string, std::vector<std::string>> groups;
  if (result.exists("/model/groups/name")) {
    const std::vector<std::string> names = result.readStrings("/model/groups/name");
    const std::vector<std::string> nodes = result.readStrings("/model/nodes/name");
    const std::string path = "/model/groups/member";
    const std::vector<std::int32_t> members = result.read<std::int32_t>(path, {kAny, 2}).values;
    const auto named = [&](const std::vector<std::string>& all, std::int32_t index) -> const std::string& {
      requireIndexInRange(result, path, index, all.size());
      return all[static_cast<std::size_t>(index)];
    };
    for (std::size_t i = 0; i < members.size(); i += 2)
      groups[named(names, members[i])].push_back(named(nodes, members[i + 1]));
  }
  const Document deck = Document::parse(result.readText("/deck"), result.name() + ":/deck");
  if (const InputValue* beams = deck.root.find("beams"); beams != nullptr && beams->array() != nullptr)
    for (const InputValue& beam : *beams->array()) addNamesOfBeamEnds(beam, groups);
  const InputValue* table = deck.root.find("groups");
  if (table == nullptr || table->table() == nullptr) return groups;
  for (const InputEntry& group : *table->table()) {
    std::vector<std::string>& names = groups[group.key];
    if (const auto* one = std::get_if<std::string>(&group.value.content)) names.push_back(*one);
    if (const InputValue::Array* list = group.value.array())
      for (const InputValue& each : *list)
        if (const auto* name = std::get_if<std::string>(&each.content)) names.push_back(*name);
  }
  return groups;
}

RestoredNodes findNodesByName(const H5File& result, const std::vector<std::string>& names) {
  const bool all = names.empty() || (names.size() == 1 && names.front() == "all");
  RestoredNodes found;
  readNodeNames(result, all ? std::vector<std::string>{} : nodesOfRequestedGroups(result, names), found);
  readNodeDofs(result, found);
  readNodePositions(result, found);
  readElementLines(result, found);
  return found;
}

Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor> modeShapesAtNodes(
    const H5File& result, const RestoredNodes& nodes) {
  struct Row {
    std::size_t dof;
    Eigen::Index place;
  };
  std::vector<Row> rows;
  for (std::size_t i = 0; i < nodes.size(); ++i)
    for (std::size_t c = 0; c < nodes.componentCount(); ++c)
      if (const long dof = nodes.dofs[i][c]; dof >= 0)
        rows.push_back(
            {static_cast<std::size_t>(dof), static_cast<Eigen::Index>(i * nodes.componentCount() + c)});
  std::sort(rows.begin(), rows.end(), [](const Row& a, const Row& b) { return a.dof < b.dof; });

  const std::size_t width = result.rows("/modal/eigenvalue");
  const auto modes = static_cast<Eigen::Index>(width);
  Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor> shapes;
  shapes.setZero(static_cast<Eigen::Index>(nodes.size() * nodes.componentCount()), modes);
  for (std::size_t i = 0; i < rows.size();) {
    std::size_t end = i + 1;  // end of a range of consecutive rows in the file
    while (end < rows.size() && end - i < kBlock && rows[end].dof == rows[end - 1].dof + 1) ++end;
    const std::vector<double> read = result.readRows("/modal/shapes", rows[i].dof, end - i, {width}).values;
    for (std::size_t k = i; k < end; ++k)
      shapes.row(rows[k].place) =
          Eigen::RowVectorXd::Map(read.data() + static_cast<std::size_t>(modes) * (k - i), modes);
    i = end;
  }
  return shapes;
}

}  // namespace ricochet
