#pragma once

#include "physical/matrix_names.hpp"

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <optional>
#include <span>
#include <stdexcept>
#include <string_view>
#include <type_traits>
#include <vector>

#ifdef __has_builtin
#if __has_builtin(__builtin_clear_padding)
#define RICOCHET_CLEARS_PADDING
#endif
#endif

namespace ricochet {

/// True if equal states give equal checkpoints, byte for byte. Where the compiler cannot set padding bytes to
/// zero, they differ in bytes that no reader looks at.
#ifdef RICOCHET_CLEARS_PADDING
inline constexpr bool kClearsPadding = true;
#else
inline constexpr bool kClearsPadding = false;
#endif

/// Error of a checkpoint that cannot be read: another model or another version of the program wrote the
/// bytes.
class CheckpointError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// A checkpoint contains the state of a run between two steps, bit for bit. Each class that depends on this
/// state lists its members, which determines the order of the bytes:
///
///     template <class Archive>
///     void serialise(Archive& archive) {
///       archive.beginSection("KickDrift");
///       archive(force_);
///     }
///
/// The same list writes and reads, so writer and reader cannot differ. A trivially copyable value is copied
/// as a block of memory (all members of a struct at once); a vector or matrix is preceded by its size; every
/// other type brings its own `serialise`. A class lists the members on which the next step depends. Scratch
/// arrays are not listed, nor values that the model reproduces with the same bits. The reader fills objects
/// that were constructed and started like the objects that were written.
///
/// `beginSection` writes a mark before the members of a class; a reader whose list of classes differs throws
/// at the next mark.
template <class Self>
class CheckpointArchive {
 public:
  template <class... T>
  void operator()(T&... members) {
    (transferMember(members), ...);
  }

  void beginSection(std::string_view name) {
    std::uint32_t mark = 2166136261U;  // hash FNV-1a of the name
    for (const char c : name) mark = (mark ^ static_cast<unsigned char>(c)) * 16777619U;
    archiveAsDerivedClass().transferSectionIdentifier(mark, name);
  }

  /// Writes or reads `count` values of type T that lie contiguously in memory.
  template <class T>
  void transferArray(T* values, std::size_t count) {
    static_assert(std::is_trivially_copyable_v<T> && !std::is_pointer_v<T> && !kListsMembers<T>);
    if (count > 0) archiveAsDerivedClass().transferObjects(values, count);
  }
  template <class T>
  void transferArray(T* values, std::ptrdiff_t count) {
    transferArray(values, static_cast<std::size_t>(count));
  }

 private:
  Self& archiveAsDerivedClass() noexcept { return static_cast<Self&>(*this); }

  // A type with its own `serialise` may contain pointers and is never copied as bytes.
  template <class T>
  static constexpr bool kListsMembers = requires(T value, Self archive) {
    value.serialise(archive);
  };

  template <class T>
  void transferMember(T& value) {
    if constexpr (kListsMembers<T>) {
      value.serialise(archiveAsDerivedClass());
    } else {
      static_assert(std::is_trivially_copyable_v<T> && !std::is_pointer_v<T>, "needs a `serialise`");
      archiveAsDerivedClass().transferObjects(&value, 1);
    }
  }
  template <class T>
  void transferMember(std::optional<T>& value) {
    bool holds = value.has_value();
    transferMember(holds);
    if (!holds) return value.reset();
    if (!value) value.emplace();
    transferMember(*value);
  }
  template <class T>
  void transferMember(std::vector<T>& values) {
    std::uint64_t count = values.size();
    transferMember(count);
    if (count != values.size()) archiveAsDerivedClass().resizeContainerWhenReading(values, count);
    if constexpr (std::is_trivially_copyable_v<T> && !kListsMembers<T>)
      transferArray(values.data(), values.size());
    else
      for (T& each : values) transferMember(each);
  }
  template <int Rows, int Columns, int Options>
  void transferMember(Eigen::Matrix<double, Rows, Columns, Options, Rows, Columns>& values) {
    std::int64_t rows = values.rows();
    std::int64_t columns = values.cols();
    (*this)(rows, columns);
    archiveAsDerivedClass().requireValidWhenReading(rows == values.rows() && columns == values.cols());
    transferArray(values.data(), values.size());
  }
};

class CheckpointWriter : public CheckpointArchive<CheckpointWriter> {
 public:
  static constexpr bool kReads = false;

  /// A writer that appends all bytes to `target`.
  explicit CheckpointWriter(std::vector<std::byte>& target) : target_(target) {}

  void transferBytes(const void* data, std::size_t size) {
    const std::size_t before = target_.size();
    target_.resize(before + size);
    std::memcpy(target_.data() + before, data, size);
  }
  /// Writes values whose padding bytes are set to zero: equal structs give equal bytes (see kClearsPadding).
  template <class T>
  void transferObjects(const T* values, std::size_t count) {
#ifdef RICOCHET_CLEARS_PADDING
    if constexpr (std::is_class_v<T>) {
      for (std::size_t i = 0; i < count; ++i) {
        T copy = values[i];
        __builtin_clear_padding(&copy);
        transferBytes(&copy, sizeof(T));
      }
      return;
    }
#endif
    transferBytes(values, count * sizeof(T));
  }
  void transferSectionIdentifier(std::uint32_t mark, std::string_view /*name*/) {
    transferBytes(&mark, sizeof mark);
  }
  void requireValidWhenReading(bool) noexcept {}
  template <class T>
  void resizeContainerWhenReading(std::vector<T>&, std::uint64_t) noexcept {}

 private:
  std::vector<std::byte>& target_;
};

/// Replaces the contents of `bytes` by the checkpoint that `serialise` writes.
template <class Serialise>
std::span<const std::byte> writeCheckpointTo(std::vector<std::byte>& bytes, Serialise&& serialise) {
  bytes.clear();
  CheckpointWriter writer(bytes);
  serialise(writer);
  return bytes;
}

class CheckpointReader : public CheckpointArchive<CheckpointReader> {
 public:
  static constexpr bool kReads = true;

  explicit CheckpointReader(std::span<const std::byte> source) : source_(source) {}

  void transferBytes(void* data, std::size_t size) {
    requireValidWhenReading(size <= source_.size());
    std::memcpy(data, source_.data(), size);
    source_ = source_.subspan(size);
  }
  template <class T>
  void transferObjects(T* values, std::size_t count) {
    transferBytes(values, count * sizeof(T));
  }
  void transferSectionIdentifier(std::uint32_t mark, std::string_view /*name*/) {
    std::uint32_t found = 0;
    transferBytes(&found, sizeof found);
    requireValidWhenReading(found == mark);
  }
  void requireValidWhenReading(bool holds) {
    if (!holds) throw CheckpointError("the checkpoint is of another model or another version of the program");
  }
  template <class T>
  void resizeContainerWhenReading(std::vector<T>& values, std::uint64_t count) {
    requireValidWhenReading(count <= source_.size());  // an array cannot have more elements than bytes remain
    if constexpr (std::is_default_constructible_v<T>)
      values.resize(count);
    else
      requireValidWhenReading(false);
  }

  /// Bytes that have not been read yet.
  std::span<const std::byte> remainingBytes() const noexcept { return source_; }

 private:
  std::span<const std::byte> source_;
};

}  // namespace ricochet
