#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace ricochet {

class H5File;

/// What a picture of a batch is to show: columns of /batch/outputs and /batch/parameters.
struct BatchAxes {
  std::string output;                 ///< empty: the first
  std::optional<std::string> across;  ///< parameters: their path, or the end of it
  std::optional<std::string> up;
  std::vector<std::string> fixed;  ///< "PARAMETER=VALUE"
};

/// The cases of a batch that a picture shows.
struct BatchSelection {
  std::string output, across, up;              ///< names; `up` is empty of a scatter
  std::string fixed;                           ///< "at speed = 3, load = 100"; empty: none is fixed
  std::vector<double> acrossLevels, upLevels;  ///< of all selected cases, increasing
  std::vector<double> x, y, value;             ///< of those that have the output; y only of a map
  std::size_t cases{0}, failed{0}, pending{0}, without{0};  ///< without: complete, but lacking the output
};

/// Throws PlotError: an unknown name, a value that no case has, and cases at one place of the picture that
/// differ in a parameter which is neither drawn over nor fixed.
BatchSelection selectCases(const H5File& file, const BatchAxes& axes);

/// "3 of 27 cases failed and are left out"; empty where all are there.
std::string leftOut(const BatchSelection& selection);

}  // namespace ricochet
