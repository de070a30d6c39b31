#include "engine/numerics/near_name.hpp"
#include "io/app/manual/law_snippet.hpp"
#include "io/app/manual/manual.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <array>

namespace ricochet {
namespace {

constexpr std::array kKinds{LawKind::table, LawKind::obstacle, LawKind::normal, LawKind::friction,
                            LawKind::wear,  LawKind::link,     LawKind::scheme};

/// "required", a default, or the key that this key replaces.
std::string defaultTextOfKey(const PageKey& key) {
  if (key.need == Need::required || key.need == Need::positive) return "required";
  if (!key.instead.empty()) {
    std::string others = key.instead;
    std::replace(others.begin(), others.end(), ' ', ',');
    return fmt::format("instead of {}", others);
  }
  return key.fallback.empty() ? "-" : key.fallback;
}

std::string meaningOfKey(const PageKey& key) {
  std::string text = key.meaning;
  if (!key.with.empty()) text += fmt::format("; with {}", key.with);
  if (key.need == Need::together) text += "; together with the others of the kind";
  return text;
}

/// The lines of a text, each after `indent`.
std::string indentedLines(std::string_view text, std::string_view indent) {
  std::string out;
  while (!text.empty()) {
    const auto end = text.find('\n');
    const std::string_view line = text.substr(0, end);
    out += line.empty() ? "\n" : fmt::format("{}{}\n", indent, line);
    text = end == std::string_view::npos ? std::string_view{} : text.substr(end + 1);
  }
  return out;
}

std::string orderTextOfPage(const LawPage& page) {
  return page.order > 0 ? fmt::format("Order {} in smooth motion.\n", page.order) : "";
}

/// Text of a table cell, with its bars escaped.
std::string escapedTableCell(const std::string& text) {
  std::string out;
  for (const char c : text) {
    if (c == '|') out += '\\';
    out += c;
  }
  return out;
}

/// The keys of a page as a table; the meaning is on a separate line if the table would be too wide.
std::string tableOfDeckKeys(const LawPage& page) {
  constexpr std::size_t kWidest = 110;
  std::vector<std::array<std::string, 5>> rows{{"key", "unit", "default", "allowed", "meaning"}};
  for (const PageKey& key : page.keys)
    rows.push_back({key.name, key.unit, defaultTextOfKey(key), key.allowed, meaningOfKey(key)});
  std::array<std::size_t, 5> widths{};
  std::size_t total = 0;
  for (const auto& row : rows)
    for (std::size_t i = 0; i < row.size(); ++i) widths[i] = std::max(widths[i], row[i].size());
  for (const std::size_t width : widths) total += width + 2;
  std::string text;
  if (total > kWidest) {
    rows.erase(rows.begin());
    for (const auto& [name, unit, fallback, allowed, meaning] : rows) {
      const bool plain = fallback == "required" || fallback.starts_with("instead");
      const std::string otherwise = plain             ? fallback
                                    : fallback == "-" ? "optional"
                                                      : fmt::format("default {}", fallback);
      text += fmt::format("  {} [{}], {}{}{}\n      {}\n", name, unit, otherwise,
                          allowed.empty() ? "" : ", allowed ", allowed, meaning);
    }
    return text;
  }
  for (const auto& row : rows) {
    text += "  ";
    for (std::size_t i = 0; i + 1 < row.size(); ++i) text += fmt::format("{:<{}}  ", row[i], widths[i]);
    text += fmt::format("{}\n", row.back());
  }
  return text;
}

}  // namespace

const Guide* guideWithName(std::string_view name) noexcept {
  const auto found = std::ranges::find(kGuides, name, &Guide::name);
  return found == kGuides.end() ? nullptr : &*found;
}

std::string listOfManualPages() {
  std::string text = "guides\n";
  for (const Guide& guide : kGuides) text += fmt::format("  {:<20}{}\n", guide.name, guide.title());
  for (const LawKind kind : kKinds) {
    text += fmt::format("\n{}s\n", titleOfLawKind(kind));
    for (const LawPage& page : manualPages())
      if (page.kind == kind) text += fmt::format("  {:<20}{}\n", page.keyword, page.title);
  }
  return text;
}

std::vector<const LawPage*> pagesWithName(std::string_view name) {
  std::vector<const LawPage*> found;
  std::vector<std::string> names;
  for (const LawPage& page : manualPages()) {
    if (page.keyword == name || page.name() == name) found.push_back(&page);
    names.push_back(page.keyword);
    names.push_back(page.name());
  }
  if (!found.empty()) return found;
  for (const Guide& guide : kGuides) names.emplace_back(guide.name);
  const std::string nearest = nearestName(name, names);
  throw ManualError(fmt::format("{}: no page of the manual; `ricochet manual` lists them{}", name,
                                nearest.empty() ? "" : fmt::format(" (did you mean {}?)", nearest)));
}

std::string terminalTextOfPage(const LawPage& page) {
  std::string text = fmt::format("{} ({} \"{}\")\n\n{}\n", page.title, titleOfLawKind(page.kind),
                                 page.keyword, indentedLines(page.formula, "    "));
  text += orderTextOfPage(page);
  text += fmt::format("Source: {}\n", page.source);
  if (!page.keys.empty()) text += fmt::format("\n{}", tableOfDeckKeys(page));
  return text + fmt::format("\n{}", indentedLines(deckSnippetOf(page), "    "));
}

std::string markdownPage(const LawPage& page, const std::vector<LawPicture>& pictures) {
  std::string text = fmt::format("# {}\n\n{} `{}`\n\n```\n{}\n```\n\n", page.title, titleOfLawKind(page.kind),
                                 page.keyword, page.formula);
  text += orderTextOfPage(page);
  text += fmt::format("Source: {}.\n\n", page.source);
  if (!page.keys.empty()) {
    const auto row = [](const PageKey& key, const std::string& fallback, const std::string& meaning) {
      return fmt::format("| {} | {} | {} | {} | {} |\n", escapedTableCell(key.name),
                         escapedTableCell(key.unit), escapedTableCell(fallback),
                         escapedTableCell(key.allowed), escapedTableCell(meaning));
    };
    const PageKey head = pageKey(DeckKey::optional("key", "unit", {}, {}).allows("allowed"));
    text += row(head, "default", "meaning") + "|---|---|---|---|---|\n";
    for (PageKey key : page.keys) {
      key.name = fmt::format("`{}`", key.name);
      text += row(key, defaultTextOfKey(key), meaningOfKey(key));
    }
    text += "\n";
  }
  text += fmt::format("```toml\n{}```\n", deckSnippetOf(page));
  for (const LawPicture& picture : pictures)
    text += fmt::format("\n![{0}]({1})\n\n{0}{2}\n", picture.caption, nameOfPictureFile(page, picture),
                        &picture == &pictures.front() ? " The law is that of the deck above." : "");
  return text;
}

std::string nameOfPictureFile(const LawPage& page, const LawPicture& picture) {
  return fmt::format("{}-{}.svg", page.name(), picture.name);
}

}  // namespace ricochet
