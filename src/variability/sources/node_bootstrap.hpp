// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>

#include "topology/topology.hpp"
#include "variability/sources/cluster_sources.hpp"
#include "variability/sources/source_nodes.hpp"

namespace palstudy {

/// The donors of one kernel for nodes of `node_size` GPUs, as below, and their size.
[[nodiscard]] Donors block_donors(const Measurements& measured, std::uint32_t node_size, std::uint32_t& donor_size);

/// `source = "block"`: whole measured nodes drawn with replacement and smoothed (`Smoothing`), so that node faults,
/// slots and the likeness of a node's GPUs stay as they were measured, on a cluster of any size.
///
/// Draws are keyed by (seed, purpose, global node id): GPU i does not depend on the cluster's size.
/// Nothing is renormalised.
///
/// Donors of a node of n GPUs are the hosts with exactly n measured GPUs, where there are at least 16 of them;
/// otherwise those of the size d that most measured hosts have. Then ceil(n / d) of them, drawn independently, stand
/// side by side; of the last (or of one that is too large) the GPUs from a random slot on are taken, going round.
/// Classes are drawn jointly only if at least 16 donors carry all of them.
///
/// Of half of the runs (`RunsUsed`) the medians are taken from that half, and what is drawn and added is the same as
/// from the other half: GPU by GPU the two clusters are two measurements of the same GPU. The error of a
/// median is in them already, so only the kernel bandwidth is added.
///
/// `told`, if given, is called at times with the nodes done and the nodes in all; classes that share a kernel count
/// once. Errors (data): measurements that name no host.
[[nodiscard]] DrawnCluster block_slowdowns(const ClassMeasurements& classes, const Topology& topology,
                                           std::uint64_t seed, RunsUsed runs = RunsUsed::all,
                                           const std::function<void(std::size_t, std::size_t)>& told = {});

/// Of the cluster that `block_slowdowns` draws.
[[nodiscard]] SourceGpus block_sources(const ClassMeasurements& classes, const Topology& topology, std::uint64_t seed);

}  // namespace palstudy
