#pragma once

#include "io/app/batch/batch_selection.hpp"

#include <filesystem>
#include <string>

namespace ricochet {

/// Draws an output of a batch against its parameters into a picture (.svg or .png): a scatter over one of
/// them, or a map over two (the first two, when nothing is said and the batch has two), the output as colour.
/// Cases without the output are left out, and their number is in the title (empty: that of the study). Throws
/// PlotError: among others where cases that differ in a parameter which is neither drawn over nor fixed would
/// lie one over the other.
void plotBatch(const std::filesystem::path& result, const BatchAxes& axes,
               const std::filesystem::path& picture, const std::string& title);

}  // namespace ricochet
