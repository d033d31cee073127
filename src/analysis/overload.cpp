// SPDX-License-Identifier: MIT
#include "analysis/overload.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstddef>

#include "core/numbers.hpp"
#include "core/text.hpp"
#include "inputs/arrivals.hpp"
#include "sim/output/metrics.hpp"

namespace palstudy {
namespace {

/// "3 of 20 runs", "all 20 runs", "the one run".
std::string some_runs_of(std::size_t some, std::size_t all) {
  if (some < all) return fmt::format("{} of {} runs", grouped(some), grouped(all));
  return all == 1 ? "the one run" : fmt::format("all {} runs", grouped(all));
}

}  // namespace

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

std::string Overload::some_runs() const {
  return found() == runs_ ? "" : fmt::format(" in {} of {}", grouped(found()), counted(runs_, "run"));
}

std::string Overload::policies_text(const std::vector<PolicyOverload>& policies) const {
  constexpr std::size_t most = 4;
  const auto same_share = [&](const PolicyOverload& one) {
    return one.runs.count(some_overloaded()) * runs_ == found() * one.runs.runs();
  };
  if (std::ranges::all_of(policies, same_share)) return some_runs();
  std::vector<std::string> named;
  for (const PolicyOverload& one : policies) {
    const std::size_t of_it = one.runs.count(some_overloaded());
    if (of_it > 0) named.push_back(fmt::format("{} of {}", grouped(of_it), one.name));
  }
  if (named.size() > most) {
    const std::size_t others = named.size() - most;
    named.resize(most);
    named.push_back(fmt::format("and of {} more", others));
  }
  return fmt::format("{} ({})", some_runs(), join(named));
}

std::string Overload::backlog_text(const std::string& where) const {
  if (backlogs_ == 0) return "";
  return fmt::format(
      "backlog{}: the queue shrinks by {} jobs an hour while the measured jobs arrive, which wait for jobs that came "
      "before; the offered load does not count those",
      where, range_text(shrinks_least_, shrinks_most_));
}

std::string Overload::text(const std::string& where) const {
  return overloaded_ == 0 ? backlog_text(where) : fmt::format("overloaded{}: {}", where, facts());
}

std::string Overload::facts() const {
  const std::string load =
      load_most_ < load_least_ ? "" : fmt::format("offered load {}, ", range_text(load_least_, load_most_));
  const std::string slope =
      slope_most_ < slope_least_ ? "how fast the queue grows is not known"
      : slope_most_ <= 0         ? "the queue does not grow yet"
      : slope_least_ <= 0        ? fmt::format("the queue grows by up to {} jobs an hour", in_digits(slope_most_))
                          : fmt::format("the queue grows by {} jobs an hour", range_text(slope_least_, slope_most_));
  return fmt::format("{}{}; {}", load, slope, depends_on_the_trace);
}

std::string overload_of_pair(const PolicyOverload& policy, const PolicyOverload& baseline) {
  Overload both = baseline.runs;
  both.add(policy.runs);
  const std::size_t ours = policy.runs.count(both.some_overloaded()),
                    theirs = baseline.runs.count(both.some_overloaded());
  const std::size_t of_ours = policy.runs.runs(), of_theirs = baseline.runs.runs();
  if (ours == of_ours && theirs == of_theirs) return both.text("");
  const std::string runs = some_runs_of(ours, of_ours), baselines = some_runs_of(theirs, of_theirs);
  if (runs == baselines) return both.text(fmt::format(" in {} of each", runs));
  if (ours == 0) return both.text(fmt::format(" in {} of {} alone", baselines, baseline.name));
  if (theirs == 0) return both.text(fmt::format(" in {} of {} alone", runs, policy.name));
  return both.text(fmt::format(" in {} of {}, {} of {}", baselines, baseline.name, runs, policy.name));
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
