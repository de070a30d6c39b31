#include "io/formats/matrix_file.hpp"

#include "io/formats/foreign_file.hpp"
#include "io/formats/input_card.hpp"
#include "io/formats/matrix_formats.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <limits>
#include <utility>

namespace ricochet {
namespace {

using Fields = std::vector<std::string_view>;

constexpr std::int64_t kMostMarketEntries = 1'000'000'000'000;
constexpr int kMostMatrixRows = std::numeric_limits<int>::max() / 2;

/// Index from 0 of a row or column number from 1; empty if invalid.
std::optional<int> indexOfNumberFromOne(std::string_view text, int size) {
  const std::optional<std::int64_t> written = parseInteger(text);
  if (!written || *written < 1 || *written > size) return std::nullopt;
  return static_cast<int>(*written - 1);
}

/// Reads the value of an entry; empty after a problem.
std::optional<double> readEntryValue(TextLines& lines, std::string_view text, MatrixDraft& draft) {
  const std::optional<double> value = parseReal(text);
  if (!value)
    lines.reportProblemAt(text, messageOnInvalidNumber(text));
  else if (*value != 0.0)
    draft.entries.recordPrintedDigits(text);
  return value;
}

// ---- format: Matrix Market ----

struct MarketHeader {
  bool coordinates{true};
  Triangles triangles{Triangles::all};
  int rows{0};
  std::int64_t entries{0};
};

std::optional<MarketHeader> readMatrixMarketHeader(TextLines& lines, const std::string& first) {
  Fields fields;
  const std::string banner = lowerCase(first);
  splitFields(banner, fields);
  MarketHeader header;
  if (fields.size() != 5 || fields[1] != "matrix" || (fields[2] != "coordinate" && fields[2] != "array") ||
      (fields[3] != "real" && fields[3] != "integer" && fields[3] != "double") ||
      (fields[4] != "general" && fields[4] != "symmetric" && fields[4] != "skew-symmetric")) {
    lines.reportProblem(
        "must be a matrix, coordinate or array, real or integer, general, symmetric or skew-symmetric");
    return std::nullopt;
  }
  header.coordinates = fields[2] == "coordinate";
  if (fields[4] == "symmetric") header.triangles = Triangles::one;
  if (fields[4] == "skew-symmetric") header.triangles = Triangles::skew;
  std::string line;
  while (lines.readNextLine(line)) {
    splitFields(line, fields);
    if (fields.empty() || fields[0].starts_with('%')) continue;
    const bool count = fields.size() == (header.coordinates ? 3u : 2u);
    const auto rows = parseInteger(fields[0]);
    const auto columns = count ? parseInteger(fields[1]) : std::nullopt;
    const auto entries =
        count && header.coordinates ? parseInteger(fields[2]) : std::optional<std::int64_t>(0);
    if (!rows || !columns || !entries || *rows < 1 || *rows > kMostMatrixRows || *rows != *columns) {
      lines.reportProblem("must give the size of a square matrix, and the number of its entries");
      return std::nullopt;
    }
    // Repeated entries are added up, so that a small matrix may have many.
    if (*entries < 0 || *entries > kMostMarketEntries) {
      lines.reportProblem(fmt::format("must give the number of entries that follow, from 0 to {}, got {}",
                                      kMostMarketEntries, *entries));
      return std::nullopt;
    }
    header.rows = static_cast<int>(*rows);
    header.entries = *entries;
    return header;
  }
  lines.reportProblem("the size of the matrix is missing");
  return std::nullopt;
}

void readMatrixMarketEntries(TextLines& lines, const MarketHeader& header, MatrixDraft& draft) {
  std::string line;
  Fields fields;
  std::int64_t seen = 0;
  // Limit of the reserved memory, because a header may announce more entries than the file has.
  constexpr std::int64_t kMostReserved = 1'000'000;
  draft.entries.reserve(static_cast<std::size_t>(std::min(header.entries, kMostReserved)));
  while (lines.readNextLine(line)) {
    splitFields(line, fields);
    if (fields.empty() || fields[0].starts_with('%')) continue;
    const auto row = indexOfNumberFromOne(fields[0], header.rows);
    const auto column = fields.size() == 3 ? indexOfNumberFromOne(fields[1], header.rows) : std::nullopt;
    if (!row || !column)
      return lines.reportProblem(
          fmt::format("must be a row and a column from 1 to {}, and a number", header.rows));
    const auto value = readEntryValue(lines, fields[2], draft);
    if (!value) return;
    if (header.triangles != Triangles::all && *column > *row)
      return lines.reportProblem("must be of the lower triangle: the file is said to be symmetric");
    ++seen;
    draft.entries.add(*row, *column, *value, {0, lines.lineNumber()});
  }
  if (seen < header.entries)
    lines.reportProblem(fmt::format("the file ends after {} of {} entries", seen, header.entries));
  if (seen > header.entries)
    lines.reportProblem(
        fmt::format("the file holds {} entries, and its first line says {}", seen, header.entries));
}

void readMatrixMarketArray(TextLines& lines, const MarketHeader& header, MatrixDraft& draft) {
  std::string line;
  Fields fields;
  const auto firstRow = [&](int column) {
    return header.triangles == Triangles::all ? 0 : column + (header.triangles == Triangles::skew ? 1 : 0);
  };
  int column = 0, row = firstRow(0);
  while (lines.readNextLine(line)) {
    splitFields(line, fields);
    if (fields.empty() || fields[0].starts_with('%')) continue;
    if (fields.size() != 1 || column >= header.rows)
      return lines.reportProblem("must be one number, and no more than needed");
    const auto value = readEntryValue(lines, fields[0], draft);
    if (!value) return;
    draft.entries.add(row, column, *value, {0, lines.lineNumber()});
    for (++row; row >= header.rows && column < header.rows;) row = firstRow(++column);
  }
  if (column < header.rows && row < header.rows) lines.reportProblem("the file ends before the matrix");
}

void readMatrixMarket(TextLines& lines, const std::string& first, MatrixDraft& draft) {
  const std::optional<MarketHeader> header = readMatrixMarketHeader(lines, first);
  if (!header) return;
  draft.triangles = header->triangles;
  draft.namesTriangles = true;
  draft.sums = true;  // repeated entries are added, as in every other reader of the format
  if (header->coordinates)
    readMatrixMarketEntries(lines, *header, draft);
  else
    readMatrixMarketArray(lines, *header, draft);
  draft.matrix.size = header->rows;
  draft.matrix.tellsSize = true;
}

// ---- formats: lines of row, column and value, or of node, dof, node, dof and value ----

class LineReader {
 public:
  LineReader(TextLines& lines, MatrixDraft& draft, std::string wanted)
      : lines_(lines), draft_(draft), wanted_(std::move(wanted)), rows_(draft.matrix.rows) {}

