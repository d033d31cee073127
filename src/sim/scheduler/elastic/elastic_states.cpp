// SPDX-License-Identifier: MIT
#include "sim/scheduler/elastic/elastic_states.hpp"

#include <algorithm>

#include "topology/gpu_set.hpp"

namespace palstudy {

std::vector<ElasticState> elastic_states(PartitionState& state, double now_s) {
  std::vector<ElasticState> states;
  for (const JobId job : state.queue.waiting()) {
    if (state.table.waiting(job)) states.push_back({job, RunningSet::no_slot, state.table.course(job).work_done});
  }
  for (std::uint32_t slot = 0; slot < state.running.size(); ++slot) {
    const Segment& segment = state.running.progress[slot].segment;
    const GpuSet& gpus = state.running.allocation[slot].gpus;
    states.push_back({state.running.job[slot], slot, state.work.work_at(segment, now_s), 0, count(gpus),
                      static_cast<std::uint32_t>(gpus.size()), segment.from_s > now_s});
  }
  std::ranges::sort(states, {}, &ElasticState::job);
  for (ElasticState& one : states) one.epoch = state.world.elastic->model(one.job).epochs.at(one.work);
  return states;
}

std::uint32_t usable_gpus(const PartitionState& state) {
  std::uint32_t gpus = state.free.total();
  for (std::uint32_t slot = 0; slot < state.running.size(); ++slot) gpus += count(state.running.allocation[slot].gpus);
  return gpus;
}

}  // namespace palstudy
