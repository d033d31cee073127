// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>

#include "policy/power/series_replay.hpp"

namespace palstudy {

/// Reads `tick,total,used[,forecast]`: the nodes of a cluster, those in use in each tick, at most the total, and what
/// was forecast. Further columns are ignored. Errors (data, file:line:column): no rows, a tick that is not one more
/// than the last, numbers that cannot be.
[[nodiscard]] NodeSeries read_node_series(const std::filesystem::path& file);

}  // namespace palstudy
