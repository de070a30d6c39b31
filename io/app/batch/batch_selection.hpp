#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace ricochet {

class H5File;

/// Request for a picture of a batch: columns of /batch/outputs and /batch/parameters.
struct BatchAxes {
  std::string output;                 ///< name of the output; empty: the first output
  std::optional<std::string> across;  ///< parameters on the axes, by their path or the end of their path
  std::optional<std::string> up;
  std::vector<std::string> fixed;  ///< fixed parameters, as "PARAMETER=VALUE"
  /// Histogram: number of cases over the values of the output, without a parameter.
  bool histogram{false};
};

/// The cases of a batch that a picture shows.
struct BatchSelection {
  /// Names on the axes; `up` is empty for a scatter plot, and both are for a histogram.
  std::string output, across, up;
  std::string unit;  ///< unit of the output; empty: a formula, or unknown
  /// Text of the fixed parameters: "at speed = 3, load = 100"; empty: no parameter is fixed.
  std::string fixed;
  std::vector<double> acrossLevels,
      upLevels;                     ///< levels of both parameters in all selected cases, increasing
  std::vector<double> x, y, value;  ///< values of the cases that have the output; y is used by maps only
  /// Without: number of complete cases that lack the output.
  std::size_t cases{0}, failed{0}, pending{0}, without{0};
};

/// The cases of each panel of a picture: one, or one for each level of a third parameter that is neither on
/// an axis nor fixed; of a histogram, one. Throws PlotError for an unknown name, for a value that no case
/// has, and for cases at one point of a panel that differ in a further parameter, or in a third one of more
/// levels than there is room for.
std::vector<BatchSelection> selectCases(const H5File& file, const BatchAxes& axes);

/// Units of the columns of /batch/parameters or /batch/outputs; empty texts where none is known, as in
/// results of early versions.
std::vector<std::string> unitsOfColumns(const H5File& file, const std::string& dataset);

/// Text about the omitted cases: "3 of 27 cases failed and are left out"; empty if no case is omitted.
std::string omittedCasesText(const BatchSelection& selection);

}  // namespace ricochet
