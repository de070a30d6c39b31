#pragma once

#include "io/commands/patch_arguments.hpp"

namespace CLI {
class App;
}

namespace ricochet {

/// Adds the command `patch` to the command line.
void addPatch(CLI::App& app, PatchArguments& arguments);

}  // namespace ricochet
