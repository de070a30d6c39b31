#pragma once

#include "io/mode.hpp"

#include <filesystem>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace ricochet {

/// A picture cannot be drawn as asked: an unknown quantity, no gnuplot. what() says what there is.
class PlotError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

struct PlotRequest {
  std::vector<std::string> quantities;  ///< "displacement(shoe, ux)"; empty: the displacements that move most
  std::optional<std::string> abscissa;  ///< a quantity instead of time: a phase portrait
  std::filesystem::path picture;        ///< .svg or .png
  std::string title;                    ///< empty: the study's
  std::optional<double> from, to;       ///< part of the history [s]
};

/// A history read from a result.
struct Curve {
  std::string label;         ///< "displacement(shoe, ux)"
  std::string units;         ///< "m"
  std::string quantity;      ///< "displacement"
  std::string group;         ///< of the result: "/contacts/sole"
  std::vector<double> time;  ///< [s]
  std::vector<double> values;
  Mode mode{Mode::modal};  ///< of the run
};

/// Reads a quantity such as "gap(sole)" of one run of a result. Throws PlotError: unknown quantity or
/// argument.
class H5File;
Curve readCurve(const H5File& file, std::string_view quantity, Mode mode = Mode::modal);

/// The same of all runs that the result holds: a modal one, a direct one, or both.
std::vector<Curve> readCurves(const H5File& file, std::string_view quantity);

/// Draws histories or a phase portrait of a result with gnuplot. Returns what the picture cannot show, in a
/// sentence each: peaks between rows, rows without a finite number.
std::vector<std::string> plotResult(const std::filesystem::path& result, const PlotRequest& request);

}  // namespace ricochet
