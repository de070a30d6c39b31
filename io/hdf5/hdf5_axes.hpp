#pragma once

#include "io/hdf5/hdf5.hpp"

#include <cstdint>
#include <initializer_list>
#include <string>
#include <vector>

namespace ricochet {

/// An axis of datasets: a dimension scale of that name in their own group, where xarray looks for it.
struct Axis {
  std::string name;
  std::string meaning{};
  std::vector<std::string> labels{};  ///< without them numbers from `first` on
  std::int32_t first{1};
};

/// Labels the axes of a dataset, all or those that come first. A dataset of the group that has the name of an
/// axis is that axis; one that is not there yet is made, as long as the dataset is now.
void labelAxes(const H5File& file, const std::string& dataset, std::initializer_list<Axis> axes);
/// The same of one axis.
void labelAxis(const H5File& file, const std::string& dataset, unsigned dimension, const Axis& axis);

/// Of three values along the global axes.
inline Axis globalAxes() { return {"direction", "global axis", {"x", "y", "z"}}; }

}  // namespace ricochet
