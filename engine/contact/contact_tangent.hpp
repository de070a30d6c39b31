#pragma once

#include "engine/contact/contact.hpp"

#include <array>
#include <span>

namespace ricochet {

/// Where a contact is in its local frame (e1, e2, e3) and how fast it moves there; of an area its rotation
/// too.
struct LocalMotion {
  std::array<double, 4> position{};  ///< [m], [rad]
  std::array<double, 4> rate{};      ///< [m/s], [rad/s]
};

/// Force of a contact on its first node along e1, e2, e3 [N], and the moment of an area [N m], and their
/// derivatives.
struct ContactTangent {
  std::array<double, 4> force{};
  std::array<std::array<double, 4>, 4> byPosition{};  ///< row: axis of the force [N/m]
  std::array<std::array<double, 4>, 4> byRate{};      ///< [N s/m]
};

/// What an area had accepted.
struct AcceptedArea {
  const AreaState* state{nullptr};
  std::span<const Bristle> bristles{};
};

/// The consistent tangent of a contact: its laws evaluated on dual numbers, from its accepted state,
/// `elapsed` [s] after it, and in the branch of the laws that holds at this motion. Not symmetric while
/// slipping: the traction follows the compression.
ContactTangent contactTangent(const Contact& contact, const ContactState& accepted, double imposed,
                              const LocalMotion& motion, double elapsed,
                              const AcceptedArea& area = {}) noexcept;

struct FollowedState;

/// Instant of a trial [s] and time since the accepted one.
struct TrialInstant {
  double time{0.0};
  double elapsed{0.0};
};

/// The same of a contact that is followed, with all that moves at the instant.
ContactTangent followedTangent(const Contact& contact, const ContactState& accepted,
                               const FollowedState& known, double imposed, const LocalMotion& motion,
                               const TrialInstant& instant) noexcept;

/// Gap of a contact at a motion and an instant [m].
double gapOf(const Contact& contact, const LocalMotion& motion, double t) noexcept;

}  // namespace ricochet
