#pragma once

#include <cstddef>
#include <vector>

namespace ricochet {

/// Linear complementarity problem w = q + M z, w >= 0, z >= 0, w z = 0, by Lemke's method: complementary
/// pivots with an artificial variable z0 that starts as large as the most negative q. Every matrix that is
/// copositive and has no z >= 0, M z >= 0, z M z = 0 with q z < 0 is solved. Source: R.W. Cottle, J.-S. Pang,
/// R.E. Stone, The Linear Complementarity Problem, SIAM 2009, 4.4.
class Lemke {
 public:
  /// Allocates memory for problems of up to `largest` variables.
  explicit Lemke(std::size_t largest);

  /// Starts a problem with M = 0, q = 0.
  void clear(std::size_t size) noexcept;
  double& matrix(std::size_t row, std::size_t column) noexcept { return table_[row * width_ + column]; }
  double& constantTerm(std::size_t row) noexcept { return table_[row * width_ + size_ + 1]; }

  /// Returns false if the path ends without a solution, or after too many pivots.
  bool solve() noexcept;
  double solutionValue(std::size_t i) const noexcept { return solution_[i]; }

 private:
  std::size_t leavingRow(std::size_t column) const noexcept;
  void pivot(std::size_t row, std::size_t column) noexcept;
  std::size_t columnOfVariable(std::size_t variable) const noexcept;

  // Each row is an equation: its variable = sum over the columns of entry times column variable, + constant.
  std::vector<double> table_;
  std::vector<std::size_t> rowVariable_, columnVariable_;  // number of w_i: i, of z_i: n + i, of z0: 2 n
  std::vector<double> solution_;
  std::size_t size_{0}, width_{0};
};

}  // namespace ricochet
