#pragma once

#include "physical/element.hpp"
#include "physical/elements/beam_section.hpp"

#include <optional>

namespace ricochet {

/// An isotropic elastic material.
struct Material {
  double young{0.0};    ///< Young's modulus E [Pa]
  double poisson{0.0};  ///< Poisson's ratio nu [-]
  double density{0.0};  ///< density rho [kg/m^3]

  double shearModulus() const noexcept { return young / (2.0 * (1.0 + poisson)); }  ///< shear modulus G [Pa]
};

enum class BeamTheory : unsigned char {
  eulerBernoulli,  ///< without shear deformation and rotary inertia in bending
  timoshenko       ///< with shear deformation and rotary inertia
};

enum class BeamMass : unsigned char {
  consistent,  ///< from the static shape functions
  lumped,      ///< concentrated at the nodes
  corrected    ///< consistent mass with a second-order correction for dynamic deflections
};

/// Straight prismatic beam between two nodes of six dofs, both on the line of centroids.
///
/// Local axes (rows of `axes`): x from the first node to the second, y and z those of the section. Within the
/// element u and the twist rx are linear; in the x-y plane, with s = x/L and Phi = 12 E Iz / (G Ay L^2) (0
/// for Euler-Bernoulli), deflection v and rotation rz of the section are those of a beam without load
/// between:
///
///     (1 + Phi) v  = (1 + Phi - Phi s - 3 s^2 + 2 s^3) v1
///                  + L ((1 + Phi/2) s - (2 + Phi/2) s^2 + s^3) rz1
///                  + (Phi s + 3 s^2 - 2 s^3) v2 + L (-Phi/2 s - (1 - Phi/2) s^2 + s^3) rz2
///     (1 + Phi) rz = 6/L (s^2 - s) (v1 - v2) + (1 + Phi - (4 + Phi) s + 3 s^2) rz1
///                  + (3 s^2 - (2 - Phi) s) rz2
///
/// and in x-z the same with Iy, Az, w and -ry. So the stiffness is exact and there is no shear locking:
///
///     E Iz / ((1 + Phi) L^3) [12, 6 L, -12, 6 L; ., (4 + Phi) L^2, -6 L, (2 - Phi) L^2; ...]
///
/// The consistent mass is rho times the integral of A (u^2 + v^2 + w^2) + (Iy + Iz) rx^2 + Iy ry^2 + Iz rz^2,
/// the last two for Timoshenko only. The lumped one gives to each node what half of the element has of these:
/// rho A L/2 and so on, no rotation in bending for Euler-Bernoulli.
///
/// Both mass matrices neglect the stretch, twist and shear that inertia causes within an element: if these
/// matter (bars, shafts in torsion, beams shorter than high), the error is of second order in L. The
/// corrected mass adds
///
///     rho A L/12 (u2 - u1)^2 + rho (Iy + Iz) L/12 (rx2 - rx1)^2
///     rho A L^2/12 (v2 - v1 + L a/(1 + Phi)^3) g + rho Iz c L/12 (rz2 - rz1)^2
///       - rho Iz/(1 + Phi) g (v2 - v1 - L g)
///
/// with c = Phi/(1 + Phi), a = (v2 - v1)/L - (rz1 + rz2)/2 and the shear strain g = c a: the work of the
/// loads rho A w^2 v and rho Iz w^2 rz on the deflections that they cause between fixed nodes, with one w^2
/// replaced by the elastic forces that balance them. The term L a/(1 + Phi)^3 is an addition, of eighth order
/// for short elements: it keeps the mass positive (thin tubes, L of ten to thirty radii of inertia; E/(G k)
/// up to 12). Frequencies have an error of fourth order for all end conditions; the inertia of rigid motions
/// is exact.
///
/// Torsion rotates the section about its shear centre (ey, ez), where transverse forces cause no twist; the
/// shear centre moves by v - ez rx, w + ey rx. The mass is at the centroid.
///
/// A beam that spins about its axis at a constant rate W has the gyroscopic matrix of rho (Iy + Iz) W times
/// the integral of (ry rz' - rz ry'): antisymmetric, part of C, in axes that do not rotate. The section must
/// have equal constants about y and z.
///
/// Sources: J.S. Przemieniecki, Theory of Matrix Structural Analysis, 1968; Z. Friedman, J.B. Kosmatka,
/// Comput. Struct. 47 (1993) 473-481; H.D. Nelson, J. Mech. Design 102 (1980) 793-803 (rotating Timoshenko
/// shaft). The correction of the mass is our own derivation; beam_frequencies_test.cpp measures its order.
struct Beam {
  NodeIndex first, second;
  Vec3 span{Vec3::Zero()};      ///< first -> second [m]
  Mat3 axes{Mat3::Identity()};  ///< local axes as rows
  Material material;
  SectionConstants section;
  BeamTheory theory{BeamTheory::timoshenko};
  BeamMass massKind{BeamMass::consistent};
  double spin{0.0};  ///< rate about local x [rad/s]

  double length() const noexcept { return span.norm(); }

  ElementDofs dofs() const { return dofsOfNodes({first, second}, 6); }
  ElementMatrix stiffness() const;
  ElementMatrix mass() const;
  ElementMatrix gyroscopicMatrix() const;

  /// Equivalent nodal forces of a force [N] and a moment [N m] (global axes) that act on the centroid of the
  /// section at s = x/L, N(s)^t F with the interpolation above: the columns are the coefficients of 1, s,
  /// s^2, s^3.
  Eigen::Matrix<double, 12, 4> equivalentNodalForces(const Eigen::Matrix<double, 6, 1>& load) const;

  /// Phi of bending in x-y (`inertia` = Iz, `shearArea` = Ay) or x-z; 0 for Euler-Bernoulli.
  double shearDeformationParameter(double inertia, double shearArea) const noexcept;
};

/// Local axes of a beam along `span`: y is `axisY` made orthogonal to the beam (default: global y, or global
/// z for a beam along y). Empty if `axisY` and `span` are parallel.
std::optional<Mat3> localAxesOfBeam(const Vec3& span, const std::optional<Vec3>& axisY = {});

}  // namespace ricochet
