#pragma once

#include "engine/event/series/mode_plane.hpp"

namespace ricochet::kernels {

/// Arrays of a Taylor expansion of
///
///     q'' + C q' + Omega^2 q = sum over channels of F_i b_i
///
/// in the local time: column k contains the coefficient of tau^k. Along channel i, with d = b.q,
///
///     F = given - stiffness d - damping d' + factor F_follows            a spring, a load, a slip
///     F such that b.q'' = target                                        a constraint
///
/// Columns of `q`, rows and effects are padded to kLanes; series of channels have `stride` coefficients. Rows
/// of channels are zero outside their planes.
struct TaylorArrays {
  Eigen::Index size;  ///< number of modes of all planes, padded
  const ModePlane* plane;
  int planes;
  const double* omegaSquared;
  const double* dampingDiagonal;  ///< diagonal of C; null without damping
  const double* dampingMatrix;    ///< padded columns of a C that couples modes; null otherwise
  const double* extra;            ///< additional acceleration of order k in column k, or null
  double* q;                      ///< coefficients of q; columns 0 and 1 are given

  int channels;  ///< number of forces without the constraints; a follower comes after its leader
  const double* const* rows;
  const double* stiffness;
  const double* damping;
  const int* follows;  ///< number of the leader; constraint r: channels + r; -1: none
  const double* factor;
  const int* givenCount;  ///< number of non-zero coefficients of `given`
  const char* fedBack;    ///< 1: the force depends on the motion
  const int* planeNumberOfRow;
  const int* live;  ///< numbers of channels that depend on the motion or follow, increasing
  int liveCount;
  const int* fed;       ///< channels that depend on the motion, plane by plane
  const int* fedBegin;  ///< index in `fed` at which each plane begins; last entry: size of `fed`
  int givenEnd;
  double* given;
  double* force;  ///< coefficients of the forces: input for given channels, otherwise output
  double* dots;   ///< output: coefficients of b.q for the channels in `fed`
  Eigen::Index stride;

  int constraints;
  const double* const* constraintRows;
  const double* const* constraintEffects;  ///< row plus factor times the rows that follow the constraint
  const double* inverse;                   ///< inverse of the matrix rows . effects
  const double* target;
  const int* targetCount;
  double* reaction;         ///< output: coefficients of the reactions
  double* residual;         ///< work array, one entry per constraint
  const double** pushRows;  ///< work array, one entry per channel
  double* pushes;           ///< work array, one entry per channel
};

/// Computes coefficients `first` to `last` of all forces and first + 2 to last + 2 of q from the lower
/// orders. The coefficients of given forces are inputs, and zero from `givenEnd` on.
void computeTaylorCoefficients(const TaylorArrays& arrays, int first, int last) noexcept;

/// Evaluates y = sum of t^k columns_k over `count` columns by Horner's rule, and its derivative `slope`
/// unless null.
void evaluatePolynomialColumns(const double* columns, int count, double t, double* y, double* slope,
                               Eigen::Index size) noexcept;

/// Derivatives of the polynomial of the columns at 4, 6 or 8 instants, one column of `slopes` per instant.
inline constexpr int kMostTogether = 8;
void evaluateRatesOfPolynomialColumns(const double* columns, int count, const double* times, int instants,
                                      double* slopes, Eigen::Index size) noexcept;

/// Multiplies `count` columns, which are `stride` apart, by a row over `size` modes: products[k] = row .
/// column k.
void computeDotProductsOfRowWithColumns(const double* columns, Eigen::Index stride, Eigen::Index count,
                                        const double* row, Eigen::Index size, double* products) noexcept;

/// Columns for sums of squares in bands of modes: 8 modes, the next 16, then 32 and so on; the last of the
/// `bands` (4 or 8) has all remaining modes. The results of successive columns are `apart` entries apart.
struct BandedColumns {
  const double* columns;
  Eigen::Index stride, count, size;
  int bands;
  Eigen::Index apart;
};
void sumSquaresByModeBand(const BandedColumns& of, double* squares) noexcept;
/// Sums of squares in bands over all columns together; the squares of column k are multiplied by factor^k.
void sumColumnSquaresByModeBand(const BandedColumns& of, double factor, double* squares) noexcept;

/// Evaluates a polynomial p(t) = sum of coefficients_k t^k at kMostTogether instants; arrays of instants and
/// values are 64-byte aligned.
void evaluatePolynomialAtInstants(const double* coefficients, Eigen::Index count, const double* times,
                                  double* values) noexcept;

}  // namespace ricochet::kernels
