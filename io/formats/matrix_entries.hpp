#pragma once

#include "physical/sparse.hpp"

#include <compare>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace ricochet {

/// Line of a file that gives an entry.
struct EntryPlace {
  int file{0};  ///< index into the files of which the lines come; 0: the one that includes the others
  int line{0};

  auto operator<=>(const EntryPlace&) const = default;
};

/// Entries of a symmetric matrix that a file contains.
enum class Triangles {
  all,        ///< both triangles
  one,        ///< one triangle; each entry also gives its mirror image
  skew,       ///< one triangle of a skew-symmetric matrix; the mirror image has the opposite sign
  asWritten,  ///< one triangle, or both if any (i, j) and (j, i) are both present
};

/// Entries of a matrix as the lines of a file give them.
///
/// Also determines the number of printed digits, which limits the accuracy of the matrix.
class MatrixEntries {
 public:
  void reserve(std::size_t count) { entries_.reserve(count); }
  void add(int row, int column, double value, EntryPlace place);
  /// Notes the text of a value, for the number of printed digits.
  void recordPrintedDigits(std::string_view number);

  int size() const noexcept { return size_; }  ///< highest row or column index + 1
  /// Largest relative rounding error of an entry, from the printed digits; 0 for integers, which are exact.
  double largestRelativeRounding() const noexcept;

  /// All non-zero entries of both triangles. Or the error and its line: a repeated entry (unless `sums`), or,
  /// if `symmetric`, mirror images that differ in a file with both triangles.
  struct Fault {
    EntryPlace place;
    std::string text;
  };
  std::optional<Fault> combineTriangles(Triangles triangles, bool symmetric, bool sums,
                                        std::vector<Eigen::Triplet<double>>& settled);
  /// True if `combineTriangles` added the mirror image of at least one entry.
  bool hasAddedMirrorImages() const noexcept { return addedMirrorImages_; }

 private:
  struct Pair;
  bool isSortedTriangle() const;
  std::vector<int> indicesSortedByMirrorPair() const;
  std::vector<double> largestEntryOfEachRow() const;
  std::optional<Fault> findFaultOfMirrorPairs(bool symmetric, bool sums, bool& holdsBoth) const;
  bool isUnsymmetric(const Eigen::Triplet<double>& a, double mirror,
                     const std::vector<double>& largest) const;

  std::vector<Eigen::Triplet<double>> entries_;
  std::vector<EntryPlace> places_;
  int size_{0};
  int digits_{0};  ///< largest number of printed digits
  bool addedMirrorImages_{false};
};

/// True if an entry and its mirror image differ by more than printing and summation can explain: `rounding`
/// or 1e-9 relative to the entries, or 1e-9 of the smaller of the largest entries of both rows.
bool isUnsymmetricPair(double a, double b, double rounding, double largestOfRow, double largestOfColumn);

}  // namespace ricochet
