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

/// Nodes of an input file of Abaqus or CalculiX (.inp), where they are in space, and which dofs its elements
/// give them.
///
/// Read are *NODE (SYSTEM=R or C, INPUT=), *SYSTEM, *INCLUDE, *PART and *INSTANCE with their translation and
/// rotation, *ELEMENT, up to the first *STEP. Other keywords that move nodes or turn their directions are
/// problems; those that only make nodes are told when one of these is looked for.
struct InputModel {
  struct Node {
    Vec3 position{Vec3::Zero()};
    int line{0};
    std::size_t file{0};   ///< index of `files`
    std::size_t scope{0};  ///< part instance, or 0: the model itself
  };
  std::map<std::int64_t, Node> nodes;           ///< by number
  std::map<std::int64_t, std::string> unclear;  ///< numbers of several nodes, and which
  std::string missing;                          ///< why nodes may be missing here; empty: no reason
  std::vector<std::filesystem::path> files;     ///< itself, then those that it includes
  std::map<std::int64_t, std::array<bool, kComponents>> dofs;  ///< of nodes with elements
  std::string unknownElement;                                  ///< first type whose dofs are not known
};

/// Nothing after a problem.
std::optional<InputModel> readInputModel(const Located<std::filesystem::path>& file,
                                         Diagnostics& diagnostics);

/// Rows of matrices that count dofs through: nodes by increasing number, the dofs of each that its elements
/// give it. Nothing, and the reason in `why`, if they are not `size`.
std::optional<std::vector<MatrixRow>> rowsOfElements(const InputModel& model, int size, std::string& why);

}  // namespace ricochet
