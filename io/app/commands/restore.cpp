#include "io/result/restore.hpp"

#include "io/app/commands/commands.hpp"

#include <fmt/core.h>

#include <algorithm>

namespace ricochet {
namespace {

void readFields(const std::vector<std::string>& names, RestoreRequest& request) {
  for (const std::string& name : names) {
    const auto kind = std::find(kKinematicNames.begin(), kKinematicNames.end(), name);
    if (kind != kKinematicNames.end())
      request.fields.push_back(static_cast<Kinematic>(kind - kKinematicNames.begin()));
    else if (name == "beam_force")
      request.beamForces.force = true;
    else if (name == "beam_elastic_force")
      request.beamForces.elasticForce = true;
    else
      request.reactions = true;  // the command line takes no other name
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
