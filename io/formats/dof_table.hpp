#pragma once

#include "io/formats/abaqus_input.hpp"
#include "io/formats/matrix_file.hpp"

#include <filesystem>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

namespace ricochet {

/// Reads the node and dof of each row of a matrix: a text file with the columns row, node, dof, x, y, z (dof:
/// ux ... rz, or 1 ... 6; rows from 1), or CalculiX's .dof, with a line `node.dof` for each row and without
/// positions.
///
/// CalculiX expands beams and shells into solids whose nodes keep the number of the original node. Rows of a
/// node with a repeated dof are assigned to nodes "NODE#1", "NODE#2" ... near this node.
std::optional<std::vector<MatrixRow>> readDofTable(const Located<std::filesystem::path>& file,
                                                   Diagnostics& diagnostics);

/// Positions of nodes.
struct NodePlaces {
  std::unordered_map<std::string, Vec3> positions;  ///< positions by name
  /// Names that several nodes have, and a description of these nodes.
  std::unordered_map<std::string, std::string> unclear;
  std::optional<InputModel> model;  ///< data of an .inp file
  std::string missing;              ///< why nodes may be missing; empty: none is missing
};

/// True for an input file of Abaqus or CalculiX: by its extension, or if its first line begins with *.
bool isAbaqusInputFile(const std::filesystem::path& file);

/// Reads node positions: from an input file (abaqus_input.hpp), or from a text file with the columns node, x,
/// y, z.
std::optional<NodePlaces> readNodePositionFile(const Located<std::filesystem::path>& file,
                                               Diagnostics& diagnostics);

}  // namespace ricochet
