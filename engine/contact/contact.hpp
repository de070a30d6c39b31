#pragma once

#include "engine/contact/areas/area.hpp"
#include "engine/contact/laws/laws.hpp"
#include "engine/contact/obstacles/obstacles.hpp"
#include "engine/contact/travel/contact_way.hpp"
#include "engine/functions/imposed_displacement.hpp"
#include "engine/functions/time_function.hpp"
#include "physical/types.hpp"

#include <Eigen/Core>

#include <array>
#include <memory>
#include <optional>
#include <string_view>
#include <vector>

namespace ricochet {

class PatchLaw;

/// Part of the velocity of an obstacle's surface in its own plane (a belt): speed(t) times direction.
struct SurfaceTerm {
  TimeFunction speed{TimeFunction::constant(0.0)};  ///< speed of the surface [m/s]
  Tangential<double> direction{};                   ///< direction of the speed, along e2 and e3
};

/// Rotation of the surface of an obstacle about e3; for a plane about its normal e1, through the origin of
/// the local coordinates.
struct SurfaceSpin {
  TimeFunction rate{TimeFunction::constant(0.0)};  ///< rotation rate of the surface [rad/s]
};

/// Part of the local coordinates of a contact that does not depend on the generalized coordinates:
/// displacement(t) times direction. Its cause is a support that moves under the node or carries the obstacle,
/// or a load that moves dofs without inertia.
struct DriftTerm : ImposedDisplacement {
  Vec3 direction{Vec3::Zero()};  ///< components along e1, e2, e3
};

/// Static displacement of a contact point per unit force on another contact [m/N]. The other contact is the
/// opposite stop of the same dofs without inertia, which is closed only while this contact is open.
struct CrossCompliance {
  int other;
  /// Displacement along e1, e2, e3 of this contact, per force along e1, e2, e3 of the other contact.
  Mat3 perForce;
};

/// True if the tangent plane of a contact turns or the surface that the body touches moves: the slip is then
/// integrated along the surface, step by step. `carried`: supports move the obstacle.
template <class C>
bool isFollowed(const C& contact, bool carried) noexcept {
  return isCurved(contact.obstacle) || !contact.surface.empty() || !contact.surfaceSpin.empty() || carried ||
         contact.isRolling() || contact.isTravelling();
}

/// A contact: obstacle, normal law and friction law in the local frame (e1, e2, e3), and the position x of
/// the contact point in this frame as a function of the generalized coordinates q.
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
  std::vector<SurfaceTerm> surface{};  ///< velocity of the obstacle's surface in its plane
  Vec3 offset{Vec3::Zero()};
  /// Bound of the rounding error of the gap due to `offset`, a difference of coordinates [m]; 0: unknown.
  double offsetRoundingError{0.0};
  Eigen::Matrix<double, 3, Eigen::Dynamic> rows;  ///< 3 x modes [kg^-1/2]

  /// Static displacement of the contact point per unit force on it along e1, e2, e3, in addition to `rows q`
  /// [m/N]: the flexibility of dofs without inertia. The laws already contain the compliance
  /// (addNormalFlexibility) and see x without this displacement; results show x with it.
  Mat3 compliance{Mat3::Zero()};
  std::vector<CrossCompliance> crossCompliance{};
  /// True: the forces on the part without inertia add a shift to x (CoupledShifts).
  bool coupled{false};

  // Contact area that spins (PatchFriction); null: contact at a point.
  std::shared_ptr<const PatchLaw> patch{};
  Eigen::RowVectorXd spinRow{};  ///< rotation about e2 x e3 = row q [rad]; 1 x modes

  /// Factor r of the slip along each tangent in the friction law: (1, r) for the coefficients mu and r mu, 0
  /// for no friction along this tangent. Friction is isotropic in z = r s: T = r T_z. The rows of contacts
  /// that are not followed already contain the factor (scaleTangentialRowsOfContact).
  Tangential<double> tangentScale{1.0, 1.0};

  // Contacts whose slip is integrated from step to step (FollowedContacts).
  std::vector<SurfaceSpin> surfaceSpin{};  ///< rotation of the surface: at most one term
  std::vector<DriftTerm> drift{};
  Eigen::RowVectorXd rollRow{};  ///< rolling radius times the rotation about e3 = row q [m]; empty: none

  /// Beams along which the contact travels; null: the contact does not travel. The first row of a travelling
  /// contact changes in time, and `rows` contains its first row of largest norm.
  std::shared_ptr<const ContactTravelPath> way{};

  bool isFollowed() const noexcept { return ricochet::isFollowed(*this, !drift.empty()); }
  bool isRolling() const noexcept { return rollRow.size() > 0; }
  bool isTravelling() const noexcept { return way != nullptr; }
};

