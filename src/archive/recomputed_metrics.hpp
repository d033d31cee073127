// SPDX-License-Identifier: MIT
#pragma once

#include <map>
#include <string>
#include <vector>

#include "record/table.hpp"

namespace palstudy {

/// The metrics of /runs that follow from the rows of /jobs and /power of one run (`metrics_of_jobs`, and
/// `metrics_of_energy` where /power has rows), by name.
[[nodiscard]] std::map<std::string, double> recomputed_metrics(const TableData& jobs, const TableData& power);

/// The names of the metrics of /runs that follow from neither table.
[[nodiscard]] std::vector<std::string> metrics_not_recomputed();

}  // namespace palstudy
