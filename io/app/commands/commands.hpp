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
Command addRun(CLI::App& app);
Command addVerify(CLI::App& app);
Command addReproduce(CLI::App& app);
Command addCompare(CLI::App& app);
/// Adds the command `batch`, which uses the processes that were started together with this one.
Command addBatch(CLI::App& app, const PeersMaker& makePeers);
Command addCheck(CLI::App& app);
Command addModes(CLI::App& app);
Command addPlot(CLI::App& app);
Command addRestore(CLI::App& app);
Command addPatch(CLI::App& app);
Command addManual(CLI::App& app);
Command addSchema(CLI::App& app);
Command addNewCommand(CLI::App& app);
Command addUpgrade(CLI::App& app);
Command addInfo(CLI::App& app);
Command addTable(CLI::App& app);
Command addWatch(CLI::App& app);
Command addReport(CLI::App& app);
/// Adds the command `completion`, which lists the commands of `app`.
Command addCompletion(CLI::App& app);

/// Reads the study of a deck that has a run. Throws InputError.
Deck readDeckWithRun(const DeckArgument& deck);

/// Exit status of a run from its checks; prints the number of failed checks, and for a quiet run their names.
int statusOfChecks(const std::vector<CheckResult>& checks, const std::filesystem::path& deck, bool quiet);

/// Opens /dev/null for each of the three standard streams that is closed: otherwise the next file, the
/// result, would get the number of this stream, and messages would be written into the result.
void openStandardStreams() noexcept;

/// Executes the whole command line; `makePeers` finds the other processes of a batch.
int commandLine(int argc, char** argv, const PeersMaker& makePeers = {});

}  // namespace ricochet
