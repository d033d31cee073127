// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "study/run_values.hpp"

namespace palstudy {

/// By how many GPUs a job asks for: "1", "2-4", "5-8", "9-16", "17-64" or "65+".
[[nodiscard]] std::string size_bucket(double gpus);

/// Makes the metrics from the rows of /jobs: gives every run a row for each class, each size, or each class and size of
/// its measured jobs, with the columns `class` and `size`; or one row of all jobs. Errors (data): the archive has no
/// /jobs.
void spread_by_jobs(const ArchiveReader& archive, RunValues& runs, bool classes, bool sizes);

}  // namespace palstudy
