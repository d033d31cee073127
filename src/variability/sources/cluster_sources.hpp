// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "topology/topology.hpp"
#include "variability/slowdowns.hpp"
#include "variability/sources/measurements.hpp"

namespace palstudy {

/// `source = "bootstrap"`: every GPU and class draws one measured *run* of its class, with replacement and
/// independently, over the median run: as the published simulator does (a transient slow run becomes a slow GPU).
/// GPU g does not depend on the cluster's size. Classes draw independently also if they name one kernel.
[[nodiscard]] Slowdowns bootstrap_slowdowns(const ClassMeasurements& classes, const Topology& topology,
                                            std::uint64_t seed);

/// Which measured GPU each GPU of a cluster was drawn from: places in `Measurements::gpus` of its class, by class, then
/// GPU, `[c * gpus + g]`.
using SourceGpus = std::vector<std::size_t>;

/// Of the cluster that `bootstrap_slowdowns` draws.
[[nodiscard]] SourceGpus bootstrap_sources(const ClassMeasurements& classes, const Topology& topology,
                                           std::uint64_t seed);

/// A drawn cluster and notes for its reader.
struct DrawnCluster {
  Slowdowns slowdowns;
  std::vector<std::string> notes;  ///< e.g. which classes were drawn apart from each other, and why
};

/// `source = "measured"`: per-GPU medians over the median GPU, whole measured nodes drawn by seed without replacement.
/// Classes are drawn jointly only if at least 16 nodes carry all of them, else each kernel from its own nodes (classes
/// that name one kernel share its values). Donors of a node of n GPUs are the hosts with exactly n measured GPUs.
/// Errors (usage, at `where`): more nodes wanted than a class has donors, with the number of donors by size.
[[nodiscard]] DrawnCluster measured_slowdowns(const ClassMeasurements& classes, const Topology& topology,
                                              std::uint64_t seed, const std::string& where = "cluster.source",
                                              RunsUsed runs = RunsUsed::all);

/// Of the cluster that `measured_slowdowns` draws, which has refused what cannot be drawn.
[[nodiscard]] SourceGpus measured_sources(const ClassMeasurements& classes, const Topology& topology,
                                          std::uint64_t seed);

}  // namespace palstudy
