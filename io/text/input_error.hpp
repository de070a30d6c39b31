#pragma once

#include "engine/numerics/near_name.hpp"

#include <cstddef>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace ricochet {

/// A place in an input file. Lines and columns count from 1, columns in characters; 0 means the whole
/// file (line) or the whole line (column).
struct SourceLocation {
  std::string file;
  int line{0};
  int column{0};

  bool operator==(const SourceLocation&) const = default;
};

/// A value of the input with its place and its path ("groups.masses[1]"), for errors found later.
template <class T>
struct Located {
  T value;
  SourceLocation where;
  std::string path;
};

/// One error of the input.
struct InputProblem {
  SourceLocation where;
  std::string path;     ///< path of the value, "contacts[0].normal.stiffness"; may be empty
  std::string problem;  ///< "must be at least 0 N/m, got -100"

  /// "shoe.toml:12:15: contacts[0].normal.stiffness: must be at least 0 N/m, got -100"
  std::string text() const;

  bool operator==(const InputProblem&) const = default;
};

/// The problems of an input, collected so that all of them are reported together.
class Diagnostics {
 public:
  /// Adds the problem, unless an identical problem has been added before.
  void addProblem(SourceLocation where, std::string path, std::string problem);

  /// Removes a problem that is a consequence of another problem; the name of a law at the end of its text is
  /// ignored.
  void removeProblem(const InputProblem& known);

  /// Appends the name of the law for which the deck was read to the problem with index `first` and to all
  /// later ones.
  void appendLawNameToProblems(std::size_t first, std::string_view keyword);

  bool empty() const noexcept { return problems_.empty(); }
  std::size_t size() const noexcept { return problems_.size(); }

  /// Files in the order of their first problem, lines and columns increasing.
  std::vector<InputProblem> sortedProblems() const;

  /// Throws InputError if there is any problem.
  void throwInputErrorIfAny() const;

 private:
  std::vector<InputProblem> problems_;
};

/// The input cannot be used. what() has one line per problem, each with its place in a form that editors can
/// open, and a last line "2 errors; nothing was written".
class InputError : public std::runtime_error {
 public:
  explicit InputError(std::vector<InputProblem> problems);
  InputError(const SourceLocation& where, std::string_view path, std::string_view problem);

  const std::vector<InputProblem>& problems() const noexcept { return problems_; }

 private:
  std::vector<InputProblem> problems_;
};

}  // namespace ricochet
