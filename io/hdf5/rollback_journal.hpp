#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace ricochet {

/// What a journal would put back: the file as it was at the last commit.
struct Rollback {
  struct Piece {
    std::uint64_t address;
    std::vector<std::byte> bytes;
  };
  std::uint64_t size{0};      ///< of the file
  std::vector<Piece> pieces;  ///< in the order in which they were kept: the first of a place counts

  /// Reads bytes of the file as it was; false with errno.
  bool readAt(int file, void* data, std::size_t count, std::uint64_t address) const noexcept;
};

/// Copies of those parts of a file that are about to be overwritten. Records are
///
///     address, size, checksum [8 bytes each], the old bytes
///
/// after a head that holds the size the file had and a checksum of its beginning, where the random id of the
/// file stands: this tells the journal of another file. The records are put back last first. A record that is
/// not whole was never followed by its write. The journal is a plain file of one name, and no symbolic link.
/// All calls return false where the system refuses, errno saying why (EBADMSG: it is the journal of another
/// file).
class RollbackJournal {
 public:
  RollbackJournal(int file, std::string path) : file_(file), path_(std::move(path)) {}
  RollbackJournal(const RollbackJournal&) = delete;
  RollbackJournal& operator=(const RollbackJournal&) = delete;
  RollbackJournal(RollbackJournal&&) = delete;
  RollbackJournal& operator=(RollbackJournal&&) = delete;
  ~RollbackJournal();

  /// Opens it. `undoes`: what an earlier program left unfinished; else a journal that holds something is
  /// refused.
  bool open(bool undoes = true);

  /// What an open journal of an open file holds: nothing where that is no whole head.
  static bool read(int journal, int file, std::optional<Rollback>& found);

  /// Keeps the bytes of a region, of which those beyond the file's size at the last commit do not count.
  bool keep(std::uint64_t address, std::uint64_t size);

  /// The file is as it shall be; it is `size` long.
  bool commit(std::uint64_t size);

  /// The file is again what it was at the last commit.
  bool undo();

  std::uint64_t committedSize() const noexcept { return committed_; }

  /// Removes the journal from the folder; the destructor does not.
  void remove() noexcept;

 private:
  bool append(const std::vector<std::byte>& bytes);

  int file_;
  std::string path_;
  int journal_{-1};
  std::uint64_t committed_{0};
  std::uint64_t length_{0};  // of the journal
  std::vector<std::byte> record_;
};

/// Whether an open file is plain and has no other name; false with errno (ENODEV, EMLINK).
bool isPlainFile(int file) noexcept;

/// Reads or writes all of it; false with errno.
bool readAt(int file, void* data, std::size_t size, std::uint64_t address) noexcept;
bool writeAt(int file, const void* data, std::size_t size, std::uint64_t address) noexcept;

/// FNV-1a over words, then bytes.
std::uint64_t checksumOf(const void* data, std::size_t size) noexcept;

}  // namespace ricochet
