#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace ricochet {

/// Data of a journal that restore a file to its last commit.
struct Rollback {
  struct Piece {
    std::uint64_t address;
    std::vector<std::byte> bytes;
  };
  std::uint64_t size{0};      ///< size of the file at the last commit
  std::vector<Piece> pieces;  ///< parts in the order of recording: the first record of a place counts

  /// Reads bytes of the restored file; false on error, with errno.
  bool readAt(int file, void* data, std::size_t count, std::uint64_t address) const noexcept;
};

/// Copies of the parts of a file that will be overwritten. Records are
///
///     address, size, checksum [8 bytes each], the old bytes
///
/// after a head with the size of the file at the last commit and a checksum of the beginning of the file,
/// which contains the random id of the file: a journal of another file is detected by this checksum. The
/// records are restored in reverse order. For an incomplete record the file has not been overwritten yet. The
/// journal must be a plain file without hard links and symbolic links. All functions return false if the
/// system refuses, with the reason in errno (EBADMSG: the journal belongs to another file).
class RollbackJournal {
 public:
  RollbackJournal(int file, std::string path) : file_(file), path_(std::move(path)) {}
  RollbackJournal(const RollbackJournal&) = delete;
  RollbackJournal& operator=(const RollbackJournal&) = delete;
  RollbackJournal(RollbackJournal&&) = delete;
  RollbackJournal& operator=(RollbackJournal&&) = delete;
  ~RollbackJournal();

  /// Opens the journal. `undoes`: rolls back unfinished changes of an earlier program; if false, a non-empty
  /// journal is refused.
  bool open(bool undoes = true);

  /// Reads the content of an open journal of an open file; empty if the head is incomplete.
  static bool read(int journal, int file, std::optional<Rollback>& found);

  /// Copies the bytes of a region; bytes beyond the size of the file at the last commit are not needed.
  bool saveOriginalRegion(std::uint64_t address, std::uint64_t size);

  /// Declares the present content of the file valid; `size`: size of the file.
  bool commit(std::uint64_t size);

  /// Restores the file to the last commit.
  bool rollBack();

  std::uint64_t committedSize() const noexcept { return committed_; }

  /// Deletes the journal file, unless it is no journal; the destructor does not.
  void remove() noexcept { remove(path_); }
  static void remove(const std::string& path) noexcept;

  /// True if a file has the name of a journal and is none: neither empty nor with the mark of a journal, or
  /// no plain file.
  static bool isForeignFile(const std::string& path) noexcept;

 private:
  bool append(const std::vector<std::byte>& bytes);

  int file_;
  std::string path_;
  int journal_{-1};
  std::uint64_t committed_{0};
  std::uint64_t length_{0};  // length of the journal
  std::vector<std::byte> record_;
};

/// True if an open file is a plain file with a single name; false on error, with errno (ENODEV, EMLINK).
bool isPlainFileWithOneName(int file) noexcept;

/// Reads or writes all bytes; false on error, with errno.
bool readAt(int file, void* data, std::size_t size, std::uint64_t address) noexcept;
bool writeAt(int file, const void* data, std::size_t size, std::uint64_t address) noexcept;

/// FNV-1a hash over words, then bytes.
std::uint64_t checksumOfBytes(const void* data, std::size_t size) noexcept;

}  // namespace ricochet
