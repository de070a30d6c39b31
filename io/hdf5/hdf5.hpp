#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <limits>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace ricochet {

/// A result file cannot be written or read. what() ends with the innermost reason of HDF5.
class ResultError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// Another program is writing the file.
class FileInUse : public ResultError {
 public:
  using ResultError::ResultError;
};

/// Lock of a file opened with a journal: other programs cannot write the file during the lifetime of this
/// object, even after the file is closed. Used when a file is renamed after closing.
class FileLock {
 public:
  FileLock() = default;
  explicit FileLock(int descriptor) noexcept : descriptor_(descriptor) {}
  FileLock(FileLock&& other) noexcept : descriptor_(std::exchange(other.descriptor_, -1)) {}
  FileLock& operator=(FileLock&& other) noexcept {
    std::swap(descriptor_, other.descriptor_);
    return *this;
  }
  FileLock(const FileLock&) = delete;
  FileLock& operator=(const FileLock&) = delete;
  ~FileLock();

 private:
  int descriptor_{-1};
};

/// An identifier of the HDF5 library (hid_t), closed once by the matching function.
class H5Id {
 public:
  using Handle = std::int64_t;
  using Closer = int (*)(Handle);

  H5Id() = default;
  H5Id(Handle handle, Closer closer) noexcept : handle_(handle), closer_(closer) {}
  H5Id(H5Id&& other) noexcept
      : handle_(std::exchange(other.handle_, kNone)), closer_(std::exchange(other.closer_, nullptr)) {}
  H5Id& operator=(H5Id&& other) noexcept {
    std::swap(handle_, other.handle_);
    std::swap(closer_, other.closer_);
    return *this;
  }
  H5Id(const H5Id&) = delete;
  H5Id& operator=(const H5Id&) = delete;
  ~H5Id() {
    if (handle_ >= 0) closer_(handle_);
  }

  Handle get() const noexcept { return handle_; }
  explicit operator bool() const noexcept { return handle_ >= 0; }

  /// Closes the identifier; returns false on failure, which the destructor cannot report.
  bool close() noexcept { return handle_ < 0 || closer_(std::exchange(handle_, kNone)) >= 0; }

 private:
  static constexpr Handle kNone = -1;

  Handle handle_{kNone};
  Closer closer_{nullptr};
};

/// Attributes of every dataset: `units` ("1" if it has none) and `long_name`.
struct Meaning {
  std::string units;
  std::string longName;
};

using H5Shape = std::vector<std::size_t>;  ///< rank 0 (a single value) to 3

/// Marks an extent of an expected shape that may have any value.
inline constexpr std::size_t kAny = std::numeric_limits<std::size_t>::max();

template <class T>
struct H5Array {
  H5Shape shape;
  std::vector<T> values;  ///< values, the last index varies fastest
};

/// Types of the numbers in a dataset.
template <class T>
concept H5Number = std::same_as<T, double> || std::same_as<T, std::int32_t> ||
    std::same_as<T, std::int64_t> || std::same_as<T, std::uint8_t> || std::same_as<T, std::int8_t>;

enum class Existing { refuse, replace };
enum class Access { read, readWrite };
/// Whether a file is valid at every instant, even during a flush (hdf5_journal.hpp). `keep`: a journal
/// FILE.journal exists while the file is open for writing, and no other program can open the file for
/// writing.
enum class Journal { none, keep };
/// Whether equal types of datasets and attributes are stored once in the file (shared object header messages
/// of HDF5): less space where datasets are numerous, a little more time for each.
enum class Types { repeat, share };

/// An HDF5 file. Objects have a path from the root ("/contacts/sole/gap"); parent groups are created when
/// needed. Errors throw ResultError. Not thread-safe.
///
/// A writer that is killed leaves a file that can be opened and contains all flushed data: metadata stay in
/// memory between flushes, and the format is the old one without an "open for writing" mark, which would
/// block later readers. If the writer is killed during a flush, only a file with a journal can certainly be
/// opened: it then has the state of the last `flush`, which a reader sees without writing to the file.
///
/// All data that are read lie in the file itself: links and values that lead to other files are refused. A
/// dataset must have the shape that its reader expects and a type whose values the reader can represent, and
/// must not need more memory than the file size (64 times the size of compressed data); otherwise the dataset
/// is refused before any of its data are read.
///
/// Every value has a checksum: Fletcher-32 in chunks, and lookup3 in the headers of HDF5, which contain small
/// datasets. Readable by HDF5 1.10 and later.
class H5File {
 public:
  static H5File create(const std::filesystem::path& path, Existing existing = Existing::refuse,
                       Journal journal = Journal::none, Types types = Types::repeat);
  static H5File open(const std::filesystem::path& path, Access access = Access::read,
                     Journal journal = Journal::none);

  const std::string& name() const noexcept { return name_; }
  const H5Id& id() const noexcept { return id_; }

  /// Enables checksums in the chunks of datasets created from now on (default: enabled).
  void enableChecksums(bool on) noexcept { checksums_ = on; }
  bool areChecksumsEnabled() const noexcept { return checksums_; }

  void flush() const;
  /// With a journal: the lock of this file, which stays valid after `close`. Without a journal: no lock.
  FileLock lock() const;
  /// Flushes, closes and reports errors (a full disk); the destructor does not report errors. The file stays
  /// open as long as one of its GrowingDatasets exists.
  void close();

  // ---- groups and links ----

