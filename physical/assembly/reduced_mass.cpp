#include "physical/assembly/reduced_mass.hpp"

#include "physical/model_error.hpp"
#include "physical/sparse.hpp"

#include <Eigen/SparseCholesky>

#include <cmath>
#include <limits>
#include <optional>
#include <vector>

namespace ricochet {

namespace {

bool isDofWithMass(const SparseMatrix& mass, Eigen::Index dof) {
  for (SparseMatrix::InnerIterator it(mass, dof); it; ++it)
    if (it.value() != 0.0) return true;
  return false;
}

/// b_k - K_km K_mm^-1 b_m: load on the dofs with mass, after static condensation of the massless dofs.
Vector forceCondensedToMass(const PhysicalModel& model, const Vector& direction) {
  const auto isPushedAlone = [&](Eigen::Index i) {
    return direction[i] != 0.0 && !isDofWithMass(model.mass, i);
  };
  Eigen::Index first = 0;
  while (first < direction.size() && !isPushedAlone(first)) ++first;
  if (first == direction.size()) return direction;
  std::vector<Eigen::Index> massless;
  for (Eigen::Index i = 0; i < direction.size(); ++i)
    if (!isDofWithMass(model.mass, i)) massless.push_back(i);
  SparseMatrix follow(direction.size(), static_cast<Eigen::Index>(massless.size()));
  for (std::size_t i = 0; i < massless.size(); ++i)
    follow.insert(massless[i], static_cast<Eigen::Index>(i)) = 1.0;
  const Eigen::SimplicialLDLT<SparseMatrix> held(SparseMatrix(follow.transpose() * model.stiffness * follow));
  if (held.info() != Eigen::Success) throw ModelError("a dof without mass is held by no stiffness");
  const Vector moved = held.solve(Vector(follow.transpose() * direction));
  Vector pushed = direction - model.stiffness * Vector(follow * moved);
  for (const Eigen::Index i : massless) pushed[i] = 0.0;
  return pushed;
}

/// Submatrix of a symmetric matrix for some of its rows, and the subvector for these rows.
struct Neighbourhood {
  SparseMatrix matrix;
  Vector vector;
};

/// Rows that M couples to the rows of b, ring by ring, up to a maximal number of rows. The inverse of a mass
/// matrix decreases by a factor of about 4 from one ring of elements to the next: the rows beyond 20 000 rows
/// (nine rings) of a solid change b^t M^-1 b by 1e-10.
Neighbourhood rowsCoupledByMass(const SparseMatrix& mass, const Vector& b) {
  constexpr std::size_t kMostRows = 20000;
  std::vector<int> rows, place(static_cast<std::size_t>(mass.rows()), -1);
  const auto take = [&](Eigen::Index row) {
    int& at = place[static_cast<std::size_t>(row)];
    if (at >= 0) return;
    at = static_cast<int>(rows.size());
    rows.push_back(static_cast<int>(row));
  };
  for (Eigen::Index i = 0; i < b.size(); ++i)
    if (b[i] != 0.0) take(i);
  for (std::size_t next = 0; next < rows.size() && rows.size() < kMostRows; ++next)
    for (SparseMatrix::InnerIterator it(mass, rows[next]); it; ++it)
      if (it.value() != 0.0) take(it.index());
  Neighbourhood found;
  const auto size = static_cast<Eigen::Index>(rows.size());
  found.vector.resize(size);
  std::vector<Eigen::Triplet<double>> entries;
  for (Eigen::Index i = 0; i < size; ++i) {
    const int row = rows[static_cast<std::size_t>(i)];
    found.vector[i] = b[row];
    for (SparseMatrix::InnerIterator it(mass, row); it; ++it)
      if (const int column = place[static_cast<std::size_t>(it.index())]; column >= 0)
        entries.emplace_back(static_cast<int>(i), column, it.value());
  }
  found.matrix.resize(size, size);
  found.matrix.setFromTriplets(entries.begin(), entries.end());
  return found;
}

/// b^t M^-1 b by conjugate gradients with diagonal preconditioning, which makes a mass matrix well
/// conditioned for any mesh (A.J. Wathen, IMA J. Numer. Anal. 7 (1987) 449-457). Empty if M is singular.
std::optional<double> complianceByConjugateGradients(const SparseMatrix& mass, const Vector& b) {
  const Vector diagonal = mass.diagonal();
  if (!(diagonal.minCoeff() > 0.0)) return std::nullopt;
  constexpr double kRounding = 1e-30;  // limit of the squared residual, relative
  constexpr double kSingular = 1e-13;  // a smaller pivot, relative to the diagonal, is a rounding error
  Vector x = Vector::Zero(b.size()), r = b;
  Vector z = r.cwiseQuotient(diagonal), p = z;
  double square = r.dot(z);
  const double first = square;
  const Eigen::Index most = 100 + 10 * b.size();
  for (Eigen::Index i = 0; i < most; ++i) {
    const Vector image = mass * p;
    const double curvature = p.dot(image);
    if (!(curvature > kSingular * p.dot(diagonal.cwiseProduct(p)))) return std::nullopt;
    const double step = square / curvature;
    x += step * p;
    r -= step * image;
    z = r.cwiseQuotient(diagonal);
    const double next = r.dot(z);
    if (next <= kRounding * first) return b.dot(x);
    p = z + (next / square) * p;
    square = next;
  }
  return std::nullopt;
}

/// b^t M^-1 b if combinations of dofs have no mass: with x = (M + e K)^-1 b and e -> 0, x^t M x is b^t M^-1 b
/// of the combinations with mass, the others following statically; M does not depend on the amplitude of the
/// massless combinations. An M that was rounded (a file of another code) gives such combinations a mass of
/// 1e-14 of the others, which a small e magnifies: the smallest e whose result a tenfold e confirms is taken.
double complianceOfRegularisedMass(const PhysicalModel& model, const Vector& direction) {
  constexpr double kLeast = 1e-9, kMost = 1e-2, kAgreement = 1e-2;
  const double unit = model.mass.diagonal().maxCoeff() / model.stiffness.diagonal().cwiseAbs().maxCoeff();
  double before = -1.0;
  for (double trace = kLeast; trace < kMost; trace *= 10.0) {
    const Eigen::SimplicialLDLT<SparseMatrix> factor(
        SparseMatrix(model.mass + trace * unit * model.stiffness));
    if (factor.info() != Eigen::Success) break;
    const Vector x = factor.solve(direction);
    const double compliance = x.dot(model.mass * x);
    if (!std::isfinite(compliance)) break;
    if (before >= 0.0 && std::abs(compliance - before) <= kAgreement * before) return before;
    before = compliance;
  }
  throw ModelError("the mass matrix cannot be inverted");
}

}  // namespace

double reducedMass(const PhysicalModel& model, const Vector& direction) {
  constexpr double kNone = std::numeric_limits<double>::infinity();
  if (direction.isZero(0.0)) return kNone;
  const Vector pushed = forceCondensedToMass(model, direction);
  if (pushed.isZero(0.0)) return kNone;
  const Neighbourhood near = rowsCoupledByMass(model.mass, pushed);
  const std::optional<double> found = complianceByConjugateGradients(near.matrix, near.vector);
  const double sum = found ? *found : complianceOfRegularisedMass(model, direction);
  return sum > 0.0 ? 1.0 / sum : kNone;
}

}  // namespace ricochet
