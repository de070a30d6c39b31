#include "modal/factorization.hpp"

#include "modal/eigen_solver.hpp"
#include "physical/sparse.hpp"

#include <algorithm>
#include <cmath>

namespace ricochet {
namespace {

constexpr double kRounding = 1e-14;  // of a pivot against its diagonal term

}  // namespace

ShiftedFactorization::ShiftedFactorization(const SparseMatrix& stiffness, const SparseMatrix& mass,
                                           double shift)
    : factor_(factorize(stiffness - shift * mass, kRounding)), shift_(shift) {
  if (!factor_)
    throw BasisError(
        "the factorization of K - sigma M met a zero pivot: the shift is an eigenvalue, or some "
        "degrees of freedom have neither stiffness nor mass in a direction");
}

std::optional<ShiftedFactorization> ShiftedFactorization::attempt(const SparseMatrix& stiffness,
                                                                  const SparseMatrix& mass, double shift) {
  auto factor = factorize(stiffness - shift * mass, kRounding);
  if (!factor || factor->tinyPivots() > 0) return std::nullopt;
  return ShiftedFactorization(std::move(factor), shift);
}

ShiftedFactorization ShiftedFactorization::regular(const SparseMatrix& stiffness, const SparseMatrix& mass) {
  // a pivot this small against its diagonal term is cancellation: K is singular to working precision
  constexpr double kSingular = 1e-10;
  auto factor = factorize(stiffness, kSingular);
  if (factor && factor->tinyPivots() == 0 && factor->negativePivots() == 0) return {std::move(factor), 0.0};
  factor.reset();  // makes room for the next
  // a millionth of the median local oscillator is below any mode that a structure of some thousand dofs
  // resolves, and keeps the condition of K - sigma M near 1e6; less than 1e-12 of the stiffest one would
  // drown in rounding
  constexpr double kFraction = 1e-6, kFloor = 1e-12;
  const std::vector<double> squares = localOscillators(stiffness, mass);
  return {stiffness, mass, -std::max(kFraction * squares[squares.size() / 2], kFloor * squares.back())};
}

void ShiftedFactorization::requireDefinite() const {
  if (factor_->tinyPivots() > 0)
    throw BasisError("some massless degrees of freedom have no stiffness in a direction");
  if (const int negative = negativePivots(); negative > 0)
    throw BasisError(std::to_string(negative) + (negative == 1 ? " mode has" : " modes have") +
                     " a negative stiffness: the structure is unstable");
}

std::vector<double> localOscillators(const SparseMatrix& stiffness, const SparseMatrix& mass) {
  const Vector k = stiffness.diagonal(), m = mass.diagonal();
  std::vector<double> squares;
  for (Eigen::Index i = 0; i < k.size(); ++i)
    if (m[i] > 0.0 && k[i] != 0.0) squares.push_back(std::abs(k[i]) / m[i]);
  if (squares.empty()) squares.push_back(1.0);
  std::sort(squares.begin(), squares.end());
  return squares;
}

}  // namespace ricochet
