#include "io/plot.hpp"

#include "io/commands/commands.hpp"

#include <fmt/format.h>

namespace ricochet {

int plotCommand(const PlotArguments& arguments) {
  PlotRequest request;
  request.quantities = arguments.quantities;
  request.abscissa = arguments.abscissa;
  request.title = arguments.title;
  request.from = arguments.from;
  request.to = arguments.to;
  request.picture =
      arguments.output.value_or(std::filesystem::path(arguments.result).replace_extension(".svg"));
  plotResult(arguments.result, request);
  fmt::print("{}\n", request.picture.string());
  return kSuccess;
}

}  // namespace ricochet
