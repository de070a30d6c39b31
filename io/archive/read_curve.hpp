#pragma once

#include "engine/study/parts/mode.hpp"
#include "io/archive/recorded_columns.hpp"
#include "io/text/request_error.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace ricochet {

class H5File;

/// A picture cannot be drawn as requested: an unknown quantity, or no gnuplot. what() lists the available
/// quantities.
struct PlotError : RequestError {
  using RequestError::RequestError;
};

/// A history read from a result.
struct Curve {
  std::string label;         ///< "displacement(shoe, ux)"
  std::string units;         ///< "m"
  std::string quantity;      ///< "displacement"
  std::string group;         ///< group in the result: "/contacts/sole"
  std::vector<double> time;  ///< [s]
  std::vector<double> values;
  /// Derivatives by time at `time`, for a curve that drives a run; empty where the result does not hold them.
  std::vector<double> rates{};
  std::vector<double> integrals{};  ///< the same of an antiderivative, where `rates` is empty
  /// Largest share of the impulse of a normal force, over the run, that its rows do not have: of a curve that
  /// drives a run.
  double missedImpulse{0.0};
  Mode mode{Mode::modal};  ///< mode of the run
  CurveStyle style{CurveStyle::line};
  std::string abscissa{"time [s]"};  ///< label of what `time` holds
  /// True: the first component of a vector, although the expression means the magnitude.
  bool tookFirst{false};
};

/// Reads a history of one run of a result, such as "gap(sole)" or a formula of histories
/// (parseHistoryExpression). `drives`: the curve drives another run; uses tangent or axis 1 of a vector
/// without a component, instead of the magnitude, and reads the rates. Throws PlotError for an unknown
/// quantity or argument.
Curve readCurve(const H5File& file, std::string_view quantity, Mode mode = Mode::modal, bool drives = false);

/// Instants of the events of contacts in a run of a result [s], at which rates may jump.
std::vector<double> eventInstantsIn(const H5File& file, Mode mode);

/// Throws PlotError for a curve without rows: nothing was archived, or the run had no impact of the kind that
/// was asked for.
void requireCurveRows(const H5File& file, const Curve& curve);

/// Names of the contacts whose histories a run of a result holds.
std::vector<std::string> contactNamesIn(const H5File& file, Mode mode);

/// Reads the history from all runs in the result: modal, direct, or both.
std::vector<Curve> readCurves(const H5File& file, std::string_view quantity);

}  // namespace ricochet
