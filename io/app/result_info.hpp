#pragma once

#include <filesystem>
#include <string>

namespace ricochet {

/// Summary of a result as text: status, deck, program, runs with their rows and contacts, cases of a batch,
/// and the datasets of each group. Throws TargetError for a file that is no result.
std::string summaryTextOfResult(const std::filesystem::path& result);

}  // namespace ricochet
