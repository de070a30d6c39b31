#include "io/archive/packed_bytes.hpp"

#include "io/hdf5/hdf5.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <utility>

namespace ricochet {
namespace {

/// Marks packed bytes; a state begins with the mark of its first class, a hash that is another.
constexpr std::array<std::uint8_t, 4> kMark{'p', 'a', 'c', 'k'};
constexpr std::size_t kHead = kMark.size() + sizeof(std::uint64_t);

constexpr std::size_t kShortest = 4;       // bytes of a repetition at least
constexpr std::size_t kFarthest = 0xFFFF;  // bytes from a repetition back to what it repeats
constexpr std::size_t kInToken = 15;       // a length from here on goes on in bytes of its own
constexpr std::size_t kMostPerByte = 255;  // bytes that a packed byte stands for at most

[[noreturn]] void throwDamaged() {
  throw ResultError("a state to restart from is not as long as it says: the file is damaged");
}

/// Sequences: a token with both lengths, new bytes, and how far back the bytes are that are repeated.
class Packer {
 public:
  explicit Packer(std::span<const std::byte> bytes) : bytes_(bytes), packed_(kHead) {
    const std::uint64_t size = bytes.size();
    std::ranges::copy(kMark, packed_.begin());
    std::memcpy(packed_.data() + kMark.size(), &size, sizeof size);
  }

  std::vector<std::uint8_t> run() {
    std::size_t begin = 0;  // of the bytes that are new
    for (std::size_t at = 0; at + kShortest <= bytes_.size();) {
      const std::size_t from = lastPlaceOf(at), length = from < at ? lengthOfRepetition(from, at) : 0;
      if (length < kShortest) {
        ++at;
        continue;
      }
      addFresh(begin, at, length - kShortest);
      packed_.push_back(static_cast<std::uint8_t>((at - from) & 0xFFU));
      packed_.push_back(static_cast<std::uint8_t>((at - from) >> 8U));
      addRest(length - kShortest);
      at += length;
      begin = at;
    }
    if (begin < bytes_.size()) addFresh(begin, bytes_.size(), 0);
    return std::move(packed_);
  }

 private:
  static constexpr unsigned kHashBits = 12;

  /// The last place at which a repetition of the bytes at `at` may begin, or `at`.
  std::size_t lastPlaceOf(std::size_t at) {
    std::uint32_t word = 0;
    std::memcpy(&word, bytes_.data() + at, sizeof word);
    std::size_t& known = places_[(word * 2654435761U) >> (32U - kHashBits)];
    const std::size_t last = known;
    known = at + 1;
    return last > 0 && at - (last - 1) <= kFarthest ? last - 1 : at;
  }
  std::size_t lengthOfRepetition(std::size_t from, std::size_t at) const {
    std::size_t length = 0;
    while (at + length < bytes_.size() && bytes_[from + length] == bytes_[at + length]) ++length;
    return length;
  }
  /// Adds a token and the bytes that are new; `repeated`: bytes of the next repetition beyond the shortest.
  void addFresh(std::size_t begin, std::size_t end, std::size_t repeated) {
    const std::size_t fresh = end - begin;
    packed_.push_back(
        static_cast<std::uint8_t>(std::min(fresh, kInToken) << 4U | std::min(repeated, kInToken)));
    addRest(fresh);
    for (std::size_t i = begin; i < end; ++i) packed_.push_back(std::to_integer<std::uint8_t>(bytes_[i]));
  }
  /// Adds what a length is more than a token holds.
  void addRest(std::size_t length) {
    if (length < kInToken) return;
    std::size_t rest = length - kInToken;
    for (; rest >= kMostPerByte; rest -= kMostPerByte) packed_.push_back(kMostPerByte);
    packed_.push_back(static_cast<std::uint8_t>(rest));
  }

  std::span<const std::byte> bytes_;
  std::vector<std::uint8_t> packed_;
  std::array<std::size_t, 1U << kHashBits> places_{};  // one more than the last place of each hash
};

class Unpacker {
 public:
  Unpacker(std::span<const std::uint8_t> packed, std::size_t size) : packed_(packed), size_(size) {
    bytes_.reserve(size);
  }

  std::vector<std::byte> run() {
    while (bytes_.size() < size_) {
      const std::uint8_t token = next();
      const std::size_t fresh = wholeLength(token >> 4U);
      if (fresh > packed_.size() || fresh > size_ - bytes_.size()) throwDamaged();
      const std::span<const std::byte> added = std::as_bytes(packed_.first(fresh));
      bytes_.insert(bytes_.end(), added.begin(), added.end());
      packed_ = packed_.subspan(fresh);
      if (bytes_.size() < size_) repeat(token & kInToken);
    }
    if (!packed_.empty()) throwDamaged();
    return std::move(bytes_);
  }

 private:
  std::uint8_t next() {
    if (packed_.empty()) throwDamaged();
    const std::uint8_t value = packed_.front();
    packed_ = packed_.subspan(1);
    return value;
  }
  std::size_t wholeLength(std::size_t inToken) {
    if (inToken < kInToken) return inToken;
    std::size_t length = kInToken;
    for (std::uint8_t more = kMostPerByte; more == kMostPerByte; length += more) more = next();
    return length;
  }
  void repeat(std::size_t inToken) {
    const std::size_t low = next(), back = low | next() << 8U, length = kShortest + wholeLength(inToken);
    if (back == 0 || back > bytes_.size() || length > size_ - bytes_.size()) throwDamaged();
    // What is repeated may reach into the repetition: a run of zeros repeats the zero before it.
    for (std::size_t i = 0; i < length; ++i) bytes_.push_back(bytes_[bytes_.size() - back]);
  }

  std::span<const std::uint8_t> packed_;
  std::size_t size_;
  std::vector<std::byte> bytes_;
};

}  // namespace

std::vector<std::uint8_t> packBytes(std::span<const std::byte> bytes) { return Packer(bytes).run(); }

std::vector<std::byte> unpackBytes(std::span<const std::uint8_t> packed) {
  if (packed.size() < kHead || !std::ranges::equal(packed.first(kMark.size()), kMark)) {
    const std::span<const std::byte> unpacked = std::as_bytes(packed);
    return {unpacked.begin(), unpacked.end()};
  }
  std::uint64_t size = 0;
  std::memcpy(&size, packed.data() + kMark.size(), sizeof size);
  // A size that cannot be true is refused before memory is taken for it.
  if (size / kMostPerByte > packed.size()) throwDamaged();
  return Unpacker(packed.subspan(kHead), size).run();
}

}  // namespace ricochet
