#include "io/hdf5/rollback_journal.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <utility>

namespace ricochet {
namespace {

constexpr std::uint64_t kMagic = 0x326c6e6a6f636972U;  // "ricojnl2"

using Head = std::array<std::uint64_t, 3>;    // magic, size of the file, checksum of its beginning
using Record = std::array<std::uint64_t, 3>;  // address, size, checksum

std::uint64_t sizeOfFile(int file) noexcept {
  struct stat found {};
  return fstat(file, &found) == 0 ? static_cast<std::uint64_t>(found.st_size) : 0;
}

/// Checksum of the first bytes of a file at a commit. These bytes contain the random id of the file (the
/// comment of its root group) and no values, which HDF5 may overwrite in place without a record in the
/// journal.
std::optional<std::uint64_t> checksumOfFileBeginning(int file, const Rollback& committed) {
  constexpr std::uint64_t kBeginning = 2048;
  std::vector<std::byte> bytes(std::min(kBeginning, committed.size));
  if (!committed.readAt(file, bytes.data(), bytes.size(), 0)) return std::nullopt;
  return checksumOfBytes(bytes.data(), bytes.size());
}

}  // namespace

bool isPlainFileWithOneName(int file) noexcept {
  struct stat found {};
  if (fstat(file, &found) != 0) return false;
  const bool plain = S_ISREG(found.st_mode);
  if (plain && found.st_nlink == 1) return true;
  errno = plain ? EMLINK : ENODEV;
  return false;
}

bool Rollback::readAt(int file, void* data, std::size_t count, std::uint64_t address) const noexcept {
  if (!ricochet::readAt(file, data, count, address)) return false;
  for (auto piece = pieces.rbegin(); piece != pieces.rend(); ++piece) {
    const std::uint64_t from = std::max(piece->address, address);
    const std::uint64_t to = std::min(piece->address + piece->bytes.size(), address + count);
    if (from < to)
      std::memcpy(static_cast<std::byte*>(data) + (from - address),
                  piece->bytes.data() + (from - piece->address), to - from);
  }
  return true;
}

std::uint64_t checksumOfBytes(const void* data, std::size_t size) noexcept {
  constexpr std::uint64_t kPrime = 1099511628211U;
  std::uint64_t sum = 14695981039346656037U;
  const auto* at = static_cast<const unsigned char*>(data);
  for (; size >= sizeof(std::uint64_t); size -= sizeof(std::uint64_t), at += sizeof(std::uint64_t)) {
    std::uint64_t word = 0;
    std::memcpy(&word, at, sizeof word);
    sum = (sum ^ word) * kPrime;
    sum ^= sum >> 32U;  // mixes the high bits of a word into the low bits
  }
  for (; size > 0; --size, ++at) sum = (sum ^ *at) * kPrime;
  return sum;
}

bool readAt(int file, void* data, std::size_t size, std::uint64_t address) noexcept {
  auto* to = static_cast<std::byte*>(data);
  while (size > 0) {
    const ssize_t n = pread(file, to, size, static_cast<off_t>(address));
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) return false;
    if (n == 0) {  // end of the file
      std::memset(to, 0, size);
      return true;
    }
    to += n;
    size -= static_cast<std::size_t>(n);
    address += static_cast<std::uint64_t>(n);
  }
  return true;
}

bool writeAt(int file, const void* data, std::size_t size, std::uint64_t address) noexcept {
  const auto* from = static_cast<const std::byte*>(data);
  while (size > 0) {
    const ssize_t n = pwrite(file, from, size, static_cast<off_t>(address));
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) return false;
    from += n;
    size -= static_cast<std::size_t>(n);
    address += static_cast<std::uint64_t>(n);
  }
  return true;
}

RollbackJournal::~RollbackJournal() {
  if (journal_ >= 0) close(journal_);
}

bool RollbackJournal::open(bool undoes) {
  journal_ = ::open(path_.c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, 0666);
  if (journal_ < 0 || !isPlainFileWithOneName(journal_)) return false;
  committed_ = sizeOfFile(file_);
  length_ = sizeOfFile(journal_);
  if (!undoes && length_ > 0) {
    errno = EBADMSG;
    return false;
  }
  return rollBack() && commit(sizeOfFile(file_));
}

