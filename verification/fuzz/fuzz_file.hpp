#pragma once

#include <unistd.h>

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <string>

/// HDF5 1.10 leaks memory that it allocated for a damaged header. Only the sanitizer calls this function, so
/// the attribute keeps the linker from removing it.
extern "C" {
[[gnu::used]] inline const char* __lsan_default_suppressions() { return "leak:libhdf5"; }
}

namespace ricochet::fuzz {

/// Writes an input to a file of this process, for readers that take a path; the file is in memory if the
/// system has such a file system.
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
