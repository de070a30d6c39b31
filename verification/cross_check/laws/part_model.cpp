#include "verification/cross_check/laws/part_model.hpp"

#include "verification/cross_check/laws/numbers.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cstddef>
#include <set>

namespace ricochet::cross {
namespace {

void writePart(std::string& deck, const Part& part) {
  deck += "\n" + part.head + "\n";
  for (const Entry& entry : part.entries) deck += fmt::format("{} = {}\n", entry.key, entry.value);
}

void writeRun(std::string& deck, const PartModel& model, const DeckHead& head) {
  deck += fmt::format("\n[transient]\nduration = {}\n", model.duration);
  if (!head.direct) deck += fmt::format("scheme = \"{}\"\n", head.scheme);
  if (head.tolerance > 0.0)  // as EngineRun sets it
    deck += fmt::format("tolerance = {{ absolute = {}, relative = {} }}\n", 1e-6 * head.tolerance,
                        head.tolerance);
  if (head.limitsStep && head.step > 0.0) deck += fmt::format("step_max = {}\n", head.step);
  if (head.direct) deck += fmt::format("\n[direct]\nscheme = \"{}\"\n", head.scheme);
  if (head.step > 0.0) deck += fmt::format("step = {}\n", head.step);
}

/// Adds the models that lack one part; a removed node also removes all parts that name this node.
void addModelsLackingOnePart(const PartModel& model, std::vector<PartModel>& all) {
  for (std::size_t i = 0; i < model.parts.size(); ++i) {
    const Part& part = model.parts[i];
    all.push_back(model);
    std::vector<Part>& left = all.back().parts;
    left.erase(left.begin() + static_cast<std::ptrdiff_t>(i));
    if (part.head == "[[nodes]]")
      std::erase_if(left, [&](const Part& other) { return other.containsText(part.entries.front().value); });
  }
}

void addModelsWithoutKeys(const PartModel& model, std::vector<PartModel>& all) {
  for (std::size_t i = 0; i < model.parts.size(); ++i)
    for (std::size_t j = 0; j < model.parts[i].entries.size(); ++j) {
      if (model.parts[i].entries[j].needed) continue;
      all.push_back(model);
      std::vector<Entry>& left = all.back().parts[i].entries;
      left.erase(left.begin() + static_cast<std::ptrdiff_t>(j));
    }
}

void addModelsWithRoundedValues(const PartModel& model, std::vector<PartModel>& all) {
  for (int digits : {0, 1, 2})
    for (std::size_t i = 0; i < model.parts.size(); ++i)
      for (std::size_t j = 0; j < model.parts[i].entries.size(); ++j) {
        const std::string& value = model.parts[i].entries[j].value;
        const std::string& key = model.parts[i].entries[j].key;
        const bool isPlace = key == "position" || key.ends_with("center");
        if (value.front() == '"' || isPlace) continue;
        const std::string rounded = withChangedNumbers(value, [&](double x) { return roundedTo(x, digits); });
        if (rounded == value) continue;
        all.push_back(model);
        all.back().parts[i].entries[j].value = rounded;
      }
}

}  // namespace

bool Part::containsText(std::string_view text) const {
  return std::ranges::any_of(entries,
                             [&](const Entry& entry) { return entry.value.find(text) != std::string::npos; });
}

std::string PartModel::laws() const {
  std::string all;
  for (const Part& part : parts)
    if (!part.law.empty()) all += (all.empty() ? "" : ", ") + part.law;
  return all;
}

std::string deckOf(const PartModel& model, const DeckHead& head) {
  std::string deck = fmt::format("title = \"{}\"\n", head.title);
  std::set<std::string> tables;
  for (const Part& part : model.parts)
    if (!part.tables.empty()) tables.insert(part.tables);
  for (const std::string& table : tables) deck += "\n" + table + "\n";
  for (const Part& part : model.parts) writePart(deck, part);
  writeRun(deck, model, head);
  for (const KnownValue& value : head.expected)
    deck += fmt::format(
        "\n[[checks]]\nquantity = \"displacement\"\nnode = \"{}\"\ndof = \"{}\"\ntime = {}\n"
        "reference = {}\nabsolute = {:.2g}\nsource = \"{}\"\n{}",
        value.node, value.dof, value.time, value.value, value.tolerance, value.source,
        head.direct ? "mode = \"direct\"\n" : "");
  return deck + head.more;
}

std::vector<PartModel> simplifiedModels(const PartModel& model) {
  std::vector<PartModel> all;
  addModelsLackingOnePart(model, all);
  constexpr double kShortest = 0.002;  // [s]
  for (double part : {0.25, 0.5, 0.8}) {
    if (model.duration * part < kShortest) continue;
    all.push_back(model);
    all.back().duration = roundedTo(model.duration * part, 2);
  }
  addModelsWithoutKeys(model, all);
  addModelsWithRoundedValues(model, all);
  return all;
}

}  // namespace ricochet::cross
