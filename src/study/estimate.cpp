// SPDX-License-Identifier: MIT
#include "study/estimate.hpp"

#include <algorithm>
#include <cmath>
#include <compare>
#include <set>

#include "core/numbers.hpp"
#include "policy/placement_policy.hpp"
#include "sim/simulation.hpp"

namespace palstudy {
namespace {

// Memory of a process that has read its libraries and its data, and of one job of the workload and of one that runs.
constexpr double base_mib = 21, job_input_bytes = sizeof(Job) + 8, job_run_bytes = 180;
// Of a GPU: what making the cluster has left in the heap, and what partitions know of nodes.
constexpr double gpu_run_bytes = 60;
// And for each bin that was asked for, of at most so many GPUs of which bins are sought exactly (variability/bins.cpp).
constexpr double bin_bytes = 4, most_binned = 65536;
// And of a job that holds GPUs, with what the next boundary chooses for it.
constexpr double running_job_bytes = 300;
// And besides: of a job that is read from a trace, of one that has a tenant or may fail, and of an attempt that failed.
constexpr double traced_bytes = 80, tenant_bytes = 100, may_fail_bytes = 100, failed_bytes = 150;
// Bytes of a row in a shard: 8 a number, 4 a text code.
constexpr double job_row = 172, event_row = 44, gpu_row = 8, round_row = 48, node_row = 96, run_row = 2500;
constexpr double delay_row = 64, failure_row = 80;

// Bytes a GPU; tests/cluster holds the index to 24.
double index_bytes(const PlacementPolicy& placement) {
  const TreeNeeds needs = placement.needs();
  if (!needs.exact_bins && !needs.bins_up_to) return 1.5;
  return placement.sticky() ? 14 : 23;
}

// What a run writes down beside the rows of its jobs.
struct Recorded {
  double events = 0, event_gpus = 0, rounds = 0, delays = 0, failures = 0;
  double moved = 0, moved_gpus = 0;  // events that move a running job, among those
};

// Attempts at the first `jobs` jobs that fail: they do not depend on what the run does, places that are prone to faults
// aside.
double failures_of(const Inputs::Loaded& inputs, double jobs) {
  if (inputs.failures == nullptr) return 0;
  const AttemptModel& model = inputs.failures->model;
  double failed = 0;
  for (std::size_t i = 0; i < inputs.workload.jobs.size() && static_cast<double>(i) < jobs; ++i) {
    std::int32_t previous = Ending::none;
    for (std::uint32_t attempt = 1;; ++attempt) {
      previous = model.ending(inputs.workload.jobs[i], attempt, previous, 1.0).reason;
      if (previous == Ending::none) break;
      failed += 1;
      if (!model.tried_again(attempt, previous)) break;
    }
  }
  return failed;
}

Recorded recorded_by(const Activity& all, const Inputs::Loaded& inputs) {
  const double attempts = all.jobs + failures_of(inputs, all.jobs);
  // A launch has GPUs, an end has none.
  const double own_gpus = attempts * all.gpus / std::max(all.jobs, 1.0);
  Recorded more;
  more.delays = inputs.tenants ? all.jobs : 0;
  more.failures = attempts - all.jobs;
  if (all.events >= 0) {
    more.events = all.events;
    more.event_gpus = all.event_gpus;
    more.rounds = all.round_rows;
  } else {
    more.events = 2 * attempts + all.moved;
    more.event_gpus = own_gpus + all.moved_gpus;
    more.rounds = std::min(all.boundaries, 2 * all.jobs);
  }
  more.moved = std::max(0.0, more.events - 2 * attempts);
  more.moved_gpus = std::max(0.0, more.event_gpus - own_gpus);
  return more;
}

// Of memory. Arrays that grow have room to spare, and leave what they had before, if that is not so large that it goes
// back to the system. The events of several partitions become one list: both, and every event's place.
double event_bytes(const RunPlan& run, const Recorded& more) {
  constexpr double growth = 1.15, place = 40, left = 0.6, most_left = 40 * mib;
  const double rows = 24 * more.events + 4 * more.event_gpus;
  if (run.cluster.partitions == 1) return growth * rows + left * std::min(rows, most_left);
  return growth * (2 * rows + place * more.events);
}

// Of all tables but those of runs, nodes and jobs.
double other_row_bytes(const RunPlan& run, const Recorded& more) {
  double bytes = failure_row * more.failures;
  if (run.output.jobs) bytes += delay_row * more.delays;
  if (run.output.events) bytes += event_row * more.events + gpu_row * more.event_gpus;
  if (run.output.rounds) bytes += round_row * more.rounds;
  return bytes;
}

// What compression leaves of a byte of rows that move a job. Moves are at boundaries, many at each. What chance chose
// has the more digits the more GPUs there are; by how fast GPUs are they are less alike than by place, and so are those
// of several partitions one after the other.
double packed_move(const RunPlan& run, const Inputs::Loaded& inputs, const PlacementPolicy& placement) {
  if (!placement.repeatable()) return 0.12 * std::pow(std::log2(inputs.topology.gpus() + 1.0) / 14, 2);
  const TreeNeeds needs = placement.needs();
  return (needs.exact_bins || needs.bins_up_to ? 0.042 : 0.019) + (run.cluster.partitions > 1 ? 0.018 : 0);
}

double other_packed_bytes(const RunPlan& run, const Inputs::Loaded& inputs, const Recorded& more,
                          const PlacementPolicy& placement) {
  // Most jobs wait for nothing; times of failures have all digits.
  constexpr double packed = 0.2, packed_delay = 0.03, packed_failure = 0.23;
  const Recorded moves{.events = more.moved, .event_gpus = more.moved_gpus};
  const Recorded others{
      .events = more.events - more.moved, .event_gpus = more.event_gpus - more.moved_gpus, .rounds = more.rounds};
  return packed * other_row_bytes(run, others) + packed_delay * other_row_bytes(run, {.delays = more.delays}) +
         packed_failure * other_row_bytes(run, {.failures = more.failures}) +
         packed_move(run, inputs, placement) * other_row_bytes(run, moves);
}

double row_bytes(const RunPlan& run, const Inputs::Loaded& inputs, double jobs, const Recorded& more) {
  double bytes = run_row + other_row_bytes(run, more);
  if (inputs.topology.nodes() <= nodes_table_limit) bytes += node_row * inputs.topology.nodes();
  if (run.output.jobs) bytes += job_row * jobs;
  return bytes;
}

// What the run has of each job, running or not, besides what every run has; of those that arrive, what is written then.
double bytes_of_jobs(const RunPlan& run, const Inputs::Loaded& inputs, double arrived, const Recorded& more) {
  const auto known = static_cast<double>(inputs.workload.jobs.size());
  double bytes = failed_bytes * more.failures;
  if (!run.workload.trace.empty()) bytes += traced_bytes * known / std::max(1.0, run.workload.copies.copies);
  if (inputs.tenants) bytes += tenant_bytes * arrived;
  if (inputs.failures != nullptr) bytes += may_fail_bytes * arrived;
  return bytes;
}

}  // namespace

RunEstimate estimate(const RunPlan& run, const Inputs::Loaded& inputs, const Activity& all) {
  const PlacementContext context{inputs.topology, inputs.believed, inputs.believed_penalty, run.policy.seed};
  const auto placement = placements().at(run.policy.placement).make(context, run.policy.placement_params);
  const auto gpus = static_cast<double>(inputs.topology.gpus());
  const auto known = static_cast<double>(inputs.workload.jobs.size());
  const Recorded more = recorded_by(all, inputs);
  RunEstimate result;
  result.core_s = engine_rates(run, inputs).seconds(all);
  result.jobs = all.jobs;
  result.rows_mib = row_bytes(run, inputs, all.jobs, more) / mib;
  result.other_rows_mib = other_row_bytes(run, more) / mib;
  result.other_packed_mib = other_packed_bytes(run, inputs, more, *placement) / mib;
  // Every job is launched and finishes; whether others are moved is not certain.
  const Recorded least{2 * all.sure_jobs, all.sure_gpus};
  result.least_rows_mib = std::min(result.rows_mib, row_bytes(run, inputs, all.sure_jobs, least) / mib);
  const double beliefs = run.policy.knowledge == "oracle" ? 1 : 2;
  const auto classes = static_cast<double>(inputs.truth.classes());
  result.inputs_mib = (known * job_input_bytes + gpus * classes * (8 * beliefs + 2)) / mib;
  double recorded = bytes_of_jobs(run, inputs, std::min(known, all.jobs), more);
  if (run.output.events) recorded += event_bytes(run, more);
  if (run.output.rounds) recorded += 32 * all.boundaries;
  const double at_once = all.running / std::max(1.0, all.boundaries);  // jobs, on the average
  const double run_bytes = known * job_run_bytes + at_once * running_job_bytes +
                           gpus * (gpu_run_bytes + index_bytes(*placement)) +
                           bin_bytes * run.cluster.bins.bins * std::min(gpus, most_binned);
  result.memory_mib = base_mib + result.inputs_mib + (run_bytes + recorded) / mib;
  return result;
}

RunEstimate estimate(const RunPlan& run, const Inputs::Loaded& inputs) {
  return estimate(run, inputs, foretell(run, inputs, traits_of(run, inputs)));
}

// Of one run after the other.
class StudyNeeds {
 public:
  void add(const Inputs::Loaded& loaded, const RunEstimate& one) {
    all_.core_s += one.core_s;
    all_.shards_mib += one.rows_mib;
    all_.least_shards_mib += one.least_rows_mib;
    const bool new_cluster = clusters_.insert(&loaded.believed).second;
    const bool new_jobs = workloads_.insert(&loaded.workload).second;
    const double jobs_mib = static_cast<double>(loaded.workload.jobs.size()) * job_input_bytes / mib;
    inputs_mib_ += (new_cluster ? one.inputs_mib - jobs_mib : 0) + (new_jobs ? jobs_mib : 0);
    largest_run_mib_ = std::max(largest_run_mib_, one.memory_mib - one.inputs_mib);
    largest_rows_mib_ = std::max(largest_rows_mib_, one.rows_mib);
    all_.runs.push_back(one);
  }
  StudyEstimate take() {
    // The rows of a run lie in its record and once more in its frame, while the run's own state is gone.
    const double recording_mib = base_mib + 3 * largest_rows_mib_;
    all_.memory_mib = inputs_mib_ + std::max(largest_run_mib_, recording_mib);
    // One run at a time, and a chunk of each column (archive/record_source.hpp).
    constexpr double most_chunks_mib = 100;
    all_.merge_mib =
        std::max(all_.memory_mib, inputs_mib_ + recording_mib + std::min(all_.shards_mib, most_chunks_mib));
    return std::move(all_);
  }

 private:
  StudyEstimate all_;
  std::set<const void*> clusters_, workloads_;
  double inputs_mib_ = 0, largest_run_mib_ = 0, largest_rows_mib_ = 0;
};

StudyEstimate sum_up(const Study& study, Inputs& inputs, const std::vector<RunEstimate>& runs) {
  StudyNeeds needs;
  for (std::size_t i = 0; i < runs.size(); ++i) needs.add(inputs.load(study.runs[i]), runs[i]);
  return needs.take();
}

StudyEstimate estimate(const Study& study, Inputs& inputs) {
  StudyNeeds needs;
  for (const RunPlan& run : study.runs) {
    const auto loaded = inputs.load(run);
    needs.add(loaded, estimate(run, loaded));
  }
  return needs.take();
}

std::vector<std::size_t> most_expensive_first(const StudyEstimate& known, std::vector<std::size_t> runs) {
  std::stable_sort(runs.begin(), runs.end(), [&](std::size_t left, std::size_t right) {
    return std::is_gt(std::weak_order(known.runs[left].core_s, known.runs[right].core_s));
  });
  return runs;
}

}  // namespace palstudy
