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

/// The result has no such thing, or no modal run.
struct RestoreError : RequestError {
  using RequestError::RequestError;
};

/// Nodes of a result and where their dofs are in it.
struct RestoredNodes {
  std::vector<std::string> names;
  std::vector<NodeIndex> nodes;  ///< index in the result
  std::vector<Vec3> positions;
  /// Row of model/dofs of each component, -1 where the node has no such dof.
  std::vector<std::array<long, kComponents>> dofs;
  bool rotations{false};
  std::vector<std::pair<std::int32_t, std::int32_t>> lines;  ///< elements between two of them

  std::size_t size() const noexcept { return names.size(); }
  std::size_t components() const noexcept { return rotations ? 6 : 3; }
};

/// Names of the nodes of each group of the deck and its meshes.
std::unordered_map<std::string, std::vector<std::string>> groupsOf(const H5File& result);

/// Finds nodes by name, or those of a group of the deck; all without names. A string may name several, with
/// commas between them; commas of a name that the result holds are part of it. Reads the tables of the result
/// in blocks. Throws RestoreError with the nearest name.
RestoredNodes findNodes(const H5File& result, const std::vector<std::string>& names);

/// Rows of the mode shapes, dofs x modes, of components of the nodes one after the other; zero where there is
/// no dof.
Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor> shapesOf(const H5File& result,
                                                                                const RestoredNodes& nodes);

}  // namespace ricochet
