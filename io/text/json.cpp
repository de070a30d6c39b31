#include "io/text/json.hpp"

#include <fmt/core.h>

#include <cmath>

namespace ricochet {

std::string jsonString(std::string_view text) {
  std::string json = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') {
      json += '\\';
      json += c;
    } else if (static_cast<unsigned char>(c) < 0x20 || c == '<' || c == '>' || c == '&') {
      json += fmt::format("\\u{:04x}", static_cast<unsigned>(c));
    } else {
      json += c;
    }
  }
  return json + '"';
}

std::string jsonNumber(double number) { return std::isfinite(number) ? fmt::format("{}", number) : "null"; }

std::string jsonArray(std::span<const std::string> values) {
  std::string json = "[";
  for (std::size_t i = 0; i < values.size(); ++i) json += (i > 0 ? "," : "") + values[i];
  return json + "]";
}

std::string jsonArrayOfStrings(std::span<const std::string> texts) {
  std::string json = "[";
  for (std::size_t i = 0; i < texts.size(); ++i) json += (i > 0 ? "," : "") + jsonString(texts[i]);
  return json + "]";
}

JsonObject& JsonObject::add(std::string_view key, std::string_view json) {
  members_ += fmt::format("{}{}:{}", members_.empty() ? "" : ",", jsonString(key), json);
  return *this;
}

}  // namespace ricochet
