#include "engine/event/series/mode_kernel.hpp"

#include "engine/numerics/register_bits.hpp"

#include <algorithm>
#include <array>

namespace ricochet::kernels {
namespace {

/// Addition of this number to a number below 2^51 leaves the nearest integer in the last bits.
constexpr double kMagic = 0x1.8p52;

/// Sine and cosine of x >= 0 by power series up to pi/4, where the next terms are below 5e-17. The nearest
/// multiple n pi/2 is subtracted before, in three parts, the first two of which have exact products with n.
template <class R>
RICOCHET_INLINE void sineAndCosine(const R& x, R& sine, R& cosine) noexcept {
  using Bits = typename BitsOf<R>::Type;
  R n = x * 0x1.45f306dc9c883p-1 + kMagic;
  Bits quadrant;
  copyObjectBits(quadrant, n);
  n -= kMagic;
  const R r = ((x - n * 0x1.921fb544p+0) - n * 0x1.0b4611a6p-34) - n * 0x1.3198a2e037073p-69;
  const R z = r * r;
  R s = z * (-1.0 / 1307674368000.0) + 1.0 / 6227020800.0;
  s = s * z - 1.0 / 39916800.0;
  s = s * z + 1.0 / 362880.0;
  s = s * z - 1.0 / 5040.0;
  s = s * z + 1.0 / 120.0;
  s = s * z - 1.0 / 6.0;
  s = s * z * r + r;
  R c = z * (1.0 / 20922789888000.0) - 1.0 / 87178291200.0;
  c = c * z + 1.0 / 479001600.0;
  c = c * z - 1.0 / 3628800.0;
  c = c * z + 1.0 / 40320.0;
  c = c * z - 1.0 / 720.0;
  c = c * z + 1.0 / 24.0;
  c = c * z - 0.5;
  c = c * z + 1.0;
  // A quarter turn exchanges sine and cosine; their signs are in the bits of n and n + 1.
  Bits sineBits, cosineBits;
  copyObjectBits(sineBits, s);
  copyObjectBits(cosineBits, c);
  const Bits swap = -(quadrant & 1);
  const Bits differing = (sineBits ^ cosineBits) & swap;
  sineBits ^= differing ^ ((quadrant & 2) << 62);
  cosineBits ^= differing ^ (((quadrant + 1) & 2) << 62);
  copyObjectBits(sine, sineBits);
  copyObjectBits(cosine, cosineBits);
}

/// Computes exp(-x), x >= 0: 2^-n by the bits of the exponent, and the power series of the remainder, up to
/// ln 2/2.
template <class R>
RICOCHET_INLINE void exponentialDecayFactor(const R& x, R& result) noexcept {
  using Bits = typename BitsOf<R>::Type;
  const R shifted = kMagic - x * 0x1.71547652b82fep+0;
  const R n = shifted - kMagic;
  const R r = (-x - n * 0x1.62e42fefa2p-1) - n * 0x1.9ef35793c7673p-41;
  R e = r * (1.0 / 6227020800.0) + 1.0 / 479001600.0;
  e = e * r + 1.0 / 39916800.0;
  e = e * r + 1.0 / 3628800.0;
  e = e * r + 1.0 / 362880.0;
  e = e * r + 1.0 / 40320.0;
  e = e * r + 1.0 / 5040.0;
  e = e * r + 1.0 / 720.0;
  e = e * r + 1.0 / 120.0;
  e = e * r + 1.0 / 24.0;
  e = e * r + 1.0 / 6.0;
  e = e * r + 0.5;
  e = e * r + 1.0;
  e = e * r + 1.0;
  Bits power;
  copyObjectBits(power, shifted);
  constexpr long long kMagicBits = 0x4338000000000000LL;
  power = (power - (kMagicBits - 1023)) << 52;
  R scale;
  copyObjectBits(scale, power);
  result = e * scale;
}

RICOCHET_INLINE void sineAndCosineOfAllLanes(const Full& x, Full& sine, Full& cosine) noexcept {
  sineAndCosine(x.all, sine.all, cosine.all);
}
RICOCHET_INLINE void sineAndCosineOfAllLanes(const Halves& x, Halves& sine, Halves& cosine) noexcept {
  sineAndCosine(x.low, sine.low, cosine.low);
  sineAndCosine(x.high, sine.high, cosine.high);
}
RICOCHET_INLINE void exponentialDecayFactorsOfModes(const Full& x, Full& result) noexcept {
  exponentialDecayFactor(x.all, result.all);
}
RICOCHET_INLINE void exponentialDecayFactorsOfModes(const Halves& x, Halves& result) noexcept {
  exponentialDecayFactor(x.low, result.low);
  exponentialDecayFactor(x.high, result.high);
}

/// Sets x = y where `size` exceeds the limit, selected by the sign bit of limit - size.
template <class R>
RICOCHET_INLINE void replaceWhereAboveLimit(const R& size, double limit, const R& y, R& x) noexcept {
  using Bits = typename BitsOf<R>::Type;
  Bits sign, from, to;
  copyObjectBits(sign, limit - size);
  copyObjectBits(from, y);
  copyObjectBits(to, x);
  const Bits above = -((sign >> 63) & 1);
  to ^= (from ^ to) & above;
  copyObjectBits(x, to);
}
RICOCHET_INLINE void replaceLanesAboveLimit(const Full& size, double limit, const Full& y, Full& x) noexcept {
  replaceWhereAboveLimit(size.all, limit, y.all, x.all);
}
RICOCHET_INLINE void replaceLanesAboveLimit(const Halves& size, double limit, const Halves& y,
                                            Halves& x) noexcept {
  replaceWhereAboveLimit(size.low, limit, y.low, x.low);
  replaceWhereAboveLimit(size.high, limit, y.high, x.high);
}
RICOCHET_INLINE void replaceByReciprocal(Full& x) noexcept { x.all = 1.0 / x.all; }
RICOCHET_INLINE void replaceByReciprocal(Halves& x) noexcept {
  x.low = 1.0 / x.low;
  x.high = 1.0 / x.high;
}

template <class P>
RICOCHET_INLINE void decayingCosineAndSineOfModes(const Waves& waves, double t, Index i, P& cosine,
                                                  P& sine) noexcept {
  P x;
  load(x, waves.w + i);
  scaleBy(x, t);
  sineAndCosineOfAllLanes(x, sine, cosine);
  load(x, waves.inverseW + i);
  multiply(sine, x);
  if (waves.decay == nullptr) return;
  load(x, waves.decay + i);
  scaleBy(x, t);
  P e;
  exponentialDecayFactorsOfModes(x, e);
  multiply(sine, e);
  multiply(cosine, e);
}

template <class P>
RICOCHET_INLINE void computeDecayingCosinesAndSinesKernel(const Waves& given, double t, double* cosine,
                                                          double* sineOverW) noexcept {
  const Waves waves = given;
  for (Index i = 0; i < waves.size; i += kLanes) {
    P c, s;
    decayingCosineAndSineOfModes(waves, t, i, c, s);
    store(cosine + i, c);
    store(sineOverW + i, s);
  }
}

template <class P>
RICOCHET_INLINE void sinesAndCosinesKernel(const double* phases, double* sine, double* cosine,
                                           Index size) noexcept {
  for (Index i = 0; i < size; i += kLanes) {
    P x, s, c;
    load(x, phases + i);
    sineAndCosineOfAllLanes(x, s, c);
    store(sine + i, s);
    store(cosine + i, c);
  }
}

/// Parameters of one mode per lane; `square` is theta^2, `drag` is c tau; v in units of tau.
template <class P>
struct Lanes {
  P q0, v0, square, drag, q, v;
};

constexpr int kMostTerms = 80;
/// Factorials k! and their inverses 1/k!.
struct Factorials {
  std::array<double, kMostTerms + 2> value{}, inverse{};
};
constexpr auto kFactorials = [] {
  Factorials of;
  double product = 1.0;
  for (std::size_t k = 0; k < of.value.size(); ++k) {
    if (k > 0) product *= static_cast<double>(k);
    of.value[k] = product;
    of.inverse[k] = 1.0 / product;
  }
  return of;
}();

/// Motion of the modes by an upward recurrence of derivatives, b_(k+2) = k! tau^2 f_k - c tau b_(k+1) -
/// theta^2 b_k with b_k = k! a_k: derivatives, whose recurrence is shorter than that of the coefficients; q =
/// sum of b_k/k!, v tau = sum of b_k/(k - 1)!.
template <class P>
RICOCHET_INLINE void computeNextPowerSeriesTerm(Lanes<P>& m, bool damped, int k, P& push, P& before,
                                                P& term) noexcept {
  multiply(before, m.square);
  subtract(push, before);
  if (damped) {
    P part = m.drag;
    multiply(part, term);
    subtract(push, part);
  }
  before = term;
  term = push;
  const auto next = static_cast<std::size_t>(k) + 2;
  addProduct(m.q, kFactorials.inverse[next], push);
  addProduct(m.v, kFactorials.inverse[next - 1], push);
}

template <class P>
RICOCHET_INLINE void sumMotionByUpwardRecurrence(const PolynomialPush& s, const P* pushes, int terms,
                                                 Lanes<P>& m) noexcept {
  P before = m.q0, term = m.v0, push;
  m.q = m.q0;
  add(m.q, m.v0);
  m.v = m.v0;
  const bool damped = s.waves.decay != nullptr;
  int k = 0;
  if (s.forces.forces > 0)
    for (; k < s.forces.count; ++k) {
      push = pushes[k];
      scaleBy(push, kFactorials.value[static_cast<std::size_t>(k)]);
      computeNextPowerSeriesTerm(m, damped, k, push, before, term);
    }
  for (; k < terms; ++k) {
    clear(push);
    computeNextPowerSeriesTerm(m, damped, k, push, before, term);
  }
}

template <class P>
RICOCHET_INLINE void sumForcedMotionByDownwardRecurrence(const PolynomialPush& s, const P* pushes, Index i,
                                                         double tau, Lanes<P>& m) noexcept {
  const bool damped = s.waves.decay != nullptr;
  P above, next, part, flexibility = m.square;
  replaceByReciprocal(flexibility);
  clear(above);
  clear(next);
  clear(m.q);
  clear(m.v);
  if (s.forces.forces > 0)
    for (int k = s.forces.count; k-- > 0;) {
      P c = pushes[k];
      scaleBy(above, (k + 2.0) * (k + 1.0));
      subtract(c, above);
      if (damped) {
        part = m.drag;
        multiply(part, next);
        scaleBy(part, k + 1.0);
        subtract(c, part);
      }
      multiply(c, flexibility);
      add(m.q, c);
      addProduct(m.v, static_cast<double>(k), c);
      above = next;
      next = c;
    }
  // next = c_0, above = c_1; the rest of the motion is a free motion.
  P q0 = m.q0, v0 = m.v0, cosine, sine;
  subtract(q0, next);
  subtract(v0, above);
  decayingCosineAndSineOfModes(s.waves, tau, i, cosine, sine);
  scaleBy(sine, 1.0 / tau);
  P turned = sine;  // product d tau sine
  multiply(turned, m.drag);
  scaleBy(turned, 0.5);
  P along = cosine;
  add(along, turned);
  multiply(along, q0);
  add(m.q, along);
  part = sine;
  multiply(part, v0);
  add(m.q, part);
  subtract(cosine, turned);
  multiply(cosine, v0);
  add(m.v, cosine);
  multiply(sine, m.square);
  multiply(sine, q0);
  subtract(m.v, sine);
}

template <class P>
RICOCHET_INLINE void loadModesIntoVectorLanes(const PolynomialPush& s, double tau, Index i, const double* q0,
                                              const double* v0, Lanes<P>& m) noexcept {
  load(m.q0, q0 + i);
  load(m.v0, v0 + i);
  scaleBy(m.v0, tau);
  load(m.square, s.omegaSquared + i);
  scaleBy(m.square, tau * tau);
  load(m.drag, s.damping + i);
  scaleBy(m.drag, tau);
}

template <class P>
RICOCHET_INLINE void motionsOfModesUnderPolynomialForceKernel(const PolynomialPush& given, const int* terms,
                                                              double tau, const double* q0, const double* v0,
                                                              double* q, double* v) noexcept {
  const PolynomialPush s = given;
  constexpr double kLimit = kUpwards * kUpwards;
  alignas(64) static constexpr double kBounds[kLanes] = {kLimit, kLimit, kLimit, kLimit,
                                                         kLimit, kLimit, kLimit, kLimit};
  for (Index i = s.plane.begin; i < s.plane.end(); i += kLanes) {
    Lanes<P> m;
    loadModesIntoVectorLanes(s, tau, i, q0, v0, m);
    P pushes[kMostPushes];
    if (s.forces.forces > 0) sumModalForcesAlongRows(s.forces, i, pushes);
    const P square = m.square;
    const bool down = s.fastest[i / kLanes] * tau > kUpwards;
    const int count = terms[i / kLanes];
    P bound;
    load(bound, kBounds);
    if (!down) {
      sumMotionByUpwardRecurrence(s, pushes, count, m);
    } else if (count == 0) {  // the block may contain padding
      m.square = bound;
      replaceLanesAboveLimit(square, kLimit, square, m.square);
      sumForcedMotionByDownwardRecurrence(s, pushes, i, tau, m);
    } else {
      replaceLanesAboveLimit(square, kLimit, bound, m.square);
      sumMotionByUpwardRecurrence(s, pushes, count, m);
      const P upQ = m.q, upV = m.v;
      m.square = bound;
      replaceLanesAboveLimit(square, kLimit, square, m.square);
      sumForcedMotionByDownwardRecurrence(s, pushes, i, tau, m);
      P from = m.q;
      m.q = upQ;
      replaceLanesAboveLimit(square, kLimit, from, m.q);
      from = m.v;
      m.v = upV;
      replaceLanesAboveLimit(square, kLimit, from, m.v);
    }
    scaleBy(m.v, 1.0 / tau);
    store(q + i, m.q);
    store(v + i, m.v);
  }
}

}  // namespace

int powerSeriesTermCount(double growth, int powers) noexcept {
  constexpr double kNothing = 1e-18;
  int n = 1;
  for (double term = growth; n < kMostTerms && n * term > kNothing; ++n) term *= growth / (n + 1.0);
  int m = powers;
  for (double term = 1.0; m < kMostTerms && term > kNothing; ++m) term *= growth / (m + 1.0);
  return std::max(n, m);
}

RICOCHET_KERNEL(RICOCHET_ANY_SIZE, void, computeDecayingCosinesAndSines,
                (const Waves& waves, double t, double* cosine, double* sineOverW),
                (waves, t, cosine, sineOverW))

RICOCHET_KERNEL(RICOCHET_ANY_SIZE, void, sinesAndCosines,
                (const double* phases, double* sine, double* cosine, Index size),
                (phases, sine, cosine, size))

RICOCHET_KERNEL(RICOCHET_ANY_SIZE, void, motionsOfModesUnderPolynomialForce,
                (const PolynomialPush& push, const int* terms, double tau, const double* q0, const double* v0,
                 double* q, double* v),
                (push, terms, tau, q0, v0, q, v))

}  // namespace ricochet::kernels
