#include "io/toml/section.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <deque>
#include <map>
#include <utility>

namespace ricochet {

/// Bookkeeping of one table: the keys that have been read.
struct Section::State {
  Reading* reading{nullptr};
  const InputValue* value{nullptr};  // null: the table is missing or invalid, which has been reported
  std::string path;
  SourceLocation where;
  std::vector<std::string> asked;
  std::vector<std::string> unsupported;
  std::map<std::string, InputProblem, std::less<>> missing;
  bool takesAny{false};
  bool finished{false};
};

/// One reading of a document: the sections opened so far, each once.
struct Section::Reading {
  const Document* document{nullptr};
  Diagnostics* diagnostics{nullptr};
  std::deque<State> states;
  std::map<const InputValue*, State*> opened;
  std::vector<DefaultTaken> defaults;
  std::map<const InputValue*, std::string> units;  // units of the numbers that have been read
  std::size_t problemCount{0};
};

namespace {

bool isBareKey(std::string_view key) {
  return !key.empty() && std::all_of(key.begin(), key.end(), [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '-';
  });
}

bool containsName(const std::vector<std::string>& names, std::string_view name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

void insertName(std::vector<std::string>& names, std::string_view name) {
  if (!containsName(names, name)) names.emplace_back(name);
}

}  // namespace

Section::Section(const Document& document, Diagnostics& diagnostics) {
  const auto reading = std::make_shared<Reading>();
  reading->document = &document;
  reading->diagnostics = &diagnostics;
  State& root = reading->states.emplace_back();
  root.reading = reading.get();
  root.where = {document.file, document.root.line, document.root.column};
  root.value = &document.root;
  reading->opened.emplace(root.value, &root);
  state_ = std::shared_ptr<State>(reading, &root);
}

Section::Section(std::shared_ptr<State> state) : state_(std::move(state)) {}

Section Section::openSection(const InputValue* value, std::string path, const SourceLocation& where) const {
  Reading& reading = *state_->reading;
  if (const auto known = reading.opened.find(value); value != nullptr && known != reading.opened.end())
    return Section(std::shared_ptr<State>(state_, known->second));
  State& opened = reading.states.emplace_back();
  opened.reading = &reading;
  opened.value = value;
  opened.path = std::move(path);
  opened.where = where;
  if (value != nullptr) reading.opened.emplace(value, &opened);
  return Section(std::shared_ptr<State>(state_, &opened));
}

bool Section::exists() const noexcept { return state_->value != nullptr; }

const std::string& Section::path() const noexcept { return state_->path; }

std::string Section::pathOf(std::string_view key) const {
  const std::string shown = isBareKey(key) ? std::string{key} : fmt::format("\"{}\"", key);
  return state_->path.empty() ? shown : state_->path + "." + shown;
}

Diagnostics& Section::diagnostics() const noexcept { return *state_->reading->diagnostics; }

SourceLocation Section::where() const { return state_->where; }

SourceLocation Section::where(std::string_view key) const {
  const InputValue* value = exists() ? state_->value->find(key) : nullptr;
  if (value == nullptr) return state_->where;
  return sourceLocationOf(*value);
}

SourceLocation Section::where(std::string_view key, std::size_t index) const {
  const InputValue* value = exists() ? state_->value->find(key) : nullptr;
  const InputValue::Array* array = value == nullptr ? nullptr : value->array();
  if (array == nullptr || index >= array->size()) return where(key);
  return sourceLocationOf((*array)[index]);
}

SourceLocation Section::sourceLocationInString(std::string_view key, std::size_t offset) const {
  SourceLocation place = where(key);
  const InputValue* value = exists() ? state_->value->find(key) : nullptr;
  const auto* string = value == nullptr ? nullptr : std::get_if<std::string>(&value->content);
  if (string == nullptr) return place;
  const std::string_view written = state_->reading->document->textFromPlace(value->line, value->column);
  const bool isPlain = !written.starts_with(R"(""")") && !written.starts_with("'''") && written.size() > 1 &&
                       written.substr(1).starts_with(*string);
  if (isPlain) place.column += 1 + static_cast<int>(offset);
  return place;
}

const InputValue* Section::valueOfKey(std::string_view key) const {
  if (!exists()) return nullptr;
  insertName(state_->asked, key);
  return state_->value->find(key);
}

const InputValue* Section::valueOfKey(std::string_view key, std::string_view needed) const {
  const InputValue* value = valueOfKey(key);
  if (value != nullptr || !exists()) return value;
  InputProblem missing;
  missing.where = state_->where;
  missing.path = pathOf(key);
  missing.problem = fmt::format("missing; {}", needed);
  diagnostics().addProblem(missing.where, missing.path, missing.problem);
  state_->missing.insert_or_assign(std::string{key}, std::move(missing));
  return nullptr;
}

bool Section::hasKey(std::string_view key) const { return valueOfKey(key) != nullptr; }

ValueKind Section::kind(std::string_view key) const {
  const InputValue* value = valueOfKey(key);
  if (value == nullptr) return ValueKind::absent;
  constexpr std::array kKinds{ValueKind::boolean, ValueKind::integer, ValueKind::number, ValueKind::string,
                              ValueKind::date,    ValueKind::array,   ValueKind::table};
  static_assert(kKinds.size() == std::variant_size_v<decltype(value->content)>);
  return kKinds[value->content.index()];
}

std::string Section::onlyPresentKeyOf(const NameList& keys) const {
  std::string_view first;
  for (const std::string_view key : keys) {
    if (!hasKey(key)) continue;
    if (first.empty()) {
      first = key;
    } else {
      problem(key, fmt::format("contradicts `{}` of line {}; give one of {}", first, where(first).line,
                               joinNames(keys)));
    }
  }
  return std::string{first};
}

std::string Section::onlyPresentKeyOf(Required, const NameList& keys) const {
  std::string present = onlyPresentKeyOf(keys);
  if (present.empty()) problem(fmt::format("one of {} is needed", joinNames(keys)));
  return present;
}

std::vector<Located<std::string>> Section::keys() const {
  std::vector<Located<std::string>> names;
  if (!exists()) return names;
  state_->takesAny = true;
  for (const InputEntry& entry : *state_->value->table())
    names.push_back({entry.key, {state_->where.file, entry.line, entry.column}, pathOf(entry.key)});
  return names;
}

std::optional<Section> Section::section(std::string_view key) const {
  const InputValue* value = valueOfKey(key);
  if (value == nullptr) return std::nullopt;
  const std::string path = pathOf(key);
  if (value->table() != nullptr) return openSection(value, path, where(key));
  const bool isRepeated =
      value->array() != nullptr && !value->array()->empty() && value->array()->front().table() != nullptr;
  reportInvalidValue(*value, path,
                     isRepeated ? fmt::format("must be one table [{}], got [[{}]]", path, path)
                                : "must be a table, got " + value->describeValue());
  return openSection(nullptr, path, where(key));
}

Section Section::section(std::string_view key, Required) const {
  valueOfKey(key, "it must be a table");
  const std::optional<Section> found = section(key);
  return found ? *found : openSection(nullptr, pathOf(key), where());
}

std::vector<Section> Section::readSections(const InputValue& value, std::string_view key) const {
  std::vector<Section> found;
  const std::string path = pathOf(key);
  const InputValue::Array* array = value.array();
  if (array == nullptr) {
    reportInvalidValue(value, path,
                       fmt::format("must be an array of tables [[{}]], got {}", key, value.describeValue()));
    return found;
  }
  for (std::size_t i = 0; i < array->size(); ++i) {
    const InputValue& element = (*array)[i];
    const std::string elementPath = fmt::format("{}[{}]", path, i);
    if (element.table() == nullptr) {
      reportInvalidValue(element, elementPath, "must be a table, got " + element.describeValue());
    } else {
      found.push_back(openSection(&element, elementPath, where(key, i)));
    }
  }
  return found;
}

std::vector<Section> Section::sections(std::string_view key) const {
  const InputValue* value = valueOfKey(key);
  return value == nullptr ? std::vector<Section>{} : readSections(*value, key);
}

std::vector<Section> Section::sections(std::string_view key, Required) const {
  const InputValue* value = valueOfKey(key, fmt::format("at least one [[{}]] is needed", key));
  if (value == nullptr) return {};
  if (value->array() != nullptr && value->array()->empty())
    reportInvalidValue(*value, pathOf(key), "must hold at least one table");
  return readSections(*value, key);
}

std::vector<NamedSection> Section::namedSections() const {
  std::vector<NamedSection> found;
  for (Located<std::string>& name : keys()) {
    Section section = Section::section(name.value).value();
    found.push_back({std::move(name), std::move(section)});
  }
  return found;
}

void Section::problem(std::string text) const {
  if (exists()) diagnostics().addProblem(where(), path(), std::move(text));
}

void Section::problem(std::string_view key, std::string text) const {
  if (exists()) diagnostics().addProblem(where(key), pathOf(key), std::move(text));
}

void Section::problem(std::string_view key, std::size_t index, std::string text) const {
  if (exists())
    diagnostics().addProblem(where(key, index), fmt::format("{}[{}]", pathOf(key), index), std::move(text));
}

void Section::reportInvalidValue(const InputValue& value, const std::string& path,
                                 std::string problem) const {
  ++state_->reading->problemCount;
  diagnostics().addProblem(sourceLocationOf(value), path, std::move(problem));
}

std::size_t Section::problemCount() const noexcept { return state_->reading->problemCount; }

SourceLocation Section::sourceLocationOf(const InputValue& value) const {
  return {state_->where.file, value.line, value.column};
}

void Section::recordDefault(std::string_view key, std::string value, std::string_view unit) const {
  if (exists()) state_->reading->defaults.push_back({pathOf(key), std::move(value), std::string{unit}});
}

const std::vector<DefaultTaken>& Section::usedDefaults() const noexcept { return state_->reading->defaults; }

std::string Section::unitOf(const InputValue& number) const {
  const auto found = state_->reading->units.find(&number);
  return found == state_->reading->units.end() ? std::string{} : found->second;
}

void Section::recordUnit(const InputValue& number, std::string_view unit) const {
  if (!unit.empty() && unit != "-") state_->reading->units.emplace(&number, unit);
}

void Section::reportUnsupportedKeys(const NameList& keys) const {
  if (!exists()) return;
  for (const std::string_view key : keys) insertName(state_->unsupported, key);
}

void Section::acceptAllFurtherKeys() const { state_->takesAny = true; }

void Section::reportUnreadKeys() const {
  State& state = *state_;
  if (!exists() || std::exchange(state.finished, true)) return;
  std::vector<std::string> known = state.asked;
  known.insert(known.end(), state.unsupported.begin(), state.unsupported.end());

  for (const InputEntry& entry : *state.value->table()) {
    const SourceLocation place{state.where.file, entry.line, entry.column};
    if (containsName(state.unsupported, entry.key)) {
      diagnostics().addProblem(place, pathOf(entry.key), fmt::format("`{}` is not supported yet", entry.key));
    } else if (!state.takesAny && !containsName(state.asked, entry.key)) {
      const std::string taker = path().empty() ? "the deck" : path();
      std::string text = fmt::format("unknown; {} takes {}", taker,
                                     state.asked.empty() ? "no keys" : joinNames(state.asked));
      if (const std::string nearest = nearestName(entry.key, known); !nearest.empty()) {
        text += fmt::format("; did you mean `{}`?", nearest);
        // The misspelt key explains the missing key: one mistake gives one problem.
        if (const auto found = state.missing.find(nearest); found != state.missing.end())
          diagnostics().removeProblem(found->second);
      }
      diagnostics().addProblem(place, pathOf(entry.key), std::move(text));
    }
  }
}

void Section::reportUnreadKeysOfAllSections() const {
  // The loop is by index, so that it stays valid if the list is reallocated.
  for (std::size_t i = 0; i < state_->reading->states.size(); ++i)
    Section(std::shared_ptr<State>(state_, &state_->reading->states[i])).reportUnreadKeys();
}

}  // namespace ricochet
