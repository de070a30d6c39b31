#pragma once

#include "physical/sparse.hpp"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace ricochet {

/// Which of its entries a matrix file holds.
enum class Triangles {
  all,        ///< each entry stands for itself
  one,        ///< an entry stands for its mirror image too
  skew,       ///< likewise, with the other sign
  asWritten,  ///< one triangle, unless some (i, j) and (j, i) are both there: then all
};

/// Entries of a matrix as the lines of a file give them.
///
/// Also tells with how many digits the file prints its numbers: what rests on less cannot be told from it.
class MatrixEntries {
 public:
  void reserve(std::size_t count) { entries_.reserve(count); }
  void add(int row, int column, double value, int line);
  /// The text of a value that was added.
  void notePrinted(std::string_view number);

  int size() const noexcept { return size_; }  ///< the highest row or column + 1
  /// Largest relative error of an entry by rounding to the digits printed; 0: integers, which are exact.
  double rounding() const noexcept;

  /// All entries, both triangles, without zeros; or what is wrong, and the line to tell it of: the same entry
  /// twice (unless `sums`), or in a file of both triangles, if `symmetric`, mirror images that differ.
  struct Fault {
    int line{0};
    std::string text;
  };
  std::optional<Fault> settle(Triangles triangles, bool symmetric, bool sums,
                              std::vector<Eigen::Triplet<double>>& settled);

 private:
  struct Pair;
  bool isOneSortedTriangle() const;
  std::vector<int> mirrorOrder() const;
  std::vector<double> largestOfRows() const;
  std::optional<Fault> lookAtPairs(bool symmetric, bool sums, bool& holdsBoth) const;
  bool differ(const Eigen::Triplet<double>& a, double mirror, const std::vector<double>& largest) const;

  std::vector<Eigen::Triplet<double>> entries_;
  std::vector<int> lines_;
  int size_{0};
  int digits_{0};  ///< most of those printed
};

/// Whether an entry and its mirror image differ by more than what printing and summing up leave: `rounding`
/// of themselves, 1e-9 of themselves or of the smaller one of the largest entries of their rows.
bool differAsMirrorImages(double a, double b, double rounding, double largestOfRow, double largestOfColumn);

}  // namespace ricochet
