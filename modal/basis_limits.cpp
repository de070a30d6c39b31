#include "modal/basis_limits.hpp"

#include "modal/eigen_solver.hpp"
#include "modal/solvers/symmetric_factor.hpp"
#include "physical/sparse.hpp"

#include <algorithm>
#include <cmath>
#include <sstream>
#include <string_view>
#include <vector>

namespace ricochet {
namespace {

// limit of entries whose squares, and products with ordinary numbers, do not overflow
constexpr double kHuge = 1e120;

[[noreturn]] void throwBasisError(const PhysicalModel& model, Eigen::Index row, std::string_view what,
                                  double value) {
  std::ostringstream text;
  text << what << " of " << value << " is beyond what modes can be computed with; check the units";
  throw BasisError(text.str(), model.dofs.dof(model.dofs.independentDofs()[static_cast<std::size_t>(row)]));
}

void requireEntriesOfModerateSize(const PhysicalModel& model, const SparseMatrix& matrix,
                                  std::string_view what) {
  for (Eigen::Index j = 0; j < matrix.outerSize(); ++j)
    for (SparseMatrix::InnerIterator it(matrix, j); it; ++it)
      if (!(std::abs(it.value()) <= kHuge)) throwBasisError(model, it.row(), what, it.value());
}

}  // namespace

void requireComputableModes(const PhysicalModel& model) {
  requireEntriesOfModerateSize(model, model.stiffness, "a stiffness");
  requireEntriesOfModerateSize(model, model.mass, "a mass");
  const Vector k = model.stiffness.diagonal(), m = model.mass.diagonal();
  for (Eigen::Index i = 0; i < m.size(); ++i) {
    if (!(m[i] > 0.0)) continue;
    if (m[i] < 1.0 / kHuge) throwBasisError(model, i, "a mass", m[i]);
    if (!(std::abs(k[i]) / m[i] <= kHuge))
      throwBasisError(model, i, "a ratio of stiffness to mass", k[i] / m[i]);
  }
}

void requireFiniteBasis(const ModalBasis& basis) {
  if (!basis.eigenvalue.allFinite() || !basis.shapes.allFinite())
    throw BasisError("the modes are not finite numbers: check the units of stiffness and mass");
  if (!basis.damping.allFinite())
    throw BasisError("the damping of the modes is not finite: check the units of the dampers");
}

int countNegativeEigenvalues(const SparseMatrix& matrix) {
  constexpr double kRounding = 1e-9, kTiny = 1e-14;
  const Vector diagonal = matrix.diagonal().cwiseAbs();
  const double floor = kRounding * kRounding * (diagonal.size() > 0 ? diagonal.maxCoeff() : 0.0);
  SparseMatrix raised = matrix;
  for (Eigen::Index i = 0; i < diagonal.size(); ++i) raised.coeffRef(i, i) += kRounding * diagonal[i] + floor;
  const auto factor = factorize(raised, kTiny);
  return factor ? factor->negativePivotCount() : 0;
}

std::vector<double> squaredFrequenciesOfDofs(const SparseMatrix& stiffness, const SparseMatrix& mass) {
  const Vector k = stiffness.diagonal(), m = mass.diagonal();
  std::vector<double> squares;
  for (Eigen::Index i = 0; i < k.size(); ++i)
    if (m[i] > 0.0 && k[i] != 0.0) squares.push_back(std::abs(k[i]) / m[i]);
  if (squares.empty()) squares.push_back(1.0);
  std::sort(squares.begin(), squares.end());
  return squares;
}

}  // namespace ricochet
