#pragma once

#include <cstdlib>

namespace ricochet::test {

/// Whether the tests run in full, by hand: CTest's presets `release-full` and `check-full` set RICOCHET_FULL.
inline bool isFull() { return std::getenv("RICOCHET_FULL") != nullptr; }

/// Whether the sanitizer of addresses watches, under which programs take five to ten times as long. What
/// compares numbers does so in the optimised build, and looks at fewer variants of the same kinds here.
#if defined(__SANITIZE_ADDRESS__)
inline constexpr bool kSanitized = true;
#elif defined(__has_feature)
inline constexpr bool kSanitized = __has_feature(address_sanitizer);
#else
inline constexpr bool kSanitized = false;
#endif

/// How many random variants a test looks at: all of them in full, fewer of the same kinds in what CI runs.
inline int variants(int few, int all) { return isFull() ? all : few; }

}  // namespace ricochet::test
