#pragma once

#include <span>
#include <string>
#include <string_view>

namespace ricochet {

/// A text as a JSON string, in quotes. The characters <, > and & are escaped too, so that the text cannot end
/// the element of an HTML page that contains it.
std::string jsonString(std::string_view text);

/// A number in JSON with all of its digits; `null` if it is not finite, because JSON has no such numbers.
std::string jsonNumber(double number);

/// A list of values that are JSON already, and a list of texts.
std::string jsonArray(std::span<const std::string> values);
std::string jsonArrayOfStrings(std::span<const std::string> texts);

/// An object of JSON, in the order in which its members were added.
class JsonObject {
 public:
  /// Adds a member whose value is JSON already.
  JsonObject& add(std::string_view key, std::string_view json);
  JsonObject& addText(std::string_view key, std::string_view text) { return add(key, jsonString(text)); }
  JsonObject& addNumber(std::string_view key, double number) { return add(key, jsonNumber(number)); }

  bool empty() const noexcept { return members_.empty(); }
  std::string text() const { return "{" + members_ + "}"; }

 private:
  std::string members_;
};

}  // namespace ricochet
