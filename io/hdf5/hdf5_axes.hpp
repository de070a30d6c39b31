#pragma once

#include "io/hdf5/hdf5.hpp"

#include <cstdint>
#include <initializer_list>
#include <map>
#include <set>
#include <span>
#include <string>
#include <vector>

namespace ricochet {

/// An axis of datasets: a dimension scale with this name in the group of the datasets, where xarray looks it
/// up.
struct Axis {
  std::string name;
  std::string meaning{};
  std::vector<std::string> labels{};  ///< labels; if empty, numbers from `first` on
  std::int32_t first{1};
};

/// Labels all axes of a dataset, or the first ones. If the group has a dataset with the name of an axis, this
/// dataset is used; otherwise the axis is created with the present length of the dataset.
void labelAxes(const H5File& file, const std::string& dataset, std::initializer_list<Axis> axes);
/// Labels a single axis.
void labelAxis(const H5File& file, const std::string& dataset, unsigned dimension, const Axis& axis);

/// Labels the axes of many new datasets as labelAxes does. Axes without labels that are equal are one
/// dataset, with a path in each group, and the list of datasets that a scale has is written once, in
/// `finish`: HDF5's own function reads and writes the whole list for every dataset.
class NewAxes {
 public:
  explicit NewAxes(const H5File& file) : file_(file) {}

  /// Labels all axes of a new dataset, which need not have its path yet. If its only axis has its name, it
  /// becomes the scale.
  void labelAllAxes(const H5Id& dataset, const std::string& path, const H5Shape& shape,
                    std::span<const Axis> axes);
  /// True if two datasets of one shape have the same scales. Scales that their groups lack are created.
  bool haveSameScales(const std::string& path, std::span<const Axis> axes, const std::string& otherPath,
                      std::span<const Axis> otherAxes, const H5Shape& shape);
  /// Writes the lists of datasets into the scales.
  void writeListsOfDatasets();

 private:
  struct Scale {
    std::uint64_t address{0};
    std::size_t size{0};
  };
  struct Use {
    std::uint64_t dataset;  // address
    unsigned dimension;
  };
  struct Users {
    std::string scale;  // path
    std::vector<Use> added;
  };

  const Scale& addDimensionScale(const H5Id& dataset, const std::string& path, const Axis& axis);
  const Scale& scaleOfAxis(const std::string& path, const Axis& axis, std::size_t size);
  void createDimensionScale(const std::string& path, const Axis& axis, std::size_t size);
  void writeDatasetsOfScales(const Users& users);

  const H5File& file_;
  std::map<std::string, Scale> scales_;      // by path
  std::map<std::string, std::string> made_;  // paths of axes without labels, by their content
  std::map<std::uint64_t, Users> users_;     // by address of the scale
};

/// Addresses (H5File::addressOfObject) of the datasets whose rows a scale labels, as the scale says.
std::set<std::uint64_t> addressesOfDatasetsAlongScale(const H5File& file, const std::string& scale);

/// Axis of three components along the global axes.
inline Axis globalAxes() { return {"direction", "global axis", {"x", "y", "z"}}; }

}  // namespace ricochet
