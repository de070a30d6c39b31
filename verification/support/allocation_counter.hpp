#pragma once

namespace ricochet::test {

/// Counts what this thread takes from the heap while it lives, by any of malloc, calloc, realloc, the aligned
/// forms and operator new: the test executable replaces those of the C library (allocation_counter.cpp).
class AllocationCounter {
 public:
  AllocationCounter() noexcept : before_(total()) {}

  long count() const noexcept { return total() - before_; }

  /// False where malloc belongs to a sanitizer or to a C library other than glibc.
  static bool available() noexcept;

 private:
  static long total() noexcept;

  long before_;
};

}  // namespace ricochet::test
