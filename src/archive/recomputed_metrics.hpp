// SPDX-License-Identifier: MIT
#pragma once

#include <map>
#include <string>

#include "record/table.hpp"

namespace palstudy {

/// The metrics of /runs that can be had again from rows of /jobs of one run (design section 5.4): jct_mean_s,
/// jct_p50_s, jct_p95_s, jct_p99_s, wait_mean_s, bounded_slowdown_mean, makespan_s, jobs_unfinished, preemptions,
/// migrations. Written apart from the engine's own, so that one checks the other.
[[nodiscard]] std::map<std::string, double> recomputed_metrics(const TableData& jobs);

/// The names of the metrics of /runs that are not among them.
[[nodiscard]] std::vector<std::string> metrics_not_recomputed();

}  // namespace palstudy