  bool exists(std::string_view path) const;
  bool isDataset(std::string_view path) const;
  /// Address of an object, equal for all paths of the object.
  std::uint64_t addressOfObject(std::string_view path) const;
  std::vector<std::string> attributes(std::string_view object) const;
  std::vector<std::string> namesOfGroupMembers(std::string_view group) const;
  void createGroup(std::string_view path) const;
  /// Creates a group whose header has room for so many bytes (at most 60 000) of links and attributes: what
  /// needs more lies in further parts of the header, which take some bytes each.
  void createGroup(std::string_view path, std::size_t roomBytes) const;
  void remove(std::string_view path) const;
  /// Adds another path to an object.
  void linkObject(std::string_view path, std::string_view object) const;

  // ---- attributes of a group or dataset; an attribute that exists is replaced ----

  void setAttribute(std::string_view object, std::string_view name, std::string_view value) const;
  void setAttribute(std::string_view object, std::string_view name, double value) const;
  template <std::integral T>
  void setAttribute(std::string_view object, std::string_view name, T value) const {
    setIntegerAttribute(object, name, static_cast<std::int64_t>(value));
  }
  void setAttribute(std::string_view object, std::string_view name, std::span<const double> values) const;
  void setAttribute(std::string_view object, std::string_view name,
                    std::span<const std::int64_t> values) const;
  void setAttribute(std::string_view object, std::string_view name,
                    std::span<const std::string> values) const;

  void removeAttribute(std::string_view object, std::string_view name) const;
  bool hasAttribute(std::string_view object, std::string_view name) const;
  std::string stringAttribute(std::string_view object, std::string_view name) const;
  std::vector<std::string> stringsAttribute(std::string_view object, std::string_view name) const;
  double numberAttribute(std::string_view object, std::string_view name) const;
  std::int64_t integerAttribute(std::string_view object, std::string_view name) const;
  std::vector<double> numbersAttribute(std::string_view object, std::string_view name) const;
  /// True if the attribute contains strings.
  bool isTextAttribute(std::string_view object, std::string_view name) const;

  // Datasets of fixed size: an existing dataset must have the same shape and keeps its meaning; its values
  // are overwritten in place (not safe if the program is killed meanwhile).

  template <H5Number T>
  void write(std::string_view path, const H5Shape& shape, std::span<const T> values,
             const Meaning& meaning) const;
  template <H5Number T>
  void write(std::string_view path, const H5Shape& shape, const std::vector<T>& values,
             const Meaning& meaning) const {
    write(path, shape, std::span<const T>(values), meaning);
  }
  void writeStrings(std::string_view path, const std::vector<std::string>& values,
                    const Meaning& meaning) const;
  /// Writes a dataset with a single string.
  void writeText(std::string_view path, std::string_view text, const Meaning& meaning) const;

  // Reading: numbers are converted to T, which must represent all values of the type of the dataset.

  H5Shape shape(std::string_view dataset) const;
  /// True if the number of rows of the dataset is unlimited.
  bool isGrowingDataset(std::string_view dataset) const;
  enum class Holds { reals, integers, strings, other };
  Holds holds(std::string_view dataset) const;
  /// Number of rows of a dataset whose rows have the shape `row`.
  std::size_t rows(std::string_view dataset, const H5Shape& row = {}) const;
  /// Reads a whole dataset of the shape `expected`, which may contain kAny.
  template <H5Number T = double>
  H5Array<T> read(std::string_view dataset, const H5Shape& expected) const;
  /// Reads a whole dataset of any shape.
  template <H5Number T = double>
  H5Array<T> readAny(std::string_view dataset) const;
  /// Reads rows first to first + count - 1 of a dataset whose rows have the shape `row`.
  template <H5Number T = double>
  H5Array<T> readRows(std::string_view dataset, std::size_t first, std::size_t count,
                      const H5Shape& row = {}) const;
  /// Reads the value number `offset` of each row; the dataset must have `rows` rows of the shape `row`.
  std::vector<double> readColumn(std::string_view dataset, std::size_t rows, const H5Shape& row,
                                 std::size_t offset) const;
  /// Reads a dataset of strings with one dimension: all strings, or the given ones.
  std::vector<std::string> readStrings(std::string_view dataset) const;
  std::vector<std::string> readStrings(std::string_view dataset, std::size_t first, std::size_t count) const;
  std::string readText(std::string_view dataset) const;
  Meaning meaning(std::string_view dataset) const;
  /// Names and values of the enumeration of a dataset, in the order of definition; empty for other types.
  std::vector<std::pair<std::string, std::int64_t>> valueNames(std::string_view dataset) const;

  // ---- dimension scales: labelled axes ----

  /// Makes a 1-D dataset an axis (dimension scale) named `axisName`.
  void makeDatasetScale(std::string_view dataset, std::string_view axisName) const;
  void attachScale(std::string_view dataset, std::string_view scale, unsigned dimension) const;
  bool isScaleAttached(std::string_view dataset, std::string_view scale, unsigned dimension) const;

 private:
  H5File(std::string name, H5Id id, Journal journal)
      : name_(std::move(name)), id_(std::move(id)), journal_(journal) {}
  template <H5Number T>
  H5Array<T> readChecked(std::string_view dataset, const H5Shape* expected) const;
  void setIntegerAttribute(std::string_view object, std::string_view name, std::int64_t value) const;

  std::string name_;
  H5Id id_;
  Journal journal_;
  bool checksums_{true};
};

}  // namespace ricochet
