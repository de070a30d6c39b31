#include "io/formats/mesh_file.hpp"

#include "io/formats/foreign_file.hpp"
#include "io/formats/mesh_formats.hpp"
#include "io/hdf5/hdf5.hpp"
#include "io/text/input_file.hpp"

#include <fmt/core.h>

#include <fstream>
#include <iterator>

namespace ricochet {
namespace {

constexpr std::string_view kMshBegin = "$MeshFormat";
constexpr std::string_view kHdf5Begin = "\x89HDF\r\n\x1a\n";

}  // namespace

std::optional<LineMesh> readMeshFile(const Located<std::filesystem::path>& file, Diagnostics& diagnostics) {
  std::ifstream stream;
  if (const std::string reason = openInputOrGetReason(file.value, stream); !reason.empty()) {
    diagnostics.addProblem(file.where, file.path, "cannot read " + file.value.string() + ": " + reason);
    return std::nullopt;
  }
  std::string begin(kMshBegin.size(), '\0');
  stream.read(begin.data(), static_cast<std::streamsize>(begin.size()));
  LineMesh mesh;
  const auto refuse = [&](int line, const std::string& what, int column = 0) {
    diagnostics.addProblem({file.value.string(), line, column}, file.path, what);
    return std::nullopt;
  };
  if (begin.starts_with(kHdf5Begin)) {
    try {
      readMedFile(file.value, mesh);
      return mesh;
    } catch (const MeshFault& fault) {
      return refuse(0, fault.what());
    } catch (const ResultError& error) {
      return refuse(0, fmt::format("is no mesh of MED 3 or 4: {}", error.what()));
    }
  }
  if (const std::optional<std::string> foreign = describeForeignFormatOfFile(file.value, Wanted::mesh))
    return refuse(0, *foreign);
  if (begin != kMshBegin)
    return refuse(1, "is no mesh that is read: .msh of gmsh begins with $MeshFormat, .med is an HDF5 file");
  stream.clear();
  stream.seekg(0);
  std::string text{std::istreambuf_iterator<char>(stream), std::istreambuf_iterator<char>()};
  text.shrink_to_fit();  // frees unused capacity, so that the address sanitizer detects reads beyond the file
  MshCursor cursor(text);
  try {
    readMshFile(cursor, mesh);
  } catch (const MeshFault& fault) {
    if (cursor.isBinary()) return refuse(0, fmt::format("byte {}: {}", fault.bytePosition(), fault.what()));
    return refuse(cursor.lineNumberOfByte(fault.bytePosition()), fault.what(),
                  cursor.columnNumberOfByte(fault.bytePosition()));
  }
  return mesh;
}

}  // namespace ricochet
