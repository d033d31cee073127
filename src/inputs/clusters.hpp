// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

#include "archive/cluster_file.hpp"
#include "inputs/inputs.hpp"
#include "study/study.hpp"

namespace palstudy {

/// The recipe of the slowdowns of a run's cluster: lines of TOML under [cluster]. Empty for a table.
[[nodiscard]] std::vector<std::string> cluster_recipe(const RunPlan& run);

/// The distinct clusters of a study's runs for an archive; of large drawn ones the recipe alone.
[[nodiscard]] std::vector<ClusterRecord> archived_clusters(const Study& study, Inputs& inputs);

/// The distinct clusters of a study's runs, whole, with their checks. `inputs` must outlive them.
[[nodiscard]] std::vector<CheckedCluster> checked_clusters(const Study& study, Inputs& inputs);

}  // namespace palstudy
