#pragma once

#include "io/hdf5/hdf5.hpp"

#include <gtest/gtest.h>

#include <set>
#include <string>
#include <vector>

namespace ricochet::test {

/// Checks that every dataset below a group has dimension scales on its axes, with different names and
/// matching sizes, each in the group of the dataset or in an enclosing group: xarray looks only there.
/// `scales`: dimension scales of the enclosing groups. Returns the number of datasets.
inline int expectLabelledAxes(const H5File& file, const std::string& group = "/",
                              std::vector<std::string> scales = {}) {
  std::vector<std::string> datasets, groups;
  for (const std::string& name : file.namesOfGroupMembers(group)) {
    const std::string path = (group == "/" ? group : group + "/") + name;
    try {
      file.shape(path);
      // A dataset that is a dimension scale cannot have scales.
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
