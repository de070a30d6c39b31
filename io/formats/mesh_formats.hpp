#pragma once

#include "io/formats/mesh_file.hpp"
#include "io/formats/msh_cursor.hpp"

#include <filesystem>

namespace ricochet {

// Readers of the formats of mesh_file.hpp. Each throws MeshFault.

/// Reads a file (text or binary) that begins with $MeshFormat.
void readMshFile(MshCursor& cursor, LineMesh& mesh);

/// Reads an HDF5 file. Errors have no byte position (0). Also throws ResultError, for missing datasets.
void readMedFile(const std::filesystem::path& file, LineMesh& mesh);

}  // namespace ricochet
