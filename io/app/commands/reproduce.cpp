#include "io/app/reproduce.hpp"

#include "io/app/commands/commands.hpp"
#include "io/result/target.hpp"
#include "io/text/progress.hpp"

#include <fmt/core.h>

#include <algorithm>

namespace ricochet {

int reproduceCommand(const std::filesystem::path& result, bool quiet) {
  requireResult(result);
  const InterruptGuard guard;
  const Reproduction found = reproduce(result, !quiet);
  if (found.differences.empty()) {
    if (!quiet)
      fmt::print("{}: reproduced: {} datasets, bit for bit\n  made by {}\n", result.string(), found.datasets,
                 found.made);
    return kSuccess;
  }
  fmt::print("{}: NOT reproduced: {} of {} datasets differ\n  made by {}\n", result.string(),
             found.differences.size(), found.datasets, found.made);
  constexpr std::size_t kShown = 20;
  for (std::size_t i = 0; i < std::min(found.differences.size(), kShown); ++i)
    fmt::print("  {}: {}\n", found.differences[i].dataset, found.differences[i].text);
  if (found.differences.size() > kShown) fmt::print("  ... and {} more\n", found.differences.size() - kShown);
  return kFailure;
}

}  // namespace ricochet
