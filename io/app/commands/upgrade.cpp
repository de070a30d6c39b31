#include "io/app/commands/commands.hpp"
#include "io/app/commands/shared_options.hpp"
#include "io/deck/deck.hpp"
#include "io/deck/deck_version.hpp"
#include "io/result/result_target.hpp"

#include <CLI/CLI.hpp>
#include <fmt/core.h>

#include <memory>
#include <optional>

namespace ricochet {
namespace {

struct UpgradeArguments {
  DeckArgument deck;
  std::optional<std::filesystem::path> output;  // absent: the deck itself, whose earlier text is kept
  bool force{false};
};

int upgradeDeck(const UpgradeArguments& arguments) {
  const std::filesystem::path& file = arguments.deck.file;
  const Document earlier = arguments.deck.loadDocument();
  const UpgradedDeck deck = upgradedDeck(earlier);
  const Deck study = readDeck(file, deck.document);  // a deck with mistakes is not written
  const bool ofInput = file == kStandardInput;
  if (deck.changes.empty() && !arguments.output && !ofInput) {
    fmt::print("{}: is of version {} already\n", file.string(), kDeckVersion);
    return kSuccess;
  }
  const std::filesystem::path output = arguments.output.value_or(file);
  if (output == "-") {
    fmt::print("{}", deck.document.text);
    return kSuccess;
  }
  if (arguments.output) {
    requireFileMayBeWritten(output, OutputKind::deck, arguments.force, inputFilesOf(study));
  } else {
    const std::filesystem::path kept = file.string() + ".old";
    requireFileMayBeWritten(kept, OutputKind::deck, arguments.force, inputFilesOf(study));
    writeTextFile(kept, [&](std::FILE* out) { fmt::print(out, "{}", earlier.text); });
    fmt::print("{}: the deck as it was\n", kept.string());
  }
  writeTextFile(output, [&](std::FILE* out) { fmt::print(out, "{}", deck.document.text); });
  fmt::print("{}: of version {}\n", output.string(), kDeckVersion);
  for (const std::string& change : deck.changes) fmt::print("  {}\n", change);
  return kSuccess;
}

}  // namespace

Command addUpgradeCommand(CLI::App& app) {
  CLI::App* command = app.add_subcommand(
      "upgrade", "Bring a deck up to the present version: words that have other names, and its `version`");
  const auto arguments = std::make_shared<UpgradeArguments>();
  command->add_option("DECK", arguments->deck.file, "The deck, a TOML file; - reads it from standard input")
      ->required();
  command->add_option("-o,--output", arguments->output,
                      "File to write, - for standard output (default: the deck itself; its earlier text "
                      "stays as DECK.old)");
  command->add_flag("-f,--force", arguments->force, "Replace a file that is already there");
  return {command, [arguments] { return upgradeDeck(*arguments); }};
}

}  // namespace ricochet
