// SPDX-License-Identifier: MIT
#include "study/cost.hpp"

#include <algorithm>
#include <cmath>
#include <compare>
#include <memory>
#include <set>

#include "archive/archive.hpp"
#include "core/numbers.hpp"

namespace palstudy {
namespace {

// Seconds of one core of a 2 GHz server: of each GPU before the run begins; of each job; of each boundary that is
// looked at; there, of each running job that an order sorts, and of each that is placed afresh, times the logarithm of
// the GPUs to choose from; of each GPU that a placement by chance passes over.
constexpr double gpu_s = 0.25e-6, job_s = 0.6e-6, step_s = 0.45e-6, sorted_s = 0.1e-6, placed_s = 0.02e-6;
constexpr double passed_s = 2e-9;
// Which share of the running jobs a placement afresh moves at a boundary, as far as that can be said at all.
constexpr double share_moved = 0.2;

// Memory of a process that has read its libraries and data; of each job and each GPU.
constexpr double base_mib = 21, job_input_bytes = sizeof(Job) + 8, job_run_bytes = 220, gpu_run_bytes = 84;
// Rows while a run goes on, in arrays that have room to grow; once it has ended they lie in its result, its record and
// its frame. And what the study itself takes of each run.
constexpr double growing_rows = 1.5, ended_rows = 3, plan_mib = 2000 / mib;

// Bytes of a row in a shard, and in an archive, where rows are compressed: measured over archives of experiments/ (the
// storage of the datasets that h5ls -rv tells, by rows). Those of jobs are half to one and a half times as many.
struct RowBytes {
  double shard, archive;
};
constexpr RowBytes run_row{2500, 140}, node_row{96, 5}, job_row{172, 20}, event_row{44, 5}, move_row{44, 1.5},
    event_gpu_row{8, 0.75}, round_row{48, 3}, delay_row{64, 1}, failure_row{80, 18};
// Of an archive with nothing in it; of a measured time of its profile, of a cluster, and of a GPU there for each class.
constexpr double archive_bytes = 60e3, measured_time_bytes = 12, cluster_bytes = 3e3, slowdown_bytes = 8.5;

double bytes_of(const RowCounts& rows, double RowBytes::*place) {
  return job_row.*place * rows.jobs + event_row.*place * rows.events + move_row.*place * rows.moves +
         event_gpu_row.*place * rows.event_gpus + round_row.*place * rows.rounds + delay_row.*place * rows.delays +
         failure_row.*place * rows.failures;
}

double fixed_bytes(const Inputs::Loaded& inputs, double RowBytes::*place) {
  const auto nodes = static_cast<double>(inputs.topology.nodes());
  return run_row.*place + (nodes <= nodes_table_limit ? node_row.*place * nodes : 0);
}

std::unique_ptr<PlacementPolicy> placement_of(const RunPlan& run, const Inputs::Loaded& inputs) {
  const PlacementContext context{inputs.topology, inputs.believed, inputs.believed_penalty, run.policy.seed};
  return placements().at(run.policy.placement).make(context, run.policy.placement_params);
}

// What is known of the rows of a run beforehand: every job is launched once and ends once.
RowCounts certain_rows(const RunPlan& run, const Inputs::Loaded& inputs, const CertainJobs& certain) {
  RowCounts rows;
  if (run.output.jobs) rows.jobs = certain.jobs;
  if (run.output.jobs && inputs.tenants) rows.delays = certain.jobs;
  if (run.output.events) rows.events = 2 * certain.jobs;
  if (run.output.events) rows.event_gpus = certain.gpus;
  return rows;
}

double of_slowdowns(const Inputs::Loaded& inputs, double bytes) {
  return bytes * static_cast<double>(inputs.topology.gpus()) * static_cast<double>(inputs.truth.classes());
}

// Adds up runs; what several have in common counts once.
class CostSums {
 public:
  explicit CostSums(Inputs& inputs) : inputs_(inputs) {}

