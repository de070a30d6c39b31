#pragma once

#include "io/text/input_error.hpp"
#include "io/toml/default_taken.hpp"
#include "io/toml/document.hpp"
#include "physical/matrix_names.hpp"

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <memory>
#include <optional>
#include <ranges>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace ricochet {

/// Marks a key as required: `section.number("step", kRequired, above(0.0, "s"))`.
struct Required {};
inline constexpr Required kRequired{};

/// Bounds of a number and its unit, for the check and its message. Without bounds: any finite number.
struct Range {
  std::optional<double> lowest{};   ///< value >= lowest
  std::optional<double> above{};    ///< value > above
  std::optional<double> highest{};  ///< value <= highest
  std::optional<double> below{};    ///< value < below
  std::string_view unit{};          ///< unit; "" and "-" are not shown
  std::string_view turningUnit{};   ///< unit of the components of an array from the fourth on: of rotations
  std::optional<double> example{};  ///< a usual value, for the message about a number that is missing

  bool contains(double value) const noexcept;
  std::string text() const;         ///< "at least 0 N/m"
  std::string exampleText() const;  ///< the example, or one of the unit, as a deck writes it: "1.0e6"
  double valueWithinRange() const noexcept;  ///< 0, or a value inside the range if 0 is outside
};

inline Range rangeAtLeast(double lowest, std::string_view unit = {}) {
  return {.lowest = lowest, .unit = unit};
}
inline Range rangeAbove(double bound, std::string_view unit = {}) { return {.above = bound, .unit = unit}; }
inline Range rangeWithin(double lowest, double highest, std::string_view unit = {}) {
  return {.lowest = lowest, .highest = highest, .unit = unit};
}

/// Remedy for a string that begins with a number, such as "1e6 N/m": "; write 1.0e6 without quotes, in N/m".
/// Empty for another string.
std::string remedyForQuotedNumber(std::string_view text, std::string_view unit);

template <class T>
concept NameRange =
    std::ranges::input_range<T> && std::convertible_to<std::ranges::range_reference_t<T>, std::string_view>;

/// List of names for the duration of a call: `{"plane", "slot"}` or any range of strings.
class NameList {
 public:
  NameList() = default;
  NameList(std::initializer_list<std::string_view> names) : names_(names) {}
  template <NameRange Names>
  NameList(const Names& names)  // NOLINT(google-explicit-constructor): names stand where a list is wanted
      : names_(std::begin(names), std::end(names)) {}

  auto begin() const noexcept { return names_.begin(); }
  auto end() const noexcept { return names_.end(); }
  bool empty() const noexcept { return names_.empty(); }
  bool contains(std::string_view name) const noexcept;

 private:
  std::vector<std::string_view> names_;
};

enum class ValueKind { absent, boolean, integer, number, string, date, array, table };

using NumberOrString = std::variant<double, std::string>;
using Sizes = std::vector<std::size_t>;  ///< allowed lengths; none: any

struct MatrixShape {
  int rows{0};
  int columns{0};
};
using MatrixShapes = std::vector<MatrixShape>;  ///< allowed shapes; none: any rectangle

struct NamedSection;

/// One table of a deck, read key by key. Each reading function states the valid values of the key. An invalid
/// value is reported as a problem with file, line and column, and reading continues with a neutral value, so
/// that all problems of a deck are reported together. `finish` then reports every key that was not read.
///
/// A function that returns an optional returns a value exactly if the key is present, even if its value is
/// invalid. A missing or invalid section returns neutral values without further problems: its own problem has
/// been reported.
///
/// Copies refer to the same table and share its bookkeeping. The document and the diagnostics must outlive
/// the sections.
class Section {
 public:
  Section(const Document& document, Diagnostics& diagnostics);
  // a temporary document would not outlive the section
  Section(const Document&& document, Diagnostics& diagnostics) = delete;

