// SPDX-License-Identifier: MIT
#include "core/host_memory.hpp"

#include <sys/resource.h>

#include <algorithm>
#include <fstream>
#include <string>

#include "core/numbers.hpp"

namespace palstudy {
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

}  // namespace palstudy
