#include "io/hdf5/hdf5_axes.hpp"

#include "io/hdf5/hdf5_detail.hpp"

#include <fmt/format.h>
#include <hdf5.h>
#include <hdf5_hl.h>

#include <algorithm>
#include <numeric>

namespace ricochet {
namespace {

void writeScale(const H5File& file, const std::string& scale, const Axis& axis, std::size_t size) {
  if (axis.meaning.empty()) throw ResultError(labelOfObject(file, scale) + ": there is no such axis");
  if (!axis.labels.empty()) return file.writeStrings(scale, axis.labels, {"1", axis.meaning});
  std::vector<std::int32_t> numbers(size);
  std::iota(numbers.begin(), numbers.end(), axis.first);
  file.write(scale, {size}, numbers, {"1", axis.meaning});
}

bool isDimensionScale(const H5File& file, const std::string& dataset) {
  return checkHdf5Result(H5DSis_scale(openDataset(file, dataset).get()), labelOfObject(file, dataset),
                         "look at its axes") > 0;
}

/// Element of the attribute REFERENCE_LIST of a scale, as HDF5 writes it.
struct ScaleUse {
  hobj_ref_t dataset;
  unsigned dimension;
};

H5Id scaleUseType(std::string_view label) {
  H5Id type(checkHdf5Result(H5Tcreate(H5T_COMPOUND, sizeof(ScaleUse)), label, "label"), H5Tclose);
  checkHdf5Result(H5Tinsert(type.get(), "dataset", HOFFSET(ScaleUse, dataset), H5T_STD_REF_OBJ), label,
                  "label");
  checkHdf5Result(H5Tinsert(type.get(), "dimension", HOFFSET(ScaleUse, dimension), H5T_NATIVE_INT), label,
                  "label");
  return type;
}

constexpr const char* kUsers = "REFERENCE_LIST";

/// Path of the group of a dataset, with '/' at its end.
std::string groupPathOfDataset(const std::string& path) { return path.substr(0, path.rfind('/') + 1); }

bool isDatasetItsOwnScale(const std::string& path, std::span<const Axis> axes) {
  return axes.size() == 1 && groupPathOfDataset(path) + axes.front().name == path;
}

std::vector<ScaleUse> readDatasetsOfScale(const H5Id& scale, std::string_view label) {
  constexpr std::string_view kAction = "look at its axes";
  if (checkHdf5Result(H5Aexists(scale.get(), kUsers), label, kAction) == 0) return {};
  const H5Id list(checkHdf5Result(H5Aopen(scale.get(), kUsers, H5P_DEFAULT), label, kAction), H5Aclose);
  const H5Id space(checkHdf5Result(H5Aget_space(list.get()), label, kAction), H5Sclose);
  std::vector<ScaleUse> users;
  const auto size =
      static_cast<std::size_t>(checkHdf5Result(H5Sget_simple_extent_npoints(space.get()), label, kAction));
  if (size > 0 && H5Aget_storage_size(list.get()) / size < sizeof(hobj_ref_t))
    throw ResultError(std::string{label} + ": says that it has more users than it has: the file is damaged");
  users.resize(size);
  if (size > 0) checkHdf5Result(H5Aread(list.get(), scaleUseType(label).get(), users.data()), label, kAction);
  return users;
}

H5Id createReferenceList(const H5Id& owner, const char* name, const H5Id& type, std::size_t size,
                         std::string_view label) {
  const H5Id space = createDataspace({size}, label);
  const hid_t list = H5Acreate2(owner.get(), name, type.get(), space.get(), H5P_DEFAULT, H5P_DEFAULT);
  return {checkHdf5Result(list, label, "label"), H5Aclose};
}

hobj_ref_t objectReferenceTo(const H5Id& dataset, std::string_view label) {
  hobj_ref_t reference = 0;
  checkHdf5Result(H5Rcreate(&reference, dataset.get(), ".", H5R_OBJECT, -1), label, "refer to it");
  return reference;
}

/// Writes the scales of a dataset, one for each dimension.
void writeScales(const H5Id& dataset, std::vector<hobj_ref_t>& scales, std::string_view label) {
  const H5Id type(checkHdf5Result(H5Tvlen_create(H5T_STD_REF_OBJ), label, "label"), H5Tclose);
  std::vector<hvl_t> lists;
  for (hobj_ref_t& scale : scales) lists.push_back({1, &scale});
  const H5Id list = createReferenceList(dataset, "DIMENSION_LIST", type, lists.size(), label);
  checkHdf5Result(H5Awrite(list.get(), type.get(), lists.data()), label, "label");
}

}  // namespace

void NewAxes::createDimensionScale(const std::string& path, const Axis& axis, std::size_t size) {
  const std::string content = fmt::format("{} {} {} {}", axis.name, axis.meaning, size, axis.first);
  const auto made = made_.find(content);
  if (axis.labels.empty() && made != made_.end()) return file_.linkObject(path, made->second);
  writeScale(file_, path, axis, size);
  if (axis.labels.empty()) made_.emplace(content, path);
}

const NewAxes::Scale& NewAxes::addDimensionScale(const H5Id& dataset, const std::string& path,
                                                 const Axis& axis) {
  const std::string label = labelOfObject(file_, path);
  if (checkHdf5Result(H5DSis_scale(dataset.get()), label, "look at its axes") == 0)
    checkHdf5Result(H5DSset_scale(dataset.get(), axis.name.c_str()), label, "make an axis");
  const std::uint64_t address = objectReferenceTo(dataset, label);
  users_.try_emplace(address, Users{path, {}});
  return scales_[path] = {address, shapeOfStoredDataset(dataset, label).front()};
}

const NewAxes::Scale& NewAxes::scaleOfAxis(const std::string& path, const Axis& axis, std::size_t size) {
  const auto known = scales_.find(path);
  if (known != scales_.end()) return known->second;
  if (!file_.exists(path)) createDimensionScale(path, axis, size);
  return addDimensionScale(openDataset(file_, path), path, axis);
}

void NewAxes::labelAllAxes(const H5Id& dataset, const std::string& path, const H5Shape& shape,
                           std::span<const Axis> axes) {
  const std::string label = labelOfObject(file_, path), group = groupPathOfDataset(path);
  if (isDatasetItsOwnScale(path, axes)) {
    addDimensionScale(dataset, path, axes.front());
    return;
  }
  const std::uint64_t address = objectReferenceTo(dataset, label);
  std::vector<hobj_ref_t> scales;
  for (std::size_t dimension = 0; dimension < axes.size(); ++dimension) {
    const Scale& scale = scaleOfAxis(group + axes[dimension].name, axes[dimension], shape.at(dimension));
    if (scale.size != shape[dimension])
      throw ResultError(label + ": is not as long as its axis " + axes[dimension].name);
    users_.at(scale.address).added.push_back({address, static_cast<unsigned>(dimension)});
    scales.push_back(scale.address);
  }
  if (!scales.empty()) writeScales(dataset, scales, label);
}

bool NewAxes::haveSameScales(const std::string& path, std::span<const Axis> axes,
                             const std::string& otherPath, std::span<const Axis> otherAxes,
                             const H5Shape& shape) {
  if (axes.size() != otherAxes.size() || isDatasetItsOwnScale(path, axes)) return false;
  for (std::size_t i = 0; i < axes.size(); ++i) {
    const Axis &mine = axes[i], &others = otherAxes[i];
    if (mine.name != others.name ||
        scaleOfAxis(groupPathOfDataset(path) + mine.name, mine, shape.at(i)).address !=
            scaleOfAxis(groupPathOfDataset(otherPath) + others.name, others, shape.at(i)).address)
      return false;
  }
  return true;
}

void NewAxes::writeDatasetsOfScales(const Users& users) {
  const std::string label = labelOfObject(file_, users.scale);
  const H5Id scale = openDataset(file_, users.scale), type = scaleUseType(label),
             packed = scaleUseType(label);
  checkHdf5Result(H5Tpack(packed.get()), label, "label");
  std::vector<ScaleUse> all = readDatasetsOfScale(scale, label);
  if (!all.empty()) checkHdf5Result(H5Adelete(scale.get(), kUsers), label, "label");
  for (const Use& use : users.added) all.push_back({use.dataset, use.dimension});
  const H5Id list = createReferenceList(scale, kUsers, packed, all.size(), label);
  checkHdf5Result(H5Awrite(list.get(), type.get(), all.data()), label, "label");
}

void NewAxes::writeListsOfDatasets() {
  for (auto& [address, users] : users_)
    if (!users.added.empty()) {
      writeDatasetsOfScales(users);
      users.added.clear();
    }
}

std::set<std::uint64_t> addressesOfDatasetsAlongScale(const H5File& file, const std::string& scale) {
  std::set<std::uint64_t> along;
  for (const ScaleUse& use : readDatasetsOfScale(openDataset(file, scale), labelOfObject(file, scale)))
    if (use.dimension == 0) along.insert(use.dataset);
  return along;
}

void labelAxis(const H5File& file, const std::string& dataset, unsigned dimension, const Axis& axis) {
  const std::string scale = groupPathOfDataset(dataset) + axis.name;
  if (!file.exists(scale)) writeScale(file, scale, axis, file.shape(dataset).at(dimension));
  if (!isDimensionScale(file, scale)) file.makeDatasetScale(scale, axis.name);
  if (scale == dataset) return;
  if (file.shape(scale).front() != file.shape(dataset).at(dimension))
    throw ResultError(labelOfObject(file, dataset) + ": is not as long as its axis " + axis.name);
  file.attachScale(dataset, scale, dimension);
}

void labelAxes(const H5File& file, const std::string& dataset, std::initializer_list<Axis> axes) {
  unsigned dimension = 0;
  for (const Axis& axis : axes) labelAxis(file, dataset, dimension++, axis);
}

}  // namespace ricochet
