#pragma once

#include "engine/contact/areas/axial_area.hpp"
#include "engine/contact/areas/bristle_area.hpp"
#include "engine/contact/areas/fields/circular.hpp"
#include "engine/contact/areas/fields/pade.hpp"
#include "engine/contact/areas/fields/potential.hpp"

#include <span>
#include <variant>

namespace ricochet {

/// Size of a contact area: the radius a = (3 N R/(4 E*))^(1/3) of Hertz, which depends on the normal force N,
/// or a constant size contained in the shape (factor 1).
struct AreaSize {
  double perLoad{0.0};  ///< 3 R/(4 E*) [m^3/N]; 0: the size is constant
  double largest{1.0};  ///< largest size [m], for step limits, if the size depends on N
  /// True if the size depends on the normal force.
  bool doesSizeDependOnNormalForce() const noexcept { return perLoad > 0.0; }
  /// Size [m] at the normal force N [N]; 1 if constant.
  double sizeAtNormalForce(double N) const noexcept {
    return doesSizeDependOnNormalForce() ? std::cbrt(perLoad * N) : 1.0;
  }
  /// Derivative of the size, d size/dN [m/N].
  double sizeDerivativeAtForce(double N) const noexcept {
    return doesSizeDependOnNormalForce() && N > 0.0 ? sizeAtNormalForce(N) / (3.0 * N) : 0.0;
  }
};

/// Friction law of a contact area: one of the laws of areas/fields on an elastic bed. Constant and shared by
/// runs; the friction memory (AreaMemory, and a Bristle per point) belongs to the run.
class PatchLaw {
 public:
  using AnyArea = std::variant<AxialArea<patch::AxialPotential>, AxialArea<patch::UniformDisc>,
                               AxialArea<patch::HertzDisc>, AxialArea<patch::PunchDisc>,
                               AxialArea<patch::Ring>, AxialArea<patch::Annulus>,
                               AxialArea<patch::PadeKernel>, AxialArea<patch::LinearKernel>, BristleArea>;

  PatchLaw(AnyArea area, const patch::FrictionDrop& drop, const AreaSize& size = {});

  /// Number of points of the area in law A (BristleArea); 0 for the other laws.
  std::size_t bristleCount() const noexcept;

  AreaTrial computeTrial(const AreaMotion& now, const AreaMemory& from, std::span<const Bristle> accepted,
                         std::span<Bristle> next) const noexcept;
  AreaTangent tangentMatrix(const AreaMotion& now, const AreaMemory& from,
                            std::span<const Bristle> accepted) const noexcept;

  /// Distance of the trial wrench (the slider sticks) from the limit surface at a motion, over mu N; negative
  /// inside; 0 for an area of points, whose points slip one after the other.
  double distanceFromLimitSurface(const AreaMotion& now, const AreaMemory& from) const noexcept;

  /// Difference of the forces on the points of two states, sum |Delta f|^2/k [J]; 0 without points.
  double bristleForceDifference(std::span<const Bristle> a, std::span<const Bristle> b) const noexcept;
  /// Sum k d^2 [J] over the points of the slips d that reverse within a step and that the ends of the step do
  /// not show (BristleArea::reversedSlipEnergyOfPoints); 0 without points.
  double reversedSlipEnergyOfBristles(const AreaMotion& from, const AreaMotion& to,
                                      std::span<const Bristle> accepted,
                                      std::span<const Bristle> next) const noexcept;

  /// True if the friction of a slip differs from that of a stick.
  bool doesFrictionDropWithSpeed() const noexcept { return !drop_.isConstant(); }

  /// Largest torsional stiffness of the stick, for step limits [N m/rad].
  double spinStiffness() const noexcept;

 private:
  AnyArea area_;
  patch::FrictionDrop drop_;
  AreaSize size_;
};

}  // namespace ricochet
