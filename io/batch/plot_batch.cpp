#include "io/batch/plot_batch.hpp"

#include "engine/near_name.hpp"
#include "io/gnuplot.hpp"
#include "io/hdf5.hpp"
#include "io/plot.hpp"
#include "io/target.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

namespace ricochet {
namespace {

/// Index of a name, or of the only name that ends with what is written.
std::size_t indexOf(const std::vector<std::string>& names, const std::string& written,
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

/// The cases that have the output.
struct Cloud {
  std::vector<double> x, y, value;
};

Cloud readCloud(const H5File& file, std::size_t output, std::size_t x, std::optional<std::size_t> y) {
  constexpr std::size_t kMost = 40000;  // more dots than that make no better picture
  const H5Array<double> parameters = file.read("/batch/parameters");
  const H5Array<double> outputs = file.read("/batch/outputs");
  const H5Array<std::uint8_t> defined = file.read<std::uint8_t>("/batch/defined");
  const std::size_t count = parameters.shape[0];
  const std::size_t stride = (count + kMost - 1) / std::max<std::size_t>(kMost, 1);
  Cloud cloud;
  for (std::size_t i = 0; i < count; i += std::max<std::size_t>(stride, 1)) {
    const std::size_t at = i * outputs.shape[1] + output;
    if (defined.values[at] == 0) continue;
    cloud.value.push_back(outputs.values[at]);
    cloud.x.push_back(parameters.values[i * parameters.shape[1] + x]);
    if (y) cloud.y.push_back(parameters.values[i * parameters.shape[1] + *y]);
  }
  return cloud;
}

/// Values that occur, increasing; empty if they are no grid: too many to be cells.
std::vector<double> gridLines(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  values.erase(std::unique(values.begin(), values.end()), values.end());
  constexpr std::size_t kMostCells = 1000;  // of a side: more are finer than dots
  return values.size() > kMostCells ? std::vector<double>{} : values;
}

/// Where the cell of a value ends on a side: half way to its neighbour there, at the rim as far as on the
/// other side.
double edgeOf(const std::vector<double>& lines, std::size_t i, bool upper) {
  if (lines.size() == 1)
    return lines[0] + (upper ? 0.5 : -0.5) * (lines[0] != 0.0 ? std::abs(lines[0]) : 1.0);
  const bool rim = upper ? i + 1 == lines.size() : i == 0;
  const std::size_t neighbour = (upper != rim) ? i + 1 : i - 1;
  const double half = 0.5 * std::abs(lines[neighbour] - lines[i]);
  return upper ? lines[i] + half : lines[i] - half;
}

/// A map: cells that fill it where the cases are a grid, else dots.
void drawMap(std::FILE* out, const Cloud& cloud) {
  fmt::print(out, "set palette defined (0 '#2c3e80', 1 '#4aa3a2', 2 '#f2d16b', 3 '#c0392b')\n");
  const std::vector<double> across = gridLines(cloud.x), up = gridLines(cloud.y);
  // of a grid half of the cells at least are there; cases may have failed
  const bool isGrid = !across.empty() && !up.empty() && 2 * cloud.value.size() >= across.size() * up.size();
  if (!isGrid) {
    fmt::print(out, "plot '-' using 1:2:3 with points pt 7 ps 0.4 lc palette z\n");
    for (std::size_t i = 0; i < cloud.value.size(); ++i)
      fmt::print(out, "{:.7g} {:.7g} {:.7g}\n", cloud.x[i], cloud.y[i], cloud.value[i]);
    return;
  }
  fmt::print(out,
             "set style fill solid noborder\nset autoscale xfix\nset autoscale yfix\n"
             "plot '-' using 1:2:3:4:5:6:7 with boxxyerror fc palette\n");
  const auto place = [](const std::vector<double>& lines, double value) {
    return static_cast<std::size_t>(std::lower_bound(lines.begin(), lines.end(), value) - lines.begin());
  };
  for (std::size_t i = 0; i < cloud.value.size(); ++i) {
    const std::size_t column = place(across, cloud.x[i]), row = place(up, cloud.y[i]);
    fmt::print(out, "{:.9g} {:.9g} {:.9g} {:.9g} {:.9g} {:.9g} {:.7g}\n", cloud.x[i], cloud.y[i],
               edgeOf(across, column, false), edgeOf(across, column, true), edgeOf(up, row, false),
               edgeOf(up, row, true), cloud.value[i]);
  }
}

}  // namespace

void plotBatch(const std::filesystem::path& result, const BatchPlot& plot) {
  requireHdf5(result);
  const H5File file = H5File::open(result);
  if (!file.exists("/batch/outputs"))
    throw PlotError(fmt::format("{}: is the result of a single run, not of a batch", result.string()));
  const auto parameters = file.stringsAttribute("/batch/parameters", "names");
  const auto outputs = file.stringsAttribute("/batch/outputs", "names");
  const std::size_t output = plot.output.empty() ? 0 : indexOf(outputs, plot.output, "output");
  const std::size_t x = plot.across ? indexOf(parameters, *plot.across, "parameter") : 0;
  std::optional<std::size_t> y;
  if (plot.up) y = indexOf(parameters, *plot.up, "parameter");
  if (!plot.across && !plot.up && parameters.size() > 1) y = 1;
  const Cloud cloud = readCloud(file, output, x, y);
  if (cloud.value.empty())
    throw PlotError(fmt::format("{}: no case has the output {}", result.string(), outputs[output]));

  const std::string title = !plot.title.empty() ? plot.title : file.stringAttribute("/", "title");
  Gnuplot gnuplot(plot.picture);
  std::FILE* out = gnuplot.input();
  gnuplot.begin(y ? fmt::format("{}: {}", title, outputs[output]) : title, parameters[x],
                y ? parameters[*y] : outputs[output]);
  fmt::print(out, "unset key\n");
  if (y) {
    drawMap(out, cloud);
  } else {
    fmt::print(out, "plot '-' with points pt 7 ps 0.4 lc rgb '{}'\n", curveColour(0));
    for (std::size_t i = 0; i < cloud.value.size(); ++i)
      fmt::print(out, "{:.7g} {:.7g}\n", cloud.x[i], cloud.value[i]);
  }
  fmt::print(out, "e\n");
  gnuplot.finish();
}

}  // namespace ricochet
