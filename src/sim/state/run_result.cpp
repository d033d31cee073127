// SPDX-License-Identifier: MIT
// How a run ends: the ranks' parts become one result.
#include <algorithm>
#include <array>

#include "sim/engine/run.hpp"
#include "sim/state/metrics.hpp"

namespace palstudy {
namespace {

double queue_slope_per_h(const RunRows& rows, double queue_moment) {
  const double length = rows.window_end_s - rows.window_begin_s;
  return length > 0 ? 3600.0 * 12.0 * queue_moment / (length * length * length) : 0.0;
}

void add_counts(EngineCounts& sum, const EngineCounts& more) {
  sum.placements += more.placements;
  sum.index_queries += more.index_queries;
  sum.index_updates += more.index_updates;
  sum.index_moves += more.index_moves;
}

}  // namespace

/// Those that have arrived and are, or were, in this rank's partitions.
std::vector<JobId> Run::own_jobs() const {
  std::vector<JobId> jobs;
  for (std::size_t j = 0; j < rows_.arrived(); ++j) {
    const std::int32_t p = rows_.rows.partition[j];
    if (p >= 0 && owner_[static_cast<std::size_t>(p)] == exchange_.rank()) jobs.emplace_back(j);
  }
  return jobs;
}

RunResult Run::take_result() {
  std::array<double, 2> last = {rows_.last_measured_finish_s(), failure_ ? 1.0 : 0.0};
  exchange_.max(last);
  if (last[1] > 0) throw_if_failed();
  const double horizon_s = measured_left() == 0 ? last[0] : now_s_;

  RunPart own;
  std::vector<std::pair<JobId, double>> open;
  PartitionRecord wide = wide_.close(now_s_, horizon_s, open);
  for (std::uint32_t p = 0; p < parts_.size(); ++p) {
    if (!parts_[p]) continue;
    for (const auto& [job, length_s] : open) {
      if (parts_[p]->holds(job)) parts_[p]->give_part(job, length_s);
    }
    own.partitions.emplace_back(PartitionId(p), parts_[p]->close(now_s_, horizon_s));
    parts_[p].reset();
  }
  states_.forget();
  exchange_.rank() == 0 ? rows_.close() : rows_.close(own_jobs());
  own.jobs = std::move(rows_.rows);
  own.mean_contention = std::move(rows_.mean_contention);
  if (exchange_.ranks() > 1) {
    const bool first = exchange_.rank() == 0;
    auto others = exchange_.collect(first ? std::string() : pack(own));
    if (!first) return {};
    for (std::size_t r = 1; r < others.size(); ++r) {
      RunPart part = unpack(others[r]);
      others[r] = {};
      take_rows(own, part);
      std::move(part.partitions.begin(), part.partitions.end(), std::back_inserter(own.partitions));
    }
  }
  return join(std::move(own), std::move(wide), horizon_s);
}

/// Sums that cross partitions are made in the order of the partitions, the wide jobs last.
RunResult Run::join(RunPart all, PartitionRecord wide, double horizon_s) {
  std::sort(all.partitions.begin(), all.partitions.end(),
            [](const auto& a, const auto& b) { return a.first < b.first; });
  if (!single()) all.partitions.emplace_back(PartitionId(all.partitions.size()), std::move(wide));
  RunResult result;
  result.counts.boundaries = instants_;
  Areas areas;
  double queue_moment = 0;
  [[maybe_unused]] double job_s = 0;  // for the law, in debug builds
  std::vector<EventRows> events;
  std::vector<RoundRows> rounds;
  std::vector<FailureRows> failures;
  for (auto& [id, record] : all.partitions) {
    areas.allocated_s += record.allocated_s;
    areas.busy_s += record.busy_s;
    areas.effective_s += record.effective_s;
    queue_moment += record.queue_moment;
    job_s += record.job_s;
    add_counts(result.counts, record.counts);
    events.push_back(std::move(record.events));
    rounds.push_back(std::move(record.rounds));
    failures.push_back(std::move(record.failures));
    if (record.delays.size() > 0) result.delays = std::move(record.delays);  // tenants: one partition
    if (id.index() < parts_.size()) {
      result.node_busy_s.insert(result.node_busy_s.end(), record.node_busy_s.begin(), record.node_busy_s.end());
    }
  }
#ifndef NDEBUG
  check_littles_law(all, job_s);
#endif
  result.events = merge_events(std::move(events));
  result.rounds = merge_rounds(rounds);
  if (world_.failures != nullptr) {
    result.with_failures = true;
    result.failures = merge_failures(failures);
    for (const auto& reason : world_.failures->model.table().reasons) result.failure_reasons.push_back(reason.name);
  }
  areas.horizon_s = horizon_s;
  areas.queue_slope_per_h = queue_slope_per_h(rows_, queue_moment);
  areas.terminating = rows_.terminating;
  areas.window_s = rows_.window_end_s - rows_.window_begin_s;
  result.metrics = compute_metrics(world_.workload, all.jobs, all.mean_contention, world_.topology.gpus(), areas);
  all.jobs.resize(rows_.arrived());  // those that did not arrive have no rows, but count as unfinished
  result.jobs = std::move(all.jobs);
  return result;
}

}  // namespace palstudy
