#pragma once

#include "engine/contact/contact_set.hpp"

#include <vector>

namespace ricochet {

/// Static coupling of contacts and links that push the same parts without inertia. The forces lambda on a
/// part displace all of its points together, in addition to the motion by the coordinates:
///
///     x = rows q + S lambda
///
/// Row and column of an axis are ContactSet::kAxes body + axis; bodies are the contacts, then the links. The
/// force of a link is lambda = -f. A law in series with a massless spring 1/s (rigid contacts, rigid stick,
/// dashpots) contains the part s of S, and its x is the displacement before this spring.
struct StaticCoupling {
  Matrix whole;               ///< compliance S [m/N]
  Matrix beside;              ///< S without the compliances that the laws contain [m/N]
  std::vector<char> couples;  ///< 1: the body is on a coupled part; empty: no coupling

  bool empty() const noexcept { return couples.empty(); }
  bool isContactOrLinkCoupled(int body) const noexcept {
    return couples[static_cast<std::size_t>(body)] != 0;
  }
  /// True if forces shift the point along an axis.
  bool canForcesMovePointAlongRow(Eigen::Index row) const noexcept { return beside(row, row) > 0.0; }
};

}  // namespace ricochet
