#include "verification/cross_check/laws/draw_law.hpp"

#include "engine/contact/contact.hpp"
#include "engine/links/links.hpp"
#include "engine/study/supports.hpp"
#include "io/app/manual/law_snippet.hpp"
#include "verification/cross_check/laws/numbers.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <optional>
#include <string_view>

namespace ricochet::cross {
namespace {

/// Texts between the commas of the allowed values of a key.
std::vector<std::string> wordsBetweenCommas(std::string_view rest) {
  std::vector<std::string> words;
  while (!rest.empty()) {
    const auto comma = rest.find(", ");
    words.emplace_back(rest.substr(0, comma));
    rest = comma == std::string_view::npos ? std::string_view{} : rest.substr(comma + 2);
  }
  return words;
}

/// True if a number is among the allowed values of a key: "> 0, <= 1", "0.5 to 1".
bool isAllowed(const std::string& allowed, double x) {
  for (const std::string& word : wordsBetweenCommas(allowed)) {
    const std::string_view rule = word;
    const std::vector<double> bounds = numbersOfValue(rule);
    if (bounds.empty()) continue;
    if (rule.starts_with(">=") && x < bounds[0]) return false;
    if (rule.starts_with("> ") && x <= bounds[0]) return false;
    if (rule.starts_with("<=") && x > bounds[0]) return false;
    if (rule.find(" to ") != std::string_view::npos && (x < bounds[0] || x > bounds[1])) return false;
  }
  return true;
}

/// True for directions, angles and counts, which are not scaled.
bool isUnscaledKey(const PageKey& key) {
  const bool list = key.example.front() == '[';
  return key.unit == "deg" || key.unit.find(',') != std::string::npos ||
         (key.unit == "-" && list && key.name.find("coefficients") == std::string::npos);
}

std::string drawValue(Random& random, const PageKey& key) {
  const std::string& example = key.example;
  if (example.front() == '"' || example == "true" || example == "false") {
    const std::vector<std::string> words = wordsBetweenCommas(key.allowed);
    if (words.size() < 2 || example.find('*') != std::string::npos) return example;
    const std::string& word =
        words[static_cast<std::size_t>(random.integer(0, static_cast<int>(words.size()) - 1))];
    if (word.find_first_of("<> 0123456789") != std::string::npos) return example;
    return example.front() == '"' && word.front() != '"' ? fmt::format("\"{}\"", word) : word;
  }
  if (isUnscaledKey(key)) return example;
  const double factor = std::pow(10.0, random.uniform(-0.5, 0.5));
  const std::string value = withChangedNumbers(example, [&](double x) { return roundedTo(factor * x, 3); });
  const std::vector<double> numbers = numbersOfValue(value);
  const bool allowed = std::ranges::all_of(numbers, [&](double x) { return isAllowed(key.allowed, x); });
  return allowed ? value : example;
}

/// Keys for the position of a law, which the model determines.
bool isKeyOfPosition(const PageKey& key) {
  constexpr std::array kPlaces{"name", "nodes", "axis", "dof", "point", "tangent", "carried_by", "center"};
  return std::ranges::find(kPlaces, key.name) != kPlaces.end();
}

bool isKeyAssigned(const std::vector<Assignment>& all, const std::string& name) {
  return std::ranges::any_of(all, [&](const Assignment& each) { return each.first == name; });
}

/// Keys of the page: all required keys, sometimes a key that replaces others, and some of the optional keys.
std::vector<Assignment> drawKeys(Random& random, const LawPage& page) {
  constexpr double kReplaces = 0.3;
  constexpr double kOptional = 0.35;
  std::vector<Assignment> all = assignmentsOfPage(page);
  std::vector<const PageKey*> special, plain;
  for (const PageKey& key : page.keys) {
    if (key.shown || isKeyOfPosition(key)) continue;
    (key.instead.empty() && key.with.empty() ? plain : special).push_back(&key);
  }
  std::string gone;
  if (!special.empty() && random.chance(kReplaces)) {
    const auto last = static_cast<int>(special.size()) - 1;
    const PageKey& key = *special[static_cast<std::size_t>(random.integer(0, last))];
    all = assignmentsWithKey(page, key);
    gone = key.instead;
  }
  for (const PageKey* key : plain)
    if (random.chance(kOptional) && !isKeyAssigned(all, key->name) &&
        gone.find(key->name) == std::string::npos)
      all.emplace_back(key->name, key->example);
  return all;
}

/// True if a scheme supports the law of a page, judged by the law alone.
bool doesSchemeSupportLaw(const SchemeTraits& scheme, const LawPage& page) {
  bool can = true;
  const auto judge = [&](LawKind kind, std::string_view keyword, std::string_view why) {
    if (page.kind == kind && page.keyword == keyword) can = why.empty();
  };
  NormalLaws::forEach(
      [&]<class L>() { judge(LawKind::normal, L::keyword, reasonAgainstScheme(scheme, L::traits)); });
  FrictionLaws::forEach(
      [&]<class L>() { judge(LawKind::friction, L::keyword, reasonAgainstScheme(scheme, L::traits)); });
  LinkLaws::forEach([&]<class L>() {
    judge(LawKind::link, L::keyword, reasonAgainstScheme(scheme, AnyLinkLaw(exampleOfType<L>())));
  });
  return can;
}

/// Draws a page that meets a condition and whose law the scheme supports; if there is none, any page that
/// meets the condition.
template <class Suits>
const LawPage& drawPageThatSuits(Random& random, LawKind kind, std::string_view scheme, Suits&& suits) {
  std::vector<const LawPage*> pages, all;
  for (const LawPage& page : manualPages()) {
    if (page.kind != kind || !suits(page)) continue;
    all.push_back(&page);
    if (doesSchemeSupportLaw(*schemeTraits(scheme), page)) pages.push_back(&page);
  }
  if (pages.empty()) pages = all;
  return *pages[static_cast<std::size_t>(random.integer(0, static_cast<int>(pages.size()) - 1))];
}

}  // namespace

const std::string* DrawnLaw::find(const std::string& key) const {
  const auto found = std::ranges::find(entries, key, &Entry::key);
  return found == entries.end() ? nullptr : &found->value;
}

void DrawnLaw::set(const std::string& key, std::string value) {
  const auto found = std::ranges::find(entries, key, &Entry::key);
  if (found == entries.end())
    entries.push_back({key, std::move(value), true});
  else
    found->value = std::move(value);
}

const LawPage& drawPage(Random& random, LawKind kind, std::string_view scheme) {
  return drawPageThatSuits(random, kind, scheme, [](const LawPage&) { return true; });
}

const LawPage& drawNormal(Random& random, bool hasGap, std::string_view scheme) {
  return drawPageThatSuits(random, LawKind::normal, scheme,
                           [&](const LawPage& page) { return page.imposed != hasGap; });
}

DrawnLaw drawLaw(Random& random, const LawPage& page) {
  DrawnLaw law;
  law.page = &page;
  for (const auto& [name, value] : drawKeys(random, page)) {
    const auto key = std::ranges::find(page.keys, name, &PageKey::name);
    const bool needed = key == page.keys.end() || key->shown || !key->instead.empty() || !key->with.empty();
    law.entries.push_back({name, key == page.keys.end() ? value : drawValue(random, *key), needed});
    if (key != page.keys.end() && !key->tables.empty()) law.tables += key->tables;
  }
  const std::string *rest = law.find("static"), *slip = law.find("dynamic");
  if (rest != nullptr && slip != nullptr && std::stod(*rest) < std::stod(*slip)) law.set("dynamic", *rest);
  return law;
}

}  // namespace ricochet::cross