  bool exists() const noexcept;
  const std::string& path() const noexcept;
  std::string pathOf(std::string_view key) const;
  Diagnostics& diagnostics() const noexcept;

  /// Place of the section, of the value of a key, or of one of its elements. A missing value has the place of
  /// the section.
  SourceLocation where() const;
  SourceLocation where(std::string_view key) const;
  SourceLocation where(std::string_view key, std::size_t index) const;

  /// Place of a character in the string of a key, counted from 0. The place of the string itself if its text
  /// differs from the file (escapes, several lines).
  SourceLocation sourceLocationInString(std::string_view key, std::size_t offset) const;

  // ---- keys that are present ----

  bool hasKey(std::string_view key) const;
  ValueKind kind(std::string_view key) const;

  /// Name of the present key among `keys`; empty if none is present. Two present keys are a problem.
  std::string onlyPresentKeyOf(const NameList& keys) const;
  std::string onlyPresentKeyOf(Required, const NameList& keys) const;

  /// All keys of a table with free names ("groups"), in the order of the file.
  std::vector<Located<std::string>> keys() const;

  // ---- functions that read one value ----

  std::optional<double> number(std::string_view key, const Range& range = {}) const;
  double number(std::string_view key, Required, const Range& range = {}) const;
  double number(std::string_view key, double fallback, const Range& range = {}) const;

  std::optional<int> integer(std::string_view key, const Range& range = {}) const;
  int integer(std::string_view key, Required, const Range& range = {}) const;
  int integer(std::string_view key, int fallback, const Range& range = {}) const;
  std::int64_t longInteger(std::string_view key, std::int64_t fallback, const Range& range = {}) const;

  std::optional<bool> boolean(std::string_view key) const;
  bool boolean(std::string_view key, bool fallback) const;

  std::optional<std::string> string(std::string_view key) const;
  std::string string(std::string_view key, Required) const;
  std::string string(std::string_view key, std::string_view fallback) const;

  /// Reads one of `allowed`. Any other value returns the fallback, or "" (see `acceptAllFurtherKeys`).
  std::optional<std::string> choice(std::string_view key, const NameList& allowed) const;
  std::string choice(std::string_view key, Required, const NameList& allowed) const;
  std::string choice(std::string_view key, std::string_view fallback, const NameList& allowed) const;

  /// Reads a number or a string; the string must be one of `words`, if there are any.
  std::optional<NumberOrString> numberOrString(std::string_view key, const Range& range = {},
                                               const NameList& words = {}) const;
  NumberOrString numberOrString(std::string_view key, Required, const Range& range = {},
                                const NameList& words = {}) const;

  // ---- functions that read several values; an invalid array has the first of the allowed sizes ----

  std::optional<std::vector<double>> numbers(std::string_view key, const Sizes& sizes = {},
                                             const Range& range = {}) const;
  std::vector<double> numbers(std::string_view key, Required, const Sizes& sizes = {},
                              const Range& range = {}) const;

  std::optional<Vec3> vector3(std::string_view key, const Range& range = {}) const;
  Vec3 vector3(std::string_view key, Required, const Range& range = {}) const;

  /// Reads a non-zero vector, normalised to unit length; global x if it is invalid.
  std::optional<Vec3> direction(std::string_view key) const;
  Vec3 direction(std::string_view key, Required) const;

  /// Reads an array whose elements are numbers or strings, such as names of functions.
  std::optional<std::vector<NumberOrString>> numbersOrStrings(std::string_view key,
                                                              const Sizes& sizes = {}) const;

  std::optional<Matrix> matrix(std::string_view key, const MatrixShapes& shapes = {}) const;
  Matrix matrix(std::string_view key, Required, const MatrixShapes& shapes = {}) const;

  /// Reads one string or an array of strings, each with its place; if required, at least one.
  std::optional<std::vector<Located<std::string>>> strings(std::string_view key) const;
  std::vector<Located<std::string>> strings(std::string_view key, Required) const;

