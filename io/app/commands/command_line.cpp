#include "engine/study/parts/study_error.hpp"
#include "io/app/commands/commands.hpp"
#include "io/app/patch_study.hpp"
#include "io/archive/version.hpp"
#include "io/text/input_error.hpp"
#include "io/text/printable.hpp"
#include "io/text/request_error.hpp"

#include <CLI/CLI.hpp>
#include <fcntl.h>
#include <fmt/core.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <exception>
#include <iostream>
#include <new>
#include <system_error>

namespace ricochet {
namespace {

constexpr const char* kDescription =
    "ricochet: transient response of structures that knock and rub.\n"
    "\n"
    "A deck (TOML) holds a study: model, modal basis, contacts, loads, run, and the checks that say whether "
    "the\n"
    "answer is right. The result is one HDF5 file that any tool reads.\n"
    "\n"
    "  ricochet check  shoe.toml     what the deck says: dofs, frequencies, contacts, largest safe step, "
    "defaults\n"
    "  ricochet run    shoe.toml     integrates and writes shoe.h5\n"
    "  ricochet plot   shoe.h5 \"displacement(shoe, ux)\" -o shoe.svg\n"
    "  ricochet restore shoe.h5 --nodes shoe   histories of any nodes, afterwards\n"
    "  ricochet compare shoe.toml    runs it in generalized and in physical coordinates, and tells the two "
    "apart\n"
    "  ricochet batch  shoe.toml     runs the variants of [batch], on all processors\n"
    "  ricochet verify *.toml        runs decks and judges their checks; of a result, says whether it is "
    "whole\n"
    "  ricochet reproduce shoe.h5    runs the deck of a result again and compares every number\n"
    "  ricochet patch  --shape disc  friction of a contact area that slides and spins, laws compared\n"
    "  ricochet manual hertz         formula, keys, source and an example of a law, an obstacle or a "
    "scheme\n";

constexpr const char* kFooter =
    "Exit status: 0 success; 1 a run or a check failed; 2 bad input or arguments, nothing was written.";

int badInput(const std::exception& error) {
  fmt::print(stderr, "ricochet: {}\n", printable(error.what()));
  return kBadInput;
}

/// Runs a command and converts its exceptions into a message and an exit status.
int runReportingErrors(const std::function<int()>& command) {
  try {
    return command();
  } catch (const InputError& error) {
    fmt::print(stderr, "{}\n", printable(error.what()));
    return kBadInput;
  } catch (const StudyError& error) {
    return badInput(error);
  } catch (const PatchError& error) {
    return badInput(error);
  } catch (const RequestError& error) {
    return badInput(error);
  } catch (const std::bad_alloc&) {
    fmt::print(stderr, "ricochet: there is not enough memory\n");
    return kFailure;
  } catch (const std::exception& error) {
    fmt::print(stderr, "ricochet: {}\n", printable(error.what()));
    return kFailure;
  }
}

/// Flushes standard output; a write error, such as a full disk, changes the exit status.
int flushed(int status) {
  errno = 0;
  std::cout.flush();
  if (std::fflush(stdout) == 0 && std::ferror(stdout) == 0 && std::cout.good()) return status;
  fmt::print(stderr, "ricochet: standard output cannot be written{}{}\n", errno != 0 ? ": " : "",
             errno != 0 ? std::error_code(errno, std::generic_category()).message() : "");
  return status == kSuccess ? kFailure : status;
}

}  // namespace

void openStandardStreams() noexcept {
  int opened = STDIN_FILENO;
  while (opened <= STDERR_FILENO && opened >= 0) {
    opened = ::open("/dev/null", O_RDWR);  // the lowest number that is free
    if (opened > STDERR_FILENO) ::close(opened);
  }
}

int commandLine(int argc, char** argv, const PeersMaker& makePeers) {
  std::signal(SIGXFSZ, SIG_IGN);  // a write beyond the limit of file sizes then returns an error instead of
                                  // ending the program
  CLI::App app(kDescription, "ricochet");
  app.footer(kFooter);
  app.set_version_flag("--version", std::string("ricochet ") + std::string(kVersion));
  app.require_subcommand(1);

  std::vector<Command> commands;
  for (const auto add : {addRun, addVerify, addReproduce, addCompare}) commands.push_back(add(app));
  commands.push_back(addBatch(app, makePeers));
  for (const auto add : {addCheck, addModes, addPlot, addRestore, addPatch, addManual})
    commands.push_back(add(app));
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    const int status = app.exit(error);
    return flushed(status == 0 ? kSuccess : kBadInput);
  }
  const auto chosen =
      std::ranges::find_if(commands, [](const Command& each) { return each.options->parsed(); });
  return flushed(runReportingErrors(chosen->run));
}

}  // namespace ricochet
