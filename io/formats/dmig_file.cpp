// Reads direct matrix input of Nastran (DMIG), from bulk data or a punch file.

#include "io/formats/bulk_lines.hpp"
#include "io/formats/input_card.hpp"
#include "io/formats/matrix_formats.hpp"

#include <fmt/core.h>

#include <algorithm>

namespace ricochet {
namespace {

using BulkFields = std::vector<std::string_view>;

constexpr std::size_t kDataFields = 8;   ///< fields of a line between its name and its mark of continuation
constexpr std::size_t kLargeFields = 4;  ///< number of fields of a line of large fields, whose name has a *

bool hasLargeBulkFields(std::string_view name) { return name.find('*') != std::string_view::npos; }

/// Splits a line at fixed columns: fields of 8, or 16 after a name with *, up to the mark of continuation in
/// column 73. A tab reaches to the next multiple of 8 columns.
void splitFixedColumns(std::string_view line, BulkFields& fields) {
  constexpr std::size_t kWidth = 8, kMark = 72, kEnd = 80;
  std::size_t begin = 0, column = 0, end = kWidth, width = 0;
  for (std::size_t i = 0; i < line.size(); ++i) {
    if (column >= end) {
      fields.push_back(withoutOuterBlanks(line.substr(begin, i - begin)));
      if (width == 0) width = hasLargeBulkFields(fields[0]) ? 2 * kWidth : kWidth;
      begin = i;
      if (column >= kEnd) return;
      end += column < kMark ? width : kWidth;
    }
    column = line[i] == '\t' ? (column / kWidth + 1) * kWidth : column + 1;
  }
  fields.push_back(withoutOuterBlanks(line.substr(begin)));
}

/// Splits a line of bulk data at fixed columns, or at its commas if it has any. A comment is cut first,
/// because it may have commas too.
void splitBulkDataLine(std::string_view line, BulkFields& fields) {
  fields.clear();
  line = line.substr(0, line.find('$'));
  if (line.find(',') == std::string_view::npos)
    splitFixedColumns(line, fields);
  else
    splitInputDataLine(line, fields);
}

std::string_view fieldAtIndex(const BulkFields& fields, std::size_t i) {
  return i < fields.size() ? fields[i] : std::string_view{};
}

bool doesTextBeginWithLetter(std::string_view text) {
  const std::string first = lowerCase(text.substr(0, 1));
  return !first.empty() && first.front() >= 'a' && first.front() <= 'z';
}

bool isDmigCard(std::string_view card) {
  const std::string name = lowerCase(card);
  return name == "dmig" || name == "dmig*";
}

/// True for `DMIG name 0 form type ...`, which begins a matrix.
bool isDmigHeader(const BulkFields& fields) {
  return !fields.empty() && isDmigCard(fields[0]) && fieldAtIndex(fields, 2) == "0";
}

/// Reads the columns of the matrix with one name.
class DmigReader {
 public:
  DmigReader(BulkLines& lines, std::string_view name, MatrixDraft& draft)
      : lines_(&lines), draft_(&draft), name_(lowerCase(name)), rows_(draft.matrix.rows) {}

  void processLine(const std::string& line) {
    splitBulkDataLine(line, fields_);
    const std::string_view first = fields_[0];
    if (isDmigCard(first)) {
      column_ = -1;
      if (lowerCase(fieldAtIndex(fields_, 1)) != name_) return;
      return isDmigHeader(fields_) ? readDmigHeader() : readDmigColumn();
    }
    if (doesTextBeginWithLetter(first)) column_ = -1;  // the line begins another card
    if (column_ < 0) return;
    if (!first.empty() && first.front() != '*' && first.front() != '+')
      return lines_->reportProblemAt(first,
                                     fmt::format("is no card, and continues none: lines that go on with a "
                                                 "column begin with a blank, + or *, got \"{}\"",
                                                 printableExcerpt(first)));
    if (!continuesLastDmigLine()) return;
    readDmigEntries(1);
  }

 private:
  /// Reads the header: form 1 square, 6 symmetric; type 1 or 2 real.
  void readDmigHeader() {
    if (known_)
      return lines_->reportProblem(
          fmt::format("the file holds a second matrix \"{}\"", printableExcerpt(name_)));
    known_ = true;
    const std::string_view form = fieldAtIndex(fields_, 3), type = fieldAtIndex(fields_, 4);
    if (form != "1" && form != "6")
      return lines_->reportProblem("the form must be 1 (square) or 6 (symmetric)");
    if (type != "1" && type != "2") return lines_->reportProblem("the type must be 1 or 2 (real)");
    draft_->triangles = form == "6" ? Triangles::asWritten : Triangles::all;
    draft_->namesTriangles = true;
  }

  /// Reads a column: DMIG name grid component, then grid component value in the same line or the following
  /// lines.
  void readDmigColumn() {
    if (!known_)
      return lines_->reportProblem("comes before the header of the matrix (DMIG, name, 0, form, type)");
    const std::optional<int> found = rowOfFields(2);
    if (!found) return lines_->reportProblem("must be DMIG, name, grid, component");
    column_ = *found;
    // The fifth field is empty.
    readDmigEntries(5);
  }

