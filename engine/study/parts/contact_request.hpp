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

/// `criticalDamping`: the stick is to be critically damped, which the assembled structure decides
/// (stickMass).
struct FrictionRequest {
  AnyFrictionLaw law{Frictionless{}};
  bool criticalDamping{false};
  std::shared_ptr<const PatchLaw> patch{};  ///< of an area
};

/// The direction in a plane that lies nearest to global x; to global y for a normal along x. `normal` is of
/// unit length.
Vec3 defaultTangent(const Vec3& normal);

/// Local axes of a contact on a plane, as rows: its normal (of any length), tangent 1 along global x as far
/// as that lies in the plane (global y for a normal along x), tangent 2 = normal x tangent 1.
Mat3 contactFrame(const Vec3& normal);

/// A contact between one node and a fixed obstacle, or between two nodes.
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
  std::vector<SurfaceTerm> surface;           ///< velocity of the surface in its plane
  std::vector<SurfaceSpin> surfaceSpin;       ///< none, or one
  Tangential<double> tangentScale{1.0, 1.0};  ///< see Contact
  std::vector<Dof> carriers;                  ///< dofs of the supports that carry the obstacle
  std::array<double, 2>
      rollingRadius{};  ///< of the bodies on the nodes [m]; 0: their rotation does not count
  std::shared_ptr<const WearRequest> wear{};  ///< none: no worn volume

  bool isFollowed() const { return ricochet::isFollowed(*this, !carriers.empty()); }
  bool rolls() const { return rollingRadius[0] != 0.0 || rollingRadius[1] != 0.0; }

  /// About which an area spins, counter-clockwise from tangent 1 to tangent 2: the normal or against it.
  Vec3 spinAxis() const;
};

}  // namespace ricochet
