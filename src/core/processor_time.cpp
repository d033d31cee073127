// SPDX-License-Identifier: MIT
#include "core/processor_time.hpp"

#include <time.h>  // NOLINT: clock_gettime is POSIX

namespace palstudy {

double processor_s() {
  timespec now{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

}  // namespace palstudy
