// SPDX-License-Identifier: MIT
// Servers of their own for jobs of several GPUs, and jobs of one GPU that make way for them (Jeon et al., ATC'19,
// section 5: "mitigating interference"). What such a job leaves of its nodes is sealed: taken from the free GPUs, held
// by nobody.
#include <algorithm>
#include <bit>
#include <tuple>

#include "sim/engine/partition.hpp"
#include "sim/scheduler/tenant_state.hpp"

namespace palstudy {

bool Partition::dedicates(JobId job) const {
  return tenancy_ && tenancy_->rules.dedicated && tenancy_->book.width(job) > 1;
}

void Partition::seal(JobId job, const GpuSet& gpus) {
  if (!dedicates(job)) return;
  for (const NodeGpus& part : gpus) {
    const GpuMask rest = free_.mask(part.node);
    tenancy_->sealed[part.node.index()] = rest;
    if (rest != 0) free_.take({part.node, rest});
  }
}

void Partition::unseal(JobId job, const GpuSet& gpus) {
  if (!dedicates(job)) return;
  for (const NodeGpus& part : gpus) {
    GpuMask& rest = tenancy_->sealed[part.node.index()];
    if (rest != 0) free_.give({part.node, rest});
    rest = 0;
  }
}

/// Places a job where only nodes that are free as a whole count.
bool Partition::place_dedicated(const View& view, JobId id) {
  Tenancy& t = *tenancy_;
  t.broken.clear();
  for (std::uint32_t n = 0; n < site_.topology.nodes(); ++n) {
    const NodeGpus there{NodeId(n), free_.mask(NodeId(n))};
    if (there.mask != 0 && there.mask != site_.topology.full(there.node)) t.broken.push_back(there);
  }
  for (const NodeGpus& part : t.broken) free_.take(part);
  const bool placed = place_at_rung(view, id);
  for (const NodeGpus& part : t.broken) free_.give(part);
  if (placed) seal(id, choices_[chosen_ - 1].gpus);
  return placed;
}

/// Nodes that hold nothing but running jobs of one GPU, with these, by node; empty for others.
std::vector<std::vector<JobId>> Partition::singles() const {
  std::vector<std::vector<JobId>> on(site_.topology.nodes());
  std::vector<GpuMask> held(site_.topology.nodes(), 0);
  for (std::uint32_t slot = 0; slot < running_.size(); ++slot) {
    const JobId job = running_.job[slot];
    if (tenancy_->book.width(job) > 1 || running_.released[slot] != 0 || choice_of_[job.index()] != 0) continue;
    const NodeGpus& part = running_.holds[slot].gpus.front();
    on[part.node.index()].push_back(job);
    held[part.node.index()] |= part.mask;
  }
  for (std::uint32_t n = 0; n < on.size(); ++n) {
    if ((held[n] | free_.mask(NodeId(n))) != site_.topology.full(NodeId(n))) on[n].clear(), held[n] = 0;
  }
  return on;
}

/// The nodes of one cabinet that are cleared for a job by moving fewest others: as few as could ever hold it. Empty if
/// there are none.
std::vector<NodeId> Partition::nodes_to_clear(const std::vector<std::vector<JobId>>& on, std::uint32_t gpus) const {
  const std::uint32_t wanted = tenancy_->ladder.fewest(gpus), each = (gpus + wanted - 1) / wanted;
  std::vector<std::tuple<std::size_t, std::uint32_t, std::uint32_t>> of_cabinet;  // jobs to move, GPUs, node
  std::vector<NodeId> best;
  std::size_t least = SIZE_MAX;
  const auto close = [&] {
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
    if (n > 0 && site_.topology.cabinet_of(node) != site_.topology.cabinet_of(NodeId(n - 1))) close();
    const bool whole = free_.mask(node) == site_.topology.full(node);
    if (site_.topology.gpus_of(node) < each || (on[n].empty() && !whole)) continue;
    of_cabinet.emplace_back(on[n].size(), site_.topology.gpus_of(node), n);
  }
  close();
  return best;
}

/// A job moves, on paper, to the node with fewest free GPUs among those in use that stay; false if there is none.
bool Partition::move_away(JobId job, const std::vector<NodeId>& cleared) {
  std::tuple<int, std::uint32_t> best{INT32_MAX, 0};
  for (std::uint32_t n = 0; n < site_.topology.nodes(); ++n) {
    const GpuMask mask = free_.mask(NodeId(n));
    if (mask == 0 || mask == site_.topology.full(NodeId(n))) continue;
    if (std::find(cleared.begin(), cleared.end(), NodeId(n)) != cleared.end()) continue;
    best = std::min(best, {std::popcount(mask), n});
  }
  if (std::get<0>(best) == INT32_MAX) return false;
  const NodeId node(std::get<1>(best));
  Choice& choice = next_choice(job);
  choice.gpus = {{node, lowest(free_.mask(node), 1)}};
  for (const NodeGpus& part : running_.holds[running_.slot_of(job)].gpus) free_.give(part);
  free_.take(choice.gpus.front());
  choice_of_[job.index()] = static_cast<std::uint32_t>(++chosen_);
  return true;
}

/// Moves jobs of one GPU together until a job of several has nodes of its own; nobody moves in vain.
bool Partition::place_by_clearing(const View& view, JobId id) {
  Tenancy& t = *tenancy_;
  const std::uint32_t gpus = view.job(id).gpus;
  if (!t.rules.defragment || gpus >= t.no_room || free_.total() < gpus) return false;
  const auto on = singles();
  const auto cleared = nodes_to_clear(on, gpus);
  const std::size_t first = chosen_;
  bool moved = !cleared.empty();
  for (std::size_t i = 0; moved && i < cleared.size(); ++i) {
    for (const JobId job : on[cleared[i].index()]) moved = moved && move_away(job, cleared);
  }
  t.ladder.forget();
  if (moved && place_dedicated(view, id)) {
    t.freed = true;
    return true;
  }
  while (chosen_ > first) {
    const Choice& undone = choices_[--chosen_];
    free_.give(undone.gpus.front());
    for (const NodeGpus& part : running_.holds[running_.slot_of(undone.job)].gpus) free_.take(part);
    choice_of_[undone.job.index()] = 0;
  }
  t.ladder.forget();
  t.no_room = gpus;
  return false;
}

}  // namespace palstudy
