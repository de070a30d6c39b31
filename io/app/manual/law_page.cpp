#include "io/app/manual/law_page.hpp"

#include "engine/contact/laws/laws.hpp"
#include "engine/contact/obstacles/obstacles.hpp"
#include "engine/contact/wear.hpp"
#include "engine/contact/worn_shapes.hpp"
#include "engine/links/links.hpp"
#include "engine/numerics/field.hpp"
#include "engine/study/supports.hpp"
#include "io/app/manual/deck_tables.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <cmath>

namespace ricochet {
namespace {

template <class T>
concept HasFields = requires {
  T::numericParameters();
};

template <class T, class Value>
PageKey pageKeyOfField(const Field<T, Value>& field) {
  PageKey shown = pageKey(DeckKey::optional(field.name, field.unit, {}, field.meaning));
  shown.example = deckNumber(field.example);
  shown.need = field.need;
  const double otherwise = T{}.*field.member;
  if (field.need == Need::optional || field.need == Need::together) shown.fallback = deckNumber(otherwise);
  shown.shown = field.need != Need::optional || field.example != otherwise;
  const bool above = field.need == Need::positive || field.need == Need::together;
  shown.allowed = fmt::format("{} {}", above ? ">" : ">=", deckNumber(field.lowest));
  if (std::isfinite(field.highest)) shown.allowed += fmt::format(", <= {}", deckNumber(field.highest));
  return shown;
}

/// Keys of the kind: its fields, each replaced by the entries of deckKeys() for this field, then further
/// keys.
template <class T>
void addKeysOfLaw(LawPage& page) {
  const auto others = deckKeysOf<T>();
  const auto find = [&others](std::string_view name) {
    return std::find_if(others.begin(), others.end(), [&](const DeckKey& key) { return key.name == name; });
  };
  std::vector<std::string_view> placed;
  if constexpr (HasFields<T>)
    for (const auto& field : T::numericParameters()) {
      const auto other = find(field.name);
      page.keys.push_back(other == others.end() ? pageKeyOfField(field) : pageKey(*other));
      placed.push_back(field.name);
    }
  for (const auto& choice : choiceParametersOf<T>())
    if (find(choice.key.name) == others.end()) page.keys.push_back(pageKey(choice.key));
  for (const DeckKey& key : others)
    if (std::find(placed.begin(), placed.end(), key.name) == placed.end()) page.keys.push_back(pageKey(key));
}

template <Described T>
LawPage pageOfLawKind(LawKind kind) {
  LawPage page;
  page.kind = kind;
  page.keyword = T::keyword;
  page.title = T::title;
  page.formula = T::formula;
  page.source = T::source;
  if constexpr (requires { T::traits.hasGap; }) page.hasGap = T::traits.hasGap;
  if constexpr (requires { T::traits.imposed; }) page.imposed = T::traits.imposed;
  if constexpr (requires { T{}.axisCount(); })
    for (const DeckKey& key : kLinkKeys)
      // A law with two axes has its springs across `axis`, so that `dof` does not apply.
      if (T{}.axisCount() == 1 || key.name != "dof") page.keys.push_back(pageKey(key));
  if (kNamedInDeck<T>) {
    const char* selector = kind == LawKind::obstacle ? "type" : kind == LawKind::scheme ? "scheme" : "law";
    const std::string quoted = fmt::format("\"{}\"", T::keyword);
    page.keys.push_back(pageKey(DeckKey::optional(selector, "-", quoted, "names it").required()));
  } else {
    const std::string quoted = fmt::format("\"{}\"", T::keyword);
    PageKey& key = page.keys.emplace_back(pageKey(DeckKey::optional("law", "-", quoted, {})));
    key.meaning = fmt::format("law = {} may name it; the other keys choose it without", quoted);
  }
  addKeysOfLaw<T>(page);
  return page;
}

template <Described T>
LawPage pageOfSchemes() {
  LawPage page = pageOfLawKind<T>(LawKind::scheme);
  page.order = T::traits.order;
  for (const DeckKey& key : kSchemeKeys)
    if (std::ranges::find(T::traits.keys.value, key.name) != T::traits.keys.value.end())
      page.keys.push_back(pageKey(key));
  return page;
}

template <Described T>
LawPage pageOfWearLaws() {
  LawPage page = pageOfLawKind<T>(LawKind::wear);
  page.formula += fmt::format("\n\n{}", kWornShapesFormula);
  for (const DeckKey& key : kWearKeys) page.keys.push_back(pageKey(key));
  return page;
}

LawPage pageOfDeckTable(const DeckTable& table) {
  LawPage page;
  page.kind = LawKind::table;
  page.keyword = table.keyword;
  page.title = table.title;
  page.formula = table.formula;
  page.source = table.source;
  page.head = table.head;
  page.around = table.around;
  for (const DeckKey& key : table.keys) page.keys.push_back(pageKey(key));
  const bool anyShown = std::ranges::any_of(page.keys, &PageKey::shown);
  if (!anyShown) page.keys.front().shown = true;  // the example of a table without required keys has one
  return page;
}

std::vector<LawPage> makeManualPages() {
  std::vector<LawPage> pages;
  for (const auto& tables : {structureDeckTables(), studyDeckTables(), runDeckTables()})
    for (const DeckTable& table : tables) pages.push_back(pageOfDeckTable(table));
  const auto add = [&pages](LawKind kind) {
    return [&pages, kind]<class T>() { pages.push_back(pageOfLawKind<T>(kind)); };
  };
  Obstacles::forEach(add(LawKind::obstacle));
  CurvedObstacles::forEach(add(LawKind::obstacle));
  NormalLaws::forEach(add(LawKind::normal));
  FrictionLaws::forEach(add(LawKind::friction));
  WearLaws::forEach([&pages]<class T>() { pages.push_back(pageOfWearLaws<T>()); });
  LinkLaws::forEach(add(LawKind::link));
  Schemes::forEach([&pages]<class T>() { pages.push_back(pageOfSchemes<T>()); });
  return pages;
}

struct KindWords {
  std::string_view title, word;
};
constexpr std::array<KindWords, 7> kKindWords{{{"obstacle", "obstacle"},
                                               {"normal law", "normal"},
                                               {"friction law", "friction"},
                                               {"wear law", "wear"},
                                               {"link law", "link"},
                                               {"scheme", "scheme"},
                                               {"table", "table"}}};

}  // namespace

std::string_view titleOfLawKind(LawKind kind) noexcept {
  return kKindWords[static_cast<std::size_t>(kind)].title;
}
std::string_view wordOfLawKind(LawKind kind) noexcept {
  return kKindWords[static_cast<std::size_t>(kind)].word;
}

PageKey pageKey(const DeckKey& key) {
  using Text = std::string;
  return {Text(key.name),    Text(key.unit),    Text(key.example), Text(key.fallback),
          Text(key.allowed), Text(key.meaning), key.need,          key.need != Need::optional,
          Text(key.instead), Text(key.with),    Text(key.tables),  key.ofContact};
}

std::string LawPage::name() const { return fmt::format("{}-{}", wordOfLawKind(kind), keyword); }

const std::vector<LawPage>& manualPages() {
  static const std::vector<LawPage> pages = makeManualPages();
  return pages;
}

std::string deckNumber(double value) {
  std::string text = fmt::format("{:g}", value);
  for (const auto& [from, to] : {std::pair("e+0", "e"), std::pair("e+", "e"), std::pair("e-0", "e-")})
    if (const auto at = text.find(from); at != std::string::npos)
      text.replace(at, std::string_view(from).size(), to);
  return text;
}

}  // namespace ricochet
