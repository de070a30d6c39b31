#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace ricochet {

struct BatchPlot {
  std::string output;                 ///< empty: the first
  std::optional<std::string> across;  ///< parameter of the abscissa: its path, or the end of it
  std::optional<std::string> up;      ///< parameter of the ordinate: a map, the output as colour
  std::vector<std::string> fixed;     ///< "PARAMETER=VALUE" of those that are not drawn over
  std::filesystem::path picture;      ///< .svg or .png
  std::string title;                  ///< empty: the study's
};

/// Draws an output of a batch against its parameters: a scatter over one of them, or a map over two (the
/// first two, when nothing is said and the batch has two). Cases without the output are left out, and their
/// number is in the title. Throws PlotError: among others where cases that differ in a parameter which is
/// neither drawn over nor fixed would lie one over the other.
void plotBatch(const std::filesystem::path& result, const BatchPlot& plot);

}  // namespace ricochet
