#pragma once

#include <cstdint>
#include <set>
#include <string>
#include <utility>

namespace ricochet::cross {

/// Models with a known disagreement: lines `seed index reason`, comments after #. Such a model must disagree:
/// as soon as the model agrees, its line must be removed.
class KnownFaults {
 public:
  /// Reads a file; an empty name means that no faults are known. Throws std::runtime_error.
  explicit KnownFaults(const std::string& file);
  bool contains(std::uint64_t seed, int index) const { return models_.contains({seed, index}); }

 private:
  std::set<std::pair<std::uint64_t, int>> models_;
};

}  // namespace ricochet::cross
