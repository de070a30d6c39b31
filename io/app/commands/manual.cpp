#include "io/app/manual/manual.hpp"

#include "io/app/commands/commands.hpp"
#include "io/app/manual/quantity_table.hpp"
#include "io/app/manual/support_matrix.hpp"

#include <fmt/core.h>

namespace ricochet {

int manualCommand(const ManualArguments& arguments) {
  if (arguments.output) {
    if (!arguments.names.empty())
      throw ManualError("--output writes all pages: give no names, or leave it out");
    const std::size_t pages = writeManual(*arguments.output);
    fmt::print("{} ({} pages)\n", (*arguments.output / "index.md").string(), pages);
    return kSuccess;
  }
  if (arguments.names.empty()) {
    fmt::print(
        "{}\n`ricochet manual NAME` prints a page, `ricochet manual matrix` which scheme follows what, "
        "`ricochet manual quantities` what a run can be asked for, `ricochet manual -o FOLDER` writes all of "
        "them.\n",
        manualList());
    return kSuccess;
  }
  if (arguments.names.size() == 1 && arguments.names.front() == "matrix") {
    fmt::print("{}", supportMatrix());
    return kSuccess;
  }
  if (arguments.names.size() == 1 && arguments.names.front() == "quantities") {
    fmt::print("{}", quantityTables());
    return kSuccess;
  }
  std::vector<const LawPage*> pages;
  for (const std::string& name : arguments.names)
    for (const LawPage* page : pagesNamed(name)) pages.push_back(page);
  for (const LawPage* page : pages) fmt::print("{}{}", page == pages.front() ? "" : "\n\n", plainPage(*page));
  return kSuccess;
}

}  // namespace ricochet
