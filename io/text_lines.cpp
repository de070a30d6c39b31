#include "io/text_lines.hpp"

#include "io/largest_number.hpp"

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <system_error>

namespace ricochet {

TextLines::TextLines(const Located<std::filesystem::path>& file, Diagnostics& diagnostics)
    : file_(&file), diagnostics_(&diagnostics) {
  std::error_code ignored;
  errno = 0;
  if (!std::filesystem::is_directory(file.value, ignored)) stream_.open(file.value, std::ios::binary);
  if (stream_.is_open()) return;
  const std::string reason =
      errno == 0 ? "is a folder" : std::error_code(errno, std::generic_category()).message();
  diagnostics.add(file.where, file.path, "cannot read " + file.value.string() + ": " + reason);
  clean_ = false;
}

bool TextLines::next(std::string& line) {
  if (!clean_ || !std::getline(stream_, line)) return false;
  if (!line.empty() && line.back() == '\r') line.pop_back();
  ++number_;
  return true;
}

void TextLines::problem(const std::string& text) {
  if (clean_) diagnostics_->add({file_->value.string(), number_, 0}, file_->path, text);
  clean_ = false;
}

void splitFields(std::string_view line, std::vector<std::string_view>& fields) {
  fields.clear();
  constexpr std::string_view kEnds = " \t,;";
  for (std::size_t begin = line.find_first_not_of(kEnds); begin != std::string_view::npos;) {
    const std::size_t end = std::min(line.find_first_of(kEnds, begin), line.size());
    fields.push_back(line.substr(begin, end - begin));
    begin = line.find_first_not_of(kEnds, end);
  }
}

std::string lowered(std::string_view text) {
  std::string made(text);
  std::transform(made.begin(), made.end(), made.begin(),
                 [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; });
  return made;
}

namespace {

std::optional<double> parsed(const std::string& text) {
  double value = 0.0;
  const auto read = std::from_chars(text.data(), text.data() + text.size(), value);
  if (read.ec != std::errc() || read.ptr != text.data() + text.size() || !(std::abs(value) <= kLargestNumber))
    return std::nullopt;
  return value;
}

}  // namespace

std::optional<double> realOf(std::string_view text) {
  if (text.starts_with('+')) text.remove_prefix(1);
  if (text.empty()) return std::nullopt;
  std::string number(text);
  std::replace_if(
      number.begin(), number.end(), [](char c) { return c == 'D' || c == 'd'; }, 'e');
  if (const std::optional<double> value = parsed(number)) return value;
  // Nastran leaves the E out: 1.5+3
  const std::size_t sign = number.find_first_of("+-", 1);
  if (sign == std::string::npos || number.find('e') != std::string::npos) return std::nullopt;
  return parsed(number.insert(sign, 1, 'e'));
}

std::optional<std::int64_t> integerOf(std::string_view text) {
  std::int64_t value = 0;
  const auto read = std::from_chars(text.data(), text.data() + text.size(), value);
  if (read.ec != std::errc() || read.ptr != text.data() + text.size()) return std::nullopt;
  return value;
}

}  // namespace ricochet
