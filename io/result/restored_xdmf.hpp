#pragma once

#include "io/result/result_target.hpp"

#include <filesystem>
#include <vector>

namespace ricochet {

/// Name of the XDMF file of a file with restored histories.
std::filesystem::path xdmfFileOf(const std::filesystem::path& file);

/// Throws TargetError unless the XDMF file of a file with restored histories may be written: the two names
/// differ, and requireFileMayBeWritten.
void requireXdmfMayBeWritten(const std::filesystem::path& file, bool force,
                             const std::vector<InputFile>& inputs);

/// Writes FILE.xdmf (the name of `file` with this extension) for a file with restored histories: XDMF 2 XML
/// that refers to the data of the file, with one grid per instant: the nodes, the lines between them and the
/// fields as vectors. ParaView's "XDMF Reader" opens the file ("Xdmf3" shows no fields, because it ignores
/// selections); the filter "Warp By Vector" applied to the displacement shows the motion. Returns the name.
/// Throws ResultError.
std::filesystem::path writeXdmf(const std::filesystem::path& file);

}  // namespace ricochet
