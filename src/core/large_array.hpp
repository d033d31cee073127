// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdlib>
#include <memory>
#include <new>
#include <vector>

#ifdef __linux__
#include <sys/mman.h>
#endif

namespace palstudy {

/// Where arrays with an entry for every job of a run lie: from a few MiB on in huge pages, if the kernel gives any
/// (transparent_hugepage: madvise or always). A run makes these arrays, goes through them at random and drops them;
/// with small pages it would wait for thousands of page faults, and at nearly every job for its page to be found.
/// Smaller arrays, and other systems, have ordinary memory.
template <class T>
struct HugePages {
  using value_type = T;
  static constexpr std::size_t page = std::size_t{2} << 20;  // bytes; of x86-64, and of ARM with small pages of 4 KiB
  static constexpr std::size_t least = 2 * page;             // from here on the rest of the last page is little

  HugePages() = default;
  template <class Other>
  HugePages(const HugePages<Other>&) {}  // NOLINT(google-explicit-constructor): containers convert their allocators

  [[nodiscard]] T* allocate(std::size_t count) {
    const std::size_t bytes = count * sizeof(T);
    if (bytes < least) return std::allocator<T>().allocate(count);
    const std::size_t whole = (bytes + page - 1) / page * page;
    void* const memory = std::aligned_alloc(page, whole);
    if (memory == nullptr) throw std::bad_alloc();
#ifdef MADV_HUGEPAGE
    (void)madvise(memory, whole, MADV_HUGEPAGE);  // optional; a failure changes nothing
#endif
    return static_cast<T*>(memory);
  }
  void deallocate(T* memory, std::size_t count) {
    if (count * sizeof(T) < least) return std::allocator<T>().deallocate(memory, count);
    std::free(memory);
  }
  friend bool operator==(const HugePages&, const HugePages&) { return true; }
};

template <class T>
using LargeArray = std::vector<T, HugePages<T>>;

/// Prefetches the cache line in which `object` begins. Pays where many objects that lie far apart are read one after
/// the other, because the loads then overlap. Never changes a result. A GNU extension, which every compiler of this
/// project has.
template <class T>
inline void prefetch(const T& object) {
  __builtin_prefetch(&object);
  asm volatile("");  // GCC leaves out the calls of a function that does nothing else, as if it were pure
}

}  // namespace palstudy
