// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/csv.hpp"

namespace palstudy {

/// Why attempts fail: a row of a table of failures.
struct FailureReason {
  std::string name;
  std::string category;    ///< by the source: IF (infrastructure), AE (AI engine), U (user), or several
  bool of_place = false;   ///< it comes from where the job runs, else from the job
  bool drawn = true;       ///< false: the scheduler makes it, so that it is not drawn
  bool repeats = false;    ///< deterministic: it comes back when the job is tried again
  bool validated = false;  ///< of a class that a run on one GPU would show
  double p50_min = 0, p90_min = 0, p95_min = 0;  ///< percentiles of the run time to failure, in minutes
  std::vector<double> trials;                    ///< by size of job: how often it was seen
};

/// No attempt runs longer before it fails, minutes.
inline constexpr double longest_to_failure_min = 20000;

/// The run time to failure, in seconds, below which a share `u` in (0, 1) of the failures of that reason lie: linear in
/// the logarithm between the percentiles 50, 90 and 95, continued with the first slope below and with the last one
/// above, and capped.
[[nodiscard]] double run_time_to_failure_s(const FailureReason& reason, double u);

/// Failures by size of job, as in `jobs/failures/philly.csv` (Jeon et al., ATC'19, table 7).
struct FailureTable {
  std::vector<std::uint32_t> least_gpus;  ///< by size: jobs of so many GPUs or more; rising, the first is 1
  std::vector<double> fails;              ///< by size: share of the attempts that fail
  std::vector<double> killed;             ///< by size: share of the jobs that their users kill
  std::vector<FailureReason> reasons;     ///< in the order of the file

  /// The size that a job of so many GPUs has.
  [[nodiscard]] std::size_t size_of(std::uint32_t gpus) const;
};

/// The failures of a table with the columns reason, category, of (job, place or scheduler), repeats and
/// validated (yes or no), rtf_p50_min, rtf_p90_min, rtf_p95_min, and one column gpus_<n> for each size of job; two rows
/// `of` which is "share" and that are called (attempts that fail) and (jobs that are killed) hold percentages by size.
/// Other columns are ignored. Errors (data, file:line:column).
[[nodiscard]] FailureTable failure_table(const CsvTable& table);

}  // namespace palstudy
