#include "io/result/target.hpp"

#include "io/archive/result_format.hpp"
#include "io/hdf5/hdf5_journal.hpp"
#include "io/result/result_file.hpp"
#include "io/result/result_target.hpp"
#include "io/text/input_file.hpp"

#include <fmt/core.h>
#include <unistd.h>

#include <array>
#include <fstream>
#include <string_view>
#include <system_error>

namespace ricochet {

namespace fs = std::filesystem;

fs::path folderOf(const fs::path& file) {
  return file.has_parent_path() ? file.parent_path() : fs::path(".");
}

void requireCreatableFile(const fs::path& file) {
  if (file.empty()) throw TargetError("-o: the name of the file to write is empty; leave it out or give one");
  const fs::path folder = folderOf(file);
  std::error_code error;
  if (!fs::is_directory(folder, error)) {
    if (error && error != std::errc::no_such_file_or_directory)
      throw TargetError(fmt::format("{}: {}", folder.string(), error.message()));
    throw TargetError(fmt::format("{}: there is no such folder; make it first", folder.string()));
  }
  if (!file.has_filename()) throw TargetError(fmt::format("{}: is a folder", file.string()));
  if (::access(folder.c_str(), W_OK | X_OK) != 0)
    throw TargetError(
        fmt::format("{}: this folder cannot be written to; write to another (-o)", folder.string()));
  constexpr std::string_view kAdded = ".partial.journal";
  const long most = ::pathconf(folder.c_str(), _PC_NAME_MAX);
  const std::size_t length = file.filename().native().size() + kAdded.size();
  if (most > 0 && length > static_cast<std::size_t>(most))
    throw TargetError(fmt::format("{}: this name is too long by {} characters", file.string(),
                                  length - static_cast<std::size_t>(most)));
}

bool hasHdf5Signature(const fs::path& file) {
  std::array<char, kHdf5Signature.size()> head{};
  std::ifstream stream;
  openInputOrGetReason(file, stream);
  stream.read(head.data(), head.size());
  return stream && std::string_view(head.data(), head.size()) == kHdf5Signature;
}

H5File openRequestedResult(const fs::path& file) {
  std::error_code error;
  const fs::file_status status = fs::status(file, error);
  if (!fs::exists(status)) {
    if (error && error != std::errc::no_such_file_or_directory)
      throw TargetError(fmt::format("{}: {}", file.string(), error.message()));
    const fs::path unfinished = temporaryNameOfResult(file);
    throw TargetError(fmt::format(
        "{}: there is no such result{}", file.string(),
        fs::exists(unfinished) ? fmt::format("; {} is one whose run has not ended", unfinished.string())
                               : ""));
  }
  if (fs::is_directory(status)) throw TargetError(fmt::format("{}: is a folder", file.string()));
  if (!fs::is_regular_file(status)) throw TargetError(fmt::format("{}: is no plain file", file.string()));
  if (::access(file.c_str(), R_OK) != 0) throw TargetError(fmt::format("{}: may not be read", file.string()));
  if (JournaledFile::isOpenForWriting(file))
    throw TargetError(fmt::format("{}: {}: wait for it; `ricochet watch` follows it", file.string(),
                                  JournaledFile::kInUse));
  try {
    H5File::open(file);
  } catch (const ResultError&) {
    if (file.extension() == ".toml")
      throw TargetError(fmt::format(
          "{}: is a deck, and a result is asked for: `ricochet run` makes one of it", file.string()));
    throw TargetError(
        fmt::format("{}: is no result (or a damaged one): it cannot be read as HDF5", file.string()));
  }
  try {
    return openResult(file);
  } catch (const ResultError& failure) {
    throw TargetError(failure.what());
  }
}

}  // namespace ricochet
