#include "modal/factorization.hpp"

#include "modal/eigen_solver.hpp"

#include <algorithm>
#include <cmath>

namespace ricochet {
namespace {

using Ldlt = Eigen::SimplicialLDLT<SparseMatrix>;

/// Diagonal of the matrix in the order of the factorization's pivots.
Vector pivotDiagonal(const Ldlt& factor, const Vector& diagonal) {
  return factor.permutationP().size() > 0 ? Vector(factor.permutationP() * diagonal) : diagonal;
}

}  // namespace

bool ShiftedFactorization::compute(const SparseMatrix& stiffness, const SparseMatrix& mass, double shift) {
  const SparseMatrix shifted = stiffness - shift * mass;
  shift_ = shift;
  factor_ = std::make_unique<Ldlt>(shifted);
  if (factor_->info() != Eigen::Success || !factor_->vectorD().allFinite()) return false;
  diagonal_ = pivotDiagonal(*factor_, shifted.diagonal());
  return true;
}

ShiftedFactorization::ShiftedFactorization(const SparseMatrix& stiffness, const SparseMatrix& mass,
                                           double shift) {
  if (!compute(stiffness, mass, shift))
    throw BasisError(
        "the factorization of K - sigma M met a zero pivot: the shift is an eigenvalue, or some "
        "degrees of freedom have neither stiffness nor mass in a direction");
}

std::optional<ShiftedFactorization> ShiftedFactorization::attempt(const SparseMatrix& stiffness,
                                                                  const SparseMatrix& mass, double shift) {
  ShiftedFactorization factor;
  if (!factor.compute(stiffness, mass, shift)) return std::nullopt;
  return factor;
}

void ShiftedFactorization::requireDefinite() const {
  constexpr double kRounding = 1e-14;
  const Vector pivots = factor_->vectorD();
  if ((pivots.array().abs() <= kRounding * diagonal_.array().abs()).any())
    throw BasisError("some massless degrees of freedom have no stiffness in a direction");
  if (const int negative = negativePivots(); negative > 0)
    throw BasisError(std::to_string(negative) +
                     " modes have a negative stiffness: the structure is unstable");
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

double regularShift(const SparseMatrix& stiffness, const SparseMatrix& mass) {
  // a pivot this small against its diagonal term is cancellation: K is singular to working precision
  constexpr double kSingular = 1e-10;
  const Ldlt factor(stiffness);
  if (factor.info() == Eigen::Success) {
    const Vector diagonal = pivotDiagonal(factor, stiffness.diagonal());
    if ((factor.vectorD().array() > kSingular * diagonal.array()).all()) return 0.0;
  }
  // a millionth of the median local oscillator is below any mode that a structure of some thousand dofs
  // resolves, and keeps the condition of K - sigma M near 1e6; less than 1e-12 of the stiffest one would
  // drown in rounding
  constexpr double kFraction = 1e-6, kFloor = 1e-12;
  const std::vector<double> squares = localOscillators(stiffness, mass);
  return -std::max(kFraction * squares[squares.size() / 2], kFloor * squares.back());
}

}  // namespace ricochet
