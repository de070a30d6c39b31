#include "io/matrix_file.hpp"

#include "io/text_lines.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <limits>
#include <map>
#include <utility>

namespace ricochet {
namespace {

using Fields = std::vector<std::string_view>;

constexpr int kMostRows = std::numeric_limits<int>::max() / 2;

/// Which triangle a file gives.
enum class Symmetry { general, symmetric, skew };

void add(ImportedMatrix& matrix, int row, int column, double value, Symmetry symmetry) {
  matrix.size = std::max({matrix.size, row + 1, column + 1});
  if (value == 0.0) return;
  matrix.entries.emplace_back(row, column, value);
  if (row != column && symmetry != Symmetry::general)
    matrix.entries.emplace_back(column, row, symmetry == Symmetry::skew ? -value : value);
}

/// A row or column number from 1, as it counts from 0.
std::optional<int> indexOf(std::string_view text, int size) {
  const std::optional<std::int64_t> written = integerOf(text);
  if (!written || *written < 1 || *written > size) return std::nullopt;
  return static_cast<int>(*written - 1);
}

/// Rows by the dofs that a file names, in the order of their first mention.
class NamedRows {
 public:
  explicit NamedRows(ImportedMatrix& matrix) : matrix_(&matrix) {}
  int of(std::string_view node, Component component) {
    const auto [found, isNew] =
        known_.try_emplace({std::string(node), component}, static_cast<int>(matrix_->rows.size()));
    if (isNew) matrix_->rows.push_back({std::string(node), component, std::nullopt});
    return found->second;
  }

