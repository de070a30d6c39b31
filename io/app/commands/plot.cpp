#include "io/app/plot/plot.hpp"

#include "io/app/batch/plot_batch.hpp"
#include "io/app/commands/commands.hpp"
#include "io/result/result_target.hpp"

#include <fmt/core.h>

namespace ricochet {

namespace {

int plotBatchCommand(const PlotArguments& arguments, const std::filesystem::path& picture) {
  if (arguments.from || arguments.to) throw PlotError("--from and --to are for histories, not for a batch");
  if (arguments.quantities.size() > 1) throw PlotError("a picture of a batch shows one output");
  plotBatch(arguments.result, {.output = arguments.quantities.empty() ? "" : arguments.quantities.front(),
                               .across = arguments.abscissa,
                               .up = arguments.ordinate,
                               .fixed = arguments.at,
                               .picture = picture,
                               .title = arguments.title});
  fmt::print("{}\n", picture.string());
  return kSuccess;
}

}  // namespace

int plotCommand(const PlotArguments& arguments) {
  const std::filesystem::path picture =
      arguments.output.value_or(std::filesystem::path(arguments.result).replace_extension(".svg"));
  requireNoInput(picture, {{arguments.result, "the result itself"}});
  if (arguments.batch) return plotBatchCommand(arguments, picture);
  if (arguments.ordinate) throw PlotError("-y is for a map of a batch: give --batch");
  if (!arguments.at.empty()) throw PlotError("--at is for parameters of a batch: give --batch");
  PlotRequest request;
  request.quantities = arguments.quantities;
  request.abscissa = arguments.abscissa;
  request.title = arguments.title;
  request.from = arguments.from;
  request.to = arguments.to;
  request.picture = picture;
  const std::vector<std::string> notes = plotResult(arguments.result, request);
  fmt::print("{}\n", request.picture.string());
  for (const std::string& note : notes) fmt::print("  note: {}\n", note);
  return kSuccess;
}

}  // namespace ricochet
