#include "io/result/restore.hpp"

#include "io/app/commands/commands.hpp"
#include "io/app/commands/shared_options.hpp"
#include "io/quantities/table/quantity.hpp"
#include "io/result/restored_xdmf.hpp"
#include "io/text/counted.hpp"

#include <CLI/CLI.hpp>
#include <fmt/core.h>

#include <memory>

namespace ricochet {
namespace {

void readFieldsToRestore(const std::vector<std::string>& names, RestoreRequest& request) {
  for (const std::string& name : names) {
    // the command line has already rejected other names
    const QuantitySource& source = findQuantityToRestore(name)->source;
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

std::vector<std::string> restoredFields() {
  const auto names = quantityNames([](const Quantity& each) { return each.isRestoredField(); });
  return {names.begin(), names.end()};
}

/// List of fields with meanings: "displacement (displacement of nodes), ...".
std::string describeRestoredFields(const std::vector<std::string>& fields) {
  std::string text;
  for (const std::string& each : fields)
    text += fmt::format("{}{} ({})", text.empty() ? "" : ", ", each, findQuantityToRestore(each)->meaning);
  return text;
}

struct RestoreArguments {
  std::filesystem::path result;
  std::optional<std::filesystem::path> output;
  bool quiet{false};
  std::vector<std::string> fields{"displacement"};
  RestoreRequest request;
};

int restoreHistories(const RestoreArguments& arguments) {
  const std::filesystem::path& result = arguments.result;
  RestoreRequest request = arguments.request;
  request.output = arguments.output.value_or(
      std::filesystem::path(result).replace_filename(result.stem().string() + "-restored.h5"));
  request.progress = !arguments.quiet;
  readFieldsToRestore(arguments.fields, request);
  const RestoreSummary summary = restoreHistoriesOfResult(result, request);
  if (!arguments.quiet)
    fmt::print("{}: {}, {}\n", request.output.string(), numberWithNoun(summary.nodes, "node"),
               numberWithNoun(summary.instants, "instant"));
  if (!arguments.quiet && request.xdmf)
    fmt::print(
        "{}: for ParaView: open it with \"XDMF Reader\" (not \"Xdmf3\"), then Filters, \"Warp By Vector\"\n",
        xdmfFileOf(request.output).string());
  if (!summary.interrupted) return kSuccess;
  fmt::print(stderr, "ricochet: {}: interrupted; {} holds the first {} instants\n", result.string(),
             request.output.string(), summary.instants);
  return kFailure;
}

/// Makes CLI11 accept a name in brackets such as "[x]" as a name. CLI11 reads the name as a list unless extra
/// arguments are off; without them, an option still accepts several words if a number of words is expected.
void acceptBracketedNames(CLI::Option& option) {
  constexpr int kMostWords = 1'000'000;
  option.expected(1, kMostWords)->allow_extra_args(false);
}

}  // namespace

Command addRestoreCommand(CLI::App& app) {
  CLI::App* restore = app.add_subcommand(
      "restore", "Histories of any nodes from a result, from its generalized coordinates and mode shapes");
  const auto arguments = std::make_shared<RestoreArguments>();
  RestoreRequest& request = arguments->request;
  const std::vector<std::string> fields = restoredFields();
  restore->add_option("RESULT", arguments->result, "A result file (.h5) of a run in generalized coordinates")
      ->required();
  restore->add_option("-o,--output", arguments->output,
                      "File to write (default: the result's name with -restored.h5)");
  restore->add_flag("-f,--force", request.force, "Replace a file that is already there");
  acceptBracketedNames(
      *restore->add_option("-n,--nodes", request.nodes, "Nodes or groups, a,b,... (default: all nodes)"));
  restore
      ->add_option(
          "--fields", arguments->fields,
          describeRestoredFields(fields) + ". Forces of beams: N, Vy, Vz, Mx, My, Mz at the ends of elements")
      ->delimiter(',')
      ->check(CLI::IsMember(fields))
      ->capture_default_str();
  acceptBracketedNames(*restore
                            ->add_option("-b,--beams", request.beams,
                                         "[[beams]] whose forces are restored, a,b,... (default: all)")
                            ->delimiter(','));
  restore->add_flag("--absolute", request.absoluteMotion, "With the motion of the base");
  restore->add_option("--times", request.times, "The archived instants nearest to these, t,t,... [s]")
      ->delimiter(',');
  restore->add_option("--from", request.from, "First instant [s]");
  restore->add_option("--to", request.to, "Last instant [s]");
  restore->add_option("--every", request.every, "One archived instant of so many")
      ->check(CLI::Range(1, 1000000000));
  restore->add_flag(
      "--xdmf", request.xdmf,
      "Write an .xdmf beside it: ParaView's \"XDMF Reader\" (not \"Xdmf3\") opens it, and \"Warp "
      "By Vector\" on the displacement moves the model");
  addQuietOption(*restore, arguments->quiet);
  return {restore, [arguments] { return restoreHistories(*arguments); }};
}

}  // namespace ricochet
