#pragma once

#include "io/text/input_error.hpp"

#include <filesystem>
#include <string>
#include <vector>

namespace ricochet {

/// Columns of numbers from a text file, and the line number of each row.
struct CsvColumns {
  std::vector<std::vector<double>> values;  ///< values of each column
  std::vector<int> lines;
};

/// Reads columns of a text file: a line with their names, then one row per line. The separator is the first
/// of semicolon, comma and blank that occurs in the line of names. The rest of a line after # is a comment;
/// empty lines are skipped.
///
/// Reads the columns with the given names. Errors are reported as problems: of `file` if it cannot be read,
/// of the name of a missing column, otherwise of the first invalid line. After an error there are fewer rows
/// than lines, or none.
CsvColumns readCsvColumns(const Located<std::filesystem::path>& file,
                          const std::vector<Located<std::string>>& names, Diagnostics& diagnostics);

}  // namespace ricochet
