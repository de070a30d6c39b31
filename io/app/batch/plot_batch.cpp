#include "io/app/batch/plot_batch.hpp"

#include "io/app/plot/gnuplot.hpp"
#include "io/app/plot/plot.hpp"
#include "io/app/plot/plot_thinning.hpp"
#include "io/hdf5/hdf5.hpp"
#include "io/result/target.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <numeric>
#include <vector>

namespace ricochet {
namespace {

/// Size of a panel relative to the picture, and the overlap of its cells with their neighbours.
struct PanelSize {
  Gnuplot::Size dots;
  double overlap{0.0};  ///< overlap of neighbouring cells [dots]
};

/// A parameter along an axis.
struct ParameterAxis {
  std::vector<double> levels;  ///< values of the parameter, increasing
  /// The axis is logarithmic: the levels form a geometric series, or spread like one.
  bool logarithmic{false};

  double positionOfValue(double value) const { return logarithmic ? std::log(value) : value; }
  double valueAtPosition(double position) const { return logarithmic ? std::exp(position) : position; }

  Extent extentOfAxis() const {
    Extent all;
    for (const double level : levels) all.includeValue(positionOfValue(level));
    return all;
  }
};

/// True if levels over a decade or more are spread evenly in their logarithm, as samples are: their median is
/// nearer to the geometric than to the arithmetic middle of their range.
bool areLevelsSpacedLogarithmically(const std::vector<double>& levels) {
  constexpr std::size_t kSample = 10;
  constexpr double kDecade = 10.0;
  if (levels.size() < kSample || levels.back() < kDecade * levels.front()) return false;
  const double median = std::log(levels[levels.size() / 2]);
  const double geometric = 0.5 * (std::log(levels.front()) + std::log(levels.back()));
  const double arithmetic = std::log(0.5 * (levels.front() + levels.back()));
  return std::abs(median - geometric) < std::abs(median - arithmetic);
}

ParameterAxis axisOfParameterLevels(const std::vector<double>& levels) {
  constexpr double kProportion = 1e-9;
  ParameterAxis axis{levels, levels.size() > 2 && levels.front() > 0.0};
  const double ratio = axis.logarithmic ? levels[1] / levels[0] : 1.0;
  for (std::size_t i = 1; i < levels.size() && axis.logarithmic; ++i)
    axis.logarithmic = std::abs(levels[i] / levels[i - 1] / ratio - 1.0) <= kProportion;
  if (levels.size() > 2 && levels.front() > 0.0 && areLevelsSpacedLogarithmically(levels))
    axis.logarithmic = true;
  return axis;
}

/// Edge of the cell of a level on one side: half way to the neighbour; at the rim, the same distance as on
/// the other side.
double edgeOfMapCell(const ParameterAxis& axis, std::size_t i, bool upper) {
  const std::vector<double>& levels = axis.levels;
  if (levels.size() == 1)
    return levels[0] + (upper ? 0.5 : -0.5) * (levels[0] != 0.0 ? std::abs(levels[0]) : 1.0);
  const bool rim = upper ? i + 1 == levels.size() : i == 0;
  const std::size_t neighbour = (upper != rim) ? i + 1 : i - 1;
  const double middle = axis.positionOfValue(levels[i]);
  const double half = 0.5 * std::abs(axis.positionOfValue(levels[neighbour]) - middle);
  return axis.valueAtPosition(upper ? middle + half : middle - half);
}

/// True if the cases fill a map: at least half of the cells of the grid have a case, failed cases included.
bool doCasesFillGrid(const BatchSelection& cases) {
  // largest number of cells of a side: more cells would be smaller than the dots of the picture
  constexpr std::size_t kMostCells = 1000;
  const std::size_t across = cases.acrossLevels.size(), up = cases.upLevels.size();
  return across <= kMostCells && up <= kMostCells && 2 * cases.cases >= across * up;
}

void writeAxisOfPicture(std::FILE* out, char name, const ParameterAxis& axis) {
  if (axis.logarithmic) fmt::print(out, "set logscale {}\n", name);
}

/// Draws cells over all levels; cells of cases without the output stay empty.
void drawCells(std::FILE* out, const BatchSelection& cases, const PanelSize& size) {
  const ParameterAxis across = axisOfParameterLevels(cases.acrossLevels),
                      up = axisOfParameterLevels(cases.upLevels);
  const auto range = [&](char name, const ParameterAxis& axis) {
    writeAxisOfPicture(out, name, axis);
    fmt::print(out, "set {}range [{:.15g}:{:.15g}]\n", name, edgeOfMapCell(axis, 0, false),
               edgeOfMapCell(axis, axis.levels.size() - 1, true));
  };
  range('x', across);
  range('y', up);
  fmt::print(out,
             "set style fill solid noborder\n"
             "plot '-' using 1:2:3:4:5:6:7 with boxxyerror fc palette\n");
  const auto place = [](const ParameterAxis& axis, double value) {
    return static_cast<std::size_t>(std::lower_bound(axis.levels.begin(), axis.levels.end(), value) -
                                    axis.levels.begin());
  };
  const auto upperEdge = [&](const ParameterAxis& axis, std::size_t i, double dots) {
    const double edge = edgeOfMapCell(axis, i, true);
    if (i + 1 >= axis.levels.size() || size.overlap == 0.0) return edge;
    return axis.valueAtPosition(axis.positionOfValue(edge) +
                                size.overlap * axis.extentOfAxis().span() / dots);
  };
  for (std::size_t i = 0; i < cases.value.size(); ++i) {
    const std::size_t column = place(across, cases.x[i]), row = place(up, cases.y[i]);
    fmt::print(out, "{:.15g} {:.15g} {:.15g} {:.15g} {:.15g} {:.15g} {:.15g}\n", cases.x[i], cases.y[i],
               edgeOfMapCell(across, column, false), upperEdge(across, column, size.dots.width),
               edgeOfMapCell(up, row, false), upperEdge(up, row, size.dots.height), cases.value[i]);
  }
}

/// Indices of the cases to draw as dots, without the dots hidden by others. `ordinate`: ordinate of each
/// case, from `low` to `high`.
std::vector<std::size_t> casesDrawnAsDots(const Gnuplot::Size& size, const ParameterAxis& across,
                                          const std::vector<double>& x, const std::vector<double>& ordinate) {
  std::vector<double> place;
  for (const double value : x) place.push_back(across.positionOfValue(value));
  Extent up;
  for (const double value : ordinate) up.includeValue(value);
  return selectVisibleDots(place, ordinate,
                           scaleInDots(across.extentOfAxis(), up, size.width, size.height, false));
}

/// "travel [m]", for an axis or a colour bar.
std::string outputAxisLabel(const BatchSelection& cases) {
  return cases.unit.empty() ? cases.output : fmt::format("{} [{}]", cases.output, cases.unit);
}

/// Size of the dots, in units of gnuplot: larger dots for fewer cases.
double dotSizeForCases(const BatchSelection& cases) {
  constexpr std::size_t kFew = 2000;
  return cases.value.size() <= kFew ? 0.8 : 0.4;
}

void drawMap(std::FILE* out, const BatchSelection& cases, const PanelSize& size) {
  if (doCasesFillGrid(cases)) return drawCells(out, cases, size);
  const ParameterAxis across = axisOfParameterLevels(cases.acrossLevels),
                      up = axisOfParameterLevels(cases.upLevels);
  writeAxisOfPicture(out, 'x', across);
  writeAxisOfPicture(out, 'y', up);
  fmt::print(out, "plot '-' using 1:2:3 with points pt 7 ps {} lc palette z\n", dotSizeForCases(cases));
  std::vector<double> ordinate;
  for (const double value : cases.y) ordinate.push_back(up.positionOfValue(value));
  for (const std::size_t i : casesDrawnAsDots(size.dots, across, cases.x, ordinate))
    fmt::print(out, "{:.15g} {:.15g} {:.15g}\n", cases.x[i], cases.y[i], cases.value[i]);
}

void drawScatter(std::FILE* out, const BatchSelection& cases, const PanelSize& size) {
  const ParameterAxis across = axisOfParameterLevels(cases.acrossLevels);
  writeAxisOfPicture(out, 'x', across);
  fmt::print(out, "plot '-' with points pt 7 ps {} lc rgb '{}'\n", dotSizeForCases(cases), curveColour(0));
  for (const std::size_t i : casesDrawnAsDots(size.dots, across, cases.x, cases.value))
    fmt::print(out, "{:.15g} {:.15g}\n", cases.x[i], cases.value[i]);
}

/// Quantile of increasing values: the value below which a given share of the values lies, interpolated
/// linearly between the two neighbouring values.
double quantile(const std::vector<double>& sorted, double share) {
  const double place = share * static_cast<double>(sorted.size() - 1);
  const auto below = static_cast<std::size_t>(place);
  const double next = sorted[std::min(below + 1, sorted.size() - 1)];
  return sorted[below] + (place - static_cast<double>(below)) * (next - sorted[below]);
}

/// Mean, deviation and quantiles of an output over the cases of a histogram.
std::string outputStatisticsText(const BatchSelection& cases) {
  std::vector<double> sorted = cases.value;
  std::sort(sorted.begin(), sorted.end());
  const auto count = static_cast<double>(sorted.size());
  const double mean = std::accumulate(sorted.begin(), sorted.end(), 0.0) / count;
  double squares = 0.0;
  for (const double each : sorted) squares += (each - mean) * (each - mean);
  return fmt::format(
      "{} cases: mean {:.4g}, standard deviation {:.4g}; 5 % are below {:.4g}, half below "
      "{:.4g}, 95 % below {:.4g}",
      sorted.size(), mean, sorted.size() > 1 ? std::sqrt(squares / (count - 1.0)) : 0.0,
      quantile(sorted, 0.05), quantile(sorted, 0.5), quantile(sorted, 0.95));
}

/// Draws the number of cases per bin, with 2 n^(1/3) bins of equal width (Rice's rule).
void drawHistogram(std::FILE* out, const BatchSelection& cases) {
  constexpr int kMostBins = 200;
  constexpr double kRounding = 1e-9;  // allowance for the rounding of the cube root: 8 cases give 4 bins
  Extent range;
  for (const double value : cases.value) range.includeValue(value);
  const bool isOneValue = !(range.span() > 0.0);
  const double wanted = 2.0 * std::cbrt(static_cast<double>(cases.value.size())) - kRounding;
  const int bins = isOneValue ? 1 : std::min(static_cast<int>(std::ceil(wanted)), kMostBins);
  const double width =
      isOneValue ? (range.low != 0.0 ? 0.1 * std::abs(range.low) : 1.0) : range.span() / bins;
  const double low = isOneValue ? range.low - 0.5 * width : range.low;
  std::vector<int> counts(static_cast<std::size_t>(bins), 0);
  for (const double value : cases.value)
    ++counts[std::min(static_cast<std::size_t>((value - low) / width), counts.size() - 1)];
  fmt::print(out,
             "set yrange [0:*]\nset style fill solid 0.85 border rgb '#ffffff'\n"
             "plot '-' using 1:2:({:.15g}) with boxes lc rgb '{}'\n",
             width, curveColour(0));
  for (int i = 0; i < bins; ++i)
    fmt::print(out, "{:.15g} {}\n", low + (i + 0.5) * width, counts[static_cast<std::size_t>(i)]);
}

/// Sets one scale of colours for all panels, so that panels can be compared.
void writeColourScale(std::FILE* out, const std::vector<BatchSelection>& panels) {
  Extent values;
  for (const BatchSelection& cases : panels)
    for (const double value : cases.value) values.includeValue(value);
  fmt::print(out, "set palette defined (0 '#2c3e80', 1 '#4aa3a2', 2 '#f2d16b', 3 '#c0392b')\n");
  fmt::print(out, "set cblabel {} noenhanced\n", gnuplotString(outputAxisLabel(panels.front())));
  if (panels.size() > 1 && values.span() > 0.0)
    fmt::print(out, "set cbrange [{:.15g}:{:.15g}]\n", values.low, values.high);
}

/// Text of a panel: the fixed parameters and the number of missing cases.
std::string panelTitle(const BatchSelection& cases) {
  std::string text;
  for (const std::string& each : {cases.fixed, omittedCasesText(cases)})
    if (!each.empty()) text += (text.empty() ? "" : "; ") + each;
  return text;
}

/// Title of the picture: the study; in a second line the output of a map and, for a single panel, its text.
std::string titleOfBatchPicture(const std::string& study, const std::vector<BatchSelection>& panels) {
  const BatchSelection& cases = panels.front();
  if (cases.across.empty()) {
    const std::string shown = panelTitle(cases);
    return fmt::format("{}{}{}{}{}", study, study.empty() ? "" : "\n", shown, shown.empty() ? "" : "; ",
                       outputStatisticsText(cases));
  }
  std::string more = cases.up.empty() && cases.fixed.empty() ? "" : cases.output;
  const std::string shown = panels.size() > 1 ? "" : panelTitle(cases);
  if (!shown.empty()) more += (more.empty() ? "" : "; ") + shown;
  if (study.empty() || more.empty()) return study + more;
  return study + "\n" + more;
}

}  // namespace

void plotBatch(const std::filesystem::path& result, const BatchAxes& axes,
               const std::filesystem::path& picture, const std::string& title) {
  const H5File file = openRequestedResult(result);
  if (!file.exists("/batch/outputs"))
    throw PlotError(fmt::format("{}: is the result of a single run, not of a batch", result.string()));
  const std::vector<BatchSelection> panels = selectCases(file, axes);
  const BatchSelection& first = panels.front();
  if (std::ranges::all_of(panels, [](const BatchSelection& each) { return each.value.empty(); }))
    throw PlotError(fmt::format("{}: no case has the output {}; {}", result.string(), first.output,
                                omittedCasesText(first)));

  Gnuplot gnuplot(picture);
  std::FILE* out = gnuplot.inputStream();
  const int count = static_cast<int>(panels.size());
  const int columns = count == 1 ? 1 : 2;
  const bool isHistogram = axes.histogram;
  gnuplot.beginPicture(
      titleOfBatchPicture(!title.empty() ? title : file.stringAttribute("/", "title"), panels),
      isHistogram ? outputAxisLabel(first) : first.across,
      isHistogram        ? "number of cases"
      : first.up.empty() ? outputAxisLabel(first)
                         : first.up,
      count, columns);
  fmt::print(out, "unset key\n");
  if (count > 1) fmt::print(out, "set xtics rotate by -45\n");
  if (!first.up.empty()) writeColourScale(out, panels);
  const PanelSize size{gnuplot.panelSize(count, columns), gnuplot.isRasterPicture() ? 1.0 : 0.0};
  for (const BatchSelection& cases : panels) {
    if (count > 1) fmt::print(out, "set title {} noenhanced\n", gnuplotString(panelTitle(cases)));
    if (cases.value.empty()) {
      fmt::print(out, "set multiplot next\n");
      continue;
    }
    if (isHistogram)
      drawHistogram(out, cases);
    else if (cases.up.empty())
      drawScatter(out, cases, size);
    else
      drawMap(out, cases, size);
    fmt::print(out, "e\n");
  }
  gnuplot.finishPicture();
}

}  // namespace ricochet
