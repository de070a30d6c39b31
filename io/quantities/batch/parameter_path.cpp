#include "io/quantities/batch/parameter_path.hpp"

#include "engine/numerics/near_name.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <optional>
#include <utility>

namespace ricochet {
namespace {

bool isNumericValue(const InputValue& value) {
  return std::holds_alternative<double>(value.content) || std::holds_alternative<std::int64_t>(value.content);
}

/// True for a value that one line of the deck gives, which is neither a table nor an array of tables.
bool isWrittenOnOneLine(const InputValue& value) {
  if (value.table() != nullptr) return false;
  const InputValue::Array* array = value.array();
  return array == nullptr || array->empty() || array->front().table() == nullptr;
}

/// Condition that the value at the end of a path must satisfy.
using Wanted = bool (*)(const InputValue&);

const std::string* nameOfArrayEntry(const InputValue& value) {
  const InputValue* name = value.find("name");
  return name == nullptr ? nullptr : std::get_if<std::string>(&name->content);
}

std::optional<std::size_t> parseArrayIndex(std::string_view text) {
  std::size_t index = 0;
  const auto read = std::from_chars(text.data(), text.data() + text.size(), index);
  if (read.ec != std::errc() || read.ptr != text.data() + text.size()) return std::nullopt;
  return index;
}

/// The element of an array with this name or index; null if there is none.
const InputValue* findArrayElement(const InputValue::Array& array, std::string_view key) {
  for (const InputValue& element : array)
    if (const std::string* name = nameOfArrayEntry(element); name != nullptr && *name == key) return &element;
  const std::optional<std::size_t> index = parseArrayIndex(key);
  return index && *index < array.size() ? &array[*index] : nullptr;
}

/// Value at the end of the path. Names may contain dots: all ways to split the path are tried, the shortest
/// key first.
const InputValue* valueAtPath(const InputValue& from, std::string_view path, Wanted isWanted) {
  for (std::size_t end = path.find('.');; end = path.find('.', end + 1)) {
    const bool whole = end == std::string_view::npos;
    const std::string_view key = path.substr(0, end);
    const InputValue* next = from.array() != nullptr ? findArrayElement(*from.array(), key) : from.find(key);
    if (next != nullptr && whole && isWanted(*next)) return next;
    if (next != nullptr && !whole)
      if (const InputValue* found = valueAtPath(*next, path.substr(end + 1), isWanted)) return found;
    if (whole) return nullptr;
  }
}

void collectParameterPaths(const InputValue& value, const std::string& path, Wanted isWanted,
                           std::vector<std::string>& paths) {
  const auto below = [&](std::string_view key) {
    return path.empty() ? std::string(key) : fmt::format("{}.{}", path, key);
  };
  if (isWanted(value)) paths.push_back(path);
  if (value.table() != nullptr)
    for (const InputEntry& entry : *value.table())
      if (!path.empty() || isWanted != isNumericValue || (entry.key != "batch" && entry.key != "checks"))
        collectParameterPaths(entry.value, below(entry.key), isWanted, paths);
  if (value.array() == nullptr) return;
  for (std::size_t i = 0; i < value.array()->size(); ++i) {
    const InputValue& element = (*value.array())[i];
    const std::string* name = nameOfArrayEntry(element);
    collectParameterPaths(element, below(name != nullptr ? *name : std::to_string(i)), isWanted, paths);
  }
}

std::string mostSimilarPaths(std::vector<std::string> paths, std::string_view path) {
  std::stable_sort(paths.begin(), paths.end(), [&](const std::string& a, const std::string& b) {
    return nameDistance(path, a) < nameDistance(path, b);
  });
  constexpr std::size_t kShown = 3;
  paths.resize(std::min(paths.size(), kShown));
  return joinNames(paths);
}

}  // namespace

const InputValue* findNumericValue(const Document& document, std::string_view path) {
  if (path.starts_with("batch.") || path.starts_with("checks.")) return nullptr;
  return valueAtPath(document.root, path, isNumericValue);
}

InputValue* findNumericValue(Document& document, std::string_view path) {
  // the document itself is not constant
  return const_cast<InputValue*>(findNumericValue(static_cast<const Document&>(document), path));  // NOLINT
}

std::vector<std::string> numericPaths(const Document& document) {
  std::vector<std::string> paths;
  collectParameterPaths(document.root, "", isNumericValue, paths);
  return paths;
}

std::string describeMissingNumber(const Document& document, std::string_view path) {
  return fmt::format("leads to no number of the deck; the nearest are {}",
                     mostSimilarPaths(numericPaths(document), path));
}

const InputValue* findValueAtPath(const Document& document, std::string_view path) {
  if (const InputValue* given = valueAtPath(document.root, path, isWrittenOnOneLine)) return given;
  const InputValue* tables = findTableOrListAtPath(document, path);
  if (tables == nullptr) return nullptr;
  // tables that one value gives begin with a brace; those under headers have no place of their own
  const InputValue& first = tables->array() != nullptr ? tables->array()->front() : *tables;
  return document.textFromPlace(first.line, first.column).starts_with('{') ? tables : nullptr;
}

const InputValue* findTableOrListAtPath(const Document& document, std::string_view path) {
  return valueAtPath(document.root, path, [](const InputValue& value) { return !isWrittenOnOneLine(value); });
}

const InputValue* findTableAtPath(const Document& document, std::string_view path) {
  return valueAtPath(document.root, path, [](const InputValue& value) { return value.table() != nullptr; });
}

std::string describeMissingValue(const Document& document, std::string_view path) {
  std::vector<std::string> paths;
  collectParameterPaths(document.root, "", isWrittenOnOneLine, paths);
  return fmt::format("leads to no value that the deck gives; the nearest are {}",
                     mostSimilarPaths(std::move(paths), path));
}

void replaceNumberInDeck(InputValue& place, double value) {
  constexpr double kExact = 9007199254740992.0;  // largest exact integer, 2^53
  if (std::holds_alternative<std::int64_t>(place.content) && value == std::floor(value) &&
      std::abs(value) < kExact)
    place.content = static_cast<std::int64_t>(value);
  else
    place.content = value;
}

}  // namespace ricochet
