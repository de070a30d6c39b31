#include "physical/assembly/massless.hpp"

#include "physical/dense_solvers.hpp"
#include "physical/model_error.hpp"

#include <Eigen/SparseCholesky>

#include <algorithm>
#include <cmath>

namespace ricochet {
namespace {

/// Reduced indices of the dofs with mass and of the dofs without.
struct Parts {
  std::vector<int> kept;
  std::vector<int> massless;
};

Parts splitDofsByMass(const PhysicalModel& model) {
  const Vector mass = model.mass.cwiseAbs() * Vector::Ones(model.size());
  Parts parts;
  for (int i = 0; i < model.size(); ++i) (mass[i] > 0.0 ? parts.kept : parts.massless).push_back(i);
  return parts;
}

/// Columns of the identity for the indices in `part`: reduced x part.
SparseMatrix selectionMatrix(int size, const std::vector<int>& part) {
  SparseMatrix s(size, static_cast<Eigen::Index>(part.size()));
  s.reserve(Eigen::VectorXi::Ones(s.cols()));
  for (std::size_t i = 0; i < part.size(); ++i) s.insert(part[i], static_cast<Eigen::Index>(i)) = 1.0;
  return s;
}

}  // namespace

/// Factors of K_mm.
class MasslessPart::Factor {
 public:
  Factor(const PhysicalModel& model, const std::vector<int>& dofs)
      : follow_(selectionMatrix(model.size(), dofs)),
        inner_(follow_.transpose() * model.stiffness * follow_),
        solver_(inner_) {
    constexpr double kSingular = 1e-12;  // a smaller pivot, relative to the diagonal, is a rounding error
    const double smallest = solver_.info() == Eigen::Success ? solver_.vectorD().minCoeff() : 0.0;
    if (smallest > kSingular * inner_.diagonal().maxCoeff()) return;
    std::vector<Dof> loose;
    for (const int i : dofs)
      loose.push_back(model.dofs.dof(model.dofs.independentDofs()[static_cast<std::size_t>(i)]));
    throw ModelError("no mass, and no stiffness that would hold it to the others", std::move(loose));
  }

  const SparseMatrix& selectionColumns() const noexcept { return follow_; }
  Vector solveWithFactor(const Vector& f) const {
    return follow_ * solver_.solve(Vector(follow_.transpose() * f));
  }
  SparseMatrix solveWithFactor(const SparseMatrix& coupling) const {
    return follow_ * SparseMatrix(solver_.solve(coupling));
  }

 private:
  SparseMatrix follow_;
  SparseMatrix inner_;
  Eigen::SimplicialLDLT<SparseMatrix> solver_;
};

MasslessPart::MasslessPart(const PhysicalModel& model)
    : model_(&model), dofs_(splitDofsByMass(model).massless) {}

bool MasslessPart::doesForceLoadMasslessDofs(const Vector& force) const {
  constexpr double kRounding = 1e-12;
  if (dofs_.empty() || force.size() == 0) return false;
  const double largest = force.cwiseAbs().maxCoeff();
  return std::any_of(dofs_.begin(), dofs_.end(),
                     [&](int i) { return std::abs(force[i]) > kRounding * largest; });
}

Vector MasslessPart::staticResponse(const Vector& force) const {
  if (!doesForceLoadMasslessDofs(force)) return Vector::Zero(force.size());
  if (!factor_) factor_ = std::make_shared<const Factor>(*model_, dofs_);
  return factor_->solveWithFactor(force);
}

Vector MasslessPart::forceCondensedToMass(const Vector& force) const {
  if (!doesForceLoadMasslessDofs(force)) return force;
  Vector moved = force - model_->stiffness * staticResponse(force);
  for (const int i : dofs_) moved[i] = 0.0;
  return moved;
}

SparseMatrix MasslessPart::staticCondensationMatrix(const PhysicalModel& model, const std::vector<int>& kept,
                                                    const std::vector<int>& massless) {
  const SparseMatrix keep = selectionMatrix(model.size(), kept);
  if (massless.empty()) return keep;
  const Factor factor(model, massless);
  return keep -
         factor.solveWithFactor(SparseMatrix(factor.selectionColumns().transpose() * model.stiffness * keep));
}

void separateMasslessDashpots(PhysicalModel& model) {
  model.masslessDashpots.resize(model.size(), 0);
  const SparseMatrix byColumn = model.damping.transpose();  // column i: row i of C
  std::vector<int> damped;
  for (const int i : splitDofsByMass(model).massless)
    if (byColumn.col(i).norm() + model.damping.col(i).norm() > 0.0) damped.push_back(i);
  if (damped.empty() || damped.size() > kMostDamped) return;
  const SparseMatrix pick = selectionMatrix(model.size(), damped);
  const Matrix columns = model.damping * pick;  // C_am over all dofs a
  const Matrix rows = byColumn * pick;
  constexpr double kRounding = 1e-9;
  const double size = columns.cwiseAbs().maxCoeff();
  if ((columns - rows).cwiseAbs().maxCoeff() > kRounding * size) return;
  const Eigen::SelfAdjointEigenSolver<Matrix> eigen(Matrix(pick.transpose() * columns));
  const Vector& s = eigen.eigenvalues();
  std::vector<Eigen::Index> kept;
  for (Eigen::Index i = 0; i < s.size(); ++i)
    if (s[i] > kRounding * s.cwiseAbs().maxCoeff()) kept.push_back(i);
  Matrix dashpots = columns * eigen.eigenvectors()(Eigen::all, kept);
  for (Eigen::Index i = 0; i < dashpots.cols(); ++i)
    dashpots.col(i) /= std::sqrt(s[kept[static_cast<std::size_t>(i)]]);
  const Matrix left = columns - dashpots * (pick.transpose() * dashpots).transpose();
  if (left.cwiseAbs().maxCoeff() > kRounding * size) return;  // a negative dashpot
  const SparseMatrix sparse = dashpots.sparseView(1.0, 0.0);
  Vector stays = Vector::Ones(model.size());
  for (const int i : damped) stays[i] = 0.0;
  const SparseMatrix others(stays.asDiagonal());
  model.damping = others * SparseMatrix(model.damping - sparse * SparseMatrix(sparse.transpose())) * others;
  const double largest = columns.cwiseAbs().maxCoeff();
  model.damping.prune([&](Eigen::Index, Eigen::Index, double entry) {
    constexpr double kNone = 1e-14;  // rounding of the difference
    return std::abs(entry) > kNone * largest;
  });
  model.masslessDashpots = std::move(dashpots);
}

DynamicModel condenseToDynamicModel(const PhysicalModel& model) {
  Parts parts = splitDofsByMass(model);
  if (parts.kept.empty()) throw ModelError("no degree of freedom has mass");
  const SparseMatrix t = MasslessPart::staticCondensationMatrix(model, parts.kept, parts.massless);
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
