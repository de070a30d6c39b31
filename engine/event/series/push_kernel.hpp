#pragma once

#include "engine/numerics/kernel_dispatch.hpp"

// Kernel that sums forces along rows for a block of modes; several other kernels use this sum.

namespace ricochet::kernels {

/// Forces along rows. Each force has `count` values: one per point of a step, or coefficients of a
/// polynomial.
struct RowPushes {
  int forces;
  const double* const* rows;
  const double* const* values;
  int count;
};
inline constexpr int kMostPushes = 32;

/// Sums the forces on the block of modes from i: pushes[l] = sum over the forces n of values[n][l] rows[n].
template <class P>
RICOCHET_INLINE void sumModalForcesAlongRows(const RowPushes& s, Index i, P* pushes) noexcept {
  int n = 0;
  for (int l = 0; l < s.count; ++l) clear(pushes[l]);
  for (; n + 4 <= s.forces; n += 4) {
    P rows[4];
    const double* values[4];
#pragma GCC unroll 4
    for (int m = 0; m < 4; ++m) {
      load(rows[m], s.rows[n + m] + i);
      values[m] = s.values[n + m];
    }
    for (int l = 0; l < s.count; ++l) {
      P push = pushes[l];
#pragma GCC unroll 4
      for (int m = 0; m < 4; ++m) addProduct(push, values[m][l], rows[m]);
      pushes[l] = push;
    }
  }
  for (; n < s.forces; ++n) {
    P row;
    load(row, s.rows[n] + i);
    const double* values = s.values[n];
    for (int l = 0; l < s.count; ++l) addProduct(pushes[l], values[l], row);
  }
}

}  // namespace ricochet::kernels
