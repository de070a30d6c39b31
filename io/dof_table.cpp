#include "io/matrix_file.hpp"
#include "io/text_lines.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <utility>

namespace ricochet {

std::optional<Component> componentNamed(std::string_view text) {
  const std::string name = lowered(text);
  for (int c = 0; c < kComponents; ++c)
    if (name == kComponentNames[static_cast<std::size_t>(c)] || name == std::to_string(c + 1))
      return componentAt(c);
  return std::nullopt;
}

namespace {

using Fields = std::vector<std::string_view>;

/// Columns of a table by the names in its first line.
std::optional<std::vector<std::size_t>> columnsOf(TextLines& lines,
                                                  const std::vector<std::string_view>& wanted) {
  std::string line;
  Fields fields;
  while (lines.next(line)) {
    splitFields(line, fields);
    if (fields.empty() || fields[0].starts_with('#')) continue;
    std::vector<std::size_t> columns;
    for (const std::string_view name : wanted) {
      const auto found =
          std::find_if(fields.begin(), fields.end(), [&](std::string_view f) { return lowered(f) == name; });
      if (found == fields.end()) {
        lines.problem(
            fmt::format("there is no column {}: the first line must name {}", name, fmt::join(wanted, ", ")));
        return std::nullopt;
      }
      columns.push_back(static_cast<std::size_t>(found - fields.begin()));
    }
    return columns;
  }
  lines.problem(fmt::format("is empty: the first line must name {}", fmt::join(wanted, ", ")));
  return std::nullopt;
}

std::optional<Vec3> positionOf(const Fields& fields, std::size_t x, std::size_t y, std::size_t z) {
  if (std::max({x, y, z}) >= fields.size()) return std::nullopt;
  const auto a = realOf(fields[x]), b = realOf(fields[y]), c = realOf(fields[z]);
  return a && b && c ? std::optional(Vec3(*a, *b, *c)) : std::nullopt;
}

void readCalculixDofs(TextLines& lines, std::vector<MatrixRow>& rows) {
  std::string line;
  Fields fields;
  while (lines.next(line)) {
    splitFields(line, fields);
    if (fields.empty()) continue;
    const std::size_t dot = fields[0].rfind('.');
    const auto component =
        dot == std::string_view::npos ? std::nullopt : componentNamed(fields[0].substr(dot + 1));
    if (!component || !integerOf(fields[0].substr(0, dot)))
      return lines.problem("must be a node and its dof, node.dof");
    rows.push_back({std::string(fields[0].substr(0, dot)), *component, std::nullopt});
  }
}

void readTableDofs(TextLines& lines, std::vector<MatrixRow>& rows) {
  const auto columns = columnsOf(lines, {"row", "node", "dof", "x", "y", "z"});
  if (!columns) return;
  const std::vector<std::size_t>& at = *columns;
  std::string line;
  Fields fields;
  while (lines.next(line)) {
    splitFields(line, fields);
    if (fields.empty() || fields[0].starts_with('#')) continue;
    const auto position = positionOf(fields, at[3], at[4], at[5]);
    const bool whole = position && std::max({at[0], at[1], at[2]}) < fields.size();
    const auto row = whole ? integerOf(fields[at[0]]) : std::nullopt;
    const auto component = whole ? componentNamed(fields[at[2]]) : std::nullopt;
    if (!row || !component)
      return lines.problem("must have a row number, a node, a dof (ux ... rz or 1 ... 6) and a position");
    if (*row != static_cast<std::int64_t>(rows.size()) + 1)
      return lines.problem(
          fmt::format("must be row {}: rows count from 1 and follow one another", rows.size() + 1));
    rows.push_back({std::string(fields[at[1]]), *component, position});
  }
}

void readInputNodes(TextLines& lines, std::vector<MeshNode>& nodes) {
  std::string line;
  Fields fields;
  bool inside = false;
  while (lines.next(line)) {
    if (line.starts_with("**") || line.find_first_not_of(" \t") == std::string::npos) continue;
    if (line.starts_with('*')) {
      const std::string card = lowered(line.substr(0, line.find(',')));
      inside = card.substr(0, card.find_last_not_of(" \t") + 1) == "*node";  // not *NODE FILE
      continue;
    }
    if (!inside) continue;
    splitFields(line, fields);
    const auto position = positionOf(fields, 1, 2, 3);
    if (!position || !integerOf(fields[0])) return lines.problem("must be a node and its position x, y, z");
    nodes.push_back({std::string(fields[0]), *position});
  }
}

void readTableNodes(TextLines& lines, std::vector<MeshNode>& nodes) {
  const auto columns = columnsOf(lines, {"node", "x", "y", "z"});
  if (!columns) return;
  std::string line;
  Fields fields;
  while (lines.next(line)) {
    splitFields(line, fields);
    if (fields.empty() || fields[0].starts_with('#')) continue;
    const auto position = positionOf(fields, (*columns)[1], (*columns)[2], (*columns)[3]);
    if (!position || (*columns)[0] >= fields.size())
      return lines.problem("must have a node and its position x, y, z");
    nodes.push_back({std::string(fields[(*columns)[0]]), *position});
  }
}

template <class T>
std::optional<std::vector<T>> ifClean(const TextLines& lines, std::vector<T> read) {
  return lines.isClean() ? std::optional(std::move(read)) : std::nullopt;
}

}  // namespace

std::optional<std::vector<MatrixRow>> readDofTable(const Located<std::filesystem::path>& file,
                                                   Diagnostics& diagnostics) {
  TextLines lines(file, diagnostics);
  std::vector<MatrixRow> rows;
  if (file.value.extension() == ".dof")
    readCalculixDofs(lines, rows);
  else
    readTableDofs(lines, rows);
  return ifClean(lines, std::move(rows));
}

std::optional<std::vector<MeshNode>> readMeshNodes(const Located<std::filesystem::path>& file,
                                                   Diagnostics& diagnostics) {
  TextLines lines(file, diagnostics);
  std::vector<MeshNode> nodes;
  if (file.value.extension() == ".inp")
    readInputNodes(lines, nodes);
  else
    readTableNodes(lines, nodes);
  return ifClean(lines, std::move(nodes));
}

}  // namespace ricochet
