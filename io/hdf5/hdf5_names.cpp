#include "io/hdf5/hdf5_names.hpp"

#include "io/hdf5/hdf5_detail.hpp"

#include <hdf5.h>

#include <algorithm>

namespace ricochet {

std::vector<std::string> readNamesOfByteArrays(const H5File& file, std::string_view path) {
  const std::string label = labelOfObject(file, path);
  const H5Id dataset = openDataset(file, path);
  const H5Id type(checkHdf5Result(H5Dget_type(dataset.get()), label, "read the type"), H5Tclose);
  const std::size_t count = elementCountOf(shapeOfStoredDataset(dataset, label)),
                    length = H5Tget_size(type.get());
  if (H5Tget_class(type.get()) != H5T_ARRAY || H5Tdetect_class(type.get(), H5T_INTEGER) <= 0)
    throw ResultError(label + ": must hold arrays of bytes");
  std::string bytes(count * length, '\0');
  checkHdf5Result(H5Dread(dataset.get(), type.get(), H5S_ALL, H5S_ALL, H5P_DEFAULT, bytes.data()), label,
                  "read");
  std::vector<std::string> names;
  for (std::size_t i = 0; i < count; ++i) {
    std::string name = bytes.substr(i * length, length);
    name.resize(std::min(name.find('\0'), name.size()));
    name.resize(name.find_last_not_of(' ') + 1);
    names.push_back(std::move(name));
  }
  return names;
}

}  // namespace ricochet
