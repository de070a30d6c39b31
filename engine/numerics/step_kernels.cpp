// Kernels that advance the modes over a step.

#include "engine/numerics/kernel_look.hpp"

namespace ricochet::kernels {
namespace {

template <class P>
struct KickAndMove {
  double kick;
  const double* a;
  double step;
  double* v;
  double* q;
  RICOCHET_INLINE void operator()(Index i, P& place) const noexcept {
    P push, speed;
    load(push, a + i);
    load(speed, v + i);
    addProduct(speed, kick, push);
    store(v + i, speed);
    load(place, q + i);
    addProduct(place, step, speed);
    store(q + i, place);
  }
};
template <class P>
RICOCHET_INLINE void kickVelocityAndMoveKernel(double kick, const double* a, double step, double* v,
                                               double* q, Index size) noexcept {
  const KickAndMove<P> move{kick, a, step, v, q};
  P place;
  for (Index i = 0; i < size; i += kLanes) move(i, place);
}
template <class P>
RICOCHET_INLINE double kickMoveAndMultiplyRowsKernel(double kick, const double* a, double step, double* v,
                                                     double* q, const Look& look, Index size) noexcept {
  return moveAndMultiplyWatchedRows<P>(look, q, size, KickAndMove<P>{kick, a, step, v, q});
}

/// Adds a weighted row for kBlocks blocks of eight modes, f += factor row.
template <class P, int kBlocks>
RICOCHET_INLINE void addWeightedRowToBlocks(P (&f)[kBlocks], double factor, const double* row) noexcept {
#pragma GCC unroll 4
  for (int b = 0; b < kBlocks; ++b) {
    P a;
    load(a, row + b * kLanes);
    addProduct(f[b], factor, a);
  }
}

/// Computes f for kBlocks blocks of eight modes from index i, and adds twice the work of the loads over the
/// step.
template <class P, int kBlocks>
RICOCHET_INLINE void sumForcesOfBlocks(const LoadStep& loads, const RowForces& along, const double* q,
                                       Index i, Index size, P (&f)[kBlocks], P& twiceWork) noexcept {
#pragma GCC unroll 4
  for (int b = 0; b < kBlocks; ++b) clear(f[b]);
  const double* row = loads.shapes + i;
  for (Index r = 0; r < loads.count; ++r, row += size) addWeightedRowToBlocks(f, loads.factors[r], row);
#pragma GCC unroll 4
  for (int b = 0; b < kBlocks; ++b) {
    const Index at = i + b * kLanes;
    P both, path, from;
    store(loads.load + at, f[b]);
    load(both, loads.loadBefore + at);
    load(path, q + at);
    load(from, loads.qBefore + at);
    store(loads.q + at, path);
    add(both, f[b]);
    subtract(path, from);
    addProduct(twiceWork, both, path);
  }
  for (Index r = 0; r < along.count; ++r) addWeightedRowToBlocks(f, along.forces[r], along.rows[r] + i);
}

/// Computes the forces of the blocks; `then` processes the forces of each block.
template <class P, int kBlocks, class Then>
RICOCHET_INLINE void sumAndProcessForces(const LoadStep& loads, const RowForces& along, const double* q,
                                         double* f, Index i, Index size, Then& then, P& twiceWork) noexcept {
  P forces[kBlocks];
  sumForcesOfBlocks<P, kBlocks>(loads, along, q, i, size, forces, twiceWork);
#pragma GCC unroll 4
  for (int b = 0; b < kBlocks; ++b) {
    then.processModalForce(forces[b], i + b * kLanes);
    store(f + i + b * kLanes, forces[b]);
  }
}
template <class P, class Then>
RICOCHET_INLINE void sumAndProcessForcesOfAllModes(const LoadStep& step, const RowForces& forces,
                                                   const double* q, double* f, Index size,
                                                   Then& then) noexcept {
  const LoadStep loads = step;  // local copy, which stores through pointers cannot change
  const RowForces along = forces;
  P twiceWork;
  load(twiceWork, loads.workBefore);
  Index i = 0;
  for (; i + 4 * kLanes <= size; i += 4 * kLanes)
    sumAndProcessForces<P, 4>(loads, along, q, f, i, size, then, twiceWork);
  switch ((size - i) / kLanes) {
    case 3:
      sumAndProcessForces<P, 3>(loads, along, q, f, i, size, then, twiceWork);
      break;
    case 2:
      sumAndProcessForces<P, 2>(loads, along, q, f, i, size, then, twiceWork);
      break;
    case 1:
      sumAndProcessForces<P, 1>(loads, along, q, f, i, size, then, twiceWork);
      break;
    default:
      break;
  }
  store(loads.work, twiceWork);
}

template <class P>
struct Nothing {
  RICOCHET_INLINE void processModalForce(const P&, Index) noexcept {}
};
template <class P>
RICOCHET_INLINE void sumForcesKernel(const LoadStep& loads, const RowForces& along, const double* q,
                                     double* f, Index size) noexcept {
  Nothing<P> nothing;
  sumAndProcessForcesOfAllModes<P>(loads, along, q, f, size, nothing);
}

/// Power of dashpots c at speeds v, as eight partial sums.
template <class P>
struct Dashpots {
  const double* c;
  P power;
  RICOCHET_INLINE void addDampingPowerOfMode(const P& speed, Index i) noexcept {
    P weighted;
    load(weighted, c + i);
    multiply(weighted, speed);
    addProduct(power, weighted, speed);
  }
  RICOCHET_INLINE void addDampingLoss(double dv, const DampingStep& damping) const noexcept {
    P both, lost;
    store(damping.power, power);
    load(both, damping.powerBefore);
    kernels::add(both, power);
    load(lost, damping.lostBefore);
    addProduct(lost, dv, both);
    store(damping.lost, lost);
  }
};

template <class P>
struct Kick {
  double dv;
  double* v;
  Dashpots<P> dashpots;
  RICOCHET_INLINE void processModalForce(const P& force, Index i) noexcept {
    P speed;
    load(speed, v + i);
    addProduct(speed, dv, force);
    store(v + i, speed);
    dashpots.addDampingPowerOfMode(speed, i);
  }
  RICOCHET_INLINE void addDampingLoss(const DampingStep& damping) const noexcept {
    dashpots.addDampingLoss(dv, damping);
  }
};
template <class P>
RICOCHET_INLINE void kickVelocityAtStepEndKernel(double dv, const double* a, const DampingStep& damping,
                                                 double* v, Index size) noexcept {
  Kick<P> kick{dv, v, {damping.c, {}}};
  clear(kick.dashpots.power);
  for (Index i = 0; i < size; i += kLanes) {
    P push;
    load(push, a + i);
    kick.processModalForce(push, i);
  }
  kick.addDampingLoss(damping);
}
template <class P>
RICOCHET_INLINE void sumForcesAndKickKernel(const LoadStep& loads, const RowForces& along, const double* q,
                                            double dv, const DampingStep& damping, double* f, double* v,
                                            Index size) noexcept {
  Kick<P> kick{dv, v, {damping.c, {}}};
  clear(kick.dashpots.power);
  sumAndProcessForcesOfAllModes<P>(loads, along, q, f, size, kick);
  kick.addDampingLoss(damping);
}

/// Converts the force on the eight modes from index i to their acceleration.
template <class P>
RICOCHET_INLINE void computeAccelerationsOfBlock(const LinearModes& m, const double* q, const double* v,
                                                 Index i, P& force) noexcept {
  P x, y;
  load(x, m.omegaSquared + i);
  load(y, q + i);
  multiply(x, y);
  subtract(force, x);
  load(x, m.damping + i);
  load(y, v + i);
  multiply(x, y);
  subtract(force, x);
  load(x, m.inverse + i);
  multiply(force, x);
}

template <class P>
RICOCHET_INLINE void computeAccelerationsKernel(const LinearModes& modes, const double* q, const double* v,
                                                double* a, Index size) noexcept {
  const LinearModes m = modes;
  for (Index i = 0; i < size; i += kLanes) {
    P force;
    load(force, a + i);
    computeAccelerationsOfBlock(m, q, v, i, force);
    store(a + i, force);
  }
}

template <class P>
struct AccelerateAndKick {
  LinearModes modes;
  const double* q;
  Kick<P> kick;
  RICOCHET_INLINE void processModalForce(P& force, Index i) noexcept {
    computeAccelerationsOfBlock(modes, q, kick.v, i, force);
    kick.processModalForce(force, i);
  }
};
template <class P>
RICOCHET_INLINE void sumForcesAccelerateAndKickKernel(const LoadStep& loads, const RowForces& along,
                                                      const LinearModes& modes, const double* q, double dv,
                                                      const DampingStep& damping, double* a, double* v,
                                                      Index size) noexcept {
  AccelerateAndKick<P> then{modes, q, {dv, v, {damping.c, {}}}};
  clear(then.kick.dashpots.power);
  sumAndProcessForcesOfAllModes<P>(loads, along, q, a, size, then);
  then.kick.addDampingLoss(damping);
}

template <class P>
struct Accelerate {
  LinearModes modes;
  const double* q;
  const double* v;
  Dashpots<P> dashpots;
  RICOCHET_INLINE void processModalForce(P& force, Index i) noexcept {
    computeAccelerationsOfBlock(modes, q, v, i, force);
    P speed;
    load(speed, v + i);
    dashpots.addDampingPowerOfMode(speed, i);
  }
};
template <class P>
RICOCHET_INLINE void sumForcesAndAccelerateKernel(const LoadStep& loads, const RowForces& along,
                                                  const LinearModes& modes, const double* q, const double* v,
                                                  double dv, const DampingStep& damping, double* a,
                                                  Index size) noexcept {
  Accelerate<P> then{modes, q, v, {damping.c, {}}};
  clear(then.dashpots.power);
  sumAndProcessForcesOfAllModes<P>(loads, along, q, a, size, then);
  then.dashpots.addDampingLoss(dv, damping);
}

template <class P>
struct KickAndDrift {
  DriftTables t;
  double kick;
  const double* f;
  double* q;
  double* v;
  RICOCHET_INLINE void operator()(Index i, P& moved) const noexcept {
    P x, w, force, a, b;
    load(x, q + i);
    load(w, v + i);
    load(force, f + i);
    addProduct(w, kick, force);
    load(moved, t.qq + i);
    load(b, t.qv + i);
    multiply(moved, x);
    addProduct(moved, b, w);
    store(q + i, moved);
    load(a, t.vq + i);
    load(b, t.vv + i);
    multiply(a, x);
    addProduct(a, b, w);
    store(v + i, a);
  }
};
template <class P>
RICOCHET_INLINE void kickVelocityAndDriftModesKernel(const DriftTables& tables, double kick, const double* f,
                                                     double* q, double* v, Index size) noexcept {
  const KickAndDrift<P> drift{tables, kick, f, q, v};
  P moved;
  for (Index i = 0; i < size; i += kLanes) drift(i, moved);
}
template <class P>
RICOCHET_INLINE double kickDriftAndMultiplyRowsKernel(const DriftTables& tables, double kick, const double* f,
                                                      double* q, double* v, const Look& look,
                                                      Index size) noexcept {
  return moveAndMultiplyWatchedRows<P>(look, q, size, KickAndDrift<P>{tables, kick, f, q, v});
}

}  // namespace

RICOCHET_KERNEL(RICOCHET_KNOWN_SIZES, void, kickVelocityAndMove,
                (double kick, const double* a, double step, double* v, double* q, Index size),
                (kick, a, step, v, q, size))

RICOCHET_KERNEL(RICOCHET_KNOWN_SIZES, double, kickMoveAndMultiplyRows,
                (double kick, const double* a, double step, double* v, double* q, const Look& look,
                 Index size),
                (kick, a, step, v, q, look, size))

RICOCHET_KERNEL(RICOCHET_KNOWN_SIZES, void, kickVelocityAtStepEnd,
                (double dv, const double* a, const DampingStep& damping, double* v, Index size),
                (dv, a, damping, v, size))

RICOCHET_KERNEL(RICOCHET_KNOWN_SIZES, void, sumForces,
                (const LoadStep& loads, const RowForces& along, const double* q, double* f, Index size),
                (loads, along, q, f, size))

RICOCHET_KERNEL(RICOCHET_KNOWN_SIZES, void, sumForcesAndKick,
                (const LoadStep& loads, const RowForces& along, const double* q, double dv,
                 const DampingStep& damping, double* f, double* v, Index size),
                (loads, along, q, dv, damping, f, v, size))

RICOCHET_KERNEL(RICOCHET_KNOWN_SIZES, void, sumForcesAccelerateAndKick,
                (const LoadStep& loads, const RowForces& along, const LinearModes& modes, const double* q,
                 double dv, const DampingStep& damping, double* a, double* v, Index size),
                (loads, along, modes, q, dv, damping, a, v, size))

RICOCHET_KERNEL(RICOCHET_KNOWN_SIZES, void, sumForcesAndAccelerate,
                (const LoadStep& loads, const RowForces& along, const LinearModes& modes, const double* q,
                 const double* v, double dv, const DampingStep& damping, double* a, Index size),
                (loads, along, modes, q, v, dv, damping, a, size))

RICOCHET_KERNEL(RICOCHET_KNOWN_SIZES, void, computeAccelerations,
                (const LinearModes& modes, const double* q, const double* v, double* a, Index size),
                (modes, q, v, a, size))

RICOCHET_KERNEL(RICOCHET_KNOWN_SIZES, void, kickVelocityAndDriftModes,
                (const DriftTables& tables, double kick, const double* f, double* q, double* v, Index size),
                (tables, kick, f, q, v, size))

RICOCHET_KERNEL(RICOCHET_KNOWN_SIZES, double, kickDriftAndMultiplyRows,
                (const DriftTables& tables, double kick, const double* f, double* q, double* v,
                 const Look& look, Index size),
                (tables, kick, f, q, v, look, size))

}  // namespace ricochet::kernels
