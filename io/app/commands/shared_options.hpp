#pragma once

#include <CLI/CLI.hpp>

#include <filesystem>
#include <optional>
#include <string_view>

namespace ricochet {

// Options common to several commands.

void addDeck(CLI::App& command, std::filesystem::path& deck);

/// Adds the options -o and -f of an output file. `what`: "Result file".
void addResult(CLI::App& command, std::optional<std::filesystem::path>& output, bool& force,
               std::string_view what = "Result file");

void addQuiet(CLI::App& command, bool& quiet, std::string_view but = "errors");

/// Adds limits of time and file size; at a limit the program stops as cleanly as after Ctrl-C.
void addLimits(CLI::App& command);

}  // namespace ricochet
