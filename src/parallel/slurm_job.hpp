// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "parallel/mpi.hpp"

namespace palstudy {

/// What Slurm calls the job that this process is part of: "12", or "12_3" for an element of an array, since the number
/// of one of its elements is that of the whole array; "" outside of Slurm or where the variables hold something else.
[[nodiscard]] std::string slurm_job_id();

/// The sum of what Slurm writes as SLURM_JOB_CPUS_PER_NODE, "72(x2),36" for 180; nothing if it is anything else.
[[nodiscard]] std::optional<std::int64_t> parse_cpus_per_node(const std::string& text);

/// Nodes and processors of the job as Slurm gives them; nothing outside of a job.
[[nodiscard]] std::optional<std::int64_t> slurm_nodes();
[[nodiscard]] std::optional<std::int64_t> slurm_cpus();

/// Seconds that `squeue -o %L` says are left, "[days-][[hours:]minutes:]seconds"; nothing for UNLIMITED, INVALID and
/// all else. What is left needs no time zone and no two clocks that agree, as the time of the end would.
[[nodiscard]] std::optional<double> parse_time_left(const std::string& text);

/// How long a campaign may run when its job has `left_s` to go: a tenth less, between 10 s and 2 minutes, for what no
/// checkpoint's cost foretells, such as a slow disk; or `margin_s` less, where that is more, for a caller that stops
/// only so often; never less than half.
[[nodiscard]] double limit_before_job_end(double left_s, double margin_s = 0);

/// Collective. What `--time-limit` is where it was not given: inside a Slurm job its end, asked by rank 0 of `squeue`
/// (else SLURM_JOB_END_TIME), less that margin; rank 0 says so. Nothing elsewhere, and for a job without a limit.
[[nodiscard]] std::optional<double> time_limit_of_job(Mpi& mpi, double margin_s = 0);

}  // namespace palstudy
