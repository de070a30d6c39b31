#pragma once

#include "engine/contact/areas/area.hpp"
#include "engine/contact/areas/bed_relaxation.hpp"
#include "engine/contact/areas/fields/friction_drop.hpp"
#include "engine/contact/areas/fields/patch_shape.hpp"

#include <span>
#include <utility>
#include <vector>

namespace ricochet {

/// Stick and slip of an area of any shape, point by point (law A), the points turning with the spin:
///
///     stick: f = f_a - k w (u - u_a + tau u')           u = position + R(spin) p
///     slip:  f = mu N w e, along base - k w span u'     u' = rate + spin' z x R(spin) p
///
/// Points from the centre of pressure, which is where the contact is. As in AxialArea a slip that goes on
/// takes its direction from the rates at the end of the trial, and spring and dashpot of a point carry its
/// slip (BedRelaxation). The area slips while points with more than half of the load do: near the
/// instantaneous centre some stick all the time.
class BristleArea {
 public:
  BristleArea(std::vector<patch::Particle> points, double stiffness)
      : points_(std::move(points)), stiffness_(stiffness) {}

  std::size_t size() const noexcept { return points_.size(); }

  /// `next` is as long as `accepted`.
  AreaTrial trial(const AreaMotion& now, const AreaMemory& from, const patch::FrictionDrop& drop,
                  std::span<const Bristle> accepted, std::span<Bristle> next) const noexcept;
  AreaTangent tangent(const AreaMotion& now, const AreaMemory& from, const patch::FrictionDrop& drop,
                      std::span<const Bristle> accepted) const noexcept;

  double spinStiffness() const noexcept;

 private:
  struct Point {
    Tangential<double> arm{};      // R(spin) p
    Tangential<double> elastic{};  // what the bed would hold, without its dashpot
    Tangential<double> trial{};    // force that a held point would have
    double most{0.0};              // mu N w
    double travel{0.0};            // what the trial took of a rate [s]
    double span{0.0};              // plastic increment over its rate [s]
    bool slips{false};
    bool glides{false};   // straight along its rate
    bool byRates{false};  // slips along what its rate gives
  };
  /// What holds for all points of a trial.
  struct Turn {
    Tangential<double> now{1.0, 0.0}, before{1.0, 0.0};  // cosine and sine of the spin
  };
  static Turn turnOf(const AreaMotion& now, const AreaMemory& from) noexcept;
  Point at(std::size_t i, const Turn& turn, const BedRelaxation& bed, const AreaMotion& now,
           const AreaMemory& from, double limit, const Bristle& bristle) const noexcept;
  static Tangential<double> springOf(const Point& point, const BedRelaxation& bed, const Bristle& from,
                                     const Tangential<double>& f) noexcept;

  std::vector<patch::Particle> points_;
  double stiffness_;
};

}  // namespace ricochet
