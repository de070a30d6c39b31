#include "io/formats/matrix_entries.hpp"

#include "io/text/text_lines.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <tuple>

namespace ricochet {
namespace {

using Entry = Eigen::Triplet<double>;

std::size_t indexOfRow(int row) { return static_cast<std::size_t>(row); }

/// Sorting key that puts (i, j) and (j, i) next to each other, the one with row < column first.
std::tuple<int, int, bool> sortingKeyOfPair(const Entry& e) {
  return {std::min(e.row(), e.col()), std::max(e.row(), e.col()), e.row() > e.col()};
}

bool isMirrorPair(const Entry& a, const Entry& b) { return a.row() == b.col() && a.col() == b.row(); }
bool haveSameRowAndColumn(const Entry& a, const Entry& b) { return a.row() == b.row() && a.col() == b.col(); }

/// Text of a place for a message of another place.
std::string describeRelativePlace(EntryPlace place, EntryPlace other) {
  return fmt::format("line {}{}", other.line, other.file == place.file ? "" : " of another file");
}

}  // namespace

bool isUnsymmetricPair(double a, double b, double rounding, double largestOfRow, double largestOfColumn) {
  constexpr double kSummedUp = 1e-9;  // relative remainder of a sum of terms that cancel
  const double own = std::max(std::abs(a), std::abs(b));
  return std::abs(a - b) >
         std::max(2.0 * rounding, kSummedUp) * own + kSummedUp * std::min(largestOfRow, largestOfColumn);
}

void MatrixEntries::add(int row, int column, double value, EntryPlace place) {
  size_ = std::max({size_, row + 1, column + 1});
  entries_.emplace_back(row, column, value);
  places_.push_back(place);
}

void MatrixEntries::recordPrintedDigits(std::string_view number) {
  digits_ = std::max(digits_, countPrintedDigits(number));
}

double MatrixEntries::largestRelativeRounding() const noexcept {
  // no program prints fewer digits; a shorter number is hand-written and exact
  constexpr int kFewest = 4;
  return digits_ == 0 ? 0.0 : 0.5 * std::pow(10.0, 1 - std::max(digits_, kFewest));
}

/// True if the entries are sorted by column, then row, and belong to one triangle, as in most files: then
/// there are neither repeated entries nor mirror images.
bool MatrixEntries::isSortedTriangle() const {
  const auto follows = [](int a, int b, int nextA, int nextB) {
    return std::pair(a, b) < std::pair(nextA, nextB);
  };
  bool upper = true, lower = true, byRows = true, byColumns = true;
  for (std::size_t i = 0; i < entries_.size(); ++i) {
    const Entry& e = entries_[i];
    upper = upper && e.row() <= e.col();
    lower = lower && e.row() >= e.col();
    if (i == 0) continue;
    const Entry& before = entries_[i - 1];
    byRows = byRows && follows(before.row(), before.col(), e.row(), e.col());
    byColumns = byColumns && follows(before.col(), before.row(), e.col(), e.row());
  }
  return (upper || lower) && (byRows || byColumns);
}

std::vector<int> MatrixEntries::indicesSortedByMirrorPair() const {
  std::vector<int> order(entries_.size());
  std::iota(order.begin(), order.end(), 0);
  std::sort(order.begin(), order.end(), [&](int a, int b) {
    const auto first = sortingKeyOfPair(entries_[indexOfRow(a)]),
               second = sortingKeyOfPair(entries_[indexOfRow(b)]);
    return first != second ? first < second : a < b;
  });
  return order;
}

std::vector<double> MatrixEntries::largestEntryOfEachRow() const {
  std::vector<double> largest(static_cast<std::size_t>(size_), 0.0);
  for (const Entry& e : entries_)
    for (const int row : {e.row(), e.col()}) {
      double& value = largest[indexOfRow(row)];
      value = std::max(value, std::abs(e.value()));
    }
  return largest;
}

bool MatrixEntries::isUnsymmetric(const Entry& a, double mirror, const std::vector<double>& largest) const {
  return isUnsymmetricPair(a.value(), mirror, largestRelativeRounding(), largest[indexOfRow(a.row())],
                           largest[indexOfRow(a.col())]);
}

std::optional<MatrixEntries::Fault> MatrixEntries::findFaultOfMirrorPairs(bool symmetric, bool sums,
                                                                          bool& holdsBoth) const {
  holdsBoth = false;
  if (isSortedTriangle()) return std::nullopt;
  const std::vector<int> order = indicesSortedByMirrorPair();
  const auto entry = [&](std::size_t i) -> const Entry& { return entries_[indexOfRow(order[i])]; };
  const auto place = [&](std::size_t i) { return places_[indexOfRow(order[i])]; };
  for (std::size_t i = 1; i < order.size(); ++i) {
    if (!sums && haveSameRowAndColumn(entry(i - 1), entry(i)))
      return Fault{place(i), fmt::format("gives the same entry as {}: give the sum once",
                                         describeRelativePlace(place(i), place(i - 1)))};
    if (entry(i).row() != entry(i).col() && isMirrorPair(entry(i - 1), entry(i))) holdsBoth = true;
  }
  if (!holdsBoth || !symmetric) return std::nullopt;
  const std::vector<double> largest = largestEntryOfEachRow();
  for (std::size_t i = 0; i < order.size(); ++i) {
    const Entry& e = entry(i);
    if (e.row() == e.col()) continue;
    if (i + 1 < order.size() && isMirrorPair(e, entry(i + 1))) {
      const EntryPlace first = std::min(place(i), place(i + 1)), second = std::max(place(i), place(i + 1));
      if (isUnsymmetric(e, entry(i + 1).value(), largest))
        return Fault{second, fmt::format("must be symmetric: this entry and its mirror image in {} are "
                                         "{} and {}",
                                         describeRelativePlace(second, first),
                                         first == place(i) ? entry(i + 1).value() : e.value(),
                                         first == place(i) ? e.value() : entry(i + 1).value())};
      ++i;
    } else if (isUnsymmetric(e, 0.0, largest)) {
      return Fault{place(i),
                   fmt::format("must be symmetric: the file holds both triangles, but no mirror image "
                               "of this entry of {}",
                               e.value())};
    }
  }
  return std::nullopt;
}

std::optional<MatrixEntries::Fault> MatrixEntries::combineTriangles(Triangles triangles, bool symmetric,
                                                                    bool sums, std::vector<Entry>& settled) {
  bool holdsBoth = triangles == Triangles::all;
  if (!sums || triangles == Triangles::asWritten) {
    bool found = false;
    if (auto fault = findFaultOfMirrorPairs(symmetric && triangles == Triangles::asWritten, sums, found))
      return fault;
    holdsBoth = holdsBoth || (triangles == Triangles::asWritten && found);
  }
  places_ = {};
  settled = std::move(entries_);
  std::erase_if(settled, [](const Entry& e) { return e.value() == 0.0; });
  if (holdsBoth) return std::nullopt;
  const std::size_t count = settled.size();
  settled.reserve(2 * count);
  for (std::size_t i = 0; i < count; ++i) {
    const Entry e = settled[i];
    if (e.row() != e.col())
      settled.emplace_back(e.col(), e.row(), triangles == Triangles::skew ? -e.value() : e.value());
  }
  addedMirrorImages_ = settled.size() > count;
  return std::nullopt;
}

}  // namespace ricochet
