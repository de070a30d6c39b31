#include "io/formats/csv_file.hpp"

#include "io/formats/foreign_file.hpp"
#include "io/text/input_file.hpp"
#include "io/text/text_lines.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <fstream>
#include <optional>
#include <string_view>
#include <utility>

namespace ricochet {
namespace {

constexpr std::string_view kBlanks = " \t\r";

/// A field of a line and the column at which it begins, from 1.
struct CsvField {
  std::string_view text;
  std::size_t column;
};

void splitCsvLine(std::string_view line, char separator, std::vector<CsvField>& fields) {
  fields.clear();
  const std::string_view ends = separator == ' ' ? kBlanks : std::string_view(&separator, 1);
  for (std::size_t begin = 0; begin <= line.size();) {
    const std::size_t end = endOfUnquotedField(line, begin, ends);
    const std::string_view text = withoutOuterBlanks(line.substr(begin, end - begin));
    const auto blank = static_cast<std::size_t>(
        text.empty() ? 0 : text.data() - line.data() - static_cast<std::ptrdiff_t>(begin));
    if (separator != ' ' || !text.empty()) fields.push_back({text, begin + blank + 1});
    begin = end + 1;
  }
}

/// Index of the # that begins a comment, which is not inside quotes; npos: none.
std::size_t beginOfComment(std::string_view line) {
  bool isInside = false;
  for (std::size_t i = 0; i < line.size(); ++i) {
    if (line[i] == '#' && !isInside) return i;
    if (line[i] == '"') isInside = !isInside;
  }
  return isInside ? line.find('#') : std::string_view::npos;
}

/// The line without what its quotes hold, which separates nothing.
std::string removeQuotedText(std::string_view line) {
  std::string rest;
  bool isInside = false;
  for (const char each : line) {
    if (each == '"') isInside = !isInside;
    if (!isInside) rest += each;
  }
  return isInside ? std::string(line) : rest;
}

/// Separator of the columns. If tabs separate names that contain blanks, the tab is the separator; otherwise
/// tabs count as blanks. With a comma beside each tab, the comma is the separator and the tabs only align.
char columnSeparator(std::string_view header) {
  if (header.find(';') != std::string_view::npos) return ';';
  const bool hasComma = header.find(',') != std::string_view::npos;
  bool alignsCommas = hasComma, separates = false;
  std::vector<CsvField> names;
  splitCsvLine(header, '\t', names);
  for (std::size_t i = 0; i < names.size(); ++i) {
    const std::string_view name = names[i].text;
    if (name.find(' ') != std::string_view::npos) separates = true;
    if (i + 1 < names.size() && !name.ends_with(',')) alignsCommas = false;
  }
  if (names.size() > 1 && separates && !alignsCommas) return '\t';
  return hasComma ? ',' : ' ';
}

/// Reads a file from its first line to its last, or to the first invalid line.
class CsvReader {
 public:
  CsvReader(const Located<std::filesystem::path>& file, const std::vector<Located<std::string>>& names,
            Diagnostics& diagnostics)
      : file_(file), names_(names), diagnostics_(diagnostics) {}

  CsvColumns readCsvFile() {
    columns_.values.resize(names_.size());
    if (const std::optional<std::string> foreign = describeForeignFormatOfFile(file_.value, Wanted::table)) {
      reportColumnProblem(0, *foreign);
      return std::move(columns_);
    }
    std::ifstream stream;
    if (const std::string reason = openInputOrGetReason(file_.value, stream); !reason.empty()) {
      diagnostics_.addProblem(file_.where, file_.path, fmt::format("cannot be read: {}", reason));
      return std::move(columns_);
    }
    bool isSound = true;
    for (std::string line; isSound && std::getline(stream, line);) {
      ++line_;
      std::string_view text = line;
      if (line_ == 1 && text.starts_with("\xEF\xBB\xBF")) text.remove_prefix(3);
      text = text.substr(0, beginOfComment(text));
      if (!withoutOuterBlanks(text).empty()) isSound = hasHeader_ ? readCsvRow(text) : readCsvHeader(text);
    }
    if (isSound && columns_.lines.empty())
      reportColumnProblem(
          0, hasHeader_ ? "holds no row of numbers" : "holds no line with the names of its columns");
    return std::move(columns_);
  }

