#pragma once

#include "engine/contact/areas/area.hpp"
#include "engine/contact/areas/bed_relaxation.hpp"
#include "engine/contact/areas/fields/friction_drop.hpp"
#include "engine/contact/areas/fields/patch_shape.hpp"

#include <span>
#include <utility>
#include <vector>

namespace ricochet {

/// Stick and slip of an area of any shape, point by point (law A); the points p rotate with the spin angle:
///
///     stick: f = f_a - k w (u - u_a + tau u')           u = position + R(spin) p
///     slip:  f = mu N w e, along base - k w span u'     u' = rate + spin' z x R(spin) p
///
/// p is measured from the centre of pressure, which is the contact point. As in AxialArea the direction of a
/// continuing slip follows from the rates at the end of the trial, and the springs and dashpots of a slipping
/// point relax (BedRelaxation). The area counts as slipping while points with more than half of the load
/// slip: near the instantaneous centre some points always stick.
class BristleArea {
 public:
  BristleArea(std::vector<patch::Particle> points, double stiffness)
      : points_(std::move(points)), stiffness_(stiffness) {}

  std::size_t size() const noexcept { return points_.size(); }

  /// Evaluates all points; `next` has the length of `accepted`.
  AreaTrial computeTrial(const AreaMotion& now, const AreaMemory& from, const patch::FrictionDrop& drop,
                         std::span<const Bristle> accepted, std::span<Bristle> next) const noexcept;
  AreaTangent tangentMatrix(const AreaMotion& now, const AreaMemory& from, const patch::FrictionDrop& drop,
                            std::span<const Bristle> accepted) const noexcept;

  /// Difference of the forces on the points of two states at one motion, sum |Delta f|^2/k [J].
  double forceDifferenceOfPoints(std::span<const Bristle> a, std::span<const Bristle> b) const noexcept;

  /// Sum k d^2 [J] over the points of the slips d that reverse within a step between two motions and that the
  /// ends of the step do not show. `next`: states of the points at the end.
  double reversedSlipEnergyOfPoints(const AreaMotion& from, const AreaMotion& to,
                                    std::span<const Bristle> accepted,
                                    std::span<const Bristle> next) const noexcept;

  double spinStiffness() const noexcept;

 private:
  struct Point {
    Tangential<double> arm{};      // position of the point, R(spin) p [m]
    Tangential<double> elastic{};  // force of the spring if the point sticks [N]
    Tangential<double> trial{};    // force of spring and dashpot if the point sticks [N]
    double most{0.0};              // largest force mu N w [N]
    double travel{0.0};            // factor of the rate in `computeTrial` [s]
    double span{0.0};              // slip increment over the slip rate [s]
    bool slips{false};
    bool glides{false};   // trial of zero length: the force is opposite to the slip rate
    bool byRates{false};  // the slip direction follows from the rate
  };
  /// Rotation of the area in a trial, common to all points.
  struct Turn {
    Tangential<double> now{1.0, 0.0}, before{1.0, 0.0};  // cosine and sine of the spin angle
  };
  static Turn rotationOfAreaInTrial(const AreaMotion& now, const AreaMemory& from) noexcept;
  Point evaluateBristle(std::size_t i, const Turn& turn, const BedRelaxation& bed, const AreaMotion& now,
                        const AreaMemory& from, double limit, const Bristle& bristle) const noexcept;
  static Tangential<double> springForceInSlip(const Point& point, const BedRelaxation& bed,
                                              const Bristle& from, const Tangential<double>& f) noexcept;

  std::vector<patch::Particle> points_;
  double stiffness_;
};

}  // namespace ricochet
