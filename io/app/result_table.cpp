#include "io/app/result_table.hpp"

#include "engine/numerics/near_name.hpp"
#include "io/app/batch/batch_selection.hpp"
#include "io/archive/read_curve.hpp"
#include "io/archive/time_window.hpp"
#include "io/hdf5/hdf5.hpp"
#include "io/result/target.hpp"
#include "io/text/with_unit.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cstdint>

namespace ricochet {
namespace {

/// A text as a field of CSV: in quotes where it holds a comma or a quote (RFC 4180).
std::string csvField(const std::string& text) {
  if (text.find_first_of(",\"\n") == std::string::npos) return text;
  std::string quoted = "\"";
  for (const char c : text) quoted += c == '"' ? std::string("\"\"") : std::string(1, c);
  return quoted + '"';
}

/// True if two histories have the same rows. Instants of two runs differ by the rounding of their steps.
bool haveSameInstants(const std::vector<double>& one, const std::vector<double>& other) {
  const auto isSame = [&](double a, double b) { return TimeWindow(b, b, other).contains(a); };
  return one == other || std::ranges::equal(one, other, isSame);
}

/// Throws PlotError unless the rows of a history are those of the first one.
void requireSameInstants(const Curve& first, const Curve& curve) {
  if (haveSameInstants(first.time, curve.time)) return;
  throw PlotError(fmt::format("{} and {} are not archived at the same instants: {}", first.label, curve.label,
                              first.mode == curve.mode
                                  ? "ask for a table of each"
                                  : "both runs have those that [output] interval or times of the deck give"));
}

std::vector<Curve> readRequestedCurves(const H5File& file, const TableRequest& request) {
  if (request.quantities.empty())
    throw PlotError("name a quantity: ricochet manual quantities lists what a run can be asked for");
  std::vector<Curve> curves;
  for (const std::string& quantity : request.quantities)
    for (Curve& curve : readCurves(file, quantity)) curves.push_back(std::move(curve));
  for (const Curve& curve : curves) requireSameInstants(curves.front(), curve);
  requireCurveRows(file, curves.front());
  return curves;
}

/// Numbers of the rows that a request keeps.
std::vector<std::size_t> indicesOfRequestedRows(const std::vector<double>& time,
                                                const TableRequest& request) {
  if (request.from && request.to && *request.from > *request.to)
    throw PlotError(fmt::format("--from {} s is after --to {} s", *request.from, *request.to));
  const TimeWindow window(request.from, request.to, time);
  std::vector<std::size_t> kept;
  std::size_t within = 0;
  for (std::size_t row = 0; row < time.size(); ++row)
    if (window.contains(time[row]) && within++ % request.every == 0) kept.push_back(row);
  if (kept.empty())
    throw PlotError(
        fmt::format("no archived instant lies in what --from and --to leave; they go from {} s to {} s",
                    time.front(), time.back()));
  return kept;
}

std::vector<double> valuesAtRows(const std::vector<double>& values, const std::vector<std::size_t>& rows) {
  std::vector<double> of;
  of.reserve(rows.size());
  for (const std::size_t row : rows) of.push_back(values[row]);
  return of;
}

/// Numbers of the columns with these names; of all columns if no name is given.
std::vector<std::size_t> indicesOfNamedColumns(const std::vector<std::string>& names,
                                               const std::vector<std::string>& wanted) {
  std::vector<std::size_t> columns;
  for (std::size_t i = 0; wanted.empty() && i < names.size(); ++i) columns.push_back(i);
  for (const std::string& each : wanted) {
    const auto found = std::find(names.begin(), names.end(), each);
    if (found == names.end())
      throw PlotError(fmt::format("this batch has no output \"{}\"; it has {}", each, joinNames(names)));
    columns.push_back(static_cast<std::size_t>(found - names.begin()));
  }
  return columns;
}

}  // namespace

ResultTable::ResultTable(const std::filesystem::path& result, const TableRequest& request) {
  const H5File file = openRequestedResult(result);
  if (!file.exists("/batch/outputs")) {
    const std::vector<Curve> curves = readRequestedCurves(file, request);
    const std::vector<std::size_t> kept = indicesOfRequestedRows(curves.front().time, request);
    rows_ = kept.size();
    columns_.push_back({curves.front().abscissa, valuesAtRows(curves.front().time, kept)});
    for (const Curve& curve : curves)
      columns_.push_back({labelWithUnit(curve.label, curve.units), valuesAtRows(curve.values, kept)});
    return;
  }
  if (request.from || request.to || request.every != 1)
    throw PlotError("--from, --to and --every are for histories; the table of a batch has a row per case");
  const H5Array<std::int8_t> status = file.read<std::int8_t>("/batch/status", {kAny});
  rows_ = status.values.size();
  Column cases{"case", {}}, outcomes{"status", {}};
  const auto words = file.valueNames("/batch/status");
  for (std::size_t i = 0; i < rows_; ++i) {
    cases.words.push_back(std::to_string(i));
    const auto word = std::ranges::find(words, std::int64_t{status.values[i]},
                                        [](const auto& each) { return each.second; });
    outcomes.words.push_back(word == words.end() ? "unknown" : word->first);
  }
  columns_.push_back(std::move(cases));
  const auto add = [&](const char* dataset, const std::vector<std::string>& wanted) {
    const std::vector<std::string> names = file.stringsAttribute(dataset, "names");
    const std::vector<std::string> units = unitsOfColumns(file, dataset);
    for (const std::size_t column : indicesOfNamedColumns(names, wanted))
      columns_.push_back({labelWithUnit(names[column], units[column]),
                          file.readColumn(dataset, rows_, {names.size()}, column)});
  };
  add("/batch/parameters", {});
  columns_.push_back(std::move(outcomes));
  add("/batch/outputs", request.quantities);
}

void ResultTable::writeCsv(std::FILE* out) const {
  const char* between = "";
  for (const Column& column : columns_) {
    fmt::print(out, "{}{}", between, csvField(column.head));
    between = ",";
  }
  fmt::print(out, "\n");
  for (std::size_t row = 0; row < rows_; ++row) {
    between = "";
    for (const Column& column : columns_) {
      if (column.words.empty())
        fmt::print(out, "{}{}", between, column.values[row]);
      else
        fmt::print(out, "{}{}", between, column.words[row]);
      between = ",";
    }
    fmt::print(out, "\n");
  }
}

}  // namespace ricochet
