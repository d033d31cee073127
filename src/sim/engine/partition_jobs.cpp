// SPDX-License-Identifier: MIT
// What a partition tells the others and exchanges with them: its summary, jobs that move, parts of wide jobs.
#include <algorithm>
#include <bit>

#include "core/error.hpp"
#include "policy/tensor_groups.hpp"
#include "sim/engine/partition.hpp"

namespace palstudy {

void Partition::summarize(Summaries& summaries, bool count_bins) {
  const PartitionId p = site_.id;
  summaries.set(p, Summaries::free_gpus, free_.total());
  summaries.set(p, Summaries::queued_jobs, queue_.size());
  summaries.set(p, Summaries::queued_gpus, static_cast<std::int64_t>(queue_.queued_gpus()));
  summaries.set(p, Summaries::demand_gpus, static_cast<std::int64_t>(demand_gpus()));
  summaries.set(p, Summaries::finished, recorder_.finished());
  told_late_ = false;
  std::size_t named = 0;
  const std::vector<JobId>& waiting = queue_.waiting();
  for (auto job = waiting.rbegin(); job != waiting.rend() && named < summaries.candidates(); ++job) {
    if (table_.waiting(*job) && !rows_.ever_launched(*job)) summaries.set_candidate(p, named++, *job);
  }
  for (; named < summaries.candidates(); ++named) summaries.set_candidate(p, named, std::nullopt);
  if (count_bins && summaries.with_bins()) count_free_by_bin(summaries);
  for (std::size_t i = 0; i < summaries.group_sizes().size(); ++i) {
    summaries.set_free_in_groups(p, i, free_in_groups(summaries.group_sizes()[i], free_));
  }
}

void Partition::count_free_by_bin(Summaries& summaries) const {
  const PartitionId p = site_.id;
  std::int64_t largest = 0;
  for (std::size_t c = 0; c < site_.bins.classes(); ++c) {
    const auto counts = summaries.free_by_bin(p, ClassId(c));
    std::fill(counts.begin(), counts.end(), 0);
    const auto& of_gpu = site_.bins.of(ClassId(c)).of_gpu;
    for (std::uint32_t n = 0; n < site_.topology.nodes(); ++n) {
      const GpuMask free = free_.mask(NodeId(n));
      const std::uint32_t first = site_.topology.first_gpu(NodeId(n)).value;
      largest = std::max<std::int64_t>(largest, std::popcount(free));
      for (GpuMask rest = free; rest != 0; rest &= rest - 1) {
        ++counts[of_gpu[first + static_cast<std::uint32_t>(std::countr_zero(rest))]];
      }
    }
  }
  summaries.set(p, Summaries::largest_node, largest);
}

void Partition::withdraw(JobId job) { queue_.withdraw(job); }

void Partition::receive(JobId job, double arrival_s) {
  if (fails()) {  // its attempts may be known to another rank alone
    attempts_.forget(job);
    (void)validate(arrival_s, job, false);
  }
  queue_.receive(job, arrival_s);
}

const GpuSet& Partition::take_part(double now_s, JobId id, std::uint32_t gpus) {
  const Job& job = world_.workload.jobs[id.index()];
  auto& [owner, part] = held_.emplace_back(id, GpuSet{});
  if (!choose({id, job.cls, gpus, now_s}, part)) throw fault("a part of a wide job does not fit");
  for (const NodeGpus& on_node : part) free_.take(on_node);
  held_gpus_ += gpus;
  previous_order_.clear();  // the next walk afresh finds other GPUs free
  touched_ = true;
  recorder_.launch_part(now_s, id, part);
  return part;
}

RatePart Partition::rate_part(JobId job, const GpuSet& gpus) const {
  return rates_.part(job, world_.workload.jobs[job.index()].cls, gpus);
}

bool Partition::holds(JobId job) const {
  return std::any_of(held_.begin(), held_.end(), [&](const auto& entry) { return entry.first == job; });
}

void Partition::give_part(JobId job, double length_s) {
  const auto held = std::find_if(held_.begin(), held_.end(), [&](const auto& entry) { return entry.first == job; });
  recorder_.held(held->second, length_s);
  for (const NodeGpus& on_node : held->second) {
    free_.give(on_node);
    held_gpus_ -= static_cast<std::uint32_t>(std::popcount(on_node.mask));
  }
  held_.erase(held);
  previous_order_.clear();
  touched_ = true;
}

}  // namespace palstudy
