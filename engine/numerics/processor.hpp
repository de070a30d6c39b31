#pragma once

#include <string_view>

namespace ricochet {

/// What kernels are compiled for.
enum class VectorUnit { sse2, avx2, avx512 };

/// The widest one that the processor has, and that the environment variable RICOCHET_VECTORS ("sse2", "avx2",
/// "avx512") does not rule out. All give the same bits: they add the same numbers in the same order, and no
/// product is fused with a sum.
VectorUnit vectorUnit() noexcept;

std::string_view name(VectorUnit unit) noexcept;

}  // namespace ricochet
