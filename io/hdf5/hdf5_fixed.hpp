#pragma once

#include "io/hdf5/hdf5.hpp"
#include "io/hdf5/hdf5_growing.hpp"

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace ricochet {

/// A dataset of fixed size that is filled by rows in any order. Its place in the file is taken when it is
/// made, so that writing to it changes nothing else in the file.
class FixedDataset {
 public:
  /// `fill`: what rows hold that have not been written.
  static FixedDataset createNumbers(const H5File& file, std::string_view path, const H5Shape& shape,
                                    const Meaning& meaning, double fill = 0.0);
  static FixedDataset createBytes(const H5File& file, std::string_view path, const H5Shape& shape,
                                  const Meaning& meaning);  ///< 8 bits, unsigned
  /// An HDF5 enumeration over 8-bit integers; all values are 0 at first.
  static FixedDataset createNamed(const H5File& file, std::string_view path, const H5Shape& shape,
                                  const Meaning& meaning, const ValueNames& names);

  /// One that exists, to go on with it; it has to have this shape.
  static FixedDataset open(const H5File& file, std::string_view path, const H5Shape& expected);

  /// Writes rows first to first + count - 1 of the first dimension.
  void write(std::size_t first, std::size_t count, const double* values);
  void write(std::size_t first, std::size_t count, const std::uint8_t* values);
  void write(std::size_t first, std::size_t count, const std::int8_t* values);

 private:
  FixedDataset(std::string path, H5Id dataset);
  static FixedDataset create(const H5File& file, std::string_view path, const H5Shape& shape,
                             const Meaning& meaning, H5Id::Handle type, double fill = 0.0);
  void writeAs(H5Id::Handle type, std::size_t first, std::size_t count, const void* values);

  std::string path_;
  H5Id dataset_;
  H5Id type_;
  H5Shape shape_;
};

}  // namespace ricochet
