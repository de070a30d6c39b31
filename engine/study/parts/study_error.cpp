#include "engine/study/parts/study_error.hpp"

namespace ricochet {
namespace {

std::string messageLinesOfProblems(const std::vector<StudyProblem>& problems) {
  std::string lines;
  for (const StudyProblem& each : problems) {
    if (!lines.empty()) lines += '\n';
    if (!each.path.empty()) lines += each.path + ": ";
    lines += each.problem;
  }
  return lines;
}

}  // namespace

StudyError::StudyError(std::vector<StudyProblem> problems)
    : std::runtime_error(messageLinesOfProblems(problems)), problems_(std::move(problems)) {}

void throwIfAnyProblem(const std::vector<StudyProblem>& problems) {
  if (!problems.empty()) throw StudyError(problems);
}

}  // namespace ricochet
