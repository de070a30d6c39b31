#include "io/toml/section.hpp"
#include "physical/types.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <utility>

namespace ricochet {

namespace {

std::string pathOfElement(const std::string& path, std::size_t index) {
  return fmt::format("{}[{}]", path, index);
}

bool isArraySizeAllowed(std::size_t size, const Sizes& sizes) {
  return sizes.empty() || std::find(sizes.begin(), sizes.end(), size) != sizes.end();
}

/// Text "an array of 3 or 6 numbers"; without sizes "an array of numbers".
std::string expectedArrayText(const Sizes& sizes, std::string_view what) {
  std::string text;
  for (const std::size_t size : sizes) text += fmt::format("{}{}", text.empty() ? "" : " or ", size);
  return fmt::format("an array of {}{}{}", text, text.empty() ? "" : " ", what);
}

/// Text "numbers in m" of the unit of a range.
std::string expectedNumbersWithUnit(const Range& range) {
  return range.unit.empty() || range.unit == "-" ? "numbers" : fmt::format("numbers in {}", range.unit);
}

/// Text "a 3x3 or 6x6 matrix [[..], ..]" of the allowed shapes.
std::string expectedMatrixText(const MatrixShapes& shapes) {
  std::string text;
  for (const MatrixShape& shape : shapes)
    text += fmt::format("{}{}x{}", text.empty() ? "" : " or ", shape.rows, shape.columns);
  return fmt::format("a {}{}matrix [[..], ..]", text, text.empty() ? "" : " ");
}

/// Valid numbers that replace an invalid array.
std::vector<double> placeholderNumbers(const Sizes& sizes, const Range& range) {
  return std::vector<double>(sizes.empty() ? 0 : sizes.front(), range.valueWithinRange());
}

Matrix placeholderMatrix(const MatrixShapes& shapes) {
  return shapes.empty() ? Matrix{} : Matrix::Zero(shapes.front().rows, shapes.front().columns);
}

}  // namespace

const InputValue::Array* Section::readArray(const InputValue& value, const std::string& path,
                                            std::string_view what, const Sizes& sizes) const {
  const InputValue::Array* array = value.array();
  if (array == nullptr || !isArraySizeAllowed(array->size(), sizes))
    reportInvalidValue(
        value, path,
        fmt::format("must be {}, got {}", expectedArrayText(sizes, what), value.describeValue()));
  return array;
}

std::vector<double> Section::readNumbers(const InputValue& value, const std::string& path, const Sizes& sizes,
                                         const Range& range) const {
  const InputValue::Array* array = readArray(value, path, "numbers", sizes);
  if (array == nullptr) return placeholderNumbers(sizes, range);
  std::vector<double> numbers;
  numbers.reserve(array->size());
  constexpr std::size_t kTranslations = 3;
  Range own = range;
  for (std::size_t i = 0; i < array->size(); ++i) {
    if (i == kTranslations && !range.turningUnit.empty()) own.unit = range.turningUnit;
    numbers.push_back(readNumber((*array)[i], pathOfElement(path, i), own));
  }
  return isArraySizeAllowed(numbers.size(), sizes) ? numbers : placeholderNumbers(sizes, range);
}

std::optional<std::vector<double>> Section::numbers(std::string_view key, const Sizes& sizes,
                                                    const Range& range) const {
  const InputValue* value = valueOfKey(key);
  if (value == nullptr) return std::nullopt;
  return readNumbers(*value, pathOf(key), sizes, range);
}

std::vector<double> Section::numbers(std::string_view key, Required, const Sizes& sizes,
                                     const Range& range) const {
  const InputValue* value =
      valueOfKey(key, fmt::format("it must be {}", expectedArrayText(sizes, expectedNumbersWithUnit(range))));
  return value == nullptr ? placeholderNumbers(sizes, range) : readNumbers(*value, pathOf(key), sizes, range);
}

Vec3 Section::readVector3(const InputValue& value, const std::string& path, const Range& range) const {
  const std::vector<double> found = readNumbers(value, path, {3}, range);
  return {found[0], found[1], found[2]};
}

std::optional<Vec3> Section::vector3(std::string_view key, const Range& range) const {
  const InputValue* value = valueOfKey(key);
  if (value == nullptr) return std::nullopt;
  return readVector3(*value, pathOf(key), range);
}

Vec3 Section::vector3(std::string_view key, Required, const Range& range) const {
  valueOfKey(key, "it must be " + expectedArrayText({3}, expectedNumbersWithUnit(range)));
  return vector3(key, range).value_or(Vec3::Constant(range.valueWithinRange()));
}

Vec3 Section::readDirection(const InputValue& value, const std::string& path) const {
  const std::size_t before = problemCount();
  const Vec3 found = readVector3(value, path, {});
  if (problemCount() != before) return Vec3::UnitX();
  const double length = found.stableNorm();
  if (length > 0.0) return found / length;
  reportInvalidValue(value, path, "must not be zero");
  return Vec3::UnitX();
}

std::optional<Vec3> Section::direction(std::string_view key) const {
  const InputValue* value = valueOfKey(key);
  if (value == nullptr) return std::nullopt;
  return readDirection(*value, pathOf(key));
}

Vec3 Section::direction(std::string_view key, Required) const {
  valueOfKey(key, "it must be an array of 3 numbers");
  return direction(key).value_or(Vec3::UnitX());
}

std::optional<std::vector<NumberOrString>> Section::numbersOrStrings(std::string_view key,
                                                                     const Sizes& sizes) const {
  const InputValue* value = valueOfKey(key);
  if (value == nullptr) return std::nullopt;
  const std::string path = pathOf(key);
  std::vector<NumberOrString> found;
  if (const InputValue::Array* array = readArray(*value, path, "numbers or strings", sizes)) {
    for (std::size_t i = 0; i < array->size(); ++i)
      found.push_back(readNumberOrString((*array)[i], pathOfElement(path, i), {}, {}));
  }
  if (!isArraySizeAllowed(found.size(), sizes)) found.assign(sizes.front(), 0.0);
  return found;
}

Matrix Section::readMatrix(const InputValue& value, const std::string& path,
                           const MatrixShapes& shapes) const {
  const InputValue::Array* rows = value.array();
  if (rows == nullptr || rows->empty() || rows->front().array() == nullptr) {
    reportInvalidValue(value, path,
                       fmt::format("must be {}, got {}", expectedMatrixText(shapes), value.describeValue()));
    return placeholderMatrix(shapes);
  }
  const std::size_t before = problemCount();
  const std::size_t width = rows->front().array()->size();
  Matrix matrix(static_cast<Eigen::Index>(rows->size()), static_cast<Eigen::Index>(width));
  for (std::size_t i = 0; i < rows->size(); ++i) {
    const std::vector<double> row = readNumbers((*rows)[i], pathOfElement(path, i), {width}, {});
    matrix.row(static_cast<Eigen::Index>(i)) =
        Eigen::Map<const Eigen::RowVectorXd>(row.data(), static_cast<Eigen::Index>(row.size()));
  }
  const bool allowed = std::any_of(shapes.begin(), shapes.end(), [&matrix](const MatrixShape& shape) {
    return shape.rows == matrix.rows() && shape.columns == matrix.cols();
  });
  const bool rectangular = problemCount() == before;
  if (allowed || shapes.empty() || !rectangular) return rectangular ? matrix : placeholderMatrix(shapes);
  reportInvalidValue(
      value, path,
      fmt::format("must be {}, got {}x{}", expectedMatrixText(shapes), matrix.rows(), matrix.cols()));
  return placeholderMatrix(shapes);
}

std::optional<Matrix> Section::matrix(std::string_view key, const MatrixShapes& shapes) const {
  const InputValue* value = valueOfKey(key);
  if (value == nullptr) return std::nullopt;
  return readMatrix(*value, pathOf(key), shapes);
}

Matrix Section::matrix(std::string_view key, Required, const MatrixShapes& shapes) const {
  const InputValue* value = valueOfKey(key, fmt::format("it must be {}", expectedMatrixText(shapes)));
  return value == nullptr ? placeholderMatrix(shapes) : readMatrix(*value, pathOf(key), shapes);
}

std::vector<Located<std::string>> Section::readStrings(const InputValue& value, const std::string& path,
                                                       const NameList& allowed) const {
  std::vector<Located<std::string>> found;
  const auto read = [&](const InputValue& element, const std::string& at) {
    if (!std::holds_alternative<std::string>(element.content)) {
      const std::string_view needed =
          value.array() == nullptr ? "a string or an array of strings" : "a string";
      reportInvalidValue(element, at, fmt::format("must be {}, got {}", needed, element.describeValue()));
      return;
    }
    std::optional<std::string> text = std::get<std::string>(element.content);
    if (!allowed.empty()) text = readChoice(element, at, allowed);
    if (text) found.push_back({std::move(*text), sourceLocationOf(element), at});
  };
  if (const InputValue::Array* array = value.array()) {
    for (std::size_t i = 0; i < array->size(); ++i) read((*array)[i], pathOfElement(path, i));
  } else {
    read(value, path);
  }
  return found;
}

std::optional<std::vector<Located<std::string>>> Section::strings(std::string_view key) const {
  return choices(key, {});
}

std::vector<Located<std::string>> Section::strings(std::string_view key, Required) const {
  return choices(key, kRequired, {});
}

std::optional<std::vector<Located<std::string>>> Section::choices(std::string_view key,
                                                                  const NameList& allowed) const {
  const InputValue* value = valueOfKey(key);
  if (value == nullptr) return std::nullopt;
  return readStrings(*value, pathOf(key), allowed);
}

std::vector<Located<std::string>> Section::choices(std::string_view key, Required,
                                                   const NameList& allowed) const {
  const InputValue* value = valueOfKey(key, "it must be a string or an array of strings");
  if (value == nullptr) return {};
  if (value->array() != nullptr && value->array()->empty())
    reportInvalidValue(*value, pathOf(key), "must hold at least one string");
  return readStrings(*value, pathOf(key), allowed);
}

}  // namespace ricochet
