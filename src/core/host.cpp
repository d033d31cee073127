// SPDX-License-Identifier: MIT
#include "core/host.hpp"

#include <fmt/chrono.h>
#include <unistd.h>

#include <array>
#include <climits>
#include <ctime>

#ifdef __GLIBC__
#include <malloc.h>
#endif

namespace palstudy {

std::string utc_now() { return fmt::format("{:%Y-%m-%dT%H:%M:%SZ}", fmt::gmtime(std::time(nullptr))); }

std::string host_name() {
  std::array<char, 256> name{};
  return gethostname(name.data(), name.size() - 1) == 0 ? name.data() : "unknown";
}

void keep_freed_memory() {
#ifdef __GLIBC__
  (void)mallopt(M_MMAP_THRESHOLD, 32 << 20);  // the most it takes; what is larger goes back when it is freed
  (void)mallopt(M_TRIM_THRESHOLD, INT_MAX);
  (void)mallopt(M_ARENA_MAX, 1);  // else a thread has a heap of its own, and nothing that others freed
#endif
}

}  // namespace palstudy
