#pragma once

#include "io/deck/deck.hpp"
#include "io/prepare/prepare.hpp"

#include <array>

namespace ricochet {

/// A force of an end section of a beam element (restored_beams.hpp: "force") as a linear function of the
/// state of a run in either mode: rows for displacements, velocities and accelerations, plus imposed motions,
/// motions under contact forces on dofs without inertia, and gravity.
class BeamForceRow {
 public:
  BeamForceRow(const BeamForceAt& where, const RayleighDamping& rayleigh, const Simulation& simulation);

  double forceInView(const StepView& view) const;  ///< force [N] or moment [N m] at this state

 private:
  std::array<Eigen::RowVectorXd, kKinematicNames.size()> rows_;
  std::vector<std::pair<double, ImposedMotion>> imposed_;  ///< factor and imposed motion of each fixed dof
  double weight_{0.0};                                     ///< contribution of gravity
};

}  // namespace ricochet
