#include "io/app/commands/commands.hpp"
#include "io/app/manual/example_decks.hpp"
#include "io/app/manual/guides.hpp"
#include "io/app/manual/law_page.hpp"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <memory>
#include <set>
#include <string>
#include <vector>

namespace ricochet {
namespace {

/// Beginning of a description up to its first full stop, without characters that a shell interprets.
std::string firstSentence(const std::string& description) {
  constexpr std::size_t kLongest = 70;
  std::string text = description.substr(0, std::min(description.find_first_of(";:(\n"), kLongest));
  std::erase_if(text, [](char c) { return std::string_view("'\"`\\$[]").find(c) != std::string_view::npos; });
  while (text.ends_with(' ')) text.pop_back();
  return text;
}

/// An option of a command: its names "--force" and "-f", and its description.
struct OptionWord {
  std::string name;
  std::string letter;
  std::string meaning;
};

std::vector<OptionWord> optionWordsOfCommand(const CLI::App& command) {
  std::vector<OptionWord> words;
  for (const CLI::Option* each : command.get_options())
    if (!each->get_lnames().empty())
      words.push_back({each->get_lnames().front(),
                       each->get_snames().empty() ? std::string{} : each->get_snames().front(),
                       firstSentence(each->get_description())});
  return words;
}

/// Possible arguments of a command that takes a name: decks to start from, pages of the manual, shells.
std::string possibleArgumentsOf(std::string_view command) {
  std::set<std::string_view> names;
  if (command == "completion") names = {"bash", "fish", "zsh"};
  if (command == "new")
    for (const ExampleDeck& each : kExampleDecks) names.insert(each.name);
  if (command == "manual") {
    names = {"matrix", "quantities"};
    for (const Guide& guide : kGuides) names.insert(guide.name);
    for (const LawPage& page : manualPages()) names.insert(page.keyword);
  }
  return fmt::format("{}", fmt::join(names, " "));
}

std::string bashCompletionScript(const std::vector<CLI::App*>& commands) {
  std::string names, cases, further;
  for (const CLI::App* command : commands) {
    names += (names.empty() ? "" : " ") + command->get_name();
    if (const std::string after = possibleArgumentsOf(command->get_name()); !after.empty())
      further += fmt::format("    {}) words=\"{}\" ;;\n", command->get_name(), after);
    std::string options;
    for (const OptionWord& each : optionWordsOfCommand(*command)) options += " --" + each.name;
    cases += fmt::format("    {}) words=\"{}\" ;;\n", command->get_name(), options.substr(1));
  }
  return fmt::format(
      "# completion of ricochet for bash: source <(ricochet completion bash)\n"
      "_ricochet() {{\n"
      "  local current=\"${{COMP_WORDS[COMP_CWORD]}}\" words=\"\"\n"
      "  if [ \"$COMP_CWORD\" -eq 1 ]; then\n"
      "    words=\"{}\"\n"
      "  elif [[ \"$current\" == -* ]]; then\n"
      "    case \"${{COMP_WORDS[1]}}\" in\n{}    esac\n"
      "  else\n"
      "    case \"${{COMP_WORDS[1]}}\" in\n{}    esac\n"
      "  fi\n"
      "  COMPREPLY=($(compgen -W \"$words\" -- \"$current\"))\n"
      "}}\n"
      "complete -o default -F _ricochet ricochet\n",
      names, cases, further);
}

std::string zshCompletionScript(const std::vector<CLI::App*>& commands) {
  std::string names, cases;
  for (const CLI::App* command : commands) {
    names += fmt::format("    '{}:{}'\n", command->get_name(), firstSentence(command->get_description()));
    cases += fmt::format("    {}) options=(", command->get_name());
    for (const OptionWord& each : optionWordsOfCommand(*command))
      cases += fmt::format("\n      '--{}:{}'", each.name, each.meaning);
    cases += fmt::format(") names=({}) ;;\n", possibleArgumentsOf(command->get_name()));
  }
  return fmt::format(
      "#compdef ricochet\n"
      "# completion of ricochet for zsh: source <(ricochet completion zsh)\n"
      "_ricochet() {{\n"
      "  local -a commands options names\n"
      "  commands=(\n{}  )\n"
      "  if (( CURRENT == 2 )); then\n"
      "    _describe command commands\n"
      "    return\n"
      "  fi\n"
      "  case $words[2] in\n{}  esac\n"
      "  if [[ $words[CURRENT] == -* ]]; then _describe -o option options\n"
      "  elif (( $#names )); then compadd -a names; else _files; fi\n"
      "}}\n"
      "compdef _ricochet ricochet\n",
      names, cases);
}

std::string fishCompletionScript(const std::vector<CLI::App*>& commands) {
  std::string lines = "# completion of ricochet for fish: ricochet completion fish | source\n";
  for (const CLI::App* command : commands) {
    lines += fmt::format("complete -c ricochet -f -n __fish_use_subcommand -a {} -d '{}'\n",
                         command->get_name(), firstSentence(command->get_description()));
    if (const std::string names = possibleArgumentsOf(command->get_name()); !names.empty())
      lines += fmt::format("complete -c ricochet -f -n '__fish_seen_subcommand_from {}' -a '{}'\n",
                           command->get_name(), names);
    for (const OptionWord& each : optionWordsOfCommand(*command))
      lines += fmt::format("complete -c ricochet -n '__fish_seen_subcommand_from {}' -l {}{} -d '{}'\n",
                           command->get_name(), each.name, each.letter.empty() ? "" : " -s " + each.letter,
                           each.meaning);
  }
  return lines;
}

}  // namespace

Command addCompletionCommand(CLI::App& app) {
  CLI::App* completion =
      app.add_subcommand("completion", "Print what makes a shell complete commands and options");
  const auto shell = std::make_shared<std::string>();
  completion->add_option("SHELL", *shell, "bash: source <(ricochet completion bash); zsh; fish")
      ->required()
      ->check(CLI::IsMember({"bash", "zsh", "fish"}));
  return {completion, [&app, shell] {
            const std::vector<CLI::App*> commands = app.get_subcommands({});
            fmt::print("{}", *shell == "bash"  ? bashCompletionScript(commands)
                             : *shell == "zsh" ? zshCompletionScript(commands)
                                               : fishCompletionScript(commands));
            return kSuccess;
          }};
}

}  // namespace ricochet
