#include "io/app/report/page_data.hpp"

#include "io/text/json.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <limits>
#include <string_view>

namespace ricochet {
namespace {

constexpr std::size_t kAlignment = 8;  // alignment of typed arrays in JavaScript [bytes]

/// True if float32 shows the values as well as float64 would.
bool isExactAsFloat32(std::span<const double> values) {
  constexpr double kLeastShare = 1e-3;  // float32 divides a smaller part of the size into visible steps
  double low = std::numeric_limits<double>::infinity(), high = -low, size = 0.0;
  for (const double value : values) {
    if (!std::isfinite(value)) continue;
    low = std::min(low, value);
    high = std::max(high, value);
    size = std::max(size, std::abs(value));
  }
  if (size == 0.0 || low > high) return true;
  if (size > 1e35 || size < 1e-30) return false;
  return low == high || high - low >= kLeastShare * size;
}

/// True for attributes that HDF5 and netCDF use for axes, and for attributes that the page shows elsewhere.
bool isStorageAttribute(std::string_view name) {
  constexpr std::array<std::string_view, 8> kNames{
      "CLASS",          "NAME",          "DIMENSION_LIST", "DIMENSION_LABELS",
      "REFERENCE_LIST", "_Netcdf4Dimid", "units",          "long_name"};
  return std::ranges::find(kNames, name) != kNames.end();
}

std::string datasetAsJson(const H5File& file, const std::string& path, PageData& data, std::size_t most) {
  JsonObject object;
  const H5Shape shape = file.shape(path);
  std::size_t size = 1;
  std::vector<std::string> extents;
  for (const std::size_t extent : shape) {
    size *= extent;
    extents.push_back(std::to_string(extent));
  }
  const Meaning meaning = file.meaning(path);
  object.addText("unit", meaning.units).addText("meaning", meaning.longName).add("shape", jsonArray(extents));
  object.add("attributes", attributesAsJson(file, path));
  const H5File::Holds holds = file.holds(path);
  if (size > most || holds == H5File::Holds::other) return object.add("leftOut", "true").text();
  if (holds == H5File::Holds::strings) {
    const bool single = shape.empty();
    return object
        .add("texts", jsonArrayOfStrings(single ? std::vector{file.readText(path)} : file.readStrings(path)))
        .text();
  }
  JsonObject names;
  for (const auto& [name, value] : file.valueNames(path)) names.addText(std::to_string(value), name);
  if (!names.empty()) object.add("names", names.text());
  if (holds == H5File::Holds::reals)
    return object.add("values", data.appendDoubles(file.readAny(path).values)).text();
  const std::vector<std::int64_t> integers = file.readAny<std::int64_t>(path).values;
  return object.add("values", data.appendDoubles(std::vector<double>(integers.begin(), integers.end())))
      .text();
}

}  // namespace

template <class T>
std::string PageData::appendTypedBlock(std::span<const T> values, const char* type) {
  block_.resize((block_.size() + kAlignment - 1) / kAlignment * kAlignment);
  const std::size_t at = block_.size();
  block_.resize(at + values.size_bytes());
  if (!values.empty()) std::memcpy(block_.data() + at, values.data(), values.size_bytes());
  return fmt::format(R"({{"at":{},"n":{},"type":"{}"}})", at, values.size(), type);
}

std::string PageData::appendReals(std::span<const double> values) {
  if (!isExactAsFloat32(values)) return appendDoubles(values);
  std::vector<float> single(values.size());
  std::ranges::transform(values, single.begin(), [](double value) { return static_cast<float>(value); });
  return appendTypedBlock(std::span<const float>(single), "f4");
}

std::string PageData::appendDoubles(std::span<const double> values) { return appendTypedBlock(values, "f8"); }
std::string PageData::appendIntegers(std::span<const std::int32_t> values) {
  return appendTypedBlock(values, "i4");
}
std::string PageData::appendBytes(std::span<const std::int8_t> values) {
  return appendTypedBlock(values, "i1");
}

std::string PageData::base64() const {
  constexpr std::string_view kLetters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string text;
  text.reserve((block_.size() + 2) / 3 * 4);
  for (std::size_t i = 0; i < block_.size(); i += 3) {
    const std::size_t rest = std::min<std::size_t>(block_.size() - i, 3);
    std::uint32_t three = static_cast<std::uint32_t>(block_[i]) << 16U;
    if (rest > 1) three |= static_cast<std::uint32_t>(block_[i + 1]) << 8U;
    if (rest > 2) three |= block_[i + 2];
    text += kLetters[three >> 18U];
    text += kLetters[three >> 12U & 63U];
    text += rest > 1 ? kLetters[three >> 6U & 63U] : '=';
    text += rest > 2 ? kLetters[three & 63U] : '=';
  }
  return text;
}

std::string attributesAsJson(const H5File& file, const std::string& group) {
  JsonObject object;
  for (const std::string& name : file.attributes(group)) {
    if (isStorageAttribute(name)) continue;
    if (file.isTextAttribute(group, name)) {
      const std::vector<std::string> texts = file.stringsAttribute(group, name);
      object.add(name, texts.size() == 1 ? jsonString(texts.front()) : jsonArrayOfStrings(texts));
      continue;
    }
    std::vector<std::string> numbers;
    for (const double number : file.numbersAttribute(group, name)) numbers.push_back(jsonNumber(number));
    object.add(name, numbers.size() == 1 ? numbers.front() : jsonArray(numbers));
  }
  return object.text();
}

std::string groupAsJson(const H5File& file, const std::string& group, PageData& data, std::size_t most) {
  JsonObject datasets, groups;
  for (const std::string& name : file.namesOfGroupMembers(group)) {
    const std::string path = group + "/" + name;
    if (file.isDataset(path))
      datasets.add(name, datasetAsJson(file, path, data, most));
    else
      groups.add(name, groupAsJson(file, path, data, most));
  }
  JsonObject object;
  object.add("attributes", attributesAsJson(file, group)).add("data", datasets.text());
  return object.add("groups", groups.text()).text();
}

}  // namespace ricochet
