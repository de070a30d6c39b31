#pragma once

#include <filesystem>
#include <fstream>
#include <string>

namespace ricochet {

/// Opens a file of the user to be read. Returns why that cannot be done, or nothing. Pipes and devices are
/// refused: one waits for ever, the other has no end.
std::string openInput(const std::filesystem::path& file, std::ifstream& stream);

}  // namespace ricochet