  void add(const RunPlan& run, const RunWork& work) {
    const Inputs::Loaded loaded = inputs_.load(run);
    const auto jobs = static_cast<double>(loaded.workload.jobs.size()),
               gpus = static_cast<double>(loaded.topology.gpus());
    const double rows_mib = (fixed_bytes(loaded, &RowBytes::shard) + bytes_of(work.rows, &RowBytes::shard)) / mib;
    const double run_mib = (job_run_bytes * jobs + gpu_run_bytes * gpus) / mib + growing_rows * rows_mib;
    const double jobs_mib = job_input_bytes * jobs / mib, cluster_mib = of_slowdowns(loaded, 18) / mib;
    if (workloads_.insert(&loaded.workload).second) inputs_mib_ += jobs_mib;
    if (beliefs_.insert(&loaded.believed).second) inputs_mib_ += cluster_mib;
    if (clusters_.insert(inputs_.cluster_key(run)).second) common_bytes_ += archived_cluster_bytes(run, loaded);
    const double disk = fixed_bytes(loaded, &RowBytes::archive) + bytes_of(work.rows, &RowBytes::archive);
    all_.runs.push_back({work.core_s, base_mib + jobs_mib + cluster_mib + run_mib, disk / mib});
    all_.core_s += work.core_s;
    all_.shards_mib += rows_mib;
    all_.least_shards_mib += std::min(rows_mib, least_rows_mib(run, loaded));
    inputs_mib_ += plan_mib;
    largest_run_mib_ = std::max({largest_run_mib_, run_mib, ended_rows * rows_mib});
  }

  StudyCost take() {
    for (const Measurements* profile : inputs_.measurements()) {
      common_bytes_ += measured_time_bytes * static_cast<double>(profile->runs());
    }
    for (RunCost& run : all_.runs) {
      run.disk_mib += common_bytes_ / static_cast<double>(all_.runs.size()) / mib;
      all_.disk_mib += run.disk_mib;
    }
    all_.memory_mib = base_mib + inputs_mib_ + largest_run_mib_;
    // One run at a time, and a chunk of each column (archive/record_source.hpp).
    constexpr double most_chunks_mib = 100;
    all_.merge_mib = all_.memory_mib + std::min(all_.shards_mib, most_chunks_mib);
    return std::move(all_);
  }

 private:
  static double least_rows_mib(const RunPlan& run, const Inputs::Loaded& loaded) {
    const RowCounts rows = certain_rows(run, loaded, certain_jobs(run, loaded));
    return (fixed_bytes(loaded, &RowBytes::shard) + bytes_of(rows, &RowBytes::shard)) / mib;
  }
  // A large cluster that was drawn is there as its recipe.
  static double archived_cluster_bytes(const RunPlan& run, const Inputs::Loaded& loaded) {
    const bool whole = run.cluster.source == "table" || loaded.topology.gpus() <= archived_slowdowns_limit;
    return cluster_bytes + (whole ? of_slowdowns(loaded, slowdown_bytes) : 0);
  }

