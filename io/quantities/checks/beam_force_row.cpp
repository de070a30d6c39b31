#include "io/quantities/checks/beam_force_row.hpp"

#include "physical/elements/beam_forces.hpp"

namespace ricochet {

BeamForceRow::BeamForceRow(const BeamForceAt& where, const RayleighDamping& rayleigh,
                           const Simulation& simulation) {
  const Eigen::Matrix<double, 1, 12> section = toSectionForces(where.element).row(where.component);
  const std::array<Eigen::RowVectorXd, kKinematicNames.size()> factors{
      section * where.element.stiffness(), section * where.element.gyroscopicMatrix(),
      section * where.element.mass()};
  const Eigen::RowVectorXd damping =
      section * (rayleigh.stiffness * where.element.stiffness() + rayleigh.mass * where.element.mass());
  const ElementDofs dofs = where.element.dofs();
  for (std::size_t kind = 0; kind < factors.size(); ++kind) {
    rows_[kind] = Eigen::RowVectorXd::Zero(simulation.size());
    for (std::size_t i = 0; i < dofs.size(); ++i) {
      const double factor = factors[kind][static_cast<Eigen::Index>(i)];
      if (factor == 0.0) continue;
      rows_[kind] += factor * simulation.row(dofs[i]);
      ImposedMotion motion = simulation.imposedMotion(dofs[i], static_cast<Kinematic>(kind), true);
      if (!motion.empty()) imposed_.emplace_back(factor, std::move(motion));
    }
  }
  constexpr auto kVelocity = static_cast<std::size_t>(Kinematic::velocity);
  for (std::size_t i = 0; i < dofs.size(); ++i)
    if (const double factor = damping[static_cast<Eigen::Index>(i)]; factor != 0.0)
      rows_[kVelocity] += factor * simulation.row(dofs[i]);
  const Eigen::RowVectorXd& inertia = factors[static_cast<std::size_t>(Kinematic::acceleration)];
  for (Eigen::Index c = 0; c < 3; ++c) weight_ -= (inertia[c] + inertia[c + kComponents]) * where.gravity[c];
}

double BeamForceRow::at(const StepView& view) const {
  const State& state = view.state;
  double force = weight_;
  for (std::size_t kind = 0; kind < rows_.size(); ++kind)
    force += rows_[kind].dot(fieldOfKind(state, static_cast<Kinematic>(kind)).head(rows_[kind].size()));
  for (const auto& [factor, motion] : imposed_) force += factor * motion.at(view);
  return force;
}

}  // namespace ricochet
