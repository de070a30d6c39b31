#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>

namespace ricochet {

class H5File;

/// The final name of a file that is written under a temporary name. A file that has appeared under the final
/// name since the writer began is not replaced.
class FinalName {
 public:
  /// Records the file that exists under this name now; the writer may replace this file.
  explicit FinalName(std::filesystem::path name);

  const std::filesystem::path& path() const noexcept { return name_; }

  /// Renames `file` after all of its data are on the disk, then synchronises the folder. Throws ResultError
  /// if the system refuses or another file has appeared under the name; `file` then keeps its temporary name.
  void renameToFinal(const std::filesystem::path& file) const;

  /// Closes an HDF5 file that has no other user, and renames it; other programs cannot open the file before.
  void renameToFinal(H5File& content, const std::filesystem::path& file) const;

 private:
  struct Identity {
    std::uint64_t device, number;
    std::int64_t changed, nanoseconds;
    bool operator==(const Identity&) const = default;
  };
  static std::optional<Identity> fileIdentity(const std::filesystem::path& file);

  std::filesystem::path name_;
  std::optional<Identity> before_;
};

}  // namespace ricochet
