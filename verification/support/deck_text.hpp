#pragma once

#include "io/toml/section.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace ricochet::test {

/// A deck in memory. The line break at the start of a raw string is removed, so that the next line is line 1.
struct DeckText {
  explicit DeckText(std::string_view text)
      : document(Document::parse(std::string{text.substr(1)}, "shoe.toml")), root(document, diagnostics) {}

  std::vector<std::string> problems() const {
    std::vector<std::string> lines;
    for (const InputProblem& problem : diagnostics.sortedProblems()) lines.push_back(problem.text());
    return lines;
  }

  Diagnostics diagnostics;
  Document document;
  Section root;
};

inline std::vector<std::string> valuesOf(const std::vector<Located<std::string>>& names) {
  std::vector<std::string> values;
  for (const Located<std::string>& name : names) values.push_back(name.value);
  return values;
}

}  // namespace ricochet::test
