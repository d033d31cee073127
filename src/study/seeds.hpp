// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "study/study.hpp"

namespace palstudy {

/// `seed`, `cluster.seed`, ...
[[nodiscard]] bool is_seed_key(const std::string& key);

/// Runs of the study that differ in seeds alone, ascending; points in the order of their first.
[[nodiscard]] std::vector<std::vector<std::size_t>> points_of(const Study& study);

}  // namespace palstudy
