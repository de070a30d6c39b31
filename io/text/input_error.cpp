#include "io/text/input_error.hpp"

#include "io/text/counted.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <tuple>
#include <utility>

namespace ricochet {

namespace {

std::string reportOfProblems(const std::vector<InputProblem>& problems) {
  std::string text;
  for (const InputProblem& problem : problems) text += problem.text() + "\n";
  return text + numberWithNoun(problems.size(), "error") + "; nothing was written";
}

}  // namespace

std::string InputProblem::text() const {
  std::string text = where.file;
  if (where.line > 0) text += fmt::format(":{}", where.line);
  if (where.line > 0 && where.column > 0) text += fmt::format(":{}", where.column);
  if (!text.empty()) text += ": ";
  if (!path.empty()) text += path + ": ";
  return text + problem;
}

void Diagnostics::addProblem(SourceLocation where, std::string path, std::string problem) {
  InputProblem found;
  found.where = std::move(where);
  found.path = std::move(path);
  found.problem = std::move(problem);
  if (std::find(problems_.begin(), problems_.end(), found) == problems_.end())
    problems_.push_back(std::move(found));
}

void Diagnostics::removeProblem(const InputProblem& known) {
  std::erase_if(problems_, [&](const InputProblem& each) {
    return each.where == known.where && each.path == known.path && each.problem.starts_with(known.problem);
  });
}

void Diagnostics::appendLawNameToProblems(std::size_t first, std::string_view keyword) {
  for (std::size_t i = first; i < problems_.size(); ++i)
    problems_[i].problem += fmt::format(" (law \"{}\")", keyword);
}

std::vector<InputProblem> Diagnostics::sortedProblems() const {
  std::vector<std::string> files;
  for (const InputProblem& problem : problems_) {
    if (std::find(files.begin(), files.end(), problem.where.file) == files.end())
      files.push_back(problem.where.file);
  }
  const auto place = [&files](const InputProblem& problem) {
    const auto file = std::find(files.begin(), files.end(), problem.where.file);
    return std::tuple{file - files.begin(), problem.where.line, problem.where.column};
  };
  std::vector<InputProblem> ordered = problems_;
  std::stable_sort(ordered.begin(), ordered.end(),
                   [&place](const InputProblem& a, const InputProblem& b) { return place(a) < place(b); });
  return ordered;
}

void Diagnostics::throwInputErrorIfAny() const {
  if (!empty()) throw InputError(sortedProblems());
}

InputError::InputError(std::vector<InputProblem> problems)
    : std::runtime_error(reportOfProblems(problems)), problems_(std::move(problems)) {}

InputError::InputError(const SourceLocation& where, std::string_view path, std::string_view problem)
    : InputError(std::vector{InputProblem{where, std::string{path}, std::string{problem}}}) {}

}  // namespace ricochet
