#pragma once

#include "io/hdf5/hdf5.hpp"

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace ricochet {

/// What the sources behind hdf5.hpp share. Free of hdf5.h, so that it compiles alone like every header.

/// Throws ResultError "sdnd106.h5:/time: cannot write: <innermost reason of the HDF5 error stack>".
[[noreturn]] void throwResultError(std::string_view object, std::string_view action);

/// Reasons go into exceptions, not to stderr: to be called in every thread that calls HDF5, which has a
/// switch for each. Opening a file does.
void quietErrors();

/// The result of an HDF5 call; negative means failure in all of them.
template <class Result>
Result checkH5(Result result, std::string_view object, std::string_view action) {
  if (result < 0) throwResultError(object, action);
  return result;
}

/// "sdnd106.h5:/time", for messages.
std::string objectLabel(const H5File& file, std::string_view path);

/// Type of a T in memory or, of fixed size and byte order, in the file; never to be closed.
template <H5Number T>
H5Id::Handle memoryType();
template <H5Number T>
H5Id::Handle fileType();

/// Of `length` bytes (at least one), filled up with zeros; UTF-8.
H5Id stringType(std::size_t length);
/// The size in bytes of the strings of a type. Throws ResultError where it holds others, or none.
std::size_t stringLength(const H5Id& type, std::string_view object);
/// Strings side by side, as such a type has them.
std::vector<char> sideBySide(std::span<const std::string> strings, std::size_t length);
std::vector<std::string> takenApart(const std::vector<char>& bytes, std::size_t length);
/// The longest of them, at least 1.
std::size_t longestOf(std::span<const std::string> strings);

H5Id createSpace(const H5Shape& shape, std::string_view object);
/// Whether there is an object of this path. Throws ResultError where a link on the way leads elsewhere.
bool isInside(const H5File& file, std::string_view path);
/// Throws ResultError where the values of an open dataset lie in other files.
void requireOwnValues(const H5Id& dataset, std::string_view object);
H5Id openObject(const H5File& file, std::string_view path);
/// With access properties of HDF5, or its own.
H5Id openDataset(const H5File& file, std::string_view path, const H5Id& access = {});
H5Shape shapeOf(const H5Id& dataset, std::string_view object);
std::size_t sizeOf(const H5Shape& shape);
/// The shape of a dataset of so many rows, or kAny, of the shape `row`.
H5Shape shapeOfRows(std::size_t rows, const H5Shape& row);
/// Throws ResultError unless a shape is the expected one, which may hold kAny.
void requireShape(const H5Shape& shape, const H5Shape& expected, std::string_view object);

/// Properties: of links (names are UTF-8), and of what stays the same in every run (no time stamps).
H5Id linkProperties();
H5Id datasetProperties();
/// The length of the parts of a whole that are as long as each other, and no longer than `most`.
inline std::size_t evenPart(std::size_t whole, std::size_t most) noexcept {
  const std::size_t parts = (whole + most - 1) / most;
  return (whole + parts - 1) / parts;
}

/// Divides a dataset into chunks, which have checksums.
void divide(const H5File& file, const H5Id& properties, const H5Shape& chunk, std::string_view object);

/// Makes a group and those that it is in, or those that an object is in.
void createGroups(const H5File& file, std::string_view path);
void createGroupOf(const H5File& file, std::string_view path);

void setMeaning(const H5File& file, std::string_view path, const Meaning& meaning);

/// Makes a dataset, the groups that it is in, and what it says of itself; `access` as of openDataset.
H5Id createDataset(const H5File& file, std::string_view path, H5Id::Handle type, const H5Id& space,
                   const H5Id& properties, const Meaning& meaning, const H5Id& access = {});

/// The space of a dataset with a box of it selected.
H5Id selectedSpace(const H5Id& dataset, const H5Shape& start, const H5Shape& extent, std::string_view object,
                   std::string_view action);

}  // namespace ricochet
