#include "io/result/final_name.hpp"

#include "io/hdf5/hdf5.hpp"
#include "io/result/result_target.hpp"
#include "io/result/target.hpp"

#include <fcntl.h>
#include <fmt/core.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <string_view>
#include <system_error>
#include <utility>

namespace ricochet {
namespace {

namespace fs = std::filesystem;

[[noreturn]] void throwFileError(const fs::path& file, std::string_view what) {
  throw ResultError(fmt::format("{}: cannot {}: {}", file.string(), what,
                                std::error_code(errno, std::generic_category()).message()));
}

/// Waits until a file or a folder is stored on the disk. Some file systems do not support this for folders
/// (EINVAL).
void synchroniseToDisk(const fs::path& file, bool isFolder) {
  const int opened = ::open(file.c_str(), O_RDONLY | O_CLOEXEC | (isFolder ? O_DIRECTORY : 0));
  if (opened < 0) {
    if (isFolder && errno == EACCES) return;  // a folder with write permission but without read permission
    throwFileError(file, "open");
  }
  const bool settled = ::fsync(opened) == 0 || errno == EINVAL || errno == ENOTSUP;
  const int reason = errno;
  ::close(opened);
  errno = reason;
  if (!settled) throwFileError(file, "write all of it to the disk");
}

}  // namespace

FinalName::FinalName(fs::path name) : name_(std::move(name)), before_(fileIdentity(name_)) {}

std::optional<FinalName::Identity> FinalName::fileIdentity(const fs::path& file) {
  struct stat found {};
  if (::lstat(file.c_str(), &found) != 0) return std::nullopt;
  return Identity{found.st_dev, found.st_ino, found.st_mtim.tv_sec, found.st_mtim.tv_nsec};
}

void FinalName::renameToFinal(const fs::path& file) const {
  synchroniseToDisk(file, false);
  const std::optional<Identity> now = fileIdentity(name_);
  const auto appeared = [&] {
    return ResultError(
        fmt::format("{}: came while {} was written, and is not replaced", name_.string(), file.string()));
  };
  if (now && now != before_) throw appeared();
  if (now ? ::rename(file.c_str(), name_.c_str()) != 0
          : ::renameat2(AT_FDCWD, file.c_str(), AT_FDCWD, name_.c_str(), RENAME_NOREPLACE) != 0) {
    if (errno == EEXIST) throw appeared();
    // Some file systems do not support RENAME_NOREPLACE.
    if (now || errno != EINVAL || ::rename(file.c_str(), name_.c_str()) != 0) throwFileError(file, "rename");
  }
  synchroniseToDisk(folderOf(name_), true);
}

void FinalName::renameToFinal(H5File& content, const fs::path& file) const {
  const FileLock lock = content.lock();
  content.close();
  renameToFinal(file);
}

}  // namespace ricochet