  /// False after a problem: a continuation that the line before it does not name belongs elsewhere.
  bool continuesLastDmigLine() {
    const std::string_view mark = fields_[0];
    if (mark.size() < 2 || mark_.size() < 2 || lowerCase(mark.substr(1)) == mark_.substr(1)) return true;
    lines_->reportProblemAt(mark,
                            fmt::format("continues another line than the one before it, which has the mark "
                                        "\"{}\": put it behind that line",
                                        printableExcerpt(mark_)));
    return false;
  }

  /// Reads the entries of a line, from one of its fields to the mark of continuation.
  void readDmigEntries(std::size_t first) {
    const std::size_t end = 1 + (hasLargeBulkFields(fields_[0]) ? kLargeFields : kDataFields);
    mark_ = lowerCase(fieldAtIndex(fields_, end));
    for (std::size_t i = end + 1; i < fields_.size(); ++i)
      if (!fields_[i].empty())
        return lines_->reportProblemAt(
            fields_[i], fmt::format("a line has {} fields and a mark of continuation behind its name: "
                                    "what follows them belongs in a line that continues it",
                                    end - 1));
    for (std::size_t i = first; i < std::min(end, fields_.size()) && lines_->isFreeOfProblems(); i += 4)
      readDmigEntry(i);
  }

  /// Reads a grid, its component, the value and its imaginary part, which a real matrix does not have.
  void readDmigEntry(std::size_t i) {
    const std::string_view number = fieldAtIndex(fields_, i + 2), imaginary = fieldAtIndex(fields_, i + 3);
    if (fields_[i].empty() && fieldAtIndex(fields_, i + 1).empty() && number.empty() && imaginary.empty())
      return;
    const std::optional<int> row = rowOfFields(i);
    if (!row || number.empty()) return lines_->reportProblem("must be a grid, its component and a number");
    const std::optional<double> value = parseNastranReal(number);
    if (!value) return lines_->reportProblemAt(number, messageOnInvalidNumber(number));
    if (!imaginary.empty() && parseNastranReal(imaginary) != 0.0)
      return lines_->reportProblemAt(
          imaginary,
          fmt::format("must be empty, because the matrix is real, got \"{}\"", printableExcerpt(imaginary)));
    if (*value != 0.0) draft_->entries.recordPrintedDigits(number);
    draft_->entries.add(*row, column_, *value, {static_cast<int>(lines_->file()), lines_->lineNumber()});
  }

  /// Row of a grid point and its component; scalar points have the component 0 or none, and no position.
  std::optional<int> rowOfFields(std::size_t i) {
    const std::string_view grid = fieldAtIndex(fields_, i), component = fieldAtIndex(fields_, i + 1);
    if (!parseInteger(grid)) return std::nullopt;
    const bool isScalar = component.empty() || component == "0";
    const std::optional<Component> found = isScalar ? Component::ux : componentWithName(component);
    if (!found) return std::nullopt;
    const RowPlace place = isScalar ? RowPlace::generalized : RowPlace::atNode;
    const int row = rows_.rowOfNodeComponent(grid, *found, place);
    // A point is a grid point or a scalar one: with both, two dofs would become one row.
    if (draft_->matrix.rows[static_cast<std::size_t>(row)].place != place) return std::nullopt;
    return row;
  }

  BulkLines* lines_;
  MatrixDraft* draft_;
  std::string name_;  ///< in lower case
  std::string mark_;  ///< mark of continuation of the last line read, in lower case
  NamedRows rows_;
  BulkFields fields_;
  bool known_{false};
  int column_{-1};  ///< column of the present card; -1: a card of another matrix or kind
};

}  // namespace

bool doesLineBeginBulkData(std::string_view line) {
  const std::string_view text = withoutOuterBlanks(line);
  return text.starts_with('$') || doesTextBeginWithLetter(text);
}

void readDmig(const Located<std::filesystem::path>& file, const MatrixChoice& choice, MatrixDraft& draft,
              Diagnostics& diagnostics) {
  BulkLines lines(file, diagnostics);
  std::vector<NamedMatrix> matrices;
  BulkFields fields;
  std::string line;
  while (lines.readNextLine(line)) {
    if (!lowerCase(withoutOuterBlanks(line).substr(0, 4)).starts_with("dmig")) continue;
    splitBulkDataLine(line, fields);
    if (!isDmigHeader(fields)) continue;
    const std::string_view form = fieldAtIndex(fields, 3);
    matrices.push_back({std::string(fieldAtIndex(fields, 1)), form == "1" || form == "6"});
  }
  if (!lines.isFreeOfProblems()) return;
  if (matrices.empty())
    return lines.reportProblem(
        "holds no DMIG of Nastran (PARAM,EXTOUT,DMIGPCH punches it), nor another form of matrix that is "
        "read: "
        "Matrix Market, lines of `row column value` or of `node, dof, node, dof, value`");
  const std::optional<std::size_t> chosen = indexOfChosenMatrix(matrices, choice, file, diagnostics);
  if (!chosen) return;
  draft.matrix.name = matrices[*chosen].name;
  BulkLines again(file, diagnostics);
  DmigReader reader(again, draft.matrix.name, draft);
  while (again.isFreeOfProblems() && again.readNextLine(line)) reader.processLine(line);
  draft.matrix.files = again.files();
}

}  // namespace ricochet
