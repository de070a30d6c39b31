#pragma once

#include "io/archive/read_curve.hpp"

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace ricochet {

struct PlotRequest {
  /// "displacement(shoe, ux)"; empty: the displacements with the largest range.
  std::vector<std::string> quantities;
  std::optional<std::string> abscissa;  ///< a quantity instead of time: phase portrait
  std::filesystem::path picture;        ///< file of the picture, .svg or .png
  std::string title;                    ///< title; empty: the title of the study
  std::optional<double> from, to;       ///< interval of the histories [s]
};

/// Draws histories or a phase portrait of a result with gnuplot. Returns notes, one sentence each, about data
/// that the picture cannot show: peaks between rows, rows without a finite number.
std::vector<std::string> plotResult(const std::filesystem::path& result, const PlotRequest& request);

}  // namespace ricochet
