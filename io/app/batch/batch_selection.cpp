#include "io/app/batch/batch_selection.hpp"

#include "engine/numerics/near_name.hpp"
#include "io/app/plot/plot.hpp"
#include "io/hdf5/hdf5.hpp"
#include "io/quantities/batch/variant_outcome.hpp"
#include "io/text/with_unit.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <iterator>
#include <system_error>
#include <tuple>

namespace ricochet {
namespace {

constexpr std::size_t kMostPanels = 12;  // largest number of panels for a third parameter
// value for the axis of a histogram, which has no column
constexpr std::size_t kNoColumn = static_cast<std::size_t>(-1);

/// Index of the column with this name, or of the only column whose name ends with `written`.
std::size_t indexOfNamedColumn(const std::vector<std::string>& names, const std::string& written,
                               std::string_view kind) {
  std::vector<std::size_t> ending;
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (names[i] == written) return i;
    if (names[i].ends_with("." + written)) ending.push_back(i);
  }
  if (ending.size() == 1) return ending.front();
  throw PlotError(fmt::format("{} {} \"{}\"; there are {}", ending.empty() ? "no" : "more than one", kind,
                              written, joinNames(names)));
}

struct ParameterTable {
  std::vector<std::string> names;
  H5Array<double> values;  // cases x parameters

