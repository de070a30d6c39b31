#pragma once

#include "io/hdf5/hdf5.hpp"

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string_view>

namespace ricochet {

/// Size and time of change of a journal. What was read from a file that is being written is its content at
/// one commit if the stamp is the same before and after: every change is recorded first, and a commit empties
/// the journal.
struct JournalStamp {
  std::uint64_t size;
  std::int64_t seconds, nanoseconds;
  bool operator==(const JournalStamp&) const = default;
};

/// An HDF5 file that is valid at every instant: a file driver with a rollback journal.
///
/// HDF5 overwrites its metadata in place, part by part: a program that is killed during a flush leaves new
/// and old parts, and perhaps a file that cannot be opened. This driver copies every part to FILE.journal
/// before the part is overwritten, and empties the journal when all data of a flush are in the file
/// (`commit`). A writer that opens FILE.partial with a journal restores the copies and truncates appended
/// data: the file is again as at the last commit. The same is done at once when a write fails (a full disk);
/// then nothing more is written. A reader of FILE.partial sees the file as at the last commit and writes
/// nothing; for other names no journal is read.
///
/// The file must be a plain file without hard links and symbolic links.
///
/// The operating system completes accepted writes of a killed program, so that the order of writes is
/// sufficient; it does not protect against a power failure.
///
/// A file that is open for writing is locked (flock) until it is closed, if the file system supports locks.
struct JournaledFile {
  /// Text in the error stack of HDF5 if another program, a reader or a writer, has locked a file.
  static constexpr std::string_view kInUse = "another program has it open";

  /// Selects this driver in `access`, a property list of HDF5 for opening files.
  static void selectJournalDriver(const H5Id& access);

  /// Commits the present content of the file. Throws ResultError if a write has failed before.
  static void commit(const H5Id& file, const std::string& name);

  /// Size of a file [bytes], for FILE.partial at its last commit; 0 if it does not exist.
  static std::uint64_t committedSize(const std::filesystem::path& file) noexcept;

  /// True if a writer has the file open.
  static bool isOpenForWriting(const std::filesystem::path& file) noexcept;

  /// Stamp of the journal of a file; empty if there is none: no writer is at work, nor was one killed.
  static std::optional<JournalStamp> readJournalStamp(const std::filesystem::path& file) noexcept;

  /// Removes a file without content, and its journal, unless a writer has it open.
  static void removeEmptyFile(const std::filesystem::path& file) noexcept;

  /// The lock of an open file, which can outlive its closing.
  static FileLock lockOfFile(const H5Id& file, const std::string& name);

  static std::filesystem::path pathOfJournal(const std::filesystem::path& file);

  /// True if what lies beside a file under the name of its journal is no journal.
  static bool hasForeignFileAsJournal(const std::filesystem::path& file) noexcept;

  /// Removes the journal of a file, but no other file under its name.
  static void removeJournal(const std::filesystem::path& file) noexcept;

  /// True if a file has the temporary name of an unfinished file.
  static bool hasTemporaryName(const std::filesystem::path& file) noexcept;
};

}  // namespace ricochet
