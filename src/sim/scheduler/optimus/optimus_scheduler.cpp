// SPDX-License-Identifier: MIT
#include "sim/scheduler/optimus/optimus_scheduler.hpp"

#include <algorithm>
#include <cstddef>
#include <vector>

#include "core/numbers.hpp"
#include "sim/scheduler/elastic/elastic_decisions.hpp"
#include "sim/scheduler/optimus/gpu_counts.hpp"

namespace palstudy {

double OptimusScheduler::next_change_s(const View& view) { return idle() ? infinity : view.now_s; }

void OptimusScheduler::decide(const View& view, Transaction& transaction) {
  const ElasticJobs& elastic = *state_.world.elastic;
  const std::vector<ElasticState> states = elastic_states(state_, view.now_s);
  std::vector<OptimusJob> jobs;
  for (const ElasticState& one : states) {
    const ElasticModel& model = elastic.model(one.job);
    const std::uint32_t batch = elastic.batch[one.job.index()];
    jobs.push_back({iterations_after(model, batch, one.epoch), std::max(1U, batch / model.limits.min_local)});
  }
  const std::uint32_t per_node = state_.topology().widest_node();
  const auto step_s = [&](std::size_t i, std::uint32_t gpus) {
    const ElasticModel& model = elastic.model(states[i].job);
    return packed_step_s(model.limits, model.types.front(), elastic.batch[states[i].job.index()], gpus, per_node);
  };
  const std::vector<std::uint32_t> counts = gpu_counts(jobs, usable_gpus(state_), step_s);
  std::vector<ElasticDecision> decisions;
  for (std::size_t i = 0; i < states.size(); ++i) {
    decisions.push_back({{counts[i], 0}, states[i].runs() && states[i].gpus == counts[i]});
  }
  carry_out(states, decisions, transaction);
}

}  // namespace palstudy
