// SPDX-License-Identifier: MIT
#include "sim/output/run_result.hpp"

#include <fmt/format.h>

#include <cmath>
#include <type_traits>
#include <utility>

#include "core/error.hpp"
#include "sim/output/merge_rows.hpp"
#include "sim/output/metrics.hpp"
#include "sim/state/state_archive.hpp"

namespace palstudy {

std::string pack(const RunPart& part) {
  return to_bytes([&](StateOut& archive) { archive << part; });
}

RunPart unpack(std::string bytes) {
  RunPart part;
  from_bytes(std::move(bytes), [&](StateIn& archive) { archive >> part; });
  return part;
}

void take_rows(RunPart& into, const RunPart& from) {
  const auto take = [&](auto& to, const auto& rows) {
    for (std::size_t i = 0; i < from.jobs.size(); ++i) to[from.jobs.job[i].index()] = rows[i];
  };
  JobRows::each([&](auto column) {
    if (!(into.jobs.*column).empty()) take(into.jobs.*column, from.jobs.*column);
  });
  take(into.mean_contention, from.mean_contention);
}

namespace {

double queue_slope_per_h(const RunRows& rows, double queue_moment) {
  const double length = rows.window_end_s - rows.window_begin_s;
  return length > 0 ? 3600.0 * 12.0 * queue_moment / (length * length * length) : 0.0;
}

/// The rows of the run, from those of its partitions.
void take_tables(RunPart& all, RunTables& tables) {
  RunTables::each([&](auto rows) {
    std::vector<std::remove_cvref_t<decltype(tables.*rows)>> parts;
    for (auto& [id, record] : all.partitions) parts.push_back(std::move(record.*rows));
    tables.*rows = merged(std::move(parts));
  });
}

void add_counts(EngineCounts& sum, const EngineCounts& more) {
  sum.placements += more.placements;
  sum.index_queries += more.index_queries;
  sum.index_updates += more.index_updates;
  sum.index_moves += more.index_moves;
}

}  // namespace

void check_littles_law(const RunPart& all, const RunRows& rows, double end_s,
                       const std::function<double(double finish_s)>& seen_s) {
  double job_s = 0, stays_s = 0;
  for (const auto& [id, record] : all.partitions) job_s += record.job_s;
  for (std::size_t j = 0; j < rows.arrived(); ++j) {
    const double until_s = all.jobs.finished[j] != 0 ? seen_s(all.jobs.finish_s[j]) : end_s;
    stays_s += until_s - rows.arrival_s(JobId(j));
  }
  if (std::abs(stays_s - job_s) <= 1e-9 * (1 + job_s)) return;
  throw fault(fmt::format(
      "Little's law does not hold: jobs spent {} s in the system, the area under their number is {}", stays_s, job_s));
}

RunResult join(const World& world, const RunRows& rows, RunPart all, const RunEnd& end) {
  RunResult result;
  take_tables(all, result);
  result.counts.boundaries = end.instants;
  Areas areas;
  double queue_moment = 0;
  if (world.tenants != nullptr) result.delays.resize(rows.arrived());
  for (auto& [id, record] : all.partitions) {
    areas.allocated_s += record.allocated_s;
    areas.busy_s += record.busy_s;
    areas.effective_s += record.effective_s;
    queue_moment += record.queue_moment;
    add_counts(result.counts, record.counts);
    if (world.energy != nullptr) result.job_energy_j.resize(rows.arrived(), 0.0);
    for (std::size_t i = 0; i < record.energy_job.size(); ++i) {
      result.job_energy_j[record.energy_job[i].index()] += record.job_energy_j[i];
    }
    if (world.power != nullptr) result.power_wait_s.resize(all.jobs.size(), 0.0);
    for (std::size_t i = 0; i < record.power_wait_job.size(); ++i) {
      result.power_wait_s[record.power_wait_job[i].index()] += record.power_wait_s[i];
    }
    if (id.index() < world.partitioning.partitions()) {
      result.node_busy_s.insert(result.node_busy_s.end(), record.node_busy_s.begin(), record.node_busy_s.end());
    }
  }
  if (world.failures != nullptr) {
    result.with_failures = true;
    for (const auto& reason : world.failures->model.table().reasons) result.failure_reasons.push_back(reason.name);
  }
  areas.horizon_s = end.horizon_s;
  areas.queue_slope_per_h = queue_slope_per_h(rows, queue_moment);
  areas.terminating = rows.terminating;
  areas.window_s = rows.window_end_s - rows.window_begin_s;
  result.metrics = compute_metrics(world.workload, all.jobs, all.mean_contention, world.topology.gpus(), areas,
                                   world.engine.kills_overruns, result.power_wait_s);
  if (world.energy != nullptr) set_energy(result.metrics, result.power.energy_j, result.power.work_s);
  all.jobs.resize(rows.arrived());  // those that did not arrive have no rows, but count as unfinished
  if (world.power != nullptr) result.power_wait_s.resize(rows.arrived());
  result.jobs = std::move(all.jobs);
  return result;
}

}  // namespace palstudy