  /// Reads a line, and the lines in which a keyword line goes on, which are appended.
  void processMatrixLine(std::string& line) {
    splitFields(line, fields_);
    if (fields_.empty() || isAbaqusComment(fields_[0])) return;
    if (isAbaqusKeywordLine(fields_[0])) {
      if (appendContinuationLines(line, lines_)) processKeywordLine(parseInputCard(line));
      return;
    }
    if (!isWanted_) return;
    if (width_ == 0) width_ = fields_.size();
    if (fields_.size() != width_ || (width_ != 3 && width_ != 5))
      return lines_.reportProblem(
          "must be `row column value`, or `node, dof, node, dof, value`, as the first line with numbers is");
    if (width_ == 3)
      readLineOfMatrixRow();
    else
      readLineOfMatrixEntry();
  }

 private:
  /// Reads a card *MATRIX INPUT, NAME=K, TYPE=SYMMETRIC, SCALE FACTOR=1.0.
  void processKeywordLine(const InputCard& card) {
    if (card.name != "*matrixinput" && card.name != "*matrixassemble")
      return lines_.reportProblem(
          fmt::format("{} gives no matrix: these are lines of *MATRIX INPUT", printableExcerpt(card.name)));
    if (card.name != "*matrixinput") return;
    if (!card.optionValue("input").empty())
      return lines_.reportProblem("names another file with INPUT: give that one as the matrix");
    isWanted_ = wanted_.empty() || card.optionValue("name") == wanted_;
    if (!isWanted_) return;
    if (wasWanted_)
      return lines_.reportProblem("begins a second matrix: give each a name, or a file of its own");
    wasWanted_ = true;
    const std::string type = lowerCase(card.optionValue("type"));
    if (type.starts_with("uns")) draft_.triangles = Triangles::all;
    draft_.namesTriangles = true;  // without a type Abaqus takes the matrix as symmetric
    if (const std::string_view scale = card.optionValue("scalefactor"); !scale.empty()) {
      const std::optional<double> factor = parseReal(scale);
      if (!factor || *factor == 0.0)
        return lines_.reportProblem("SCALE FACTOR must be a number that is not 0");
      scale_ = *factor;
    }
  }

