#pragma once

#include "io/formats/matrix_entries.hpp"
#include "io/formats/matrix_file.hpp"
#include "io/text/text_lines.hpp"

#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace ricochet {

// The formats behind matrix_file.hpp.

/// What a reader of a format fills.
struct MatrixDraft {
  ImportedMatrix matrix;
  MatrixEntries entries;
  Triangles triangles{Triangles::asWritten};
  bool sums{false};  ///< entries that are there several times are added up
};

/// A matrix that a file names, and whether it can be stiffness, mass or damping.
struct NamedMatrix {
  std::string name;
  bool isSquare{true};
};

/// Which of the matrices of a file is asked for; nothing after a problem, of the key that names the file.
std::optional<std::size_t> chooseMatrix(const std::vector<NamedMatrix>& matrices, const MatrixChoice& choice,
                                        const Located<std::filesystem::path>& file, Diagnostics& diagnostics);

/// Rows by the dofs that a file names, in the order of their first mention.
class NamedRows {
 public:
  explicit NamedRows(std::vector<MatrixRow>& rows) : rows_(&rows) {}
  int of(std::string_view node, Component component, RowPlace place = RowPlace::atNode);

 private:
  std::vector<MatrixRow>* rows_;
  std::map<std::pair<std::string, Component>, int> known_;
};

/// Lines of DMIG, from the first one of the file on, which `line` holds.
void readDmig(TextLines& lines, std::string& line, const Located<std::filesystem::path>& file,
              const MatrixChoice& choice, MatrixDraft& draft, Diagnostics& diagnostics);

/// Whether a file that begins with this line is read as bulk data of Nastran.
bool beginsBulkData(std::string_view line);

}  // namespace ricochet
