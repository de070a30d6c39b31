#pragma once

#include "io/text/input_error.hpp"
#include "io/text/text_lines.hpp"

#include <cstddef>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace ricochet {

/// Lines of an input file of Abaqus, CalculiX or Nastran; the lines of an included file replace the line that
/// includes this file. Blank lines and comment lines are skipped. The first problem ends the reading.
class IncludedLines {
 public:
  IncludedLines(const Located<std::filesystem::path>& file, Diagnostics& diagnostics,
                std::string_view comment);

  bool readNextLine(std::string& line);

  /// Includes another file before the next line; its path is relative to the file that names it, or to the
  /// first file.
  void includeFile(const std::string& name);

  /// Reports a problem of the line read last, or of a part of this line.
  void reportProblem(const std::string& text);
  void reportProblemAt(std::string_view part, const std::string& text);

  bool isFreeOfProblems() const noexcept { return isClean_; }
  int lineNumber() const { return open_.back().lines->lineNumber(); }
  /// File of the line read last, as an index into files().
  std::size_t file() const { return open_.back().index; }
  const std::vector<std::filesystem::path>& files() const noexcept { return files_; }

 private:
  struct Opened {
    std::unique_ptr<Located<std::filesystem::path>>
        located;  // location of the file, to which the lines point
    std::unique_ptr<TextLines> lines;
    std::size_t index{0};
  };

  void open(const std::filesystem::path& path);

  Located<std::filesystem::path> first_;
  Diagnostics* diagnostics_;
  std::string_view comment_;
  std::vector<Opened> open_;  ///< stack of open files, never empty
  std::vector<std::filesystem::path> files_;
  bool isClean_{true};
};

}  // namespace ricochet
