#pragma once

#include "io/hdf5/hdf5_axes.hpp"
#include "io/hdf5/hdf5_rows.hpp"

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

namespace ricochet {

/// A dataset with a row for each instant or event, described before it is created: when its first rows are
/// written it is known whether more can follow, and a dataset that will not grow takes less space.
class History {
 public:
  /// `axes`: axes of all dimensions, the first of them that of the rows.
  static History historyOfNumbers(std::string path, Meaning meaning, H5Shape rowShape,
                                  std::vector<Axis> axes);
  static History historyOfNamedCodes(std::string path, Meaning meaning, ValueNames names, H5Shape rowShape,
                                     std::vector<Axis> axes);
  /// Strings of at most `length` bytes.
  static History historyOfStrings(std::string path, Meaning meaning, std::size_t length,
                                  std::vector<Axis> axes);

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

  /// Adds another path to the dataset of an equal history, instead of creating a dataset that is the same.
  void linkToEqualHistory(const H5File& file, const History& equal);

  /// The dataset, once it has been created or opened.
  GrowingDataset& dataset() { return dataset_.value(); }
  /// True if the dataset is that of an equal history, which has been written or will be.
  bool isSharedDataset() const noexcept { return isShared_; }

 private:
  friend class EqualHistories;
  enum class Element { number, named, string };
  History(Element element, std::string path, Meaning meaning, H5Shape rowShape, std::vector<Axis> axes);
  std::string_view name() const;  ///< last part of the path
  /// True if datasets of both have the same name, type, shape of a row and attributes.
  bool hasSameDescription(const History& other) const;
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
  bool isShared_{false};
};

/// Finds equal histories, all rows of which are known: contacts that stay open have no force, those under a
/// prescribed force the same. Equal ones are one dataset with a path in each group; its header takes more
/// space than its values where the rows are few.
class EqualHistories {
 public:
  EqualHistories(std::size_t rows, NewAxes& axes) : rows_(rows), axes_(axes) {}

  /// Returns an earlier history with the same name, description, axes and values, or null: then later ones
  /// can be equal to this one. History and values must exist as long as this object.
  const History* findEqualHistory(const History& history, std::span<const std::byte> values);

 private:
  struct Known {
    const History* history;
    std::span<const std::byte> values;
  };

  std::size_t rows_;
  NewAxes& axes_;
  std::unordered_multimap<std::size_t, Known> known_;  // by a hash of the values
};

}  // namespace ricochet
