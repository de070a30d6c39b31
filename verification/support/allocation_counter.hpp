#pragma once

namespace ricochet::test {

/// Counts the heap allocations of this thread during its lifetime, by malloc, calloc, realloc, the aligned
/// forms and operator new: the test executable replaces these functions of the C library
/// (allocation_counter.cpp).
class AllocationCounter {
 public:
  AllocationCounter() noexcept : before_(total()) {}

  long count() const noexcept { return total() - before_; }

  /// False if malloc belongs to a sanitizer or to a C library other than glibc.
  static bool available() noexcept;

 private:
  static long total() noexcept;

  long before_;
};

}  // namespace ricochet::test