  std::size_t caseCount() const { return values.shape[0]; }
  double valueOfCase(std::size_t i, std::size_t column) const {
    return values.values[i * values.shape[1] + column];
  }
};

/// Distinct values of a column, increasing.
std::vector<double> distinctParameterLevels(const ParameterTable& table,
                                            const std::vector<std::size_t>& cases, std::size_t column) {
  std::vector<double> levels;
  levels.reserve(cases.size());
  for (const std::size_t i : cases) levels.push_back(table.valueOfCase(i, column));
  std::sort(levels.begin(), levels.end());
  levels.erase(std::unique(levels.begin(), levels.end()), levels.end());
  return levels;
}

/// Text of a level in six digits, or in all digits if a neighbouring level has the same text.
std::string parameterLevelText(const std::vector<double>& levels, std::size_t i) {
  const std::string text = fmt::format("{:.6g}", levels[i]);
  const bool isAmbiguous = (i > 0 && fmt::format("{:.6g}", levels[i - 1]) == text) ||
                           (i + 1 < levels.size() && fmt::format("{:.6g}", levels[i + 1]) == text);
  return isAmbiguous ? fmt::format("{}", levels[i]) : text;
}

std::string parameterLevelsText(const std::vector<double>& levels) {
  constexpr std::size_t kShown = 8;
  std::string text;
  for (std::size_t i = 0; i < std::min(levels.size(), kShown); ++i)
    text += fmt::format("{}{}", i > 0 ? ", " : "", parameterLevelText(levels, i));
  if (levels.size() > kShown) text += fmt::format(" ... {}", parameterLevelText(levels, levels.size() - 1));
  return text;
}

/// The level that equals `value`, compared in as many digits as `parameterLevelText` shows.
double levelEqualToValue(const std::vector<double>& levels, double value, const std::string& written,
                         const std::string& name) {
  const auto above =
      static_cast<std::size_t>(std::lower_bound(levels.begin(), levels.end(), value) - levels.begin());
  if (above < levels.size() && levels[above] == value) return value;
  std::vector<std::size_t> nearest;
  if (above > 0) nearest.push_back(above - 1);
  if (above < levels.size()) nearest.push_back(above);
  std::string texts;
  for (const std::size_t i : nearest) {
    const std::string text = parameterLevelText(levels, i);
    double shown = 0.0;
    std::from_chars(text.data(), text.data() + text.size(), shown);
    constexpr double kMatching = 1e-9;
    if (shown == value || std::abs(value - levels[i]) <= kMatching * std::abs(levels[i])) return levels[i];
    texts += (texts.empty() ? "" : " and ") + text;
  }
  throw PlotError(
      fmt::format("--at \"{}\": no case has this value of {}; the nearest {} {}, and there {} {}: {}",
                  written, name, nearest.size() == 1 ? "is" : "are", texts, levels.size() == 1 ? "is" : "are",
                  levels.size(), parameterLevelsText(levels)));
}

/// A parameter that is fixed at a value.
struct Fixed {
  std::size_t column;
  double value;
};

std::vector<Fixed> fixedParametersOfPicture(const ParameterTable& table, const std::vector<std::string>& all,
                                            std::size_t x, std::optional<std::size_t> y) {
  std::vector<std::size_t> every(table.caseCount());
  for (std::size_t i = 0; i < every.size(); ++i) every[i] = i;
  std::vector<Fixed> fixed;
  for (const std::string& written : all) {
    const std::size_t equals = written.rfind('=');
    double value = 0.0;
    const char* const end = written.data() + written.size();
    const std::from_chars_result read = equals == std::string::npos
                                            ? std::from_chars_result{end, std::errc::invalid_argument}
                                            : std::from_chars(written.data() + equals + 1, end, value);
    if (read.ec != std::errc() || read.ptr != end || !std::isfinite(value))
      throw PlotError(fmt::format("--at \"{}\": write PARAMETER=VALUE with a number, for instance {}={}",
                                  written, table.names[0],
                                  table.caseCount() > 0 ? table.valueOfCase(0, 0) : 1.0));
    const std::size_t column = indexOfNamedColumn(table.names, written.substr(0, equals), "parameter");
    if (column == x || column == y)
      throw PlotError(
          fmt::format("--at \"{}\": {} is drawn over; fix another parameter, or choose the axes with "
                      "-x and -y",
                      written, table.names[column]));
    if (std::any_of(fixed.begin(), fixed.end(), [&](const Fixed& f) { return f.column == column; }))
      throw PlotError(fmt::format("--at \"{}\": {} is fixed already", written, table.names[column]));
    fixed.push_back({column, levelEqualToValue(distinctParameterLevels(table, every, column), value, written,
                                               table.names[column])});
  }
  return fixed;
}

/// Indices of the parameters in which cases at one point of the picture differ.
std::vector<std::size_t> parametersHiddenInPicture(const ParameterTable& table,
                                                   std::vector<std::size_t> cases, std::size_t x,
                                                   std::optional<std::size_t> y) {
  const auto place = [&](std::size_t i) {
    return std::tuple(table.valueOfCase(i, x), y ? table.valueOfCase(i, *y) : 0.0);
  };
  std::stable_sort(cases.begin(), cases.end(),
                   [&](std::size_t a, std::size_t b) { return place(a) < place(b); });
  const std::size_t width = table.names.size();
  std::vector<bool> differs(width, false);
  for (std::size_t k = 1; k < cases.size(); ++k) {
    if (place(cases[k]) != place(cases[k - 1])) continue;
    for (std::size_t p = 0; p < width; ++p)
      if (table.valueOfCase(cases[k], p) != table.valueOfCase(cases[k - 1], p)) differs[p] = true;
  }
  std::vector<std::size_t> hidden;
  for (std::size_t p = 0; p < width; ++p)
    if (differs[p]) hidden.push_back(p);
  return hidden;
}

[[noreturn]] void refuseHiddenParameters(const ParameterTable& table, const std::vector<std::size_t>& cases,
                                         std::size_t x, std::optional<std::size_t> y,
                                         const std::vector<std::size_t>& hidden, const std::string& output) {
  std::string others, options;
  for (const std::size_t p : hidden) {
    const std::vector<double> levels = distinctParameterLevels(table, cases, p);
    others +=
        fmt::format("{}{} ({})", others.empty() ? "" : ", ", table.names[p], parameterLevelsText(levels));
    options += fmt::format(" --at \"{}={}\"", table.names[p], parameterLevelText(levels, 0));
  }
  throw PlotError(
      fmt::format("{} over {}{}: several cases have the same place in this picture, and differ in {}; fix "
                  "what is not drawn "
                  "over, for instance{}{}",
                  output, table.names[x], y ? " and " + table.names[*y] : "", others, options,
                  y || table.names.size() < 2 ? "" : ", or draw a map with -y"));
}

/// Reads the values of the selected cases, and counts the cases without a value.
void readValuesOfCases(const H5File& file, const ParameterTable& table, const std::vector<std::size_t>& cases,
                       std::size_t names, std::size_t output, std::size_t x, std::optional<std::size_t> y,
                       BatchSelection& selection) {
  const H5Array<double> outputs = file.read("/batch/outputs", {table.caseCount(), names});
  const H5Array<std::uint8_t> defined = file.read<std::uint8_t>("/batch/defined", {table.caseCount(), names});
  const H5Array<std::int8_t> status = file.read<std::int8_t>("/batch/status", {table.caseCount()});
  selection.cases = cases.size();
  for (const std::size_t i : cases) {
    const auto became = static_cast<VariantStatus>(status.values[i]);
    const std::size_t at = i * outputs.shape[1] + output;
    if (became == VariantStatus::pending) {
      ++selection.pending;
    } else if (became != VariantStatus::complete) {
      ++selection.failed;
    } else if (defined.values[at] == 0 || !std::isfinite(outputs.values[at])) {
      ++selection.without;
    } else {
      selection.x.push_back(table.valueOfCase(i, x));
      if (y) selection.y.push_back(table.valueOfCase(i, *y));
      selection.value.push_back(outputs.values[at]);
    }
  }
}

}  // namespace

