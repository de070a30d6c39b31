#pragma once

#include "io/text/input_error.hpp"

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace ricochet {

struct InputEntry;

/// One value of a deck and its place. A copy of the parser's data, so that the parser stays in one source
/// file and a batch can change values.
struct InputValue {
  /// A date or a time; no key of a deck has such a value.
  struct Date {
    std::string text;
  };
  using Array = std::vector<InputValue>;
  using Table = std::vector<InputEntry>;  ///< in the order of the file

  std::variant<bool, std::int64_t, double, std::string, Date, Array, Table> content;
  int line{0};
  int column{0};

  const Array* array() const noexcept { return std::get_if<Array>(&content); }
  const Table* table() const noexcept { return std::get_if<Table>(&content); }

  /// Value of `key` if this value is a table with this key; otherwise null.
  const InputValue* find(std::string_view key) const noexcept;

  /// Description of the value for messages: `the string "x"`, `an array of 3 values`.
  std::string describeValue() const;
};

/// A key of a table with its place and its value.
struct InputEntry {
  std::string key;
  int line{0};
  int column{0};
  InputValue value;
};

/// Name of a deck that is read from standard input.
inline constexpr const char* kStandardInput = "-";

/// A parsed deck. `Section` reads it.
struct Document {
  std::string file;  ///< as shown in errors
  std::string text;  ///< as read, byte for byte
  InputValue root;   ///< a table

  /// The text from a place on; empty if there is no such place. Columns count characters.
  std::string_view textFromPlace(int line, int column) const noexcept;

  /// Throws InputError for a file that cannot be read, or a text that is not TOML.
  static Document load(const std::filesystem::path& file);
  static Document parse(std::string text, std::string file);
};

}  // namespace ricochet
