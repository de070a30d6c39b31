#include "verification/support/allocation_counter.hpp"

#include <cerrno>
#include <cstddef>
#include <cstdlib>

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define RICOCHET_TEST_COUNTS_MALLOC 0
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(memory_sanitizer) || __has_feature(thread_sanitizer)
#define RICOCHET_TEST_COUNTS_MALLOC 0
#endif
#endif
#if !defined(RICOCHET_TEST_COUNTS_MALLOC)
#if defined(__GLIBC__)
#define RICOCHET_TEST_COUNTS_MALLOC 1
#else
#define RICOCHET_TEST_COUNTS_MALLOC 0
#endif
#endif

namespace {

thread_local long allocations = 0;

}  // namespace

namespace ricochet::test {

bool AllocationCounter::available() noexcept { return RICOCHET_TEST_COUNTS_MALLOC != 0; }

long AllocationCounter::total() noexcept { return allocations; }

}  // namespace ricochet::test

#if RICOCHET_TEST_COUNTS_MALLOC

// operator new of libstdc++ calls this function too; free is not counted.
extern "C" {

void* __libc_malloc(std::size_t size);
void* __libc_calloc(std::size_t count, std::size_t size);
void* __libc_realloc(void* old, std::size_t size);
void* __libc_memalign(std::size_t alignment, std::size_t size);

void* malloc(std::size_t size) noexcept {
  ++allocations;
  return __libc_malloc(size);
}
void* calloc(std::size_t count, std::size_t size) noexcept {
  ++allocations;
  return __libc_calloc(count, size);
}
void* realloc(void* old, std::size_t size) noexcept {
  ++allocations;
  return __libc_realloc(old, size);
}
void* memalign(std::size_t alignment, std::size_t size) noexcept {
  ++allocations;
  return __libc_memalign(alignment, size);
}
void* aligned_alloc(std::size_t alignment, std::size_t size) noexcept {
  ++allocations;
  return __libc_memalign(alignment, size);
}
int posix_memalign(void** result, std::size_t alignment, std::size_t size) noexcept {
  ++allocations;
  *result = __libc_memalign(alignment, size);
  return *result == nullptr ? ENOMEM : 0;
}

}  // extern "C"

#endif
