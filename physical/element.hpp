#pragma once

#include "physical/types.hpp"

#include <Eigen/Core>

#include <concepts>
#include <vector>

namespace ricochet {

/// Matrix of an element: at most two nodes of six components, stored in place.
using ElementMatrix = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::ColMajor, 12, 12>;

/// Degrees of freedom that an element couples, in the order of its matrices' rows.
using ElementDofs = std::vector<Dof>;

template <class E>
concept HasMass = requires(const E e) {
  { e.mass() } -> std::convertible_to<ElementMatrix>;
};
template <class E>
concept HasDamping = requires(const E e) {
  { e.damping() } -> std::convertible_to<ElementMatrix>;
};
template <class E>
concept HasStiffness = requires(const E e) {
  { e.stiffness() } -> std::convertible_to<ElementMatrix>;
};
/// Gyroscopic matrix [N m s/rad]: antisymmetric part of C, without power.
template <class E>
concept HasGyroscopic = requires(const E e) {
  { e.gyroscopicMatrix() } -> std::convertible_to<ElementMatrix>;
};

/// A piece of the structure: the degrees of freedom it couples and at least one of M [kg], C [N s/m], K [N/m]
/// on them (rotations: kg m^2, N m s/rad, N m/rad), in global axes.
template <class E>
concept Element = requires(const E e) {
  { e.dofs() } -> std::same_as<ElementDofs>;
}
&&(HasMass<E> || HasDamping<E> || HasStiffness<E>);

/// The first three (or all six) components of one node, or of two nodes one after the other.
inline ElementDofs dofsOfNodes(const std::vector<NodeIndex>& nodes, int componentsPerNode) {
  ElementDofs dofs;
  for (const NodeIndex node : nodes)
    for (int c = 0; c < componentsPerNode; ++c) dofs.push_back({node, componentOfIndex(c)});
  return dofs;
}

}  // namespace ricochet
