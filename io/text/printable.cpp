#include "io/text/printable.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cstddef>

namespace ricochet {
namespace {

constexpr std::size_t kLongestLine = 500;

unsigned char unsignedByteAt(std::string_view text, std::size_t i) {
  return i < text.size() ? static_cast<unsigned char>(text[i]) : static_cast<unsigned char>(0);
}

/// Number of bytes of the control character at an index; 0 if there is none. U+0080 to U+009F are control
/// characters too.
std::size_t lengthOfControlCharacterAt(std::string_view text, std::size_t i) noexcept {
  constexpr unsigned char kFirstPrinted = 0x20, kDelete = 0x7F, kLead = 0xC2, kFirst = 0x80, kLast = 0x9F;
  const unsigned char byte = unsignedByteAt(text, i);
  if (byte < kFirstPrinted || byte == kDelete) return 1;
  return byte == kLead && unsignedByteAt(text, i + 1) >= kFirst && unsignedByteAt(text, i + 1) <= kLast ? 2
                                                                                                        : 0;
}

/// A line without its control characters, truncated if it is too long.
std::string printableLine(std::string_view line) {
  std::string shown;
  for (std::size_t i = 0; i < line.size();) {
    const std::size_t bytes = lengthOfControlCharacterAt(line, i);
    if (bytes == 0)
      shown += line[i++];
    else if (line[i] == '\t')
      shown += ' ', ++i;
    else
      for (std::size_t end = i + bytes; i < end; ++i)
        shown += fmt::format("\\x{:02x}", unsignedByteAt(line, i));
  }
  if (shown.size() <= kLongestLine) return shown;
  std::size_t end = kLongestLine;
  const auto continues = [&](std::size_t i) { return (unsignedByteAt(shown, i) & 0xC0U) == 0x80U; };
  while (end > 0 && continues(end)) --end;
  return shown.substr(0, end) + "...";
}

}  // namespace

bool hasControlCharacters(std::string_view text) noexcept {
  for (std::size_t i = 0; i < text.size(); ++i) {
    const bool breaks = text[i] == '\n' || text[i] == '\t' || text.substr(i, 2) == "\r\n";
    if (!breaks && lengthOfControlCharacterAt(text, i) > 0) return true;
  }
  return false;
}

std::string printableMessage(std::string_view text) {
  std::string shown;
  while (true) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    shown += printableLine(text.substr(0, end));
    if (end == text.size()) return shown;
    shown += '\n';
    text.remove_prefix(end + 1);
  }
}

}  // namespace ricochet
