#pragma once

#include "io/hdf5/hdf5.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace ricochet {

/// Reads names that other programs (MED) store as byte arrays of fixed length; removes zeros and blanks at
/// their ends. Throws ResultError.
std::vector<std::string> readNamesOfByteArrays(const H5File& file, std::string_view dataset);

}  // namespace ricochet
