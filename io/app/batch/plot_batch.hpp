#pragma once

#include "io/app/batch/batch_selection.hpp"

#include <filesystem>
#include <string>

namespace ricochet {

/// Draws an output of a batch against its parameters into a picture (.svg or .png): a scatter plot over one
/// parameter, or a map over two parameters with the output as colour (default: the first two parameters if
/// the batch has two), or a histogram of the output over all cases, with mean, deviation and quantiles in its
/// title. Cases without the output are omitted, and their number is part of the title (empty
/// title: the title of the study). Throws PlotError, for example if cases that differ in a parameter which is
/// neither on an axis nor fixed would lie at one point.
void plotBatch(const std::filesystem::path& result, const BatchAxes& axes,
               const std::filesystem::path& picture, const std::string& title);

}  // namespace ricochet
