#include "io/app/manual/manual.hpp"

#include "io/app/commands/commands.hpp"
#include "io/app/commands/man_pages.hpp"
#include "io/app/commands/shared_options.hpp"
#include "io/app/manual/deck_schema.hpp"
#include "io/app/manual/quantity_table.hpp"
#include "io/app/manual/support_matrix.hpp"
#include "io/result/result_target.hpp"

#include <CLI/CLI.hpp>
#include <fmt/core.h>

#include <memory>

namespace ricochet {

namespace {

struct ManualArguments {
  std::vector<std::string> names;  // names of the pages to print; empty: list of all pages
  // folder for all pages and their pictures; absent: print to the terminal
  std::optional<std::filesystem::path> output;
  std::optional<std::filesystem::path> manPages;  // folder for pages of man; absent: none
};

/// Throws TargetError if a page of the manual would replace a file of a folder that holds no manual.
void requireManualFolder(const std::filesystem::path& folder) {
  if (!std::filesystem::is_directory(folder)) return;
  const std::filesystem::path index = folder / "index.md";
  requireFileMayBeWritten(index, OutputKind::manual, true);
  if (std::filesystem::exists(index)) return;
  for (const std::filesystem::path& each : manualFiles())
    if (std::filesystem::exists(std::filesystem::symlink_status(folder / each)))
      throw TargetError(
          fmt::format("{}: is there, and its folder holds no manual; move it, or name another folder",
                      (folder / each).string()));
}

int printManual(const ManualArguments& arguments, const CLI::App& app) {
  if (arguments.manPages) {
    const std::size_t pages = writeManPages(app, *arguments.manPages);
    fmt::print("{} ({} pages)\n", (*arguments.manPages / "ricochet.1").string(), pages);
    return kSuccess;
  }
  if (arguments.output) {
    if (!arguments.names.empty())
      throw ManualError("--output writes all pages: give no names, or leave it out");
    requireManualFolder(*arguments.output);
    const std::size_t pages = writeManual(*arguments.output);
    fmt::print("{} ({} pages)\n", (*arguments.output / "index.md").string(), pages);
    return kSuccess;
  }
  if (arguments.names.empty()) {
    fmt::print(
        "{}\n`ricochet manual NAME` prints a page, `ricochet manual matrix` which scheme follows what, "
        "`ricochet manual quantities` what a run can be asked for, `ricochet manual -o FOLDER` writes all of "
        "them.\n",
        listOfManualPages());
    return kSuccess;
  }
  if (arguments.names.size() == 1 && arguments.names.front() == "matrix") {
    fmt::print("{}", tableOfSchemeSupport());
    return kSuccess;
  }
  if (arguments.names.size() == 1 && arguments.names.front() == "quantities") {
    fmt::print("{}", quantityTablesInMarkdown());
    return kSuccess;
  }
  if (const Guide* guide = arguments.names.size() == 1 ? guideWithName(arguments.names.front()) : nullptr) {
    fmt::print("{}", guide->text);
    return kSuccess;
  }
  std::vector<const LawPage*> pages;
  for (const std::string& name : arguments.names)
    for (const LawPage* page : pagesWithName(name)) pages.push_back(page);
  for (const LawPage* page : pages)
    fmt::print("{}{}", page == pages.front() ? "" : "\n\n", terminalTextOfPage(*page));
  return kSuccess;
}

}  // namespace

Command addManualCommand(CLI::App& app) {
  CLI::App* manual = app.add_subcommand(
      "manual", "Print the pages of tables, laws, obstacles and schemes, or write all of them with pictures");
  const auto arguments = std::make_shared<ManualArguments>();
  manual->add_option("NAME", arguments->names,
                     "A guide (tutorial), a table (beams), a keyword of decks (hertz) or a page "
                     "(normal-hertz). Default: the list "
                     "of all");
  manual->add_option("-o,--output", arguments->output,
                     "Folder to write all pages to, in Markdown, with an index and pictures by gnuplot");
  manual->add_option("--man", arguments->manPages,
                     "Folder to write pages for man(1) to: ricochet.1 and one for each command");
  return {manual, [arguments, &app] { return printManual(*arguments, app); }};
}

Command addSchemaCommand(CLI::App& app) {
  CLI::App* schema = app.add_subcommand(
      "schema", "Print the JSON Schema of decks, by which editors complete and check them");
  struct SchemaArguments {
    std::optional<std::filesystem::path> output;  // absent: standard output
    bool force{false};
  };
  const auto arguments = std::make_shared<SchemaArguments>();
  schema->add_option("-o,--output", arguments->output, "File to write (default: standard output)");
  schema->add_flag("-f,--force", arguments->force, "Replace a file that is already there");
  return {schema, [arguments] {
            if (arguments->output) {
              requireFileMayBeWritten(*arguments->output, OutputKind::schema, arguments->force);
              writeTextFile(*arguments->output, [](std::FILE* out) { fmt::print(out, "{}", deckSchema()); });
            } else {
              fmt::print("{}", deckSchema());
            }
            return kSuccess;
          }};
}

}  // namespace ricochet
