#include "engine/transient/archive_times.hpp"

#include <algorithm>
#include <cmath>

namespace ricochet {

ArchiveTimes ArchiveTimes::equidistantTimes(double interval, double start, double end) {
  constexpr double kRounding = 1e-9;
  ArchiveTimes times;
  times.start_ = start;
  times.interval_ = interval;
  times.end_ = end;
  times.regular_ = static_cast<std::size_t>(std::floor((end - start) / interval + kRounding)) + 1;
  times.hasEnd_ = end - times[times.regular_ - 1] > kRounding * interval;
  return times;
}

double ArchiveTimes::operator[](std::size_t i) const noexcept {
  if (i < listed_.size()) return listed_[i];
  return i < regular_ ? std::min(end_, start_ + static_cast<double>(i) * interval_) : end_;
}

std::vector<double> ArchiveTimes::allTimes() const {
  std::vector<double> times(size());
  for (std::size_t i = 0; i < times.size(); ++i) times[i] = (*this)[i];
  return times;
}

}  // namespace ricochet
