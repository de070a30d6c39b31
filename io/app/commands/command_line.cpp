#include "engine/study/parts/study_error.hpp"
#include "io/app/commands/commands.hpp"
#include "io/app/commands/patch_options.hpp"
#include "io/app/manual/manual.hpp"
#include "io/app/patch_study.hpp"
#include "io/app/plot/plot.hpp"
#include "io/app/reproduce.hpp"
#include "io/archive/version.hpp"
#include "io/hdf5/hdf5.hpp"
#include "io/quantities/table/quantity.hpp"
#include "io/result/restore.hpp"
#include "io/result/result_file.hpp"
#include "io/text/input_error.hpp"
#include "io/text/printable.hpp"
#include "io/text/progress.hpp"

#include <CLI/CLI.hpp>
#include <fcntl.h>
#include <fmt/core.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdio>
#include <exception>
#include <functional>
#include <iostream>
#include <map>
#include <new>
#include <string>
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

/// Runs a command and turns what it throws into one message and an exit status.
int guarded(const std::function<int()>& command) {
  try {
    return command();
  } catch (const InputError& error) {
    fmt::print(stderr, "{}\n", printable(error.what()));
    return kBadInput;
  } catch (const StudyError& error) {
    return badInput(error);
  } catch (const TargetError& error) {
    return badInput(error);
  } catch (const PlotError& error) {
    return badInput(error);
  } catch (const RestoreError& error) {
    return badInput(error);
  } catch (const PatchError& error) {
    return badInput(error);
  } catch (const ReproduceError& error) {
    return badInput(error);
  } catch (const ManualError& error) {
    return badInput(error);
  } catch (const std::bad_alloc&) {
    fmt::print(stderr, "ricochet: there is not enough memory\n");
    return kFailure;
  } catch (const std::exception& error) {
    fmt::print(stderr, "ricochet: {}\n", printable(error.what()));
    return kFailure;
  }
}

/// What was printed must have arrived: a full disk shows itself at the end.
int flushed(int status) {
  errno = 0;
  std::cout.flush();
  if (std::fflush(stdout) == 0 && std::ferror(stdout) == 0 && std::cout.good()) return status;
  fmt::print(stderr, "ricochet: standard output cannot be written{}{}\n", errno != 0 ? ": " : "",
             errno != 0 ? std::error_code(errno, std::generic_category()).message() : "");
  return status == kSuccess ? kFailure : status;
}

void addLimits(CLI::App& command, LimitArguments& limits) {
  command
      .add_option("--max-time", limits.seconds,
                  "Stop as at Ctrl-C after so long: 90, 90s, 15min, 2h; --resume goes on")
      ->transform(
          CLI::AsNumberWithUnit(std::map<std::string, double>{{"s", 1.0}, {"min", 60.0}, {"h", 3600.0}}))
      ->check(CLI::NonNegativeNumber);
  command
      .add_option("--max-size", limits.bytes,
                  "Stop as at Ctrl-C when the result holds so much: 500000, 200MB, 2GB; --resume goes on")
      ->transform(CLI::AsSizeValue(true));
}

void setLimits(const LimitArguments& limits) {
  if (limits.seconds) InterruptGuard::limitTime(*limits.seconds);
  if (limits.bytes) InterruptGuard::limitSize(*limits.bytes);
}

void addRun(CLI::App& app, RunArguments& arguments) {
  CLI::App* run = app.add_subcommand("run", "Integrate a deck and write its result");
  run->add_option("DECK", arguments.deck, "The study, a TOML file")->required();
  run->add_option("-o,--output", arguments.output,
                  "Result file (default: [output] file of the deck, or its name with .h5)");
  run->add_flag(
      "-f,--force", arguments.force,
      "Replace a complete result that is already there, or begin anew where one was left unfinished");
  run->add_flag("--resume", arguments.resume,
                "Go on with a run that was killed, interrupted or met a full disk, from its last block; the "
                "result is that of a run that was not");
  run->add_flag("-q,--quiet", arguments.quiet, "Print nothing but errors and checks that fail");
  addLimits(*run, arguments.limits);
  run->add_option_function<std::string>(
         "--mode", [&arguments](const std::string& mode) { arguments.direct = mode == "direct"; },
         "modal: generalized coordinates; direct: physical ones, as [direct] of the deck says")
      ->check(CLI::IsMember({"modal", "direct"}))
      ->default_str("modal");
}

