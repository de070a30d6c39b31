#include "engine/numerics/near_name.hpp"
#include "io/app/commands/commands.hpp"
#include "io/app/commands/shared_options.hpp"
#include "io/app/manual/example_decks.hpp"
#include "io/result/result_target.hpp"

#include <CLI/CLI.hpp>
#include <fmt/core.h>

#include <algorithm>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace ricochet {
namespace {

struct NewArguments {
  std::optional<std::string> name;              // absent: list of all decks
  std::optional<std::filesystem::path> output;  // absent: NAME.toml
  bool force{false};
};

const ExampleDeck& findExampleDeck(const std::string& name) {
  const auto found = std::ranges::find(kExampleDecks, name, &ExampleDeck::name);
  if (found != kExampleDecks.end()) return *found;
  std::vector<std::string_view> names;
  for (const ExampleDeck& each : kExampleDecks) names.push_back(each.name);
  const std::string nearest = nearestName(name, names);
  throw TargetError(fmt::format("{}: no deck to start from;{} there are {}", name,
                                nearest.empty() ? "" : fmt::format(" did you mean `{}`?", nearest),
                                joinNames(names)));
}

/// The deck with its checks as comments: they are valid only for its own numbers, which the user will change.
std::string deckWithCommentedChecks(const ExampleDeck& deck) {
  const std::string text(deck.text);
  const std::size_t checks = text.find("[[checks]]");
  const std::size_t comment = text.rfind("\n\n", checks) + 2;
  if (checks == std::string::npos) return text;
  std::string changed =
      text.substr(0, comment) +
      fmt::format(
          "# Checks say what must come out; these hold for the numbers above and fail once you change one. "
          "Without the \"# \" that\n# each line begins with, `ricochet verify {}.toml` judges them.\n",
          deck.name);
  for (std::size_t at = checks; at < text.size();) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    const std::string line = text.substr(at, end - at);
    changed += line.empty() ? "\n" : "# " + line + "\n";
    at = end + 1;
  }
  return changed;
}

int writeExampleDeck(const ExampleDeck& deck, const std::filesystem::path& file, bool force) {
  if (file == "-") {
    fmt::print("{}", deckWithCommentedChecks(deck));
    return kSuccess;
  }
  requireFileMayBeWritten(file, OutputKind::deck, force);
  writeTextFile(file, [&deck](std::FILE* out) { fmt::print(out, "{}", deckWithCommentedChecks(deck)); });
  fmt::print("{}: {}\nnext: ricochet run {}\n", file.string(), deck.subjectOfExample(), file.string());
  return kSuccess;
}

}  // namespace

Command addNewCommand(CLI::App& app) {
  CLI::App* command =
      app.add_subcommand("new", "Write a commented deck to start from, or list those that there are");
  const auto arguments = std::make_shared<NewArguments>();
  command->add_option("NAME", arguments->name, "Name of a deck to start from. Default: the list of all");
  command->add_option("-o,--output", arguments->output,
                      "File to write, - for standard output (default: NAME.toml)");
  command->add_flag("-f,--force", arguments->force, "Replace a file that is already there");
  return {command, [arguments] {
            if (arguments->name) {
              const ExampleDeck& deck = findExampleDeck(*arguments->name);
              return writeExampleDeck(deck, arguments->output.value_or(fmt::format("{}.toml", deck.name)),
                                      arguments->force);
            }
            if (arguments->output) throw TargetError("--output needs the NAME of a deck to write");
            for (const ExampleDeck& each : kExampleDecks)
              fmt::print("{:<12}{}\n", each.name, each.subjectOfExample());
            fmt::print("\n`ricochet new NAME` writes NAME.toml, with comments on every key.\n");
            return kSuccess;
          }};
}

}  // namespace ricochet
