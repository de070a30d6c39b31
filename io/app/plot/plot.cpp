#include "io/app/plot/plot.hpp"

#include "io/app/plot/contact_bands.hpp"
#include "io/app/plot/gnuplot.hpp"
#include "io/app/plot/plot_notes.hpp"
#include "io/app/plot/plot_thinning.hpp"
#include "io/app/plot/rounding.hpp"
#include "io/archive/field_ranges.hpp"
#include "io/archive/time_window.hpp"
#include "io/hdf5/hdf5.hpp"
#include "io/result/target.hpp"
#include "io/text/with_unit.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <iterator>
#include <numeric>
#include <set>
#include <tuple>
#include <utility>

namespace ricochet {
namespace {

/// Names of up to four displacements with the largest range, rotations only after all translations that move.
/// Of many nodes one along each component: neighbours move alike.
std::vector<std::string> displacementsWithLargestRange(const H5File& file) {
  constexpr std::size_t kShown = 4;
  const std::string group = file.exists("/physical/displacement") ? "/physical" : "/direct/physical";
  if (!file.exists(group + "/displacement"))
    throw PlotError("name a quantity: this result holds no displacements");
  const auto nodes = file.readStrings(group + "/node");
  const auto components = file.readStrings(group + "/component");
  const std::vector<ColumnRange> columns =
      columnRanges(file, group + "/displacement", {nodes.size(), components.size()});
  const auto componentOf = [&](std::size_t column) { return components[column % components.size()]; };
  const auto rangeOf = [&](std::size_t column) {  // range including zero, the state of rest
    return std::max(columns[column].high, 0.0) - std::min(columns[column].low, 0.0);
  };
  const auto order = [&](std::size_t column) {
    const bool rests = rangeOf(column) == 0.0;
    return std::tuple(rests, !rests && isRotation(componentOf(column)), -rangeOf(column));
  };
  std::vector<std::size_t> ranked(columns.size());
  std::iota(ranked.begin(), ranked.end(), std::size_t{0});
  std::ranges::stable_sort(ranked, [&](std::size_t a, std::size_t b) { return order(a) < order(b); });
  std::vector<std::string> chosen;
  std::set<std::string> shown;
  for (const std::size_t column : ranked) {
    const bool isNew = shown.insert(componentOf(column)).second || nodes.size() <= kShown;
    if (chosen.empty() || (isNew && chosen.size() < kShown && rangeOf(column) > 0.0))
      chosen.push_back(
          fmt::format("displacement({}, {})", nodes[column / components.size()], componentOf(column)));
  }
  return chosen;
}

/// Label of an axis: "displacement [m]", or only the unit for several quantities.
std::string axisLabel(const std::vector<const Curve*>& panel) {
  const Curve& first = *panel.front();
  const bool isOne =
      std::all_of(panel.begin(), panel.end(), [&](const Curve* c) { return c->quantity == first.quantity; });
  return labelWithUnit(isOne ? first.quantity : "", first.units);
}

/// True for a curve over a quantity that is alone in its panel: the label of the axis is then its name,
/// without a key.
bool isCurveNamedByAxis(const std::vector<const Curve*>& panel, const std::vector<Curve>& abscissae) {
  return panel.size() == 1 && !abscissae.empty();
}

/// Throws unless all curves can share an axis: over time, or over bins of one number.
void requireCommonAbscissa(const std::vector<Curve>& curves, const std::vector<Curve>& abscissae) {
  for (const Curve& curve : curves)
    if (curve.abscissa != curves.front().abscissa ||
        (!abscissae.empty() && curve.abscissa != abscissae.front().abscissa))
      throw PlotError(fmt::format("{} is over {}, and {} over {}: draw a picture of each", curve.label,
                                  curve.abscissa, (abscissae.empty() ? curves : abscissae).front().label,
                                  (abscissae.empty() ? curves : abscissae).front().abscissa));
}

/// The abscissa of a curve, from the run of the curve; null for time.
const Curve* findAbscissaOfCurve(const Curve& curve, const std::vector<Curve>& abscissae) {
  if (abscissae.empty()) return nullptr;
  const auto found =
      std::find_if(abscissae.begin(), abscissae.end(), [&](const Curve& x) { return x.mode == curve.mode; });
  if (found == abscissae.end())
    throw PlotError(fmt::format("{} and {} are not of one run", curve.label, abscissae.front().label));
  return &*found;
}

/// Groups the curves into panels; curves with the same unit share a panel.
std::vector<std::vector<const Curve*>> groupCurvesIntoPanels(const std::vector<Curve>& curves) {
  std::vector<std::vector<const Curve*>> panels;
  for (const Curve& curve : curves) {
    const auto same = std::find_if(panels.begin(), panels.end(),
                                   [&](const auto& panel) { return panel.front()->units == curve.units; });
    if (same != panels.end())
      same->push_back(&curve);
    else
      panels.push_back({&curve});
  }
  return panels;
}

/// Abscissa and ordinate of a curve in the rows that are drawn.
struct Trace {
  const Curve* curve;
  bool isPath;  ///< true: over a quantity, false: over time
  std::vector<double> x, y;
  std::string missed{};  ///< note about peaks between rows, for the key
  bool isNamed{false};   ///< true: the label of the axis names the curve
};

/// Combines rows of the same instant; abscissa and ordinate may have different rows.
Trace combineRowsIntoTrace(const Curve& curve, const Curve* abscissa, const PlotRequest& request) {
  Trace trace{.curve = &curve, .isPath = abscissa != nullptr, .x = {}, .y = {}};
  const TimeWindow window(request.from, request.to, curve.time);
  std::size_t other = 0;
  for (std::size_t i = 0; i < curve.time.size(); ++i) {
    const double t = curve.time[i];
    if (!window.contains(t)) continue;
    if (abscissa != nullptr) {
      while (other < abscissa->time.size() && abscissa->time[other] < t) ++other;
      if (other == abscissa->time.size() || abscissa->time[other] != t) continue;
    }
    trace.x.push_back(abscissa != nullptr ? abscissa->values[other] : t);
    trace.y.push_back(curve.values[i]);
  }
  if (trace.x.empty())
    throw PlotError(fmt::format("{} and {} have no instant in common", curve.label, abscissa->label));
  return trace;
}

/// Extents of the axes of a panel.
struct Extents {
  Extent across, up;
};

Extents extentsOfTraces(const std::vector<Trace>& traces) {
  Extents all;
  for (const Trace& trace : traces)
    for (std::size_t i = 0; i < trace.x.size(); ++i) {
      if (!std::isfinite(trace.x[i]) || !std::isfinite(trace.y[i])) continue;
      all.across.includeValue(trace.x[i]);
      all.up.includeValue(trace.y[i]);
    }
  return all;
}

/// True if both axes have the same unit and therefore the same scale, so that an orbit has its true shape.
bool haveAxesSameUnit(const std::vector<const Curve*>& panel, const std::vector<Curve>& abscissae) {
  return !abscissae.empty() && abscissae.front().units == panel.front()->units;
}

/// Sets a number format of the tics with enough digits to distinguish them.
void writeTicFormat(std::FILE* out, char axis, const Extent& extent) {
  constexpr double kUsual = 6.0, kMost = 17.0, kTics = 10.0;
  const double size = std::max(std::abs(extent.low), std::abs(extent.high));
  const double digits = extent.span() > 0.0 ? 1.0 + std::ceil(std::log10(kTics * size / extent.span())) : 0.0;
  if (digits > kUsual)
    fmt::print(out, "set format {} '%.{}g'\n", axis, static_cast<int>(std::min(digits, kMost)));
  else
    fmt::print(out, "set format {} '%g'\n", axis);
}

/// Rows of a trace that are drawn, piece by piece.
DrawnPieces selectDrawnRows(const Trace& trace, const DotScale& scale) {
  if (trace.curve->style == CurveStyle::marks) return {selectVisibleDots(trace.x, trace.y, scale)};
  if (trace.curve->style != CurveStyle::bars || trace.isPath)
    return trace.isPath ? thinPath(trace.x, trace.y, scale) : thinHistory(trace.x, trace.y, scale);
  DrawnPieces pieces;
  for (std::size_t row = 0; row + 1 < trace.x.size(); row += 2) pieces.push_back({row, row + 1});
  return pieces;
}

/// Style in which gnuplot draws a trace.
std::string_view styleOfTrace(const Trace& trace) {
  if (trace.curve->style == CurveStyle::marks) return "points pt 7 ps 0.5";
  if (trace.curve->style == CurveStyle::bars) return "lines lw 4";
  return trace.curve->style == CurveStyle::steps && !trace.isPath ? "steps lw 2" : "lines lw 2";
}

void writeTraceData(std::FILE* out, const Trace& trace, const DotScale& scale) {
  // an empty line separates the pieces of a curve
  const char* between = "";
  for (const std::vector<std::size_t>& piece : selectDrawnRows(trace, scale)) {
    fmt::print(out, "{}", between);
    between = "\n";
    for (const std::size_t i : piece) fmt::print(out, "{:.15g} {:.15g}\n", trace.x[i], trace.y[i]);
  }
  fmt::print(out, "e\n");
}

/// `entries`: further entries of the key. `colour`: number of the next colour, counted through all panels.
void drawPanel(std::FILE* out, const std::vector<Trace>& traces, const Extents& extents,
               const DotScale& scale, const std::string& entries, std::size_t& colour) {
  writeTicFormat(out, 'x', extents.across);
  writeTicFormat(out, 'y', extents.up);
  const bool areSteps = std::ranges::all_of(
      traces, [](const Trace& each) { return each.curve->style == CurveStyle::steps && !each.isPath; });
  fmt::print(out, "set ytics {}\n", areSteps ? "1" : "autofreq");  // states are whole numbers
  std::string plot = "plot ";
  for (std::size_t i = 0; i < traces.size(); ++i) {
    const Curve& curve = *traces[i].curve;
    const std::string key = !traces[i].missed.empty() ? fmt::format("{} ({})", curve.label, traces[i].missed)
                            : traces[i].isNamed       ? std::string{}
                                                      : curve.label;
    plot += fmt::format("{}'-' with {} {}lc rgb '{}' title {}", i > 0 ? ", " : "", styleOfTrace(traces[i]),
                        curve.mode == Mode::direct && curve.style != CurveStyle::marks ? "dt '-' " : "",
                        curveColour(colour++), gnuplotString(key));
  }
  fmt::print(out, "{}{}\n", plot, entries);
  for (const Trace& trace : traces) writeTraceData(out, trace, scale);
}

/// Adds notes about rows of a curve without a finite value.
void noteRowsWithoutFiniteValue(const Trace& trace, std::vector<std::string>& notes) {
  std::size_t without = 0;
  for (std::size_t i = 0; i < trace.x.size(); ++i)
    if (!std::isfinite(trace.x[i]) || !std::isfinite(trace.y[i])) ++without;
  if (without == trace.x.size())
    throw PlotError(
        fmt::format("{}: no row of what is to be shown holds a finite number", trace.curve->label));
  if (without > 0)
    notes.push_back(fmt::format("{}: {} of {} rows hold no finite number; they are gaps of the curve",
                                trace.curve->label, without, trace.x.size()));
}

/// Time of a curve that --from and --to leave. Without them it goes from the first to the last row.
ShownTime shownTimeInterval(const Curve& curve, const PlotRequest& request) {
  const double first = curve.time.front(), last = curve.time.back();
  return {std::max(request.from.value_or(first), first), std::min(request.to.value_or(last), last)};
}

/// Draws the curves over `abscissae`: empty for time, else one per run. Returns the notes.
std::vector<std::string> drawCurves(Gnuplot& gnuplot, const H5File& file, const std::vector<Curve>& curves,
                                    const std::vector<Curve>& abscissae, const PlotRequest& request,
                                    const std::string& title) {
  std::vector<std::string> notes;
  for (const Curve& abscissa : abscissae)
    std::ranges::move(extremesBetweenRows(file, abscissa, shownTimeInterval(abscissa, request)).notes,
                      std::back_inserter(notes));
  const auto panels = groupCurvesIntoPanels(curves);
  const int count = static_cast<int>(panels.size());
  gnuplot.beginPicture(
      title,
      abscissae.empty() ? curves.front().abscissa : labelWithUnit(*request.abscissa, abscissae[0].units), "",
      count);
  std::FILE* out = gnuplot.inputStream();
  std::size_t colour = 0, drawn = 0;
  for (const auto& panel : panels) {
    std::vector<Trace> traces;
    const bool isNamed = isCurveNamedByAxis(panel, abscissae);
    for (const Curve* curve : panel) {
      Trace& trace =
          traces.emplace_back(combineRowsIntoTrace(*curve, findAbscissaOfCurve(*curve, abscissae), request));
      noteRowsWithoutFiniteValue(trace, notes);
      MissedBetweenRows missed = extremesBetweenRows(file, *curve, shownTimeInterval(*curve, request));
      trace.missed = std::move(missed.brief);
      trace.isNamed = isNamed;
      std::ranges::move(missed.notes, std::back_inserter(notes));
    }
    const Extents extents = extentsOfTraces(traces);
    const bool oneScale = haveAxesSameUnit(panel, abscissae);
    fmt::print(out, "set ylabel {} noenhanced\n",
               gnuplotString(isNamed ? labelWithUnit(panel.front()->label, panel.front()->units)
                                     : axisLabel(panel)));
    if (oneScale)
      gnuplot.setEqualScales(extents.across, extents.up, static_cast<int>(drawn), count);
    else
      gnuplot.setSeparateScales(count);
    const Gnuplot::Size size = gnuplot.panelSize(count);
    const DotScale scale = scaleInDots(extents.across, extents.up, size.width, size.height, oneScale);
    std::string entries;
    const bool hasBands = std::ranges::any_of(panel, [](const Curve* curve) {
      return curve->style == CurveStyle::line || curve->style == CurveStyle::steps;
    });
    if (abscissae.empty() && hasBands) {
      const Extent& time = extents.across;
      entries =
          drawContactPhases(out, contactPhasesOfPanel(file, panel, time.low, time.high), time.low, time.high);
    } else {
      drawContactPhases(out, {}, extents.across.low,
                        extents.across.high);  // removes the bands of the last panel
    }
    drawPanel(out, traces, extents, scale, entries, colour);
    ++drawn;
  }
  return notes;
}

/// Throws unless the interval to plot contains an instant of each curve.
void requireInstantsInInterval(const std::vector<Curve>& curves, const PlotRequest& request) {
  if (request.from && request.to && *request.from > *request.to)
    throw PlotError(fmt::format("--from {} s is after --to {} s", *request.from, *request.to));
  for (const Curve& curve : curves) {
    const TimeWindow window(request.from, request.to, curve.time);
    if (std::ranges::none_of(curve.time, [&](double t) { return window.contains(t); }))
      throw PlotError(
          fmt::format("{}: has no instant in what --from and --to leave; it goes from {} s to {} s",
                      curve.label, curve.time.front(), curve.time.back()));
  }
}

}  // namespace

std::vector<std::string> plotResult(const std::filesystem::path& result, const PlotRequest& request) {
  const H5File file = openRequestedResult(result);
  if (file.exists("/batch/outputs"))
    throw PlotError(fmt::format("{}: is the result of a batch; give --batch", file.name()));
  std::vector<Curve> curves;
  for (const std::string& quantity :
       request.quantities.empty() ? displacementsWithLargestRange(file) : request.quantities)
    for (Curve& curve : readCurves(file, quantity)) curves.push_back(std::move(curve));
  std::vector<std::string> notes;
  RoundingFilter filter(file);
  for (Curve& curve : curves)
    if (std::string note = filter.setRoundingErrorsToZero(curve); !note.empty())
      notes.push_back(std::move(note));
  std::vector<Curve> abscissae;
  if (request.abscissa) abscissae = readCurves(file, *request.abscissa);
  for (Curve& curve : abscissae)
    if (std::string note = filter.setRoundingErrorsToZero(curve); !note.empty())
      notes.push_back(std::move(note));
  requireCommonAbscissa(curves, abscissae);
  for (const Curve& curve : curves) requireCurveRows(file, curve);
  requireInstantsInInterval(curves, request);

  for (const Curve& curve : curves)
    findAbscissaOfCurve(curve, abscissae);  // checks the abscissae before drawing
  const std::string title = !request.title.empty() ? request.title : file.stringAttribute("/", "title");
  Gnuplot gnuplot(request.picture);
  std::ranges::move(drawCurves(gnuplot, file, curves, abscissae, request,
                               title.empty() ? result.filename().string() : title),
                    std::back_inserter(notes));
  gnuplot.finishPicture();
  return notes;
}

}  // namespace ricochet
