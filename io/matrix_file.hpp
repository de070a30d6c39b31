#pragma once

#include "io/input_error.hpp"
#include "physical/sparse.hpp"
#include "physical/types.hpp"

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace ricochet {

/// A row of imported matrices: a dof of a node, by the name that the file gives the node.
struct MatrixRow {
  std::string node;
  Component component{Component::ux};
  std::optional<Vec3> position;  ///< [m], where the file tells it
};

/// A square matrix of a file. Rows count from 0 in the order of a dof table, or name their dofs themselves.
struct ImportedMatrix {
  int size{0};  ///< rows; of a file that does not tell: the highest + 1
  bool tellsSize{false};
  std::vector<Eigen::Triplet<double>> entries;  ///< both triangles
  std::vector<MatrixRow> rows;                  ///< of a format that names dofs (Abaqus, Nastran); else empty
};

/// Reads a matrix, by what is in the file:
///
/// - Matrix Market, coordinate or array, real or integer, general, symmetric or skew-symmetric (NIST);
/// - `row column value` lines from 1, as CalculiX writes .sti and .mas with MATRIXSTORAGE: one triangle of a
///   symmetric matrix;
/// - `node, dof, node, dof, value` lines, as Abaqus writes .mtx with FORMAT=MATRIX INPUT: one triangle;
/// - Nastran DMIG of the bulk data or punch, real, fixed fields of 8 or 16 columns, or fields with commas.
///
/// What is wrong becomes a problem, of the deck's key if the file cannot be read, else of its first bad line.
std::optional<ImportedMatrix> readMatrixFile(const Located<std::filesystem::path>& file,
                                             Diagnostics& diagnostics);

/// A component by its name (ux ... rz, any case) or its number (1 ... 6).
std::optional<Component> componentNamed(std::string_view text);

/// Reads what each row of a matrix is: a text file with the columns row, node, dof, x, y, z (dof: ux ... rz,
/// or 1 ... 6; rows from 1), or CalculiX's .dof, a line `node.dof` for each row, without positions.
std::optional<std::vector<MatrixRow>> readDofTable(const Located<std::filesystem::path>& file,
                                                   Diagnostics& diagnostics);

/// A node of a mesh.
struct MeshNode {
  std::string name;
  Vec3 position;
};

/// Reads node positions: the *NODE blocks of an Abaqus or CalculiX input file (.inp), or a text file with the
/// columns node, x, y, z.
std::optional<std::vector<MeshNode>> readMeshNodes(const Located<std::filesystem::path>& file,
                                                   Diagnostics& diagnostics);

}  // namespace ricochet
