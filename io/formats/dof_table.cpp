#include "io/formats/dof_table.hpp"

#include "io/formats/foreign_file.hpp"
#include "io/text/input_file.hpp"
#include "io/text/text_lines.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <fstream>
#include <map>
#include <set>
#include <utility>

namespace ricochet {

std::optional<Component> componentWithName(std::string_view text) {
  const std::string name = lowerCase(text);
  for (int c = 0; c < kComponents; ++c)
    if (name == kComponentNames[static_cast<std::size_t>(c)] || name == std::to_string(c + 1))
      return componentOfIndex(c);
  return std::nullopt;
}

namespace {

using TableFields = std::vector<std::string_view>;

/// Splits a line as `splitFields` does, but not inside quotes. A # after a blank begins a comment.
void splitTableFields(std::string_view line, TableFields& fields) {
  fields.clear();
  constexpr std::string_view kEnds = " \t,;";
  for (std::size_t begin = line.find_first_not_of(kEnds); begin != std::string_view::npos;) {
    if (line[begin] == '#' && (begin == 0 || line[begin - 1] == ' ' || line[begin - 1] == '\t')) return;
    const std::size_t end = endOfUnquotedField(line, begin, kEnds);
    fields.push_back(line.substr(begin, end - begin));
    begin = line.find_first_not_of(kEnds, end);
  }
}

/// Text of a number or dof, which may be in quotes.
std::string_view unquotedValue(std::string_view field) {
  return withoutOuterBlanks(withoutSurroundingQuotes(field));
}

/// Index of each named column, from the first line of the table; the last element is the number of columns.
std::optional<std::vector<std::size_t>> indicesOfTableColumns(TextLines& lines,
                                                              const std::vector<std::string_view>& wanted) {
  std::string line;
  TableFields fields;
  while (lines.readNextLine(line)) {
    splitTableFields(line, fields);
    if (fields.empty()) continue;
    std::vector<std::size_t> columns;
    for (const std::string_view name : wanted) {
      const auto found = std::find_if(fields.begin(), fields.end(), [&](std::string_view f) {
        return lowerCase(unquotedValue(f)) == name;
      });
      if (found == fields.end()) {
        lines.reportProblem(
            fmt::format("there is no column {}: the first line must name {}", name, fmt::join(wanted, ", ")));
        return std::nullopt;
      }
      columns.push_back(static_cast<std::size_t>(found - fields.begin()));
    }
    columns.push_back(fields.size());
    return columns;
  }
  lines.reportProblem(fmt::format("is empty: the first line must name {}", fmt::join(wanted, ", ")));
  return std::nullopt;
}

/// Calls take(values in the order of the names) for each row of a table, until the first problem.
template <class Take>
void readTableRows(TextLines& lines, const std::vector<std::string_view>& names, Take&& take) {
  const auto columns = indicesOfTableColumns(lines, names);
  if (!columns) return;
  std::string line;
  TableFields fields, row(names.size());
  while (lines.isFreeOfProblems() && lines.readNextLine(line)) {
    splitTableFields(line, fields);
    if (fields.empty()) continue;
    if (fields.size() != columns->back())
      return lines.reportProblem(fmt::format("must hold {} values as there are names of columns, found {}",
                                             columns->back(), fields.size()));
    for (std::size_t i = 0; i < row.size(); ++i) row[i] = fields[(*columns)[i]];
    take(row);
  }
}

/// Position from the last three values of a row; empty after a problem.
std::optional<Vec3> positionInTableRow(TextLines& lines, const TableFields& row) {
  Vec3 position;
  for (std::size_t c = 0; c < 3; ++c) {
    const std::string_view text = row[row.size() - 3 + c];
    const std::optional<double> value = parseReal(unquotedValue(text));
    if (!value) {
      lines.reportProblemAt(text, messageOnInvalidNumber(text));
      return std::nullopt;
    }
    position[static_cast<Eigen::Index>(c)] = *value;
  }
  return position;
}

/// Splits nodes with a repeated dof into several nodes: each begins where the dof number does not increase.
void splitExpandedNodes(std::vector<MatrixRow>& rows) {
  std::set<std::pair<std::string, Component>> known;
  std::set<std::string> expanded;
  for (const MatrixRow& row : rows)
    if (!known.emplace(row.node, row.component).second) expanded.insert(row.node);
  struct Last {
    int count{0};
    Component component{Component::ux};
  };
  std::map<std::string, Last> last;
  for (MatrixRow& row : rows) {
    if (!expanded.contains(row.node)) continue;
    Last& before = last[row.node];
    if (before.count == 0 || row.component <= before.component) ++before.count;
    before.component = row.component;
    row.origin = row.node;
    row.place = RowPlace::nearNode;
    row.node = fmt::format("{}#{}", row.origin, before.count);
  }
}

void readCalculixDofs(TextLines& lines, std::vector<MatrixRow>& rows) {
  std::string line;
  TableFields fields;
  while (lines.readNextLine(line)) {
    splitFields(line, fields);
    if (fields.empty()) continue;
    const std::size_t dot = fields[0].rfind('.');
    const auto component =
        dot == std::string_view::npos ? std::nullopt : componentWithName(fields[0].substr(dot + 1));
    if (!component || !parseInteger(fields[0].substr(0, dot)))
      return lines.reportProblem("must be a node and its dof, node.dof");
    rows.push_back({std::string(fields[0].substr(0, dot)), *component, std::nullopt});
  }
  splitExpandedNodes(rows);
}

void readTableDofs(TextLines& lines, std::vector<MatrixRow>& rows) {
  readTableRows(lines, {"row", "node", "dof", "x", "y", "z"}, [&](const TableFields& fields) {
    const auto row = parseInteger(unquotedValue(fields[0]));
    const auto component = componentWithName(unquotedValue(fields[2]));
    const std::string node = unquotedCsvCell(fields[1]);
    if (!row || !component || node.empty())
      return lines.reportProblem(
          "must have a row number, a node, a dof (ux ... rz or 1 ... 6) and a position");
    if (*row != static_cast<std::int64_t>(rows.size()) + 1)
      return lines.reportProblem(
          fmt::format("must be row {}: rows count from 1 and follow one another", rows.size() + 1));
    if (const auto position = positionInTableRow(lines, fields)) rows.push_back({node, *component, position});
  });
}

void readTableNodes(TextLines& lines, NodePlaces& places) {
  readTableRows(lines, {"node", "x", "y", "z"}, [&](const TableFields& fields) {
    const auto position = positionInTableRow(lines, fields);
    if (!position) return;
    const auto [known, isNew] = places.positions.emplace(unquotedCsvCell(fields[0]), *position);
    if (!isNew && known->second != *position)
      lines.reportProblemAt(
          fields[0], fmt::format("node {} is given twice, at different places", printableExcerpt(fields[0])));
  });
}

/// The first line of a file that is neither blank nor a comment.
std::string firstContentLineOfFile(const std::filesystem::path& file) {
  std::ifstream stream;
  openInputOrGetReason(file, stream);
  std::string line;
  while (std::getline(stream, line))
    if (const std::size_t begin = line.find_first_not_of(" \t\r");
        begin != std::string::npos && line[begin] != '#')
      return line;
  return {};
}

/// True for "12.3" alone on a line.
bool isDofLine(std::string_view line) {
  TableFields fields;
  splitFields(line, fields);
  if (fields.size() != 1) return false;
  const std::size_t dot = fields[0].rfind('.');
  return dot != std::string_view::npos && parseInteger(fields[0].substr(0, dot)) &&
         parseInteger(fields[0].substr(dot + 1));
}

/// True if the file has a format that is not supported; reports a problem then.
bool isUnsupportedFormat(const Located<std::filesystem::path>& file, Diagnostics& diagnostics) {
  const std::optional<std::string> foreign = describeForeignFormatOfFile(file.value, Wanted::positions);
  if (foreign) diagnostics.addProblem({file.value.string(), 0, 0}, file.path, *foreign);
  return foreign.has_value();
}

}  // namespace

std::optional<std::vector<MatrixRow>> readDofTable(const Located<std::filesystem::path>& file,
                                                   Diagnostics& diagnostics) {
  if (isUnsupportedFormat(file, diagnostics)) return std::nullopt;
  TextLines lines(file, diagnostics);
  std::vector<MatrixRow> rows;
  if (file.value.extension() == ".dof" || isDofLine(firstContentLineOfFile(file.value)))
    readCalculixDofs(lines, rows);
  else
    readTableDofs(lines, rows);
  return lines.isFreeOfProblems() ? std::optional(std::move(rows)) : std::nullopt;
}

bool isAbaqusInputFile(const std::filesystem::path& file) {
  return file.extension() == ".inp" || firstContentLineOfFile(file).starts_with('*');
}

std::optional<NodePlaces> readNodePositionFile(const Located<std::filesystem::path>& file,
                                               Diagnostics& diagnostics) {
  if (isUnsupportedFormat(file, diagnostics)) return std::nullopt;
  NodePlaces places;
  if (!isAbaqusInputFile(file.value)) {
    TextLines lines(file, diagnostics);
    readTableNodes(lines, places);
    return lines.isFreeOfProblems() ? std::optional(std::move(places)) : std::nullopt;
  }
  std::optional<InputModel> model = readAbaqusInputModel(file, diagnostics);
  if (!model) return std::nullopt;
  for (const auto& [number, node] : model->nodes)
    places.positions.emplace(std::to_string(number), node.position);
  for (const auto& [number, which] : model->unclear) places.unclear.emplace(std::to_string(number), which);
  places.missing = model->missing;
  places.model = std::move(model);
  return places;
}

}  // namespace ricochet
