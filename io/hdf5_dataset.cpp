#include "io/hdf5.hpp"
#include "io/hdf5_detail.hpp"

#include <hdf5.h>

#include <functional>
#include <numeric>

namespace ricochet {

// types and spaces

template <H5Number T>
H5Id::Handle memoryType() {
  if constexpr (std::same_as<T, double>) return H5T_NATIVE_DOUBLE;
  if constexpr (std::same_as<T, std::int32_t>) return H5T_NATIVE_INT32;
  if constexpr (std::same_as<T, std::int64_t>) return H5T_NATIVE_INT64;
  if constexpr (std::same_as<T, std::uint8_t>) return H5T_NATIVE_UINT8;
  if constexpr (std::same_as<T, std::int8_t>) return H5T_NATIVE_INT8;
}

template <H5Number T>
H5Id::Handle fileType() {
  if constexpr (std::same_as<T, double>) return H5T_IEEE_F64LE;
  if constexpr (std::same_as<T, std::int32_t>) return H5T_STD_I32LE;
  if constexpr (std::same_as<T, std::int64_t>) return H5T_STD_I64LE;
  if constexpr (std::same_as<T, std::uint8_t>) return H5T_STD_U8LE;
  if constexpr (std::same_as<T, std::int8_t>) return H5T_STD_I8LE;
}

H5Id stringType() {
  H5Id type(checkH5(H5Tcopy(H5T_C_S1), "HDF5", "make a string type"), H5Tclose);
  checkH5(H5Tset_size(type.get(), H5T_VARIABLE), "HDF5", "make a string type");
  checkH5(H5Tset_cset(type.get(), H5T_CSET_UTF8), "HDF5", "make a string type");
  return type;
}

H5Id createSpace(const H5Shape& shape, std::string_view object) {
  const std::vector<hsize_t> extent(shape.begin(), shape.end());
  const hid_t space = extent.empty()
                          ? H5Screate(H5S_SCALAR)
                          : H5Screate_simple(static_cast<int>(extent.size()), extent.data(), nullptr);
  return {checkH5(space, object, "shape"), H5Sclose};
}

H5Shape shapeOf(const H5Id& dataset, std::string_view object) {
  const H5Id space(checkH5(H5Dget_space(dataset.get()), object, "read the shape"), H5Sclose);
  const int rank = checkH5(H5Sget_simple_extent_ndims(space.get()), object, "read the shape");
  std::vector<hsize_t> extent(static_cast<std::size_t>(rank));
  checkH5(H5Sget_simple_extent_dims(space.get(), extent.data(), nullptr), object, "read the shape");
  return {extent.begin(), extent.end()};
}

std::size_t sizeOf(const H5Shape& shape) {
  return std::accumulate(shape.begin(), shape.end(), std::size_t{1}, std::multiplies<>());
}

H5Id datasetProperties() {
  H5Id properties(checkH5(H5Pcreate(H5P_DATASET_CREATE), "HDF5", "make dataset properties"), H5Pclose);
  checkH5(H5Pset_obj_track_times(properties.get(), 0), "HDF5", "make dataset properties");
  return properties;
}

std::vector<std::string> takeStrings(const std::vector<char*>& starts) {
  std::vector<std::string> strings;
  strings.reserve(starts.size());
  for (const char* start : starts) strings.emplace_back(start == nullptr ? "" : start);
  for (char* start : starts) H5free_memory(start);
  return strings;
}

namespace {

void writeDataset(const H5File& file, std::string_view path, const H5Shape& shape, hid_t fileType,
                  hid_t memoryType, const void* values, const Meaning& meaning) {
  const std::string label = objectLabel(file, path);
  H5Id dataset;
  if (file.exists(path)) {
    dataset = openDataset(file, path);
    if (shapeOf(dataset, label) != shape) throw ResultError(label + ": exists with another shape");
  } else {
    const H5Id space = createSpace(shape, label);
    const H5Id links = linkProperties();
    const H5Id properties = datasetProperties();
    const hid_t created = H5Dcreate2(file.id().get(), std::string{path}.c_str(), fileType, space.get(),
                                     links.get(), properties.get(), H5P_DEFAULT);
    dataset = H5Id(checkH5(created, label, "create"), H5Dclose);
    setMeaning(file, path, meaning);
  }
  checkH5(H5Dwrite(dataset.get(), memoryType, H5S_ALL, H5S_ALL, H5P_DEFAULT, values), label, "write");
}

void writeStringDataset(const H5File& file, std::string_view path, const H5Shape& shape,
                        const std::vector<const char*>& starts, const Meaning& meaning) {
  const H5Id type = stringType();
  writeDataset(file, path, shape, type.get(), type.get(), starts.data(), meaning);
}

template <H5Number T>
std::vector<T> readSelection(const H5Id& dataset, hid_t selected, std::size_t size,
                             const std::string& label) {
  std::vector<T> values(size);
  if (values.empty()) return values;
  const auto extent = static_cast<hsize_t>(size);
  const H5Id space(checkH5(H5Screate_simple(1, &extent, nullptr), label, "read"), H5Sclose);
  const hid_t inMemory = selected == H5S_ALL ? H5S_ALL : space.get();
  checkH5(H5Dread(dataset.get(), memoryType<T>(), inMemory, selected, H5P_DEFAULT, values.data()), label,
          "read");
  return values;
}

}  // namespace

// writing

template <H5Number T>
void H5File::write(std::string_view path, const H5Shape& shape, std::span<const T> values,
                   const Meaning& meaning) const {
  if (values.size() != sizeOf(shape))
    throw ResultError(objectLabel(*this, path) + ": " + std::to_string(values.size()) +
                      " values for a shape of " + std::to_string(sizeOf(shape)));
  writeDataset(*this, path, shape, fileType<T>(), memoryType<T>(), values.data(), meaning);
}

void H5File::writeStrings(std::string_view path, const std::vector<std::string>& values,
                          const Meaning& meaning) const {
  std::vector<const char*> starts;
  starts.reserve(values.size());
  for (const std::string& value : values) starts.push_back(value.c_str());
  writeStringDataset(*this, path, {values.size()}, starts, meaning);
}

void H5File::writeText(std::string_view path, std::string_view text, const Meaning& meaning) const {
  const std::string copy{text};
  writeStringDataset(*this, path, {}, {copy.c_str()}, meaning);
}

// reading

H5Shape H5File::shape(std::string_view dataset) const {
  return shapeOf(openDataset(*this, dataset), objectLabel(*this, dataset));
}

template <H5Number T>
H5Array<T> H5File::read(std::string_view dataset) const {
  const std::string label = objectLabel(*this, dataset);
  const H5Id opened = openDataset(*this, dataset);
  H5Array<T> array;
  array.shape = shapeOf(opened, label);
  array.values = readSelection<T>(opened, H5S_ALL, sizeOf(array.shape), label);
  return array;
}

template <H5Number T>
H5Array<T> H5File::readRows(std::string_view dataset, std::size_t first, std::size_t count) const {
  const std::string label = objectLabel(*this, dataset);
  const H5Id opened = openDataset(*this, dataset);
  H5Array<T> array;
  array.shape = shapeOf(opened, label);
  if (array.shape.empty() || first > array.shape[0] || count > array.shape[0] - first)
    throw ResultError(label + ": has no rows " + std::to_string(first) + " to " +
                      std::to_string(first + count));
  array.shape[0] = count;
  std::vector<hsize_t> start(array.shape.size(), 0);
  start[0] = first;
  const std::vector<hsize_t> extent(array.shape.begin(), array.shape.end());
  const H5Id space(checkH5(H5Dget_space(opened.get()), label, "read"), H5Sclose);
  checkH5(H5Sselect_hyperslab(space.get(), H5S_SELECT_SET, start.data(), nullptr, extent.data(), nullptr),
          label, "read");
  array.values = readSelection<T>(opened, space.get(), sizeOf(array.shape), label);
  return array;
}

std::vector<std::string> H5File::readStrings(std::string_view dataset) const {
  return readStrings(dataset, 0, sizeOf(shape(dataset)));
}

std::vector<std::string> H5File::readStrings(std::string_view dataset, std::size_t first,
                                             std::size_t count) const {
  const std::string label = objectLabel(*this, dataset);
  const H5Id opened = openDataset(*this, dataset);
  const H5Id type(checkH5(H5Dget_type(opened.get()), label, "read"), H5Tclose);
  if (H5Tis_variable_str(type.get()) <= 0) throw ResultError(label + ": holds no strings");
  const std::size_t size = sizeOf(shapeOf(opened, label));
  if (first > size || count > size - first)
    throw ResultError(label + ": has no rows " + std::to_string(first) + " to " +
                      std::to_string(first + count));
  std::vector<char*> starts(count, nullptr);
  if (starts.empty()) return {};
  const H5Id inMemory = stringType();
  const H5Id space(checkH5(H5Dget_space(opened.get()), label, "read"), H5Sclose);
  const hsize_t start = first, extent = count;
  if (count < size)
    checkH5(H5Sselect_hyperslab(space.get(), H5S_SELECT_SET, &start, nullptr, &extent, nullptr), label,
            "read");
  const H5Id block(checkH5(H5Screate_simple(1, &extent, nullptr), label, "read"), H5Sclose);
  checkH5(H5Dread(opened.get(), inMemory.get(), block.get(), space.get(), H5P_DEFAULT, starts.data()), label,
          "read");
  return takeStrings(starts);
}

std::string H5File::readText(std::string_view dataset) const {
  const std::vector<std::string> strings = readStrings(dataset);
  if (strings.size() != 1) throw ResultError(objectLabel(*this, dataset) + ": is not one string");
  return strings.front();
}

Meaning H5File::meaning(std::string_view dataset) const {
  return {stringAttribute(dataset, "units"), stringAttribute(dataset, "long_name")};
}

std::vector<std::pair<std::string, std::int64_t>> H5File::valueNames(std::string_view dataset) const {
  const std::string label = objectLabel(*this, dataset);
  const H5Id opened = openDataset(*this, dataset);
  const H5Id type(checkH5(H5Dget_type(opened.get()), label, "read"), H5Tclose);
  std::vector<std::pair<std::string, std::int64_t>> names;
  if (H5Tget_class(type.get()) != H5T_ENUM) return names;
  const int count = checkH5(H5Tget_nmembers(type.get()), label, "read the names of its values");
  for (unsigned i = 0; i < static_cast<unsigned>(count); ++i) {
    std::int8_t value = 0;
    checkH5(H5Tget_member_value(type.get(), i, &value), label, "read the names of its values");
    char* name = H5Tget_member_name(type.get(), i);
    if (name == nullptr) throwResultError(label, "read the names of its values");
    names.emplace_back(name, value);
    H5free_memory(name);
  }
  return names;
}

template H5Id::Handle memoryType<double>();
template H5Id::Handle fileType<double>();
template void H5File::write(std::string_view, const H5Shape&, std::span<const double>, const Meaning&) const;
template H5Array<double> H5File::read<double>(std::string_view) const;
template H5Array<double> H5File::readRows<double>(std::string_view, std::size_t, std::size_t) const;
template H5Id::Handle memoryType<std::int32_t>();
template H5Id::Handle fileType<std::int32_t>();
template void H5File::write(std::string_view, const H5Shape&, std::span<const std::int32_t>,
                            const Meaning&) const;
template H5Array<std::int32_t> H5File::read<std::int32_t>(std::string_view) const;
template H5Array<std::int32_t> H5File::readRows<std::int32_t>(std::string_view, std::size_t,
                                                              std::size_t) const;
template H5Id::Handle memoryType<std::int64_t>();
template H5Id::Handle fileType<std::int64_t>();
template void H5File::write(std::string_view, const H5Shape&, std::span<const std::int64_t>,
                            const Meaning&) const;
template H5Array<std::int64_t> H5File::read<std::int64_t>(std::string_view) const;
template H5Array<std::int64_t> H5File::readRows<std::int64_t>(std::string_view, std::size_t,
                                                              std::size_t) const;
template H5Id::Handle memoryType<std::uint8_t>();
template H5Id::Handle fileType<std::uint8_t>();
template void H5File::write(std::string_view, const H5Shape&, std::span<const std::uint8_t>,
                            const Meaning&) const;
template H5Array<std::uint8_t> H5File::read<std::uint8_t>(std::string_view) const;
template H5Array<std::uint8_t> H5File::readRows<std::uint8_t>(std::string_view, std::size_t,
                                                              std::size_t) const;
template H5Id::Handle memoryType<std::int8_t>();
template H5Id::Handle fileType<std::int8_t>();
template void H5File::write(std::string_view, const H5Shape&, std::span<const std::int8_t>,
                            const Meaning&) const;
template H5Array<std::int8_t> H5File::read<std::int8_t>(std::string_view) const;
template H5Array<std::int8_t> H5File::readRows<std::int8_t>(std::string_view, std::size_t, std::size_t) const;

}  // namespace ricochet
