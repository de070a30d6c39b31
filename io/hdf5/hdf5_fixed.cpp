#include "io/hdf5/hdf5_fixed.hpp"

#include "io/hdf5/hdf5_detail.hpp"

#include <hdf5.h>

#include <vector>

namespace ricochet {

FixedDataset::FixedDataset(std::string path, H5Id dataset)
    : path_(std::move(path)), dataset_(std::move(dataset)) {
  type_ = H5Id(checkH5(H5Dget_type(dataset_.get()), path_, "read the type"), H5Tclose);
  shape_ = shapeOf(dataset_, path_);
}

FixedDataset FixedDataset::create(const H5File& file, std::string_view path, const H5Shape& shape,
                                  const Meaning& meaning, H5Id::Handle type, double fill) {
  std::string label = objectLabel(file, path);
  const H5Id space = createSpace(shape, label);
  const H5Id properties = datasetProperties();
  H5Shape chunk = shape;
  constexpr std::size_t kRows = 1024;
  for (std::size_t& extent : chunk) extent = std::max<std::size_t>(extent, 1);
  chunk.front() = std::min(chunk.front(), kRows);
  if (sizeOf(shape) > 0) divide(file, properties, chunk, label);
  checkH5(H5Pset_alloc_time(properties.get(), H5D_ALLOC_TIME_EARLY), label, "create");
  checkH5(H5Pset_fill_time(properties.get(), H5D_FILL_TIME_ALLOC), label, "create");
  // HDF5's own fill value is 0
  if (fill != 0.0) checkH5(H5Pset_fill_value(properties.get(), memoryType<double>(), &fill), label, "create");
  createGroupOf(file, path);
  const H5Id links = linkProperties();
  const hid_t created = H5Dcreate2(file.id().get(), std::string{path}.c_str(), type, space.get(), links.get(),
                                   properties.get(), H5P_DEFAULT);
  H5Id dataset(checkH5(created, label, "create"), H5Dclose);
  setMeaning(file, path, meaning);
  return {std::move(label), std::move(dataset)};
}

FixedDataset FixedDataset::createNumbers(const H5File& file, std::string_view path, const H5Shape& shape,
                                         const Meaning& meaning, double fill) {
  return create(file, path, shape, meaning, fileType<double>(), fill);
}

FixedDataset FixedDataset::createBytes(const H5File& file, std::string_view path, const H5Shape& shape,
                                       const Meaning& meaning) {
  return create(file, path, shape, meaning, fileType<std::uint8_t>());
}

FixedDataset FixedDataset::createNamed(const H5File& file, std::string_view path, const H5Shape& shape,
                                       const Meaning& meaning, const ValueNames& names) {
  const std::string label = objectLabel(file, path);
  const H5Id type(checkH5(H5Tenum_create(fileType<std::int8_t>()), label, "name its values"), H5Tclose);
  for (const auto& [name, value] : names)
    checkH5(H5Tenum_insert(type.get(), name.c_str(), &value), label, "name a value " + name);
  return create(file, path, shape, meaning, type.get());
}

FixedDataset FixedDataset::open(const H5File& file, std::string_view path, const H5Shape& expected) {
  FixedDataset found(objectLabel(file, path), openDataset(file, path));
  requireShape(found.shape_, expected, found.path_);
  return found;
}

void FixedDataset::write(std::size_t first, std::size_t count, const double* values) {
  writeAs(memoryType<double>(), first, count, values);
}

void FixedDataset::write(std::size_t first, std::size_t count, const std::uint8_t* values) {
  writeAs(memoryType<std::uint8_t>(), first, count, values);
}

void FixedDataset::write(std::size_t first, std::size_t count, const std::int8_t* values) {
  // HDF5 converts no integers to an enumeration: the one of the file, one byte wide, serves in memory too
  writeAs(type_.get(), first, count, values);
}

void FixedDataset::writeAs(H5Id::Handle type, std::size_t first, std::size_t count, const void* values) {
  if (shape_.empty() || first > shape_[0] || count > shape_[0] - first)
    throw ResultError(path_ + ": has no such rows");
  if (count == 0 || sizeOf(shape_) == 0) return;
  std::vector<hsize_t> start(shape_.size(), 0);
  start[0] = first;
  std::vector<hsize_t> extent(shape_.begin(), shape_.end());
  extent[0] = count;
  const H5Id space(checkH5(H5Dget_space(dataset_.get()), path_, "write"), H5Sclose);
  checkH5(H5Sselect_hyperslab(space.get(), H5S_SELECT_SET, start.data(), nullptr, extent.data(), nullptr),
          path_, "write");
  const H5Id block(
      checkH5(H5Screate_simple(static_cast<int>(extent.size()), extent.data(), nullptr), path_, "write"),
      H5Sclose);
  checkH5(H5Dwrite(dataset_.get(), type, block.get(), space.get(), H5P_DEFAULT, values), path_, "write");
}

}  // namespace ricochet