  void readLineOfMatrixRow() {
    const auto row = indexOfNumberFromOne(fields_[0], kMostMatrixRows),
               column = indexOfNumberFromOne(fields_[1], kMostMatrixRows);
    if (!row || !column)
      return lines_.reportProblem(
          "must be a row and a column from 1, and a number; Abaqus names its nodes with FORMAT=MATRIX INPUT");
    add(*row, *column, fields_[2]);
  }

  void readLineOfMatrixEntry() {
    const auto row = rowOfFieldPair(0), column = rowOfFieldPair(2);
    if (!row || !column)
      return lines_.reportProblem("must be a node, its dof from 1 to 6, a node, its dof, and a number");
    add(*row, *column, fields_[4]);
  }

  /// Row of a node and dof. Internal nodes of Abaqus have negative numbers and any dof.
  std::optional<int> rowOfFieldPair(std::size_t field) {
    const auto node = parseInteger(fields_[field]), number = parseInteger(fields_[field + 1]);
    const auto component = componentWithName(fields_[field + 1]);
    if (!node) return std::nullopt;
    if (*node > 0)
      return component ? std::optional(rows_.rowOfNodeComponent(fields_[field], *component)) : std::nullopt;
    if (component) return rows_.rowOfNodeComponent(fields_[field], *component, RowPlace::nowhere);
    if (!number) return std::nullopt;
    return rows_.rowOfNodeComponent(fmt::format("{}:{}", *node, *number), Component::ux, RowPlace::nowhere);
  }

  void add(int row, int column, std::string_view number) {
    const std::optional<double> value = readEntryValue(lines_, number, draft_);
    if (value) draft_.entries.add(row, column, scale_ * *value, {0, lines_.lineNumber()});
  }

