#pragma once

#include "io/archive/read_curve.hpp"

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace ricochet {

struct PlotRequest {
  std::vector<std::string> quantities;  ///< "displacement(shoe, ux)"; empty: the displacements that move most
  std::optional<std::string> abscissa;  ///< a quantity instead of time: a phase portrait
  std::filesystem::path picture;        ///< .svg or .png
  std::string title;                    ///< empty: the study's
  std::optional<double> from, to;       ///< part of the history [s]
};

/// Draws histories or a phase portrait of a result with gnuplot. Returns what the picture cannot show, in a
/// sentence each: peaks between rows, rows without a finite number.
std::vector<std::string> plotResult(const std::filesystem::path& result, const PlotRequest& request);

}  // namespace ricochet
