#include "io/text/input_file.hpp"

#include <cerrno>
#include <system_error>

namespace ricochet {

std::string openInputOrGetReason(const std::filesystem::path& file, std::ifstream& stream) {
  std::error_code error;
  const std::filesystem::file_status status = std::filesystem::status(file, error);
  if (std::filesystem::is_directory(status)) return "is a folder";
  if (std::filesystem::exists(status) && !std::filesystem::is_regular_file(status))
    return "is a pipe or a device, no file; write what comes from it into one";
  errno = 0;
  stream.open(file, std::ios::binary);
  return stream.is_open() ? std::string{} : std::error_code(errno, std::generic_category()).message();
}

}  // namespace ricochet
