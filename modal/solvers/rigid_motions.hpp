#pragma once

#include "modal/solvers/structure_parts.hpp"

namespace ricochet {

/// Motions that strain nothing, K r = 0, as columns on the rows of a part.
struct RigidMotions {
  Matrix shapes;
  int translations{0};  ///< the first ones; the others turn
};

/// The rigid motions that the stiffness of a part leaves free, made from its geometry: of each piece that the
/// stiffness connects the three translations and the three rotations about its centre of mass,
///
///     u = d + theta x (r - g),
///
/// those combinations of them for which K r vanishes against the terms that it is summed from, |K r| <= c eps
/// |K| |r|, row by row, so that no unit matters. They come pure: translations along the global axes where all
/// three are free, rotations about the principal axes of inertia. So rounding never decides how many there
/// are, and the modes of a free structure need no shift.
///
/// A mechanism (a hinge in the middle) is not among them. `rounding`: of the entries of K, relative.
RigidMotions rigidMotions(const StructurePart& part, double rounding);

/// The largest |K x| over |K| |x| of a row: rounding of a motion that strains nothing.
double strainShare(const SparseMatrix& stiffness, const Vector& motion);

/// Of what such a share is rounding.
double strainLimit(double rounding);

}  // namespace ricochet
