#include "io/app/runs/static_balance.hpp"

#include "engine/study/push_directions.hpp"

#include <algorithm>

namespace ricochet {
namespace {

/// Rows of a reduced vector at some independent dofs.
Vector pickRows(const std::vector<int>& dofs, const Vector& reduced) {
  Vector picked(static_cast<Eigen::Index>(dofs.size()));
  for (std::size_t i = 0; i < dofs.size(); ++i) picked[static_cast<Eigen::Index>(i)] = reduced[dofs[i]];
  return picked;
}

/// Force of a contact along e1, e2, e3, from what results show of it.
Vec3 forceShownBy(const ContactView& view) {
  const Vec3 first(-view.normal[1], view.normal[0], 0.0);
  return view.normalForce * view.normal + view.tangentialForce.first * first +
         view.tangentialForce.second * Vec3::UnitZ();
}

}  // namespace

StaticBalance::StaticBalance(const Study& study, const Simulation& simulation) {
  const PhysicalModel& physical = simulation.physical;
  // dashpots and loads whose static motion is not known have no such balance; both are refused where it
  // matters
  if (study.basis.rayleigh.stiffness != 0.0 || !simulation.unknown.empty() || !study.movingLoads.empty())
    return;
  const Vector mass = physical.mass.cwiseAbs() * Vector::Ones(physical.size());
  std::vector<int> massless, place(static_cast<std::size_t>(physical.size()), -1);
  for (int i = 0; i < physical.size(); ++i)
    if (mass[i] == 0.0) massless.push_back(i);
  std::vector<Dof> coupled;
  std::vector<Eigen::Triplet<double>> entries;
  for (std::size_t i = 0; i < massless.size(); ++i)
    for (SparseMatrix::InnerIterator it(physical.stiffness, massless[i]); it; ++it) {
      int& column = place[static_cast<std::size_t>(it.row())];
      if (column < 0) {
        column = static_cast<int>(coupled.size());
        coupled.push_back(physical.dofs.dof(physical.dofs.independent()[static_cast<std::size_t>(it.row())]));
      }
      entries.emplace_back(static_cast<int>(i), column, it.value());
    }
  stiffness_.resize(static_cast<Eigen::Index>(massless.size()), static_cast<Eigen::Index>(coupled.size()));
  stiffness_.setFromTriplets(entries.begin(), entries.end());
  rows_ = simulation.rows(coupled);
  for (const Dof dof : coupled)
    beside_.push_back(simulation.imposedMotion(dof, Kinematic::displacement, false));
  for (const NodalLoad& load : study.loads)
    if (Vector force = pickRows(massless, loadDirection(load, physical)); !force.isZero(0.0))
      loads_.emplace_back(std::move(force), load.scale);
  for (std::size_t i = 0; i < study.contacts.size(); ++i) {
    OfContact of{i, {}};
    of.forces.resize(static_cast<Eigen::Index>(massless.size()), 3);
    for (int axis = 0; axis < 3; ++axis)
      of.forces.col(axis) = pickRows(massless, contactDirection(study.contacts[i], axis, physical));
    if (!of.forces.isZero(0.0)) contacts_.push_back(std::move(of));
  }
}

double StaticBalance::errorAt(const StepView& view) const {
  if (stiffness_.rows() == 0) return 0.0;
  Vector u = rows_ * view.state.q.head(rows_.cols());
  for (std::size_t i = 0; i < beside_.size(); ++i) u[static_cast<Eigen::Index>(i)] += beside_[i].at(view);
  Vector missing = stiffness_ * u;
  Vector sizes = stiffness_.cwiseAbs() * u.cwiseAbs();
  for (const auto& [force, scale] : loads_) {
    missing -= scale.at(view.state.time) * force;
    sizes += std::abs(scale.at(view.state.time)) * force.cwiseAbs();
  }
  for (const OfContact& of : contacts_) {
    const Vec3 pushed = forceShownBy(view.contacts[of.contact]);
    missing -= of.forces * pushed;
    sizes += of.forces.cwiseAbs() * pushed.cwiseAbs();
  }
  const double size = sizes.maxCoeff();
  return size > 0.0 ? missing.cwiseAbs().maxCoeff() / size : 0.0;
}

}  // namespace ricochet
