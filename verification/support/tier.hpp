#pragma once

#include <cstdlib>

namespace ricochet::test {

/// Whether the tests run in full, by hand: CTest's presets `release-full` and `check-full` set RICOCHET_FULL.
inline bool isFull() { return std::getenv("RICOCHET_FULL") != nullptr; }

/// How many random variants a test looks at: all of them in full, fewer of the same kinds in what CI runs.
inline int variants(int few, int all) { return isFull() ? all : few; }

}  // namespace ricochet::test
