#pragma once

#include "io/hdf5/hdf5.hpp"

#include <cstddef>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace ricochet {

/// Functions shared by the implementation of hdf5.hpp. Without hdf5.h, so that this header compiles alone.

/// Throws ResultError "sdnd106.h5:/time: cannot write: <innermost reason of the HDF5 error stack>".
[[noreturn]] void throwResultError(std::string_view object, std::string_view action);

/// Disables HDF5's output of errors to stderr, because exceptions report them. HDF5 has this setting for each
/// thread: to be called in every thread that calls HDF5. Opening a file calls this function.
void disableErrorOutput();

/// Checks the result of an HDF5 call; a negative result means failure.
template <class Result>
Result checkHdf5Result(Result result, std::string_view object, std::string_view action) {
  if (result < 0) throwResultError(object, action);
  return result;
}

/// "sdnd106.h5:/time", for messages.
std::string labelOfObject(const H5File& file, std::string_view path);

/// HDF5 type of a T in memory, or (fixed size and byte order) in the file; must not be closed.
template <H5Number T>
H5Id::Handle memoryType();
template <H5Number T>
H5Id::Handle fileType();

/// String type of `length` bytes (at least one), padded with zeros; UTF-8.
H5Id stringType(std::size_t length);
/// Size in bytes of the strings of a type. Throws ResultError for strings of variable length, or another
/// type.
std::size_t stringLength(const H5Id& type, std::string_view object);
/// Strings padded to `length` and concatenated, as the type needs them.
std::vector<char> concatenatedStrings(std::span<const std::string> strings, std::size_t length);
std::vector<std::string> splitStrings(const std::vector<char>& bytes, std::size_t length);
/// Length of the longest string, at least 1.
std::size_t lengthOfLongestString(std::span<const std::string> strings);

H5Id createDataspace(const H5Shape& shape, std::string_view object);
/// True if an object has this path. Throws ResultError if a link on the path leads to another file.
bool isObjectInFile(const H5File& file, std::string_view path);
/// Throws ResultError if the values of an open dataset are stored in other files.
void requireValuesInSameFile(const H5Id& dataset, std::string_view object);
H5Id openObject(const H5File& file, std::string_view path);
/// Opens a dataset, with the given access properties or those of HDF5.
H5Id openDataset(const H5File& file, std::string_view path, const H5Id& access = {});
H5Shape shapeOfStoredDataset(const H5Id& dataset, std::string_view object);
std::size_t elementCountOf(const H5Shape& shape);
/// Shape of a dataset with this number of rows, or kAny, each of the shape `row`.
H5Shape shapeOfDatasetWithRows(std::size_t rows, const H5Shape& row);
/// Throws ResultError unless the shape agrees with the expected shape, which may contain kAny.
void requireShape(const H5Shape& shape, const H5Shape& expected, std::string_view object);

/// Creation properties of links (names in UTF-8), and properties without time stamps, so that files of equal
/// runs are equal.
H5Id linkProperties();
H5Id datasetProperties();
/// Length of the parts when `whole` is divided into equal parts of at most `most`.
inline std::size_t lengthOfEqualParts(std::size_t whole, std::size_t most) noexcept {
  const std::size_t parts = (whole + most - 1) / most;
  return (whole + parts - 1) / parts;
}

/// Chooses the layout of a dataset of fixed size. A small one is stored in its header, which has a checksum
/// of its own; a larger one in chunks of whole rows, if a row fits into a chunk.
void chooseDatasetLayout(const H5File& file, const H5Id& properties, const H5Shape& shape,
                         std::size_t elementBytes, std::string_view object);
/// Sets the chunks of a dataset, with their checksums.
void setChunkProperties(const H5File& file, const H5Id& properties, const H5Shape& chunk,
                        std::string_view object);

/// Creates a group with its parent groups, or the parent groups of an object.
/// `roomBytes`: reserved in the header of the last group for the links and attributes that it will have.
void createGroupWithParents(const H5File& file, std::string_view path, std::size_t roomBytes = 0);
void createParentGroups(const H5File& file, std::string_view path);

/// Writes the attributes of a new dataset.
void writeMeaningAttributes(const H5Id& dataset, const Meaning& meaning, std::string_view object);

/// Adds attributes to a new dataset before it has its path.
using DescribeDataset = std::function<void(const H5Id& dataset)>;

/// Creates a dataset, its parent groups and its attributes; `access` as for openDataset.
H5Id createDataset(const H5File& file, std::string_view path, H5Id::Handle type, const H5Id& space,
                   const H5Id& properties, const Meaning& meaning, const H5Id& access = {},
                   const DescribeDataset& describe = {});

/// Dataspace of a dataset with a selected box.
H5Id dataspaceWithSelection(const H5Id& dataset, const H5Shape& start, const H5Shape& extent,
                            std::string_view object, std::string_view action);

}  // namespace ricochet
