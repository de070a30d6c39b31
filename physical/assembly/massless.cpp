#include "physical/assembly/massless.hpp"

#include "physical/model_error.hpp"

#include <Eigen/SparseCholesky>

namespace ricochet {
namespace {

/// Reduced indices of the dofs with mass and of the dofs without.
struct Parts {
  std::vector<int> kept;
  std::vector<int> massless;
};

Parts split(const PhysicalModel& model) {
  const Vector mass = model.mass.cwiseAbs() * Vector::Ones(model.size());
  Parts parts;
  for (int i = 0; i < model.size(); ++i) (mass[i] > 0.0 ? parts.kept : parts.massless).push_back(i);
  if (parts.kept.empty()) throw ModelError("no degree of freedom has mass");
  return parts;
}

/// Columns of the identity for the indices in `part`: reduced x part.
SparseMatrix selection(int size, const std::vector<int>& part) {
  SparseMatrix s(size, static_cast<Eigen::Index>(part.size()));
  s.reserve(Eigen::VectorXi::Ones(s.cols()));
  for (std::size_t i = 0; i < part.size(); ++i) s.insert(part[i], static_cast<Eigen::Index>(i)) = 1.0;
  return s;
}

/// Matrix reduced x kept: the identity on the dofs with mass, and -K_mm^-1 K_mk on the massless dofs.
SparseMatrix followers(const PhysicalModel& model, const Parts& parts) {
  const SparseMatrix keep = selection(model.size(), parts.kept);
  if (parts.massless.empty()) return keep;
  const SparseMatrix follow = selection(model.size(), parts.massless);
  const SparseMatrix inner = follow.transpose() * model.stiffness * follow;
  const SparseMatrix coupling = follow.transpose() * model.stiffness * keep;
  const Eigen::SimplicialLDLT<SparseMatrix> factor(inner);
  constexpr double kSingular = 1e-12;  // a smaller pivot, relative to the diagonal, is a rounding error
  const double smallest = factor.info() == Eigen::Success ? factor.vectorD().minCoeff() : 0.0;
  if (!(smallest > kSingular * inner.diagonal().maxCoeff())) {
    std::vector<Dof> loose;
    for (const int i : parts.massless)
      loose.push_back(model.dofs.dof(model.dofs.independent()[static_cast<std::size_t>(i)]));
    throw ModelError("no mass, and no stiffness that would hold it to the others", std::move(loose));
  }
  return keep - SparseMatrix(follow * SparseMatrix(factor.solve(coupling)));
}

}  // namespace

DynamicModel condenseMassless(const PhysicalModel& model) {
  Parts parts = split(model);
  const SparseMatrix t = followers(model, parts);
  const SparseMatrix tt = t.transpose();
  DynamicModel dynamic;
  dynamic.transformation = model.dofs.transformation() * t;
  dynamic.mass = tt * model.mass * t;
  dynamic.damping = tt * model.damping * t;
  dynamic.stiffness = tt * model.stiffness * t;
  dynamic.kept = std::move(parts.kept);
  return dynamic;
}

}  // namespace ricochet
