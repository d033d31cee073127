// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

#include "workload/job.hpp"

namespace palstudy {

/// A trace laid over itself, to load a cluster larger than the one that it is from: several copies of the jobs that
/// arrive in a window, each shifted by another whole number of days, in a circle that is the window. So each copy keeps
/// its bursts and its hours of the day, and the window gets as many jobs as the copies have together.
struct SuperpositionOptions {
  double copies = 1;                 ///< of the jobs in the window, the trace itself included; 1: nothing changes
  double first_s = 0, length_s = 0;  ///< the window
  std::uint64_t seed = 1;            ///< decides which jobs a part of a copy has
};

/// Copy c of a job has the id of the job + c x (largest id + 1); of a broken number of copies the last one has each job
/// with the probability of the fraction. Jobs outside the window come once. Sorted by submit time, stably.
/// Errors (data): ids that would leave what can be stored.
void superpose(Workload& workload, const SuperpositionOptions& how);

}  // namespace palstudy
