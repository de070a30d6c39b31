// Reads random meshes of gmsh, and of MED if HDF5 accepts the file.

#include "io/formats/mesh_file.hpp"
#include "verification/fuzz/fuzz_file.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace ricochet;
  Diagnostics diagnostics;
  (void)readMeshFile({fuzz::fileOf(data, size, "mesh"), {}, {}}, diagnostics);
  return 0;
}
