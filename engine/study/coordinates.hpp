#pragma once

#include "engine/study/simulation.hpp"
#include "modal/projection.hpp"

namespace ricochet {

/// Coordinates q of a run, u = T q: the coordinates of the basis (T = Phi), or the dofs with mass, which all
/// other dofs follow statically. Only the functions of this header depend on the mode (modal or direct) of a
/// run.

/// Generalized force T^t f of a force f on all dofs.
Vector generalizedForce(const Simulation& simulation, const Vector& force);

/// Field T q on all dofs of the coordinates q.
Vector displacementFieldOfCoordinates(const Simulation& simulation, const Vector& coordinates);

/// Coordinates q nearest to a field u in the norm of the mass matrix, (T^t M T)^-1 T^t M u, and the relative
/// remainder |u - T q|_M / |u|_M. The consistent mass matrix is used even if the run has a lumped mass.
ProjectedField projectField(const Simulation& simulation, const Vector& field);

/// Coordinates of a static mode, without fixed dofs; the coordinates must represent the mode exactly.
Vector coordinatesOfStaticMode(const Simulation& simulation, const Vector& staticMode);

/// Forces M p, C p and K p of the coordinates p.
struct LinearForces {
  Vector inertia, damping, elastic;
};
LinearForces linearForcesAlongVector(const Simulation& simulation, const Vector& p);

/// Number of equal parts of a step of h [s] in each of which no mode turns by more than `phase` [rad]: what
/// moves in between is sampled there. 1 for schemes whose steps resolve the modes, or do not show more than
/// their ends.
std::size_t countPartsThatResolveModes(const Simulation& simulation, double h, double phase);
/// Number of equal parts at whose ends histories are sampled in each step: of the schemes of high order,
/// whose steps are long, 16; of those that move modes exactly in long steps, of a quarter of a radian; of
/// others 1.
std::size_t countPartsSampledInStep(const Simulation& simulation);

}  // namespace ricochet