 private:
  ImportedMatrix* matrix_;
  std::map<std::pair<std::string, Component>, int> known_;
};

// Matrix Market

struct MarketHeader {
  bool coordinates{true};
  Symmetry symmetry{Symmetry::general};
  int rows{0};
  std::int64_t entries{0};
};

std::optional<MarketHeader> readMarketHeader(TextLines& lines, const std::string& first) {
  Fields fields;
  const std::string banner = lowered(first);
  splitFields(banner, fields);
  MarketHeader header;
  if (fields.size() != 5 || fields[1] != "matrix" || (fields[2] != "coordinate" && fields[2] != "array") ||
      (fields[3] != "real" && fields[3] != "integer" && fields[3] != "double") ||
      (fields[4] != "general" && fields[4] != "symmetric" && fields[4] != "skew-symmetric")) {
    lines.problem(
        "must be a matrix, coordinate or array, real or integer, general, symmetric or skew-symmetric");
    return std::nullopt;
  }
  header.coordinates = fields[2] == "coordinate";
  if (fields[4] == "symmetric") header.symmetry = Symmetry::symmetric;
  if (fields[4] == "skew-symmetric") header.symmetry = Symmetry::skew;
  std::string line;
  while (lines.next(line)) {
    splitFields(line, fields);
    if (fields.empty() || fields[0].starts_with('%')) continue;
    const bool count = fields.size() == (header.coordinates ? 3u : 2u);
    const auto rows = integerOf(fields[0]);
    const auto columns = count ? integerOf(fields[1]) : std::nullopt;
    const auto entries = count && header.coordinates ? integerOf(fields[2]) : std::optional<std::int64_t>(0);
    if (!rows || !columns || !entries || *rows < 1 || *rows > kMostRows || *rows != *columns) {
      lines.problem("must give the size of a square matrix, and the number of its entries");
      return std::nullopt;
    }
    const std::int64_t most = header.symmetry == Symmetry::general ? *rows * *rows : *rows * (*rows + 1) / 2;
    if (*entries < 0 || *entries > most) {
      lines.problem(
          fmt::format("must give the number of entries that follow, from 0 to {}, got {}", most, *entries));
      return std::nullopt;
    }
    header.rows = static_cast<int>(*rows);
    header.entries = *entries;
    return header;
  }
  lines.problem("the size of the matrix is missing");
  return std::nullopt;
}

void readMarketEntries(TextLines& lines, const MarketHeader& header, ImportedMatrix& matrix) {
  std::string line;
  Fields fields;
  std::int64_t seen = 0;
  // a header may promise more than the file holds
  constexpr std::int64_t kMostReserved = 1'000'000;
  matrix.entries.reserve(static_cast<std::size_t>(std::min(header.entries, kMostReserved)));
  while (lines.next(line)) {
    splitFields(line, fields);
    if (fields.empty() || fields[0].starts_with('%')) continue;
    const auto row = indexOf(fields[0], header.rows);
    const auto column = fields.size() == 3 ? indexOf(fields[1], header.rows) : std::nullopt;
    const auto value = fields.size() == 3 ? realOf(fields[2]) : std::nullopt;
    if (!row || !column || !value)
      return lines.problem(fmt::format("must be a row and a column from 1 to {}, and a number", header.rows));
    if (header.symmetry != Symmetry::general && *column > *row)
      return lines.problem("must be of the lower triangle: the file is said to be symmetric");
    ++seen;
    add(matrix, *row, *column, *value, header.symmetry);
  }
  if (seen != header.entries)
    lines.problem(fmt::format("the file ends after {} of {} entries", seen, header.entries));
}

void readMarketArray(TextLines& lines, const MarketHeader& header, ImportedMatrix& matrix) {
  std::string line;
  Fields fields;
  const auto firstRow = [&](int column) {
    return header.symmetry == Symmetry::general ? 0 : column + (header.symmetry == Symmetry::skew ? 1 : 0);
  };
  int column = 0, row = firstRow(0);
  while (lines.next(line)) {
    splitFields(line, fields);
    if (fields.empty() || fields[0].starts_with('%')) continue;
    const auto value = fields.size() == 1 ? realOf(fields[0]) : std::nullopt;
    if (!value || column >= header.rows) return lines.problem("must be one number, and no more than needed");
    add(matrix, row, column, *value, header.symmetry);
    for (++row; row >= header.rows && column < header.rows;) row = firstRow(++column);
  }
  if (column < header.rows && row < header.rows) lines.problem("the file ends before the matrix");
}

void readMarket(TextLines& lines, const std::string& first, ImportedMatrix& matrix) {
  const std::optional<MarketHeader> header = readMarketHeader(lines, first);
  if (!header) return;
  if (header->coordinates)
    readMarketEntries(lines, *header, matrix);
  else
    readMarketArray(lines, *header, matrix);
  matrix.size = header->rows;
  matrix.tellsSize = true;
}

// plain lines

void readPlainLine(TextLines& lines, const Fields& fields, ImportedMatrix& matrix) {
  const auto row = indexOf(fields[0], kMostRows), column = indexOf(fields[1], kMostRows);
  const auto value = realOf(fields[2]);
  if (!row || !column || !value) return lines.problem("must be a row and a column from 1, and a number");
  add(matrix, *row, *column, *value, Symmetry::symmetric);
}

void readDofLine(TextLines& lines, const Fields& fields, NamedRows& rows, ImportedMatrix& matrix) {
  const auto first = componentNamed(fields[1]), second = componentNamed(fields[3]);
  const auto value = realOf(fields[4]);
  if (!integerOf(fields[0]) || !integerOf(fields[2]) || !first || !second || !value)
    return lines.problem("must be a node, its dof from 1 to 6, a node, its dof, and a number");
  const int row = rows.of(fields[0], *first), column = rows.of(fields[2], *second);
  add(matrix, row, column, *value, Symmetry::symmetric);
}

void readPlain(TextLines& lines, std::string line, ImportedMatrix& matrix) {
  NamedRows rows(matrix);
  Fields fields;
  std::size_t width = 0;
  do {
    splitFields(line, fields);
    if (fields.empty() || fields[0].starts_with("**")) continue;
    if (fields[0].starts_with('*')) continue;  // *MATRIX INPUT and what belongs to it
    if (width == 0) width = fields.size();
    if (fields.size() != width || (width != 3 && width != 5))
      return lines.problem(
          "must be `row column value`, or `node, dof, node, dof, value`, as the first line with numbers is");
    if (width == 3)
      readPlainLine(lines, fields, matrix);
    else
      readDofLine(lines, fields, rows, matrix);
  } while (lines.isClean() && lines.next(line));
}

// Nastran DMIG

/// Fields of a line of bulk data: eight columns each, sixteen after a name with *, or between commas.
void splitBulk(const std::string& line, Fields& fields) {
  fields.clear();
  const std::string_view all(line);
  constexpr std::string_view kBlanks = " \t";
  const auto push = [&](std::string_view text) {
    const std::size_t first = text.find_first_not_of(kBlanks);
    fields.push_back(first == std::string_view::npos
                         ? std::string_view{}
                         : text.substr(first, text.find_last_not_of(kBlanks) + 1 - first));
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

class DmigReader {
 public:
  DmigReader(TextLines& lines, ImportedMatrix& matrix) : lines_(&lines), matrix_(&matrix), rows_(matrix) {}

  void take(const std::string& line) {
    splitBulk(line, fields_);
    if (fields_.empty() || fields_[0].starts_with('$')) return;
    const bool begins = lowered(fields_[0]).starts_with("dmig");
    if (!begins && column_ == -2) return;  // other cards before it
    if (begins && fields_.size() > 2 && fields_[2] == "0") return header();
    if (begins) return column();
    if (fields_[0].empty() || fields_[0] == "*" || fields_[0].starts_with('*') || fields_[0].starts_with('+'))
      return entries(1);
    column_ = -2;  // another card
  }
  bool any() const noexcept { return known_; }

 private:
  /// DMIG name 0 form type ...: form 1 square, 6 symmetric; type 1 or 2 real.
  void header() {
    if (known_) return lines_->problem("the file holds a second matrix: give each a file of its own");
    known_ = true;
    column_ = -1;
    const std::string_view form = fields_.size() > 3 ? fields_[3] : "";
    const std::string_view type = fields_.size() > 4 ? fields_[4] : "";
    if (form != "1" && form != "6") return lines_->problem("the form must be 1 (square) or 6 (symmetric)");
    if (type != "1" && type != "2") return lines_->problem("the type must be 1 or 2 (real)");
    symmetry_ = form == "6" ? Symmetry::symmetric : Symmetry::general;
  }
  /// DMIG name grid component, then grid component value in the same line or those after it.
  void column() {
    if (!known_) return lines_->problem("comes before the header of the matrix (DMIG, name, 0, form, type)");
    const auto component = fields_.size() > 3 ? componentOr(fields_[3]) : std::nullopt;
    if (!component || !integerOf(fields_[2])) return lines_->problem("must be DMIG, name, grid, component");
    column_ = rows_.of(fields_[2], *component);
    // the fifth field is empty
    entries(5);
  }
  void entries(std::size_t first) {
    for (std::size_t i = first; i < fields_.size(); i += 4) {
      if (fields_[i].empty()) continue;
      const auto component = i + 1 < fields_.size() ? componentOr(fields_[i + 1]) : std::nullopt;
      const auto value = i + 2 < fields_.size() ? realOf(fields_[i + 2]) : std::nullopt;
      if (!integerOf(fields_[i]) || !component || !value || column_ < 0)
        return lines_->problem("must be a grid, its component and a number");
      add(*matrix_, rows_.of(fields_[i], *component), column_, *value, symmetry_);
    }
  }
  /// Scalar points have the component 0.
  static std::optional<Component> componentOr(std::string_view text) {
    return text == "0" ? std::optional(Component::ux) : componentNamed(text);
  }

  TextLines* lines_;
  ImportedMatrix* matrix_;
  NamedRows rows_;
  Fields fields_;
  Symmetry symmetry_{Symmetry::general};
  bool known_{false};
  int column_{-2};
};

void readDmig(TextLines& lines, std::string line, ImportedMatrix& matrix) {
  DmigReader reader(lines, matrix);
  do reader.take(line);
  while (lines.isClean() && lines.next(line));
  if (!reader.any()) lines.problem("holds no DMIG");
}

bool isDmig(std::string_view line) {
  const std::string text = lowered(line);
  return text.starts_with("dmig") || text.starts_with("$") || text.starts_with("begin bulk");
}

}  // namespace

std::optional<ImportedMatrix> readMatrixFile(const Located<std::filesystem::path>& file,
                                             Diagnostics& diagnostics) {
  TextLines lines(file, diagnostics);
  ImportedMatrix matrix;
  std::string line;
  if (lines.next(line)) {
    if (lowered(line).starts_with("%%matrixmarket"))
      readMarket(lines, line, matrix);
    else if (isDmig(line))
      readDmig(lines, line, matrix);
    else
      readPlain(lines, line, matrix);
  }
  if (lines.isClean() && matrix.size == 0) lines.problem("holds no entry");
  return lines.isClean() ? std::optional(std::move(matrix)) : std::nullopt;
}

}  // namespace ricochet
