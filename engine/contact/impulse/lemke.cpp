#include "engine/contact/impulse/lemke.hpp"

#include <algorithm>
#include <limits>

namespace ricochet {

Lemke::Lemke(std::size_t largest)
    : table_(largest * (largest + 2)),
      rowVariable_(largest),
      columnVariable_(largest + 1),
      solution_(largest) {}

void Lemke::clear(std::size_t size) noexcept {
  size_ = size;
  width_ = size + 2;
  std::fill(table_.begin(), table_.begin() + static_cast<std::ptrdiff_t>(size * width_), 0.0);
}

/// Row whose variable reaches 0 first as the variable of a column grows; the row of z0 is preferred; `size_`:
/// no row.
std::size_t Lemke::leavingRow(std::size_t column) const noexcept {
  constexpr double kPivot = 1e-10, kEqual = 1e-13;
  std::size_t leaving = size_;
  double first = std::numeric_limits<double>::infinity();
  for (std::size_t i = 0; i < size_; ++i) {
    const double entry = table_[i * width_ + column];
    if (!(entry < -kPivot)) continue;
    const double ratio = std::max(0.0, table_[i * width_ + size_ + 1]) / -entry;
    const bool isEqual = ratio <= first + kEqual * (1.0 + first);
    const bool isBetter =
        leaving == size_ || ratio < first - kEqual * (1.0 + first) ||
        (isEqual && (rowVariable_[i] == 2 * size_ ||
                     (rowVariable_[leaving] != 2 * size_ && entry < table_[leaving * width_ + column])));
    if (!isBetter) continue;
    first = std::min(first, ratio);
    leaving = i;
  }
  return leaving;
}

void Lemke::pivot(std::size_t row, std::size_t column) noexcept {
  double* from = &table_[row * width_];
  const double reciprocal = 1.0 / from[column];
  for (std::size_t j = 0; j < width_; ++j) from[j] *= -reciprocal;
  from[column] = reciprocal;
  for (std::size_t i = 0; i < size_; ++i) {
    double* to = &table_[i * width_];
    const double factor = to[column];
    if (i == row || factor == 0.0) continue;
    to[column] = 0.0;
    for (std::size_t j = 0; j < width_; ++j) to[j] += factor * from[j];
  }
  std::swap(rowVariable_[row], columnVariable_[column]);
}

std::size_t Lemke::columnOfVariable(std::size_t variable) const noexcept {
  const auto begin = columnVariable_.begin();
  return static_cast<std::size_t>(std::find(begin, begin + static_cast<std::ptrdiff_t>(size_), variable) -
                                  begin);
}

bool Lemke::solve() noexcept {
  const std::size_t artificial = 2 * size_;
  std::size_t row = 0;
  for (std::size_t i = 0; i < size_; ++i) {
    rowVariable_[i] = i;
    columnVariable_[i] = size_ + i;
    table_[i * width_ + size_] = 1.0;
    if (constantTerm(i) < constantTerm(row)) row = i;
  }
  columnVariable_[size_] = artificial;
  bool found = size_ == 0 || constantTerm(row) >= 0.0;
  std::size_t column = size_;
  for (std::size_t pivots = 0; !found && pivots < 20 * size_ + 100; ++pivots) {
    const std::size_t leaves = rowVariable_[row];
    pivot(row, column);
    if (leaves == artificial) {
      found = true;
      break;
    }
    column = columnOfVariable(leaves < size_ ? size_ + leaves : leaves - size_);
    row = leavingRow(column);
    if (row == size_) break;
  }
  std::fill(solution_.begin(), solution_.end(), 0.0);
  for (std::size_t i = 0; i < size_; ++i)
    if (rowVariable_[i] >= size_ && rowVariable_[i] < artificial)
      solution_[rowVariable_[i] - size_] = std::max(0.0, constantTerm(i));
  return found;
}

}  // namespace ricochet
