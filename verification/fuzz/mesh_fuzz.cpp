// Meshes of gmsh, and of MED as far as HDF5 lets them through.

#include "io/formats/mesh_file.hpp"
#include "verification/fuzz/fuzz_file.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace ricochet;
  Diagnostics diagnostics;
  (void)readMeshFile({fuzz::fileOf(data, size, "mesh"), {}, {}}, diagnostics);
  return 0;
}
