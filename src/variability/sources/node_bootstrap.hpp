// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "topology/topology.hpp"
#include "variability/sources/class_kernels.hpp"
#include "variability/sources/cluster_sources.hpp"
#include "variability/sources/smoothing.hpp"
#include "variability/sources/source_nodes.hpp"

namespace palstudy {

/// `source = "block"`: whole measured nodes drawn with replacement and smoothed (`Smoothing`), so that node faults,
/// slots and the likeness of a node's GPUs stay as they were measured, on a cluster of any size.
///
/// Draws are keyed by (seed, purpose, global node id): any slice of the nodes can be made alone, and GPU i does not
/// depend on the cluster's size. Nothing is renormalised.
///
/// Donors of a node of n GPUs are the hosts with exactly n measured GPUs, where there are at least 16 of them;
/// otherwise those of the size d that most measured hosts have. Then ceil(n / d) of them, drawn independently, stand
/// side by side; of the last (or of one that is too large) the GPUs from a random slot on are taken, going round.
/// Classes are drawn jointly only if at least 16 donors carry all of them.
///
/// Of half of the runs (`RunsUsed`) the medians are taken from that half, and what is drawn and added is the same as
/// from the other half: GPU by GPU the two clusters are two measurements of the same GPU. The error of a
/// median is in them already, so only the kernel bandwidth is added.
class BlockCluster {
 public:
  /// `topology` must outlive it. Errors (data): measurements that name no host.
  BlockCluster(const ClassMeasurements& classes, const Topology& topology, std::uint64_t seed,
               RunsUsed runs = RunsUsed::all);

  [[nodiscard]] const std::vector<std::string>& class_names() const { return class_names_; }
  /// Notes for the reader of results.
  [[nodiscard]] const std::vector<std::string>& notes() const { return notes_; }

  /// The slowdowns of nodes [first, first + count): GPU 0 of the result is the first GPU of `first`.
  /// `told`, if given, is called at times with the nodes done and the nodes in all; classes that share a kernel count
  /// once.
  using ProgressCallback = std::function<void(std::size_t, std::size_t)>;
  [[nodiscard]] Slowdowns nodes(NodeId first, std::uint32_t count, const ProgressCallback& told = {}) const;
  [[nodiscard]] Slowdowns all() const { return nodes(NodeId(0), topology_.nodes()); }
  /// Which measured GPU each GPU of the cluster was drawn from.
  [[nodiscard]] SourceGpus sources() const;

 private:
  /// The donors of one kernel, by `donor * size + slot`: shrunk log slowdowns, not smoothed yet, and the measured GPUs.
  struct Pool {
    std::uint32_t size = 0;
    std::vector<double> logs;
    SourceGpus gpus;
    Smoothing smoothing;
    [[nodiscard]] std::uint32_t donors() const { return static_cast<std::uint32_t>(logs.size() / size); }
  };
  /// The donors of nodes of one size, by kernel.
  struct Pools {
    std::vector<Pool> of_kernel;
    bool joint = false;
  };
  Pools make_pools(const std::vector<Kernel>& kernels, std::uint32_t node_size, RunsUsed runs);
  template <class Use>
  void draw_node(std::uint32_t node, std::uint32_t size, std::size_t kernel, Use use) const;
  void fill_node(std::uint32_t node, std::uint32_t size, std::size_t kernel, double* out) const;

  const Topology& topology_;
  std::uint64_t seed_;
  std::vector<std::string> class_names_;
  std::vector<std::size_t> kernel_of_class_;
  std::vector<Pools> of_size_;  // by GPUs of a node; empty for sizes that the cluster does not have
  std::vector<std::string> notes_;
};

/// The donors of one kernel for nodes of `node_size` GPUs, as above, and their size.
[[nodiscard]] Donors block_donors(const Measurements& measured, std::uint32_t node_size, std::uint32_t& donor_size);

/// The whole cluster with its notes.
[[nodiscard]] DrawnCluster block_slowdowns(const ClassMeasurements& classes, const Topology& topology,
                                           std::uint64_t seed, RunsUsed runs = RunsUsed::all,
                                           const BlockCluster::ProgressCallback& told = {});

}  // namespace palstudy