 private:
  bool readCsvHeader(std::string_view line) {
    hasHeader_ = true;
    separator_ = columnSeparator(removeQuotedText(line));
    splitCsvLine(line, separator_, fields_);
    width_ = fields_.size();
    if (std::all_of(fields_.begin(), fields_.end(),
                    [](const CsvField& f) { return parseReal(f.text).has_value(); }))
      return reportColumnProblem(
          0, "must hold the names of the columns, found numbers only (from # on is a comment)");
    std::vector<std::string> known;
    for (const CsvField& field : fields_) known.push_back(unquotedCsvCell(field.text));
    bool isSound = true;
    for (const Located<std::string>& name : names_) {
      const auto found = std::find(known.begin(), known.end(), name.value);
      wanted_.push_back(static_cast<std::size_t>(found - known.begin()));
      if (const auto count = std::count(known.begin(), known.end(), name.value); count != 1)
        isSound = reportMissingColumn(name, count > 1, known);
    }
    return isSound;
  }

  bool readCsvRow(std::string_view line) {
    splitCsvLine(line, separator_, fields_);
    if (fields_.size() != width_)
      return reportColumnProblem(
          0,
          fmt::format("must hold {} values as there are names of columns, found {}{}", width_, fields_.size(),
                      fields_.size() == 1 ? ": values are separated as the names are" : ""));
    for (std::size_t i = 0; i < wanted_.size(); ++i) {
      const CsvField& field = fields_[wanted_[i]];
      const std::optional<double> number =
          parseReal(withoutOuterBlanks(withoutSurroundingQuotes(field.text)));
      if (!number) return reportInvalidNumber(names_[i].value, field);
      columns_.values[i].push_back(*number);
    }
    columns_.lines.push_back(line_);
    return true;
  }

  bool reportColumnProblem(std::size_t column, std::string problem) {
    SourceLocation place;
    place.file = file_.value.string();
    place.line = line_;
    place.column = static_cast<int>(column);
    diagnostics_.addProblem(std::move(place), file_.path, std::move(problem));
    return false;
  }

  bool reportInvalidNumber(const std::string& name, const CsvField& field) {
    return reportColumnProblem(field.column, name + " " + messageOnInvalidNumber(field.text));
  }

  bool reportMissingColumn(const Located<std::string>& name, bool isAmbiguous,
                           const std::vector<std::string>& known) {
    std::string problem = fmt::format("{} has no column \"{}\"", file_.value.filename().string(), name.value);
    if (isAmbiguous) {
      problem = fmt::format("{} has several columns \"{}\"", file_.value.filename().string(), name.value);
    } else if (const std::string nearest = nearestName(name.value, known); !nearest.empty()) {
      problem += fmt::format("; did you mean \"{}\"?", nearest);
    } else {
      constexpr std::size_t kLongest = 60;
      std::vector<std::string> shown;
      for (const std::string& each : known) shown.push_back(printableExcerpt(each, kLongest));
      problem += fmt::format("; it has {}", joinNames(shown));
    }
    diagnostics_.addProblem(name.where, name.path, std::move(problem));
    return false;
  }

  const Located<std::filesystem::path>& file_;
  const std::vector<Located<std::string>>& names_;
  Diagnostics& diagnostics_;
  CsvColumns columns_;
  std::vector<CsvField> fields_;     // fields of the present line
  std::vector<std::size_t> wanted_;  // index of the column of each requested name
  std::size_t width_{0};
  char separator_{' '};
  bool hasHeader_{false};
  int line_{0};
};

}  // namespace

CsvColumns readCsvColumns(const Located<std::filesystem::path>& file,
                          const std::vector<Located<std::string>>& names, Diagnostics& diagnostics) {
  return CsvReader(file, names, diagnostics).readCsvFile();
}

}  // namespace ricochet
