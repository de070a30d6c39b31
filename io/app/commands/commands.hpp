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

/// Exit statuses of the program.
inline constexpr int kSuccess = 0;
inline constexpr int kFailure = 1;  ///< a run failed, a check failed
/// The deck, an argument or the target cannot be used; nothing was written.
inline constexpr int kBadInput = 2;

/// A command with its options on the command line, and what it does once they are parsed: its exit status.
struct Command {
  CLI::App* options;
  std::function<int()> run;
};

// Each adds a command to the command line.
Command addRun(CLI::App& app);
Command addVerify(CLI::App& app);
Command addReproduce(CLI::App& app);
Command addCompare(CLI::App& app);
/// With the processes that were started together with this one.
Command addBatch(CLI::App& app, const PeersMaker& makePeers);
Command addCheck(CLI::App& app);
Command addModes(CLI::App& app);
Command addPlot(CLI::App& app);
Command addRestore(CLI::App& app);
Command addPatch(CLI::App& app);
Command addManual(CLI::App& app);

/// The study of a deck that has a run. Throws InputError.
Deck readRunnable(const std::filesystem::path& deck);

/// Exit status of a run by its checks; tells how many failed, and of a quiet run which.
int judged(const std::vector<CheckResult>& checks, const std::filesystem::path& deck, bool quiet);

/// Opens /dev/null in the place of each of the three standard streams that is closed: else the next file that
/// is opened, the result, would get its number, and messages would be written into it.
void openStandardStreams() noexcept;

/// The whole command line; `makePeers` finds other processes to share a batch with.
int commandLine(int argc, char** argv, const PeersMaker& makePeers = {});

}  // namespace ricochet
