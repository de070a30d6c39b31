#pragma once

#include "engine/accounts/checkpoint.hpp"
#include "io/archive/result_format.hpp"
#include "io/hdf5/hdf5.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <cstring>
#include <map>
#include <string>

namespace ricochet::test {

/// The header of a result without a title, for files that a test creates itself.
inline void writeHeaderOfResult(const H5File& file) {
  file.setAttribute("/", "format", "ricochet");
  file.setAttribute("/", "format_version", kFormatVersion);
  file.setAttribute("/", "title", "");
}

/// All datasets of a file by path: shape and values, with the bits of the numbers.
inline void collectDatasets(const H5File& file, const std::string& path,
                            std::map<std::string, std::string>& all) {
  const auto child = [&](const std::string& name) { return path == "/" ? path + name : path + "/" + name; };
  H5Shape shape;
  try {
    shape = file.shape(path);
  } catch (const ResultError&) {  // a group
    for (const std::string& name : file.namesOfGroupMembers(path)) collectDatasets(file, child(name), all);
    return;
  }
  std::string& bytes = all[path];
  for (const std::size_t size : shape) bytes += std::to_string(size) + " ";
  const auto add = [&](const auto& values) {
    bytes.append(reinterpret_cast<const char*>(values.data()), values.size() * sizeof values[0]);
  };
  if (file.holds(path) == H5File::Holds::reals)
    add(file.readAny(path).values);
  else if (file.holds(path) == H5File::Holds::integers)
    add(file.readAny<std::int64_t>(path).values);
  else if (shape.empty())
    bytes += file.readText(path);
  else
    for (const std::string& each : file.readStrings(path)) bytes += each + "\n";
}

inline std::map<std::string, std::string> datasetsOf(const std::filesystem::path& path) {
  std::map<std::string, std::string> all;
  collectDatasets(H5File::open(path), "/", all);
  return all;
}

/// Expects the same datasets in two files, byte for byte. The bytes of checkpoints are compared if padding is
/// cleared.
inline void expectSameDatasets(const std::filesystem::path& a, const std::filesystem::path& b) {
  const auto first = datasetsOf(a), second = datasetsOf(b);
  EXPECT_GT(first.size(), 10U);
  for (const auto& [path, bytes] : first) {
    ASSERT_TRUE(second.contains(path)) << path;
    if (!kClearsPadding && path.starts_with("/restart/")) continue;
    EXPECT_TRUE(second.at(path) == bytes) << path;
  }
  EXPECT_EQ(first.size(), second.size());
}

}  // namespace ricochet::test
