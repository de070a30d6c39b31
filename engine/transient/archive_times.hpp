#pragma once

#include <cstddef>
#include <initializer_list>
#include <utility>
#include <vector>

namespace ricochet {

/// Increasing instants of archived rows [s]: listed, or at equal distances, which take no memory however many
/// they are.
class ArchiveTimes {
 public:
  ArchiveTimes() = default;
  ArchiveTimes(std::vector<double> times) : listed_(std::move(times)) {}
  ArchiveTimes(std::initializer_list<double> times) : listed_(times) {}

  /// start, start + interval, ... and the end, where the last of them does not come within 1e-9 intervals of
  /// it.
  static ArchiveTimes every(double interval, double start, double end);

  std::size_t size() const noexcept { return listed_.size() + regular_ + (hasEnd_ ? 1 : 0); }
  bool empty() const noexcept { return size() == 0; }
  double operator[](std::size_t i) const noexcept;
  std::vector<double> all() const;

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
