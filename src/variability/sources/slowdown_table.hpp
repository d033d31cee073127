// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>
#include <string>

#include "topology/topology.hpp"
#include "variability/slowdowns.hpp"

namespace palstudy {

/// `source = "table"`: `gpu_id,node_id,class,score`, further columns ignored. Classes sorted by name.
/// Errors (data, with file:line:column): a missing or doubled (GPU, class), a GPU or node beyond the topology or in
/// another node than the topology says, a slowdown that is not finite and positive.
[[nodiscard]] Slowdowns read_slowdown_table(const std::filesystem::path& path, const Topology& topology);
/// Parses the table from memory, for tests and fuzzing.
[[nodiscard]] Slowdowns parse_slowdown_table(std::string text, const std::string& name, const Topology& topology);

}  // namespace palstudy
