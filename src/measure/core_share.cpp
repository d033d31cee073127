// SPDX-License-Identifier: MIT
#include "measure/core_share.hpp"

#include <time.h>  // NOLINT: clock_gettime is POSIX

#include <algorithm>

namespace palstudy {
namespace {

double now_s(clockid_t clock) {
  timespec time{};
  clock_gettime(clock, &time);
  return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_nsec) * 1e-9;
}

}  // namespace

double core_share(double cpu_s, double most_s) {
  const double cpu_begin = now_s(CLOCK_THREAD_CPUTIME_ID), begin = now_s(CLOCK_MONOTONIC);
  double cpu = 0, passed = 0;
  while (cpu < cpu_s && passed < most_s) {
    cpu = now_s(CLOCK_THREAD_CPUTIME_ID) - cpu_begin;
    passed = now_s(CLOCK_MONOTONIC) - begin;
  }
  return std::clamp(cpu / std::max(passed, 1e-9), 1e-3, 1.0);
}

}  // namespace palstudy
