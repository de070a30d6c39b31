#include "modal/complex_modes.hpp"

#include "modal/eigen_solver.hpp"
#include "physical/dense_solvers.hpp"

#include <algorithm>
#include <cmath>
#include <complex>

namespace ricochet {
namespace {

/// A complex mode with |lambda|, the sorting key.
struct Found {
  double size;
  ComplexMode mode;
};

/// Matrix of the first-order form, d/dt (Omega q, q') = [[0, Omega], [-Omega, -C]] (Omega q, q').
Matrix firstOrderMatrix(const ModalBasis& basis) {
  const Eigen::Index n = basis.size();
  Matrix a = Matrix::Zero(2 * n, 2 * n);
  a.topRightCorner(n, n).diagonal() = basis.omega();
  a.bottomLeftCorner(n, n).diagonal() = -basis.omega();
  a.bottomRightCorner(n, n) = -basis.damping;
  return a;
}

/// Mode of a pair of two real roots; for an odd number of roots, the last mode has a single root.
Found modeFromRealRootPair(double first, double second) {
  constexpr double kZero = 1e-150;  // smallest root whose square does not underflow
  const double size = std::sqrt(std::abs(first)) * std::sqrt(std::abs(second));
  Found found{size, {}};
  if (size > kZero) found.mode.dampingRatio = -0.5 * (first + second) / size;
  return found;
}

}  // namespace

std::vector<ComplexMode> complexModes(const ModalBasis& basis) {
  const Eigen::Index n = basis.size();
  const Eigen::EigenSolver<Matrix> solver(firstOrderMatrix(basis));
  if (solver.info() != Eigen::Success) throw BasisError("the complex eigenvalue solver did not converge");
  const Matrix antisymmetric = 0.5 * (basis.damping - basis.damping.transpose());
  // A smaller antisymmetric coupling counts as zero: there is no whirling mode, or two frequencies are equal.
  // Without a spin it is the rounding of the dashpots.
  const double rounding = 1e-12 * basis.damping.cwiseAbs().maxCoeff();

  std::vector<Found> found;
  std::vector<double> real;
  for (Eigen::Index i = 0; i < 2 * n; ++i) {
    const std::complex<double> root = solver.eigenvalues()[i];
    if (root.imag() == 0.0) real.push_back(root.real());
    if (root.imag() <= 0.0) continue;
    const Eigen::VectorXcd shape = solver.eigenvectors().col(i).tail(n);
    const double moment = shape.dot(antisymmetric * shape).imag();  // dot() conjugates its first argument
    const bool backward = moment > rounding * shape.squaredNorm();
    const double frequency = root.imag() / (2.0 * std::numbers::pi);
    found.push_back({std::abs(root), {backward ? -frequency : frequency, -root.real() / std::abs(root)}});
  }
  std::sort(real.begin(), real.end(), [](double a, double b) { return std::abs(a) < std::abs(b); });
  for (std::size_t i = 0; i + 1 < real.size(); i += 2)
    found.push_back(modeFromRealRootPair(real[i], real[i + 1]));
  std::stable_sort(found.begin(), found.end(),
                   [](const Found& a, const Found& b) { return a.size < b.size; });

  std::vector<ComplexMode> modes;
  modes.reserve(found.size());
  for (const Found& each : found) modes.push_back(each.mode);
  return modes;
}

}  // namespace ricochet
