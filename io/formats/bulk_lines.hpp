#pragma once

#include "io/formats/included_lines.hpp"

#include <string>
#include <string_view>

namespace ricochet {

/// Lines of bulk data of Nastran up to ENDDATA; the lines of a file that INCLUDE names replace that
/// statement.
class BulkLines : public IncludedLines {
 public:
  BulkLines(const Located<std::filesystem::path>& file, Diagnostics& diagnostics)
      : IncludedLines(file, diagnostics, "$") {}

  bool readNextLine(std::string& line);

 private:
  static constexpr std::size_t kLongestPath = 4096;

  void includeFileOfStatement(std::string& line);

  bool ended_{false};  ///< ENDDATA has been read
};

}  // namespace ricochet
