// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "variability/sources.hpp"

namespace palstudy {

/// The GPUs of one measurement, in slowdown: median over a GPU's runs / median GPU.
struct KernelSummary {
  std::string name;
  std::size_t gpus = 0, nodes = 0, runs = 0;
  double median_ms = 0;  ///< of the median GPU
  double least = 0, p1 = 0, p5 = 0, p95 = 0, p99 = 0, largest = 0;
  std::size_t over_5_percent = 0, over_10_percent = 0;  ///< GPUs slower than the median by more than that
};
[[nodiscard]] KernelSummary summarize(const Measurements& measured);

/// The GPUs of one node.
struct NodeSummary {
  std::string host;
  std::size_t gpus = 0;
  double median = 0, least = 0, largest = 0;  ///< slowdown
};
/// Nodes of known name, slowest median first, ties by name.
[[nodiscard]] std::vector<NodeSummary> summarize_nodes(const Measurements& measured);

}  // namespace palstudy
