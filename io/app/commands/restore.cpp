#include "io/result/restore.hpp"

#include "io/app/commands/commands.hpp"
#include "io/quantities/table/quantity.hpp"

#include <fmt/core.h>

namespace ricochet {
namespace {

void readFields(const std::vector<std::string>& names, RestoreRequest& request) {
  for (const std::string& name : names) {
    const QuantitySource& source = quantityToRestore(name)->source;  // the command line takes no other name
    if (const auto* node = std::get_if<OfNode>(&source))
      request.fields.push_back(node->kind);
    else if (std::holds_alternative<OfBeam>(source))
      request.beamForces.force = true;
    else if (std::get<OfRestored>(source) == OfRestored::beamElasticForce)
      request.beamForces.elasticForce = true;
    else
      request.reactions = true;
  }
}

}  // namespace

int restoreCommand(const RestoreArguments& arguments) {
  RestoreRequest request;
  const std::filesystem::path& result = arguments.result;
  request.output = arguments.output.value_or(
      std::filesystem::path(result).replace_filename(result.stem().string() + "-restored.h5"));
  request.force = arguments.force;
  request.nodes = arguments.nodes;
  readFields(arguments.fields, request);
  request.beams = arguments.beams;
  request.absoluteMotion = arguments.absoluteMotion;
  request.times = arguments.times;
  request.from = arguments.from;
  request.to = arguments.to;
  request.every = static_cast<std::size_t>(arguments.every);
  request.xdmf = arguments.xdmf;
  request.progress = !arguments.quiet;
  const RestoreSummary summary = restoreResult(result, request);
  if (!arguments.quiet)
    fmt::print("{}: {} node{}, {} instant{}\n", request.output.string(), summary.nodes,
               summary.nodes == 1 ? "" : "s", summary.instants, summary.instants == 1 ? "" : "s");
  if (!summary.interrupted) return kSuccess;
  fmt::print(stderr, "ricochet: {}: interrupted; {} holds the first {} instants\n", result.string(),
             request.output.string(), summary.instants);
  return kFailure;
}

}  // namespace ricochet
