#include "io/app/report/report.hpp"

#include "io/app/commands/commands.hpp"
#include "io/result/result_target.hpp"
#include "io/result/target.hpp"

#include <CLI/CLI.hpp>
#include <fmt/core.h>

#include <cstdio>
#include <memory>
#include <optional>
#include <system_error>

namespace ricochet {
namespace {

struct ReportArguments {
  std::filesystem::path result;
  std::optional<std::filesystem::path> output;
  bool force{false};
};

void writePage(const std::filesystem::path& output, const std::string& page) {
  std::unique_ptr<std::FILE, int (*)(std::FILE*)> file(std::fopen(output.c_str(), "w"), &std::fclose);
  if (!file) throw TargetError(fmt::format("{}: cannot be written", output.string()));
  const bool isWhole = std::fwrite(page.data(), 1, page.size(), file.get()) == page.size();
  if (std::fclose(file.release()) != 0 || !isWhole)
    throw std::runtime_error(fmt::format("{}: cannot be written to its end", output.string()));
}

int makeReport(const ReportArguments& arguments) {
  requirePageLibraries();
  const std::filesystem::path output =
      arguments.output.value_or(std::filesystem::path(arguments.result).replace_extension(".html"));
  requireTarget(output);
  requireNoInput(output, {{arguments.result, "the result itself"}});
  if (std::error_code ignored; !arguments.force && std::filesystem::exists(output, ignored))
    throw TargetError(fmt::format("{}: exists; give --force to replace it", output.string()));
  const std::string page = reportPage(arguments.result);
  writePage(output, page);
  fmt::print("{}: {:.1f} MB, opens in a browser without a network\n", output.string(),
             static_cast<double>(page.size()) * 1e-6);
  return kSuccess;
}

}  // namespace

Command addReport(CLI::App& app) {
  CLI::App* report = app.add_subcommand(
      "report", "Make one HTML page of a result: structure, histories, contacts, checks, cases of a batch");
  const auto arguments = std::make_shared<ReportArguments>();
  report->add_option("RESULT", arguments->result, "A result file (.h5, .h5.partial)")->required();
  report->add_option("-o,--output", arguments->output,
                     "Page to write (default: the result's name with .html)");
  report->add_flag("-f,--force", arguments->force, "Replace a page that is already there");
  return {report, [arguments] { return makeReport(*arguments); }};
}

}  // namespace ricochet