bool RollbackJournal::append(const std::vector<std::byte>& bytes) {
  if (!writeAt(journal_, bytes.data(), bytes.size(), length_)) return false;
  length_ += bytes.size();
  return true;
}

bool RollbackJournal::saveOriginalRegion(std::uint64_t address, std::uint64_t size) {
  Head opening{kMagic, committed_, 0};
  const std::size_t head = length_ == 0 ? sizeof opening : 0;
  if (head > 0) {
    const auto beginning = checksumOfFileBeginning(file_, {committed_, {}});
    if (!beginning) return false;
    opening[2] = *beginning;
  }
  record_.resize(head);
  if (head > 0) std::memcpy(record_.data(), opening.data(), head);
  if (address < committed_ && size > 0) {
    size = std::min(size, committed_ - address);
    record_.resize(head + sizeof(Record) + size);
    std::byte* old = record_.data() + head + sizeof(Record);
    if (!readAt(file_, old, size, address)) return false;
    const Record record{address, size, checksumOfBytes(old, size)};
    std::memcpy(record_.data() + head, record.data(), sizeof record);
  }
  return record_.empty() || append(record_);
}

bool RollbackJournal::commit(std::uint64_t size) {
  if (length_ > 0 && ftruncate(journal_, 0) != 0) return false;
  length_ = 0;
  committed_ = size;
  return true;
}

bool RollbackJournal::read(int journal, int file, std::optional<Rollback>& found) {
  found.reset();
  const std::uint64_t length = sizeOfFile(journal);
  Head head{};
  if (length < sizeof head)
    // the writer was killed before the head was complete: nothing had been overwritten
    return true;
  if (!readAt(journal, head.data(), sizeof head, 0)) return false;
  const auto refused = [] {
    errno = EBADMSG;
    return false;
  };
  if (head[0] != kMagic) return refused();
  Rollback rollback{head[1], {}};
  std::uint64_t at = sizeof head;
  Record record{};
  while (length - at >= sizeof record) {
    if (!readAt(journal, record.data(), sizeof record, at)) return false;
    at += sizeof record;
    const auto [address, size, checksum] = record;
    if (size > length - at || address > head[1] || size > head[1] - address) break;
    Rollback::Piece piece{address, std::vector<std::byte>(size)};
    if (!readAt(journal, piece.bytes.data(), size, at)) return false;
    if (checksumOfBytes(piece.bytes.data(), size) != checksum) break;
    at += size;
    rollback.pieces.push_back(std::move(piece));
  }
  if (checksumOfFileBeginning(file, rollback) != head[2]) return refused();
  found = std::move(rollback);
  return true;
}

bool RollbackJournal::rollBack() {
  std::optional<Rollback> rollback;
  if (!read(journal_, file_, rollback)) return false;
  if (!rollback) return true;
  for (auto piece = rollback->pieces.rbegin(); piece != rollback->pieces.rend(); ++piece)
    if (!writeAt(file_, piece->bytes.data(), piece->bytes.size(), piece->address)) return false;
  return ftruncate(file_, static_cast<off_t>(rollback->size)) == 0;
}

bool RollbackJournal::isForeignFile(const std::string& path) noexcept {
  struct stat found {};
  if (lstat(path.c_str(), &found) != 0) return false;
  if (!S_ISREG(found.st_mode)) return true;
  const int journal = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
  if (journal < 0) return true;
  // A writer that is killed may leave a part of the mark; the last byte is the version of the journal.
  std::array<char, sizeof kMagic - 1> begins{};
  const ssize_t length = pread(journal, begins.data(), begins.size(), 0);
  ::close(journal);
  return length < 0 || std::memcmp(begins.data(), &kMagic, static_cast<std::size_t>(length)) != 0;
}

void RollbackJournal::remove(const std::string& path) noexcept {
  if (!isForeignFile(path)) unlink(path.c_str());
}

}  // namespace ricochet