  TextLines& lines_;
  MatrixDraft& draft_;
  std::string wanted_;  // name of the requested matrix; empty: the only matrix of the file
  NamedRows rows_;
  Fields fields_;
  std::size_t width_{0};
  double scale_{1.0};
  bool isWanted_{true}, wasWanted_{false};
};

/// Names of the matrices of a file with several *MATRIX INPUT.
std::vector<NamedMatrix> namesOfMatrixInputs(const Located<std::filesystem::path>& file,
                                             Diagnostics& diagnostics) {
  TextLines lines(file, diagnostics);
  std::vector<NamedMatrix> names;
  for (std::string line; lines.readNextLine(line);)
    if (isAbaqusKeywordLine(line) && appendContinuationLines(line, lines))
      if (const InputCard card = parseInputCard(line); card.name == "*matrixinput")
        names.push_back({std::string(card.optionValue("name")), true});
  return names;
}

void readMatrixLines(TextLines& lines, std::string& line, const Located<std::filesystem::path>& file,
                     const MatrixChoice& choice, MatrixDraft& draft, Diagnostics& diagnostics) {
  while (isAbaqusComment(line) && lines.readNextLine(line)) {
  }
  std::string wanted;
  if (isAbaqusKeywordLine(line) && parseInputCard(line).name == "*matrixinput") {
    const std::vector<NamedMatrix> names = namesOfMatrixInputs(file, diagnostics);
    if (names.size() > 1 || !choice.name.empty()) {
      const std::optional<std::size_t> chosen = indexOfChosenMatrix(names, choice, file, diagnostics);
      if (!chosen) return;
      wanted = names[*chosen].name;
    }
  }
  draft.matrix.name = wanted;
  LineReader reader(lines, draft, wanted);
  do reader.processMatrixLine(line);
  while (lines.isFreeOfProblems() && lines.readNextLine(line));
}

}  // namespace

int NamedRows::rowOfNodeComponent(std::string_view node, Component component, RowPlace place) {
  const auto [found, isNew] =
      known_.try_emplace({std::string(node), component}, static_cast<int>(rows_->size()));
  if (isNew) rows_->push_back({std::string(node), component, std::nullopt, place, {}});
  return found->second;
}

std::optional<std::size_t> indexOfChosenMatrix(const std::vector<NamedMatrix>& matrices,
                                               const MatrixChoice& choice,
                                               const Located<std::filesystem::path>& file,
                                               Diagnostics& diagnostics) {
  const auto refuse = [&](const std::string& problem) {
    diagnostics.addProblem(file.where, file.path, file.value.string() + " " + problem);
    return std::nullopt;
  };
  std::vector<std::string> all;
  std::vector<std::size_t> square, fitting;
  const std::string initial = lowerCase(std::string_view(&choice.initial, 1));
  for (std::size_t i = 0; i < matrices.size(); ++i) {
    const std::string name = lowerCase(matrices[i].name);
    all.push_back(printableExcerpt(matrices[i].name));
    if (!choice.name.empty()) {
      if (name == lowerCase(choice.name)) fitting.push_back(i);
      continue;
    }
    if (!matrices[i].isSquare) continue;
    square.push_back(i);
    // K4 is structural damping, not stiffness.
    if (name.starts_with(initial) && !name.starts_with("k4")) fitting.push_back(i);
  }
  if (fitting.size() == 1) return fitting.front();
  const std::string known = fmt::format("{}", fmt::join(all, ", "));
  const std::string remedy = "name the one meant, names = { stiffness = ..., mass = ... }";
  if (!choice.name.empty())
    return refuse(fitting.empty() ? fmt::format("holds no matrix \"{}\"; it has {}", choice.name, known)
                                  : fmt::format("holds several matrices \"{}\"", choice.name));
  if (square.empty()) return refuse(fmt::format("holds no square matrix (form 1 or 6); it has {}", known));
  if (square.size() > 1 || fitting.size() > 1)
    return refuse(fmt::format("holds the matrices {}: {}", known, remedy));
  const std::string only = lowerCase(matrices[square.front()].name);
  if (!only.empty() && std::string_view("kmb").find(only.front()) != std::string_view::npos)
    return refuse(
        fmt::format("holds the matrix {} only, which by its name is another one than is asked for; if "
                    "it is right, {}",
                    matrices[square.front()].name, remedy));
  return square.front();
}

std::optional<ImportedMatrix> readMatrixFile(const Located<std::filesystem::path>& file,
                                             const MatrixChoice& choice, Diagnostics& diagnostics) {
  if (const std::optional<std::string> foreign = describeForeignFormatOfFile(file.value, Wanted::matrix)) {
    diagnostics.addProblem({file.value.string(), 0, 0}, file.path, *foreign);
    return std::nullopt;
  }
  TextLines lines(file, diagnostics);
  MatrixDraft draft;
  const std::size_t before = diagnostics.size();
  std::string line;
  bool any = lines.readNextLine(line);
  while (any && line.find_first_not_of(" \t") == std::string::npos) any = lines.readNextLine(line);
  if (any) {
    if (lowerCase(line).starts_with("%%matrixmarket"))
      readMatrixMarket(lines, line, draft);
    else if (doesLineBeginBulkData(line))
      readDmig(file, choice, draft, diagnostics);
    else
      readMatrixLines(lines, line, file, choice, draft, diagnostics);
  }
  if (diagnostics.size() != before || !lines.isFreeOfProblems()) return std::nullopt;
  if (!choice.name.empty() && draft.matrix.name.empty()) {
    diagnostics.addProblem(file.where, file.path,
                           fmt::format("{} holds one matrix, without a name: leave \"{}\" out of `names`",
                                       file.value.string(), choice.name));
    return std::nullopt;
  }
  draft.matrix.size = std::max(draft.matrix.size, draft.entries.size());
  if (draft.matrix.size == 0) lines.reportProblem("holds no entry");
  draft.matrix.rounding = draft.entries.largestRelativeRounding();
  if (const auto fault = draft.entries.combineTriangles(draft.triangles, choice.symmetric, draft.sums,
                                                        draft.matrix.entries)) {
    const auto at = static_cast<std::size_t>(fault->place.file);
    const std::string path = (at < draft.matrix.files.size() ? draft.matrix.files[at] : file.value).string();
    diagnostics.addProblem({path, fault->place.line, 0}, file.path, fault->text);
  }
  draft.matrix.takenAsSymmetric = !draft.namesTriangles && draft.entries.hasAddedMirrorImages();
  return diagnostics.size() == before ? std::optional(std::move(draft.matrix)) : std::nullopt;
}

}  // namespace ricochet
