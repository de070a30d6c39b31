#pragma once

#include "engine/numerics/kernel_dispatch.hpp"
#include "engine/numerics/kernels.hpp"

// Parts shared by the kernels that project q onto contact rows (kernels::Look), alone or at the end of a
// drift.

namespace ricochet::kernels {

/// Adds the terms of eight modes with coordinates x to the squared distance.
template <class P>
RICOCHET_INLINE void addWeightedSquaredDistance(const Look& look, const P& at, Index i, P& total) noexcept {
  P x = at, y;
  store(look.kept + i, x);
  load(y, look.from + i);
  subtract(x, y);
  load(y, look.weights + i);
  multiply(y, x);
  addProduct(total, y, x);
}

template <class P>
RICOCHET_INLINE void dotProductsOfListedRows(const Look& look, const double* q, Index size) noexcept {
  const std::size_t* listed = look.listed;
  Index count = look.count;
  for (; count >= 4; count -= 4, listed += 4) {
    const double* at[4];
    double four[4];
    for (int r = 0; r < 4; ++r) at[r] = look.rows + static_cast<Index>(listed[r]) * size;
    multiplyScatteredRowsByVector<P, 4>(at, q, size, four);
    for (int r = 0; r < 4; ++r) look.products[listed[r]] = four[r];
  }
  for (; count > 0; --count, ++listed)
    multiplyContiguousRowsByVector<P, 1>(look.rows + static_cast<Index>(*listed) * size, q, size,
                                         look.products + *listed);
}

/// Moves the modes and then evaluates the rows. `move(i, x)` moves the eight modes from index i to the end of
/// the step and returns their coordinates in x.
template <class P, class Move>
RICOCHET_INLINE double moveAndMultiplyWatchedRows(const Look& given, const double* q, Index size,
                                                  Move&& move) noexcept {
  const Look look = given;  // local copy, which stores through pointers cannot change
  P total, x;
  clear(total);
  if (look.weights == nullptr)
    for (Index i = 0; i < size; i += kLanes) move(i, x);
  else
    for (Index i = 0; i < size; i += kLanes) {
      move(i, x);
      addWeightedSquaredDistance(look, x, i, total);
    }
  dotProductsOfListedRows<P>(look, q, size);
  return sum(total);
}

}  // namespace ricochet::kernels
