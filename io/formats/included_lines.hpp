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

/// Lines of an input file of Abaqus or CalculiX and of the files that it includes, each in its place; without
/// comments and blank lines. The first problem ends the reading.
class IncludedLines {
 public:
  IncludedLines(const Located<std::filesystem::path>& file, Diagnostics& diagnostics);

  bool next(std::string& line);

  /// Reads the lines of another file before the next ones: of one beside the file that names it, or beside
  /// the first.
  void include(const std::string& name);

  /// A problem of the line read last, or of a part of it.
  void problem(const std::string& text);
  void problemAt(std::string_view part, const std::string& text);

  bool isClean() const noexcept { return isClean_; }
  int number() const { return open_.back().lines->number(); }
  std::size_t file() const { return open_.back().index; }  ///< of the line read last, into files()
  const std::vector<std::filesystem::path>& files() const noexcept { return files_; }

 private:
  struct Opened {
    std::unique_ptr<Located<std::filesystem::path>> located;  // the lines point to it
    std::unique_ptr<TextLines> lines;
    std::size_t index{0};
  };

  void open(const std::filesystem::path& path);

  Located<std::filesystem::path> first_;
  Diagnostics* diagnostics_;
  std::vector<Opened> open_;  ///< never empty
  std::vector<std::filesystem::path> files_;
  bool isClean_{true};
};

}  // namespace ricochet
