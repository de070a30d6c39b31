#pragma once

#include "io/hdf5/hdf5_axes.hpp"
#include "io/hdf5/hdf5_rows.hpp"

#include <cstddef>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace ricochet {

/// A dataset with a row for each instant or event, described before it is created: when its first rows are
/// written it is known whether more can follow, and a dataset that will not grow takes less space.
class History {
 public:
  /// `axes`: axes of all dimensions, the first of them that of the rows.
  static History ofNumbers(std::string path, Meaning meaning, H5Shape rowShape, std::vector<Axis> axes);
  static History ofNamedCodes(std::string path, Meaning meaning, ValueNames names, H5Shape rowShape,
                              std::vector<Axis> axes);
  /// Strings of at most `length` bytes.
  static History ofStrings(std::string path, Meaning meaning, std::size_t length, std::vector<Axis> axes);

  /// Adds an attribute, which is written when the dataset is created.
  void setAttribute(std::string name, std::string value) {
    attributes_.emplace_back(std::move(name), std::move(value));
  }

  const std::string& path() const noexcept { return path_; }
  std::size_t rowSize() const noexcept { return rowSize_; }  ///< values per row

  /// Creates the dataset; the shape of a row of `options` is not used.
  void create(const H5File& file, GrowingOptions options, NewAxes& axes);
  /// Opens the existing dataset.
  void open(const H5File& file);

  /// The dataset, once it has been created or opened.
  GrowingDataset& dataset() { return dataset_.value(); }

 private:
  enum class Element { number, named, string };
  History(Element element, std::string path, Meaning meaning, H5Shape rowShape, std::vector<Axis> axes);
  /// HDF5 type of named values or strings; none for numbers.
  H5Id namedOrStringType(const H5File& file) const;

  Element element_;
  std::string path_;
  Meaning meaning_;
  H5Shape rowShape_;
  std::size_t rowSize_;
  std::vector<Axis> axes_;
  ValueNames names_{};
  std::size_t length_{0};  // of strings
  std::vector<std::pair<std::string, std::string>> attributes_{};
  std::optional<GrowingDataset> dataset_{};
};

}  // namespace ricochet
