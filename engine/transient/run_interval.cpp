#include "engine/transient/run_interval.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>

namespace ricochet {

double RunInterval::timeRounding() const {
  constexpr double kSameInstant = 1e-12;  // relative difference of equal instants
  return kSameInstant * std::max(std::abs(start), std::abs(end));
}

std::optional<double> RunInterval::instantIfWithinRun(double time) const {
  const double same = std::max(timeRounding(), RunInterval{0.0, end - start}.timeRounding());
  if (std::abs(time - start) <= same) return start;
  if (std::abs(time - end) <= same) return end;
  if (!(time >= start && time <= end)) return std::nullopt;
  return time;
}

std::string RunInterval::description() const { return fmt::format("from {} s to {} s", start, end); }

}  // namespace ricochet
