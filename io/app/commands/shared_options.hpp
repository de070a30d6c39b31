#pragma once

#include "io/app/commands/commands.hpp"
#include "io/toml/document.hpp"

#include <CLI/CLI.hpp>

#include <cstdio>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace ricochet {

// Options common to several commands.

/// A deck on the command line, and the values that replace values of the deck or are added to its tables.
struct DeckArgument {
  std::filesystem::path file;
  std::vector<std::string> changes{};  ///< "contacts.stop.obstacle.gap=1e-3"

  std::string name() const { return file.string(); }
  Document loadDocument() const;  ///< reads the deck with these values; throws InputError
  Deck readStudy() const;
};

/// Adds --set. `more`: end of its description.
void addSetOption(CLI::App& command, std::vector<std::string>& changes, std::string_view more);

/// Adds DECK and --set.
void addDeckArgument(CLI::App& command, DeckArgument& deck);

/// Adds the options -o and -f of an output file. `what`: "Result file".
void addOutputFileOptions(CLI::App& command, std::optional<std::filesystem::path>& output, bool& force,
                          std::string_view what = "Result file");

void addQuietOption(CLI::App& command, bool& quiet, std::string_view but = "errors");

/// Adds limits of time and file size; at a limit the program stops as cleanly as after Ctrl-C.
void addLimitOptions(CLI::App& command);

/// A share as it is printed: zero if it is within rounding.
inline double shareRoundedToZero(double share) noexcept {
  constexpr double kRounding = 1e-12;
  return share < kRounding ? 0.0 : share;
}

// ---- text files that a command writes ----

/// Creates or replaces the file with the output of `write`. Throws TargetError if the file cannot be opened.
void writeTextFile(const std::filesystem::path& file, const std::function<void(std::FILE*)>& write);

}  // namespace ricochet
