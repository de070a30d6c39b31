#pragma once

#include "io/hdf5/hdf5.hpp"

#include <cstdint>
#include <filesystem>
#include <string_view>

namespace ricochet {

/// An HDF5 file that is whole at every instant: a file driver that keeps what it overwrites.
///
/// HDF5 writes its metadata in place, piece after piece: a program that is killed while it flushes leaves
/// some pieces new and some old, and perhaps a file that does not open. Here every piece is copied to
/// FILE.journal before it is overwritten, and the journal is emptied when all of a flush is in the file
/// (`commit`). A writer that opens FILE.partial with a journal puts the copies back and cuts off what was
/// appended: the file is as at the last commit, whatever happened since. The same is done at once when a
/// write fails (a full disk): nothing more is written then. A reader of FILE.partial sees the file as at the
/// last commit and writes nothing; of other names no journal is looked at.
///
/// What is written is a plain file of one name, and no symbolic link leads to it.
///
/// The system keeps what it was given when a program is killed, so that order is all that is needed; against
/// a power cut it is not enough.
///
/// A file that is open for writing is locked (flock) until it is closed; where the file system knows no locks
/// it is not.
struct JournaledFile {
  /// What HDF5's error stack holds when a file is locked by another writer.
  static constexpr std::string_view kInUse = "another program is writing it";

  /// Access properties that choose the driver. `access` is a property list of HDF5.
  static void choose(const H5Id& access);

  /// All of the file is as it shall be. Throws ResultError if a write has failed before.
  static void commit(const H5Id& file, const std::string& name);

  /// Bytes of a file, of FILE.partial at its last commit; 0 where there is none.
  static std::uint64_t committedSize(const std::filesystem::path& file) noexcept;

  /// Whether a writer is at work on the file.
  static bool isInUse(const std::filesystem::path& file) noexcept;

  /// Removes a file that holds nothing, and its journal, unless a writer is at work on it.
  static void removeEmpty(const std::filesystem::path& file) noexcept;

  /// The lock of an open file, to be kept beyond its closing.
  static FileLock lockOf(const H5Id& file, const std::string& name);

  static std::filesystem::path journalOf(const std::filesystem::path& file);

  /// Whether a file has the name that it has until it is whole.
  static bool isPartial(const std::filesystem::path& file) noexcept;
};

}  // namespace ricochet
