#pragma once

#include "engine/event/series/mode_plane.hpp"
#include "engine/event/series/push_kernel.hpp"

namespace ricochet::kernels {

// Values at the points of a step are padded to `stride`, a multiple of kLanes up to kMostPoints, as are the
// columns of the matrices that act on them; arrays by mode are padded to `size`. All are 64-byte aligned.

inline constexpr Eigen::Index kMostPoints = 32;

/// y += factor block x, over `columns` columns.
void addBlock(const double* block, double factor, const double* x, double* y, int columns,
              Eigen::Index stride) noexcept;

/// y = sum of factors[k] a_k over `count` a_k of `size` (VolterraBasis::weights): kLanes of all, then the
/// next.
void contract(const double* a, int count, const double* factors, double* y, Eigen::Index size) noexcept;

/// y_l = a_l q + b_l v of `columns` columns.
void freeMotion(const double* a, const double* b, int columns, const double* q, const double* v, double* y,
                Eigen::Index size) noexcept;

/// Linear equations for forces at the points, each a block of them:
///
///     inverse_i^-1 F_i = right_i + factor_i F_leader + sum over its terms of factor block F_source
struct VolterraTerm {
  const double* block;
  double factor;
  int source;
};
struct VolterraUnknown {
  int column;             ///< of `right` and `force`
  int leader;             ///< column of another; -1: none
  double factor;          ///< of the leader
  const double* inverse;  ///< null: one
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
/// One Gauss-Seidel sweep. Squares of the change of all forces and of what they are sums of.
struct VolterraChange {
  double change;
  double size;
};
VolterraChange sweepForces(const VolterraSystem& system) noexcept;

/// State at the end of a step from q0 and v0 under forces given by their first Chebyshev coefficients.
struct VolterraEnd {
  ModePlane plane;  ///< the modes that are meant, and that the forces push
  const double *qq, *qv, *vq, *vv;
  const double* pushed;  ///< by each polynomial, as VolterraTables::pushed ...
  int points;            ///< ... of so many
  RowPushes forces;
};
void endOfStep(const VolterraEnd& step, const double* q0, const double* v0, double* q, double* v) noexcept;

/// sum of |a_i| weight_i, weights not negative
double absoluteDot(const double* a, const double* weights, Eigen::Index size) noexcept;

/// bound_i = energy_i departure_i + reach_i times the sum over forces of size |row_i|
struct ReachBounds {
  ModePlane plane;
  const double *energy, *departure, *reach;
  int forces;
  const double* const* rows;
  const double* sizes;
};
void reachBounds(const ReachBounds& of, double* bound) noexcept;

/// y_(n+2) = f_n - drag y_(n+1) - square y_n from zero, for each mode and each column of `points` values f:
/// |y_points| and |y_(points+1)|, and `rounding` times the sums of the sizes of their terms.
struct ModeRecurrence {
  Eigen::Index size;
  const double *square, *drag;
  int points;
  const double* force;  ///< points x points
  double rounding;
};
void recur(const ModeRecurrence& of, double* y, double* next) noexcept;

}  // namespace ricochet::kernels
