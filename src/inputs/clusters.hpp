// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

#include "archive/cluster_file.hpp"
#include "inputs/inputs.hpp"
#include "study/study.hpp"

namespace palstudy {

/// How the slowdowns of a run's cluster are made: lines of TOML that belong under [cluster]. Empty for a table.
[[nodiscard]] std::vector<std::string> cluster_recipe(const RunPlan& run);

/// The distinct clusters of a study's runs for an archive; large ones that were drawn with their recipe alone.
[[nodiscard]] std::vector<ClusterRecord> archived_clusters(const Study& study, Inputs& inputs);

/// The distinct clusters of a study's runs, whole, with their checks. `inputs` must outlive them.
[[nodiscard]] std::vector<CheckedCluster> checked_clusters(const Study& study, Inputs& inputs);

}  // namespace palstudy
