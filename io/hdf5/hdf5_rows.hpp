#pragma once

#include "io/hdf5/hdf5.hpp"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace ricochet {

/// Names of the values of a dataset: {"open", 0}, {"stick", 1}, {"slip", 2}. Values from -128 to 127. They
/// make an HDF5 enumeration over 8-bit integers, which h5py, MATLAB and h5dump show by name.
using ValueNames = std::vector<std::pair<std::string, std::int8_t>>;

/// HDF5 enumeration of named values.
H5Id enumerationOfNames(const ValueNames& names, const std::string& label);

/// A dataset written in blocks of rows. The element type must match the dataset (int8: named values).
class RowDataset {
 public:
  const std::string& path() const noexcept { return path_; }
  std::size_t rows() const noexcept { return shape_.front(); }
  std::size_t rowSize() const noexcept { return rowSize_; }  ///< values per row

 protected:
  enum class Element { number, byte, named, string };

  RowDataset(std::string path, H5Id dataset);
  void writeRows(Element element, std::size_t first, std::size_t count, const void* values);
  void requireElementType(Element element) const;
  void setRowCount(std::size_t rows);
  std::size_t bytesPerString() const;

 private:
  std::string path_;
  H5Id dataset_;
  H5Id type_;  // type of the values in the file
  H5Shape shape_;
  std::size_t rowSize_{1};
};

/// A dataset of fixed size whose rows are written in any order. Its space is allocated at creation, so that
/// writing changes nothing else in the file.
class FixedDataset : public RowDataset {
 public:
  /// Creates a dataset of numbers. `fill`: value of the rows that have not been written.
  static FixedDataset createNumbers(const H5File& file, std::string_view path, const H5Shape& shape,
                                    const Meaning& meaning, double fill = 0.0);
  static FixedDataset createBytes(const H5File& file, std::string_view path, const H5Shape& shape,
                                  const Meaning& meaning);  ///< 8-bit unsigned integers
  /// Creates a dataset of named values, all 0 at first.
  static FixedDataset createNamedCodes(const H5File& file, std::string_view path, const H5Shape& shape,
                                       const Meaning& meaning, const ValueNames& names);

  /// Opens an existing dataset, which must have this shape.
  static FixedDataset open(const H5File& file, std::string_view path, const H5Shape& expected);

  /// Writes rows first to first + count - 1 of the first dimension.
  void write(std::size_t first, std::size_t count, const double* values) {
    writeRows(Element::number, first, count, values);
  }
  void write(std::size_t first, std::size_t count, const std::uint8_t* values) {
    writeRows(Element::byte, first, count, values);
  }
  void write(std::size_t first, std::size_t count, const std::int8_t* values) {
    writeRows(Element::named, first, count, values);
  }

 private:
  using RowDataset::RowDataset;
  static FixedDataset create(const H5File& file, std::string_view path, const H5Shape& shape,
                             const Meaning& meaning, H5Id::Handle type, double fill = 0.0);
};

/// Options of a growing dataset.
struct GrowingOptions {
  H5Shape rowShape{};           ///< {} for a dataset (T), {m} for (T, m), {n, c} for (T, n, c)
  std::size_t expectedRows{0};  ///< expected number of rows, which limits the chunk size; 0: unknown
  /// The number of all rows, if it is known: the dataset has this size, takes no more space than its values
  /// where these are few, and does not grow.
  std::optional<std::size_t> rows{};
};

/// A dataset whose first dimension grows. Each chunk holds whole rows: about 400 kB, at least one row and at
/// most 1024. An `append` costs some microseconds: append blocks of rows. With `GrowingOptions::rows` it is a
/// dataset of fixed size, to which the same functions append.
class GrowingDataset : public RowDataset {
 public:
  static GrowingDataset createNumbers(const H5File& file, std::string_view path, const Meaning& meaning,
                                      const GrowingOptions& options = {});
  static GrowingDataset createNamedCodes(const H5File& file, std::string_view path, const Meaning& meaning,
                                         const ValueNames& names, const GrowingOptions& options = {});
  /// Creates a dataset of strings of at most `length` bytes.
  static GrowingDataset createStrings(const H5File& file, std::string_view path, const Meaning& meaning,
                                      std::size_t length, const GrowingOptions& options = {});

  /// Opens an existing dataset whose rows must have this shape.
  static GrowingDataset open(const H5File& file, std::string_view path, const H5Shape& rowShape = {});

  /// Appends rows.
  void append(const double* values, std::size_t rows) { appendRows(Element::number, values, rows); }
  void append(const std::int8_t* values, std::size_t rows) { appendRows(Element::named, values, rows); }
  void append(std::span<const std::string> values);

  /// Deletes all rows after the first `rows`.
  void truncate(std::size_t rows);

 private:
  friend class History;
  using RowDataset::RowDataset;
  static GrowingDataset create(const H5File& file, std::string_view path, const Meaning& meaning,
                               const GrowingOptions& options, H5Id::Handle type,
                               const std::function<void(const H5Id&)>& describe = {});
  void appendRows(Element element, const void* values, std::size_t rows);

  std::optional<std::size_t> unwritten_{};  // rows of a dataset of fixed size that have no values yet
};

}  // namespace ricochet
