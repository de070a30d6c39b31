#pragma once

#include "io/formats/mesh_file.hpp"
#include "io/formats/msh_cursor.hpp"

#include <filesystem>

namespace ricochet {

// The formats behind mesh_file.hpp. Each throws MeshFault.

/// Text or bytes of a file that begins with $MeshFormat.
void readMsh(MshCursor& cursor, LineMesh& mesh);

/// An HDF5 file. Faults have no byte (0). Throws ResultError too, of datasets that it lacks.
void readMed(const std::filesystem::path& file, LineMesh& mesh);

}  // namespace ricochet
