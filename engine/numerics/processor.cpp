#include "engine/numerics/processor.hpp"

#include <algorithm>
#include <cstdlib>

namespace ricochet {
namespace {

VectorUnit widestVectorUnit() noexcept {
#if defined(__x86_64__)
  __builtin_cpu_init();
  if (__builtin_cpu_supports("avx512f")) return VectorUnit::avx512;
  if (__builtin_cpu_supports("avx2")) return VectorUnit::avx2;
#endif
  return VectorUnit::sse2;
}

VectorUnit vectorUnitAllowedByEnvironment() noexcept {
  const char* text = std::getenv("RICOCHET_VECTORS");
  if (text == nullptr) return VectorUnit::avx512;
  for (const VectorUnit each : {VectorUnit::sse2, VectorUnit::avx2})
    if (vectorUnitName(each) == text) return each;
  return VectorUnit::avx512;
}

}  // namespace

VectorUnit widestUsableVectorUnit() noexcept {
  static const VectorUnit chosen = std::min(widestVectorUnit(), vectorUnitAllowedByEnvironment());
  return chosen;
}

std::string_view vectorUnitName(VectorUnit unit) noexcept {
  switch (unit) {
    case VectorUnit::sse2:
      return "sse2";
    case VectorUnit::avx2:
      return "avx2";
    case VectorUnit::avx512:
      return "avx512";
  }
  return "";
}

}  // namespace ricochet
