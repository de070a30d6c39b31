#include "io/hdf5/hdf5_history.hpp"

#include "io/hdf5/hdf5_detail.hpp"

#include <algorithm>
#include <functional>
#include <numeric>

namespace ricochet {

History::History(Element element, std::string path, Meaning meaning, H5Shape rowShape, std::vector<Axis> axes)
    : element_(element),
      path_(std::move(path)),
      meaning_(std::move(meaning)),
      rowShape_(std::move(rowShape)),
      rowSize_(std::accumulate(rowShape_.begin(), rowShape_.end(), std::size_t{1}, std::multiplies<>())),
      axes_(std::move(axes)) {}

History History::historyOfNumbers(std::string path, Meaning meaning, H5Shape rowShape,
                                  std::vector<Axis> axes) {
  return {Element::number, std::move(path), std::move(meaning), std::move(rowShape), std::move(axes)};
}

History History::historyOfNamedCodes(std::string path, Meaning meaning, ValueNames names, H5Shape rowShape,
                                     std::vector<Axis> axes) {
  History history{Element::named, std::move(path), std::move(meaning), std::move(rowShape), std::move(axes)};
  history.names_ = std::move(names);
  return history;
}

History History::historyOfStrings(std::string path, Meaning meaning, std::size_t length,
                                  std::vector<Axis> axes) {
  History history{Element::string, std::move(path), std::move(meaning), {}, std::move(axes)};
  history.length_ = length;
  return history;
}

H5Id History::namedOrStringType(const H5File& file) const {
  if (element_ == Element::number) return {};
  return element_ == Element::named ? enumerationOfNames(names_, labelOfObject(file, path_))
                                    : stringType(length_);
}

void History::create(const H5File& file, GrowingOptions options, NewAxes& axes) {
  options.rowShape = rowShape_;
  const H5Shape shape = shapeOfDatasetWithRows(options.rows.value_or(0), rowShape_);
  const H5Id type = namedOrStringType(file);
  dataset_.emplace(
      GrowingDataset::create(file, path_, meaning_, options, type ? type.get() : fileType<double>(),
                             [&](const H5Id& dataset) { axes.labelAllAxes(dataset, path_, shape, axes_); }));
  for (const auto& [name, value] : attributes_) file.setAttribute(path_, name, std::string_view(value));
}

void History::linkToEqualHistory(const H5File& file, const History& equal) {
  file.linkObject(path_, equal.path_);
  isShared_ = true;
}

std::string_view History::name() const { return std::string_view(path_).substr(path_.rfind('/') + 1); }

bool History::hasSameDescription(const History& other) const {
  return name() == other.name() && element_ == other.element_ && rowShape_ == other.rowShape_ &&
         meaning_.units == other.meaning_.units && meaning_.longName == other.meaning_.longName &&
         names_ == other.names_ && length_ == other.length_ && attributes_ == other.attributes_;
}

void History::open(const H5File& file) { dataset_.emplace(GrowingDataset::open(file, path_, rowShape_)); }

const History* EqualHistories::findEqualHistory(const History& history, std::span<const std::byte> values) {
  const std::string_view bytes(reinterpret_cast<const char*>(values.data()), values.size());
  const std::size_t hash = std::hash<std::string_view>{}(bytes);
  const H5Shape shape = shapeOfDatasetWithRows(rows_, history.rowShape_);
  for (auto [at, end] = known_.equal_range(hash); at != end; ++at) {
    const History& other = *at->second.history;
    if (std::ranges::equal(at->second.values, values) && history.hasSameDescription(other) &&
        axes_.haveSameScales(history.path_, history.axes_, other.path_, other.axes_, shape))
      return &other;
  }
  known_.emplace(hash, Known{&history, values});
  return nullptr;
}

}  // namespace ricochet
