// SPDX-License-Identifier: MIT
#include "campaign/cost.hpp"

#include <algorithm>
#include <compare>
#include <set>

#include "archive/archive.hpp"
#include "core/numbers.hpp"
#include "inputs/inputs.hpp"

namespace palstudy {
namespace {

// Seconds of one core of a 2 GHz server: of each GPU before the run begins; of each job; and, where policies repack all
// running jobs, of each running job in each round.
constexpr double gpu_s = 0.25e-6, job_s = 2e-6, placed_s = 0.3e-6;

// Memory of a process that has read its libraries and data; of each job, of each GPU there for each class, and of both
// while a run goes on.
constexpr double base_mib = 21, job_input_bytes = sizeof(Job) + 8, slowdown_memory_bytes = 18;
constexpr double job_run_bytes = 220, gpu_run_bytes = 84;
// Rows while a run goes on, in arrays that have room to grow; once it has ended they lie in its result, its record and
// its frame. And what the study itself takes of each run.
constexpr double growing_rows = 1.5, ended_rows = 3, plan_mib = 2000 / mib;

// Bytes of a row in a shard, and in an archive, where rows are compressed: measured over archives of experiments/ (the
// storage of datasets by h5ls -rv, divided by rows). Rows of jobs vary by a factor of 0.5 to 1.5.
struct RowBytes {
  double shard, archive;
};
const std::map<TableId, RowBytes>& row_bytes() {
  static const std::map<TableId, RowBytes> all = {{TableId::runs, {2500, 140}},  {TableId::nodes, {96, 5}},
                                                  {TableId::jobs, {172, 20}},    {TableId::events, {44, 3}},
                                                  {TableId::rounds, {48, 3}},    {TableId::event_gpus, {8, 0.75}},
                                                  {TableId::failures, {80, 18}}, {TableId::delays, {64, 1}}};
  return all;
}
// Bytes of an empty archive, of one measured time of its profile, of one cluster, and of one slowdown.
constexpr double archive_bytes = 60e3, measured_time_bytes = 12, cluster_bytes = 3e3, slowdown_bytes = 8.5;

double mib_of(const std::map<TableId, double>& rows, double RowBytes::*place) {
  double bytes = 0;
  for (const auto& [table, count] : rows) bytes += count * row_bytes().at(table).*place;
  return bytes / mib;
}

bool repacks_all(const RunPlan& run, const Inputs::Loaded& inputs) {
  const PlacementContext context{inputs.topology, inputs.believed, inputs.believed_penalty, run.policy.seed};
  return !placements().at(run.policy.placement).make(context, run.policy.placement_params)->sticky();
}

// Adds up runs; what several have in common counts once.
class CostSums {
 public:
  explicit CostSums(Inputs& inputs) : inputs_(inputs) {}

  void add(const RunPlan& run, const RunWork& work) {
    const Inputs::Loaded loaded = inputs_.load(run);
    const auto jobs = static_cast<double>(loaded.workload.jobs.size());
    const double gpus = loaded.topology.gpus(), slowdowns = gpus * static_cast<double>(loaded.truth.classes());
    std::map<TableId, double> rows = work.rows;
    rows[TableId::runs] = 1;
    if (loaded.topology.nodes() <= nodes_table_limit) rows[TableId::nodes] = loaded.topology.nodes();
    const double rows_mib = mib_of(rows, &RowBytes::shard);
    const double run_mib = (job_run_bytes * jobs + gpu_run_bytes * gpus) / mib + growing_rows * rows_mib;
    const double jobs_mib = job_input_bytes * jobs / mib, cluster_mib = slowdown_memory_bytes * slowdowns / mib;
    // A large cluster that was drawn is there as its recipe.
    const bool whole = run.cluster.source == "table" || gpus <= archived_slowdowns_limit;
    if (is_new(loaded.workload)) inputs_mib_ += jobs_mib;
    if (is_new(loaded.believed)) inputs_mib_ += cluster_mib;
    if (is_new(loaded.truth)) common_bytes_ += cluster_bytes + (whole ? slowdown_bytes * slowdowns : 0);
    all_.runs.push_back({work.core_s, base_mib + jobs_mib + cluster_mib + run_mib, mib_of(rows, &RowBytes::archive)});
    all_.core_s += work.core_s;
    all_.shards_mib += rows_mib;
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
  template <class Input>
  bool is_new(const Input& input) {
    return seen_.insert(&input).second;
  }

  Inputs& inputs_;
  StudyCost all_;
  std::set<const void*> seen_;
  double common_bytes_ = archive_bytes, inputs_mib_ = 0, largest_run_mib_ = 0;
};

}  // namespace

CertainJobs certain_jobs(const RunPlan& run, const Inputs::Loaded& inputs) {
  CertainJobs all;
  double last_arrival_s = 0;
  for (const Job& job : inputs.workload.jobs) {
    if (!run.measure.takes(job)) continue;
    all.measured += 1;
    last_arrival_s = std::max(last_arrival_s, job.submit_s);
  }
  for (const Job& job : inputs.workload.jobs) {
    if (job.submit_s > std::min(last_arrival_s, run.measure.end_s)) break;
    all.jobs += 1;
    all.gpus += job.gpus;
    all.held_s += job.ideal_s();
  }
  return all;
}

RunWork work_by_formula(const RunPlan& run, const Inputs::Loaded& inputs) {
  const CertainJobs certain = certain_jobs(run, inputs);
  RunWork work;
  work.core_s = gpu_s * inputs.topology.gpus() + job_s * certain.jobs;
  if (repacks_all(run, inputs)) work.core_s += placed_s * certain.held_s / run.engine.round_s;
  // Every job is launched once and ends once.
  if (run.output.jobs) work.rows[TableId::jobs] = certain.jobs;
  if (run.output.jobs && inputs.tenants) work.rows[TableId::delays] = certain.jobs;
  if (run.output.events) work.rows[TableId::events] = 2 * certain.jobs;
  if (run.output.events) work.rows[TableId::event_gpus] = certain.gpus;
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
