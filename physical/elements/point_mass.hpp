#pragma once

#include "physical/element.hpp"

#include <optional>

namespace ricochet {

/// Mass concentrated at a node, with optional rotary inertia and an offset of its centre of gravity.
///
///     T = 1/2 m |u' + w x e|^2 + 1/2 w.J w
///
///   m  mass [kg]      e  offset node -> centre of gravity [m]      J  inertia about the centre of gravity
///   [kg m^2]
///
/// The mass matrix is [[m I, -m E], [m E, J - m E E]] with E the cross-product matrix of e. Products of
/// inertia are given with the signs of the matrix J. Without inertia and offset the node has translations
/// only.
///
/// A mass that spins at a constant rate W about a principal axis n has the angular momentum W (n.J n) n,
/// whose direction rotates with the node: the moment W (n.J n) w x n, a gyroscopic matrix. J must be equal
/// about all axes orthogonal to n, and e parallel to n, otherwise the coefficients would depend on the angle.
struct PointMass {
  NodeIndex node;
  double value{0.0};             ///< m [kg]
  std::optional<Mat3> inertia;   ///< J [kg m^2]
  Vec3 offset{Vec3::Zero()};     ///< e [m]
  double spin{0.0};              ///< W [rad/s]
  Vec3 spinAxis{Vec3::UnitX()};  ///< n, of unit length

  bool hasRotations() const noexcept { return inertia.has_value() || !offset.isZero(0.0); }

  ElementDofs dofs() const { return dofsOfNodes({node}, hasRotations() ? 6 : 3); }

  ElementMatrix mass() const;
  ElementMatrix gyroscopicMatrix() const;
};

/// Mass given by its full symmetric matrix at one node, 3x3 (translations) or 6x6.
struct MassMatrix {
  NodeIndex node;
  ElementMatrix matrix;

  ElementDofs dofs() const { return dofsOfNodes({node}, static_cast<int>(matrix.rows())); }
  ElementMatrix mass() const { return matrix; }
};

}  // namespace ricochet
