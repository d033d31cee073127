// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

#include "archive/cluster_file.hpp"

namespace palstudy {

/// How generated clusters compare with their source: a table a cluster, figures as rows, generated and source for each
/// class.
[[nodiscard]] std::string cluster_text(const std::vector<CheckedCluster>& clusters);
/// All of it, for programs.
[[nodiscard]] std::string cluster_json(const std::vector<CheckedCluster>& clusters);

}  // namespace palstudy
