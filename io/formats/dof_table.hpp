#pragma once

#include "io/formats/abaqus_input.hpp"
#include "io/formats/matrix_file.hpp"

#include <filesystem>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

namespace ricochet {

/// Reads what each row of a matrix is: a text file with the columns row, node, dof, x, y, z (dof: ux ... rz,
/// or 1 ... 6; rows from 1), or CalculiX's .dof, a line `node.dof` for each row, without positions.
///
/// CalculiX expands beams and shells into solids whose nodes all have the number of the node that they come
/// from. Rows of a node of which a dof is there twice are those of "NODE#1", "NODE#2" ..., near it.
std::optional<std::vector<MatrixRow>> readDofTable(const Located<std::filesystem::path>& file,
                                                   Diagnostics& diagnostics);

/// Where nodes are.
struct NodePlaces {
  std::unordered_map<std::string, Vec3> positions;       ///< by name
  std::unordered_map<std::string, std::string> unclear;  ///< names of several nodes, and which
  std::optional<InputModel> model;                       ///< of an .inp
  std::string missing;                                   ///< why nodes may be missing; empty: no reason
};

/// Whether a file is an input file of Abaqus or CalculiX: by its name, or as its first line begins with *.
bool isInputFile(const std::filesystem::path& file);

/// Reads node positions: those of an input file (abaqus_input.hpp), or of a text file with the columns node,
/// x, y, z.
std::optional<NodePlaces> readNodePlaces(const Located<std::filesystem::path>& file,
                                         Diagnostics& diagnostics);

}  // namespace ricochet
