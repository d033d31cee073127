// SPDX-License-Identifier: MIT
#include "analysis/overload.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>

#include "core/numbers.hpp"
#include "inputs/arrivals.hpp"
#include "sim/output/metrics.hpp"

namespace palstudy {
namespace {

const NoteKind backlog_note("backlog", Severity::care);

}  // namespace

const NoteKind overloaded_note("overloaded", Severity::care);

void Overload::add(const RunLoad& run) {
  if (run.overloaded) return add(run.arrivals.offered_load, run.queue_slope_per_h);
  run.backlog ? add_backlog(run.queue_slope_per_h) : add_other();
}

void Overload::add(double offered_load, double queue_slope_per_h) {
  ++runs_;
  ++overloaded_;
  if (!std::isnan(queue_slope_per_h)) {
    slope_least_ = std::min(slope_least_, queue_slope_per_h);
    slope_most_ = std::max(slope_most_, queue_slope_per_h);
  }
  if (std::isnan(offered_load)) return;
  load_least_ = std::min(load_least_, offered_load);
  load_most_ = std::max(load_most_, offered_load);
}

void Overload::add_backlog(double queue_slope_per_h) {
  ++runs_;
  ++backlogs_;
  shrinks_least_ = std::min(shrinks_least_, -queue_slope_per_h);
  shrinks_most_ = std::max(shrinks_most_, -queue_slope_per_h);
}

void Overload::add(const Overload& others) {
  runs_ += others.runs_;
  overloaded_ += others.overloaded_;
  backlogs_ += others.backlogs_;
  shrinks_least_ = std::min(shrinks_least_, others.shrinks_least_);
  shrinks_most_ = std::max(shrinks_most_, others.shrinks_most_);
  load_least_ = std::min(load_least_, others.load_least_);
  load_most_ = std::max(load_most_, others.load_most_);
  slope_least_ = std::min(slope_least_, others.slope_least_);
  slope_most_ = std::max(slope_most_, others.slope_most_);
}

std::optional<Note> Overload::note(const std::vector<PolicyOverload>& policies, std::optional<bool> backfill) const {
  const bool overloaded = overloaded_ > 0;
  if (!overloaded && backlogs_ == 0) return std::nullopt;
  ValueList of_policies;
  for (const PolicyOverload& one : policies) {
    of_policies.push_back(
        ValueRecord{{"name", one.name}, {"runs", one.runs.count(overloaded)}, {"of", one.runs.runs()}});
  }
  ValueRecord values = {{"runs", count(overloaded)}, {"of", runs_}};
  if (overloaded) {
    values.emplace_back("growth", least_and_most(slope_least_, slope_most_));
    values.emplace_back("load", least_and_most(load_least_, load_most_));
    values.emplace_back("below_one", below_capacity());
    if (backfill) values.emplace_back("backfill", *backfill);
  } else {
    values.emplace_back("shrink", least_and_most(shrinks_least_, shrinks_most_));
  }
  values.emplace_back("policies", std::move(of_policies));
  return (overloaded ? overloaded_note : backlog_note)(std::move(values));
}

std::optional<Note> Overload::note() const { return note({}); }

std::optional<Note> overload_of_pair(const PolicyOverload& policy, const PolicyOverload& baseline) {
  Overload both = baseline.runs;
  both.add(policy.runs);
  return both.note({policy, baseline});
}

namespace {

/// Jobs an hour by which the queue of measured jobs grows over the window: the metric's slope also sees a quiet end.
double growth_per_h(const std::vector<ArrivingJob>& jobs, std::span<const double> start_s, const Arrivals& window) {
  const auto waiting = [&](double time_s) {
    std::size_t count = 0;
    for (std::size_t i = 0; i < jobs.size(); ++i) {
      count += jobs[i].measured && jobs[i].submit_s <= time_s && !(start_s[i] <= time_s) ? 1 : 0;
    }
    return static_cast<double>(count);
  };
  return hour_s * (waiting(window.end_s) - waiting(window.begin_s)) / window.window_s;
}

}  // namespace

RunLoad load_of(const std::vector<ArrivingJob>& jobs, std::span<const double> start_s, double gpus, double queue_slope,
                bool ended_early) {
  RunLoad load{arrivals_of(jobs, gpus), queue_slope};
  const Arrivals& all = load.arrivals;
  // From the end of a run on the metric sees an empty queue.
  if (all.window_s > 0 && (ended_early || !std::isnan(all.quiet_load))) {
    load.queue_slope_per_h = growth_per_h(jobs, start_s, all);
  }
  const bool grows = piles_up(load.queue_slope_per_h, all.measured, all.window_s);
  const bool more_than_served = all.offered_load > 1 && !(load.queue_slope_per_h <= 0);
  load.overloaded = all.from_first && (grows || more_than_served);
  load.backlog = !all.from_first && piles_up(-load.queue_slope_per_h, all.measured, all.window_s);
  return load;
}

}  // namespace palstudy
