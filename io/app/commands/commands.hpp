#pragma once

#include "io/app/batch/batch_peers.hpp"

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace ricochet {

struct CheckResult;
struct Deck;

/// Exit statuses of the program.
inline constexpr int kSuccess = 0;
inline constexpr int kFailure = 1;  ///< a run failed, a check failed
inline constexpr int kBadInput =
    2;  ///< the deck, an argument or the target cannot be used; nothing was written

/// Where long work stops as cleanly as at Ctrl-C.
struct LimitArguments {
  std::optional<double> seconds;
  std::optional<std::uint64_t> bytes;
};

struct RunArguments {
  std::filesystem::path deck;
  std::optional<std::filesystem::path> output;
  bool force{false};
  bool quiet{false};
  bool direct{false};  ///< in physical coordinates
  LimitArguments limits{};
  bool resume{false};  ///< go on with what a killed or interrupted run left
};
int runCommand(const RunArguments& arguments);

/// The study of a deck that has a run. Throws InputError.
Deck readRunnable(const std::filesystem::path& deck);

struct BatchArguments {
  std::filesystem::path deck;
  std::optional<std::filesystem::path> output;
  bool force{false};
  bool resume{false};
  bool quiet{false};
  int threads{0};  ///< 0: one per processor
  LimitArguments limits{};
};
/// Runs the variants of a deck's [batch], with the processes that were started together with this one.
int batchCommand(const BatchArguments& arguments, const PeersMaker& makePeers);

/// Runs the deck of a result again and compares every dataset.
int reproduceCommand(const std::filesystem::path& result, bool quiet);

struct VerifyArguments {
  std::vector<std::filesystem::path> files;  ///< decks and results
  bool json{false};
};
int verifyCommand(const VerifyArguments& arguments);

/// Exit status of a run by its checks; tells how many failed, and of a quiet run which.
int judged(const std::vector<CheckResult>& checks, const std::filesystem::path& deck, bool quiet);

struct CompareArguments {
  std::filesystem::path deck;
  std::optional<std::filesystem::path> output;
  bool force{false};
  bool quick{false};  ///< without the runs that say why the modes differ
  bool quiet{false};
};
/// Runs a deck in both modes and prints how they differ, and why.
int compareCommand(const CompareArguments& arguments);

/// Prints the model as understood: dofs, frequencies, contacts, step, defaults taken.
int checkCommand(const std::filesystem::path& deck);

/// Prints the modal basis.
int modesCommand(const std::filesystem::path& deck);

struct RestoreArguments {
  std::filesystem::path result;
  std::optional<std::filesystem::path> output;
  bool force{false};
  bool quiet{false};
  bool xdmf{false};
  bool absoluteMotion{false};
  std::vector<std::string> nodes;
  std::vector<std::string> fields{"displacement"};
  std::vector<std::string> beams;
  std::vector<double> times;       ///< [s]
  std::optional<double> from, to;  ///< [s]
  int every{1};
};
/// Restores histories of nodes from the generalized coordinates of a result.
int restoreCommand(const RestoreArguments& arguments);

struct PlotArguments {
  std::filesystem::path result;
  std::vector<std::string> quantities;          ///< "displacement(shoe, ux)"
  std::optional<std::string> abscissa;          ///< a quantity instead of time: a phase portrait
  bool batch{false};                            ///< an output of a batch against its parameters
  std::optional<std::string> ordinate;          ///< of a batch: the second parameter of a map
  std::vector<std::string> at;                  ///< of a batch: "PARAMETER=VALUE" of the others
  std::optional<std::filesystem::path> output;  ///< .svg or .png
  std::string title;
  std::optional<double> from, to;  ///< part of the history [s]
};
int plotCommand(const PlotArguments& arguments);

struct ManualArguments {
  std::vector<std::string> names;               ///< pages to print; none: the list of all
  std::optional<std::filesystem::path> output;  ///< folder for all pages and their pictures
};
/// Pages of laws, obstacles and schemes, made from what these say of themselves.
int manualCommand(const ManualArguments& arguments);

/// Opens /dev/null in the place of each of the three standard streams that is closed: else the next file that
/// is opened, the result, would get its number, and messages would be written into it.
void openStandardStreams() noexcept;

/// The whole command line; `makePeers` finds other processes to share a batch with.
int commandLine(int argc, char** argv, const PeersMaker& makePeers = {});

}  // namespace ricochet
