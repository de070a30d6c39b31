#pragma once

#include "io/hdf5/hdf5.hpp"

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace ricochet {

/// The arrays of a page, one after the other in one block of bytes. Each function appends an array and
/// returns the JSON that gives its position to the page: {"at": bytes from the start, "n": count, "type":
/// "f4"}. Numbers are little-endian.
class PageData {
 public:
  /// Appends numbers as float32, or as float64 where float32 would show steps: values that vary by less than
  /// a thousandth of their size, or that float32 cannot hold.
  std::string appendReals(std::span<const double> values);
  std::string appendDoubles(std::span<const double> values);  ///< as float64
  std::string appendIntegers(std::span<const std::int32_t> values);
  std::string appendBytes(std::span<const std::int8_t> values);

  std::size_t size() const noexcept { return block_.size(); }
  std::string base64() const;

 private:
  template <class T>
  std::string appendTypedBlock(std::span<const T> values, const char* type);

  std::vector<unsigned char> block_;
};

/// A group of a result as JSON: its attributes, its datasets with unit, meaning, shape and values, and its
/// subgroups in the same form. Datasets with more than `most` values are listed without values.
std::string groupAsJson(const H5File& file, const std::string& group, PageData& data, std::size_t most);

/// The attributes of a group as JSON.
std::string attributesAsJson(const H5File& file, const std::string& group);

}  // namespace ricochet
