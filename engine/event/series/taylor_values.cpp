// Values, rates and norms from the columns of a Taylor expansion.

#include "engine/event/series/taylor_kernel.hpp"
#include "engine/numerics/kernel_dispatch.hpp"

namespace ricochet::kernels {
namespace {

/// One step of Horner's rule in t^2: value <- c + t^2 value, rate <- k c + t^2 rate.
template <class P>
RICOCHET_INLINE void addHornerTermOfValueAndRate(const double* column, int k, double square, P& value,
                                                 P& rate) noexcept {
  P next, change;
  load(next, column);
  change = next;
  scaleBy(change, static_cast<double>(k));
  addProduct(next, square, value);
  addProduct(change, square, rate);
  value = next;
  rate = change;
}

/// Evaluates even and odd powers separately, which halves the latency.
template <class P>
RICOCHET_INLINE void evaluatePolynomialColumnsKernel(const double* columns, int count, double t, double* y,
                                                     double* slope, Index size) noexcept {
  const double square = t * t;
  for (Index i = 0; i < size; i += kLanes) {
    P even, odd, evenRate, oddRate;
    clear(even);
    clear(odd);
    clear(evenRate);
    clear(oddRate);
    int k = count - 1;
    if (k % 2 == 0 && k > 0) {
      addHornerTermOfValueAndRate(columns + k * size + i, k, square, even, evenRate);
      --k;
    }
    for (; k > 0; k -= 2) {
      addHornerTermOfValueAndRate(columns + k * size + i, k, square, odd, oddRate);
      if (k > 1) addHornerTermOfValueAndRate(columns + (k - 1) * size + i, k - 1, square, even, evenRate);
    }
    P value;
    load(value, columns + i);
    addProduct(value, square, even);
    addProduct(value, t, odd);
    store(y + i, value);
    addProduct(oddRate, t, evenRate);
    if (slope != nullptr) store(slope + i, oddRate);
  }
}

/// Horner's rule at several instants at once, which hides the latency of the operations.
template <class P, int kInstants>
RICOCHET_INLINE void ratesOfPolynomialColumns(const double* columns, int count, const double* times,
                                              double* slopes, Index size) noexcept {
  for (Index i = 0; i < size; i += kLanes) {
    P rates[kInstants];
#pragma GCC unroll 8
    for (int n = 0; n < kInstants; ++n) clear(rates[n]);
    for (int k = count - 1; k > 0; --k) {
      P column, scaled;
      load(column, columns + k * size + i);
      clear(scaled);
      addProduct(scaled, static_cast<double>(k), column);
#pragma GCC unroll 8
      for (int n = 0; n < kInstants; ++n) {
        P next = scaled;
        addProduct(next, times[n], rates[n]);
        rates[n] = next;
      }
    }
#pragma GCC unroll 8
    for (int n = 0; n < kInstants; ++n) store(slopes + n * size + i, rates[n]);
  }
}

template <class P>
RICOCHET_INLINE void evaluateRatesOfPolynomialColumnsKernel(const double* columns, int count,
                                                            const double* times, int instants, double* slopes,
                                                            Index size) noexcept {
  switch (instants) {
    case 4:
      return ratesOfPolynomialColumns<P, 4>(columns, count, times, slopes, size);
    case 6:
      return ratesOfPolynomialColumns<P, 6>(columns, count, times, slopes, size);
    default:
      return ratesOfPolynomialColumns<P, kMostTogether>(columns, count, times, slopes, size);
  }
}

template <class P>
RICOCHET_INLINE void computeDotProductsOfRowWithColumnsKernel(const double* columns, Index stride,
                                                              Index count, const double* row, Index size,
                                                              double* products) noexcept {
  for (; count >= 4; count -= 4, columns += 4 * stride, products += 4) {
    const double* const four[4] = {columns, columns + stride, columns + 2 * stride, columns + 3 * stride};
    multiplyScatteredRowsByVector<P, 4>(four, row, size, products);
  }
  for (; count > 0; --count, columns += stride, ++products)
    multiplyContiguousRowsByVector<P, 1>(columns, row, size, products);
}

/// Sums the values x that `term(i, x)` returns for the block of modes from i, band by band.
template <class P, class Term>
RICOCHET_INLINE void sumTermsByModeBand(Index size, int bands, double* sumsOfBands, Term&& term) noexcept {
  Index i = 0, end = kLanes;
  for (int b = 0; b < bands; b += 4) {
    P totals[4];
#pragma GCC unroll 4
    for (int r = 0; r < 4; ++r, end = 2 * end + kLanes) {
      clear(totals[r]);
      const Index last = b + r + 1 < bands && end < size ? end : size;
      for (; i < last; i += kLanes) {
        P x;
        term(i, x);
        add(totals[r], x);
      }
    }
    sumLanesOfFourRegisters(totals[0], totals[1], totals[2], totals[3], sumsOfBands + b);
  }
}

template <class P>
RICOCHET_INLINE void sumSquaresByModeBandKernel(const BandedColumns& of, double* squares) noexcept {
  const BandedColumns s = of;
  const double* column = s.columns;
  for (Index c = 0; c < s.count; ++c, column += s.stride, squares += s.apart)
    sumTermsByModeBand<P>(s.size, s.bands, squares, [&](Index i, P& x) {
      load(x, column + i);
      multiply(x, x);
    });
}

template <class P>
RICOCHET_INLINE void sumColumnSquaresByModeBandKernel(const BandedColumns& of, double factor,
                                                      double* squares) noexcept {
  const BandedColumns s = of;
  sumTermsByModeBand<P>(s.size, s.bands, squares, [&](Index i, P& total) {
    clear(total);
    const double* at = s.columns + s.count * s.stride + i;
    for (Index k = s.count; k > 0; --k) {
      P x;
      load(x, at -= s.stride);
      multiply(x, x);
      scaleBy(total, factor);
      add(total, x);
    }
  });
}

/// Evaluates even and odd powers separately, which halves the latency.
template <class P>
RICOCHET_INLINE void evaluatePolynomialAtInstantsKernel(const double* coefficients, Index count,
                                                        const double* times, double* values) noexcept {
  static_assert(kMostTogether == kLanes);
  P one, t, square, even, odd;
  load(one, kOnes);
  load(t, times);
  square = t;
  multiply(square, t);
  clear(even);
  clear(odd);
  for (Index k = count - 1; k >= 0; --k) {
    P& part = k % 2 == 0 ? even : odd;
    P next = one;
    scaleBy(next, coefficients[k]);
    addProduct(next, square, part);
    part = next;
  }
  addProduct(even, t, odd);
  store(values, even);
}

}  // namespace

RICOCHET_KERNEL(RICOCHET_KNOWN_SIZES, void, evaluatePolynomialColumns,
                (const double* columns, int count, double t, double* y, double* slope, Index size),
                (columns, count, t, y, slope, size))

RICOCHET_KERNEL(RICOCHET_ANY_SIZE, void, evaluateRatesOfPolynomialColumns,
                (const double* columns, int count, const double* times, int instants, double* slopes,
                 Index size),
                (columns, count, times, instants, slopes, size))

RICOCHET_KERNEL(RICOCHET_KNOWN_SIZES, void, computeDotProductsOfRowWithColumns,
                (const double* columns, Index stride, Index count, const double* row, Index size,
                 double* products),
                (columns, stride, count, row, size, products))

RICOCHET_KERNEL(RICOCHET_ANY_SIZE, void, sumSquaresByModeBand, (const BandedColumns& of, double* squares),
                (of, squares))

RICOCHET_KERNEL(RICOCHET_ANY_SIZE, void, sumColumnSquaresByModeBand,
                (const BandedColumns& of, double factor, double* squares), (of, factor, squares))

RICOCHET_KERNEL(RICOCHET_ANY_SIZE, void, evaluatePolynomialAtInstants,
                (const double* coefficients, Index count, const double* times, double* values),
                (coefficients, count, times, values))

}  // namespace ricochet::kernels
