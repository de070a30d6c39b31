#include "io/app/report/report.hpp"

#include "io/app/commands/commands.hpp"
#include "io/app/commands/shared_options.hpp"
#include "io/result/result_target.hpp"
#include "io/text/progress.hpp"
#include "io/text/size_text.hpp"

#include <CLI/CLI.hpp>
#include <fmt/core.h>

#include <cstdio>
#include <memory>
#include <optional>

namespace ricochet {
namespace {

struct ReportArguments {
  std::filesystem::path result;
  std::optional<std::filesystem::path> output;
  bool force{false};
  bool quiet{false};
};

int writeReportPage(const ReportArguments& arguments) {
  const std::filesystem::path output =
      arguments.output.value_or(std::filesystem::path(arguments.result).replace_extension(".html"));
  requireFileMayBeWritten(output, OutputKind::page, arguments.force, inputFilesOf(arguments.result));
  requirePageLibraries();
  const std::string page = runWhileShowingWaiting(!arguments.quiet, "reading the result",
                                                  [&] { return reportPage(arguments.result); });
  writeTextFile(output, [&page](std::FILE* file) { std::fwrite(page.data(), 1, page.size(), file); });
  if (!arguments.quiet)
    fmt::print("{}: {}, opens in a browser without a network\n", output.string(),
               byteCountText(static_cast<double>(page.size())));
  return kSuccess;
}

}  // namespace

Command addReportCommand(CLI::App& app) {
  CLI::App* report = app.add_subcommand(
      "report", "Make one HTML page of a result: structure, histories, contacts, checks, cases of a batch");
  const auto arguments = std::make_shared<ReportArguments>();
  report->add_option("RESULT", arguments->result, "A result file (.h5, .h5.partial)")->required();
  report->add_option("-o,--output", arguments->output,
                     "Page to write (default: the result's name with .html)");
  report->add_flag("-f,--force", arguments->force, "Replace a page that is already there");
  addQuietOption(*report, arguments->quiet);
  return {report, [arguments] { return writeReportPage(*arguments); }};
}

}  // namespace ricochet
