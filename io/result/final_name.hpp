#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>

namespace ricochet {

class H5File;

/// The name that a file gets when it is whole. What has come under that name since the writer began is not
/// replaced.
class FinalName {
 public:
  /// Looks at what is there now, which the writer may replace.
  explicit FinalName(std::filesystem::path name);

  const std::filesystem::path& path() const noexcept { return name_; }

  /// Gives a file the name, once all of it is on the disk; then the folder follows. Throws ResultError where
  /// the system refuses, or another file has come under the name; the file keeps its old one then.
  void give(const std::filesystem::path& file) const;

  /// Closes an HDF5 file, which is nobody's then, and gives it the name; others stay out until it has it.
  void give(H5File& content, const std::filesystem::path& file) const;

 private:
  struct Identity {
    std::uint64_t device, number;
    std::int64_t changed, nanoseconds;
    bool operator==(const Identity&) const = default;
  };
  static std::optional<Identity> identityOf(const std::filesystem::path& file);

  std::filesystem::path name_;
  std::optional<Identity> before_;
};

}  // namespace ricochet
