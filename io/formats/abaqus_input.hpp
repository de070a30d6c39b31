#pragma once

#include "io/formats/matrix_file.hpp"
#include "io/text/input_error.hpp"

#include <array>
#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace ricochet {

/// Nodes of an input file of Abaqus or CalculiX (.inp): their positions, and the dofs that the elements give
/// them.
///
/// Supported are *NODE (SYSTEM=R or C, INPUT=), *SYSTEM, *INCLUDE, *PART and *INSTANCE with translation and
/// rotation, and *ELEMENT, up to the first *STEP. Other keywords that move nodes or rotate their directions
/// are problems. Keywords that only create nodes are reported when such a node is needed.
struct InputModel {
  struct Node {
    Vec3 position{Vec3::Zero()};
    int line{0};
    std::size_t file{0};   ///< index of `files`
    std::size_t scope{0};  ///< index of the part instance, or 0: the model itself
  };
  std::map<std::int64_t, Node> nodes;  ///< by number
  /// Numbers that several nodes have, and a description of these nodes.
  std::map<std::int64_t, std::string> unclear;
  std::string missing;                       ///< why nodes may be missing; empty: none is missing
  std::vector<std::filesystem::path> files;  ///< the file, then the files that it includes
  std::map<std::int64_t, std::array<bool, kComponents>> dofs;  ///< dofs of the nodes with elements
  std::string unknownElement;                                  ///< first element type whose dofs are unknown
};

/// Reads an input file; empty after a problem.
std::optional<InputModel> readAbaqusInputModel(const Located<std::filesystem::path>& file,
                                               Diagnostics& diagnostics);

/// Rows of a matrix whose rows are only numbered: nodes by increasing number, with the dofs that their
/// elements give them. Empty, with the reason in `why`, if the number of rows is not `size`.
std::optional<std::vector<MatrixRow>> matrixRowsOfElements(const InputModel& model, int size,
                                                           std::string& why);

}  // namespace ricochet
