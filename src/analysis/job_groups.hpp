// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "analysis/run_values.hpp"

namespace palstudy {

/// By the number of GPUs that a job requests: "1", "2-4", "5-8", "9-16", "17-64" or "65+".
[[nodiscard]] std::string size_bucket(double gpus);

/// Errors (data): the archive has no /jobs.
void need_job_rows(const ArchiveReader& archive);

/// A column of /jobs. Errors (data): the archive has no /jobs.
template <class Value>
[[nodiscard]] std::vector<Value> job_column(const ArchiveReader& archive, const char* name) {
  need_job_rows(archive);
  return std::get<std::vector<Value>>(archive.column(TableId::jobs, name));
}

/// The rows of /jobs, which has `all` of them, that belong to each run: from the first to behind the last. Errors
/// (data): a run points outside.
[[nodiscard]] std::vector<std::pair<std::size_t, std::size_t>> job_rows(const RunValues& runs, std::size_t all);

/// Those keys of --by that are parts of the jobs (`job_parts`), each once.
[[nodiscard]] std::vector<std::string> asked_job_parts(const std::vector<std::string>& by);

/// Makes the metrics from the rows of /jobs: gives every run a row for each combination of the parts (class, size,
/// tenant, user, model) of its measured jobs, with columns of these names; or one row of all jobs. Errors (data): the
/// archive has no /jobs, or no users in it.
void spread_by_jobs(const ArchiveReader& archive, RunValues& runs, const std::vector<std::string>& parts);

}  // namespace palstudy
