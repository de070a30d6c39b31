#pragma once

#include <optional>
#include <string>

namespace ricochet {

/// Interval of a run [s].
struct RunInterval {
  double start{0.0};
  double end{0.0};

  /// `time` if it lies inside the run, the end of the run if equal to it within rounding, otherwise empty.
  std::optional<double> instantIfWithinRun(double time) const;

  /// Distance of instants that are the same within the rounding of the start and the end [s].
  double timeRounding() const;

  std::string description() const;  ///< "from 0 s to 0.35 s"
};

}  // namespace ricochet