/// Motion at which contacts are evaluated: generalized displacement q, and velocity v + dv a.
struct Motion {
  const double* q;
  const double* v;
  double dv;
  const double* a;
};

/// State of a contact area in addition to its ContactState.
struct AreaState {
  AreaMemory memory{};
  double spin{0.0};      ///< rotation of the area [rad]; not updated while open
  double spinRate{0.0};  ///< rotation rate of the area [rad/s]
  double moment{0.0};    ///< moment on the first node about e2 x e3 [N m]
};

/// Phase of a contact in results; a closed contact without friction has the phase `slip`.
enum class ContactPhase : std::uint8_t { open, stick, slip };

/// State of a contact at one instant of one run. Tangential vectors have components along e2 and e3.
struct ContactState {
  double gap{0.0};       ///< gap, negative in penetration [m]
  double gapRate{0.0};   ///< gap rate [m/s]; updated only for laws with a gap rate
  double approach{0.0};  ///< closing speed -g' at the instant of closing, for laws that use this speed [m/s]
  double side{1.0};      ///< +1 or -1: the normal is side e1
  double compression{0.0};        ///< normal force N [N]
  double imposed{0.0};            ///< prescribed normal force of an imposed contact [N]
  Tangential<double> position{};  ///< tangential position [m]; not updated while open
  Tangential<double> slipRate{};  ///< slip rate [m/s]; computed only while closed with friction
  Tangential<double> traction{};  ///< tangential force on the first node [N]
  /// Mean rate of the traction over the last accepted step [N/s]; only for schemes that extrapolate the
  /// traction.
  Tangential<double> tractionRate{};
  double storedNormal{0.0};      ///< elastic energy of the normal law [J]
  double storedTangential{0.0};  ///< elastic energy of the stick [J]
  NormalState normal{NormalState::open};
  FrictionMemory<double> friction{};

  bool isClosed() const noexcept { return normal == NormalState::closed; }
  double storedEnergy() const noexcept { return storedNormal + storedTangential; }
  ContactPhase phase(bool hasTraction) const noexcept {
    if (!isClosed()) return ContactPhase::open;
    return hasTraction && !friction.slipping ? ContactPhase::stick : ContactPhase::slip;
  }
};

/// True if friction of the contact can transmit a tangential force; false if the coefficients are zero.
bool bearsTraction(const Contact& contact) noexcept;

/// True if the force of a law depends on a rate of the contact point.
bool doesForceDependOnRate(const AnyNormalLaw& any) noexcept;
bool doesForceDependOnRate(const AnyFrictionLaw& any) noexcept;
bool doesForceDependOnRate(const Contact& contact) noexcept;

/// Relaxation time c_t/k_t of the elastic stick of an area [s]; 0 for other friction laws.
double stickRelaxationTime(const Contact& contact) noexcept;

/// Upper bounds of the stiffness and damping that a closed contact adds along its axes, for step limits.
struct ClosedContact {
  double normalStiffness{0.0};  ///< [N/m]
  double normalDamping{0.0};    ///< [N s/m]
  double stickStiffness{0.0};   ///< [N/m]
  double stickDamping{0.0};     ///< [N s/m]
  double spinStiffness{0.0};    ///< torsional stiffness of the stick of an area [N m/rad]

  // Bounds along e1, e2, e3 for every contact point of a curved obstacle.
  std::array<double, 3> stiffness{};  ///< [N/m]
  std::array<double, 3> damping{};    ///< [N s/m]
  double rollStiffness{0.0};          ///< along the rotation row of a body that rolls [N/m]
};
ClosedContact stiffnessAndDampingOfClosedContact(const Contact& contact);

/// Puts the normal law of a contact, or its friction law along both tangents, in series with massless springs
/// of these flexibilities [m/N]; a flexibility of 0 changes nothing. Returns false, with the laws unchanged,
/// if a law has no form in series.
bool addNormalFlexibility(Contact& contact, double flexibility);
bool addFrictionFlexibility(Contact& contact, double flexibility);

/// Multiplies the tangential rows and offsets by Contact::tangentScale, unless the contact is followed.
void scaleTangentialRowsOfContact(Contact& contact);

/// Sets the damping of the stick of any friction law with a dashpot to the critical value c_t = 2 sqrt(m k_t)
/// for a mass m [kg]; to 0 for an infinite mass.
void setCriticalDampingOfStick(AnyFrictionLaw& friction, double mass);

/// True if the contact point can slip along both tangents.
bool canSlipInPlane(const Contact& contact);

}  // namespace ricochet
