#pragma once

#include "io/text/input_error.hpp"
#include "io/toml/section.hpp"

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace ricochet {

/// Names of one kind that a deck declares and other keys refer to: nodes, groups, functions, contacts.
///
/// Names that results use for groups or datasets must be different there too.
///
/// After an invalid declaration the intended names are unknown, so that a reference to an unknown name is not
/// reported any more.
class DeclaredNames {
 public:
  enum class Kept { inLists, asObjects };  ///< use of the names in results
  explicit DeclaredNames(std::string_view kind, Kept kept = Kept::inLists) : kind_(kind), kept_(kept) {}

  /// Index of a new name, in the order of declaration. A name that is empty or already taken is reported as a
  /// problem and gets an index to which no name refers.
  int declareName(const Located<std::string>& name, Diagnostics& diagnostics);

  /// Declares another name for an existing index.
  void declareAlias(const Located<std::string>& name, int index, Diagnostics& diagnostics);

  /// Reads the required key `name` of a section and declares it.
  int declareName(const Section& section);

  std::optional<int> find(std::string_view name) const;

  /// Index of a name to which a deck refers. For an unknown name: empty, and a problem with the most similar
  /// name.
  std::optional<int> resolveName(const Located<std::string>& name, Diagnostics& diagnostics) const;

  /// Notes that names are missing, for a reason that has been reported.
  void markNamesAsIncomplete() { complete_ = false; }
  bool areAllNamesDeclared() const noexcept { return complete_; }

  const std::vector<std::string>& all() const noexcept { return names_; }
  /// Names in the order of declaration, then aliases.
  std::vector<std::string> namesAndAliases() const;
  /// Names and aliases with their indices.
  std::map<std::string, int, std::less<>> indices() const;
  std::string_view kind() const noexcept { return kind_; }

 private:
  std::string kind_;
  Kept kept_;
  std::vector<std::string> names_;
  struct Place {
    int index;
    int line;
  };
  bool isNameAvailable(const Located<std::string>& name, Diagnostics& diagnostics);
  std::string reasonAgainstHdf5Name(const std::string& name) const;
  void addName(const Located<std::string>& name, int index);

  std::map<std::string, Place, std::less<>> places_;   ///< indices by name, aliases included
  std::map<std::string, Place, std::less<>> objects_;  ///< indices by the name in results
  bool complete_{true};
};

/// The name as a group or dataset of a result: HDF5 reserves '/'.
std::string hdf5ObjectName(std::string_view name);

/// True if problems were found since the construction of this object.
class ProblemWatch {
 public:
  explicit ProblemWatch(const Section& section)
      : diagnostics_(&section.diagnostics()), before_(diagnostics_->size()) {}
  bool isFreeOfProblems() const noexcept { return diagnostics_->size() == before_; }

 private:
  const Diagnostics* diagnostics_;
  std::size_t before_;
};

/// During the lifetime of this object, problems of a section are problems of a law: they name the law.
class LawProblems {
 public:
  LawProblems(const Section& section, std::string_view keyword)
      : diagnostics_(&section.diagnostics()), before_(diagnostics_->size()), keyword_(keyword) {}
  LawProblems(const LawProblems&) = delete;
  LawProblems& operator=(const LawProblems&) = delete;
  ~LawProblems() { diagnostics_->appendLawNameToProblems(before_, keyword_); }

 private:
  Diagnostics* diagnostics_;
  std::size_t before_;
  std::string_view keyword_;
};

/// Message for an unknown name: "no node "shoo"; did you mean "shoe"?", or a list of the known names if none
/// is similar and they are few. Of numbered names the range: "no node "tube.25"; "tube" has the nodes
/// "tube.0" to "tube.20"".
std::string unknownNameMessage(std::string_view kind, std::string_view written,
                               const std::vector<std::string>& known);

/// The string of a required key, with its place.
Located<std::string> readLocatedString(const Section& section, std::string_view key);

/// True if this version supports a value of the deck format; otherwise reports a problem.
bool isValueSupported(const Section& section, std::string_view key, std::string_view value,
                      const NameList& supported);

}  // namespace ricochet
