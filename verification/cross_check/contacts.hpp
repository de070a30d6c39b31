#pragma once

namespace CLI {
class App;
}

namespace ricochet::cross {

/// Adds the subcommand `contacts`: rigid bodies on contacts. `status` becomes 1 if a model disagrees.
void addContacts(CLI::App& app, int& status);

}  // namespace ricochet::cross
