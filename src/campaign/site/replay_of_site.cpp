// SPDX-License-Identifier: MIT
#include "campaign/site/replay_of_site.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>
#include <vector>

#include "campaign/execute.hpp"
#include "core/numbers.hpp"
#include "core/registry.hpp"
#include "inputs/site_validation.hpp"
#include "policy/backfill_policy.hpp"

namespace palstudy {
namespace {

/// The jobs that the site started, with the time that they held GPUs from time 0 on as their work.
Workload as_recorded(const Workload& workload) {
  Workload recorded = workload;
  (void)leave_out(recorded, [&](const Job& job) { return !recorded_times(workload, job).known(); });
  for (Job& job : recorded.jobs) {
    job.iterations = held_from_zero_s(recorded_times(recorded, job));
    job.iteration_s = 1;
  }
  return recorded;
}

/// Slurm rounds its promises by the clock, and the log says at which second of the minute time 0 was.
void set_clock(RunPlan& run, const Workload& workload) {
  const char* const clock = "clock_s";
  const auto& params = backfills().at(run.policy.backfill).params;
  if (!(workload.zero_s > 0) || std::ranges::find(params, clock, &Param::name) == params.end()) return;
  ParamValues& values = run.policy.backfill_params;
  if (values.number(clock) == 0) values.set(clock, std::floor(std::fmod(workload.zero_s, minute_s)));
}

ReplayedLog replayed(const Workload& workload, const RunResult& result, std::uint32_t gpus) {
  ReplayedLog log;
  log.queues = workload.queues, log.tenants = workload.tenants;
  log.zero_s = workload.zero_s, log.gpus = gpus;
  for (const Job& job : workload.jobs) {
    const RecordedTimes times = recorded_times(workload, job);
    log.jobs.push_back({.submit_s = job.submit_s,
                        .recorded_start_s = times.start_s,
                        .simulated_start_s = std::numeric_limits<double>::quiet_NaN(),
                        .ran_s = job.ideal_s(),
                        .gpus = job.gpus,
                        .queue = job.queue,
                        .tenant = job.tenant,
                        .initial = job.id < 0});
  }
  for (std::size_t row = 0; row < result.jobs.size(); ++row) {
    log.jobs[result.jobs.job[row].index()].simulated_start_s = result.jobs.start_s[row];
  }
  return log;
}

}  // namespace

Validation replay_of_site(const Study& study, Inputs& inputs) {
  RunPlan run = as_the_site_ran(study);
  const Inputs::Loaded loaded = inputs.load(run);
  require_recorded_starts(loaded.workload, run);
  set_clock(run, loaded.workload);
  const Workload jobs = as_recorded(loaded.workload);
  const Slowdowns alike = Slowdowns::flat(loaded.truth.class_names(), loaded.truth.gpus());
  const std::vector<JobModel> plain(loaded.job_models.size());
  const Penalties none(LocalityPenalty{1, 1, 1});
  const StartRules starts(jobs);  // of the jobs that are left
  const Inputs::Loaded flat{loaded.topology,
                            alike,
                            loaded.believed,
                            jobs,
                            none,
                            none,
                            plain,
                            loaded.tenants,
                            nullptr,
                            loaded.partitioning,
                            loaded.of_tenant,
                            loaded.outages,
                            loaded.node_weights,
                            nullptr,
                            std::nullopt,
                            loaded.queues,
                            loaded.shares,
                            loaded.starts == nullptr || starts.empty() ? nullptr : &starts};
  return validation_of(replayed(jobs, simulate_loaded(run, flat), loaded.topology.gpus()));
}

}  // namespace palstudy
