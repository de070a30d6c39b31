#pragma once

#include "engine/numerics/state.hpp"

#include <cstddef>

namespace ricochet::kernels {

/// The loops over modes that a step is made of. Arrays are padded to a multiple of kLanes and 64-byte
/// aligned.
///
/// Each is compiled for several generations of processors and picked when the program starts; sums run over
/// eight lanes in a fixed order and nothing is contracted, so every processor gives the same bits.

/// a . b
double dot(const double* a, const double* b, Eigen::Index size) noexcept;

/// Displacement and velocity along a row, row . q and row . (v + dv a), in one pass.
struct RowMotion {
  double displacement;
  double velocity;
};
RowMotion rowMotion(const double* row, const double* q, const double* v, double dv, const double* a,
                    Eigen::Index size) noexcept;

/// Velocities along two rows, rates[r] = row_r . (v + dv a), in one pass.
void rowRates(const double* first, const double* second, const double* v, double dv, const double* a,
              Eigen::Index size, double* rates) noexcept;

/// sum of c_i v_i^2
double weightedSquare(const double* c, const double* v, Eigen::Index size) noexcept;

/// products[i] = rows_i . x for `count` rows stored one after the other
void dots(const double* rows, Eigen::Index count, const double* x, Eigen::Index size,
          double* products) noexcept;

/// products[k] = rows_k . q for the `count` rows k that are listed, with the bits of `dots`; and the distance
/// from a point in a weighted norm, the sum of w_i (q_i - from_i)^2, with kept = q.
struct Look {
  const double* rows;
  const std::size_t* listed;
  Eigen::Index count;
  double* products;
  const double* weights;  // null: no distance is asked for, and q is not kept
  const double* from;
  double* kept;
};
/// Returns the distance squared, zero when it is not asked for.
double lookAt(const Look& look, const double* q, Eigen::Index size) noexcept;

/// y = sum of factors[i] rows_i over `count` rows stored one after the other (zero for none)
void combine(const double* rows, Eigen::Index count, const double* factors, double* y,
             Eigen::Index size) noexcept;

/// y += factor x
void addScaled(double factor, const double* x, double* y, Eigen::Index size) noexcept;

/// v += kick a, then q += step v
void kickAndMove(double kick, const double* a, double step, double* v, double* q, Eigen::Index size) noexcept;
/// The same, then `lookAt` q.
double kickMoveAndLook(double kick, const double* a, double step, double* v, double* q, const Look& look,
                       Eigen::Index size) noexcept;

/// What dashpots c on the modes take over a step of 2 dv that ends with a kick v += dv a, by lanes that are
/// added up only when somebody looks: with P = c_i v_i^2,
///     lost = lostBefore + dv (powerBefore + power),   power = P after the kick
struct DampingStep {
  const double* c;
  double* powerBefore;
  double* lostBefore;
  double* power;
  double* lost;
};
/// v += dv a
void closingKick(double dv, const double* a, const DampingStep& damping, double* v,
                 Eigen::Index size) noexcept;

/// Forces along rows anywhere.
struct RowForces {
  const double* const* rows;
  const double* forces;
  Eigen::Index count;
};
/// y = base + sum of forces[i] rows[i]; y may be base
void addRows(const double* base, const RowForces& along, double* y, Eigen::Index size) noexcept;

/// The generalized loads of a step that ends at q: shapes one after the other and their factors there, the
/// load and the q of the step's start, and where those of its end are kept. Twice the work of the loads so
/// far is kept by lanes, to be added up only when somebody looks.
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

/// f = loads + forces along rows, all that pushes at q. The loads' work grows by (f0 + f1) . (q - q0), twice.
void push(const LoadStep& loads, const RowForces& along, const double* q, double* f,
          Eigen::Index size) noexcept;

/// The same, and the closing kick v += dv f.
void pushAndKick(const LoadStep& loads, const RowForces& along, const double* q, double dv,
                 const DampingStep& damping, double* f, double* v, Eigen::Index size) noexcept;

/// Uncoupled modes, by mode.
struct LinearModes {
  const double* omegaSquared;
  const double* damping;
  const double* inverse;
};
/// `push` into a, `accelerate` and the closing kick v += dv a, with the bits of the three.
void pushAccelerateAndKick(const LoadStep& loads, const RowForces& along, const LinearModes& modes,
                           const double* q, double dv, const DampingStep& damping, double* a, double* v,
                           Eigen::Index size) noexcept;

/// `push` into a and `accelerate`, for schemes that kick before they move. The dashpots take what the
/// trapezoid says of a step of 2 dv that ends at v.
void pushAndAccelerate(const LoadStep& loads, const RowForces& along, const LinearModes& modes,
                       const double* q, const double* v, double dv, const DampingStep& damping, double* a,
                       Eigen::Index size) noexcept;

/// a = inverse (f - damping v - omegaSquared q), from f in a
void accelerate(const LinearModes& modes, const double* q, const double* v, double* a,
                Eigen::Index size) noexcept;

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
/// The same, then `lookAt` q.
double kickDriftAndLook(const DriftTables& tables, double kick, const double* f, double* q, double* v,
                        const Look& look, Eigen::Index size) noexcept;

}  // namespace ricochet::kernels
