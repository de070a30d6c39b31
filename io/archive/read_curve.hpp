#pragma once

#include "engine/study/parts/mode.hpp"
#include "io/text/request_error.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace ricochet {

class H5File;

/// A picture cannot be drawn as asked: an unknown quantity, no gnuplot. what() says what there is.
struct PlotError : RequestError {
  using RequestError::RequestError;
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
  bool tookFirst{false};   ///< the first component, where the size of a vector was asked for
};

/// Reads a history of one run of a result, such as "gap(sole)" or a formula of them (parseHistory).
/// `firstOfVectors`: tangent or axis 1 of a vector whose component is not given, instead of the size.
/// Throws PlotError: unknown quantity or argument.
Curve readCurve(const H5File& file, std::string_view quantity, Mode mode = Mode::modal,
                bool firstOfVectors = false);

/// The same of all runs that the result holds: a modal one, a direct one, or both.
std::vector<Curve> readCurves(const H5File& file, std::string_view quantity);

}  // namespace ricochet
