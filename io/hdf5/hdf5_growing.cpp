#include "io/hdf5/hdf5_growing.hpp"

#include "io/hdf5/hdf5_detail.hpp"

#include <hdf5.h>

#include <algorithm>

namespace ricochet {

namespace {

constexpr std::size_t kMostRows = 1024;  // of one chunk

/// Rows of one chunk.
std::size_t chunkRows(std::size_t rowBytes, std::size_t expectedRows) {
  constexpr std::size_t kChunkBytes = 400 * 1024;
  const std::size_t fitting =
      std::clamp<std::size_t>(kChunkBytes / std::max<std::size_t>(rowBytes, 1), 1, kMostRows);
  return expectedRows == 0 ? fitting : evenPart(expectedRows, fitting);
}

/// No rows yet, and no end of them. HDF5 refuses chunks in a fixed dimension of size 0: that one is left
/// open.
H5Id growingSpace(const H5Shape& rowShape, const std::string& label) {
  std::vector<hsize_t> extent{0};
  std::vector<hsize_t> most{H5S_UNLIMITED};
  for (const std::size_t size : rowShape) {
    extent.push_back(size);
    most.push_back(size == 0 ? H5S_UNLIMITED : size);
  }
  const hid_t space = H5Screate_simple(static_cast<int>(extent.size()), extent.data(), most.data());
  return {checkH5(space, label, "shape"), H5Sclose};
}

/// Rows go from the caller's block into the file at once: a chunk that is held back in HDF5's cache is copied
/// once more, and filled before.
H5Id withoutCache(const std::string& label) {
  H5Id access(checkH5(H5Pcreate(H5P_DATASET_ACCESS), label, "open"), H5Pclose);
  checkH5(H5Pset_chunk_cache(access.get(), 1, 0, H5D_CHUNK_CACHE_W0_DEFAULT), label, "open");
  return access;
}

H5Id growingProperties(const H5File& file, const GrowingOptions& options, const H5Id& type,
                       const std::string& label) {
  H5Id properties = datasetProperties();
  const std::size_t elementBytes = H5Tget_size(type.get());
  H5Shape chunk{chunkRows(elementBytes * sizeOf(options.rowShape), options.expectedRows)};
  for (const std::size_t size : options.rowShape) chunk.push_back(std::max<std::size_t>(size, 1));
  divide(file, properties, chunk, label);
  checkH5(H5Pset_fill_time(properties.get(), H5D_FILL_TIME_ALLOC), label, "create");
  return properties;
}

H5Id copyOf(hid_t type) { return {checkH5(H5Tcopy(type), "HDF5", "copy a type"), H5Tclose}; }

}  // namespace

GrowingDataset::GrowingDataset(std::string path, H5Id dataset)
    : path_(std::move(path)), dataset_(std::move(dataset)) {
  type_ = H5Id(checkH5(H5Dget_type(dataset_.get()), path_, "read the type"), H5Tclose);
  const H5Shape shape = shapeOf(dataset_, path_);
  if (shape.empty()) throw ResultError(path_ + ": does not grow");
  rows_ = shape.front();
  rowShape_.assign(shape.begin() + 1, shape.end());
  rowSize_ = sizeOf(rowShape_);
  const std::size_t bytes = H5Tget_size(type_.get());
  switch (H5Tget_class(type_.get())) {
    case H5T_FLOAT:
      element_ = Element::number;
      break;
    case H5T_INTEGER:
      element_ = bytes == sizeof(std::int32_t) ? Element::integer : Element::longInteger;
      break;
    case H5T_ENUM:
      element_ = Element::named;
      break;
    case H5T_STRING:
      element_ = Element::string;
      break;
    default:
      throw ResultError(path_ + ": holds neither numbers nor strings");
  }
}

GrowingDataset GrowingDataset::create(const H5File& file, std::string_view path, const Meaning& meaning,
                                      const GrowingOptions& options, const H5Id& type) {
  std::string label = objectLabel(file, path);
  const H5Id space = growingSpace(options.rowShape, label);
  const H5Id properties = growingProperties(file, options, type, label);
  createGroupOf(file, path);
  const H5Id links = linkProperties();
  const H5Id access = withoutCache(label);
  const hid_t created = H5Dcreate2(file.id().get(), std::string{path}.c_str(), type.get(), space.get(),
                                   links.get(), properties.get(), access.get());
  H5Id dataset(checkH5(created, label, "create"), H5Dclose);
  setMeaning(file, path, meaning);
  return {std::move(label), std::move(dataset)};
}

GrowingDataset GrowingDataset::createNumbers(const H5File& file, std::string_view path,
                                             const Meaning& meaning, const GrowingOptions& options) {
  return create(file, path, meaning, options, copyOf(fileType<double>()));
}

GrowingDataset GrowingDataset::createIntegers(const H5File& file, std::string_view path,
                                              const Meaning& meaning, const GrowingOptions& options) {
  return create(file, path, meaning, options, copyOf(fileType<std::int32_t>()));
}

GrowingDataset GrowingDataset::createLongIntegers(const H5File& file, std::string_view path,
                                                  const Meaning& meaning, const GrowingOptions& options) {
  return create(file, path, meaning, options, copyOf(fileType<std::int64_t>()));
}

GrowingDataset GrowingDataset::createNamed(const H5File& file, std::string_view path, const Meaning& meaning,
                                           const ValueNames& names, const GrowingOptions& options) {
  const std::string label = objectLabel(file, path);
  const H5Id type(checkH5(H5Tenum_create(fileType<std::int8_t>()), label, "name its values"), H5Tclose);
  for (const auto& [name, value] : names)
    checkH5(H5Tenum_insert(type.get(), name.c_str(), &value), label, "name a value " + name);
  return create(file, path, meaning, options, type);
}

GrowingDataset GrowingDataset::createStrings(const H5File& file, std::string_view path,
                                             const Meaning& meaning, std::size_t length,
                                             std::size_t expectedRows) {
  return create(file, path, meaning, {.rowShape = {}, .expectedRows = expectedRows},
                stringType(std::max<std::size_t>(length, 1)));
}

GrowingDataset GrowingDataset::open(const H5File& file, std::string_view path, const H5Shape& rowShape) {
  std::string label = objectLabel(file, path);
  H5Id dataset = openDataset(file, path, withoutCache(label));
  requireShape(shapeOf(dataset, label), shapeOfRows(kAny, rowShape), label);
  return {std::move(label), std::move(dataset)};
}

void GrowingDataset::append(const double* values, std::size_t rows) {
  appendAs(Element::number, memoryType<double>(), values, rows);
}

void GrowingDataset::append(const std::int32_t* values, std::size_t rows) {
  appendAs(Element::integer, memoryType<std::int32_t>(), values, rows);
}

void GrowingDataset::append(const std::int64_t* values, std::size_t rows) {
  appendAs(Element::longInteger, memoryType<std::int64_t>(), values, rows);
}

void GrowingDataset::append(const std::int8_t* values, std::size_t rows) {
  // HDF5 converts no integers to an enumeration: the one of the file, one byte wide, serves in memory too
  appendAs(Element::named, type_.get(), values, rows);
}

void GrowingDataset::append(std::span<const std::string> values) {
  if (element_ != Element::string) throw ResultError(path_ + ": cannot append values of another type");
  const std::size_t length = stringLength(type_, path_);
  if (longestOf(values) > length) throw ResultError(path_ + ": cannot append: a string is too long");
  appendAs(Element::string, type_.get(), sideBySide(values, length).data(), values.size());
}

void GrowingDataset::setRows(std::size_t rows) {
  std::vector<hsize_t> extent{rows};
  extent.insert(extent.end(), rowShape_.begin(), rowShape_.end());
  checkH5(H5Dset_extent(dataset_.get(), extent.data()), path_, "change the number of rows");
  rows_ = rows;
}

void GrowingDataset::appendAs(Element element, H5Id::Handle memoryType, const void* values,
                              std::size_t rows) {
  if (element != element_) throw ResultError(path_ + ": cannot append values of another type");
  if (rows == 0) return;
  std::vector<hsize_t> start(rowShape_.size() + 1, 0);
  start[0] = rows_;
  std::vector<hsize_t> count{rows};
  count.insert(count.end(), rowShape_.begin(), rowShape_.end());

  setRows(rows_ + rows);
  if (rowSize_ == 0) return;
  const H5Id space(checkH5(H5Dget_space(dataset_.get()), path_, "append"), H5Sclose);
  checkH5(H5Sselect_hyperslab(space.get(), H5S_SELECT_SET, start.data(), nullptr, count.data(), nullptr),
          path_, "append");
  const H5Id block(
      checkH5(H5Screate_simple(static_cast<int>(count.size()), count.data(), nullptr), path_, "append"),
      H5Sclose);
  checkH5(H5Dwrite(dataset_.get(), memoryType, block.get(), space.get(), H5P_DEFAULT, values), path_,
          "append");
}

void GrowingDataset::truncate(std::size_t rows) {
  if (rows > rows_) throw ResultError(path_ + ": has fewer rows than " + std::to_string(rows));
  setRows(rows);
}

}  // namespace ricochet