void addBatch(CLI::App& app, BatchArguments& arguments) {
  CLI::App* batch = app.add_subcommand("batch", "Run the variants that [batch] of a deck asks for");
  batch->add_option("DECK", arguments.deck, "The study, a TOML file with [batch]")->required();
  batch->add_option("-o,--output", arguments.output,
                    "Result file (default: [output] file of the deck, or its name with .h5)");
  batch->add_flag(
      "-f,--force", arguments.force,
      "Replace a complete result that is already there, or begin anew where one was left unfinished");
  batch->add_flag("--resume", arguments.resume, "Go on where a batch was interrupted or killed");
  batch->add_option("-j,--threads", arguments.threads, "Threads (default: one per processor)")
      ->check(CLI::Range(1, 4096));
  batch->add_flag("-q,--quiet", arguments.quiet, "Print nothing but errors");
  addLimits(*batch, arguments.limits);
}

void addCompare(CLI::App& app, CompareArguments& arguments) {
  CLI::App* compare =
      app.add_subcommand("compare", "Run a deck in both modes and tell how and why they differ");
  compare->add_option("DECK", arguments.deck, "The study, a TOML file")->required();
  compare->add_option(
      "-o,--output", arguments.output,
      "Result file with both runs (default: [output] file of the deck, or its name with .h5)");
  compare->add_flag(
      "-f,--force", arguments.force,
      "Replace a complete result that is already there, or begin anew where one was left unfinished");
  compare->add_flag("--quick", arguments.quick, "Two runs only, without those that say why they differ");
  compare->add_flag("-q,--quiet", arguments.quiet, "Print nothing but errors and checks that fail");
}

void addVerify(CLI::App& app, VerifyArguments& arguments) {
  CLI::App* verify = app.add_subcommand(
      "verify", "Run decks and judge their checks, without writing a result; or read all of a result");
  verify
      ->add_option(
          "FILE", arguments.files,
          "Decks with [[checks]]; results, of which every block is read and compared with its checksum")
      ->required();
  verify->add_flag("--json", arguments.json, "Print the rows of decks as JSON");
}

std::vector<std::string> restoredFields() {
  const auto names = quantityNames([](const Quantity& each) { return each.isRestored(); });
  return {names.begin(), names.end()};
}

/// "displacement (displacement of nodes), ...".
std::string meaningsOf(const std::vector<std::string>& fields) {
  std::string text;
  for (const std::string& each : fields)
    text += fmt::format("{}{} ({})", text.empty() ? "" : ", ", each, quantityToRestore(each)->meaning);
  return text;
}

/// What a picture can show, as it is written.
std::string usages() {
  std::string text;
  for (const Quantity& each : quantities())
    if (each.isHistory() && each.isInExpressions()) text += (text.empty() ? "" : ", ") + usageOf(each);
  return text;
}

void addRestore(CLI::App& app, RestoreArguments& arguments) {
  CLI::App* restore = app.add_subcommand(
      "restore", "Histories of any nodes from a result, from its generalized coordinates and mode shapes");
  const std::vector<std::string> fields = restoredFields();
  restore->add_option("RESULT", arguments.result, "A result file (.h5) of a run in generalized coordinates")
      ->required();
  restore->add_option("-o,--output", arguments.output,
                      "File to write (default: the result's name with -restored.h5)");
  restore->add_flag("-f,--force", arguments.force, "Replace a file that is already there");
  restore->add_option("-n,--nodes", arguments.nodes, "Nodes or groups, a,b,... (default: all nodes)");
  restore
      ->add_option("--fields", arguments.fields,
                   meaningsOf(fields) + ". Forces of beams: N, Vy, Vz, Mx, My, Mz at the ends of elements")
      ->delimiter(',')
      ->check(CLI::IsMember(fields))
      ->capture_default_str();
  restore
      ->add_option("-b,--beams", arguments.beams,
                   "[[beams]] whose forces are restored, a,b,... (default: all)")
      ->delimiter(',');
  restore->add_flag("--absolute", arguments.absoluteMotion, "With the motion of the base");
  restore->add_option("--times", arguments.times, "The archived instants nearest to these, t,t,... [s]")
      ->delimiter(',');
  restore->add_option("--from", arguments.from, "First instant [s]");
  restore->add_option("--to", arguments.to, "Last instant [s]");
  restore->add_option("--every", arguments.every, "One archived instant of so many")
      ->check(CLI::Range(1, 1000000000));
  restore->add_flag("--xdmf", arguments.xdmf,
                    "Write an .xdmf beside it, which ParaView opens as a moving model");
  restore->add_flag("-q,--quiet", arguments.quiet, "Print nothing but errors");
}

