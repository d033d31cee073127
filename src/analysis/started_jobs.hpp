// SPDX-License-Identifier: MIT
#pragma once

#include <map>
#include <string>
#include <vector>

#include "analysis/run_values.hpp"

namespace palstudy {

/// Metrics of the jobs that started: no archive stores them, and a run that left jobs unfinished has them as well.
inline constexpr const char* wait_started_mean = "wait_started_mean_s";
inline constexpr const char* jobs_started = "jobs_started";

/// Both by name, by row of /runs, from the rows of /jobs; NaN of runs without such a job. `runs` are not spread yet.
/// Errors (data): the archive has no /jobs, or a run points outside it.
[[nodiscard]] std::map<std::string, std::vector<double>> metrics_of_started_jobs(const ArchiveReader& archive,
                                                                                 const RunValues& runs);

}  // namespace palstudy
