#pragma once

#include "engine/study/simulation.hpp"
#include "modal/projection.hpp"

namespace ricochet {

/// Coordinates q of a run, u = T q: those of the basis (T = Phi), or the dofs with mass, which the others
/// follow statically. These functions are all that assembling a run has to know of the mode.

/// Generalized force of a force on all dofs: T^t f.
Vector generalizedForce(const Simulation& simulation, const Vector& force);

/// Field of coordinates on all dofs: T q.
Vector fieldOf(const Simulation& simulation, const Vector& coordinates);

/// Coordinates nearest to a field u by mass, (T^t M T)^-1 T^t M u, and the part of u that they leave out,
/// |u - T q|_M / |u|_M. Whether the run takes a lumped mass or not, fields are shared out alike.
ProjectedField projectField(const Simulation& simulation, const Vector& field);

/// Coordinates of a static mode that they hold, without what is fixed.
Vector coordinatesOf(const Simulation& simulation, const Vector& staticMode);

/// M p, C p and K p of coordinates p.
struct LinearForces {
  Vector inertia, damping, elastic;
};
LinearForces linearForces(const Simulation& simulation, const Vector& p);

}  // namespace ricochet