  Inputs& inputs_;
  StudyCost all_;
  std::set<const void*> workloads_, beliefs_;
  std::set<std::string> clusters_;
  double common_bytes_ = archive_bytes, inputs_mib_ = 0, largest_run_mib_ = 0;
};

}  // namespace

CertainJobs certain_jobs(const RunPlan& run, const Inputs::Loaded& inputs) {
  const Workload& workload = inputs.workload;
  CertainJobs all;
  double last_arrival_s = 0, held_gpu_s = 0;
  for (const Job& job : workload.jobs) {
    if (!run.measure.takes(job)) continue;
    all.measured += 1;
    last_arrival_s = std::max(last_arrival_s, job.submit_s);
    all.end_s = std::max(all.end_s, job.submit_s + job.ideal_s());
  }
  for (const Job& job : workload.jobs) {
    if (job.submit_s > std::min(last_arrival_s, run.measure.end_s)) break;
    all.jobs += 1;
    all.gpus += job.gpus;
    all.held_s += job.ideal_s();
    held_gpu_s += job.gpus * job.ideal_s();
  }
  // Until the last measured job has run, or the cluster has done the work.
  all.end_s = std::min(std::max(all.end_s, held_gpu_s / inputs.topology.gpus()), run.measure.end_s);
  return all;
}

RunWork work_by_formula(const RunPlan& run, const Inputs::Loaded& inputs) {
  const CertainJobs certain = certain_jobs(run, inputs);
  const auto placement = placement_of(run, inputs);
  const bool preemptive = orders().at(run.policy.order).make(run.policy.order_params)->preemptive();
  const bool chance = !placement->repeatable(), afresh = !placement->sticky();
  const double gpus = inputs.topology.gpus(), partitions = run.cluster.partitions;
  // Where running jobs cannot change places by time alone, a boundary is looked at when a job arrives or ends.
  const double rounds = std::max(1.0, certain.end_s / run.engine.round_s);
  const double boundaries = preemptive || chance ? rounds : std::min(rounds, 2 * certain.jobs);
  const double running = boundaries * std::min(gpus, certain.held_s / std::max(certain.end_s, 1.0));  // jobs, summed
  const double passed = chance ? passed_s * gpus / partitions : 0;
  RunWork work;
  work.boundaries = boundaries;
  work.jobs = certain.jobs;
  work.core_s = gpu_s * gpus + (job_s + passed) * certain.jobs + step_s * (1 + partitions / 4) * boundaries;
  if (preemptive) work.core_s += sorted_s * running;
  if (afresh) work.core_s += (placed_s * std::log2(gpus / partitions + 1) + passed) * running;
  work.rows = certain_rows(run, inputs, certain);
  if (run.output.rounds) work.rows.rounds = std::min(boundaries, 2 * certain.jobs);
  if (run.output.events && afresh) {
    work.rows.moves = (chance ? 1 : share_moved) * running;
    work.rows.event_gpus += work.rows.moves * certain.gpus / std::max(certain.jobs, 1.0);
  }
  return work;
}

RunWork work_of(const RunPlan& run, const RunResult& result) {
  RunWork work;
  work.jobs = static_cast<double>(result.jobs.size());
  RowCounts& rows = work.rows;
  rows.failures = static_cast<double>(result.failures.size());
  if (run.output.jobs) rows.jobs = work.jobs;
  if (run.output.jobs) rows.delays = static_cast<double>(result.delays.size());
  rows.rounds = static_cast<double>(result.rounds.size());
  const auto events = static_cast<double>(result.events.size());
  rows.events = std::min(events, 2 * (work.jobs + rows.failures));
  rows.moves = events - rows.events;
  rows.event_gpus = static_cast<double>(result.events.gpus.size());
  return work;
}

RunWork operator*(RunWork work, double times) {
  for (double* all : {&work.core_s, &work.boundaries, &work.jobs}) *all *= times;
  RowCounts& rows = work.rows;
  for (double* all :
       {&rows.jobs, &rows.events, &rows.moves, &rows.event_gpus, &rows.rounds, &rows.delays, &rows.failures}) {
    *all *= times;
  }
  return work;
}

StudyCost cost_of(const Study& study, Inputs& inputs, const std::vector<RunWork>& work) {
  CostSums sums(inputs);
  for (std::size_t i = 0; i < work.size(); ++i) sums.add(study.runs[i], work[i]);
  return sums.take();
}

StudyCost cost_by_formula(const Study& study, Inputs& inputs) {
  std::vector<RunWork> work;
  for (const RunPlan& run : study.runs) work.push_back(work_by_formula(run, inputs.load(run)));
  return cost_of(study, inputs, work);
}

std::vector<std::size_t> most_expensive_first(const StudyCost& known, std::vector<std::size_t> runs) {
  std::stable_sort(runs.begin(), runs.end(), [&](std::size_t left, std::size_t right) {
    return std::is_gt(std::weak_order(known.runs[left].core_s, known.runs[right].core_s));
  });
  return runs;
}

}  // namespace palstudy
