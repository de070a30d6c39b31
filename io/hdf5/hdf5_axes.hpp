#pragma once

#include "io/hdf5/hdf5.hpp"

#include <cstdint>
#include <initializer_list>
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

/// Axis of three components along the global axes.
inline Axis globalAxes() { return {"direction", "global axis", {"x", "y", "z"}}; }

}  // namespace ricochet
