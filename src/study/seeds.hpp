// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "study/study.hpp"

namespace palstudy {

/// Whether the key is `seed`, `cluster.seed`, ...
[[nodiscard]] bool is_seed_key(const std::string& key);

/// The numbers of the runs at each point of the axes other than seeds, ascending; points in the order of their first
/// run.
[[nodiscard]] std::vector<std::vector<std::size_t>> points_of(const Study& study);

}  // namespace palstudy
