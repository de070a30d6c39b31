#pragma once

#include "physical/element.hpp"

#include <vector>

namespace ricochet {

/// Coefficients of a spring or a damper between one node and the ground, or between two nodes.
///
/// Diagonal: one coefficient per component in the local axes, D = diag(d); two nodes give [[D, -D], [-D, D]]
/// (no lever arm: forces are equal and opposite, and a distance between the nodes makes no moment).
/// Full: the matrix of the one or two nodes in the local axes. `axes` holds the local axes as rows.
struct Connector {
  std::vector<NodeIndex> nodes;  ///< one: to the ground; two: between them
  ElementMatrix matrix;          ///< in local axes: 3 or 6 rows for one node, 6 or 12 for two
  Mat3 axes{Mat3::Identity()};

  /// Creates the connector with diagonal coefficients (3 translations, or 6 with rotations).
  static Connector connectorFromDiagonal(std::vector<NodeIndex> nodes, const Vector& coefficients);

  int componentsPerNode() const noexcept {
    return static_cast<int>(matrix.rows()) / static_cast<int>(nodes.size());
  }

  ElementDofs dofs() const { return dofsOfNodes(nodes, componentsPerNode()); }

  /// T^t A T with T made of one 3x3 block of axes per triple of components.
  ElementMatrix rotateToGlobalAxes() const;
};

/// Linear spring: K from a connector, [N/m] and [N m/rad].
struct Spring {
  Connector connector;
  ElementDofs dofs() const { return connector.dofs(); }
  ElementMatrix stiffness() const { return connector.rotateToGlobalAxes(); }
};

/// Linear dashpot: C from a connector, [N s/m] and [N m s/rad]; its matrix may be unsymmetric (gyroscopic).
struct Dashpot {
  Connector connector;
  ElementDofs dofs() const { return connector.dofs(); }
  ElementMatrix damping() const { return connector.rotateToGlobalAxes(); }
};

}  // namespace ricochet
