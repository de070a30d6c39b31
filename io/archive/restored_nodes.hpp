#pragma once

#include "io/hdf5/hdf5.hpp"
#include "io/text/request_error.hpp"
#include "physical/types.hpp"

#include <array>
#include <cstddef>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

namespace ricochet {

/// The result does not have the requested object, or has no modal run.
struct RestoreError : RequestError {
  using RequestError::RequestError;
};

/// Nodes of a result and the rows of their dofs.
struct RestoredNodes {
  std::vector<std::string> names;
  std::vector<NodeIndex> nodes;  ///< indices in the result
  std::vector<Vec3> positions;
  /// Row of model/dofs of each component, -1 where the node has no such dof.
  std::vector<std::array<long, kComponents>> dofs;
  bool rotations{false};
  std::vector<std::pair<std::int32_t, std::int32_t>> lines;  ///< elements between two of these nodes

  std::size_t size() const noexcept { return names.size(); }
  std::size_t componentCount() const noexcept { return rotations ? 6 : 3; }
};

/// Names of the nodes of each group of the deck and its meshes.
std::unordered_map<std::string, std::vector<std::string>> nodesOfGroups(const H5File& result);

/// Finds nodes by name, or the nodes of a group of the deck; all nodes if `names` is empty. A string can hold
/// several names separated by commas; a comma in a name of the result belongs to that name. Reads the tables
/// of the result in blocks. Throws RestoreError with the most similar name.
RestoredNodes findNodesByName(const H5File& result, const std::vector<std::string>& names);

/// Rows of the mode shapes, dofs x modes, for the components of each node in order; zero if the node does not
/// have the dof.
Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor> modeShapesAtNodes(
    const H5File& result, const RestoredNodes& nodes);

}  // namespace ricochet
