#pragma once

#include "engine/state.hpp"

namespace ricochet::kernels {

/// The loops over modes that a step is made of. Arrays are padded to a multiple of kLanes and 64-byte
/// aligned.
///
/// Each is compiled for several generations of processors and picked when the program starts; sums run over
/// eight lanes in a fixed order and nothing is contracted, so every processor gives the same bits.

/// a . b
double dot(const double* a, const double* b, Eigen::Index size) noexcept;

/// sum of c_i v_i^2
double weightedSquare(const double* c, const double* v, Eigen::Index size) noexcept;

/// products[i] = rows_i . x for `count` rows stored one after the other
void dots(const double* rows, Eigen::Index count, const double* x, Eigen::Index size,
          double* products) noexcept;

/// y = sum of factors[i] rows_i over `count` rows stored one after the other (zero for none)
void combine(const double* rows, Eigen::Index count, const double* factors, double* y,
             Eigen::Index size) noexcept;

/// Work 1/2 (f0 + f1) . (q1 - q0) of a force that goes from f0 to f1 while q0 goes to q1; then q0 = q1.
double trapezoidWork(const double* f0, const double* f1, double* q0, const double* q1,
                     Eigen::Index size) noexcept;

/// y += factor x
void addScaled(double factor, const double* x, double* y, Eigen::Index size) noexcept;

/// y = base + sum of factors[i] rows[i] over `count` rows anywhere; y may be base
void addRows(const double* base, const double* const* rows, const double* factors, Eigen::Index count,
             double* y, Eigen::Index size) noexcept;

/// Coefficients of q+ = qq q + qv w, v+ = vq q + vv w.
struct DriftTables {
  const double* qq;
  const double* qv;
  const double* vq;
  const double* vv;
};
/// w = v + kick f, then the drift of (q, w), in place.
void kickAndDrift(const DriftTables& tables, double kick, const double* f, double* q, double* v,
                  Eigen::Index size) noexcept;

}  // namespace ricochet::kernels
