// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "topology/topology.hpp"
#include "variability/slowdowns.hpp"
#include "variability/sources/measurements.hpp"

namespace palstudy {

/// A figure of the generated GPUs beside that of the measured ones.
struct CheckedFigure {
  std::string name;
  double generated = 0, source = 0;
};

/// How one class of a generated cluster compares with what it was drawn from.
struct ClassCheck {
  std::string class_name, kernel;
  std::size_t source_gpus = 0, source_nodes = 0;
  double ks = 0;                            ///< Kolmogorov-Smirnov distance
  std::vector<CheckedFigure> figures;       ///< least, quantiles, largest, share over 1.05, correlation within nodes
  std::vector<CheckedFigure> expected_max;  ///< over k GPUs side by side, k = 4, 8, ... 256
};

/// The nodes that a class is checked against: the log-free slowdowns of its donors, by node, all of one size.
using SourceNodes = std::vector<std::vector<double>>;

/// Those that `block` and `measured` draw from for nodes of `node_size` GPUs: per-GPU medians over the median GPU.
[[nodiscard]] SourceNodes source_nodes(const Measurements& measured, std::uint32_t node_size);

/// Compares `generated`, GPUs in node order, with `source`. Correlation is within groups of a source node's size, of
/// which a larger simulated node has several, and within a smaller one.
[[nodiscard]] ClassCheck check_class(std::span<const double> generated, const Topology& topology,
                                     const SourceNodes& source);

/// All classes of a cluster, each against the nodes of its kernel that stand for the simulated nodes of the most common
/// size.
[[nodiscard]] std::vector<ClassCheck> check_cluster(const Slowdowns& generated, const Topology& topology,
                                                    const ClassMeasurements& classes);

/// E[max over k GPUs] where whole nodes of `source` are drawn with replacement until k GPUs are there; of the last
/// one the GPUs from a random slot on. Exact, by the distribution of the maximum.
[[nodiscard]] double expected_max_of_source(const SourceNodes& source, std::uint32_t k);
/// The mean of the largest of each k GPUs side by side; a rest of fewer is left out. NaN if there are fewer than k.
[[nodiscard]] double expected_max(std::span<const double> gpus, std::uint32_t k);

}  // namespace palstudy
