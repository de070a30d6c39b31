#include "engine/kernels.hpp"

#include "engine/kernel_dispatch.hpp"

namespace ricochet::kernels {
namespace {

template <class P>
RICOCHET_INLINE double dotOf(const double* a, const double* b, Index size) noexcept {
  double product;
  blockOfDots<P, 1>(a, b, size, &product);
  return product;
}

template <class P>
RICOCHET_INLINE RowMotion rowMotionOf(const double* row, const double* q, const double* v, double dv,
                                      const double* a, Index size) noexcept {
  P displacement, velocity;
  clear(displacement);
  clear(velocity);
  for (Index i = 0; i < size; i += kLanes) {
    P b, x, rate, change;
    load(b, row + i);
    load(x, q + i);
    load(rate, v + i);
    load(change, a + i);
    addProduct(rate, dv, change);
    addProduct(displacement, b, x);
    addProduct(velocity, b, rate);
  }
  return {sum(displacement), sum(velocity)};
}

template <class P>
RICOCHET_INLINE double weightedSquareOf(const double* c, const double* v, Index size) noexcept {
  P total;
  clear(total);
  for (Index i = 0; i < size; i += kLanes) {
    P x, y;
    load(x, c + i);
    load(y, v + i);
    multiply(x, y);
    addProduct(total, x, y);
  }
  return sum(total);
}

template <class P>
RICOCHET_INLINE void dotsOf(const double* rows, Index count, const double* x, Index size,
                            double* products) noexcept {
  for (; count >= 4; count -= 4, rows += 4 * size, products += 4) blockOfDots<P, 4>(rows, x, size, products);
  for (; count > 0; --count, rows += size, ++products) blockOfDots<P, 1>(rows, x, size, products);
}

template <class P>
RICOCHET_INLINE double lookAtOf(const double* rows, const std::size_t* listed, Index count,
                                const Towards& towards, const double* q, double* products,
                                Index size) noexcept {
  P total;
  clear(total);
  for (Index i = 0; i < size; i += kLanes) {
    P x, y;
    load(x, q + i);
    store(towards.kept + i, x);
    load(y, towards.from + i);
    subtract(x, y);
    load(y, towards.weights + i);
    multiply(y, x);
    addProduct(total, y, x);
  }
  for (; count >= 4; count -= 4, listed += 4) {
    const double* at[4];
    double four[4];
    for (int r = 0; r < 4; ++r) at[r] = rows + static_cast<Index>(listed[r]) * size;
    blockOfDotsAt<P, 4>(at, q, size, four);
    for (int r = 0; r < 4; ++r) products[listed[r]] = four[r];
  }
  for (; count > 0; --count, ++listed)
    blockOfDots<P, 1>(rows + static_cast<Index>(*listed) * size, q, size, products + *listed);
  return sum(total);
}

/// total += sum of factors[r] rows_r over `count` rows a stride apart
template <class P>
RICOCHET_INLINE void addRowsInOrder(P& total, const double* rows, Index count, const double* factors,
                                    Index stride) noexcept {
  for (; count >= 4; count -= 4, rows += 4 * stride, factors += 4) {
#pragma GCC unroll 4
    for (Index r = 0; r < 4; ++r) {
      P a;
      load(a, rows + r * stride);
      addProduct(total, factors[r], a);
    }
  }
  for (; count > 0; --count, rows += stride, ++factors) {
    P a;
    load(a, rows);
    addProduct(total, *factors, a);
  }
}

template <class P>
RICOCHET_INLINE void combineOf(const double* rows, Index count, const double* factors, double* y,
                               Index size) noexcept {
  for (Index i = 0; i < size; i += kLanes) {
    P total;
    clear(total);
    addRowsInOrder(total, rows + i, count, factors, size);
    store(y + i, total);
  }
}

template <class P>
RICOCHET_INLINE void addScaledOf(double factor, const double* x, double* y, Index size) noexcept {
  for (Index i = 0; i < size; i += kLanes) {
    P a, b;
    load(a, x + i);
    load(b, y + i);
    addProduct(b, factor, a);
    store(y + i, b);
  }
}

template <class P>
RICOCHET_INLINE void kickAndMoveOf(double kick, const double* a, double step, double* v, double* q,
                                   Index size) noexcept {
  for (Index i = 0; i < size; i += kLanes) {
    P push, speed, place;
    load(push, a + i);
    load(speed, v + i);
    addProduct(speed, kick, push);
    store(v + i, speed);
    load(place, q + i);
    addProduct(place, step, speed);
    store(q + i, place);
  }
}

/// f += factor row, of kBlocks blocks of eight modes
template <class P, int kBlocks>
RICOCHET_INLINE void addRow(P (&f)[kBlocks], double factor, const double* row) noexcept {
#pragma GCC unroll 4
  for (int b = 0; b < kBlocks; ++b) {
    P a;
    load(a, row + b * kLanes);
    addProduct(f[b], factor, a);
  }
}

template <class P>
RICOCHET_INLINE void addRowsOf(const double* base, const RowForces& along, double* y, Index size) noexcept {
  for (Index i = 0; i < size; i += kLanes) {
    P total;
    load(total, base + i);
    for (Index r = 0; r < along.count; ++r) {
      P a;
      load(a, along.rows[r] + i);
      addProduct(total, along.forces[r], a);
    }
    store(y + i, total);
  }
}

/// f of the kBlocks blocks of eight modes from i, and twice the work that the loads do on them over the step.
template <class P, int kBlocks>
RICOCHET_INLINE void pushBlocks(const LoadStep& loads, const RowForces& along, const double* q, Index i,
                                Index size, P (&f)[kBlocks], P& twiceWork) noexcept {
#pragma GCC unroll 4
  for (int b = 0; b < kBlocks; ++b) clear(f[b]);
  const double* row = loads.shapes + i;
  for (Index r = 0; r < loads.count; ++r, row += size) addRow(f, loads.factors[r], row);
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
  for (Index r = 0; r < along.count; ++r) addRow(f, along.forces[r], along.rows[r] + i);
}

/// `then` does with the forces what is left to do.
template <class P, int kBlocks, class Then>
RICOCHET_INLINE void pushAndThen(const LoadStep& loads, const RowForces& along, const double* q, double* f,
                                 Index i, Index size, Then& then, P& twiceWork) noexcept {
  P forces[kBlocks];
  pushBlocks<P, kBlocks>(loads, along, q, i, size, forces, twiceWork);
#pragma GCC unroll 4
  for (int b = 0; b < kBlocks; ++b) {
    store(f + i + b * kLanes, forces[b]);
    then.take(forces[b], i + b * kLanes);
  }
}
template <class P, class Then>
RICOCHET_INLINE void pushAll(const LoadStep& loads, const RowForces& along, const double* q, double* f,
                             Index size, Then& then) noexcept {
  P twiceWork;
  load(twiceWork, loads.workBefore);
  Index i = 0;
  for (; i + 4 * kLanes <= size; i += 4 * kLanes)
    pushAndThen<P, 4>(loads, along, q, f, i, size, then, twiceWork);
  switch ((size - i) / kLanes) {
    case 3:
      pushAndThen<P, 3>(loads, along, q, f, i, size, then, twiceWork);
      break;
    case 2:
      pushAndThen<P, 2>(loads, along, q, f, i, size, then, twiceWork);
      break;
    case 1:
      pushAndThen<P, 1>(loads, along, q, f, i, size, then, twiceWork);
      break;
    default:
      break;
  }
  store(loads.work, twiceWork);
}

template <class P>
struct Nothing {
  RICOCHET_INLINE void take(const P&, Index) noexcept {}
};
template <class P>
RICOCHET_INLINE void pushOf(const LoadStep& loads, const RowForces& along, const double* q, double* f,
                            Index size) noexcept {
  Nothing<P> nothing;
  pushAll<P>(loads, along, q, f, size, nothing);
}

template <class P>
struct Kick {
  double dv;
  const double* c;
  double* v;
  P power;
  RICOCHET_INLINE void take(const P& force, Index i) noexcept {
    P speed, weighted;
    load(speed, v + i);
    addProduct(speed, dv, force);
    store(v + i, speed);
    load(weighted, c + i);
    multiply(weighted, speed);
    addProduct(power, weighted, speed);
  }
  RICOCHET_INLINE void account(const DampingStep& damping) const noexcept {
    P both, lost;
    store(damping.power, power);
    load(both, damping.powerBefore);
    add(both, power);
    load(lost, damping.lostBefore);
    addProduct(lost, dv, both);
    store(damping.lost, lost);
  }
};
template <class P>
RICOCHET_INLINE void closingKickOf(double dv, const double* a, const DampingStep& damping, double* v,
                                   Index size) noexcept {
  Kick<P> kick{dv, damping.c, v, {}};
  clear(kick.power);
  for (Index i = 0; i < size; i += kLanes) {
    P push;
    load(push, a + i);
    kick.take(push, i);
  }
  kick.account(damping);
}
template <class P>
RICOCHET_INLINE void pushAndKickOf(const LoadStep& loads, const RowForces& along, const double* q, double dv,
                                   const DampingStep& damping, double* f, double* v, Index size) noexcept {
  Kick<P> kick{dv, damping.c, v, {}};
  clear(kick.power);
  pushAll<P>(loads, along, q, f, size, kick);
  kick.account(damping);
}

template <class P>
RICOCHET_INLINE void accelerateOf(const LinearModes& modes, const double* q, const double* v, double* a,
                                  Index size) noexcept {
  const LinearModes m = modes;
  for (Index i = 0; i < size; i += kLanes) {
    P x, y, force;
    load(force, a + i);
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
    store(a + i, force);
  }
}

template <class P>
RICOCHET_INLINE void kickAndDriftOf(const DriftTables& tables, double kick, const double* f, double* q,
                                    double* v, Index size) noexcept {
  const DriftTables t = tables;
  for (Index i = 0; i < size; i += kLanes) {
    P x, w, force, a, b;
    load(x, q + i);
    load(w, v + i);
    load(force, f + i);
    addProduct(w, kick, force);
    load(a, t.qq + i);
    load(b, t.qv + i);
    multiply(a, x);
    addProduct(a, b, w);
    store(q + i, a);
    load(a, t.vq + i);
    load(b, t.vv + i);
    multiply(a, x);
    addProduct(a, b, w);
    store(v + i, a);
  }
}

}  // namespace

RICOCHET_KERNEL(RICOCHET_KNOWN_SIZES, double, dot, (const double* a, const double* b, Index size),
                (a, b, size))

RICOCHET_KERNEL(RICOCHET_KNOWN_SIZES, RowMotion, rowMotion,
                (const double* row, const double* q, const double* v, double dv, const double* a, Index size),
                (row, q, v, dv, a, size))

RICOCHET_KERNEL(RICOCHET_KNOWN_SIZES, double, weightedSquare, (const double* c, const double* v, Index size),
                (c, v, size))

RICOCHET_KERNEL(RICOCHET_KNOWN_SIZES, void, dots,
                (const double* rows, Index count, const double* x, Index size, double* products),
                (rows, count, x, size, products))

RICOCHET_KERNEL(RICOCHET_KNOWN_SIZES, double, lookAt,
                (const double* rows, const std::size_t* listed, Index count, const Towards& towards,
                 const double* q, double* products, Index size),
                (rows, listed, count, towards, q, products, size))

RICOCHET_KERNEL(RICOCHET_KNOWN_SIZES, void, combine,
                (const double* rows, Index count, const double* factors, double* y, Index size),
                (rows, count, factors, y, size))

RICOCHET_KERNEL(RICOCHET_KNOWN_SIZES, void, addScaled,
                (double factor, const double* x, double* y, Index size), (factor, x, y, size))

RICOCHET_KERNEL(RICOCHET_KNOWN_SIZES, void, kickAndMove,
                (double kick, const double* a, double step, double* v, double* q, Index size),
                (kick, a, step, v, q, size))

RICOCHET_KERNEL(RICOCHET_KNOWN_SIZES, void, closingKick,
                (double dv, const double* a, const DampingStep& damping, double* v, Index size),
                (dv, a, damping, v, size))

RICOCHET_KERNEL(RICOCHET_KNOWN_SIZES, void, addRows,
                (const double* base, const RowForces& along, double* y, Index size), (base, along, y, size))

RICOCHET_KERNEL(RICOCHET_KNOWN_SIZES, void, push,
                (const LoadStep& loads, const RowForces& along, const double* q, double* f, Index size),
                (loads, along, q, f, size))

RICOCHET_KERNEL(RICOCHET_KNOWN_SIZES, void, pushAndKick,
                (const LoadStep& loads, const RowForces& along, const double* q, double dv,
                 const DampingStep& damping, double* f, double* v, Index size),
                (loads, along, q, dv, damping, f, v, size))

RICOCHET_KERNEL(RICOCHET_KNOWN_SIZES, void, accelerate,
                (const LinearModes& modes, const double* q, const double* v, double* a, Index size),
                (modes, q, v, a, size))

RICOCHET_KERNEL(RICOCHET_KNOWN_SIZES, void, kickAndDrift,
                (const DriftTables& tables, double kick, const double* f, double* q, double* v, Index size),
                (tables, kick, f, q, v, size))

}  // namespace ricochet::kernels
