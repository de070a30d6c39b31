#pragma once

#include "engine/contact/contact_set.hpp"
#include "engine/links/link_set.hpp"

#include <algorithm>
#include <cmath>

namespace ricochet {

/// Upper bound of the impulse that contacts and links have transmitted in a run of `duration` [s], in
/// coordinates of unit mass [kg^1/2 m/s]: the sum over contacts of the integral of N dt times the norm of
/// their largest row, and over links of their force at the end times the duration. `compliance` returns b
/// M^-1 b^t of a row b [1/kg].
template <class Compliance>
double boundOfTransmittedImpulse(const ContactRun& contacts, const LinkRun& links, double duration,
                                 Compliance&& compliance) {
  double total = 0.0;
  for (int i = 0; i < contacts.contactSet().size(); ++i) {
    double largest = 0.0;
    for (int axis = 0; axis < 3; ++axis)
      if (const double* row = contacts.contactSet().row(i, axis))
        largest = std::max(largest, compliance(row));
    total += contacts.runTotals()[static_cast<std::size_t>(i)].impulse * std::sqrt(largest);
  }
  for (int i = 0; i < links.linkSet().size(); ++i)
    for (std::size_t axis = 0; axis < kLinkAxes; ++axis)
      if (const double* row = links.linkSet().row(i, axis))
        total += std::abs(links.state(i).force[axis]) * duration * std::sqrt(compliance(row));
  return total;
}

}  // namespace ricochet
