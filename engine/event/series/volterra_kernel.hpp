#pragma once

#include "engine/event/series/mode_plane.hpp"
#include "engine/event/series/push_kernel.hpp"

namespace ricochet::kernels {

// Values at the points of a step are padded to `stride`, a multiple of kLanes up to kMostPoints, as are the
// columns of the matrices that act on them; arrays by mode are padded to `size`. All are 64-byte aligned.

inline constexpr Eigen::Index kMostPoints = 32;

/// Adds a matrix product over `columns` columns, y += factor block x.
void addMatrixVectorProduct(const double* block, double factor, const double* x, double* y, int columns,
                            Eigen::Index stride) noexcept;

/// Sums `count` weighted vectors of length `size`, y = sum over k of factors[k] a_k; the vectors are stored
/// in blocks of kLanes entries of all vectors (VolterraBasis::weights).
void addWeightedVectors(const double* a, int count, const double* factors, double* y,
                        Eigen::Index size) noexcept;

/// Adds the free motion mode by mode, y_l = a_l q + b_l v, for `columns` columns l.
void addFreeMotionOfModes(const double* a, const double* b, int columns, const double* q, const double* v,
                          double* y, Eigen::Index size) noexcept;

/// Linear equations for the values of forces at the points, one block of equations per force:
///
///     inverse_i^-1 F_i = right_i + factor_i F_leader + sum over its terms of factor block F_source
struct VolterraTerm {
  const double* block;
  double factor;
  int source;
};
struct VolterraUnknown {
  int column;             ///< column of the unknown in `right` and `force`
  int leader;             ///< number of the leader, the column of the force that is followed; -1: none
  double factor;          ///< factor of the leader's force
  const double* inverse;  ///< inverse of block i; null: identity
  int firstTerm, terms;
};
struct VolterraSystem {
  int points;
  Eigen::Index stride;
  int count;
  const VolterraUnknown* unknowns;
  const VolterraTerm* terms;
  const double* right;
  double* force;
};
/// Result of one Gauss-Seidel sweep over all forces: sums of squares of their changes and of their terms.
struct VolterraChange {
  double change;
  double size;
};
VolterraChange solveForcesByGaussSeidelSweeps(const VolterraSystem& system) noexcept;

/// State at the end of a step from q0 and v0 under forces given by their first Chebyshev coefficients.
struct VolterraEnd {
  ModePlane plane;  ///< modes to be computed; the rows of the forces are zero outside
  const double *qq, *qv, *vq, *vv;
  const double*
      pushed;  ///< motion at the end under each polynomial (VolterraTables::endMotionUnderChebyshevForces)
  int points;  ///< number of polynomials in `pushed`
  RowPushes forces;
};
void computeModalStateAtStepEnd(const VolterraEnd& step, const double* q0, const double* v0, double* q,
                                double* v) noexcept;

/// Weighted sum of absolute values, sum |a_i| weight_i, with weights that are not negative.
double weightedSumOfAbsoluteValues(const double* a, const double* weights, Eigen::Index size) noexcept;

/// Bounds of the motion per mode: bound_i = energy_i departure_i + reach_i sum over forces n of sizes_n
/// |rows_n,i|.
struct ReachBounds {
  ModePlane plane;
  const double *energy, *departure, *reach;
  int forces;
  const double* const* rows;
  const double* sizes;
};
void computeMotionBounds(const ReachBounds& of, double* bound) noexcept;

/// Recurrence y_(n+2) = f_n - drag y_(n+1) - square y_n from zero, for each mode and each column f of
/// `points` values. Results: bounds of |y_points| and |y_(points+1)|, which include the rounding errors,
/// `rounding` times the sums of the sizes of all terms.
struct ModeRecurrence {
  Eigen::Index size;
  const double *square, *drag;
  int points;
  const double* force;  ///< force values, points x points
  double rounding;
};
void advanceModeRecurrence(const ModeRecurrence& of, double* y, double* next) noexcept;

}  // namespace ricochet::kernels
