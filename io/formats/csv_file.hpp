#pragma once

#include "io/text/input_error.hpp"

#include <filesystem>
#include <string>
#include <vector>

namespace ricochet {

/// Columns of numbers of a text file, and the line of each row.
struct CsvColumns {
  std::vector<std::vector<double>> values;  ///< one per column
  std::vector<int> lines;
};

/// A text file of columns: a line with their names, then one row per line. Separated by semicolons, by commas
/// or by blanks, whichever of them, in this order, the line of names has. From # on a line is a comment;
/// empty lines are skipped.
///
/// Reads the columns of these names. What is wrong becomes a problem: of `file` if it cannot be read, of the
/// name of a column if there is none, else of a line of the file, the first at fault. Then there are fewer
/// rows than lines, or none.
CsvColumns readCsvColumns(const Located<std::filesystem::path>& file,
                          const std::vector<Located<std::string>>& names, Diagnostics& diagnostics);

}  // namespace ricochet
