#include "io/hdf5/hdf5_rows.hpp"

#include "io/hdf5/hdf5_detail.hpp"

#include <hdf5.h>

#include <algorithm>
#include <array>

namespace ricochet {

namespace {

constexpr std::size_t kMostChunkRows = 1024;  // largest number of rows of a chunk

/// Number of rows of a chunk. A chunk that is not full takes its whole space: where the number of rows is not
/// known, chunks are smaller.
std::size_t rowsPerChunk(std::size_t rowBytes, std::size_t expectedRows) {
  constexpr std::size_t kChunkBytes = 400 * 1024, kUnknownRows = 128;
  const std::size_t most = expectedRows == 0 ? kUnknownRows : kMostChunkRows;
  const std::size_t fitting =
      std::clamp<std::size_t>(kChunkBytes / std::max<std::size_t>(rowBytes, 1), 1, most);
  return expectedRows == 0 ? fitting : lengthOfEqualParts(expectedRows, fitting);
}

/// Dataspace without rows and with an unlimited number of rows. HDF5 refuses chunks in a fixed dimension of
/// size 0: such a dimension is unlimited too.
H5Id dataspaceOfGrowingDataset(const H5Shape& rowShape, const std::string& label) {
  std::vector<hsize_t> extent{0};
  std::vector<hsize_t> most{H5S_UNLIMITED};
  for (const std::size_t size : rowShape) {
    extent.push_back(size);
    most.push_back(size == 0 ? H5S_UNLIMITED : size);
  }
  const hid_t space = H5Screate_simple(static_cast<int>(extent.size()), extent.data(), most.data());
  return {checkHdf5Result(space, label, "shape"), H5Sclose};
}

/// Access properties without chunk cache: rows are written directly from the caller's block; the cache would
/// copy every chunk once more, and initialise it before.
H5Id accessWithoutChunkCache(const std::string& label) {
  H5Id access(checkHdf5Result(H5Pcreate(H5P_DATASET_ACCESS), label, "open"), H5Pclose);
  checkHdf5Result(H5Pset_chunk_cache(access.get(), 1, 0, H5D_CHUNK_CACHE_W0_DEFAULT), label, "open");
  return access;
}

H5Id propertiesOfGrowingDataset(const H5File& file, const GrowingOptions& options, hid_t type,
                                const std::string& label) {
  H5Id properties = datasetProperties();
  H5Shape chunk{rowsPerChunk(H5Tget_size(type) * elementCountOf(options.rowShape), options.expectedRows)};
  for (const std::size_t size : options.rowShape) chunk.push_back(std::max<std::size_t>(size, 1));
  setChunkProperties(file, properties, chunk, label);
  checkHdf5Result(H5Pset_fill_time(properties.get(), H5D_FILL_TIME_ALLOC), label, "create");
  return properties;
}

}  // namespace

H5Id enumerationOfNames(const ValueNames& names, const std::string& label) {
  H5Id type(checkHdf5Result(H5Tenum_create(fileType<std::int8_t>()), label, "name its values"), H5Tclose);
  for (const auto& [name, value] : names)
    checkHdf5Result(H5Tenum_insert(type.get(), name.c_str(), &value), label, "name a value " + name);
  return type;
}

// ---- rows of fixed and growing datasets ----

RowDataset::RowDataset(std::string path, H5Id dataset)
    : path_(std::move(path)), dataset_(std::move(dataset)) {
  type_ = H5Id(checkHdf5Result(H5Dget_type(dataset_.get()), path_, "read the type"), H5Tclose);
  shape_ = shapeOfStoredDataset(dataset_, path_);
  if (shape_.empty()) throw ResultError(path_ + ": has no rows");
  rowSize_ = elementCountOf({shape_.begin() + 1, shape_.end()});
}

void RowDataset::requireElementType(Element element) const {
  constexpr std::array kClasses{H5T_FLOAT, H5T_INTEGER, H5T_ENUM, H5T_STRING};
  if (H5Tget_class(type_.get()) != kClasses[static_cast<std::size_t>(element)])
    throw ResultError(path_ + ": cannot write values of another type");
}

void RowDataset::setRowCount(std::size_t rows) {
  shape_.front() = rows;
  const std::vector<hsize_t> extent(shape_.begin(), shape_.end());
  checkHdf5Result(H5Dset_extent(dataset_.get(), extent.data()), path_, "change the number of rows");
}

std::size_t RowDataset::bytesPerString() const { return stringLength(type_, path_); }

void RowDataset::writeRows(Element element, std::size_t first, std::size_t count, const void* values) {
  requireElementType(element);
  if (first > rows() || count > rows() - first) throw ResultError(path_ + ": has no such rows");
  if (count == 0 || rowSize_ == 0) return;
  H5Shape start(shape_.size(), 0), extent = shape_;
  start[0] = first;
  extent[0] = count;
  const H5Id space = dataspaceWithSelection(dataset_, start, extent, path_, "write");
  const H5Id block = createDataspace(extent, path_);
  // HDF5 does not convert integers to an enumeration: the file's one-byte enumeration is used in memory too
  const hid_t type = element == Element::number ? memoryType<double>()
                     : element == Element::byte ? memoryType<std::uint8_t>()
                                                : type_.get();
  checkHdf5Result(H5Dwrite(dataset_.get(), type, block.get(), space.get(), H5P_DEFAULT, values), path_,
                  "write");
}

// ---- datasets of fixed size ----

FixedDataset FixedDataset::create(const H5File& file, std::string_view path, const H5Shape& shape,
                                  const Meaning& meaning, H5Id::Handle type, double fill) {
  const std::string label = labelOfObject(file, path);
  const H5Id properties = datasetProperties();
  H5Shape chunk = shape;
  for (std::size_t& extent : chunk) extent = std::max<std::size_t>(extent, 1);
  chunk.front() = std::min(chunk.front(), kMostChunkRows);
  if (elementCountOf(shape) > 0) setChunkProperties(file, properties, chunk, label);
  checkHdf5Result(H5Pset_alloc_time(properties.get(), H5D_ALLOC_TIME_EARLY), label, "create");
  checkHdf5Result(H5Pset_fill_time(properties.get(), H5D_FILL_TIME_ALLOC), label, "create");
  // the default fill value of HDF5 is 0
  if (fill != 0.0)
    checkHdf5Result(H5Pset_fill_value(properties.get(), memoryType<double>(), &fill), label, "create");
  return {label, createDataset(file, path, type, createDataspace(shape, label), properties, meaning)};
}

FixedDataset FixedDataset::createNumbers(const H5File& file, std::string_view path, const H5Shape& shape,
                                         const Meaning& meaning, double fill) {
  return create(file, path, shape, meaning, fileType<double>(), fill);
}

FixedDataset FixedDataset::createBytes(const H5File& file, std::string_view path, const H5Shape& shape,
                                       const Meaning& meaning) {
  return create(file, path, shape, meaning, fileType<std::uint8_t>());
}

FixedDataset FixedDataset::createNamedCodes(const H5File& file, std::string_view path, const H5Shape& shape,
                                            const Meaning& meaning, const ValueNames& names) {
  return create(file, path, shape, meaning, enumerationOfNames(names, labelOfObject(file, path)).get());
}

FixedDataset FixedDataset::open(const H5File& file, std::string_view path, const H5Shape& expected) {
  H5Id dataset = openDataset(file, path);
  requireShape(shapeOfStoredDataset(dataset, labelOfObject(file, path)), expected, labelOfObject(file, path));
  return {labelOfObject(file, path), std::move(dataset)};
}

// ---- growing datasets ----

GrowingDataset GrowingDataset::create(const H5File& file, std::string_view path, const Meaning& meaning,
                                      const GrowingOptions& options, H5Id::Handle type,
                                      const std::function<void(const H5Id&)>& describe) {
  const std::string label = labelOfObject(file, path);
  if (!options.rows)
    return {label, createDataset(file, path, type, dataspaceOfGrowingDataset(options.rowShape, label),
                                 propertiesOfGrowingDataset(file, options, type, label), meaning,
                                 accessWithoutChunkCache(label), describe)};
  const H5Shape shape = shapeOfDatasetWithRows(*options.rows, options.rowShape);
  const H5Id properties = datasetProperties();
  chooseDatasetLayout(file, properties, shape, H5Tget_size(type), label);
  GrowingDataset created{label, createDataset(file, path, type, createDataspace(shape, label), properties,
                                              meaning, {}, describe)};
  created.unwritten_ = options.rows;
  return created;
}

GrowingDataset GrowingDataset::createNumbers(const H5File& file, std::string_view path,
                                             const Meaning& meaning, const GrowingOptions& options) {
  return create(file, path, meaning, options, fileType<double>());
}

GrowingDataset GrowingDataset::createNamedCodes(const H5File& file, std::string_view path,
                                                const Meaning& meaning, const ValueNames& names,
                                                const GrowingOptions& options) {
  return create(file, path, meaning, options, enumerationOfNames(names, labelOfObject(file, path)).get());
}

GrowingDataset GrowingDataset::createStrings(const H5File& file, std::string_view path,
                                             const Meaning& meaning, std::size_t length,
                                             const GrowingOptions& options) {
  return create(file, path, meaning, options, stringType(std::max<std::size_t>(length, 1)).get());
}

GrowingDataset GrowingDataset::open(const H5File& file, std::string_view path, const H5Shape& rowShape) {
  std::string label = labelOfObject(file, path);
  H5Id dataset = openDataset(file, path, accessWithoutChunkCache(label));
  requireShape(shapeOfStoredDataset(dataset, label), shapeOfDatasetWithRows(kAny, rowShape), label);
  return {std::move(label), std::move(dataset)};
}

void GrowingDataset::append(std::span<const std::string> values) {
  requireElementType(Element::string);
  const std::size_t length = bytesPerString();
  if (lengthOfLongestString(values) > length)
    throw ResultError(path() + ": cannot append: a string is too long");
  appendRows(Element::string, concatenatedStrings(values, length).data(), values.size());
}

void GrowingDataset::appendRows(Element element, const void* values, std::size_t rows) {
  requireElementType(element);
  if (unwritten_) {
    if (rows > *unwritten_) throw ResultError(path() + ": cannot append: it has a fixed size");
    writeRows(element, this->rows() - *unwritten_, rows, values);
    *unwritten_ -= rows;
    return;
  }
  const std::size_t before = this->rows();
  if (rows > 0) setRowCount(before + rows);
  writeRows(element, before, rows, values);
}

void GrowingDataset::truncate(std::size_t rows) {
  if (rows > this->rows()) throw ResultError(path() + ": has fewer rows than " + std::to_string(rows));
  setRowCount(rows);
}

}  // namespace ricochet
