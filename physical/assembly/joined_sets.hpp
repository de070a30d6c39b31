#pragma once

#include <algorithm>
#include <cstddef>
#include <numeric>
#include <vector>

namespace ricochet {

/// Disjoint sets of the numbers from 0 (union-find): two numbers are in one set if a chain of joins connects
/// them.
class JoinedSets {
 public:
  explicit JoinedSets(std::size_t size) : root_(size) {
    std::iota(root_.begin(), root_.end(), std::size_t{0});
  }

  /// The lowest number of a set.
  std::size_t lowestMemberOfSet(std::size_t i) noexcept {
    while (root_[i] != i) i = root_[i] = root_[root_[i]];
    return i;
  }
  void join(std::size_t i, std::size_t j) noexcept {
    const std::size_t a = lowestMemberOfSet(i), b = lowestMemberOfSet(j);
    root_[std::max(a, b)] = std::min(a, b);
  }

 private:
  std::vector<std::size_t> root_;
};

}  // namespace ricochet
