// SPDX-License-Identifier: MIT
#include "core/host.hpp"

#include <fmt/chrono.h>
#include <sys/resource.h>
#include <time.h>  // NOLINT: clock_gettime is POSIX
#include <unistd.h>

#include <algorithm>
#include <array>
#include <climits>
#include <ctime>
#include <fstream>
#include <string>

#include "core/numbers.hpp"

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

namespace {

// The number behind a word of a file of the kernel, or at its beginning, in its own unit; nothing if there is none
// ("max").
std::optional<double> number_in(const std::string& file, const std::string& word = "") {
  std::ifstream in(file);
  for (std::string found; found != word && in >> found;) {
  }
  double number = 0;
  return in >> number ? std::optional(number) : std::nullopt;
}

}  // namespace

std::optional<double> available_memory_mib() {
  std::optional<double> least;
  const auto at_most = [&](double bytes) { least = std::min(least.value_or(bytes / mib), bytes / mib); };
  if (const auto kib = number_in("/proc/meminfo", "MemAvailable:")) at_most(*kib * 1024);
  const std::string group = "/sys/fs/cgroup/memory.";
  const auto limit = number_in(group + "max"), used = number_in(group + "current");
  if (limit && used) at_most(std::max(0.0, *limit - *used));
  struct rlimit own = {};
  if (getrlimit(RLIMIT_AS, &own) == 0 && own.rlim_cur != RLIM_INFINITY) at_most(static_cast<double>(own.rlim_cur));
  return least;
}

double processor_s() {
  timespec now{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

}  // namespace palstudy
