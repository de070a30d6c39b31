#pragma once

namespace CLI {
class App;
}

namespace ricochet::cross {

/// Adds the subcommand `laws`: every law in every scheme. `status`: exit status of the run.
void addLaws(CLI::App& app, int& status);

}  // namespace ricochet::cross
