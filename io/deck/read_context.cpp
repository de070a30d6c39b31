#include "io/deck/read_context.hpp"

#include "engine/functions/poles.hpp"
#include "engine/functions/short_pulses.hpp"
#include "engine/study/parts/beam_request.hpp"
#include "io/formats/declared_mesh.hpp"
#include "io/text/largest_number.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <utility>

namespace ricochet {
namespace {

std::size_t nodeIndex(NodeIndex node) { return static_cast<std::size_t>(node.value); }

/// False for a node whose name is unknown: its index is outside the tables.
template <class Table>
bool isNodeInTable(const Table& table, NodeIndex node) {
  return node.value >= 0 && nodeIndex(node) < table.size();
}

}  // namespace

ReadContext::ReadContext(const Section& deck, Deck& filled) : root(deck), study(filled) {}
ReadContext::~ReadContext() = default;

std::filesystem::path ReadContext::pathOfDataFile(const std::string& name) const {
  std::filesystem::path file = study.deckFile.parent_path() / name;
  if (!name.empty()) recordDataFile(file);
  return file;
}

void ReadContext::recordDataFile(const std::filesystem::path& file) const {
  std::vector<std::filesystem::path>& known = study.dataFiles;
  if (std::find(known.begin(), known.end(), file) == known.end()) known.push_back(file);
}

bool ReadContext::requirePosition(const Section& section, std::string_view key, NodeIndex node) const {
  const auto found = inexact.find(node.value);
  if (found != inexact.end()) section.problem(key, found->second);
  return found == inexact.end();
}

bool ReadContext::isNameUnambiguous(const Section& section, const Located<std::string>& name) const {
  const auto found = unclear.find(name.value);
  if (found != unclear.end()) section.diagnostics().addProblem(name.where, name.path, found->second);
  return found == unclear.end();
}

std::string ReadContext::nodeName(NodeIndex index) const {
  return isNodeInTable(study.nodes, index) ? study.nodes[nodeIndex(index)].name : "?";
}

std::optional<NodeIndex> ReadContext::readNodeIndex(const Section& section, std::string_view key) {
  const ProblemWatch watch(section);
  const Located<std::string> name = readLocatedString(section, key);
  if (!watch.isFreeOfProblems() || !section.exists() || !isNameUnambiguous(section, name))
    return std::nullopt;
  const std::optional<int> index = nodes.resolveName(name, section.diagnostics());
  return index ? std::optional(NodeIndex{*index}) : std::nullopt;
}

std::optional<std::vector<NodeIndex>> ReadContext::resolveNodeNames(
    const Section& section, const std::vector<Located<std::string>>& names) const {
  std::vector<NodeIndex> found;
  for (const Located<std::string>& name : names) {
    if (!isNameUnambiguous(section, name)) continue;
    const bool isList = name.value == "all" || groups.contains(name.value);
    if (isList && !nodes.find(name.value)) {
      section.diagnostics().addProblem(
          name.where, name.path,
          fmt::format("\"{}\" stands for several nodes; nodes are named one by one here", name.value));
      continue;
    }
    const std::optional<int> index = nodes.resolveName(name, section.diagnostics());
    if (!index) continue;
    if (std::find(found.begin(), found.end(), NodeIndex{*index}) != found.end()) {
      section.diagnostics().addProblem(name.where, name.path,
                                       fmt::format("node \"{}\" is listed twice", name.value));
    }
    found.push_back(NodeIndex{*index});
  }
  return found.size() == names.size() ? std::optional(found) : std::nullopt;
}

std::optional<std::vector<NodeIndex>> ReadContext::readNodesOfKey(const Section& section,
                                                                  std::string_view key) {
  const ProblemWatch watch(section);
  const bool isOneString = section.kind(key) == ValueKind::string;
  const std::vector<Located<std::string>> names = section.strings(key, kRequired);
  if (!watch.isFreeOfProblems() || !section.exists()) return std::nullopt;
  if (!isOneString) {
    const auto found = resolveNodeNames(section, names);
    return watch.isFreeOfProblems() ? found : std::nullopt;
  }

  const std::string& name = names.front().value;
  if (name == "all") {
    std::vector<NodeIndex> every;
    for (std::size_t i = 0; i < study.nodes.size(); ++i) every.push_back(NodeIndex{static_cast<int>(i)});
    // The dofs of these nodes are not displacements of a node.
    std::vector<char> isUnplaced(every.size(), 0);
    for (const NodeIndex node : study.structure.unplaced) isUnplaced[nodeIndex(node)] = 1;
    std::erase_if(every, [&](NodeIndex node) { return isUnplaced[nodeIndex(node)] != 0; });
    return every;
  }
  if (!isNameUnambiguous(section, names.front())) return std::nullopt;
  if (const auto group = groups.find(name); group != groups.end()) return group->second;
  if (const std::optional<int> index = nodes.find(name)) return std::vector{NodeIndex{*index}};
  if (nodes.areAllNamesDeclared()) {
    std::vector<std::string> known{"all"};
    for (const auto& entry : groups) known.push_back(entry.first);
    const std::vector<std::string> ofNodes = nodes.namesAndAliases();
    known.insert(known.end(), ofNodes.begin(), ofNodes.end());
    section.problem(key, unknownNameMessage(groups.empty() ? "node" : "node or group", name, known));
  }
  return std::nullopt;
}

std::optional<std::vector<NodeIndex>> ReadContext::readDifferentNodes(const Section& section,
                                                                      std::string_view key) {
  const ProblemWatch watch(section);
  const std::vector<Located<std::string>> names = section.strings(key, kRequired);
  if (!watch.isFreeOfProblems() || !section.exists()) return std::nullopt;
  const auto found = resolveNodeNames(section, names);
  return watch.isFreeOfProblems() ? found : std::nullopt;
}

std::optional<int> ReadContext::readContactIndex(const Section& section, std::string_view key) {
  const ProblemWatch watch(section);
  const Located<std::string> name = readLocatedString(section, key);
  return watch.isFreeOfProblems() && section.exists() ? contacts.resolveName(name, section.diagnostics())
                                                      : std::nullopt;
}

std::optional<int> ReadContext::readLinkIndex(const Section& section, std::string_view key) {
  const ProblemWatch watch(section);
  const Located<std::string> name = readLocatedString(section, key);
  return watch.isFreeOfProblems() && section.exists() ? links.resolveName(name, section.diagnostics())
                                                      : std::nullopt;
}

std::optional<TimeFunction> ReadContext::readFunctionOfKey(const Section& section, std::string_view key) {
  const ProblemWatch watch(section);
  const Located<std::string> name = readLocatedString(section, key);
  if (!watch.isFreeOfProblems() || !section.exists()) return std::nullopt;
  const std::optional<int> index = functions.resolveName(name, section.diagnostics());
  if (!index) return std::nullopt;
  return functionTables[static_cast<std::size_t>(*index)].function;
}

std::optional<Component> ReadContext::readDofComponent(const Section& section, std::string_view key) {
  const std::string written = section.choice(key, kRequired, kComponentNames);
  const auto found = std::find(kComponentNames.begin(), kComponentNames.end(), written);
  if (found == kComponentNames.end()) return std::nullopt;
  return componentOfIndex(static_cast<int>(found - kComponentNames.begin()));
}

bool ReadContext::isFixed(Dof dof) const {
  return isNodeInTable(fixed, dof.node) &&
         fixed[nodeIndex(dof.node)][static_cast<std::size_t>(dof.component)];
}

bool ReadContext::hasNoElements(NodeIndex node) const {
  return isNodeInTable(bare, node) && bare[nodeIndex(node)];
}

std::optional<Component> ReadContext::findUndeterminedComponent(NodeIndex node,
                                                                std::span<const Component> components) const {
  if (!dofsKnown || !hasNoElements(node) || std::ranges::none_of(given[nodeIndex(node)], std::identity{}))
    return std::nullopt;
  const auto lacks = [&](Component component) { return !hasDof({node, component}); };
  const auto found = std::ranges::find_if(components, lacks);
  return found == components.end() ? std::nullopt : std::optional(*found);
}

bool ReadContext::hasDof(Dof dof) const {
  if (!dofsKnown || !isNodeInTable(given, dof.node) || isFixed(dof)) return true;
  return given[nodeIndex(dof.node)][static_cast<std::size_t>(dof.component)];
}

void ReadContext::recordDefaultValue(std::string path, std::string value, std::string unit) {
  defaults.push_back({std::move(path), std::move(value), std::move(unit)});
}

TimeFunction ReadContext::readNumberOrFunction(const Section& section, std::string_view key,
                                               const Range& range) {
  const NumberOrString written = section.numberOrString(key, kRequired, range);
  if (const auto* number = std::get_if<double>(&written)) return TimeFunction::constant(*number);
  return functionWithName(
      section, key, {std::get<std::string>(written), section.where(key), section.pathOf(key)}, range.unit);
}

std::optional<std::array<TimeFunction, 3>> ReadContext::readVectorOfFunctions(const Section& section,
                                                                              std::string_view key) {
  const ProblemWatch watch(section);
  const auto written = section.numbersOrStrings(key);
  if (!written || !watch.isFreeOfProblems()) return std::nullopt;
  const TimeFunction zero = TimeFunction::constant(0.0);
  std::array<TimeFunction, 3> components{zero, zero, zero};
  if (written->size() != components.size()) {
    section.problem(key, fmt::format("must have 3 components, got {}", written->size()));
    return components;
  }
  for (std::size_t i = 0; i < components.size(); ++i) {
    if (const auto* number = std::get_if<double>(&(*written)[i]))
      components[i] = TimeFunction::constant(*number);
    else
      components[i] = functionWithName(section, key,
                                       {std::get<std::string>((*written)[i]), section.where(key, i),
                                        fmt::format("{}[{}]", section.pathOf(key), i)},
                                       {});
  }
  return components;
}

TimeFunction ReadContext::functionWithName(const Section& section, std::string_view key,
                                           const Located<std::string>& name, std::string_view unit) {
  if (const std::string number = remedyForQuotedNumber(name.value, unit);
      !number.empty() && !functions.find(name.value)) {
    section.diagnostics().addProblem(name.where, name.path,
                                     fmt::format("no function \"{}\"{}", name.value, number));
    return TimeFunction::constant(0.0);
  }
  const std::optional<int> index = functions.resolveName(name, section.diagnostics());
  if (!index) return TimeFunction::constant(0.0);
  DeclaredFunction& declared = functionTables[static_cast<std::size_t>(*index)];
  const Formula* formula = declared.function.formulaOrNull();
  const bool isConstant = formula != nullptr && !formula->containsVariable(0);
  if (formula != nullptr && !isConstant && run && !std::exchange(declared.soughtPulses, true)) {
    declared.pole = firstPoleOfFormula(*formula, run->start, run->end);
    if (const auto stops = instantsAroundShortPulsesOfFormula(*formula, run->start, run->end); !stops.empty())
      declared.function = TimeFunction::formula(Formula(*formula), stops);
  }
  requireFunctionDefined(section, key, name.value, declared);
  if (isConstant) return TimeFunction::constant((*formula)(0.0));  // the function is as it was
  return declared.function;
}

namespace {

/// An instant of a run at which a formula has no finite value. Instants inside the run are at no simple
/// fractions of it, where one value alone may be 0/0, as of sin(x)/x, between values that are finite.
std::optional<double> instantWithoutValue(const TimeFunction& function, const RunInterval& run) {
  if (function.formulaOrNull() == nullptr) return std::nullopt;
  for (const double t : {run.start, run.end})
    if (!(std::abs(function.at(t)) <= kLargestNumber)) return t;
  constexpr int kInside = 500;
  constexpr double kOffset = 0.6180339887;  // fraction of the distance of two instants
  for (int i = 0; i < kInside; ++i)
    if (const double t = std::lerp(run.start, run.end, (i + kOffset) / kInside);
        !std::isfinite(function.at(t)))
      return t;
  return std::nullopt;
}

}  // namespace

void ReadContext::requireFormulaWithoutPole(const Section& section, const Formula& formula,
                                            std::string_view time,
                                            std::span<const std::string_view> variables) const {
  // Trial values of all variables but the time.
  constexpr std::array<double, 2> kSome{0.01234567, -0.0031415926};
  constexpr double kSamePole = 1e-12;  // share of the run
  const auto index = static_cast<std::size_t>(std::ranges::find(variables, time) - variables.begin());
  if (!run || !formula.containsVariable(index)) return;
  std::array<std::optional<double>, 2> pole;
  for (std::size_t i = 0; i < pole.size(); ++i)
    pole[i] = firstPoleOfFormula(formula, run->start, run->end, index, kSome[i]);
  if (pole[0] && pole[1] && std::abs(*pole[0] - *pole[1]) <= kSamePole * (run->end - run->start))
    section.problem("formula", fmt::format("becomes infinite at t = {:.9g} s, inside the run, which goes {}; "
                                           "end the run before, or bound the force there by if(c, a, b)",
                                           *pole[0], run->description()));
}

void ReadContext::requireFunctionDefined(const Section& section, std::string_view key, std::string_view name,
                                         const DeclaredFunction& declared) const {
  if (!run) return;
  if (const std::optional<double> t = instantWithoutValue(declared.function, *run))
    return section.problem(key, fmt::format("formula of function \"{}\" gives {} at t = {} s, but the run "
                                            "goes {}",
                                            name, declared.function.at(*t), *t, run->description()));
  if (declared.pole)
    return section.problem(
        key, fmt::format("formula of function \"{}\" becomes infinite at t = {:.9g} s, inside the run, which "
                         "goes {}; end the run before, or bound the function there by if(c, a, b)",
                         name, *declared.pole, run->description()));
  const double rounding = run->timeRounding();
  const bool early = declared.first && *declared.first > run->start + rounding;
  const bool late = declared.last && *declared.last < run->end - rounding;
  if (!early && !late) return;
  std::string keys;
  if (early) keys = "`before`";
  if (late) keys += early ? " and `after`" : "`after`";
  std::string interval;
  if (declared.first) interval += fmt::format(" from {} s", *declared.first);
  if (declared.last) interval += fmt::format(" to {} s", *declared.last);
  section.problem(key, fmt::format("function \"{}\" is defined{} only, but the run goes {}; give {} "
                                   "{} = \"constant\", \"zero\" or \"linear\"",
                                   name, interval, run->description(), declared.path, keys));
}

}  // namespace ricochet
