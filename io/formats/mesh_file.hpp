#pragma once

#include "io/text/input_error.hpp"
#include "physical/types.hpp"

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace ricochet {

/// The points and lines of a mesh that another program made, in the unit of the file.
struct LineMesh {
  struct Node {
    std::int64_t tag{0};  ///< number of the node in the file
    Vec3 position{Vec3::Zero()};
  };
  struct Line {
    std::int64_t tag{0};
    int first{0}, second{0};  ///< end nodes, as indices of `nodes`
    int size{2};              ///< number of nodes; lines of higher order have more than two, between the ends
  };
  /// A named set of elements of one dimension, or a numbered set without a name.
  struct Group {
    int dimension{0};
    int tag{0};
    std::string name;
    std::vector<int> members;  ///< dimension 0: indices of nodes; 1: indices of lines; otherwise empty
  };

  std::vector<Node> nodes;  ///< all nodes of the file
  std::vector<Line> lines;  ///< a line that belongs to several groups may occur several times
  std::vector<Group> groups;
  std::size_t others{0};  ///< number of elements that are neither points nor lines
};

/// Reads the points, lines and named groups of a mesh:
///
/// - gmsh's MSH 2.0 to 2.2 and 4.1, ASCII or binary of this machine's byte order (sections $PhysicalNames,
/// $Entities,
///   $Nodes, $Elements; $Periodic, $Comments and data sections are passed over; a partitioned mesh is
///   refused). Groups are the physical groups.
/// - MED 3 and 4 (Salome, Code_Aster), one mesh in one state: groups of nodes, points and segments. Nodes and
///   lines count from 1 in the order of the file.
///
/// Errors are reported as problems: of the key in the deck if the file cannot be read, otherwise of the line
/// (in a binary file, the byte).
///
/// Source: C. Geuzaine, J.-F. Remacle, Gmsh reference manual, "MSH file format" and "Legacy formats";
/// EDF R&D, MED 4.1, "Modele de donnees", checked against files of libmed 4.1.
std::optional<LineMesh> readMeshFile(const Located<std::filesystem::path>& file, Diagnostics& diagnostics);

}  // namespace ricochet
