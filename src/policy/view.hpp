// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <span>

#include "core/ids.hpp"
#include "topology/penalties.hpp"
#include "workload/job.hpp"
#include "workload/job_table.hpp"

namespace palstudy {

/// What a policy may see of a partition at one instant. Nothing in it can be written.
struct View {
  double now_s = 0;
  double round_s = 0;
  std::uint32_t gpus = 0;  ///< of the partition
  const std::vector<Job>& jobs;
  const JobTable& table;
  const Penalties& believed_penalty;  ///< `policy.locality`

  [[nodiscard]] const Job& job(JobId id) const { return jobs[id.index()]; }
};

}  // namespace palstudy
