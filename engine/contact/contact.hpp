#pragma once

#include "engine/contact/areas/area.hpp"
#include "engine/contact/laws/laws.hpp"
#include "engine/contact/obstacles/obstacles.hpp"
#include "engine/functions/time_function.hpp"
#include "physical/types.hpp"

#include <Eigen/Core>

#include <array>
#include <memory>
#include <string_view>
#include <vector>

namespace ricochet {

class PatchLaw;

/// Part of the velocity of an obstacle's surface in its own plane (a belt): speed(t) direction.
struct SurfaceTerm {
  TimeFunction speed{TimeFunction::constant(0.0)};  ///< [m/s]
  Tangential<double> direction{};                   ///< along e2 and e3
};

/// Turning of the surface of an obstacle about e3 (a plane: about its normal e1, through the origin of the
/// local coordinates).
struct SurfaceSpin {
  TimeFunction rate{TimeFunction::constant(0.0)};  ///< [rad/s]
};

/// Part of the place of a contact that does not come from the generalized coordinates: supports that move
/// under the node, or carry the obstacle. Adds displacement(t) direction to the local coordinates.
struct DriftTerm {
  TimeFunction displacement{TimeFunction::constant(0.0)};  ///< [m]
  TimeFunction velocity{TimeFunction::constant(0.0)};      ///< [m/s]
  Vec3 direction{Vec3::Zero()};                            ///< along e1, e2, e3
};

/// Whether the tangent plane of a contact turns, or what it touches moves: the slip is then what has been
/// covered along the surface, step by step. `carried`: supports move its obstacle.
template <class C>
bool isFollowed(const C& contact, bool carried) noexcept {
  return isCurved(contact.obstacle) || !contact.surface.empty() || !contact.surfaceSpin.empty() || carried ||
         contact.rolls();
}

/// A contact as the engine sees it: an obstacle, a normal law and a friction law in the local frame (e1, e2,
/// e3), and where the contact point is in that frame as a function of the generalized coordinates.
///
///     x = offset + rows q      (3 local coordinates [m])
///
/// e1 is the direction of the obstacle (the normal is +e1 or -e1), e2 and e3 span the tangent plane. For a
/// pair of nodes x is the position of the first node relative to the second.
struct Contact {
  AnyObstacle obstacle;
  AnyNormalLaw normal;
  AnyFrictionLaw friction;
  TimeFunction imposedForce{TimeFunction::constant(0.0)};  ///< N(t) of an ImposedForce [N]
  std::vector<SurfaceTerm> surface{};                      ///< how the surface slides under the node
  Vec3 offset{Vec3::Zero()};
  Eigen::Matrix<double, 3, Eigen::Dynamic> rows;  ///< 3 x modes [kg^-1/2]

  // of a contact area that spins (PatchFriction)
  std::shared_ptr<const PatchLaw> patch{};
  Eigen::RowVectorXd spinRow{};  ///< rotation about e2 x e3 = row q [rad]; 1 x modes

  /// Share of the slip along each tangent that friction feels: (1, r) for coefficients mu and r mu, 0 for
  /// none. With z = scale s it is isotropic in z: T = scale T_z. Rows of contacts that are not followed have
  /// it.
  Tangential<double> tangentScale{1.0, 1.0};

  // of a contact that is followed from step to step (FollowedContacts)
  std::vector<SurfaceSpin> surfaceSpin{};  ///< none, or one
  std::vector<DriftTerm> drift{};
  Eigen::RowVectorXd rollRow{};  ///< rolling radius times the rotation about e3 = row q [m]; empty: none

  bool isFollowed() const noexcept { return ricochet::isFollowed(*this, !drift.empty()); }
  bool rolls() const noexcept { return rollRow.size() > 0; }
};

/// What a contact area knows beside its ContactState.
struct AreaState {
  AreaMemory memory{};
  double spin{0.0};      ///< [rad]; not followed while open
  double spinRate{0.0};  ///< [rad/s]
  double moment{0.0};    ///< on the first node about e2 x e3 [N m]
};

/// What a contact state is called in results: a closed contact without friction counts as slipping freely.
enum class ContactPhase : std::uint8_t { open, stick, slip };

/// Everything a contact knows at one instant of one run. Tangential vectors are along e2 and e3.
struct ContactState {
  double gap{0.0};                    ///< [m]
  double gapRate{0.0};                ///< [m/s]; kept up to date only when the normal law uses it
  double approach{0.0};               ///< -g' where it closed, of a law that remembers it [m/s]
  double side{1.0};                   ///< the normal is side e1
  double compression{0.0};            ///< N [N]
  double imposed{0.0};                ///< prescribed normal force [N]
  Tangential<double> position{};      ///< tangential position [m]; not followed while open
  Tangential<double> slipRate{};      ///< [m/s]; only while closed with friction
  Tangential<double> traction{};      ///< tangential force on the first node [N]
  Tangential<double> tractionRate{};  ///< over the step that led here [N/s]; only for schemes that forecast
  double storedNormal{0.0};           ///< elastic energy of the normal law [J]
  double storedTangential{0.0};       ///< elastic energy of the stick [J]
  NormalState normal{NormalState::open};
  FrictionMemory<double> friction{};

  bool closed() const noexcept { return normal == NormalState::closed; }
  double stored() const noexcept { return storedNormal + storedTangential; }
  ContactPhase phase(bool hasTraction) const noexcept {
    if (!closed()) return ContactPhase::open;
    return hasTraction && !friction.slipping ? ContactPhase::stick : ContactPhase::slip;
  }
};

/// Whether friction of the contact may push at all: not with coefficients of zero, which are no friction.
bool bearsTraction(const Contact& contact) noexcept;

/// c_t/k_t of the stick of an area [s].
double stickDashpot(const Contact& contact) noexcept;

/// What a closed contact adds along its normal and along each tangent, whatever its laws.
struct ClosedContact {
  double normalStiffness{0.0};  ///< [N/m]
  double normalDamping{0.0};    ///< [N s/m]
  double stickStiffness{0.0};   ///< [N/m]
  double stickDamping{0.0};     ///< [N s/m]
  double spinStiffness{0.0};    ///< of an area's stick [N m/rad]

  // the largest along each of e1, e2, e3, wherever a curved obstacle is touched
  std::array<double, 3> stiffness{};  ///< [N/m]
  std::array<double, 3> damping{};    ///< [N s/m]
  double rollStiffness{0.0};          ///< along the row of a body that rolls [N/m]
};
ClosedContact closedContact(const Contact& contact);

/// Puts the share of each tangent into rows and offset, unless the contact is followed.
void scaleTangents(Contact& contact);

/// Gives the stick of a contact, whatever its law, the damping c_t = 2 sqrt(m k_t) that is critical for a
/// mass m [kg] on its spring; 0 for an infinite mass, which nothing moves. Nothing without an elastic stick.
void dampStickCritically(Contact& contact, double mass);

}  // namespace ricochet
