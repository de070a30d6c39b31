#include "io/formats/input_card.hpp"

#include "io/text/text_lines.hpp"

#include <algorithm>

namespace ricochet {
namespace {

std::string normalisedOptionName(std::string_view text) {
  std::string key = lowerCase(text);
  std::erase_if(key, [](char c) { return c == ' ' || c == '\t' || c == '\r'; });
  return key;
}

}  // namespace

std::string_view InputCard::optionValue(std::string_view wanted) const {
  const auto found = options.find(wanted);
  return found == options.end() ? std::string_view{} : std::string_view(found->second);
}

bool isAbaqusComment(std::string_view line) { return line.starts_with("**"); }
bool isAbaqusKeywordLine(std::string_view line) { return line.starts_with('*') && !isAbaqusComment(line); }

InputCard parseInputCard(std::string_view line) {
  InputCard card;
  std::vector<std::string_view> fields;
  splitInputDataLine(line, fields);
  for (std::size_t i = 0; i < fields.size(); ++i) {
    if (i == 0) {
      card.name = normalisedOptionName(fields[i]);
      continue;
    }
    const std::size_t equals = std::min(fields[i].find('='), fields[i].size());
    const std::string key = normalisedOptionName(fields[i].substr(0, equals));
    if (key.empty()) continue;
    card.options[key] = std::string(withoutSurroundingQuotes(
        withoutOuterBlanks(fields[i].substr(std::min(equals + 1, fields[i].size())))));
  }
  return card;
}

bool isContinuedOnNextLine(std::string_view line) { return withoutOuterBlanks(line).ends_with(','); }

bool continuesKeywordLine(std::string_view line) {
  const std::string text = lowerCase(withoutOuterBlanks(line));
  return !text.empty() && text.front() >= 'a' && text.front() <= 'z';
}

void splitInputDataLine(std::string_view line, std::vector<std::string_view>& fields) {
  fields.clear();
  for (std::size_t begin = 0; begin <= line.size();) {
    const std::size_t end = std::min(line.find(',', begin), line.size());
    fields.push_back(withoutOuterBlanks(line.substr(begin, end - begin)));
    begin = end + 1;
  }
}

}  // namespace ricochet
