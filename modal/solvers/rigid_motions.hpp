#pragma once

#include "modal/solvers/structure_parts.hpp"

namespace ricochet {

/// Motions without strain, K r = 0, as columns on the rows of a part.
struct RigidMotions {
  Matrix shapes;
  int translations{0};  ///< number of translations, the first columns; the other columns are rotations
};

/// The rigid motions that the stiffness of a part allows, computed from its geometry: for each piece
/// connected by stiffness the three translations and the three rotations about its centre of mass,
///
///     u = d + theta x (r - g),
///
/// in those combinations for which K r vanishes relative to its terms, |K r| <= c eps |K| |r|, row by row,
/// independent of units. The motions are pure: translations along the global axes if all three are free,
/// rotations about the principal axes of inertia. Rounding cannot change the number of motions, and the modes
/// of a free structure need no shift.
///
/// Mechanisms (for example a hinge in the middle) are not included. `rounding`: relative error of the entries
/// of K.
RigidMotions rigidMotions(const StructurePart& part, double rounding);

/// Largest ratio |K x| / (|K| |x|) over the rows: of the order of rounding for a motion without strain.
double relativeStrainForce(const SparseMatrix& stiffness, const Vector& motion);

/// Limit of `relativeStrainForce` below which a motion counts as free of strain.
double relativeStrainForceLimit(double rounding);

}  // namespace ricochet
