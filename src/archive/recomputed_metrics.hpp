// SPDX-License-Identifier: MIT
#pragma once

#include <map>
#include <string>
#include <vector>

#include "record/table.hpp"

namespace palstudy {

/// The metrics of /runs that follow from the rows of /jobs of one run (`metrics_of_jobs`), by name.
[[nodiscard]] std::map<std::string, double> recomputed_metrics(const TableData& jobs);

/// The names of the metrics of /runs that are not among them.
[[nodiscard]] std::vector<std::string> metrics_not_recomputed();

}  // namespace palstudy
