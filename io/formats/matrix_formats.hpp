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

// Readers of the formats of matrix_file.hpp.

/// Data that a reader of a format collects.
struct MatrixDraft {
  ImportedMatrix matrix;
  MatrixEntries entries;
  Triangles triangles{Triangles::asWritten};
  bool sums{false};            ///< repeated entries are added
  bool namesTriangles{false};  ///< the format or a card of the file tells which entries it holds
};

/// A named matrix of a file, and whether it can be stiffness, mass or damping.
struct NamedMatrix {
  std::string name;
  bool isSquare{true};
};

/// Index of the requested matrix of a file; empty after a problem, reported at the key that names the file.
std::optional<std::size_t> indexOfChosenMatrix(const std::vector<NamedMatrix>& matrices,
                                               const MatrixChoice& choice,
                                               const Located<std::filesystem::path>& file,
                                               Diagnostics& diagnostics);

/// Numbers the dofs that a file names as rows, in the order of their first occurrence.
class NamedRows {
 public:
  explicit NamedRows(std::vector<MatrixRow>& rows) : rows_(&rows) {}
  int rowOfNodeComponent(std::string_view node, Component component, RowPlace place = RowPlace::atNode);

 private:
  std::vector<MatrixRow>* rows_;
  std::map<std::pair<std::string, Component>, int> known_;
};

/// Reads DMIG lines of a file and of those that it includes.
void readDmig(const Located<std::filesystem::path>& file, const MatrixChoice& choice, MatrixDraft& draft,
              Diagnostics& diagnostics);

/// True if a file that begins with this line is read as bulk data of Nastran.
bool doesLineBeginBulkData(std::string_view line);

}  // namespace ricochet