  /// Reads strings; strings that are not allowed are reported and omitted.
  std::optional<std::vector<Located<std::string>>> choices(std::string_view key,
                                                           const NameList& allowed) const;
  std::vector<Located<std::string>> choices(std::string_view key, Required, const NameList& allowed) const;

  // ---- functions that open sections ----

  std::optional<Section> section(std::string_view key) const;
  Section section(std::string_view key, Required) const;

  /// The tables of [[key]] or of an array of inline tables; if required, at least one.
  std::vector<Section> sections(std::string_view key) const;
  std::vector<Section> sections(std::string_view key, Required) const;

  /// All tables inside this table, whose names are free ("materials"), in the order of the file.
  std::vector<NamedSection> namedSections() const;

  // ---- functions that report problems ----

  void problem(std::string text) const;
  void problem(std::string_view key, std::string text) const;
  void problem(std::string_view key, std::size_t index, std::string text) const;

  /// Reports keys that belong to the deck format and are not supported by this version.
  void reportUnsupportedKeys(const NameList& keys) const;

  /// Accepts all further keys: the choice that decides which keys are valid is invalid itself.
  void acceptAllFurtherKeys() const;

  /// Reports each key that has not been read. To be called once per section.
  void reportUnreadKeys() const;

  /// `finish` for every section that was read from this document.
  void reportUnreadKeysOfAllSections() const;

  /// The defaults used so far in the whole document, in the order of reading.
  const std::vector<DefaultTaken>& usedDefaults() const noexcept;

  /// Unit with which a number of the document has been read; empty if it has none or has not been read.
  std::string unitOf(const InputValue& number) const;

 private:
  struct Reading;
  struct State;
  explicit Section(std::shared_ptr<State> state);

  // Marks a key as read and returns its value; null if absent. With `needed`: reports "missing; needed".
  const InputValue* valueOfKey(std::string_view key) const;
  const InputValue* valueOfKey(std::string_view key, std::string_view needed) const;

  SourceLocation sourceLocationOf(const InputValue& value) const;
  void reportInvalidValue(const InputValue& value, const std::string& path, std::string problem) const;
  std::size_t problemCount() const noexcept;  // number of problems that `fail` has reported
  Section openSection(const InputValue* value, std::string path, const SourceLocation& where) const;
  void recordDefault(std::string_view key, std::string value, std::string_view unit = {}) const;

  void recordUnit(const InputValue& number, std::string_view unit) const;
  double readNumber(const InputValue& value, const std::string& path, const Range& range) const;
  std::optional<std::int64_t> readInteger(const InputValue& value, const std::string& path,
                                          const Range& range, double lowest, double highest) const;
  std::string readString(const InputValue& value, const std::string& path) const;
  std::optional<std::string> readChoice(const InputValue& value, const std::string& path,
                                        const NameList& allowed) const;
  NumberOrString readNumberOrString(const InputValue& value, const std::string& path, const Range& range,
                                    const NameList& words) const;
  const InputValue::Array* readArray(const InputValue& value, const std::string& path, std::string_view what,
                                     const Sizes& sizes) const;
  std::vector<double> readNumbers(const InputValue& value, const std::string& path, const Sizes& sizes,
                                  const Range& range) const;
  Vec3 readVector3(const InputValue& value, const std::string& path, const Range& range) const;
  Vec3 readDirection(const InputValue& value, const std::string& path) const;
  Matrix readMatrix(const InputValue& value, const std::string& path, const MatrixShapes& shapes) const;
  std::vector<Located<std::string>> readStrings(const InputValue& value, const std::string& path,
                                                const NameList& allowed) const;
  std::vector<Section> readSections(const InputValue& value, std::string_view key) const;

  std::shared_ptr<State> state_;
};

struct NamedSection {
  Located<std::string> name;
  Section section;
};

}  // namespace ricochet
