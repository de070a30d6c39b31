#pragma once

#include "engine/contact/contact.hpp"

#include <array>
#include <span>

namespace ricochet {

/// Position and velocity of a contact point in the local frame (e1, e2, e3); the fourth component is the
/// rotation of an area.
struct LocalMotion {
  std::array<double, 4> position{};  ///< along e1, e2, e3 [m], rotation [rad]
  std::array<double, 4> rate{};      ///< along e1, e2, e3 [m/s], rotation rate [rad/s]
};

/// Force of a contact on its first node along e1, e2, e3 [N], moment of an area [N m], and their derivatives.
struct ContactTangent {
  std::array<double, 4> force{};
  std::array<std::array<double, 4>, 4> byPosition{};  ///< row: force component, column: position [N/m]
  std::array<std::array<double, 4>, 4> byRate{};      ///< row: force component, column: rate [N s/m]
};

/// Accepted state of an area and of its points; `state` is null for a contact without an area.
struct AcceptedArea {
  const AreaState* state{nullptr};
  std::span<const Bristle> bristles{};
};

/// Forces of a contact and their derivatives (consistent tangent), `elapsed` [s] after the accepted state.
/// The laws are evaluated with dual numbers, in the state that is valid at this motion. The tangent of a slip
/// is not symmetric, because the traction depends on the normal force.
ContactTangent contactTangentMatrix(const Contact& contact, const ContactState& accepted, double imposed,
                                    const LocalMotion& motion, double elapsed,
                                    const AcceptedArea& area = {}) noexcept;

struct FollowedState;

/// Instant of a trial [s], and time elapsed since the accepted state [s].
struct TrialInstant {
  double time{0.0};
  double elapsed{0.0};
};

/// Forces and derivatives of a followed contact, with moving supports and surfaces at the instant of the
/// trial. `known` is its accepted FollowedState.
ContactTangent tangentMatrixOfFollowedContact(const Contact& contact, const ContactState& accepted,
                                              const FollowedState& known, double imposed,
                                              const LocalMotion& motion,
                                              const TrialInstant& instant) noexcept;

/// Gap of a contact at a motion and an instant, `elapsed` [s] after the start of a step [m].
double gapOfContactAtMotion(const Contact& contact, const LocalMotion& motion, double t,
                            double elapsed = 0.0) noexcept;

}  // namespace ricochet
