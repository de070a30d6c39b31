#include "io/app/plot/plot.hpp"

#include "io/app/batch/plot_batch.hpp"
#include "io/app/commands/commands.hpp"
#include "io/app/commands/shared_options.hpp"
#include "io/quantities/table/quantity.hpp"
#include "io/result/result_target.hpp"

#include <CLI/CLI.hpp>
#include <fmt/core.h>

#include <memory>

namespace ricochet {

namespace {

struct PlotArguments {
  std::filesystem::path result;
  std::optional<std::filesystem::path> output;  // picture, .svg or .png
  bool force{false};
  PlotRequest request;
  bool batch{false};  // true: plots an output of a batch against its parameters
  BatchAxes axes;     // axes of the picture of a batch
};

int plotBatchResult(const PlotArguments& arguments, const PlotRequest& request) {
  if (request.from || request.to) throw PlotError("--from and --to are for histories, not for a batch");
  if (request.quantities.size() > 1) throw PlotError("a picture of a batch shows one output");
  BatchAxes axes = arguments.axes;
  if (!request.quantities.empty()) axes.output = request.quantities.front();
  axes.across = request.abscissa;
  plotBatch(arguments.result, axes, request.picture, request.title);
  fmt::print("{}\n", request.picture.string());
  return kSuccess;
}

int runPlotCommand(const PlotArguments& arguments) {
  PlotRequest request = arguments.request;
  request.picture =
      arguments.output.value_or(std::filesystem::path(arguments.result).replace_extension(".svg"));
  requireFileMayBeWritten(request.picture, OutputKind::picture, arguments.force,
                          inputFilesOf(arguments.result));
  if (arguments.batch) return plotBatchResult(arguments, request);
  if (arguments.axes.up) throw PlotError("-y is for a map of a batch: give --batch");
  if (!arguments.axes.fixed.empty()) throw PlotError("--at is for parameters of a batch: give --batch");
  if (arguments.axes.histogram)
    throw PlotError(
        "--histogram is for an output of a batch: give --batch; histogram(CONTACT, NAME, WINDOW) is for "
        "[statistics]");
  const std::vector<std::string> notes = plotResult(arguments.result, request);
  fmt::print("{}\n", request.picture.string());
  for (const std::string& note : notes) fmt::print("  note: {}\n", note);
  return kSuccess;
}

/// The quantities that can be plotted, in the syntax of expressions.
std::string plottableQuantitiesText() {
  std::string text;
  for (const Quantity& each : allQuantities())
    if (each.isHistory() && each.isAllowedInExpressions())
      text += (text.empty() ? "" : ", ") + syntaxOfQuantity(each);
  return text;
}

}  // namespace

Command addPlotCommand(CLI::App& app) {
  CLI::App* plot = app.add_subcommand("plot", "Draw histories or a phase portrait of a result with gnuplot");
  const auto arguments = std::make_shared<PlotArguments>();
  PlotRequest& request = arguments->request;
  plot->add_option("RESULT", arguments->result, "A result file (.h5)")->required();
  plot->add_option(
      "QUANTITY", request.quantities,
      "What to draw: " + plottableQuantitiesText() +
          ", or a formula of them; without 1|2 the size of a vector. Units have a panel each. Default: the "
          "displacements that move most");
  plot->add_option("-x,--abscissa", request.abscissa,
                   "A quantity on the abscissa instead of time: a phase portrait; of a batch, a parameter");
  plot->add_flag("--batch", arguments->batch,
                 "QUANTITY is an output of a batch: a scatter over a parameter, a map over two, or a "
                 "histogram");
  plot->add_option("-y,--ordinate", arguments->axes.up, "Of a batch: the second parameter of a map");
  plot->add_option("--at", arguments->axes.fixed,
                   "Of a batch: PARAMETER=VALUE fixes one of the other parameters, at a value that its cases "
                   "have; once for each of them")
      ->allow_extra_args(false);
  plot->add_flag("--histogram", arguments->axes.histogram,
                 "Of a batch: how many cases have which value of the output, with mean, deviation and "
                 "quantiles");
  plot->add_option("-o,--output", arguments->output,
                   "Picture, .svg or .png (default: the result's name with .svg)");
  plot->add_flag("-f,--force", arguments->force, "Replace a picture that is already there");
  plot->add_option("-t,--title", request.title, "Title of the picture (default: the study's)");
  plot->add_option("--from", request.from, "First instant [s]");
  plot->add_option("--to", request.to, "Last instant [s]");
  return {plot, [arguments] { return runPlotCommand(*arguments); }};
}

}  // namespace ricochet
