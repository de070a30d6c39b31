#pragma once

#include "engine/contact/contact.hpp"

#include <array>

namespace ricochet {

/// Where a contact point is in its local frame (e1, e2, e3) and how fast it moves there.
struct LocalMotion {
  std::array<double, 3> position{};  ///< [m]
  std::array<double, 3> rate{};      ///< [m/s]
};

/// Force of a contact on its first node along e1, e2, e3 [N], and its derivatives.
struct ContactTangent {
  std::array<double, 3> force{};
  std::array<std::array<double, 3>, 3> byPosition{};  ///< row: axis of the force [N/m]
  std::array<std::array<double, 3>, 3> byRate{};      ///< [N s/m]
};

/// The consistent tangent of a contact: its laws evaluated on dual numbers, from its accepted state and in
/// the branch of the laws that holds at this motion. Not symmetric while slipping: the traction follows the
/// compression.
ContactTangent contactTangent(const Contact& contact, const ContactState& accepted, double imposed,
                              const LocalMotion& motion) noexcept;

}  // namespace ricochet
