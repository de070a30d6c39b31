#pragma once

#include <string_view>

namespace ricochet {

/// Vector units for which kernels are compiled.
enum class VectorUnit { sse2, avx2, avx512 };

/// The widest vector unit that the processor has and that the environment variable RICOCHET_VECTORS ("sse2",
/// "avx2", "avx512") permits. All units give the same bits: they add the same numbers in the same order and
/// never fuse a product with a sum.
VectorUnit widestUsableVectorUnit() noexcept;

std::string_view vectorUnitName(VectorUnit unit) noexcept;

}  // namespace ricochet
