#pragma once

#include "engine/numerics/state.hpp"

#include <cstddef>

namespace ricochet::kernels {

/// Loops over modes of which a step consists. Arrays are padded to a multiple of kLanes and 64-byte aligned.
/// Each kernel is compiled for several generations of processors, and the version is selected at program
/// start. Sums run over eight lanes in a fixed order without fused multiply-add, so every processor gives the
/// same bits.

/// Scalar product a . b.
double dot(const double* a, const double* b, Eigen::Index size) noexcept;

/// Displacement and velocity along a row, row . q and row . (v + dv a), in one pass.
struct RowMotion {
  double displacement;
  double velocity;
};
RowMotion motionAlongRow(const double* row, const double* q, const double* v, double dv, const double* a,
                         Eigen::Index size) noexcept;

/// Velocities along two rows, rates[r] = row_r . (v + dv a), in one pass.
void velocitiesAlongRows(const double* first, const double* second, const double* v, double dv,
                         const double* a, Eigen::Index size, double* rates) noexcept;

/// Weighted sum of squares, sum of c_i v_i^2.
double weightedSumOfSquares(const double* c, const double* v, Eigen::Index size) noexcept;

/// Scalar products products[i] = rows_i . x with `count` rows that are contiguous in memory.
void dotProductsOfRows(const double* rows, Eigen::Index count, const double* x, Eigen::Index size,
                       double* products) noexcept;

/// Input and output of `computeRowProductsAndDistance`: products[k] = rows_k . q for the `count` listed rows
/// k, with the bits of `dotProductsOfRows`; and the squared distance of q from a point in a weighted norm,
/// the sum of w_i (q_i - from_i)^2, and q is copied to `kept`.
struct Look {
  const double* rows;
  const std::size_t* listed;
  Eigen::Index count;
  double* products;
  const double* weights;  // null: no distance is computed and q is not stored
  const double* from;
  double* kept;
};
/// Computes the products and returns the squared distance, or zero without weights.
double computeRowProductsAndDistance(const Look& look, const double* q, Eigen::Index size) noexcept;

/// Sums `count` weighted rows that are contiguous in memory, y = sum of factors[i] rows_i; zero if count = 0.
void addWeightedRows(const double* rows, Eigen::Index count, const double* factors, double* y,
                     Eigen::Index size) noexcept;

/// Adds a scaled vector, y += factor x.
void addScaled(double factor, const double* x, double* y, Eigen::Index size) noexcept;

/// Kick and motion: v += kick a, then q += step v.
void kickVelocityAndMove(double kick, const double* a, double step, double* v, double* q,
                         Eigen::Index size) noexcept;
/// Kick and motion, v += kick a, q += step v, then `computeRowProductsAndDistance` of q.
double kickMoveAndMultiplyRows(double kick, const double* a, double step, double* v, double* q,
                               const Look& look, Eigen::Index size) noexcept;

/// Damping loss of dashpots c on the modes over a step of 2 dv that ends with a kick v += dv a. The loss is
/// kept as eight partial sums, which are added only when the ledger is read: with P = c_i v_i^2,
///     lost = lostBefore + dv (powerBefore + power),   power = P after the kick
struct DampingStep {
  const double* c;
  double* powerBefore;
  double* lostBefore;
  double* power;
  double* lost;
};
/// Last kick of a step, v += dv a.
void kickVelocityAtStepEnd(double dv, const double* a, const DampingStep& damping, double* v,
                           Eigen::Index size) noexcept;

/// Forces and pointers to their rows, which may lie anywhere in memory.
struct RowForces {
  const double* const* rows;
  const double* forces;
  Eigen::Index count;
};
/// Adds weighted rows, y = base + sum of forces[i] rows[i]; y may be base.
void addWeightedRowsToBase(const double* base, const RowForces& along, double* y, Eigen::Index size) noexcept;

/// Generalized loads of a step that ends at q: contiguous shapes with their factors at the end of the step,
/// load and q at the start of the step, and arrays for load and q at the end. Twice the work of the loads is
/// kept as eight partial sums, which are added only when the ledger is read.
struct LoadStep {
  const double* shapes;
  const double* factors;
  Eigen::Index count;
  double* loadBefore;
  double* qBefore;
  double* workBefore;
  double* load;
  double* q;
  double* work;
};

/// Sums loads and forces along rows at q into f. Twice the work of the loads grows by (f0 + f1) . (q - q0).
void sumForces(const LoadStep& loads, const RowForces& along, const double* q, double* f,
               Eigen::Index size) noexcept;

/// Calls `sumForces`, then applies the closing kick v += dv f.
void sumForcesAndKick(const LoadStep& loads, const RowForces& along, const double* q, double dv,
                      const DampingStep& damping, double* f, double* v, Eigen::Index size) noexcept;

/// Coefficients of uncoupled modes, one per mode.
struct LinearModes {
  const double* omegaSquared;
  const double* damping;
  const double* inverse;
};
/// Calls `sumForces` into a and `accelerate`, then applies the closing kick v += dv a; the bits are those of
/// three separate calls.
void sumForcesAccelerateAndKick(const LoadStep& loads, const RowForces& along, const LinearModes& modes,
                                const double* q, double dv, const DampingStep& damping, double* a, double* v,
                                Eigen::Index size) noexcept;

/// Calls `sumForces` into a and `accelerate`, for schemes that kick before they move. The damping loss is
/// that of the trapezoidal rule over a step of 2 dv that ends at v.
void sumForcesAndAccelerate(const LoadStep& loads, const RowForces& along, const LinearModes& modes,
                            const double* q, const double* v, double dv, const DampingStep& damping,
                            double* a, Eigen::Index size) noexcept;

/// Acceleration of the modes, a = inverse (f - damping v - omegaSquared q), where `a` contains f on entry.
void computeAccelerations(const LinearModes& modes, const double* q, const double* v, double* a,
                          Eigen::Index size) noexcept;

/// Coefficients of the exact drift q+ = qq q + qv w, v+ = vq q + vv w.
struct DriftTables {
  const double* qq;
  const double* qv;
  const double* vq;
  const double* vv;
};
/// Kick w = v + kick f, then the exact drift of (q, w), in place.
void kickVelocityAndDriftModes(const DriftTables& tables, double kick, const double* f, double* q, double* v,
                               Eigen::Index size) noexcept;
/// Calls `kickVelocityAndDriftModes`, then `computeRowProductsAndDistance` of q.
double kickDriftAndMultiplyRows(const DriftTables& tables, double kick, const double* f, double* q, double* v,
                                const Look& look, Eigen::Index size) noexcept;

}  // namespace ricochet::kernels
