#include "io/app/reproduce.hpp"

#include "io/app/commands/commands.hpp"
#include "io/app/commands/shared_options.hpp"
#include "io/text/progress.hpp"

#include <CLI/CLI.hpp>
#include <fmt/core.h>

#include <algorithm>
#include <memory>

namespace ricochet {

namespace {

int reproduceResult(const std::filesystem::path& result, bool quiet) {
  const InterruptGuard guard;
  const Reproduction found = reproduceRun(result, !quiet);
  if (found.differences.empty()) {
    if (!quiet)
      fmt::print("{}: reproduced: {} datasets, bit for bit\n  made by {}\n", result.string(), found.datasets,
                 found.made);
    return kSuccess;
  }
  fmt::print("{}: NOT reproduced: {} of {} datasets differ\n  made by {}\n", result.string(),
             found.differences.size(), found.datasets, found.made);
  constexpr std::size_t kShown = 20;
  for (std::size_t i = 0; i < std::min(found.differences.size(), kShown); ++i)
    fmt::print("  {}: {}\n", found.differences[i].dataset, found.differences[i].text);
  if (found.differences.size() > kShown) fmt::print("  ... and {} more\n", found.differences.size() - kShown);
  return kFailure;
}

struct ReproduceArguments {
  std::filesystem::path result;
  bool quiet{false};
};

}  // namespace

Command addReproduceCommand(CLI::App& app) {
  CLI::App* again = app.add_subcommand(
      "reproduce",
      "Run the deck of a result again, in a temporary folder, and compare all numbers bit for bit");
  const auto arguments = std::make_shared<ReproduceArguments>();
  again->add_option("RESULT", arguments->result, "A complete result file (.h5)")->required();
  addQuietOption(*again, arguments->quiet, "differences");
  return {again, [arguments] { return reproduceResult(arguments->result, arguments->quiet); }};
}

}  // namespace ricochet
