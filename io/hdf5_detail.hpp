#pragma once

#include "io/hdf5.hpp"

#include <cstddef>
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

H5Id stringType();  ///< variable length, UTF-8
H5Id createSpace(const H5Shape& shape, std::string_view object);
/// Whether there is an object of this path. Throws ResultError where a link on the way leads elsewhere.
bool isInside(const H5File& file, std::string_view path);
/// Throws ResultError where the values of an open dataset lie in other files.
void requireOwnValues(const H5Id& dataset, std::string_view object);
H5Id openObject(const H5File& file, std::string_view path);
H5Id openDataset(const H5File& file, std::string_view path);
H5Shape shapeOf(const H5Id& dataset, std::string_view object);
std::size_t sizeOf(const H5Shape& shape);

/// Copies strings that HDF5 allocated and frees those.
std::vector<std::string> takeStrings(const std::vector<char*>& starts);

/// Properties: of links (groups on the way are made, names are UTF-8), and of what stays the same in
/// every run (no time stamps).
H5Id linkProperties();
H5Id datasetProperties();

void setMeaning(const H5File& file, std::string_view path, const Meaning& meaning);

}  // namespace ricochet
