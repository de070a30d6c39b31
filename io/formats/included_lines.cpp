#include "io/formats/included_lines.hpp"

#include <fmt/core.h>

#include <system_error>
#include <utility>

namespace ricochet {

IncludedLines::IncludedLines(const Located<std::filesystem::path>& file, Diagnostics& diagnostics,
                             std::string_view comment)
    : first_(file), diagnostics_(&diagnostics), comment_(comment) {
  open(file.value);
}

void IncludedLines::open(const std::filesystem::path& path) {
  auto located = std::make_unique<Located<std::filesystem::path>>(first_);
  located->value = path;
  auto lines = std::make_unique<TextLines>(*located, *diagnostics_);
  isClean_ = isClean_ && lines->isFreeOfProblems();
  open_.push_back({std::move(located), std::move(lines), files_.size()});
  files_.push_back(path);
}

bool IncludedLines::readNextLine(std::string& line) {
  while (isClean_) {
    if (open_.back().lines->readNextLine(line)) {
      if (line.starts_with(comment_) || line.find_first_not_of(" \t") == std::string::npos) continue;
      return true;
    }
    if (open_.size() == 1) return false;
    open_.pop_back();
  }
  return false;
}

void IncludedLines::includeFile(const std::string& name) {
  constexpr std::size_t kDeepest = 20;
  if (name.empty()) return reportProblem("must name a file");
  if (open_.size() > kDeepest) return reportProblem("files include one another without end");
  std::filesystem::path path = open_.back().located->value.parent_path() / name;
  std::error_code ignored;
  if (!std::filesystem::exists(path, ignored)) path = first_.value.parent_path() / name;
  if (!std::filesystem::exists(path, ignored))
    return reportProblem(fmt::format("names the file {}, which is not there", printableExcerpt(name)));
  open(path);
}

void IncludedLines::reportProblem(const std::string& text) {
  if (isClean_) open_.back().lines->reportProblem(text);
  isClean_ = false;
}

void IncludedLines::reportProblemAt(std::string_view part, const std::string& text) {
  if (isClean_) open_.back().lines->reportProblemAt(part, text);
  isClean_ = false;
}

}  // namespace ricochet
