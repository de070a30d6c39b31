#pragma once

#include <cstddef>
#include <initializer_list>
#include <utility>
#include <vector>

namespace ricochet {

/// Increasing instants of archived rows [s]: a list, or equidistant instants, which are computed and need no
/// memory.
class ArchiveTimes {
 public:
  ArchiveTimes() = default;
  ArchiveTimes(std::vector<double> times) : listed_(std::move(times)) {}
  ArchiveTimes(std::initializer_list<double> times) : listed_(times) {}

  /// Instants start, start + interval, ... and the end. The end is not repeated if the last regular instant
  /// lies within 1e-9 intervals of the end.
  static ArchiveTimes equidistantTimes(double interval, double start, double end);

  std::size_t size() const noexcept { return listed_.size() + regular_ + (hasEnd_ ? 1 : 0); }
  bool empty() const noexcept { return size() == 0; }
  double operator[](std::size_t i) const noexcept;
  std::vector<double> allTimes() const;

  void clear() noexcept { *this = {}; }
  void push_back(double time) { listed_.push_back(time); }

  bool operator==(const ArchiveTimes&) const = default;

 private:
  std::vector<double> listed_;
  std::size_t regular_{0};
  bool hasEnd_{false};
  double start_{0.0}, interval_{0.0}, end_{0.0};
};

}  // namespace ricochet
