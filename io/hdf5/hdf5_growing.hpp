#pragma once

#include "io/hdf5/hdf5.hpp"

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace ricochet {

/// What a growing dataset is made of.
struct GrowingOptions {
  H5Shape rowShape{};           ///< {} for (T), {m} for (T, m), {n, c} for (T, n, c)
  std::size_t expectedRows{0};  ///< chunks are no longer than that; 0: unknown
};

/// Names of the values of a dataset: {"open", 0}, {"stick", 1}, {"slip", 2}. Values from -128 to 127.
using ValueNames = std::vector<std::pair<std::string, std::int8_t>>;

/// A dataset whose first dimension grows. Each chunk holds whole rows: about 400 KB of them, at least one
/// and at most 1024. An `append` costs some microseconds, so append blocks of rows.
class GrowingDataset {
 public:
  static GrowingDataset createNumbers(const H5File& file, std::string_view path, const Meaning& meaning,
                                      const GrowingOptions& options = {});
  static GrowingDataset createIntegers(const H5File& file, std::string_view path, const Meaning& meaning,
                                       const GrowingOptions& options = {});  ///< 32 bits
  static GrowingDataset createLongIntegers(const H5File& file, std::string_view path, const Meaning& meaning,
                                           const GrowingOptions& options = {});  ///< 64 bits
  /// An HDF5 enumeration over 8-bit integers, which h5py, MATLAB and h5dump show by name.
  static GrowingDataset createNamed(const H5File& file, std::string_view path, const Meaning& meaning,
                                    const ValueNames& names, const GrowingOptions& options = {});
  /// Strings of at most `length` bytes.
  static GrowingDataset createStrings(const H5File& file, std::string_view path, const Meaning& meaning,
                                      std::size_t length, std::size_t expectedRows = 0);

  /// One that exists, to go on with it; its rows have to have this shape.
  static GrowingDataset open(const H5File& file, std::string_view path, const H5Shape& rowShape = {});

  const std::string& path() const noexcept { return path_; }
  std::size_t rows() const noexcept { return rows_; }
  std::size_t rowSize() const noexcept { return rowSize_; }  ///< values per row

  /// Appends rows; the type must be that of the dataset (int8 for named values).
  void append(const double* values, std::size_t rows);
  void append(const std::int32_t* values, std::size_t rows);
  void append(const std::int64_t* values, std::size_t rows);
  void append(const std::int8_t* values, std::size_t rows);
  void append(std::span<const std::string> values);

  /// Forgets all rows after the first `rows`.
  void truncate(std::size_t rows);

 private:
  enum class Element { number, integer, longInteger, named, string };

  GrowingDataset(std::string path, H5Id dataset);
  static GrowingDataset create(const H5File& file, std::string_view path, const Meaning& meaning,
                               const GrowingOptions& options, const H5Id& type);
  void appendAs(Element element, H5Id::Handle memoryType, const void* values, std::size_t rows);
  void setRows(std::size_t rows);

  std::string path_;
  H5Id dataset_;
  H5Id type_;  // of the values in the file
  Element element_{Element::number};
  H5Shape rowShape_;
  std::size_t rows_{0};
  std::size_t rowSize_{1};
};

}  // namespace ricochet
