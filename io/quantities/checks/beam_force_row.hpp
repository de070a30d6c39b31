#pragma once

#include "io/deck/deck.hpp"
#include "io/prepare/prepare.hpp"

#include <array>

namespace ricochet {

/// A force of an end section of a beam element (restored_beams.hpp: "force") as a function of the state of a
/// run in either mode: rows for displacements, velocities and accelerations, and what is imposed.
class BeamForceRow {
 public:
  BeamForceRow(const BeamForceAt& where, const Simulation& simulation);

  double at(const State& state) const;  ///< [N] or [N m]

 private:
  std::array<Eigen::RowVectorXd, kKinematicNames.size()> rows_;
  std::vector<std::pair<double, ImposedMotion>> imposed_;  ///< factor and motion of a dof
  double weight_{0.0};                                     ///< of gravity
};

}  // namespace ricochet
