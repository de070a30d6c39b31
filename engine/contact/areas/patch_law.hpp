#pragma once

#include "engine/contact/areas/axial_area.hpp"
#include "engine/contact/areas/bristle_area.hpp"
#include "engine/contact/areas/fields/circular.hpp"
#include "engine/contact/areas/fields/pade.hpp"
#include "engine/contact/areas/fields/potential.hpp"

#include <span>
#include <variant>

namespace ricochet {

/// Radius of an area that follows the load, Hertz's a = (3 N R/(4 E*))^(1/3); or one that is in the shape.
struct AreaSize {
  double perLoad{0.0};  ///< 3 R/(4 E*) [m^3/N]; 0: the size is constant
  double largest{1.0};  ///< for limits of the step, of a size that follows the load [m]
  bool follows() const noexcept { return perLoad > 0.0; }
  double at(double N) const noexcept { return follows() ? std::cbrt(perLoad * N) : 1.0; }
  double slope(double N) const noexcept { return follows() && N > 0.0 ? at(N) / (3.0 * N) : 0.0; }
};

/// The friction of a contact area, constant and shared by runs: one of the laws of areas/fields on its
/// elastic bed. Their memory is of the run (AreaMemory, and a Bristle per point).
class PatchLaw {
 public:
  using AnyArea = std::variant<AxialArea<patch::AxialPotential>, AxialArea<patch::UniformDisc>,
                               AxialArea<patch::HertzDisc>, AxialArea<patch::PunchDisc>,
                               AxialArea<patch::Ring>, AxialArea<patch::Annulus>,
                               AxialArea<patch::PadeKernel>, AxialArea<patch::LinearKernel>, BristleArea>;

  PatchLaw(AnyArea area, const patch::FrictionDrop& drop, const AreaSize& size = {});

  /// How many points it is followed by.
  std::size_t bristles() const noexcept;

  AreaTrial trial(const AreaMotion& now, const AreaMemory& from, std::span<const Bristle> accepted,
                  std::span<Bristle> next) const noexcept;
  AreaTangent tangent(const AreaMotion& now, const AreaMemory& from,
                      std::span<const Bristle> accepted) const noexcept;

  /// How far the wrench of a held slider is outside of the limit surface at a motion, negative inside; 0 of
  /// an area followed by points, which gives way piece by piece.
  double excess(const AreaMotion& now, const AreaMemory& from) const noexcept;

  /// For limits of the step [N m/rad].
  double spinStiffness() const noexcept;

 private:
  AnyArea area_;
  patch::FrictionDrop drop_;
  AreaSize size_;
};

}  // namespace ricochet
