// SPDX-License-Identifier: MIT
#include "sim/scheduler/list/dedicated_nodes.hpp"

#include <algorithm>
#include <bit>
#include <tuple>

namespace palstudy {

void DedicatedNodes::reserve_nodes(const GpuSet& gpus) {
  for (const NodeGpus& part : gpus) {
    const GpuMask rest = state_.free.mask(part.node);
    kept_[part.node.index()] = rest;
    if (rest != 0) state_.free.take({part.node, rest});
  }
}

void DedicatedNodes::release_nodes(const GpuSet& gpus) {
  for (const NodeGpus& part : gpus) {
    GpuMask& rest = kept_[part.node.index()];
    if (rest != 0) state_.free.give({part.node, rest});
    rest = 0;
  }
}

void DedicatedNodes::partly_used(GpuSet& out) const {
  out.clear();
  for (std::uint32_t n = 0; n < state_.topology().nodes(); ++n) {
    const NodeGpus there{NodeId(n), state_.free.mask(NodeId(n))};
    if (there.mask != 0 && there.mask != state_.topology().full(there.node)) out.push_back(there);
  }
}

/// Nodes that hold nothing but running jobs of one GPU, with these, by node; empty for others.
DedicatedNodes::SinglesByNode DedicatedNodes::singles(const Transaction& transaction) const {
  const Topology& topology = state_.topology();
  SinglesByNode on(topology.nodes());
  std::vector<GpuMask> held(topology.nodes(), 0);
  for (std::uint32_t slot = 0; slot < state_.running.size(); ++slot) {
    const JobId job = state_.running.job[slot];
    if (state_.job(job).gpus > 1 || transaction.released(slot) || transaction.placed(job)) continue;
    const NodeGpus& part = state_.running.allocation[slot].gpus.front();
    on[part.node.index()].push_back(job);
    held[part.node.index()] |= part.mask;
  }
  for (std::uint32_t n = 0; n < on.size(); ++n) {
    if ((held[n] | state_.free.mask(NodeId(n))) != topology.full(NodeId(n))) on[n].clear(), held[n] = 0;
  }
  return on;
}

/// The nodes of one cabinet that are cleared by moving fewest others. Empty if there are none.
std::vector<NodeId> DedicatedNodes::nodes_to_clear(const SinglesByNode& on, std::uint32_t wanted,
                                                   std::uint32_t gpus) const {
  const Topology& topology = state_.topology();
  const std::uint32_t each = (gpus + wanted - 1) / wanted;
  std::vector<std::tuple<std::size_t, std::uint32_t, std::uint32_t>> of_cabinet;  // jobs to move, GPUs, node
  std::vector<NodeId> best;
  std::size_t least = SIZE_MAX;
  const auto close_cabinet = [&] {
    std::sort(of_cabinet.begin(), of_cabinet.end());
    if (of_cabinet.size() >= wanted) {
      std::size_t moved = 0;
      for (std::uint32_t i = 0; i < wanted; ++i) moved += std::get<0>(of_cabinet[i]);
      if (moved < least) {
        least = moved;
        best.clear();
        for (std::uint32_t i = 0; i < wanted; ++i) best.emplace_back(std::get<2>(of_cabinet[i]));
      }
    }
    of_cabinet.clear();
  };
  for (std::uint32_t n = 0; n < on.size(); ++n) {
    const NodeId node(n);
    if (n > 0 && topology.cabinet_of(node) != topology.cabinet_of(NodeId(n - 1))) close_cabinet();
    const bool whole = state_.free.mask(node) == topology.full(node);
    if (topology.gpus_of(node) < each || (on[n].empty() && !whole)) continue;
    of_cabinet.emplace_back(on[n].size(), topology.gpus_of(node), n);
  }
  close_cabinet();
  return best;
}

/// A job moves to the node with fewest free GPUs among those in use that stay; false if there is none.
bool DedicatedNodes::move_away(Transaction& transaction, JobId job, const std::vector<NodeId>& cleared) const {
  std::tuple<int, std::uint32_t> best{INT32_MAX, 0};
  for (std::uint32_t n = 0; n < state_.topology().nodes(); ++n) {
    const GpuMask mask = state_.free.mask(NodeId(n));
    if (mask == 0 || mask == state_.topology().full(NodeId(n))) continue;
    if (std::find(cleared.begin(), cleared.end(), NodeId(n)) != cleared.end()) continue;
    best = std::min(best, {std::popcount(mask), n});
  }
  if (std::get<0>(best) == INT32_MAX) return false;
  const NodeId node(std::get<1>(best));
  transaction.take(job, {{node, lowest(state_.free.mask(node), 1)}});
  return true;
}

bool DedicatedNodes::vacate_nodes(Transaction& transaction, std::uint32_t nodes, std::uint32_t gpus) const {
  const SinglesByNode on = singles(transaction);
  const auto cleared = nodes_to_clear(on, nodes, gpus);
  for (const NodeId node : cleared) {
    for (const JobId job : on[node.index()]) {
      if (!move_away(transaction, job, cleared)) return false;
    }
  }
  return !cleared.empty();
}

}  // namespace palstudy
