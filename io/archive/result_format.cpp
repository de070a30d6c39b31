#include "io/archive/result_format.hpp"

#include <fmt/core.h>

#include <cstdint>

namespace ricochet {

H5File openResult(const std::filesystem::path& file, Access access, Journal journal) {
  H5File opened = H5File::open(file, access, journal);
  const auto refuse = [&](const std::string& why) {
    throw ResultError(fmt::format("{}: {}", opened.name(), why));
  };
  if (!opened.hasAttribute("/", "format") || !opened.hasAttribute("/", "format_version"))
    refuse("is no result of this program: it says no format");
  const std::int64_t version = opened.integerAttribute("/", "format_version");
  if (version > kFormatVersion)
    refuse(
        fmt::format("is a result in format {}, which a newer version of this program reads; this one reads "
                    "format {}",
                    version, kFormatVersion));
  if (version < kFormatVersion)
    refuse(fmt::format(
        "is a result in format {}, of an older version of this program; this one reads format {}: "
        "run its deck again (the text is in /deck)",
        version, kFormatVersion));
  if (opened.stringAttribute("/", "format") != "ricochet") refuse("is no result of this program");
  return opened;
}

}  // namespace ricochet
