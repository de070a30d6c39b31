#pragma once

#include "engine/contact/areas/fields/circular.hpp"
#include "engine/contact/areas/fields/patch_shape.hpp"
#include "engine/contact/areas/fields/spin_field.hpp"
#include "engine/contact/areas/fields/twist.hpp"

#include <optional>
#include <variant>
#include <vector>

namespace ricochet::patch {

/// Moments of a patch (contact area) about its centre of pressure C: pressure-weighted means of its positions
/// p, r = |p|. They determine the limits of every friction law of a contact area: sliding without spin and
/// spin without sliding.
struct PatchMoments {
  double M0{};             ///< mean of r [m]: moment of pure spin over mu N
  Symmetric J{};           ///< mean of p p^T [m^2]
  Symmetric K{};           ///< mean of p p^T/r^3 [1/m]
  Tangential<double> S{};  ///< mean of p/r [-]; zero for shapes that a half turn maps on themselves
  /// Means of x^3, x^2 y, x y^2, y^3 [m^3]; zero for shapes that a half turn maps on themselves.
  double xxx{}, xxy{}, xyy{}, yyy{};
  double reach{};  ///< largest r [m]; 0 if only moments are given

  /// Moments of an axisymmetric patch, from three numbers.
  static PatchMoments forAxisymmetricPatch(double M0, double J, double K) noexcept {
    return {M0, {J, 0.0, J}, {K, 0.0, K}, {}, 0.0, 0.0, 0.0, 0.0, 0.0};
  }
  /// Moments in axes rotated by `angle` [rad], counter-clockwise.
  PatchMoments momentsInRotatedAxes(double angle) const noexcept;
  /// True if the moments are those of an axisymmetric patch.
  bool isAxisymmetric() const noexcept;
};

/// Exact resultants of Coulomb's law over a contact area.
///
///     F = -mu int sigma v/|v|,  M = -mu int sigma p x v/|v|,  v = V + omega z x p,  Phi = mu int sigma |v|
///
/// p is measured from the centre of pressure. Circular patches use elliptic and elementary integrals
/// (circular.hpp). For other patches, the pole d = z x V/omega is the point without slip; with the means of
/// spin_field.hpp about the pole
///
///     F = -sign(omega) z x m_e,  M = -sign(omega) (m_rho + d.m_e),
///     grad F = -(1/|omega|) A^T spread A with A = (1, z x d)
///
/// and, for |V| >= 4 r_max |omega|, a Gauss rule over the area without cancellation. The results agree within
/// 2e-14 with tables computed with 30 digits.
class ExactPatch {
 public:
  static constexpr bool kPotential = true;

  /// The shape must be valid: errorTextOfPatchShape() is empty.
  explicit ExactPatch(const PatchShape& shape);

  /// Centre of pressure C in the axes of the shape [m]; twists and wrenches refer to C.
  const Tangential<double>& centre() const noexcept { return centre_; }
  const PatchMoments& moments() const noexcept { return moments_; }

  Wrench<double> wrench(const Twist<double>& q) const noexcept;
  template <std::size_t N>
  Wrench<Dual<N>> wrench(const Twist<Dual<N>>& q) const noexcept {
    return wrenchOfDualMotion(*this, q);
  }
  WrenchTangent tangentMatrix(const Twist<double>& q) const noexcept;

  using AnyAxial =
      std::variant<Axial<Ring>, Axial<UniformDisc>, Axial<Annulus>, Axial<HertzDisc>, Axial<PunchDisc>>;
  /// Closed form for an axisymmetric patch; null for all others.
  const AnyAxial* axisymmetricFieldOrNull() const noexcept { return std::get_if<AnyAxial>(&field_); }

 private:
  PoleMeans meanSlipAboutPole(const Tangential<double>& pole, PoleWork work) const noexcept;
  Wrench<double> wrenchFarFromSpinPole(const Twist<double>& q) const noexcept;
  WrenchTangent tangentMatrixFarFromSpinPole(const Twist<double>& q) const noexcept;
  bool isSpinPoleFarFromPatch(const Twist<double>& q) const noexcept;
  void computePatchMoments();

  std::variant<AnyAxial, EllipticField, RimField> field_;
  std::vector<Particle> rule_;  // positions relative to the centre of pressure
  Tangential<double> centre_{};
  PatchMoments moments_{};
};

}  // namespace ricochet::patch
