#pragma once

#include "io/app/commands/patch_arguments.hpp"

#include <CLI/CLI.hpp>

namespace ricochet {

/// Adds the command `patch` to the command line.
void addPatch(CLI::App& app, PatchArguments& arguments);

}  // namespace ricochet
