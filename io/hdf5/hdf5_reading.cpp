// Reads datasets of the shape and type that the caller expects.

#include "io/hdf5/hdf5.hpp"
#include "io/hdf5/hdf5_detail.hpp"

#include <hdf5.h>

#include <algorithm>
#include <limits>

namespace ricochet {
namespace {

/// Throws unless the file contains enough data for the values of a dataset.
void requireStoredValues(const H5Id& dataset, const H5Id& type, const H5Shape& shape,
                         const std::string& label) {
  constexpr std::size_t kMostCompressed = 64;
  const H5Id properties(checkHdf5Result(H5Dget_create_plist(dataset.get()), label, "read"), H5Pclose);
  std::size_t ratio = 1;
  for (int i = 0, count = checkHdf5Result(H5Pget_nfilters(properties.get()), label, "read"); i < count; ++i) {
    unsigned flags = 0, options = 0;
    std::size_t values = 0;
    const H5Z_filter_t filter = H5Pget_filter2(properties.get(), static_cast<unsigned>(i), &flags, &values,
                                               nullptr, 0, nullptr, &options);
    if (filter == H5Z_FILTER_DEFLATE)
      ratio = kMostCompressed;
    else if (filter != H5Z_FILTER_FLETCHER32 && filter != H5Z_FILTER_SHUFFLE)
      throw ResultError(label + ": is packed by a filter that is not known here");
  }
  std::size_t needed = elementCountOf(shape);
  if (__builtin_mul_overflow(needed, H5Tget_size(type.get()), &needed) ||
      needed / ratio > H5Dget_storage_size(dataset.get()))
    throw ResultError(label + ": says that it is larger than what the file holds of it: the file is damaged");
}

template <H5Number T>
void requireHolds(const H5Id& type, const std::string& label) {
  H5T_class_t kind = H5Tget_class(type.get());
  const std::size_t size = H5Tget_size(type.get());
  bool hasSign = true;
  if (kind == H5T_INTEGER) hasSign = H5Tget_sign(type.get()) != H5T_SGN_NONE;
  if (kind == H5T_ENUM) kind = H5T_INTEGER;
  const std::size_t digits = kind == H5T_INTEGER ? 8 * size - (hasSign ? 1 : 0) : 0;
  constexpr bool isReal = std::same_as<T, double>;
  const bool fits = kind == H5T_INTEGER
                        ? digits <= static_cast<std::size_t>(std::numeric_limits<T>::digits) &&
                              (!hasSign || std::numeric_limits<T>::is_signed)
                        : kind == H5T_FLOAT && isReal && size <= sizeof(double);
  if (!fits) throw ResultError(label + ": holds values of another type: the file is damaged, or was changed");
}

/// Opens a dataset whose values can be converted to T.
template <H5Number T>
H5Id openDatasetToRead(const H5File& file, std::string_view path, const std::string& label, H5Shape& shape) {
  H5Id opened = openDataset(file, path);
  const H5Id type(checkHdf5Result(H5Dget_type(opened.get()), label, "read"), H5Tclose);
  requireHolds<T>(type, label);
  shape = shapeOfStoredDataset(opened, label);
  requireStoredValues(opened, type, shape, label);
  return opened;
}

std::string noRowsMessage(const std::string& label, std::size_t first, std::size_t count) {
  return label + ": has no rows " + std::to_string(first) + " to " + std::to_string(first + count);
}

template <H5Number T>
std::vector<T> readSelectedValues(const H5Id& dataset, hid_t selected, std::size_t size,
                                  const std::string& label) {
  std::vector<T> values(size);
  if (values.empty()) return values;
  const auto extent = static_cast<hsize_t>(size);
  const H5Id space(checkHdf5Result(H5Screate_simple(1, &extent, nullptr), label, "read"), H5Sclose);
  const hid_t inMemory = selected == H5S_ALL ? H5S_ALL : space.get();
  checkHdf5Result(H5Dread(dataset.get(), memoryType<T>(), inMemory, selected, H5P_DEFAULT, values.data()),
                  label, "read");
  return values;
}

}  // namespace

H5Shape H5File::shape(std::string_view dataset) const {
  return shapeOfStoredDataset(openDataset(*this, dataset), labelOfObject(*this, dataset));
}

bool H5File::isGrowingDataset(std::string_view dataset) const {
  const std::string label = labelOfObject(*this, dataset);
  const H5Id opened = openDataset(*this, dataset);
  const H5Id space(checkHdf5Result(H5Dget_space(opened.get()), label, "read the shape"), H5Sclose);
  std::vector<hsize_t> most(shapeOfStoredDataset(opened, label).size());
  checkHdf5Result(H5Sget_simple_extent_dims(space.get(), nullptr, most.data()), label, "read the shape");
  return !most.empty() && most.front() == H5S_UNLIMITED;
}

H5File::Holds H5File::holds(std::string_view dataset) const {
  const H5Id opened = openDataset(*this, dataset);
  const H5Id type(checkHdf5Result(H5Dget_type(opened.get()), labelOfObject(*this, dataset), "read"),
                  H5Tclose);
  switch (H5Tget_class(type.get())) {
    case H5T_FLOAT:
      return Holds::reals;
    case H5T_INTEGER:
    case H5T_ENUM:
      return Holds::integers;
    case H5T_STRING:
      return Holds::strings;
    default:
      return Holds::other;
  }
}

std::size_t H5File::rows(std::string_view dataset, const H5Shape& row) const {
  const H5Shape found = shape(dataset);
  requireShape(found, shapeOfDatasetWithRows(kAny, row), labelOfObject(*this, dataset));
  return found.front();
}

template <H5Number T>
H5Array<T> H5File::read(std::string_view dataset, const H5Shape& expected) const {
  return readChecked<T>(dataset, &expected);
}

template <H5Number T>
H5Array<T> H5File::readAny(std::string_view dataset) const {
  return readChecked<T>(dataset, nullptr);
}

template <H5Number T>
H5Array<T> H5File::readChecked(std::string_view dataset, const H5Shape* expected) const {
  const std::string label = labelOfObject(*this, dataset);
  H5Array<T> array;
  const H5Id opened = openDatasetToRead<T>(*this, dataset, label, array.shape);
  if (expected != nullptr) requireShape(array.shape, *expected, label);
  array.values = readSelectedValues<T>(opened, H5S_ALL, elementCountOf(array.shape), label);
  return array;
}

template <H5Number T>
H5Array<T> H5File::readRows(std::string_view dataset, std::size_t first, std::size_t count,
                            const H5Shape& row) const {
  const std::string label = labelOfObject(*this, dataset);
  H5Array<T> array;
  const H5Id opened = openDatasetToRead<T>(*this, dataset, label, array.shape);
  requireShape(array.shape, shapeOfDatasetWithRows(kAny, row), label);
  if (first > array.shape[0] || count > array.shape[0] - first)
    throw ResultError(noRowsMessage(label, first, count));
  array.shape[0] = count;
  H5Shape start(array.shape.size(), 0);
  start[0] = first;
  const H5Id space = dataspaceWithSelection(opened, start, array.shape, label, "read");
  array.values = readSelectedValues<T>(opened, space.get(), elementCountOf(array.shape), label);
  return array;
}

std::vector<double> H5File::readColumn(std::string_view dataset, std::size_t rows, const H5Shape& row,
                                       std::size_t offset) const {
  const std::string label = labelOfObject(*this, dataset);
  H5Shape shape;
  const H5Id opened = openDatasetToRead<double>(*this, dataset, label, shape);
  requireShape(shape, shapeOfDatasetWithRows(rows, row), label);
  if (offset >= elementCountOf(row))
    throw ResultError(label + ": has no value " + std::to_string(offset) + " of a row");
  H5Shape start(shape.size(), 0), extent(shape.size(), 1);
  extent[0] = rows;
  for (std::size_t d = shape.size() - 1; d > 0; --d) {
    start[d] = offset % shape[d];
    offset /= shape[d];
  }
  const H5Id space = dataspaceWithSelection(opened, start, extent, label, "read");
  return readSelectedValues<double>(opened, space.get(), rows, label);
}

std::vector<std::string> H5File::readStrings(std::string_view dataset) const {
  return readStrings(dataset, 0, rows(dataset));
}

std::vector<std::string> H5File::readStrings(std::string_view dataset, std::size_t first,
                                             std::size_t count) const {
  const std::string label = labelOfObject(*this, dataset);
  const H5Id opened = openDataset(*this, dataset);
  const H5Id type(checkHdf5Result(H5Dget_type(opened.get()), label, "read"), H5Tclose);
  const std::size_t length = stringLength(type, label);
  const H5Shape shape = shapeOfStoredDataset(opened, label);
  if (shape.size() > 1) requireShape(shape, {kAny}, label);
  requireStoredValues(opened, type, shape, label);
  const std::size_t size = elementCountOf(shape);
  if (first > size || count > size - first) throw ResultError(noRowsMessage(label, first, count));
  if (count == 0) return {};
  std::vector<char> bytes(count * length);
  const H5Id space = shape.empty()
                         ? H5Id(checkHdf5Result(H5Dget_space(opened.get()), label, "read"), H5Sclose)
                         : dataspaceWithSelection(opened, {first}, {count}, label, "read");
  const H5Id block = createDataspace({count}, label);
  checkHdf5Result(H5Dread(opened.get(), type.get(), block.get(), space.get(), H5P_DEFAULT, bytes.data()),
                  label, "read");
  return splitStrings(bytes, length);
}

std::string H5File::readText(std::string_view dataset) const {
  const std::vector<std::string> strings = readStrings(dataset, 0, elementCountOf(shape(dataset)));
  if (strings.size() != 1) throw ResultError(labelOfObject(*this, dataset) + ": is not one string");
  return strings.front();
}

Meaning H5File::meaning(std::string_view dataset) const {
  return {stringAttribute(dataset, "units"), stringAttribute(dataset, "long_name")};
}

std::vector<std::pair<std::string, std::int64_t>> H5File::valueNames(std::string_view dataset) const {
  const std::string label = labelOfObject(*this, dataset);
  const H5Id opened = openDataset(*this, dataset);
  const H5Id type(checkHdf5Result(H5Dget_type(opened.get()), label, "read"), H5Tclose);
  std::vector<std::pair<std::string, std::int64_t>> names;
  if (H5Tget_class(type.get()) != H5T_ENUM) return names;
  const int count = checkHdf5Result(H5Tget_nmembers(type.get()), label, "read the names of its values");
  for (unsigned i = 0; i < static_cast<unsigned>(count); ++i) {
    std::int8_t value = 0;
    checkHdf5Result(H5Tget_member_value(type.get(), i, &value), label, "read the names of its values");
    char* name = H5Tget_member_name(type.get(), i);
    if (name == nullptr) throwResultError(label, "read the names of its values");
    names.emplace_back(name, value);
    H5free_memory(name);
  }
  return names;
}

template H5Array<double> H5File::read<double>(std::string_view, const H5Shape&) const;
template H5Array<double> H5File::readAny<double>(std::string_view) const;
template H5Array<double> H5File::readRows<double>(std::string_view, std::size_t, std::size_t,
                                                  const H5Shape&) const;
template H5Array<std::int32_t> H5File::read<std::int32_t>(std::string_view, const H5Shape&) const;
template H5Array<std::int32_t> H5File::readAny<std::int32_t>(std::string_view) const;
template H5Array<std::int32_t> H5File::readRows<std::int32_t>(std::string_view, std::size_t, std::size_t,
                                                              const H5Shape&) const;
template H5Array<std::int64_t> H5File::read<std::int64_t>(std::string_view, const H5Shape&) const;
template H5Array<std::int64_t> H5File::readAny<std::int64_t>(std::string_view) const;
template H5Array<std::int64_t> H5File::readRows<std::int64_t>(std::string_view, std::size_t, std::size_t,
                                                              const H5Shape&) const;
template H5Array<std::uint8_t> H5File::read<std::uint8_t>(std::string_view, const H5Shape&) const;
template H5Array<std::uint8_t> H5File::readAny<std::uint8_t>(std::string_view) const;
template H5Array<std::uint8_t> H5File::readRows<std::uint8_t>(std::string_view, std::size_t, std::size_t,
                                                              const H5Shape&) const;
template H5Array<std::int8_t> H5File::read<std::int8_t>(std::string_view, const H5Shape&) const;
template H5Array<std::int8_t> H5File::readAny<std::int8_t>(std::string_view) const;
template H5Array<std::int8_t> H5File::readRows<std::int8_t>(std::string_view, std::size_t, std::size_t,
                                                            const H5Shape&) const;

}  // namespace ricochet
