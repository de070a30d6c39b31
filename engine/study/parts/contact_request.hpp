#pragma once

#include "engine/contact/areas/patch_law.hpp"
#include "engine/contact/contact.hpp"
#include "engine/contact/laws/laws.hpp"
#include "engine/contact/obstacles/obstacles.hpp"
#include "engine/functions/time_function.hpp"
#include "physical/types.hpp"

#include <array>
#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace ricochet {

struct WearRequest;

/// Friction of a contact. `criticalDamping`: the damping of the stick is critical; its value follows from the
/// assembled structure (findDampedSticks).
struct FrictionRequest {
  AnyFrictionLaw law{Frictionless{}};
  bool criticalDamping{false};
  std::shared_ptr<const PatchLaw> patch{};  ///< law of a contact area; null for a contact point
};

/// Unit vector in the plane that is nearest to global x, or to global y if the normal is along x. `normal` is
/// a unit vector.
Vec3 defaultTangent(const Vec3& normal);

/// Local axes of a contact on a plane, as rows: the normal (of any length), tangent 1 as the projection of
/// global x on the plane (global y if the normal is along x), tangent 2 = normal x tangent 1.
Mat3 contactFrame(const Vec3& normal);

/// Beams, connected end to end, along which a contact travels.
struct TravelRequest {
  std::vector<std::size_t> beams;                      ///< indices in Study::beams, in the order of travel
  TimeFunction position{TimeFunction::constant(0.0)};  ///< distance from the first end of the first beam [m]
};

/// A contact between one node and a fixed obstacle, between two nodes, or between a node and a place that
/// travels along beams.
struct ContactRequest {
  std::string name;
  NodeIndex first;
  std::optional<NodeIndex> second;
  AnyObstacle obstacle;
  Mat3 frame{Mat3::Identity()};  ///< rows e1, e2, e3 in global axes
  Vec3 origin{Vec3::Zero()};  ///< x = frame (x1 - origin) for one node, frame (x1 - x2 - origin) for a pair
  AnyNormalLaw normal;
  TimeFunction imposedForce{TimeFunction::constant(0.0)};
  FrictionRequest friction;
  std::vector<SurfaceTerm> surface;           ///< imposed velocity of the surface in its plane
  std::vector<SurfaceSpin> surfaceSpin;       ///< spin of the surface: empty or one entry
  Tangential<double> tangentScale{1.0, 1.0};  ///< scale of the slip along each tangent, see Contact
  std::vector<Dof> carriers;                  ///< dofs of the moving supports that carry the obstacle
  /// Radius of the rolling body on each node [m]; negative: of a hole around the other body; 0: the rotation
  /// of the node is ignored.
  std::array<double, 2> rollingRadius{};
  std::optional<TravelRequest> travel{};      ///< the second side travels along beams; absent: it does not
  std::shared_ptr<const WearRequest> wear{};  ///< request for the worn volume; null: none

  bool isFollowed() const { return ricochet::isFollowed(*this, !carriers.empty()); }
  bool isTravelling() const { return travel.has_value(); }
  bool isRolling() const { return rollingRadius[0] != 0.0 || rollingRadius[1] != 0.0; }

  /// Axis of the spin of an area, positive from tangent 1 to tangent 2: the normal or its opposite.
  Vec3 spinAxis() const;
  /// Axis about which bodies roll along tangent 1: the normal, tangent 1 and it are right-handed, unlike the
  /// frame of a pair at a plane, whose normal points back.
  Vec3 rollAxis() const;
};

}  // namespace ricochet
