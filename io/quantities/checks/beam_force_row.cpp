#include "io/quantities/checks/beam_force_row.hpp"

#include "physical/elements/beam_forces.hpp"

#include <algorithm>
#include <iterator>
#include <utility>
#include <vector>

namespace ricochet {

BeamForceRow::BeamForceRow(const BeamForceAt& where, const RayleighDamping& rayleigh,
                           const Simulation& simulation) {
  const Eigen::Matrix<double, 1, 12> section = sectionForceMatrix(where.element).row(where.component);
  const Eigen::RowVectorXd stiffness = section * where.element.stiffness(),
                           inertia = section * where.element.mass();
  const Eigen::RowVectorXd ofVelocity =
      section * where.element.gyroscopicMatrix() + rayleigh.stiffness * stiffness;
  const ElementDofs dofs = where.element.dofs();
  std::vector<ImposedField> statics;
  std::ranges::copy_if(simulation.imposed, std::back_inserter(statics), &ImposedField::isDifferentiated);
  const auto add = [&](const Eigen::RowVectorXd& factors, Kinematic kind, bool absolute) {
    for (std::size_t i = 0; i < dofs.size(); ++i) {
      const double factor = factors[static_cast<Eigen::Index>(i)];
      if (factor == 0.0) continue;
      rows_[static_cast<std::size_t>(kind)] += factor * simulation.row(dofs[i]);
      ImposedMotion motion = simulation.imposedMotion(dofs[i], kind, absolute);
      if (!motion.empty()) imposed_.emplace_back(factor, std::move(motion));
      // The modes that a static correction stands for balance its load by K u + C u' + M u'' = f, which K
      // times the correction is already: its rates make no further force.
      if (kind == Kinematic::displacement || statics.empty()) continue;
      ImposedMotion rates(statics, simulation.physical.dofs, dofs[i], kind, absolute);
      if (!rates.empty()) imposed_.emplace_back(-factor, std::move(rates));
    }
  };
  rows_.fill(Eigen::RowVectorXd::Zero(simulation.size()));
  add(stiffness, Kinematic::displacement, true);
  add(ofVelocity, Kinematic::velocity, true);
  add(rayleigh.mass * inertia, Kinematic::velocity, false);  // external damping: of the relative velocity
  add(inertia, Kinematic::acceleration, true);
  for (Eigen::Index c = 0; c < 3; ++c) weight_ -= (inertia[c] + inertia[c + kComponents]) * where.gravity[c];
}

double BeamForceRow::forceInView(const StepView& view) const {
  const State& state = view.state;
  double force = weight_;
  for (std::size_t kind = 0; kind < rows_.size(); ++kind)
    force += rows_[kind].dot(kinematicVector(state, static_cast<Kinematic>(kind)).head(rows_[kind].size()));
  for (const auto& [factor, motion] : imposed_) force += factor * motion.at(view);
  return force;
}

}  // namespace ricochet
