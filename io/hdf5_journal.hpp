#pragma once

#include "io/hdf5.hpp"

#include <filesystem>

namespace ricochet {

/// An HDF5 file that is whole at every instant: a file driver that keeps what it overwrites.
///
/// HDF5 writes its metadata in place, piece after piece: a program that is killed while it flushes leaves
/// some pieces new and some old, and perhaps a file that does not open. Here every piece is copied to
/// FILE.journal before it is overwritten, and the journal is emptied when all of a flush is in the file
/// (`commit`). Opening a file with a journal puts the copies back and cuts off what was appended: the file is
/// as at the last commit, whatever happened since. The same is done at once when a write fails (a full disk):
/// nothing more is written then.
///
/// The system keeps what it was given when a program is killed, so that order is all that is needed; against
/// a power cut it is not enough.
///
/// Values of datasets are not copied but for variable-length ones: rows are appended, and a row that is
/// overwritten in place after a commit holds its new value after a kill (`guardValues` copies them too).
struct JournaledFile {
  /// Access properties that choose the driver. `access` is a property list of HDF5.
  static void choose(const H5Id& access);

  /// All of the file is as it shall be. Throws ResultError if a write has failed before.
  static void commit(const H5Id& file, const std::string& name);

  /// From now on values that are overwritten are copied as well.
  static void guardValues(const H5Id& file, const std::string& name);

  /// Puts back what a writer that was killed left unfinished. Does nothing while a writer is at work, without
  /// a journal, or where nothing may be written.
  static void settle(const std::filesystem::path& file) noexcept;

  static std::filesystem::path journalOf(const std::filesystem::path& file);
};

}  // namespace ricochet
