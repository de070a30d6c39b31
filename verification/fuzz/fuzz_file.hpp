#pragma once

#include <unistd.h>

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <string>

/// HDF5 1.10 loses what it allocated for a header that turns out to be damaged. Nothing here calls the
/// function, so it has to be kept by force.
extern "C" {
[[gnu::used]] inline const char* __lsan_default_suppressions() { return "leak:libhdf5"; }
}

namespace ricochet::fuzz {

/// Puts an input into a file of this process, for readers that take a path. In memory, where there is such a
/// file system.
inline const std::filesystem::path& fileOf(const std::uint8_t* data, std::size_t size,
                                           const std::string& name) {
  static const std::filesystem::path folder = [] {
    const std::filesystem::path memory = "/dev/shm";
    const auto parent =
        std::filesystem::is_directory(memory) ? memory : std::filesystem::temp_directory_path();
    const auto made = parent / ("ricochet-fuzz-" + std::to_string(::getpid()));
    std::filesystem::create_directories(made);
    return made;
  }();
  static std::filesystem::path file;
  file = folder / name;
  std::ofstream stream(file, std::ios::binary | std::ios::trunc);
  stream.write(reinterpret_cast<const char*>(data), static_cast<std::streamsize>(size));
  return file;
}

}  // namespace ricochet::fuzz
