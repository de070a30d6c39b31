#include "io/toml/read_names.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <charconv>

namespace ricochet {
namespace {

/// Number N of a name "PREFIX.N"; empty if the rest of the name is not such a number.
std::optional<int> numberAfterNamePrefix(std::string_view prefix, std::string_view name) {
  if (!name.starts_with(prefix) || name.size() <= prefix.size() + 1 || name[prefix.size()] != '.') return {};
  int number = 0;
  const char* const end = name.data() + name.size();
  const auto [last, error] = std::from_chars(name.data() + prefix.size() + 1, end, number);
  return error == std::errc{} && last == end && number >= 0 ? std::optional(number) : std::nullopt;
}

/// The numbered names, such as nodes of a beam, for an unknown name "PREFIX.9" or "PREFIX": their range,
/// because the nearest word would be arbitrary. Empty if there are no names with this prefix, or if the rest
/// is a word.
std::string numberedNamesText(std::string_view kind, std::string_view written,
                              const std::vector<std::string>& known) {
  const std::size_t dot = written.rfind('.');
  const std::string_view prefix = written.substr(0, dot);
  if (dot != written.npos && !numberAfterNamePrefix(prefix, written)) return {};
  std::optional<int> lowest, highest;
  for (const std::string& name : known)
    if (const std::optional<int> number = numberAfterNamePrefix(prefix, name)) {
      lowest = std::min(lowest.value_or(*number), *number);
      highest = std::max(highest.value_or(*number), *number);
    }
  if (!lowest) return {};
  const std::optional<int> asked = numberAfterNamePrefix(prefix, written);
  const bool isBetween = asked && *lowest < *asked && *asked < *highest;  // numbers of a mesh may have holes
  return fmt::format("; \"{0}\" has the {1}s \"{0}.{2}\" to \"{0}.{3}\"{4}", prefix,
                     kind.substr(0, kind.find(" or ")), *lowest, *highest,
                     isBetween ? ", without this one" : "");
}

}  // namespace

std::string unknownNameMessage(std::string_view kind, std::string_view written,
                               const std::vector<std::string>& known) {
  constexpr std::size_t kMostShown = 8;
  std::string text = fmt::format("no {} \"{}\"", kind, written);
  if (const std::string range = numberedNamesText(kind, written, known); !range.empty()) return text + range;
  if (const std::string nearest = nearestName(written, known); !nearest.empty())
    return text + fmt::format("; did you mean \"{}\"?", nearest);
  if (known.empty()) return text + "; the deck has none";
  if (known.size() <= kMostShown) text += fmt::format("; there are {}", joinNames(known));
  return text;
}

std::string hdf5ObjectName(std::string_view name) {
  std::string object(name);
  std::replace(object.begin(), object.end(), '/', '_');
  return object;
}

/// Why results cannot use this name for a group; empty if they can.
std::string DeclaredNames::reasonAgainstHdf5Name(const std::string& name) const {
  constexpr std::size_t kLongest = 255;
  if (kept_ == Kept::inLists) return {};
  if (name == ".") return fmt::format("\".\" cannot be the name of a {} in a result", kind_);
  if (name.size() > kLongest)
    return fmt::format("is {} bytes long; a result keeps names of at most {}", name.size(), kLongest);
  const auto same = objects_.find(hdf5ObjectName(name));
  if (same == objects_.end()) return {};
  return fmt::format("is kept as \"{}\" in a result, as the {} of line {} is; rename one of them",
                     same->first, kind_, same->second.line);
}

void DeclaredNames::addName(const Located<std::string>& name, int index) {
  places_[name.value] = {index, name.where.line};
  objects_[hdf5ObjectName(name.value)] = {index, name.where.line};
}

bool DeclaredNames::isNameAvailable(const Located<std::string>& name, Diagnostics& diagnostics) {
  if (name.value.empty()) {
    diagnostics.addProblem(name.where, name.path, "must not be empty");
    complete_ = false;
    return false;
  }
  if (name.value.find('\0') != std::string::npos) {
    diagnostics.addProblem(name.where, name.path, "must not hold the character U+0000");
    complete_ = false;
    return false;
  }
  const auto first = places_.find(name.value);
  if (first == places_.end()) {
    const std::string why = reasonAgainstHdf5Name(name.value);
    if (!why.empty()) diagnostics.addProblem(name.where, name.path, why);
    return true;
  }
  diagnostics.addProblem(
      name.where, name.path,
      fmt::format("\"{}\" is already the name of the {} of line {}", name.value, kind_, first->second.line));
  return false;
}

int DeclaredNames::declareName(const Located<std::string>& name, Diagnostics& diagnostics) {
  const int index = static_cast<int>(names_.size());
  if (isNameAvailable(name, diagnostics)) addName(name, index);
  names_.push_back(name.value);
  return index;
}

void DeclaredNames::declareAlias(const Located<std::string>& name, int index, Diagnostics& diagnostics) {
  if (isNameAvailable(name, diagnostics)) addName(name, index);
}

int DeclaredNames::declareName(const Section& section) {
  const ProblemWatch watch(section);
  const Located<std::string> name = readLocatedString(section, "name");
  if (watch.isFreeOfProblems()) return declareName(name, section.diagnostics());
  complete_ = false;
  names_.emplace_back();
  return static_cast<int>(names_.size()) - 1;
}

std::map<std::string, int, std::less<>> DeclaredNames::indices() const {
  std::map<std::string, int, std::less<>> found;
  for (const auto& [name, place] : places_) found.emplace(name, place.index);
  return found;
}

std::vector<std::string> DeclaredNames::namesAndAliases() const {
  std::vector<std::string> names = names_;
  for (const auto& [name, place] : places_)
    if (place.index >= static_cast<int>(names_.size()) ||
        names_[static_cast<std::size_t>(place.index)] != name)
      names.push_back(name);
  return names;
}

std::optional<int> DeclaredNames::find(std::string_view name) const {
  const auto found = places_.find(name);
  return found == places_.end() ? std::nullopt : std::optional(found->second.index);
}

std::optional<int> DeclaredNames::resolveName(const Located<std::string>& name,
                                              Diagnostics& diagnostics) const {
  const std::optional<int> found = find(name.value);
  if (!found && complete_)
    diagnostics.addProblem(name.where, name.path, unknownNameMessage(kind_, name.value, namesAndAliases()));
  return found;
}

Located<std::string> readLocatedString(const Section& section, std::string_view key) {
  return {section.string(key, kRequired), section.where(key), section.pathOf(key)};
}

bool isValueSupported(const Section& section, std::string_view key, std::string_view value,
                      const NameList& supported) {
  if (supported.contains(value)) return true;
  section.problem(
      key, fmt::format("\"{}\" is not supported yet; this version takes {}", value, joinNames(supported)));
  return false;
}

}  // namespace ricochet
