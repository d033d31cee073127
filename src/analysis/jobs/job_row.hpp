// SPDX-License-Identifier: MIT
#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/numbers.hpp"
#include "record/table.hpp"

namespace palstudy {

/// A row of /jobs. (More than 15 members: a column each.)
struct JobRow {
  std::int64_t job = 0;
  std::string site_job;  ///< "" where that is `job`
  std::string cls, tenant, user, status;
  std::int64_t gpus = 0, partition = 0, preemptions = 0, migrations = 0;
  double submit_s = 0, start_s = nan, finish_s = nan, exec_s = 0, ideal_s = 0, slowdown = nan, penalty = nan;
  bool measured = true;

  [[nodiscard]] bool started() const { return !std::isnan(start_s); }
  [[nodiscard]] bool over() const { return !std::isnan(finish_s); }
  [[nodiscard]] double jct_s() const { return finish_s - submit_s; }
  [[nodiscard]] double gpu_hours() const { return static_cast<double>(gpus) * exec_s / hour_s; }
};

/// The rows of /jobs of one run, in their order: by submit time. Errors (data): a column is not there.
[[nodiscard]] std::vector<JobRow> rows_of_jobs(const TableData& jobs);

/// The place of a job by the name that its site gives it, else by the trace's id; nothing if there is none. Row numbers
/// that stand in for ids may be the names of other jobs.
[[nodiscard]] std::optional<std::size_t> find_job(const std::vector<JobRow>& jobs, const std::string& name);

}  // namespace palstudy
