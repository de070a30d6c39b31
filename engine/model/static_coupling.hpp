#pragma once

#include "engine/contact/contact_set.hpp"

#include <vector>

namespace ricochet {

/// Static coupling of contacts and links that push the same parts without inertia. The forces lambda on a
/// part displace all of its points at once, beside the motion that the coordinates give:
///
///     x = rows q + S lambda
///
/// Row and column of an axis are ContactSet::kAxes body + axis; bodies are the contacts, then the links. A
/// link pushes with lambda = -f. A law that is in series with a spring 1/s without mass (rigid contacts, true
/// stick, dashpots) takes its part s of S with it, and its x is that before this spring.
struct StaticCoupling {
  Matrix whole;               ///< S [m/N]
  Matrix beside;              ///< S without the parts that the laws contain [m/N]
  std::vector<char> couples;  ///< 1: the body is on such a part; empty without any

  bool empty() const noexcept { return couples.empty(); }
  bool isBodyCoupled(int body) const noexcept { return couples[static_cast<std::size_t>(body)] != 0; }
  /// True if forces move the point along an axis.
  bool hasMotion(Eigen::Index row) const noexcept { return beside(row, row) > 0.0; }
};

}  // namespace ricochet
