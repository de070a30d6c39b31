#include "io/hdf5/hdf5_axes.hpp"

#include "io/hdf5/hdf5_detail.hpp"

#include <hdf5.h>
#include <hdf5_hl.h>

#include <numeric>

namespace ricochet {
namespace {

void writeScale(const H5File& file, const std::string& scale, const Axis& axis, std::size_t size) {
  if (axis.meaning.empty()) throw ResultError(objectLabel(file, scale) + ": there is no such axis");
  if (!axis.labels.empty()) return file.writeStrings(scale, axis.labels, {"1", axis.meaning});
  std::vector<std::int32_t> numbers(size);
  std::iota(numbers.begin(), numbers.end(), axis.first);
  file.write(scale, {size}, numbers, {"1", axis.meaning});
}

bool isScale(const H5File& file, const std::string& dataset) {
  return checkH5(H5DSis_scale(openDataset(file, dataset).get()), objectLabel(file, dataset),
                 "look at its axes") > 0;
}

}  // namespace

void labelAxis(const H5File& file, const std::string& dataset, unsigned dimension, const Axis& axis) {
  const std::string scale = dataset.substr(0, dataset.rfind('/') + 1) + axis.name;
  if (!file.exists(scale)) writeScale(file, scale, axis, file.shape(dataset).at(dimension));
  if (!isScale(file, scale)) file.makeScale(scale, axis.name);
  if (scale == dataset) return;
  if (file.shape(scale).front() != file.shape(dataset).at(dimension))
    throw ResultError(objectLabel(file, dataset) + ": is not as long as its axis " + axis.name);
  file.attachScale(dataset, scale, dimension);
}

void labelAxes(const H5File& file, const std::string& dataset, std::initializer_list<Axis> axes) {
  unsigned dimension = 0;
  for (const Axis& axis : axes) labelAxis(file, dataset, dimension++, axis);
}

}  // namespace ricochet
