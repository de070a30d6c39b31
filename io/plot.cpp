#include "io/plot.hpp"

#include "io/gnuplot.hpp"
#include "io/hdf5.hpp"
#include "io/target.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cstdio>
#include <limits>
#include <utility>

namespace ricochet {
namespace {

/// The four displacements with the largest range.
std::vector<std::string> moving(const H5File& file) {
  constexpr std::size_t kShown = 4;
  const std::string group = file.exists("/physical/displacement") ? "/physical" : "/direct/physical";
  if (!file.exists(group + "/displacement"))
    throw PlotError("name a quantity: this result holds no displacements");
  const auto nodes = file.readStrings(group + "/node");
  const auto components = file.readStrings(group + "/component");
  const H5Array<double> data = file.read(group + "/displacement");
  const std::size_t width = nodes.size() * components.size();
  std::vector<std::pair<double, std::string>> ranges;
  for (std::size_t c = 0; c < width; ++c) {
    double low = 0.0, high = 0.0;
    for (std::size_t row = 0; row * width < data.values.size(); ++row) {
      low = std::min(low, data.values[row * width + c]);
      high = std::max(high, data.values[row * width + c]);
    }
    ranges.emplace_back(low - high, fmt::format("displacement({}, {})", nodes[c / components.size()],
                                                components[c % components.size()]));
  }
  std::stable_sort(ranges.begin(), ranges.end(),
                   [](const auto& a, const auto& b) { return a.first < b.first; });
  std::vector<std::string> chosen;
  for (std::size_t i = 0; i < std::min(kShown, ranges.size()); ++i)
    if (ranges[i].first < 0.0 || i == 0) chosen.push_back(ranges[i].second);
  return chosen;
}

/// "displacement [m]", or the unit alone of several quantities.
std::string axisLabel(const std::vector<const Curve*>& panel) {
  const Curve& first = *panel.front();
  const bool isOne =
      std::all_of(panel.begin(), panel.end(), [&](const Curve* c) { return c->quantity == first.quantity; });
  return isOne ? fmt::format("{} [{}]", first.quantity, first.units) : fmt::format("[{}]", first.units);
}

/// Rows of a curve that a picture needs: of every run of rows that falls on one dot, the lowest and the
/// highest.
std::vector<std::size_t> shownRows(const Curve& curve, const PlotRequest& request) {
  constexpr std::size_t kRuns = 1200;  // about one per dot across
  std::vector<std::size_t> rows;
  for (std::size_t i = 0; i < curve.time.size(); ++i)
    if ((!request.from || curve.time[i] >= *request.from) && (!request.to || curve.time[i] <= *request.to))
      rows.push_back(i);
  if (rows.size() <= 2 * kRuns) return rows;
  std::vector<std::size_t> shown;
  const auto lower = [&](std::size_t a, std::size_t b) { return curve.values[a] < curve.values[b]; };
  for (std::size_t run = 0; run < kRuns; ++run) {
    const auto begin = rows.begin() + static_cast<std::ptrdiff_t>(run * rows.size() / kRuns);
    const auto end = rows.begin() + static_cast<std::ptrdiff_t>((run + 1) * rows.size() / kRuns);
    const auto [low, high] = std::minmax_element(begin, end, lower);
    shown.push_back(std::min(*low, *high));
    if (*low != *high) shown.push_back(std::max(*low, *high));
  }
  return shown;
}

void writeData(std::FILE* out, const Curve& curve, const Curve* abscissa, const PlotRequest& request) {
  for (const std::size_t i : shownRows(curve, request))
    fmt::print(out, "{:.7g} {:.7g}\n", abscissa != nullptr ? abscissa->values[i] : curve.time[i],
               curve.values[i]);
  fmt::print(out, "e\n");
}

/// The abscissa of a curve, of the same run; null for time.
const Curve* abscissaOf(const Curve& curve, const std::vector<Curve>& abscissae) {
  if (abscissae.empty()) return nullptr;
  const auto found =
      std::find_if(abscissae.begin(), abscissae.end(), [&](const Curve& x) { return x.mode == curve.mode; });
  if (found == abscissae.end())
    throw PlotError(fmt::format("{} and {} are not of one run", curve.label, abscissae.front().label));
  return &*found;
}

/// Curves of one unit share a panel.
std::vector<std::vector<const Curve*>> panelsOf(const std::vector<Curve>& curves) {
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

double spanOf(const Curve& curve) {
  const auto [low, high] = std::minmax_element(curve.values.begin(), curve.values.end());
  return *high - *low;
}

/// Whether a panel is to show the shape of an orbit. One that is a line to the eye has none.
bool isOrbit(const std::vector<const Curve*>& panel, const std::vector<Curve>& abscissae) {
  constexpr double kFlat = 0.05;
  return std::ranges::all_of(panel, [&](const Curve* curve) {
    const Curve* abscissa = abscissaOf(*curve, abscissae);
    if (abscissa == nullptr || abscissa->units != curve->units) return false;
    const double across = spanOf(*abscissa), up = spanOf(*curve);
    return across > kFlat * up && up > kFlat * across;
  });
}

/// `abscissae`: none for time, else one per run.
void draw(Gnuplot& gnuplot, const std::vector<Curve>& curves, const std::vector<Curve>& abscissae,
          const PlotRequest& request, const std::string& title) {
  const auto panels = panelsOf(curves);
  gnuplot.begin(
      title, abscissae.empty() ? "time [s]" : fmt::format("{} [{}]", *request.abscissa, abscissae[0].units),
      "", static_cast<int>(panels.size()));
  std::FILE* out = gnuplot.input();
  if (panels.size() > 1) fmt::print(out, "set key top center\nset lmargin 12\n");
  std::size_t colour = 0;
  for (const auto& panel : panels) {
    fmt::print(
        out, "set size {}\nset ylabel {} noenhanced\n",
        isOrbit(panel, abscissae) ? "ratio -1\nset xtics rotate by -45" : "noratio\nset xtics norotate",
        gnuplotString(axisLabel(panel)));
    std::string plot = "plot ";
    for (std::size_t i = 0; i < panel.size(); ++i)
      plot += fmt::format("{}'-' with lines lw 2 {}lc rgb '{}' title {}", i > 0 ? ", " : "",
                          panel[i]->mode == Mode::direct ? "dt '-' " : "", curveColour(colour++),
                          gnuplotString(panel[i]->label));
    fmt::print(out, "{}\n", plot);
    for (const Curve* curve : panel) writeData(out, *curve, abscissaOf(*curve, abscissae), request);
  }
  if (panels.size() > 1) fmt::print(out, "unset multiplot\n");
}

/// Part of the history that is to be shown must hold an instant of each curve.
void requireInstants(const std::vector<Curve>& curves, const PlotRequest& request) {
  const double nowhere = std::numeric_limits<double>::infinity();
  const double from = request.from.value_or(-nowhere), to = request.to.value_or(nowhere);
  if (from > to) throw PlotError(fmt::format("--from {} s is after --to {} s", from, to));
  for (const Curve& curve : curves)
    if (std::none_of(curve.time.begin(), curve.time.end(), [&](double t) { return t >= from && t <= to; }))
      throw PlotError(
          fmt::format("{}: has no instant in what --from and --to leave; it goes from {} s to {} s",
                      curve.label, curve.time.front(), curve.time.back()));
}

}  // namespace

void plotResult(const std::filesystem::path& result, const PlotRequest& request) {
  requireHdf5(result);
  const H5File file = H5File::open(result);
  std::vector<Curve> curves;
  for (const std::string& quantity : request.quantities.empty() ? moving(file) : request.quantities)
    for (Curve& curve : readCurves(file, quantity)) curves.push_back(std::move(curve));
  std::vector<Curve> abscissae;
  if (request.abscissa) abscissae = readCurves(file, *request.abscissa);
  if (curves.front().time.empty()) throw PlotError(fmt::format("{}: holds no instant yet", result.string()));
  requireInstants(curves, request);

  for (const Curve& curve : curves) abscissaOf(curve, abscissae);  // before anything is drawn
  const std::string title = !request.title.empty() ? request.title : file.stringAttribute("/", "title");
  Gnuplot gnuplot(request.picture);
  draw(gnuplot, curves, abscissae, request, title.empty() ? result.filename().string() : title);
  gnuplot.finish();
}

}  // namespace ricochet
