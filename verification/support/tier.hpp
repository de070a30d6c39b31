#pragma once

#include <cstdlib>

namespace ricochet::test {

/// True if the tests run in full, which users start by hand: CTest's presets `release-full` and `check-full`
/// set RICOCHET_FULL.
inline bool isFull() { return std::getenv("RICOCHET_FULL") != nullptr; }

/// True with the address sanitizer, with which programs take five to ten times as long. Tests that compare
/// numbers run in the optimised build, and use fewer variants of the same kinds here.
#if defined(__SANITIZE_ADDRESS__)
inline constexpr bool kSanitized = true;
#elif defined(__has_feature)
inline constexpr bool kSanitized = __has_feature(address_sanitizer);
#else
inline constexpr bool kSanitized = false;
#endif

/// Number of random variants of a test: all of them in full runs, fewer of the same kinds in CI.
inline int variants(int few, int all) { return isFull() ? all : few; }

}  // namespace ricochet::test
