#pragma once

#include "physical/types.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <numeric>
#include <utility>
#include <vector>

namespace ricochet {

/// True if reaction i moves reaction j by more than rounding; `compliance` is symmetric.
inline bool areReactionsCoupled(const Matrix& compliance, Eigen::Index i, Eigen::Index j) noexcept {
  constexpr double kNone = 1e-12;  // relative to the effects of the two on themselves
  return std::abs(compliance(i, j)) > kNone * std::sqrt(compliance(i, i) * compliance(j, j));
}

/// Groups of the numbers 0 to `count` - 1: two numbers are in one group if `areCoupled(a, b)` is true, or if
/// other numbers join them. Groups and their numbers are in ascending order.
template <class AreCoupled>
std::vector<std::vector<std::size_t>> groupsOfCoupledIndices(std::size_t count,
                                                             const AreCoupled& areCoupled) {
  std::vector<std::vector<std::size_t>> groups;
  std::vector<std::size_t> others(count);
  std::iota(others.begin(), others.end(), std::size_t{0});
  while (!others.empty()) {
    std::vector<std::size_t> group{others.front()};
    others.erase(others.begin());
    for (std::size_t next = 0; next < group.size() && !others.empty(); ++next) {
      const std::size_t member = group[next];
      const auto joined = std::stable_partition(
          others.begin(), others.end(), [&](std::size_t other) { return !areCoupled(member, other); });
      group.insert(group.end(), joined, others.end());
      others.erase(joined, others.end());
    }
    std::sort(group.begin(), group.end());
    groups.push_back(std::move(group));
  }
  return groups;
}

}  // namespace ricochet
