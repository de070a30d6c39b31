#include "io/app/manual/deck_schema.hpp"

#include "io/app/manual/deck_tables.hpp"
#include "io/text/json.hpp"
#include "io/toml/document.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cstdlib>
#include <optional>
#include <utility>
#include <variant>

namespace ricochet {
namespace {

/// A JSON value: a text that is printed as it is, an object or an array.
struct Json {
  using Object = std::vector<std::pair<std::string, Json>>;
  using Array = std::vector<Json>;
  std::variant<std::string, Object, Array> content;

  static Json of(std::string_view text) { return {jsonText(text)}; }
  static Json rawJson(std::string text) { return {std::move(text)}; }
  static Json words(const std::vector<std::string>& words) {
    Array all;
    for (const std::string& word : words) all.push_back(of(word));
    return {std::move(all)};
  }

  std::string print(const std::string& indent = {}) const {
    if (const auto* text = std::get_if<std::string>(&content)) return *text;
    const std::string inner = indent + "  ";
    std::string all;
    if (const auto* object = std::get_if<Object>(&content)) {
      for (const auto& [key, value] : *object)
        all += fmt::format("{}\n{}{}: {}", all.empty() ? "" : ",", inner, jsonText(key), value.print(inner));
      return all.empty() ? "{}" : fmt::format("{{{}\n{}}}", all, indent);
    }
    for (const Json& value : std::get<Array>(content))
      all += fmt::format("{}\n{}{}", all.empty() ? "" : ",", inner, value.print(inner));
    return all.empty() ? "[]" : fmt::format("[{}\n{}]", all, indent);
  }
};

const Json kFalse = Json::rawJson("false");

bool doesMeaningContain(const PageKey& key, std::string_view words) {
  return key.meaning.find(words) != std::string::npos;
}

/// True if the example is a list of texts: the reader also accepts a single text without brackets.
bool isListOfTexts(const PageKey& key) { return key.example.starts_with("[\""); }

/// Allowed words of a text; empty if any text is allowed.
std::vector<std::string> wordsOf(const LawPage& page, const PageKey& key) {
  if (!key.example.starts_with('"')) return {};
  if (key.example == fmt::format("\"{}\"", page.keyword)) return {page.keyword};  // the selector of a law
  if (key.allowed.empty() || key.unit != "-") return {};
  std::vector<std::string> words;
  for (std::size_t at = 0; at != std::string::npos;) {
    const std::size_t end = key.allowed.find(", ", at);
    words.push_back(key.allowed.substr(at, end - at));
    at = end == std::string::npos ? end : end + 2;
  }
  return words;
}

/// Bounds of a number, from "> 0, <= 0.5".
void addBounds(const PageKey& key, Json::Object& schema) {
  for (const auto& [sign, name] :
       {std::pair(">= ", "minimum"), std::pair("<= ", "maximum"), std::pair("> ", "exclusiveMinimum"),
        std::pair("< ", "exclusiveMaximum")}) {
    const std::size_t at = key.allowed.find(sign);
    if (at == std::string::npos) continue;
    char* end = nullptr;
    const double bound = std::strtod(key.allowed.c_str() + at + std::string_view(sign).size(), &end);
    if (end != key.allowed.c_str() + at + std::string_view(sign).size())
      schema.emplace_back(name, Json::rawJson(fmt::format("{:g}", bound)));
  }
}

/// Schema with the kind of a value, of its elements and of its keys, as in the example; all keys are
/// required.
Json schemaOfExample(const InputValue& example) {
  if (const InputValue::Table* table = example.table()) {
    Json::Object properties;
    std::vector<std::string> names;
    for (const InputEntry& entry : *table) {
      properties.emplace_back(entry.key, schemaOfExample(entry.value));
      names.push_back(entry.key);
    }
    return {Json::Object{{"type", Json::of("object")},
                         {"properties", {std::move(properties)}},
                         {"required", Json::words(names)},
                         {"additionalProperties", kFalse}}};
  }
  if (const InputValue::Array* array = example.array())
    return {Json::Object{{"type", Json::of("array")}, {"items", schemaOfExample(array->front())}}};
  const bool isText = std::holds_alternative<std::string>(example.content);
  return {Json::Object{{"type", Json::of(isText ? "string" : "number")}}};
}

Json arraySchema(const PageKey& key) {
  if (key.example.starts_with("[[") || key.example.starts_with("[{"))
    return schemaOfExample(Document::parse("x = " + key.example, "example").root.find("x")->array()->front());
  Json::Object items;
  if (isListOfTexts(key) || doesMeaningContain(key, "[names]"))
    items.emplace_back("type", Json::of("string"));
  else if (doesMeaningContain(key, "function"))
    items.emplace_back("type", Json::words({"number", "string"}));
  else
    items.emplace_back("type", Json::of("number"));
  return {std::move(items)};
}

std::string descriptionOf(const PageKey& key) {
  std::string text = key.meaning;
  if (key.unit != "-") text += fmt::format(" [{}]", key.unit);
  if (!key.allowed.empty() && !key.example.starts_with('"')) text += fmt::format("; {}", key.allowed);
  if (!key.fallback.empty()) text += fmt::format("; default: {}", key.fallback);
  return text;
}

Json schemaOf(const LawPage& page, const PageKey& key) {
  const std::vector<std::string_view> kinds = valueKindsOf(key);
  Json::Object schema{{"description", Json::of(descriptionOf(key))}};
  schema.emplace_back("type", kinds.size() == 1
                                  ? Json::of(kinds.front())
                                  : Json::words(std::vector<std::string>(kinds.begin(), kinds.end())));
  const std::vector<std::string> words = wordsOf(page, key);
  if (!words.empty() && kinds.size() == 1) schema.emplace_back("enum", Json::words(words));
  if (kinds.front() == "number" || kinds.front() == "integer") addBounds(key, schema);
  if (std::ranges::find(kinds, "array") != kinds.end()) schema.emplace_back("items", arraySchema(key));
  return {std::move(schema)};
}

/// True if a table without the key is complete: the key has a default, or another key may replace it.
bool isKeyOptional(const LawPage& page, const PageKey& key) {
  if (key.need == Need::optional || key.need == Need::together) return true;
  if (doesMeaningContain(key, "optional") || doesMeaningContain(key, "without it")) return true;
  return std::ranges::any_of(page.keys, [&](const PageKey& other) {
    return (" " + other.instead + " ").find(" " + key.name + " ") != std::string::npos;
  });
}

/// Part of a table: keys below `prefix`, "patch." or nothing.
Json objectSchema(const LawPage& page, const std::vector<PageKey>& keys, const std::string& prefix = {}) {
  Json::Object properties;
  std::vector<std::string> required;
  for (const PageKey& key : keys) {
    if (!key.name.starts_with(prefix)) continue;
    const std::string rest = key.name.substr(prefix.size());
    const std::string name = rest.substr(0, rest.find('.'));
    if (std::ranges::any_of(properties, [&](const auto& each) { return each.first == name; })) continue;
    if (name != rest) {
      properties.emplace_back(name, objectSchema(page, keys, prefix + name + "."));
      continue;
    }
    properties.emplace_back(name, schemaOf(page, key));
    if (!isKeyOptional(page, key)) required.push_back(name);
  }
  Json::Object object{{"type", Json::of("object")}, {"properties", {std::move(properties)}}};
  if (!required.empty()) object.emplace_back("required", Json::words(required));
  object.emplace_back("additionalProperties", kFalse);
  return {std::move(object)};
}

/// A table that is one of several laws, without the keys that belong to [[contacts]] itself.
Json schemaOfLaws(LawKind kind) {
  Json::Array laws;
  for (const LawPage& page : manualPages()) {
    if (page.kind != kind) continue;
    std::vector<PageKey> keys = page.keys;
    std::erase_if(keys, [](const PageKey& key) { return key.ofContact; });
    // The nodes give the position of a pair, so that only the type is needed.
    if (kind == LawKind::obstacle)
      for (PageKey& key : keys)
        if (key.name != "type") key.need = Need::optional;
    Json law = objectSchema(page, keys);
    auto& object = std::get<Json::Object>(law.content);
    object.insert(object.begin(), {"title", Json::of(page.title)});
    laws.push_back(std::move(law));
  }
  return {Json::Object{{"anyOf", {std::move(laws)}}}};
}

void replaceMember(Json& object, std::string_view name, Json value) {
  for (auto& [key, content] : std::get<Json::Object>(object.content)) {
    if (key != "properties") continue;
    for (auto& [property, schema] : std::get<Json::Object>(content.content))
      if (property == name) schema = std::move(value);
  }
}

Json schemaOfFreeNames(Json each) {
  return {Json::Object{{"type", Json::of("object")}, {"additionalProperties", std::move(each)}}};
}

const Json kText{Json::Object{{"type", Json::of("string")}}};
const Json kTexts{Json::Object{{"type", Json::words({"string", "array"})}, {"items", kText}}};

/// Levels of a parameter; which keys belong together depends on the method of the batch.
Json levelsSchema() {
  const auto page = std::ranges::find(manualPages(), "batch.parameters", &LawPage::keyword);
  std::vector<PageKey> keys = page->keys;
  for (PageKey& key : keys) key.need = Need::optional;
  keys.push_back(
      pageKey(DeckKey::optional("column", "-", "\"mass\"", "of the file of a table; its path without it")));
  return objectSchema(*page, keys);
}

/// The page of a table, with the laws that its keys lead to.
Json tableSchema(const LawPage& page) {
  std::vector<PageKey> keys = page.keys;
  if (page.keyword == "transient")
    for (const LawPage& scheme : manualPages())
      if (scheme.kind == LawKind::scheme) keys.insert(keys.end(), scheme.keys.begin(), scheme.keys.end());
  Json object = objectSchema(page, keys);
  if (page.keyword == "contacts")
    for (const LawKind kind : {LawKind::obstacle, LawKind::normal, LawKind::friction, LawKind::wear})
      replaceMember(object, wordOfLawKind(kind), schemaOfLaws(kind));
  if (page.keyword == "batch") {
    replaceMember(object, "parameters", schemaOfFreeNames(levelsSchema()));
    for (const std::string_view name : {"outputs", "histories"})
      replaceMember(object, name, schemaOfFreeNames(kText));
  }
  return object;
}

}  // namespace

std::vector<std::string_view> valueKindsOf(const PageKey& key) {
  const char first = key.example.empty() ? '0' : key.example.front();
  const bool integer = doesMeaningContain(key, "an integer");
  std::vector<std::string_view> kinds;
  const auto add = [&kinds](std::string_view kind) {
    if (std::ranges::find(kinds, kind) == kinds.end()) kinds.push_back(kind);
  };
  if (first == '"') {
    if (doesMeaningContain(key, "a number or")) add("number");
    add("string");
  } else if (first == '[') {
    if (isListOfTexts(key)) add("string");
    add("array");
  } else if (first == '{') {
    add("object");
  } else if (first == 't' || first == 'f') {
    add("boolean");
  } else {
    add(integer ? "integer" : "number");
    if (doesMeaningContain(key, "function") || doesMeaningContain(key, "\"") ||
        doesMeaningContain(key, "a word"))
      add("string");
    if (doesMeaningContain(key, "[")) add("array");
  }
  if (doesMeaningContain(key, "[names]")) add("array");
  return kinds;
}

std::string deckSchema() {
  Json::Object tables{{"title", kText},
                      {"version", {Json::Object{{"type", Json::of("integer")}}}},
                      {"groups", schemaOfFreeNames(kTexts)}};
  for (const LawPage& page : manualPages()) {
    if (page.kind != LawKind::table || page.keyword.find('.') != std::string::npos) continue;
    Json schema = tableSchema(page);
    if (page.head.starts_with("[["))
      schema = {Json::Object{{"type", Json::of("array")}, {"items", std::move(schema)}}};
    else if (page.head.find('.') != std::string::npos)
      schema = schemaOfFreeNames(std::move(schema));
    auto& object = std::get<Json::Object>(schema.content);
    object.insert(object.begin(), {"description", Json::of(page.title)});
    tables.emplace_back(page.keyword, std::move(schema));
  }
  Json links{Json::Object{{"description", Json::of("Laws between two nodes, or of a node and the ground")},
                          {"type", Json::of("array")},
                          {"items", schemaOfLaws(LawKind::link)}}};
  tables.emplace_back("links", std::move(links));
  const Json schema{Json::Object{{"$schema", Json::of("http://json-schema.org/draft-07/schema#")},
                                 {"title", Json::of("A deck of ricochet")},
                                 {"type", Json::of("object")},
                                 {"properties", {std::move(tables)}},
                                 {"additionalProperties", kFalse}}};
  return schema.print() + "\n";
}

}  // namespace ricochet
