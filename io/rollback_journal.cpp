#include "io/rollback_journal.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>

namespace ricochet {
namespace {

constexpr std::uint64_t kMagic = 0x316c6e6a6f636972U;  // "ricojnl1"

using Head = std::array<std::uint64_t, 2>;    // magic, size of the file
using Record = std::array<std::uint64_t, 3>;  // address, size, checksum

std::uint64_t sizeOfFile(int file) noexcept {
  struct stat found {};
  return fstat(file, &found) == 0 ? static_cast<std::uint64_t>(found.st_size) : 0;
}

}  // namespace

std::uint64_t checksumOf(const void* data, std::size_t size) noexcept {
  constexpr std::uint64_t kPrime = 1099511628211U;
  std::uint64_t sum = 14695981039346656037U;
  const auto* at = static_cast<const unsigned char*>(data);
  for (; size >= sizeof(std::uint64_t); size -= sizeof(std::uint64_t), at += sizeof(std::uint64_t)) {
    std::uint64_t word = 0;
    std::memcpy(&word, at, sizeof word);
    sum = (sum ^ word) * kPrime;
    sum ^= sum >> 32U;  // a word's high bits would reach no low ones
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
    if (n == 0) {  // beyond the end
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

bool RollbackJournal::open() {
  journal_ = ::open(path_.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0666);
  if (journal_ < 0) return false;
  committed_ = sizeOfFile(file_);
  length_ = sizeOfFile(journal_);
  return undo() && commit(sizeOfFile(file_));
}

bool RollbackJournal::append(const std::vector<std::byte>& bytes) {
  if (!writeAt(journal_, bytes.data(), bytes.size(), length_)) return false;
  length_ += bytes.size();
  return true;
}

bool RollbackJournal::keep(std::uint64_t address, std::uint64_t size) {
  const Head opening{kMagic, committed_};
  const std::size_t head = length_ == 0 ? sizeof opening : 0;
  record_.resize(head);
  if (head > 0) std::memcpy(record_.data(), opening.data(), head);
  if (address < committed_ && size > 0) {
    size = std::min(size, committed_ - address);
    record_.resize(head + sizeof(Record) + size);
    std::byte* old = record_.data() + head + sizeof(Record);
    if (!readAt(file_, old, size, address)) return false;
    const Record record{address, size, checksumOf(old, size)};
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

bool RollbackJournal::undo() {
  std::vector<std::byte> all(length_);
  if (!readAt(journal_, all.data(), all.size(), 0)) return false;
  Head head{};
  if (all.size() < sizeof head) return true;
  std::memcpy(head.data(), all.data(), sizeof head);
  if (head[0] != kMagic) return true;
  std::vector<std::size_t> records;  // where their old bytes are
  std::size_t at = sizeof head;
  Record record{};
  while (at + sizeof record <= all.size()) {
    std::memcpy(record.data(), all.data() + at, sizeof record);
    at += sizeof record;
    if (record[1] > all.size() - at || checksumOf(all.data() + at, record[1]) != record[2]) break;
    records.push_back(at);
    at += record[1];
  }
  for (auto each = records.rbegin(); each != records.rend(); ++each) {
    std::memcpy(record.data(), all.data() + *each - sizeof record, sizeof record);
    if (!writeAt(file_, all.data() + *each, record[1], record[0])) return false;
  }
  return ftruncate(file_, static_cast<off_t>(head[1])) == 0;
}

void RollbackJournal::remove() noexcept { unlink(path_.c_str()); }

}  // namespace ricochet
