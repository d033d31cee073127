// SPDX-License-Identifier: MIT
#include "study/estimate.hpp"

#include <algorithm>
#include <cmath>
#include <set>

#include "core/numbers.hpp"
#include "policy/order_policy.hpp"
#include "policy/placement_policy.hpp"

namespace palstudy {
namespace {

// Memory of a process that has read its libraries and its data, and of one job of the workload and of one that runs.
constexpr double base_mib = 19.5, job_input_bytes = sizeof(Job) + 8, job_run_bytes = 170;
// Bytes of a row in a shard: 8 a number, 4 a text code.
constexpr double job_row = 172, event_row = 44, gpu_row = 8, round_row = 48, node_row = 96, run_row = 2500;
// Seconds of the engine: by job, by boundary looked at, by running job that might move, by job in an order that changes
// with time, by GPU that chance passes over; by placement afresh on 64 GPUs and for each time that cluster and
// partition are twice as large (farther memory).
constexpr double job_s = 0.6e-6, boundary_s = 0.45e-6, move_s = 0.13e-6, order_s = 0.1e-6, chance_s = 5e-9;
constexpr double placement_s = 0.16e-6, doubling_s = 0.026e-6;
// How much longer jobs run than on median GPUs.
constexpr double stretch = 1.12;
// Of the search for how long a study lasts in which later jobs go first; each takes one look at the jobs.
constexpr int most_steps = 50;

double runs_s(const Inputs::Loaded& inputs, std::size_t place) {
  const Job& job = inputs.workload.jobs[place];
  const LocalityPenalty& penalty = inputs.penalty.of(JobId(place));
  const bool wide = job.gpus > inputs.topology.gpus_of(NodeId(0));
  return stretch * (wide ? penalty.cabinet : penalty.node) * job.ideal_s();
}

bool measured(const MeasureWindow& measure, const Job& job) {
  if (!measure.by_window) return job.id >= measure.first && job.id <= measure.last;
  return job.submit_s >= measure.warmup_s && job.submit_s < measure.warmup_s + measure.window_s;
}

// What goes on until the last measured job finishes.
struct Activity {
  double jobs = 0, sure_jobs = 0;  // that arrive; before the last measured one arrives
  double sure_gpus = 0, gpus = 0;  // sums of their widths
  double span_s = 0;
  double boundaries = 0;  // at which something can change
  double ordered = 0;     // jobs that an order sorts again, over all boundaries
  double running = 0;     // on average
  double waiting = 0;     // on average, of what arrives and does not fit
};

// The work in GPU-seconds that goes before the last measured job: what arrived until then and, where running jobs are
// stopped for others, as much of each that comes later as the longest of the measured ones takes. Under LAS this is the
// load that such a job sees in a queue that serves the least attained first (Kleinrock, Queueing Systems II, 4.7).
double work_before(const Inputs::Loaded& inputs, double last_arrival_s, double until_s, double longest_s) {
  double work_gpu_s = 0;
  const auto& jobs = inputs.workload.jobs;
  for (std::size_t i = 0; i < jobs.size() && jobs[i].submit_s <= std::max(last_arrival_s, until_s); ++i) {
    const double held_s = runs_s(inputs, i);
    work_gpu_s += jobs[i].gpus * (jobs[i].submit_s <= last_arrival_s ? held_s : std::min(held_s, longest_s));
  }
  return work_gpu_s;
}

// As long as the last measured job runs, or as long as the cluster takes for the work that goes before it.
double span_of(const RunPlan& run, const Inputs::Loaded& inputs, bool preemptive, double& last_arrival_s) {
  double alone_s = 0, longest_s = 0;
  const auto& jobs = inputs.workload.jobs;
  for (std::size_t i = 0; i < jobs.size(); ++i) {
    if (!measured(run.measure, jobs[i])) continue;
    last_arrival_s = std::max(last_arrival_s, jobs[i].submit_s);
    alone_s = std::max(alone_s, jobs[i].submit_s + runs_s(inputs, i));
    longest_s = std::max(longest_s, runs_s(inputs, i));
  }
  double span_s = 0;
  // Who arrives in a longer time delays it further; nothing grows once all have arrived.
  for (int step = 0; step < most_steps; ++step) {
    const double work_gpu_s = work_before(inputs, last_arrival_s, preemptive ? span_s : 0, longest_s);
    const double longer_s = std::max(alone_s, work_gpu_s / inputs.topology.gpus());
    if (longer_s <= span_s * 1.001) break;
    span_s = longer_s;
  }
  return std::min(span_s, run.measure.end_s);
}

Activity activity_of(const RunPlan& run, const Inputs::Loaded& inputs, bool preemptive, bool every_boundary) {
  Activity all;
  const auto gpus = static_cast<double>(inputs.topology.gpus());
  double last_arrival_s = 0, busy_s = 0, busy_gpu_s = 0;
  all.span_s = span_of(run, inputs, preemptive, last_arrival_s);
  for (std::size_t i = 0; i < inputs.workload.jobs.size(); ++i) {
    const Job& job = inputs.workload.jobs[i];
    if (job.submit_s > all.span_s) break;
    all.jobs += 1;
    all.gpus += job.gpus;
    if (job.submit_s <= last_arrival_s) {
      all.sure_jobs += 1;
      all.sure_gpus += job.gpus;
    }
    const double held_s = std::min(runs_s(inputs, i), all.span_s - job.submit_s);
    busy_s += held_s;
    busy_gpu_s += held_s * job.gpus;
  }
  // Little's law; a full cluster runs no more than fits.
  const double fits = std::min(1.0, gpus * all.span_s / std::max(busy_gpu_s, 1.0));
  if (all.span_s > 0) all.running = busy_s / all.span_s * fits;
  all.waiting = all.jobs * (1 - fits) / 2;
  const double rounds = std::max(1.0, all.span_s / run.engine.round_s);
  // Every job changes who runs about once, at a boundary that chance chooses.
  const bool all_rounds = every_boundary || (preemptive && all.waiting > 1);  // jobs that wait and run change places
  all.boundaries = all_rounds ? rounds : rounds * (1 - std::exp(-all.jobs / rounds));
  if (preemptive) all.ordered = all.boundaries * (all.running + all.waiting);
  return all;
}

double seconds(const RunPlan& run, const Inputs::Loaded& inputs, const PlacementPolicy& placement,
               const Activity& all) {
  const double partitions = run.cluster.partitions;
  double result = 2e-5 + job_s * all.jobs + order_s * all.ordered + boundary_s * all.boundaries * (1 + partitions / 4);
  const auto gpus = static_cast<double>(inputs.topology.gpus());
  const double chance = placement.repeatable() ? 0.0 : chance_s * gpus / partitions;
  if (!placement.sticky()) {
    const bool by_bins = placement.needs().exact_bins || placement.needs().bins_up_to;
    const double doublings = std::max(0.0, std::log2(gpus / 64) - std::log2(partitions) / 2);
    const double each = (placement_s + doubling_s * doublings) * (by_bins ? 1.0 : 0.6);
    result += all.boundaries * all.running * (each + chance);
  } else if (placement.moves_running()) {
    result += all.boundaries * all.running * move_s;
  }
  return result + chance * all.jobs;
}

// Bytes a GPU; tests/cluster holds the index to 24.
double index_bytes(const PlacementPolicy& placement) {
  const TreeNeeds needs = placement.needs();
  if (!needs.exact_bins && !needs.bins_up_to) return 1.5;
  return placement.sticky() ? 14 : 23;
}

double row_bytes(const RunPlan& run, const Inputs::Loaded& inputs, double jobs, double events, double event_gpus,
                 double rounds) {
  double bytes = run_row;
  if (inputs.topology.nodes() <= nodes_table_limit) bytes += node_row * inputs.topology.nodes();
  if (run.output.jobs) bytes += job_row * jobs;
  if (run.output.events) bytes += event_row * events + gpu_row * event_gpus;
  if (run.output.rounds) bytes += round_row * rounds;
  return bytes;
}

}  // namespace

RunEstimate estimate(const RunPlan& run, const Inputs::Loaded& inputs) {
  const PlacementContext context{inputs.topology, inputs.believed, inputs.believed_penalty, run.policy.seed};
  const auto placement = placements().at(run.policy.placement).make(context, run.policy.placement_params);
  const bool preemptive = orders().at(run.policy.order).make(run.policy.order_params)->preemptive();
  const Activity all = activity_of(run, inputs, preemptive, !placement->repeatable());
  const auto gpus = static_cast<double>(inputs.topology.gpus());
  const auto known = static_cast<double>(inputs.workload.jobs.size());
  RunEstimate result;
  result.core_s = seconds(run, inputs, *placement, all);
  result.jobs = all.jobs;
  // Jobs that run afresh at every boundary are stopped and launched elsewhere at most of them.
  const double moved = placement->sticky() ? 0.0 : 0.75 * all.boundaries * all.running;
  const double width = all.gpus / std::max(all.jobs, 1.0), events = 2 * all.jobs + moved;
  result.rows_mib =
      row_bytes(run, inputs, all.jobs, events, events * width, std::min(all.boundaries, 2 * all.jobs)) / mib;
  // Every job is launched and finishes; whether others are moved is not certain.
  result.least_rows_mib = row_bytes(run, inputs, all.sure_jobs, 2 * all.sure_jobs, 2 * all.sure_gpus, 0) / mib;
  const double beliefs = run.policy.knowledge == "oracle" ? 1 : 2;
  const auto classes = static_cast<double>(inputs.truth.classes());
  result.inputs_mib = (known * job_input_bytes + gpus * classes * (8 * beliefs + 2)) / mib;
  double recorded = 0;
  if (run.output.events) recorded += 24 * events + 4 * events * width;
  if (run.output.rounds) recorded += 32 * all.boundaries;
  result.memory_mib =
      base_mib + result.inputs_mib + (known * job_run_bytes + gpus * index_bytes(*placement) + recorded) / mib;
  return result;
}

StudyEstimate estimate(const Study& study, Inputs& inputs) {
  StudyEstimate all;
  std::set<const void*> clusters, workloads;
  double inputs_mib = 0, largest_run_mib = 0, largest_rows_mib = 0;
  for (const RunPlan& run : study.runs) {
    const auto loaded = inputs.load(run);
    const RunEstimate one = estimate(run, loaded);
    all.core_s += one.core_s;
    all.shards_mib += one.rows_mib;
    all.least_shards_mib += one.least_rows_mib;
    const bool new_cluster = clusters.insert(&loaded.believed).second;
    const bool new_jobs = workloads.insert(&loaded.workload).second;
    const double jobs_mib = static_cast<double>(loaded.workload.jobs.size()) * job_input_bytes / mib;
    inputs_mib += (new_cluster ? one.inputs_mib - jobs_mib : 0) + (new_jobs ? jobs_mib : 0);
    largest_run_mib = std::max(largest_run_mib, one.memory_mib - one.inputs_mib);
    largest_rows_mib = std::max(largest_rows_mib, one.rows_mib);
    all.runs.push_back(one);
  }
  // The rows of a run lie in its record and once more in its frame, while the run's own state is gone.
  const double recording_mib = base_mib + 3 * largest_rows_mib;
  all.memory_mib = inputs_mib + std::max(largest_run_mib, recording_mib);
  // One run at a time, and a chunk of each column (archive/record_source.hpp).
  constexpr double most_chunks_mib = 100;
  all.merge_mib = std::max(all.memory_mib, inputs_mib + recording_mib + std::min(all.shards_mib, most_chunks_mib));
  return all;
}

}  // namespace palstudy
