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

/// A result file cannot be written or read. what() ends with HDF5's own innermost reason.
class ResultError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// Another program is writing the file.
class FileInUse : public ResultError {
 public:
  using ResultError::ResultError;
};

/// The lock of a file that was opened with a journal: others are kept out as long as it lives, whether the
/// file is open or not. Needed where a file is closed and then gets its name.
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

/// An identifier of the HDF5 library (its hid_t), closed once by the function that suits it.
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

  /// Closes now and tells whether that failed, which the destructor cannot.
  bool close() noexcept { return handle_ < 0 || closer_(std::exchange(handle_, kNone)) >= 0; }

 private:
  static constexpr Handle kNone = -1;

  Handle handle_{kNone};
  Closer closer_{nullptr};
};

/// What every dataset says of itself: `units` ("1" if it has none) and `long_name`.
struct Meaning {
  std::string units;
  std::string longName;
};

using H5Shape = std::vector<std::size_t>;  ///< rank 0 (a single value) to 3

/// An extent of an expected shape that the file decides.
inline constexpr std::size_t kAny = std::numeric_limits<std::size_t>::max();

template <class T>
struct H5Array {
  H5Shape shape;
  std::vector<T> values;  ///< last index fastest
};

/// What a dataset can hold besides strings.
template <class T>
concept H5Number = std::same_as<T, double> || std::same_as<T, std::int32_t> ||
    std::same_as<T, std::int64_t> || std::same_as<T, std::uint8_t> || std::same_as<T, std::int8_t>;

enum class Existing { refuse, replace };
enum class Access { read, readWrite };
/// Whether a file is whole at every instant, even in the middle of a flush (hdf5_journal.hpp). `keep`: a file
/// FILE.journal lies beside it while it is open for writing, and nobody else can open it for writing.
enum class Journal { none, keep };

/// An HDF5 file. Objects are named by their path from the root ("/contacts/sole/gap"); groups on the way
/// are made when needed. Failures throw ResultError. One thread at a time.
///
/// A writer that is killed leaves a file that opens and holds all that was flushed: metadata stays in
/// memory between flushes, and the format is the old one, which has no "open for writing" mark that would
/// lock the next reader out. Killed in the middle of a flush, only one with a journal surely opens: who opens
/// it finds what it was at the last `flush`, a reader without writing to it.
///
/// What is read lies in the file itself: links and values that lead to other files are refused. It has the
/// shape that its reader expects, a type that holds every value of it, and takes no more memory than the file
/// (64 times what is compressed there): a file that says otherwise is refused before any of it is read.
///
/// Every value has a checksum: Fletcher-32 in chunks, and the lookup3 of HDF5's own headers, which hold what
/// is small. HDF5 1.10 and later read it.
class H5File {
 public:
  static H5File create(const std::filesystem::path& path, Existing existing = Existing::refuse,
                       Journal journal = Journal::none);
  static H5File open(const std::filesystem::path& path, Access access = Access::read,
                     Journal journal = Journal::none);

  const std::string& name() const noexcept { return name_; }
  const H5Id& id() const noexcept { return id_; }

  /// Whether the chunks of datasets that are made from now on have checksums; they do unless told otherwise.
  void writeChecksums(bool on) noexcept { checksums_ = on; }
  bool writesChecksums() const noexcept { return checksums_; }

  void flush() const;
  /// With a journal: keeps others out until it is gone, also beyond `close`. Without one it is no lock.
  FileLock lock() const;
  /// Flushes, closes and reports failures (a full disk); the destructor closes in silence.
  /// The file stays open as long as a GrowingDataset of it lives.
  void close();

  // groups and links

  bool exists(std::string_view path) const;
  bool isDataset(std::string_view path) const;
  /// What tells an object that has several paths from others.
  std::uint64_t addressOf(std::string_view path) const;
  std::vector<std::string> attributes(std::string_view object) const;
  std::vector<std::string> members(std::string_view group) const;
  void createGroup(std::string_view path) const;
  void remove(std::string_view path) const;
  /// Gives an object one more path.
  void link(std::string_view path, std::string_view object) const;

  // attributes of a group or dataset; an attribute that exists is replaced

  void setAttribute(std::string_view object, std::string_view name, std::string_view value) const;
  void setAttribute(std::string_view object, std::string_view name, double value) const;
  template <std::integral T>
  void setAttribute(std::string_view object, std::string_view name, T value) const {
    setInteger(object, name, static_cast<std::int64_t>(value));
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
  /// Whether it holds strings.
  bool isText(std::string_view object, std::string_view name) const;

  // datasets of fixed size; one that exists must have the same shape, keeps its meaning, and its values
  // are overwritten in place (not safe against being killed meanwhile)

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
  /// A dataset of one string.
  void writeText(std::string_view path, std::string_view text, const Meaning& meaning) const;

  // reading; numbers are converted to T, which must hold all that the dataset can

  H5Shape shape(std::string_view dataset) const;
  /// Whether there is no end to its rows.
  bool grows(std::string_view dataset) const;
  enum class Holds { reals, integers, strings, other };
  Holds holds(std::string_view dataset) const;
  /// The number of rows of a dataset whose rows have the shape `row`.
  std::size_t rows(std::string_view dataset, const H5Shape& row = {}) const;
  /// A whole dataset of the shape `expected`, which may hold kAny.
  template <H5Number T = double>
  H5Array<T> read(std::string_view dataset, const H5Shape& expected) const;
  /// The same of any shape: for who looks at whatever is there.
  template <H5Number T = double>
  H5Array<T> readAny(std::string_view dataset) const;
  /// Rows first to first + count - 1 of a dataset whose rows have the shape `row`.
  template <H5Number T = double>
  H5Array<T> readRows(std::string_view dataset, std::size_t first, std::size_t count,
                      const H5Shape& row = {}) const;
  /// Value `offset` of each of the rows of a dataset that has this number of them, of the shape `row`.
  std::vector<double> readColumn(std::string_view dataset, std::size_t rows, const H5Shape& row,
                                 std::size_t offset) const;
  /// Of a dataset with one dimension, all or those asked for.
  std::vector<std::string> readStrings(std::string_view dataset) const;
  std::vector<std::string> readStrings(std::string_view dataset, std::size_t first, std::size_t count) const;
  std::string readText(std::string_view dataset) const;
  Meaning meaning(std::string_view dataset) const;
  /// Names and values of a dataset whose values are named, in the order of definition; else empty.
  std::vector<std::pair<std::string, std::int64_t>> valueNames(std::string_view dataset) const;

  // dimension scales: labelled axes

  /// Makes a 1-D dataset the axis called `axisName`.
  void makeScale(std::string_view dataset, std::string_view axisName) const;
  void attachScale(std::string_view dataset, std::string_view scale, unsigned dimension) const;
  bool isScaleAttached(std::string_view dataset, std::string_view scale, unsigned dimension) const;

 private:
  H5File(std::string name, H5Id id, Journal journal)
      : name_(std::move(name)), id_(std::move(id)), journal_(journal) {}
  template <H5Number T>
  H5Array<T> readChecked(std::string_view dataset, const H5Shape* expected) const;
  void setInteger(std::string_view object, std::string_view name, std::int64_t value) const;

  std::string name_;
  H5Id id_;
  Journal journal_;
  bool checksums_{true};
};

}  // namespace ricochet
