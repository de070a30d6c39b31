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

  static Json jsonOfText(std::string_view text) { return {jsonString(text)}; }
  static Json rawJson(std::string text) { return {std::move(text)}; }
  static Json jsonOfWords(const std::vector<std::string>& words) {
    Array all;
    for (const std::string& word : words) all.push_back(jsonOfText(word));
    return {std::move(all)};
  }

  std::string printedJson(const std::string& indent = {}) const {
    if (const auto* text = std::get_if<std::string>(&content)) return *text;
    const std::string inner = indent + "  ";
    std::string all;
    if (const auto* object = std::get_if<Object>(&content)) {
      for (const auto& [key, value] : *object)
        all += fmt::format("{}\n{}{}: {}", all.empty() ? "" : ",", inner, jsonString(key),
                           value.printedJson(inner));
      return all.empty() ? "{}" : fmt::format("{{{}\n{}}}", all, indent);
    }
    for (const Json& value : std::get<Array>(content))
      all += fmt::format("{}\n{}{}", all.empty() ? "" : ",", inner, value.printedJson(inner));
    return all.empty() ? "[]" : fmt::format("[{}\n{}]", all, indent);
  }
};

const Json kFalse = Json::rawJson("false");

bool doesKeyMeaningContain(const PageKey& key, std::string_view words) {
  return key.meaning.find(words) != std::string::npos;
}

/// True if the example is a list of texts: the reader also accepts a single text without brackets.
bool isListOfTexts(const PageKey& key) { return key.example.starts_with("[\""); }

/// Allowed words of a text; empty if any text is allowed.
std::vector<std::string> allowedWordsOfKey(const LawPage& page, const PageKey& key) {
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
void addBoundsOfNumber(const PageKey& key, Json::Object& schema) {
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
    return {Json::Object{{"type", Json::jsonOfText("object")},
                         {"properties", {std::move(properties)}},
                         {"required", Json::jsonOfWords(names)},
                         {"additionalProperties", kFalse}}};
  }
  if (const InputValue::Array* array = example.array())
    return {Json::Object{{"type", Json::jsonOfText("array")}, {"items", schemaOfExample(array->front())}}};
  const bool isText = std::holds_alternative<std::string>(example.content);
  return {Json::Object{{"type", Json::jsonOfText(isText ? "string" : "number")}}};
}

Json schemaOfArray(const PageKey& key) {
  if (key.example.starts_with("[[") || key.example.starts_with("[{"))
    return schemaOfExample(Document::parse("x = " + key.example, "example").root.find("x")->array()->front());
  Json::Object items;
  if (isListOfTexts(key) || doesKeyMeaningContain(key, "[names]"))
    items.emplace_back("type", Json::jsonOfText("string"));
  else if (doesKeyMeaningContain(key, "function"))
    items.emplace_back("type", Json::jsonOfWords({"number", "string"}));
  else
    items.emplace_back("type", Json::jsonOfText("number"));
  return {std::move(items)};
}

std::string descriptionOfKey(const PageKey& key) {
  std::string text = key.meaning;
  if (key.unit != "-") text += fmt::format(" [{}]", key.unit);
  if (!key.allowed.empty() && !key.example.starts_with('"')) text += fmt::format("; {}", key.allowed);
  if (!key.fallback.empty()) text += fmt::format("; default: {}", key.fallback);
  return text;
}

Json schemaOfKey(const LawPage& page, const PageKey& key) {
  const std::vector<std::string_view> kinds = valueKindsOfKey(key);
  Json::Object schema{{"description", Json::jsonOfText(descriptionOfKey(key))}};
  schema.emplace_back("type", kinds.size() == 1
                                  ? Json::jsonOfText(kinds.front())
                                  : Json::jsonOfWords(std::vector<std::string>(kinds.begin(), kinds.end())));
  const std::vector<std::string> words = allowedWordsOfKey(page, key);
  if (!words.empty() && kinds.size() == 1) schema.emplace_back("enum", Json::jsonOfWords(words));
  if (kinds.front() == "number" || kinds.front() == "integer") addBoundsOfNumber(key, schema);
  if (std::ranges::find(kinds, "array") != kinds.end()) schema.emplace_back("items", schemaOfArray(key));
  return {std::move(schema)};
}

/// True if a table without the key is complete: the key has a default, or another key may replace it.
bool isKeyOptional(const LawPage& page, const PageKey& key) {
  if (key.need == Need::optional || key.need == Need::together) return true;
  if (doesKeyMeaningContain(key, "optional") || doesKeyMeaningContain(key, "without it")) return true;
  return std::ranges::any_of(page.keys, [&](const PageKey& other) {
    return (" " + other.instead + " ").find(" " + key.name + " ") != std::string::npos;
  });
}

