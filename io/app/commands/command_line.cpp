#include "engine/numerics/near_name.hpp"
#include "engine/study/parts/study_error.hpp"
#include "io/app/commands/commands.hpp"
#include "io/app/patch_study.hpp"
#include "io/archive/version.hpp"
#include "io/result/result_target.hpp"
#include "io/text/input_error.hpp"
#include "io/text/printable.hpp"
#include "io/text/request_error.hpp"

#include <CLI/CLI.hpp>
#include <fcntl.h>
#include <fmt/core.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <exception>
#include <iostream>
#include <new>
#include <span>
#include <string>
#include <system_error>
#include <vector>

namespace ricochet {
namespace {

constexpr const char* kDescription =
    "ricochet: transient response of structures that knock and rub.\n"
    "\n"
    "A deck (TOML) holds a study: model, modal basis, contacts, loads, run, and the checks that say whether "
    "the\n"
    "answer is right. The result is one HDF5 file that any tool reads.\n"
    "\n"
    "  ricochet new    shoe          writes shoe.toml, a commented deck to start from (one of ten)\n"
    "  ricochet check  shoe.toml     what the deck says: dofs, frequencies, contacts, largest safe step, "
    "defaults\n"
    "  ricochet run    shoe.toml     integrates and writes shoe.h5\n"
    "  ricochet plot   shoe.h5 \"displacement(shoe, ux)\" -o shoe.svg\n"
    "  ricochet report shoe.h5       one HTML page: structure, histories, contacts, checks\n"
    "  ricochet info   shoe.h5       what a result holds, complete or not\n"
    "  ricochet table  shoe.h5 \"gap(sole)\" > gap.csv   histories, or the cases of a batch, as CSV\n"
    "  ricochet restore shoe.h5 --nodes shoe   histories of any nodes, afterwards\n"
    "  ricochet compare shoe.toml    runs it in generalized and in physical coordinates, and tells the two "
    "apart\n"
    "  ricochet batch  shoe.toml     runs the variants of [batch], on all processors\n"
    "  ricochet verify *.toml        runs decks and judges their checks; of a result, says whether it is "
    "whole\n"
    "  ricochet reproduce shoe.h5    runs the deck of a result again and compares every number\n"
    "  ricochet patch  --shape disc  friction of a contact area that slides and spins, laws compared\n"
    "  ricochet manual hertz         formula, keys, source and an example of a law, an obstacle or a "
    "scheme\n"
    "\n"
    "DECK may be -, standard input. `source <(ricochet completion bash)` completes commands and options.\n";

constexpr const char* kFooter =
    "Exit status: 0 success; 1 a run or a check failed; 2 bad input or arguments, nothing was written.";

int reportBadInput(const std::exception& error) {
  fmt::print(stderr, "ricochet: {}\n", printableMessage(error.what()));
  return kBadInput;
}

/// Runs a command and converts its exceptions into a message and an exit status.
int runReportingErrors(const std::function<int()>& command) {
  try {
    return command();
  } catch (const InputError& error) {
    fmt::print(stderr, "{}\n", printableMessage(error.what()));
    return kBadInput;
  } catch (const AlreadyComplete& done) {
    fmt::print("{}\n", printableMessage(done.what()));
    return kSuccess;
  } catch (const StudyError& error) {
    return reportBadInput(error);
  } catch (const PatchError& error) {
    return reportBadInput(error);
  } catch (const RequestError& error) {
    return reportBadInput(error);
  } catch (const std::bad_alloc&) {
    fmt::print(stderr, "ricochet: there is not enough memory\n");
    return kFailure;
  } catch (const std::exception& error) {
    fmt::print(stderr, "ricochet: {}\n", printableMessage(error.what()));
    return kFailure;
  }
}

/// Flushes standard output; a write error, such as a full disk, changes the exit status.
int exitStatusAfterFlush(int status) {
  errno = 0;
  std::cout.flush();
  if (std::fflush(stdout) == 0 && std::ferror(stdout) == 0 && std::cout.good()) return status;
  fmt::print(stderr, "ricochet: standard output cannot be written{}{}\n", errno != 0 ? ": " : "",
             errno != 0 ? std::error_code(errno, std::generic_category()).message() : "");
  return status == kSuccess ? kFailure : status;
}

/// Proposes the intended word for an unknown command or an unknown option of a command; empty if every word
/// is known.
std::string suggestCommandOrOption(const CLI::App& app, std::span<char*> words) {
  const std::vector<CLI::App*> parsed = app.get_subcommands();
  if (parsed.empty()) {
    const auto command =
        std::ranges::find_if(words, [](std::string_view each) { return !each.starts_with('-'); });
    if (command == words.end()) return {};
    std::vector<std::string> names;
    for (const CLI::App* each : app.get_subcommands({})) names.push_back(each->get_name());
    const std::string nearest = nearestName(*command, names);
    return fmt::format("`{}` is no command;{} the commands are {}", printableMessage(*command),
                       nearest.empty() ? "" : fmt::format(" did you mean `{}`?", nearest), joinNames(names));
  }
  const CLI::App& command = *parsed.front();
  std::vector<std::string> names;
  for (const CLI::Option* each : command.get_options())
    for (const std::string& name : each->get_lnames()) names.push_back("--" + name);
  const bool takesFormulas = command.get_option_no_throw("QUANTITY") != nullptr;
  for (const std::string_view word : words) {
    if (word == "--") break;
    const std::size_t parenthesis = word.find('(');
    if (takesFormulas && word.starts_with('-') && parenthesis != std::string_view::npos &&
        word.substr(0, parenthesis).find('=') == std::string_view::npos)
      return fmt::format(
          "`{}` looks like an option: give options first, then -- before quantities that begin with a minus: "
          "ricochet {} RESULT -- \"{}\"",
          printableMessage(word), command.get_name(), printableMessage(word));
    const std::string option{word.substr(0, word.find('='))};
    if (!option.starts_with("--") || std::ranges::find(names, option) != names.end()) continue;
    const std::string nearest = nearestName(option, names);
    return fmt::format("`ricochet {}` has no option `{}`;{} its options are {}", command.get_name(),
                       printableMessage(option),
                       nearest.empty() ? "" : fmt::format(" did you mean `{}`?", nearest), joinNames(names));
  }
  return {};
}

/// Prints the reason why the arguments cannot be used, or the requested help or version; returns the exit
/// status.
int reportParseError(const CLI::App& app, const CLI::ParseError& error, std::span<char*> words) {
  const bool asked = error.get_exit_code() == 0;
  if (words.empty()) fmt::print("{}", app.help());
  const std::string advice = asked || words.empty() ? std::string{} : suggestCommandOrOption(app, words);
  if (!advice.empty()) fmt::print(stderr, "ricochet: {}\nRun with --help for more information.\n", advice);
  if (asked || (advice.empty() && !words.empty())) app.exit(error);
  return exitStatusAfterFlush(asked ? kSuccess : kBadInput);
}

}  // namespace

void openStandardStreams() noexcept {
  int opened = STDIN_FILENO;
  while (opened <= STDERR_FILENO && opened >= 0) {
    opened = ::open("/dev/null", O_RDWR);  // gives the lowest free number, here of a closed standard stream
    if (opened > STDERR_FILENO) ::close(opened);
  }
}

int executeCommandLine(int argc, char** argv, const PeersMaker& makePeers) {
  // a write beyond the limit of file sizes then returns an error instead of ending the program
  std::signal(SIGXFSZ, SIG_IGN);
  CLI::App app(kDescription, "ricochet");
  app.footer(kFooter);
  app.set_version_flag("--version", std::string("ricochet ") + std::string(kVersion));
  app.require_subcommand(1);

  std::vector<Command> commands;
  for (const auto add :
       {addNewCommand, addRunCommand, addVerifyCommand, addReproduceCommand, addCompareCommand})
    commands.push_back(add(app));
  commands.push_back(addBatchCommand(app, makePeers));
  for (const auto add : {addCheckCommand, addModesCommand, addInfoCommand, addWatchCommand, addPlotCommand,
                         addReportCommand, addTableCommand, addRestoreCommand, addPatchCommand,
                         addManualCommand, addSchemaCommand, addUpgradeCommand, addCompletionCommand})
    commands.push_back(add(app));
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    return reportParseError(app, error,
                            std::span<char*>(argv, static_cast<std::size_t>(argc)).subspan(argc > 0 ? 1 : 0));
  }
  const auto chosen =
      std::ranges::find_if(commands, [](const Command& each) { return each.options->parsed(); });
  return exitStatusAfterFlush(runReportingErrors(chosen->run));
}

}  // namespace ricochet
