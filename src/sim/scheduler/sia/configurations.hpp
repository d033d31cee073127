// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "workload/elastic/elastic_model.hpp"

namespace palstudy {

/// The nodes of a type of GPUs, all alike.
struct TypeNodes {
  std::uint32_t nodes = 0, gpus_per_node = 0;
  std::uint32_t most_nodes = UINT32_MAX;  ///< of one job
};

/// GPUs of one type that a job may have: some on one node, or whole nodes.
struct Configuration {
  std::size_t type = 0;
  JobShape shape;
  friend bool operator==(const Configuration&, const Configuration&) = default;
};

/// All configurations, type by type: 1, 2, 4 ... GPUs up to a node's, then 2, 3 ... whole nodes (Sia, section 3.3).
[[nodiscard]] std::vector<Configuration> configurations(std::span<const TypeNodes> types);

/// The nodes that so many GPUs take if they fill one after the other.
[[nodiscard]] JobShape packed_shape(std::uint32_t gpus, std::uint32_t gpus_per_node);

}  // namespace palstudy
