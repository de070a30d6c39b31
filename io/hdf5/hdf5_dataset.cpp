#include "io/hdf5/hdf5.hpp"
#include "io/hdf5/hdf5_detail.hpp"

#include <hdf5.h>

#include <algorithm>

namespace ricochet {

// ---- types and spaces ----

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

H5Id stringType(std::size_t length) {
  H5Id type(checkHdf5Result(H5Tcopy(H5T_C_S1), "HDF5", "make a string type"), H5Tclose);
  checkHdf5Result(H5Tset_size(type.get(), length), "HDF5", "make a string type");
  checkHdf5Result(H5Tset_strpad(type.get(), H5T_STR_NULLPAD), "HDF5", "make a string type");
  checkHdf5Result(H5Tset_cset(type.get(), H5T_CSET_UTF8), "HDF5", "make a string type");
  return type;
}

std::size_t stringLength(const H5Id& type, std::string_view object) {
  if (H5Tget_class(type.get()) != H5T_STRING) throw ResultError(std::string{object} + ": holds no strings");
  if (H5Tis_variable_str(type.get()) != 0)
    throw ResultError(std::string{object} +
                      ": holds strings of variable length, which have no checksum and are not read");
  return H5Tget_size(type.get());
}

std::vector<char> concatenatedStrings(std::span<const std::string> strings, std::size_t length) {
  std::vector<char> bytes(strings.size() * length, '\0');
  for (std::size_t i = 0; i < strings.size(); ++i)
    std::copy_n(strings[i].data(), std::min(strings[i].size(), length), bytes.data() + i * length);
  return bytes;
}

std::vector<std::string> splitStrings(const std::vector<char>& bytes, std::size_t length) {
  std::vector<std::string> strings;
  strings.reserve(bytes.size() / length);
  for (std::size_t at = 0; at < bytes.size(); at += length) {
    const char* start = bytes.data() + at;
    strings.emplace_back(start, std::find(start, start + length, '\0'));
  }
  return strings;
}

std::size_t lengthOfLongestString(std::span<const std::string> strings) {
  std::size_t longest = 1;
  for (const std::string& each : strings) longest = std::max(longest, each.size());
  return longest;
}

H5Id createDataspace(const H5Shape& shape, std::string_view object) {
  const std::vector<hsize_t> extent(shape.begin(), shape.end());
  const hid_t space = extent.empty()
                          ? H5Screate(H5S_SCALAR)
                          : H5Screate_simple(static_cast<int>(extent.size()), extent.data(), nullptr);
  return {checkHdf5Result(space, object, "shape"), H5Sclose};
}

H5Shape shapeOfStoredDataset(const H5Id& dataset, std::string_view object) {
  const H5Id space(checkHdf5Result(H5Dget_space(dataset.get()), object, "read the shape"), H5Sclose);
  const int rank = checkHdf5Result(H5Sget_simple_extent_ndims(space.get()), object, "read the shape");
  std::vector<hsize_t> extent(static_cast<std::size_t>(rank));
  checkHdf5Result(H5Sget_simple_extent_dims(space.get(), extent.data(), nullptr), object, "read the shape");
  return {extent.begin(), extent.end()};
}

std::size_t elementCountOf(const H5Shape& shape) {
  std::size_t size = 1;
  for (const std::size_t extent : shape)
    if (__builtin_mul_overflow(size, extent, &size)) throw ResultError("a dataset is larger than all memory");
  return size;
}

H5Shape shapeOfDatasetWithRows(std::size_t rows, const H5Shape& row) {
  H5Shape shape{rows};
  shape.insert(shape.end(), row.begin(), row.end());
  return shape;
}

void requireShape(const H5Shape& shape, const H5Shape& expected, std::string_view object) {
  const auto fits = [](std::size_t found, std::size_t wanted) { return wanted == kAny || found == wanted; };
  if (std::ranges::equal(shape, expected, fits)) return;
  const auto text = [](const H5Shape& each) {
    std::string joined;
    for (const std::size_t extent : each)
      joined += (joined.empty() ? "" : " x ") + (extent == kAny ? "any" : std::to_string(extent));
    return joined.empty() ? "one value" : joined;
  };
  throw ResultError(std::string{object} + ": has the shape " + text(shape) + ", where " + text(expected) +
                    " belongs: the file is damaged, or was changed");
}

void setChunkProperties(const H5File& file, const H5Id& properties, const H5Shape& chunk,
                        std::string_view object) {
  const std::vector<hsize_t> extent(chunk.begin(), chunk.end());
  checkHdf5Result(H5Pset_chunk(properties.get(), static_cast<int>(extent.size()), extent.data()), object,
                  "divide");
  if (file.areChecksumsEnabled())
    checkHdf5Result(H5Pset_fletcher32(properties.get()), object, "give checksums");
}

H5Id datasetProperties() {
  H5Id properties(checkHdf5Result(H5Pcreate(H5P_DATASET_CREATE), "HDF5", "make dataset properties"),
                  H5Pclose);
  checkHdf5Result(H5Pset_obj_track_times(properties.get(), 0), "HDF5", "make dataset properties");
  return properties;
}

H5Id createDataset(const H5File& file, std::string_view path, H5Id::Handle type, const H5Id& space,
                   const H5Id& properties, const Meaning& meaning, const H5Id& access,
                   const DescribeDataset& describe) {
  createParentGroups(file, path);
  const std::string label = labelOfObject(file, path);
  const hid_t created = H5Dcreate_anon(file.id().get(), type, space.get(), properties.get(),
                                       access ? access.get() : H5P_DEFAULT);
  H5Id dataset(checkHdf5Result(created, label, "create"), H5Dclose);
  // As long as nothing is created after it, the header of the dataset grows in place.
  writeMeaningAttributes(dataset, meaning, label);
  if (describe) describe(dataset);
  const H5Id links = linkProperties();
  checkHdf5Result(
      H5Olink(dataset.get(), file.id().get(), std::string{path}.c_str(), links.get(), H5P_DEFAULT), label,
      "create");
  return dataset;
}

H5Id dataspaceWithSelection(const H5Id& dataset, const H5Shape& start, const H5Shape& extent,
                            std::string_view object, std::string_view action) {
  const std::vector<hsize_t> first(start.begin(), start.end()), count(extent.begin(), extent.end());
  H5Id space(checkHdf5Result(H5Dget_space(dataset.get()), object, action), H5Sclose);
  checkHdf5Result(
      H5Sselect_hyperslab(space.get(), H5S_SELECT_SET, first.data(), nullptr, count.data(), nullptr), object,
      action);
  return space;
}

namespace {

// largest size of a single value, which has no chunks; a longer value is stored as a list of one element
constexpr std::size_t kTextBytes = 60000;

void writeDataset(const H5File& file, std::string_view path, const H5Shape& shape, hid_t fileType,
                  hid_t memoryType, const void* values, const Meaning& meaning) {
  const std::string label = labelOfObject(file, path);
  H5Id dataset;
  if (file.exists(path)) {
    dataset = openDataset(file, path);
    if (shapeOfStoredDataset(dataset, label) != shape)
      throw ResultError(label + ": exists with another shape");
  } else {
    const H5Id properties = datasetProperties();
    chooseDatasetLayout(file, properties, shape, H5Tget_size(fileType), label);
    dataset = createDataset(file, path, fileType, createDataspace(shape, label), properties, meaning);
  }
  checkHdf5Result(H5Dwrite(dataset.get(), memoryType, H5S_ALL, H5S_ALL, H5P_DEFAULT, values), label, "write");
}

}  // namespace

void chooseDatasetLayout(const H5File& file, const H5Id& properties, const H5Shape& shape,
                         std::size_t elementBytes, std::string_view object) {
  constexpr std::size_t kHeaderBytes = 4096, kChunkBytes = 256 * 1024;
  const std::size_t bytes = elementCountOf(shape) * elementBytes;
  if (bytes <= (shape.empty() ? kTextBytes : kHeaderBytes)) {
    checkHdf5Result(H5Pset_layout(properties.get(), H5D_COMPACT), object, "create");
    return;
  }
  H5Shape chunk = shape;
  for (std::size_t& extent : chunk) {
    const std::size_t row = std::max<std::size_t>(elementCountOf(chunk) / extent * elementBytes, 1);
    extent = lengthOfEqualParts(extent, std::max<std::size_t>(kChunkBytes / row, 1));
  }
  setChunkProperties(file, properties, chunk, object);
}

// ---- writing ----

template <H5Number T>
void H5File::write(std::string_view path, const H5Shape& shape, std::span<const T> values,
                   const Meaning& meaning) const {
  if (values.size() != elementCountOf(shape))
    throw ResultError(labelOfObject(*this, path) + ": " + std::to_string(values.size()) +
                      " values for a shape of " + std::to_string(elementCountOf(shape)));
  writeDataset(*this, path, shape, fileType<T>(), memoryType<T>(), values.data(), meaning);
}

void H5File::writeStrings(std::string_view path, const std::vector<std::string>& values,
                          const Meaning& meaning) const {
  const std::size_t length = lengthOfLongestString(values);
  const H5Id type = stringType(length);
  writeDataset(*this, path, {values.size()}, type.get(), type.get(),
               concatenatedStrings(values, length).data(), meaning);
}

void H5File::writeText(std::string_view path, std::string_view text, const Meaning& meaning) const {
  const std::string copy{text};
  const std::size_t length = std::max<std::size_t>(copy.size(), 1);
  const H5Id type = stringType(length);
  writeDataset(*this, path, length <= kTextBytes ? H5Shape{} : H5Shape{1}, type.get(), type.get(),
               concatenatedStrings(std::span(&copy, 1), length).data(), meaning);
}

template H5Id::Handle memoryType<double>();
template H5Id::Handle fileType<double>();
template void H5File::write(std::string_view, const H5Shape&, std::span<const double>, const Meaning&) const;
template H5Id::Handle memoryType<std::int32_t>();
template H5Id::Handle fileType<std::int32_t>();
template void H5File::write(std::string_view, const H5Shape&, std::span<const std::int32_t>,
                            const Meaning&) const;
template H5Id::Handle memoryType<std::int64_t>();
template H5Id::Handle fileType<std::int64_t>();
template void H5File::write(std::string_view, const H5Shape&, std::span<const std::int64_t>,
                            const Meaning&) const;
template H5Id::Handle memoryType<std::uint8_t>();
template H5Id::Handle fileType<std::uint8_t>();
template void H5File::write(std::string_view, const H5Shape&, std::span<const std::uint8_t>,
                            const Meaning&) const;
template H5Id::Handle memoryType<std::int8_t>();
template H5Id::Handle fileType<std::int8_t>();
template void H5File::write(std::string_view, const H5Shape&, std::span<const std::int8_t>,
                            const Meaning&) const;

}  // namespace ricochet
