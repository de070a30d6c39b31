#pragma once

#include <stdexcept>
#include <string>
#include <vector>

namespace ricochet {

/// An error in a part of a study.
struct StudyProblem {
  std::string path;     ///< key of the part in the deck: "contacts.sole.friction.damping"
  std::string problem;  ///< text: the number given, the allowed range and the remedy
  /// Part of the study whose place in the deck is reported, if `path` has no place of its own:
  /// "base_motions[1]".
  std::string part{};
};

/// Error of a study that cannot be run. what() has a line "path: problem" for each problem.
class StudyError : public std::runtime_error {
 public:
  explicit StudyError(std::vector<StudyProblem> problems);
  explicit StudyError(StudyProblem problem) : StudyError(std::vector{std::move(problem)}) {}

  const std::vector<StudyProblem>& problems() const noexcept { return problems_; }

 private:
  std::vector<StudyProblem> problems_;
};

/// Throws StudyError if there is at least one problem.
void throwIfAnyProblem(const std::vector<StudyProblem>& problems);

}  // namespace ricochet
