// Reads direct matrix input of Nastran (DMIG), from bulk data or a punch file.

#include "io/formats/matrix_formats.hpp"

#include <fmt/core.h>

#include <algorithm>

namespace ricochet {
namespace {

using BulkFields = std::vector<std::string_view>;

/// Splits a line of bulk data into fields of eight columns, or sixteen after a name with *, or separated by
/// commas.
void splitBulk(const std::string& line, BulkFields& fields) {
  fields.clear();
  const std::string_view all(line);
  constexpr std::string_view kBetween = " \t";
  const auto push = [&](std::string_view text) {
    const std::size_t first = text.find_first_not_of(kBetween);
    fields.push_back(first == std::string_view::npos
                         ? std::string_view{}
                         : text.substr(first, text.find_last_not_of(kBetween) + 1 - first));
  };
  if (line.find(',') != std::string::npos) {
    for (std::size_t begin = 0; begin <= all.size();) {
      const std::size_t end = std::min(all.find(',', begin), all.size());
      push(all.substr(begin, end - begin));
      begin = end + 1;
    }
    return;
  }
  constexpr std::size_t kName = 8;
  const std::size_t width =
      all.substr(0, std::min(kName, all.size())).find('*') != std::string_view::npos ? 16 : 8;
  push(all.substr(0, std::min(kName, all.size())));
  for (std::size_t begin = kName; begin < std::min<std::size_t>(all.size(), 72); begin += width)
    push(all.substr(begin, width));
}

std::string_view fieldOf(const BulkFields& fields, std::size_t i) {
  return i < fields.size() ? fields[i] : std::string_view{};
}

bool isDmigCard(std::string_view card) {
  const std::string name = lowerCase(card);
  return name == "dmig" || name == "dmig*";
}

/// True for `DMIG name 0 form type ...`, which begins a matrix.
bool isDmigHeader(const BulkFields& fields) {
  return !fields.empty() && isDmigCard(fields[0]) && fieldOf(fields, 2) == "0";
}

/// Reads the columns of the matrix with one name.
class DmigReader {
 public:
  DmigReader(TextLines& lines, std::string_view name, MatrixDraft& draft)
      : lines_(&lines), draft_(&draft), name_(name), rows_(draft.matrix.rows) {}

  void takeLine(const std::string& line) {
    splitBulk(line, fields_);
    if (fields_.empty() || fields_[0].starts_with('$')) return;
    if (isDmigCard(fields_[0])) {
      column_ = -1;
      if (fieldOf(fields_, 1) != name_) return;
      return isDmigHeader(fields_) ? readHeader() : readColumn();
    }
    const bool continues = fields_[0].empty() || fields_[0].starts_with('*') || fields_[0].starts_with('+');
    if (!continues) column_ = -1;  // the line begins another card
    if (column_ >= 0) readEntries(1);
  }

 private:
  /// Reads the header: form 1 square, 6 symmetric; type 1 or 2 real.
  void readHeader() {
    if (known_)
      return lines_->problem(fmt::format("the file holds a second matrix \"{}\"", printableText(name_)));
    known_ = true;
    const std::string_view form = fieldOf(fields_, 3), type = fieldOf(fields_, 4);
    if (form != "1" && form != "6") return lines_->problem("the form must be 1 (square) or 6 (symmetric)");
    if (type != "1" && type != "2") return lines_->problem("the type must be 1 or 2 (real)");
    draft_->triangles = form == "6" ? Triangles::asWritten : Triangles::all;
  }

  /// Reads a column: DMIG name grid component, then grid component value in the same line or the following
  /// lines.
  void readColumn() {
    if (!known_) return lines_->problem("comes before the header of the matrix (DMIG, name, 0, form, type)");
    const std::optional<int> found = rowAt(2);
    if (!found) return lines_->problem("must be DMIG, name, grid, component");
    column_ = *found;
    // The fifth field is empty.
    readEntries(5);
  }

  void readEntries(std::size_t first) {
    for (std::size_t i = first; i < fields_.size(); i += 4) {
      if (fields_[i].empty()) continue;
      const std::optional<int> row = rowAt(i);
      const std::string_view number = fieldOf(fields_, i + 2);
      if (!row || number.empty()) return lines_->problem("must be a grid, its component and a number");
      const std::optional<double> value = nastranRealOf(number);
      if (!value) return lines_->problemAt(number, notANumber(number));
      if (*value != 0.0) draft_->entries.notePrinted(number);
      draft_->entries.add(*row, column_, *value, lines_->number());
    }
  }

  /// Row of a grid point and its component; scalar points have the component 0 and no position.
  std::optional<int> rowAt(std::size_t i) {
    const std::string_view grid = fieldOf(fields_, i), component = fieldOf(fields_, i + 1);
    if (!integerOf(grid)) return std::nullopt;
    if (component == "0") return rows_.of(grid, Component::ux, RowPlace::generalized);
    const std::optional<Component> found = componentNamed(component);
    return found ? std::optional(rows_.of(grid, *found)) : std::nullopt;
  }

  TextLines* lines_;
  MatrixDraft* draft_;
  std::string name_;
  NamedRows rows_;
  BulkFields fields_;
  bool known_{false};
  int column_{-1};  ///< column of the present card; -1: a card of another matrix or kind
};

}  // namespace

bool beginsBulkData(std::string_view line) {
  const std::string text = lowerCase(line.substr(0, 1));
  return !text.empty() && (text.front() == '$' || (text.front() >= 'a' && text.front() <= 'z'));
}

void readDmig(TextLines& lines, std::string& line, const Located<std::filesystem::path>& file,
              const MatrixChoice& choice, MatrixDraft& draft, Diagnostics& diagnostics) {
  TextLines names(file, diagnostics);
  std::vector<NamedMatrix> matrices;
  BulkFields fields;
  for (std::string each; names.next(each);) {
    if (each.empty() || (each.front() != 'D' && each.front() != 'd')) continue;
    splitBulk(each, fields);
    if (!isDmigHeader(fields)) continue;
    const std::string_view form = fieldOf(fields, 3);
    matrices.push_back({std::string(fieldOf(fields, 1)), form == "1" || form == "6"});
  }
  if (matrices.empty())
    return lines.problem(
        "holds no DMIG of Nastran (PARAM,EXTOUT,DMIGPCH punches it), nor another form of matrix that is "
        "read: "
        "Matrix Market, lines of `row column value` or of `node, dof, node, dof, value`");
  const std::optional<std::size_t> chosen = chooseMatrix(matrices, choice, file, diagnostics);
  if (!chosen) return;
  draft.matrix.name = matrices[*chosen].name;
  DmigReader reader(lines, draft.matrix.name, draft);
  do reader.takeLine(line);
  while (lines.isClean() && lines.next(line));
}

}  // namespace ricochet