std::vector<BatchSelection> selectCases(const H5File& file, const BatchAxes& axes) {
  const std::vector<std::string> names = file.stringsAttribute("/batch/parameters", "names");
  const ParameterTable table{names, file.read("/batch/parameters", {kAny, names.size()})};
  const auto outputs = file.stringsAttribute("/batch/outputs", "names");
  if (outputs.empty()) throw PlotError(fmt::format("{}: this batch has no outputs", file.name()));
  const std::size_t output = axes.output.empty() ? 0 : indexOfNamedColumn(outputs, axes.output, "output");
  std::optional<std::size_t> y;
  if (axes.up) y = indexOfNamedColumn(table.names, *axes.up, "parameter");
  if (!axes.across && !axes.up && table.names.size() > 1) y = 1;
  std::size_t x = y == 0 && table.names.size() > 1 ? 1 : 0;
  if (axes.across) x = indexOfNamedColumn(table.names, *axes.across, "parameter");
  if (y == x) throw PlotError(fmt::format("{} is on both axes; give another one with -x", table.names[x]));
  if (axes.histogram && (axes.across || axes.up))
    throw PlotError("--histogram counts cases, whatever their parameters: leave -x and -y out");

  BatchSelection selection;
  selection.output = outputs[output];
  selection.unit = unitsOfColumns(file, "/batch/outputs")[output];
  const std::vector<std::string> units = unitsOfColumns(file, "/batch/parameters");
  if (!axes.histogram) selection.across = labelWithUnit(table.names[x], units[x]);
  if (!axes.histogram && y) selection.up = labelWithUnit(table.names[*y], units[*y]);
  const std::vector<Fixed> fixed = axes.histogram
                                       ? fixedParametersOfPicture(table, axes.fixed, kNoColumn, std::nullopt)
                                       : fixedParametersOfPicture(table, axes.fixed, x, y);
  for (const Fixed& each : fixed)
    selection.fixed += fmt::format("{}{} = {:.6g}", selection.fixed.empty() ? "at " : ", ",
                                   table.names[each.column], each.value);
  std::vector<std::size_t> cases;
  for (std::size_t i = 0; i < table.caseCount(); ++i)
    if (std::all_of(fixed.begin(), fixed.end(),
                    [&](const Fixed& f) { return table.valueOfCase(i, f.column) == f.value; }))
      cases.push_back(i);
  if (cases.empty())
    throw PlotError(fmt::format("{}: the batch has no case {}", file.name(), selection.fixed));
  const auto hidden =
      axes.histogram ? std::vector<std::size_t>{} : parametersHiddenInPicture(table, cases, x, y);
  const auto valuesOf = [&](BatchSelection panel, const std::vector<std::size_t>& shown) {
    panel.acrossLevels = distinctParameterLevels(table, cases, x);
    if (y) panel.upLevels = distinctParameterLevels(table, cases, *y);
    readValuesOfCases(file, table, shown, outputs.size(), output, x, y, panel);
    return panel;
  };
  if (hidden.empty()) return {valuesOf(selection, cases)};
  const std::size_t third = hidden.front();
  const std::vector<double> levels = distinctParameterLevels(table, cases, third);
  if (!y || hidden.size() > 1 || levels.size() > kMostPanels)
    refuseHiddenParameters(table, cases, x, y, hidden, selection.output);
  std::vector<BatchSelection> panels;
  for (std::size_t i = 0; i < levels.size(); ++i) {
    BatchSelection panel = selection;
    panel.fixed += fmt::format("{}{} = {}", panel.fixed.empty() ? "at " : ", ", table.names[third],
                               parameterLevelText(levels, i));
    std::vector<std::size_t> shown;
    std::ranges::copy_if(cases, std::back_inserter(shown),
                         [&](std::size_t each) { return table.valueOfCase(each, third) == levels[i]; });
    panels.push_back(valuesOf(std::move(panel), shown));
  }
  return panels;
}

std::vector<std::string> unitsOfColumns(const H5File& file, const std::string& dataset) {
  const std::string name = "units_of_" + dataset.substr(dataset.rfind('/') + 1);
  if (file.hasAttribute(dataset, name)) return file.stringsAttribute(dataset, name);
  return std::vector<std::string>(file.stringsAttribute(dataset, "names").size());
}

std::string omittedCasesText(const BatchSelection& selection) {
  std::string text;
  const auto add = [&](std::size_t count, std::string_view what) {
    if (count > 0) text += fmt::format("{}{} {}", text.empty() ? "" : ", ", count, what);
  };
  add(selection.failed, "failed");
  add(selection.without, selection.without == 1 ? "has no such output" : "have no such output");
  add(selection.pending, selection.pending == 1 ? "has not run" : "have not run");
  return text.empty() ? text : fmt::format("left out of {} cases: {}", selection.cases, text);
}

}  // namespace ricochet
