#pragma once

#include <stdexcept>
#include <string>
#include <vector>

namespace ricochet {

/// What is wrong with a part of a study.
struct StudyProblem {
  std::string path;     ///< of what is wrong: "contacts.sole.friction.damping"
  std::string problem;  ///< with the number given, what is allowed and what to do
  std::string
      part{};  ///< that has a place of its own where the path has none: "base_motions[1]"; empty: the path
};

/// A study cannot be run. what() is a line "path: problem" for each problem.
class StudyError : public std::runtime_error {
 public:
  explicit StudyError(std::vector<StudyProblem> problems);
  explicit StudyError(StudyProblem problem) : StudyError(std::vector{std::move(problem)}) {}

  const std::vector<StudyProblem>& problems() const noexcept { return problems_; }

 private:
  std::vector<StudyProblem> problems_;
};

/// Throws the error unless there is no problem.
void throwIfAny(const std::vector<StudyProblem>& problems);

}  // namespace ricochet
