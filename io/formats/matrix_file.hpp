#pragma once

#include "io/text/input_error.hpp"
#include "physical/sparse.hpp"
#include "physical/types.hpp"

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace ricochet {

/// Where a row of an imported matrix is.
enum class RowPlace {
  atNode,         ///< at the node of its name
  nearNode,       ///< somewhere around the node `origin`, which another code has expanded into several
  insideElement,  ///< an amplitude inside an element, which is zero where the element only moves
  nowhere,        ///< of a node that the program made for itself
  generalized,    ///< a coordinate of a mode (scalar point)
};

/// A row of imported matrices: a dof of a node, by the name that the file gives the node.
struct MatrixRow {
  std::string node;
  Component component{Component::ux};
  std::optional<Vec3> position{};  ///< [m], where the file tells it
  RowPlace place{RowPlace::atNode};
  std::string origin{};  ///< of nearNode
};

/// A square matrix of a file. Rows count from 0 in the order of a dof table, or name their dofs themselves.
struct ImportedMatrix {
  int size{0};  ///< rows; of a file that does not tell: the highest + 1
  bool tellsSize{false};
  std::vector<Eigen::Triplet<double>> entries;  ///< both triangles
  std::vector<MatrixRow> rows;                  ///< of a format that names dofs (Abaqus, Nastran); else empty
  std::string name;                             ///< by which the file calls it; empty: it does not
  double rounding{0.0};  ///< largest relative error of an entry by the digits printed; 0: exact
};

/// Which matrix of a file is asked for.
struct MatrixChoice {
  std::string name{};    ///< by which the file calls it; empty: found by the initial
  char initial{'K'};     ///< of its name in a file of several: K, M or B (damping)
  bool symmetric{true};  ///< mirror images must be equal
};

/// Reads a matrix, by what is in the file:
///
/// - Matrix Market, coordinate or array, real or integer, general, symmetric or skew-symmetric (NIST);
/// - `row column value` lines from 1, as CalculiX writes .sti and .mas with MATRIXSTORAGE and Abaqus .mtx
///   with FORMAT=COORDINATE;
/// - `node, dof, node, dof, value` lines, as Abaqus writes .mtx with FORMAT=MATRIX INPUT or LABELS, also
/// below
///   *MATRIX INPUT; internal nodes have negative numbers;
/// - Nastran DMIG of the bulk data or punch, real, fixed fields of 8 or 16 columns, or fields with commas.
///
/// Lines hold one triangle of a symmetric matrix, or all of it if any entry (i, j) has its mirror image.
///
/// What is wrong becomes a problem, of the deck's key if the file cannot be read, else of its first bad line.
std::optional<ImportedMatrix> readMatrixFile(const Located<std::filesystem::path>& file,
                                             const MatrixChoice& choice, Diagnostics& diagnostics);

/// A component by its name (ux ... rz, any case) or its number (1 ... 6).
std::optional<Component> componentNamed(std::string_view text);

}  // namespace ricochet