void addPlot(CLI::App& app, PlotArguments& arguments) {
  CLI::App* plot = app.add_subcommand("plot", "Draw histories or a phase portrait of a result with gnuplot");
  plot->add_option("RESULT", arguments.result, "A result file (.h5)")->required();
  plot->add_option(
      "QUANTITY", arguments.quantities,
      "What to draw: " + usages() +
          ", or a formula of them; without 1|2 the size of a vector. Units have a panel each. Default: the "
          "displacements that move most");
  plot->add_option("-x,--abscissa", arguments.abscissa,
                   "A quantity on the abscissa instead of time: a phase portrait; of a batch, a parameter");
  plot->add_flag("--batch", arguments.batch,
                 "QUANTITY is an output of a batch: a scatter over a parameter, or a map over two");
  plot->add_option("-y,--ordinate", arguments.ordinate, "Of a batch: the second parameter of a map");
  plot->add_option("--at", arguments.at,
                   "Of a batch: PARAMETER=VALUE fixes one of the other parameters, at a value that its cases "
                   "have; once for each of them")
      ->allow_extra_args(false);
  plot->add_option("-o,--output", arguments.output,
                   "Picture, .svg or .png (default: the result's name with .svg)");
  plot->add_option("-t,--title", arguments.title, "Title of the picture (default: the study's)");
  plot->add_option("--from", arguments.from, "First instant [s]");
  plot->add_option("--to", arguments.to, "Last instant [s]");
}

void addManual(CLI::App& app, ManualArguments& arguments) {
  CLI::App* manual = app.add_subcommand(
      "manual", "Print the pages of laws, obstacles and schemes, or write all of them with pictures");
  manual->add_option("NAME", arguments.names,
                     "A keyword of decks (hertz) or a page (normal-hertz). Default: the list of all pages");
  manual->add_option("-o,--output", arguments.output,
                     "Folder to write all pages to, in Markdown, with an index and pictures by gnuplot");
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
  std::signal(SIGXFSZ, SIG_IGN);  // a limit on the size of files is told by the write that meets it
  CLI::App app(kDescription, "ricochet");
  app.footer(kFooter);
  app.set_version_flag("--version", std::string("ricochet ") + std::string(kVersion));
  app.require_subcommand(1);

  RunArguments run;
  VerifyArguments verify;
  PlotArguments plot;
  CompareArguments compare;
  BatchArguments batch;
  PatchArguments patch;
  RestoreArguments restore;
  ManualArguments manual;
  std::filesystem::path checkDeck, modesDeck, reproduced;
  bool reproducesQuietly = false;
  addRun(app, run);
  addVerify(app, verify);
  CLI::App* again = app.add_subcommand(
      "reproduce",
      "Run the deck of a result again, in a temporary folder, and compare all numbers bit for bit");
  again->add_option("RESULT", reproduced, "A complete result file (.h5)")->required();
  again->add_flag("-q,--quiet", reproducesQuietly, "Print nothing but differences");
  addCompare(app, compare);
  addBatch(app, batch);
  app.add_subcommand("check", "Print the model as understood, without running it")
      ->add_option("DECK", checkDeck, "The study, a TOML file")
      ->required();
  app.add_subcommand("modes", "Print the modal basis of a deck")
      ->add_option("DECK", modesDeck, "The study, a TOML file")
      ->required();
  addPlot(app, plot);
  addRestore(app, restore);
  addPatch(app, patch);
  addManual(app, manual);

  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    const int status = app.exit(error);
    return flushed(status == 0 ? kSuccess : kBadInput);
  }
  setLimits(app.got_subcommand("batch") ? batch.limits : run.limits);
  return flushed(guarded([&] {
    if (app.got_subcommand("run")) return runCommand(run);
    if (app.got_subcommand("verify")) return verifyCommand(verify);
    if (app.got_subcommand("reproduce")) return reproduceCommand(reproduced, reproducesQuietly);
    if (app.got_subcommand("compare")) return compareCommand(compare);
    if (app.got_subcommand("batch")) return batchCommand(batch, makePeers);
    if (app.got_subcommand("check")) return checkCommand(checkDeck);
    if (app.got_subcommand("modes")) return modesCommand(modesDeck);
    if (app.got_subcommand("patch")) return patchCommand(patch);
    if (app.got_subcommand("restore")) return restoreCommand(restore);
    if (app.got_subcommand("manual")) return manualCommand(manual);
    return plotCommand(plot);
  }));
}

}  // namespace ricochet