/// Part of a table: keys below `prefix`, "patch." or nothing.
Json schemaOfObject(const LawPage& page, const std::vector<PageKey>& keys, const std::string& prefix = {}) {
  Json::Object properties;
  std::vector<std::string> required;
  for (const PageKey& key : keys) {
    if (!key.name.starts_with(prefix)) continue;
    const std::string rest = key.name.substr(prefix.size());
    const std::string name = rest.substr(0, rest.find('.'));
    if (std::ranges::any_of(properties, [&](const auto& each) { return each.first == name; })) continue;
    if (name != rest) {
      properties.emplace_back(name, schemaOfObject(page, keys, prefix + name + "."));
      continue;
    }
    properties.emplace_back(name, schemaOfKey(page, key));
    if (!isKeyOptional(page, key)) required.push_back(name);
  }
  Json::Object object{{"type", Json::jsonOfText("object")}, {"properties", {std::move(properties)}}};
  if (!required.empty()) object.emplace_back("required", Json::jsonOfWords(required));
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
    Json law = schemaOfObject(page, keys);
    auto& object = std::get<Json::Object>(law.content);
    object.insert(object.begin(), {"title", Json::jsonOfText(page.title)});
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

Json schemaOfFreelyNamedTables(Json each) {
  return {Json::Object{{"type", Json::jsonOfText("object")}, {"additionalProperties", std::move(each)}}};
}

const Json kText{Json::Object{{"type", Json::jsonOfText("string")}}};
const Json kTexts{Json::Object{{"type", Json::jsonOfWords({"string", "array"})}, {"items", kText}}};

/// Levels of a parameter; which keys belong together depends on the method of the batch.
Json schemaOfParameterLevels() {
  const auto page = std::ranges::find(manualPages(), "batch.parameters", &LawPage::keyword);
  std::vector<PageKey> keys = page->keys;
  for (PageKey& key : keys) key.need = Need::optional;
  keys.push_back(
      pageKey(DeckKey::optional("column", "-", "\"mass\"", "of the file of a table; its path without it")));
  return schemaOfObject(*page, keys);
}

/// The page of a table, with the laws that its keys lead to.
Json schemaOfTable(const LawPage& page) {
  std::vector<PageKey> keys = page.keys;
  if (page.keyword == "transient")
    for (const LawPage& scheme : manualPages())
      if (scheme.kind == LawKind::scheme) keys.insert(keys.end(), scheme.keys.begin(), scheme.keys.end());
  Json object = schemaOfObject(page, keys);
  if (page.keyword == "contacts")
    for (const LawKind kind : {LawKind::obstacle, LawKind::normal, LawKind::friction, LawKind::wear})
      replaceMember(object, wordOfLawKind(kind), schemaOfLaws(kind));
  if (page.keyword == "batch") {
    replaceMember(object, "parameters", schemaOfFreelyNamedTables(schemaOfParameterLevels()));
    for (const std::string_view name : {"outputs", "histories"})
      replaceMember(object, name, schemaOfFreelyNamedTables(kText));
  }
  return object;
}

}  // namespace

std::vector<std::string_view> valueKindsOfKey(const PageKey& key) {
  const char first = key.example.empty() ? '0' : key.example.front();
  const bool integer = doesKeyMeaningContain(key, "an integer");
  std::vector<std::string_view> kinds;
  const auto add = [&kinds](std::string_view kind) {
    if (std::ranges::find(kinds, kind) == kinds.end()) kinds.push_back(kind);
  };
  if (first == '"') {
    if (doesKeyMeaningContain(key, "a number or")) add("number");
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
    if (doesKeyMeaningContain(key, "function") || doesKeyMeaningContain(key, "\"") ||
        doesKeyMeaningContain(key, "a word"))
      add("string");
    if (doesKeyMeaningContain(key, "[")) add("array");
  }
  if (doesKeyMeaningContain(key, "[names]")) add("array");
  return kinds;
}

std::string deckSchema() {
  Json::Object tables{{"title", kText},
                      {"version", {Json::Object{{"type", Json::jsonOfText("integer")}}}},
                      {"groups", schemaOfFreelyNamedTables(kTexts)}};
  for (const LawPage& page : manualPages()) {
    if (page.kind != LawKind::table || page.keyword.find('.') != std::string::npos) continue;
    Json schema = schemaOfTable(page);
    if (page.head.starts_with("[["))
      schema = {Json::Object{{"type", Json::jsonOfText("array")}, {"items", std::move(schema)}}};
    else if (page.head.find('.') != std::string::npos)
      schema = schemaOfFreelyNamedTables(std::move(schema));
    auto& object = std::get<Json::Object>(schema.content);
    object.insert(object.begin(), {"description", Json::jsonOfText(page.title)});
    tables.emplace_back(page.keyword, std::move(schema));
  }
  Json links{
      Json::Object{{"description", Json::jsonOfText("Laws between two nodes, or of a node and the ground")},
                   {"type", Json::jsonOfText("array")},
                   {"items", schemaOfLaws(LawKind::link)}}};
  tables.emplace_back("links", std::move(links));
  const Json schema{Json::Object{{"$schema", Json::jsonOfText("http://json-schema.org/draft-07/schema#")},
                                 {"title", Json::jsonOfText("A deck of ricochet")},
                                 {"type", Json::jsonOfText("object")},
                                 {"properties", {std::move(tables)}},
                                 {"additionalProperties", kFalse}}};
  return schema.printedJson() + "\n";
}

}  // namespace ricochet
