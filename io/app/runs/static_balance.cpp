#include "io/app/runs/static_balance.hpp"

#include "engine/study/push_directions.hpp"

#include <algorithm>

namespace ricochet {
namespace {

/// Rows of a reduced vector at some independent dofs.
Vector rowsOfDofs(const std::vector<int>& dofs, const Vector& reduced) {
  Vector picked(static_cast<Eigen::Index>(dofs.size()));
  for (std::size_t i = 0; i < dofs.size(); ++i) picked[static_cast<Eigen::Index>(i)] = reduced[dofs[i]];
  return picked;
}

/// Force of a contact along e1, e2, e3, computed from the quantities of its view.
Vec3 contactForceFromView(const ContactView& view) {
  const Vec3 first(-view.normal[1], view.normal[0], 0.0);
  return view.normalForce * view.normal + view.tangentialForce.first * first +
         view.tangentialForce.second * Vec3::UnitZ();
}

}  // namespace

StaticBalance::StaticBalance(const Study& study, const Simulation& simulation) {
  const PhysicalModel& physical = simulation.physical;
  // with stiffness-proportional damping, or with loads whose static motion is not known, this balance does
  // not hold, and contacts or output at such dofs are refused elsewhere
  if (study.basis.rayleigh.stiffness != 0.0 || !simulation.unknown.empty() || !study.movingLoads.empty())
    return;
  const Vector mass = physical.mass.cwiseAbs() * Vector::Ones(physical.size());
  std::vector<int> massless, place(static_cast<std::size_t>(physical.size()), -1);
  for (int i = 0; i < physical.size(); ++i)
    if (mass[i] == 0.0) massless.push_back(i);
  const SparseMatrix dashpots = physical.masslessDashpots.sparseView(1.0, 0.0);
  const SparseMatrix damping = physical.damping + SparseMatrix(dashpots * SparseMatrix(dashpots.transpose()));
  std::vector<Dof> coupled;
  const auto entriesOf = [&](const SparseMatrix& symmetric) {
    std::vector<Eigen::Triplet<double>> entries;
    for (std::size_t i = 0; i < massless.size(); ++i)
      for (SparseMatrix::InnerIterator it(symmetric, massless[i]); it; ++it) {
        int& column = place[static_cast<std::size_t>(it.row())];
        if (column < 0) {
          column = static_cast<int>(coupled.size());
          coupled.push_back(
              physical.dofs.dof(physical.dofs.independentDofs()[static_cast<std::size_t>(it.row())]));
        }
        entries.emplace_back(static_cast<int>(i), column, it.value());
      }
    return entries;
  };
  const auto springs = entriesOf(physical.stiffness);
  const auto dampers =
      physical.masslessDashpots.cols() > 0 ? entriesOf(damping) : std::vector<Eigen::Triplet<double>>{};
  for (SparseMatrix* each : {&stiffness_, &damping_})
    each->resize(static_cast<Eigen::Index>(massless.size()), static_cast<Eigen::Index>(coupled.size()));
  stiffness_.setFromTriplets(springs.begin(), springs.end());
  damping_.setFromTriplets(dampers.begin(), dampers.end());
  rows_ = simulation.rows(coupled);
  for (const Dof dof : coupled)
    beside_.push_back(simulation.imposedMotion(dof, Kinematic::displacement, false));
  if (damping_.nonZeros() > 0)
    for (const Dof dof : coupled)
      besideRates_.push_back(simulation.imposedMotion(dof, Kinematic::velocity, false));
  for (const NodalLoad& load : study.loads)
    if (Vector force = rowsOfDofs(massless, loadDirection(load, physical)); !force.isZero(0.0))
      loads_.emplace_back(std::move(force), load.scale);
  for (std::size_t i = 0; i < study.contacts.size(); ++i) {
    OfContact of{i, {}};
    of.forces.resize(static_cast<Eigen::Index>(massless.size()), 3);
    for (int axis = 0; axis < 3; ++axis)
      of.forces.col(axis) = rowsOfDofs(massless, contactDirection(study.contacts[i], axis, physical));
    if (!of.forces.isZero(0.0)) contacts_.push_back(std::move(of));
  }
  for (std::size_t i = 0; i < study.links.size(); ++i) {
    OfLink of{i, {}};
    of.forces = Eigen::Matrix<double, Eigen::Dynamic, 2>::Zero(static_cast<Eigen::Index>(massless.size()), 2);
    for (std::size_t axis = 0; axis < study.links[i].axes.size(); ++axis)
      of.forces.col(static_cast<Eigen::Index>(axis)) =
          -rowsOfDofs(massless, linkDirection(study.links[i], axis, physical));
    if (!of.forces.isZero(0.0)) links_.push_back(std::move(of));
  }
}

double StaticBalance::relativeImbalance(const StepView& view) const {
  if (stiffness_.rows() == 0) return 0.0;
  Vector u = rows_ * view.state.q.head(rows_.cols());
  for (std::size_t i = 0; i < beside_.size(); ++i) u[static_cast<Eigen::Index>(i)] += beside_[i].at(view);
  Vector missing = stiffness_ * u;
  Vector sizes = stiffness_.cwiseAbs() * u.cwiseAbs();
  if (!besideRates_.empty()) {
    Vector v = rows_ * view.state.v.head(rows_.cols());
    for (std::size_t i = 0; i < besideRates_.size(); ++i)
      v[static_cast<Eigen::Index>(i)] += besideRates_[i].at(view);
    missing += damping_ * v;
    sizes += damping_.cwiseAbs() * v.cwiseAbs();
  }
  for (const auto& [force, scale] : loads_) {
    missing -= scale.at(view.state.time) * force;
    sizes += std::abs(scale.at(view.state.time)) * force.cwiseAbs();
  }
  for (const OfContact& of : contacts_) {
    const Vec3 pushed = contactForceFromView(view.contacts[of.contact]);
    missing -= of.forces * pushed;
    sizes += of.forces.cwiseAbs() * pushed.cwiseAbs();
  }
  for (const OfLink& of : links_) {
    const std::array<double, kLinkAxes>& force = view.links[of.link].force;
    const Eigen::Vector2d pulled(force[0], force[1]);
    missing -= of.forces * pulled;
    sizes += of.forces.cwiseAbs() * pulled.cwiseAbs();
  }
  const double size = sizes.maxCoeff();
  return size > 0.0 ? missing.cwiseAbs().maxCoeff() / size : 0.0;
}

}  // namespace ricochet
