#include "io/app/commands/commands.hpp"
#include "io/app/commands/shared_options.hpp"
#include "io/app/result_info.hpp"
#include "io/app/result_table.hpp"
#include "io/app/result_watch.hpp"
#include "io/result/result_target.hpp"
#include "io/text/counted.hpp"
#include "io/text/printable.hpp"

#include <CLI/CLI.hpp>
#include <fmt/core.h>

#include <memory>
#include <optional>

namespace ricochet {
namespace {

struct TableArguments {
  std::filesystem::path result;
  std::optional<std::filesystem::path> output;  // absent: standard output
  bool force{false};
  TableRequest request;
};

int writeTableOfHistories(const TableArguments& arguments) {
  if (!arguments.output) {
    ResultTable(arguments.result, arguments.request).writeCsv(stdout);
    return kSuccess;
  }
  const std::filesystem::path& output = *arguments.output;
  requireFileMayBeWritten(output, OutputKind::table, arguments.force, inputFilesOf(arguments.result));
  const ResultTable table(arguments.result, arguments.request);
  writeTextFile(output, [&table](std::FILE* file) { table.writeCsv(file); });
  fmt::print("{}: {}\n", output.string(), numberWithNoun(table.rowCount(), "row"));
  return kSuccess;
}

}  // namespace

Command addInfoCommand(CLI::App& app) {
  CLI::App* info = app.add_subcommand("info", "Say what a result holds, complete or not");
  const auto result = std::make_shared<std::filesystem::path>();
  info->add_option("RESULT", *result, "A result file (.h5, .h5.partial)")->required();
  return {info, [result] {
            std::string lines = summaryTextOfResult(*result);
            for (std::size_t end; !lines.empty(); lines.erase(0, end + 1)) {
              end = lines.find('\n');
              fmt::print("{}\n", printableMessage(lines.substr(0, end)));
            }
            return kSuccess;
          }};
}

Command addWatchCommand(CLI::App& app) {
  CLI::App* watch = app.add_subcommand("watch", "Follow a run that another process is making");
  struct Arguments {
    std::filesystem::path result;
    WatchRequest request;
  };
  const auto arguments = std::make_shared<Arguments>();
  watch->add_option("RESULT", arguments->result, "The result file (.h5) that the run will leave")->required();
  watch->add_option("--every", arguments->request.every, "Time between two looks [s]")
      ->check(CLI::Range(0.05, 1e6))
      ->capture_default_str();
  watch->add_flag("--once", arguments->request.once, "Look once");
  return {watch, [arguments] {
            return watchResult(arguments->result, arguments->request, stdout) ? kSuccess : kFailure;
          }};
}

Command addTableCommand(CLI::App& app) {
  CLI::App* table =
      app.add_subcommand("table", "Print histories of a result, or the cases of a batch, as CSV");
  const auto arguments = std::make_shared<TableArguments>();
  TableRequest& request = arguments->request;
  table->add_option("RESULT", arguments->result, "A result file (.h5)")->required();
  table->add_option("QUANTITY", request.quantities,
                    "Histories or formulas of them, as of plot (ricochet manual quantities); of a batch, "
                    "outputs (default: all)");
  table->add_option("-o,--output", arguments->output, "File to write (default: standard output)");
  table->add_flag("-f,--force", arguments->force, "Replace a file that is already there");
  table->add_option("--from", request.from, "First instant [s]");
  table->add_option("--to", request.to, "Last instant [s]");
  table->add_option("--every", request.every, "One archived instant of so many")
      ->check(CLI::Range(1, 1000000000));
  return {table, [arguments] { return writeTableOfHistories(*arguments); }};
}

}  // namespace ricochet
