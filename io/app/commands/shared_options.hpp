#pragma once

#include <CLI/CLI.hpp>

#include <filesystem>
#include <optional>
#include <string_view>

namespace ricochet {

// Options that several commands have.

void addDeck(CLI::App& command, std::filesystem::path& deck);

/// -o and -f of what is written. `what`: "Result file".
void addResult(CLI::App& command, std::optional<std::filesystem::path>& output, bool& force,
               std::string_view what = "Result file");

void addQuiet(CLI::App& command, bool& quiet, std::string_view but = "errors");

/// Limits of time and size, where long work stops as cleanly as at Ctrl-C.
void addLimits(CLI::App& command);

}  // namespace ricochet
