// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>
#include <string>

namespace palstudy {

/// What Slurm calls the job that this process is part of: "12", or "12_3" for an element of an array, since the number
/// of one of its elements is that of the whole array; "" outside of Slurm or where the variables hold something else.
[[nodiscard]] std::string slurm_job_id();

/// The sum of what Slurm writes as SLURM_JOB_CPUS_PER_NODE, "72(x2),36" for 180; nothing if it is anything else.
[[nodiscard]] std::optional<std::int64_t> parse_cpus_per_node(const std::string& text);

/// Nodes and processors of the job as Slurm gives them; nothing outside of a job.
[[nodiscard]] std::optional<std::int64_t> slurm_nodes();
[[nodiscard]] std::optional<std::int64_t> slurm_cpus();

}  // namespace palstudy
