#include "io/app/manual/law_snippet.hpp"

#include "io/deck/bare_deck.hpp"
#include "io/text/text_lines.hpp"
#include "io/toml/document.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cassert>
#include <string_view>

namespace ricochet {
namespace {

/// Splits a text at the separators.
std::vector<std::string> splitText(std::string_view text, char separator) {
  std::vector<std::string> pieces;
  while (!text.empty()) {
    const auto end = text.find(separator);
    if (const std::string_view piece = withoutOuterBlanks(text.substr(0, end)); !piece.empty())
      pieces.emplace_back(piece);
    text = end == std::string_view::npos ? std::string_view{} : text.substr(end + 1);
  }
  return pieces;
}

void setAssignment(std::vector<Assignment>& all, const std::string& key, const std::string& value) {
  for (Assignment& each : all)
    if (each.first == key) {
      each.second = value;
      return;
    }
  all.emplace_back(key, value);
}

/// Inline table of a deck, "{ a = 1, b = { c = 2 } }": keys with a dot form nested tables.
std::string inlineTomlTable(std::vector<Assignment> assignments) {
  std::string text;
  while (!assignments.empty()) {
    const std::string key = assignments.front().first;
    std::string value = assignments.front().second;
    const auto dot = key.find('.');
    const std::string name = key.substr(0, dot);
    std::vector<Assignment> inner, rest;
    for (const Assignment& each : assignments) {
      if (each.first == key && dot == std::string::npos) continue;
      if (dot != std::string::npos && each.first.starts_with(name + "."))
        inner.emplace_back(each.first.substr(dot + 1), each.second);
      else
        rest.push_back(each);
    }
    if (dot != std::string::npos) value = inlineTomlTable(inner);
    text += fmt::format("{}{} = {}", text.empty() ? "{ " : ", ", name, value);
    assignments = std::move(rest);
  }
  return text.empty() ? "{}" : text + " }";
}

/// The first page that satisfies `suits`.
template <class Suits>
const LawPage& firstSuitablePage(Suits&& suits) {
  const std::vector<LawPage>& pages = manualPages();
  const auto found = std::find_if(pages.begin(), pages.end(), suits);
  assert(found != pages.end());
  return *found;
}

const LawPage& pageOfObstacle(bool hasGap) {
  return firstSuitablePage(
      [&](const LawPage& p) { return p.kind == LawKind::obstacle && p.hasGap == hasGap; });
}
const LawPage& pageOfNormalLaw(bool imposed) {
  return firstSuitablePage(
      [&](const LawPage& p) { return p.kind == LawKind::normal && p.imposed == imposed; });
}

std::string contactSnippet(const LawPage& page, const std::vector<Assignment>& assignments) {
  std::vector<Assignment> own;
  std::string text = "[[contacts]]\nname = \"contact\"\nnode = \"body\"\n";
  for (const Assignment& each : assignments) {
    const bool ofContact = std::any_of(page.keys.begin(), page.keys.end(), [&](const PageKey& key) {
      return key.ofContact && key.name == each.first;
    });
    if (ofContact)
      text += fmt::format("{} = {}\n", each.first, each.second);
    else
      own.push_back(each);
  }
  const bool hasGap = page.kind == LawKind::obstacle ? page.hasGap
                      : page.kind == LawKind::normal ? !page.imposed
                                                     : false;
  const auto part = [&](LawKind kind, const LawPage& other) {
    return inlineTomlTable(page.kind == kind ? own : assignmentsOfPage(other));
  };
  text += fmt::format("obstacle = {}\n", part(LawKind::obstacle, pageOfObstacle(hasGap)));
  text += fmt::format("normal = {}\n", part(LawKind::normal, pageOfNormalLaw(!hasGap)));
  if (page.kind == LawKind::friction && !own.empty())
    text += fmt::format("friction = {}\n", inlineTomlTable(own));
  if (page.kind == LawKind::wear) text += fmt::format("wear = {}\n", inlineTomlTable(own));
  return text;
}

std::string tableOfDeckKeys(std::string_view head, const std::vector<Assignment>& assignments) {
  std::string text = fmt::format("{}\n", head);
  for (const auto& [key, value] : assignments) text += fmt::format("{} = {}\n", key, value);
  return text;
}

}  // namespace

std::vector<Assignment> assignmentsOfPage(const LawPage& page) {
  std::vector<Assignment> all;
  for (const PageKey& key : page.keys)
    if (key.shown) all.emplace_back(key.name, key.example);
  return all;
}

std::vector<Assignment> assignmentsWithKey(const LawPage& page, const PageKey& key) {
  std::vector<Assignment> all = assignmentsOfPage(page);
  for (const std::string& other : splitText(key.instead, ' '))
    std::erase_if(all, [&](const Assignment& each) { return each.first == other; });
  for (const std::string& beside : splitText(key.with, ';')) {
    const auto equal = beside.find(" = ");
    assert(equal != std::string::npos);
    setAssignment(all, beside.substr(0, equal), beside.substr(equal + 3));
  }
  setAssignment(all, key.name, key.example);
  return all;
}

std::string deckSnippetOf(const LawPage& page, const std::vector<Assignment>& assignments,
                          const std::string& tables) {
  std::string text = tables;
  if (!text.empty()) text += "\n\n";
  if (page.kind == LawKind::link) return text + tableOfDeckKeys("[[links]]", assignments);
  if (page.kind == LawKind::table) return text + tableOfDeckKeys(page.head, assignments);
  if (page.kind == LawKind::scheme) return text + tableOfDeckKeys("[transient]\nduration = 0.1", assignments);
  return text + contactSnippet(page, assignments);
}

std::string deckSnippetOf(const LawPage& page) {
  std::string tables;
  for (const PageKey& key : page.keys)
    if (key.shown && !key.tables.empty()) tables += key.tables;
  return deckSnippetOf(page, assignmentsOfPage(page), tables);
}

std::string deckWithSnippet(const std::string& snippet) {
  return fmt::format(R"([[nodes]]
name = "body"
position = [0, 0, 0]

[[nodes]]
name = "ground"
position = [1, 0, 0]

[[masses]]
nodes = ["body"]
mass = 1.0
inertia = [1.0, 1.0, 1.0, 0, 0, 0]

[[supports]]
name = "wall"
nodes = ["ground"]
fixed = ["ux", "uy", "uz", "rx", "ry", "rz"]

{}{})",
                     snippet.find("[basis]") == std::string::npos ? "[basis]\nall = true\n\n" : "", snippet);
}

Deck studyWithSnippet(const std::string& snippet) {
  return readDeck("snippet.toml", Document::parse(deckWithSnippet(snippet), "snippet.toml"));
}

}  // namespace ricochet
