#pragma once

#include "io/hdf5/hdf5.hpp"

#include <gtest/gtest.h>

#include <set>
#include <string>
#include <vector>

namespace ricochet::test {

/// Every dataset below a group has scales of different names and of its size on its axes, each in its own
/// group or one around it: only there xarray looks. `scales` are those around. Returns the number of
/// datasets.
inline int expectLabelledAxes(const H5File& file, const std::string& group = "/",
                              std::vector<std::string> scales = {}) {
  std::vector<std::string> datasets, groups;
  for (const std::string& name : file.members(group)) {
    const std::string path = (group == "/" ? group : group + "/") + name;
    try {
      file.shape(path);
      // what is a scale can have none itself
      (file.hasAttribute(path, "CLASS") ? scales : datasets).push_back(path);
    } catch (const ResultError&) {
      groups.push_back(path);
    }
  }
  for (const std::string& path : datasets) {
    const H5Shape shape = file.shape(path);
    std::set<std::string> names;
    for (unsigned axis = 0; axis < shape.size(); ++axis) {
      bool found = false;
      for (const std::string& scale : scales) {
        if (!file.isScaleAttached(path, scale, axis)) continue;
        found = true;
        EXPECT_EQ(file.shape(scale), H5Shape{shape[axis]}) << path << " " << scale;
        EXPECT_TRUE(names.insert(scale.substr(scale.rfind('/') + 1)).second) << path << " " << scale;
      }
      EXPECT_TRUE(found) << file.name() << ":" << path << ", axis " << axis;
    }
  }
  int count = static_cast<int>(datasets.size());
  for (const std::string& each : groups) count += expectLabelledAxes(file, each, scales);
  return count;
}

}  // namespace ricochet::test
