#pragma once

#include "io/app/batch/batch_peers.hpp"

#include <filesystem>
#include <functional>
#include <vector>

namespace CLI {
class App;
}

namespace ricochet {

struct CheckResult;
struct Deck;
struct DeckArgument;

/// Exit statuses of the program.
inline constexpr int kSuccess = 0;
inline constexpr int kFailure = 1;  ///< a run or a check failed
/// Exit status if the deck, an argument or the output file cannot be used; nothing was written.
inline constexpr int kBadInput = 2;

/// A command of the command line with its options, and the function that executes it and returns the exit
/// status.
struct Command {
  CLI::App* options;
  std::function<int()> run;
};

// Each function adds one command to the command line.
Command addRunCommand(CLI::App& app);
Command addVerifyCommand(CLI::App& app);
Command addReproduceCommand(CLI::App& app);
Command addCompareCommand(CLI::App& app);
/// Adds the command `batch`, which uses the processes that were started together with this one.
Command addBatchCommand(CLI::App& app, const PeersMaker& makePeers);
Command addCheckCommand(CLI::App& app);
Command addModesCommand(CLI::App& app);
Command addPlotCommand(CLI::App& app);
Command addRestoreCommand(CLI::App& app);
Command addPatchCommand(CLI::App& app);
Command addManualCommand(CLI::App& app);
Command addSchemaCommand(CLI::App& app);
Command addNewCommand(CLI::App& app);
Command addUpgradeCommand(CLI::App& app);
Command addInfoCommand(CLI::App& app);
Command addTableCommand(CLI::App& app);
Command addWatchCommand(CLI::App& app);
Command addReportCommand(CLI::App& app);
/// Adds the command `completion`, which lists the commands of `app`.
Command addCompletionCommand(CLI::App& app);

/// Reads the study of a deck that has a run. Throws InputError.
Deck readDeckWithRun(const DeckArgument& deck);

/// Exit status of a run from its checks; prints the number of failed checks, and for a quiet run their names.
int exitStatusOfChecks(const std::vector<CheckResult>& checks, const std::filesystem::path& deck, bool quiet);

/// Opens /dev/null for each of the three standard streams that is closed: otherwise the next file, the
/// result, would get the number of this stream, and messages would be written into the result.
void openStandardStreams() noexcept;

/// Executes the whole command line; `makePeers` finds the other processes of a batch.
int executeCommandLine(int argc, char** argv, const PeersMaker& makePeers = {});

}  // namespace ricochet
