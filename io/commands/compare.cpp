#include "io/commands/commands.hpp"

namespace ricochet {
int compareCommand(const CompareArguments&) { return kFailure; }
}  // namespace ricochet
