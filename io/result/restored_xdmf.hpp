#pragma once

#include <filesystem>

namespace ricochet {

/// The name of the description of a file of restored histories.
std::filesystem::path xdmfOf(const std::filesystem::path& file);

/// Writes FILE.xdmf (the file's name with that extension) for a file of restored histories: XDMF 2 XML that
/// points into it, a grid for each instant, with the nodes, the lines between them and the fields as vectors.
/// ParaView's "XDMF Reader" opens it ("Xdmf3" shows no field of such files:
/// it passes over selections); the filter "Warp By Vector" on the displacement shows the motion. Returns the
/// name. Throws ResultError.
std::filesystem::path writeXdmf(const std::filesystem::path& file);

}  // namespace ricochet
