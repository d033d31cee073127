// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "variability/slowdowns.hpp"

namespace palstudy {

/// Clusters of more GPUs are archived as their recipe, if they were drawn: their slowdowns would be larger than the
/// rest.
inline constexpr std::uint32_t archived_slowdowns_limit = 65536;

/// A distinct cluster of the study, for /cluster: the slowdowns of its GPUs, or none and how they are made.
struct ClusterRecord {
  std::string key;  ///< hash of the cluster part of the resolved point
  Slowdowns slowdowns;
  std::vector<std::string> recipe = {};  ///< lines of TOML, of [cluster]; empty for one that was read from a table
};

}  // namespace palstudy
