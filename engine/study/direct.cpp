#include "engine/study/direct.hpp"

#include "physical/dense_solvers.hpp"

#include <cmath>

namespace ricochet {
namespace {

/// Upper bound of the largest eigenvalue of M^-1 A, with A symmetric and at least semidefinite: the largest
/// Ritz value of a Krylov space plus its residual. `apply` returns A x.
template <class Apply>
double largestEigenvalue(const DirectSystem& system, const DirectFactor& mass, Apply&& apply) {
  constexpr Eigen::Index kVectors = 60;
  constexpr double kMargin = 1e-3;  // allowance for components that the residual norm does not show
  const Eigen::Index n = system.size();
  const Eigen::Index count = std::min(kVectors, n);
  Matrix basis(n, count);
  Vector diagonal = Vector::Zero(count), beside = Vector::Zero(count);
  // Irregular start vector, which no symmetry of a structure makes orthogonal to the highest mode.
  Vector w(n);
  for (Eigen::Index i = 0; i < n; ++i) w[i] = std::sin(1.0 + 2.7 * static_cast<double>(i * i % 1009));
  w /= std::sqrt(w.dot(system.mass * w));
  Eigen::Index made = 0;
  double beta = 0.0;
  for (; made < count; ++made) {
    basis.col(made) = w;
    const Vector image = apply(w);
    diagonal[made] = w.dot(image);
    Vector next = image;
    mass.solve(next);
    for (int pass = 0; pass < 2; ++pass) {
      const Vector momentum = system.mass * next;
      next -= basis.leftCols(made + 1) * (basis.leftCols(made + 1).transpose() * momentum);
    }
    beta = std::sqrt(std::max(0.0, next.dot(system.mass * next)));
    beside[made] = beta;
    if (beta <= 1e-12 * std::abs(diagonal.head(made + 1).maxCoeff())) {
      ++made;
      break;
    }
    w = next / beta;
  }
  Eigen::SelfAdjointEigenSolver<Matrix> ritz;
  ritz.computeFromTridiagonal(diagonal.head(made), beside.head(made - 1));
  const double residual = beta * std::abs(ritz.eigenvectors()(made - 1, made - 1));
  return std::max(0.0, (1.0 + kMargin) * ritz.eigenvalues()[made - 1] + residual);
}

/// Matrix sum of weight b^t b over the contact rows b, on the contact dofs.
Matrix contactMatrix(const DirectModel& model, double (*along)(const ClosedContact&, std::size_t axis),
                     double (*spin)(const ClosedContact&), double (*roll)(const ClosedContact&)) {
  const auto size = static_cast<Eigen::Index>(model.contactDofs.size());
  Matrix sum = Matrix::Zero(size, size);
  for (const Contact& contact : model.contacts.contacts()) {
    const ClosedContact closed = stiffnessAndDampingOfClosedContact(contact);
    for (std::size_t axis = 0; axis < 3; ++axis) {
      const Vector b = contact.rows.row(static_cast<Eigen::Index>(axis)).transpose();
      sum += along(closed, axis) * b * b.transpose();
    }
    if (contact.patch) sum += spin(closed) * contact.spinRow.transpose() * contact.spinRow;
    if (contact.rollRow.size() > 0) sum += roll(closed) * contact.rollRow.transpose() * contact.rollRow;
  }
  return sum;
}

void addLinkBoundsToMatrix(const DirectModel& model, double LinkBounds::*weight, Matrix& sum) {
  for (const Link& link : model.links.links()) sum += link.bounds.*weight * link.rows.transpose() * link.rows;
}

Vector multiplyOnContactDofs(const DirectModel& model, const Matrix& matrix, const Vector& x) {
  Vector z(matrix.cols());
  for (std::size_t i = 0; i < model.contactDofs.size(); ++i)
    z[static_cast<Eigen::Index>(i)] = x[model.contactDofs[i]];
  z = matrix * z;
  Vector y = Vector::Zero(x.size());
  for (std::size_t i = 0; i < model.contactDofs.size(); ++i)
    y[model.contactDofs[i]] = z[static_cast<Eigen::Index>(i)];
  return y;
}

}  // namespace

StiffnessBounds stiffnessBounds(const DirectModel& model) {
  const DirectSystem& system = model.linear;
  const DirectFactor mass(system, 0.0, 0.0);
  Matrix stiffness = contactMatrix(
      model, [](const ClosedContact& c, std::size_t axis) { return c.stiffness[axis]; },
      [](const ClosedContact& c) { return c.spinStiffness; },
      [](const ClosedContact& c) { return c.rollStiffness; });
  Matrix damping = contactMatrix(
      model, [](const ClosedContact& c, std::size_t axis) { return c.damping[axis]; },
      [](const ClosedContact&) { return 0.0; }, [](const ClosedContact&) { return 0.0; });
  addLinkBoundsToMatrix(model, &LinkBounds::stiffness, stiffness);
  addLinkBoundsToMatrix(model, &LinkBounds::damping, damping);
  const auto largest = [&](auto&& apply) { return largestEigenvalue(system, mass, apply); };
  StiffnessBounds bounds;
  bounds.omegaSquared = largest([&](const Vector& x) {
    return Vector(system.stiffness * x + multiplyOnContactDofs(model, stiffness, x));
  });
  if (!stiffness.isZero(0.0))
    bounds.contact = largest([&](const Vector& x) { return multiplyOnContactDofs(model, stiffness, x); });
  if (!damping.isZero(0.0))
    bounds.contactDamping =
        largest([&](const Vector& x) { return multiplyOnContactDofs(model, damping, x); });
  if (system.isDamped())
    bounds.structureDamping = largest([&](const Vector& x) {
      return Vector(0.5 * (system.damping * x + system.damping.transpose() * x) +
                    system.modalDampingForce(x));
    });
  return bounds;
}

}  // namespace ricochet
