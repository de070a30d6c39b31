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

/// Names of one kind that a deck declares and that other keys point to: nodes, groups, functions, contacts.
///
/// Names that results keep as groups or datasets of their own must differ there too.
///
/// After a declaration that is bad itself nobody knows which names were meant, so that a name that points
/// nowhere is no longer a problem of its own.
class DeclaredNames {
 public:
  enum class Kept { inLists, asObjects };  ///< in results
  explicit DeclaredNames(std::string_view kind, Kept kept = Kept::inLists) : kind_(kind), kept_(kept) {}

  /// Index of a new name, in the order of declaration. Empty or taken already: a problem, and an index that
  /// no name leads to.
  int declare(const Located<std::string>& name, Diagnostics& diagnostics);

  /// Another name of what has an index already.
  void alias(const Located<std::string>& name, int index, Diagnostics& diagnostics);

  /// Reads the required key `name` of a section and declares it.
  int declare(const Section& section);

  std::optional<int> find(std::string_view name) const;

  /// Index of a name that a deck points to. Unknown: nothing, and a problem with the nearest name.
  std::optional<int> resolve(const Located<std::string>& name, Diagnostics& diagnostics) const;

  /// Names are missing, for a reason that has been told.
  void markIncomplete() { complete_ = false; }
  bool isComplete() const noexcept { return complete_; }

  const std::vector<std::string>& all() const noexcept { return names_; }
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
  bool isFree(const Located<std::string>& name, Diagnostics& diagnostics);
  std::string whyNoObject(const std::string& name) const;
  void take(const Located<std::string>& name, int index);

  std::map<std::string, Place, std::less<>> places_;   ///< by name, aliases included
  std::map<std::string, Place, std::less<>> objects_;  ///< by the name in results
  bool complete_{true};
};

/// The name of a group or dataset of a result: HDF5 keeps '/' for itself.
std::string objectName(std::string_view name);

/// Tells whether problems were found since it was made.
class ProblemWatch {
 public:
  explicit ProblemWatch(const Section& section)
      : diagnostics_(&section.diagnostics()), before_(diagnostics_->size()) {}
  bool isClean() const noexcept { return diagnostics_->size() == before_; }

 private:
  const Diagnostics* diagnostics_;
  std::size_t before_;
};

/// The problems of a section while this exists are those of a law: they name it.
class LawProblems {
 public:
  LawProblems(const Section& section, std::string_view keyword)
      : diagnostics_(&section.diagnostics()), before_(diagnostics_->size()), keyword_(keyword) {}
  LawProblems(const LawProblems&) = delete;
  LawProblems& operator=(const LawProblems&) = delete;
  ~LawProblems() { diagnostics_->nameLaw(before_, keyword_); }

 private:
  Diagnostics* diagnostics_;
  std::size_t before_;
  std::string_view keyword_;
};

/// "no node "shoo"; did you mean "shoe"?", or without a near name the known ones, if they are few.
std::string unknownName(std::string_view kind, std::string_view written,
                        const std::vector<std::string>& known);

/// The string of a required key and its place.
Located<std::string> locatedString(const Section& section, std::string_view key);

/// Whether this version knows a value that the contract of the deck knows. Not: a problem.
bool isSupported(const Section& section, std::string_view key, std::string_view value,
                 const NameList& supported);

}  // namespace ricochet
