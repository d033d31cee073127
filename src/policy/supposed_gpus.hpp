// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "cluster/byte_lanes.hpp"
#include "cluster/free_gpus.hpp"
#include "cluster/node_set.hpp"

namespace palstudy {

/// The free GPUs of a turn, as they would be if some nodes took no jobs and some running jobs had ended. What is
/// supposed reaches the index of free GPUs with `apply` alone, so that what is not asked about costs little.
class SupposedGpus {
 public:
  SupposedGpus(FreeGpus& free, const NodeSet& in_service)
      : free_(free), in_service_(in_service), open_(in_service), now_(free.topology().nodes(), 0) {
    in_service_.for_each([&](NodeId node) { now_[node.index()] = free_.mask(node); });
    applied_ = now_;
    ended_.resize(now_.size(), 0);
    changed_.resize(now_.size(), 0);
    free_now_ = free_.total();
  }
  SupposedGpus(const SupposedGpus&) = delete;
  SupposedGpus& operator=(const SupposedGpus&) = delete;
  ~SupposedGpus() {
    std::ranges::fill(ended_, 0);
    in_service_.for_each([&](NodeId node) { change(node); });
    only(in_service_);
    apply();
  }

  /// No other nodes take jobs.
  void only(const NodeSet& nodes) {
    NodeSet::for_each_difference(open_, nodes, [&](NodeId node) {
      const std::uint32_t free = gpus_in(now_[node.index()]);
      free_now_ += nodes.contains(node) ? free : -free;
      change(node);
    });
    open_ = nodes;
  }
  void end(const GpuSet& gpus) {
    for (const NodeGpus& part : gpus) ended_[part.node.index()] |= part.mask, change(part.node);
  }
  void take_back(const GpuSet& gpus) {
    for (const NodeGpus& part : gpus) ended_[part.node.index()] &= ~part.mask, change(part.node);
  }
  /// A job has got these, which were free.
  void started(const GpuSet& gpus) {
    for (const NodeGpus& part : gpus) {
      now_[part.node.index()] &= ~part.mask;
      applied_[part.node.index()] &= ~part.mask;
      free_now_ -= gpus_in(part.mask);
    }
  }
  /// Makes the index say what is supposed.
  void apply() {
    for (const NodeId node : to_apply_) {
      const std::size_t n = node.index();
      const GpuMask wanted = open_.contains(node) ? now_[n] | ended_[n] : 0, was = applied_[n];
      if ((was & ~wanted) != 0) free_.take({node, was & ~wanted});
      if ((wanted & ~was) != 0) free_.give({node, wanted & ~was});
      applied_[n] = wanted;
      changed_[n] = 0;
    }
    to_apply_.clear();
  }

  /// GPUs of the open nodes that no job holds.
  [[nodiscard]] std::uint32_t free_now() const { return free_now_; }
  /// GPUs of a node that no job holds.
  [[nodiscard]] GpuMask now(NodeId node) const { return now_[node.index()]; }

 private:
  void change(NodeId node) {
    if (changed_[node.index()] != 0 || !in_service_.contains(node)) return;
    changed_[node.index()] = 1;
    to_apply_.push_back(node);
  }

  FreeGpus& free_;
  const NodeSet in_service_;
  NodeSet open_;
  std::vector<GpuMask> now_, ended_, applied_;  // by node: free now; of jobs that have ended; free in the index
  std::vector<std::uint8_t> changed_;           // by node: in `to_apply_`
  std::vector<NodeId> to_apply_;
  std::uint32_t free_now_ = 0;
};

}  // namespace palstudy
