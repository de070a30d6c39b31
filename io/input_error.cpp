#include "io/input_error.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <tuple>
#include <utility>

namespace ricochet {

namespace {

char lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

bool beginsWith(std::string_view longer, std::string_view beginning) {
  if (longer.size() < beginning.size()) return false;
  return std::equal(beginning.begin(), beginning.end(), longer.begin(),
                    [](char a, char b) { return lower(a) == lower(b); });
}

std::string report(const std::vector<InputProblem>& problems) {
  std::string text;
  for (const InputProblem& problem : problems) text += problem.text() + "\n";
  return text +
         fmt::format("{} error{}; nothing was written", problems.size(), problems.size() == 1 ? "" : "s");
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

void Diagnostics::add(SourceLocation where, std::string path, std::string problem) {
  InputProblem found;
  found.where = std::move(where);
  found.path = std::move(path);
  found.problem = std::move(problem);
  if (std::find(problems_.begin(), problems_.end(), found) == problems_.end())
    problems_.push_back(std::move(found));
}

void Diagnostics::withdraw(const InputProblem& known) { std::erase(problems_, known); }

std::vector<InputProblem> Diagnostics::sorted() const {
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

void Diagnostics::throwIfAny() const {
  if (!empty()) throw InputError(sorted());
}

InputError::InputError(std::vector<InputProblem> problems)
    : std::runtime_error(report(problems)), problems_(std::move(problems)) {}

InputError::InputError(const SourceLocation& where, std::string_view path, std::string_view problem)
    : InputError(std::vector{InputProblem{where, std::string{path}, std::string{problem}}}) {}

std::size_t nameDistance(std::string_view a, std::string_view b) {
  // rows i-2, i-1 and i of the table of distances between the beginnings of a and b
  std::vector<std::size_t> beforeLast(b.size() + 1);
  std::vector<std::size_t> last(b.size() + 1);
  std::vector<std::size_t> current(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j) current[j] = j;

  for (std::size_t i = 1; i <= a.size(); ++i) {
    std::swap(beforeLast, last);
    std::swap(last, current);
    current[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const bool same = lower(a[i - 1]) == lower(b[j - 1]);
      current[j] = std::min({last[j] + 1, current[j - 1] + 1, last[j - 1] + (same ? 0U : 1U)});
      const bool swapped =
          i > 1 && j > 1 && lower(a[i - 1]) == lower(b[j - 2]) && lower(a[i - 2]) == lower(b[j - 1]);
      if (swapped) current[j] = std::min(current[j], beforeLast[j - 2] + 1);
    }
  }
  return current[b.size()];
}

bool isNear(std::string_view written, std::string_view name) {
  constexpr std::size_t kShortestBeginning = 3;
  const auto [shorter, longer] = std::minmax({written.size(), name.size()});
  if (shorter >= kShortestBeginning && (beginsWith(name, written) || beginsWith(written, name))) return true;
  const std::size_t distance = nameDistance(written, name);
  return distance < longer && distance <= std::max<std::size_t>(1, (longer + 1) / 3);
}

}  // namespace ricochet
