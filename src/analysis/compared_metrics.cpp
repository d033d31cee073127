// SPDX-License-Identifier: MIT
#include "analysis/compared_metrics.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "analysis/job_groups.hpp"
#include "analysis/job_metrics.hpp"
#include "analysis/means_of_jobs.hpp"
#include "core/error.hpp"
#include "core/text.hpp"
#include "record/tables.hpp"
#include "study/keys/key_names.hpp"
#include "study/study.hpp"

namespace palstudy {

namespace {

using enum ComparedMetric::Trait;

constexpr unsigned in_groups = of_group | of_job_rows;
constexpr unsigned of_cause = in_groups | share;
constexpr unsigned failing_share = of_cause | of_failures;
constexpr unsigned fate = failing_share | outcome;

/// A metric that is made from /jobs.
struct MadeMetric {
  const char *name, *unit, *summary;
  unsigned traits;
};

constexpr MadeMetric made_metrics[] = {
    {wait_started_mean, "s", "mean time from submission to the first start, of measured jobs that started", until_end},
    {jobs_started, "1", "share of the measured jobs that started before the run ended", until_end | larger_is_better},
    {jct_log_mean, "s", "geometric mean of the job completion times of measured jobs", of_group},
    {"rho_mean", "1",
     "mean finish-time fairness, jct / (ideal x max(1, GPUs of the job x jobs / GPUs of the cluster)), jobs being the "
     "mean number over its stay",
     in_groups},
    {"rho_max", "1", "the largest finish-time fairness of a job: the one that fares worst against an equal share",
     in_groups | by_bootstrap},
    {"share_work", "1", "share of the measured jobs' completion times that is work at slowdown 1 and penalty 1",
     of_cause | larger_is_better},
    {"share_variability", "1", "share that is lost to GPUs slower than the median; negative if they are faster",
     of_cause},
    {"share_locality", "1", "share that is lost to the locality penalty", of_cause},
    {"share_migration", "1", "share in which the job held GPUs but was being moved (engine.migration_s)", of_cause},
    {"share_restarts_most", "1",
     "upper bound of the share lost to restarts on the same GPUs or at another attempt; part of the other shares",
     of_cause | of_migration},
    {"share_waiting", "1", "share in which the job held no GPUs", of_cause},
    {"gpu_time_share", "1", "share of the GPU-seconds that all jobs held", in_groups | larger_is_better},
    {"fast_gpu_share", "1",
     "share of the GPU time on GPUs faster than the median; above gpu_time_share: more than the group's part",
     in_groups | larger_is_better},
    {"gpu_time_fast", "1", "share of the group's own GPU-seconds that its jobs held at a mean slowdown under 1",
     in_groups | larger_is_better},
    {"share_failures", "1", "share in which the job held GPUs for what a failure undid", failing_share},
    {"jobs_passed", "1", "share of the measured jobs that did all of their work", fate | larger_is_better},
    {"jobs_killed", "1", "share that their users killed", fate},
    {"jobs_unsuccessful", "1", "share that were given up after failures", fate},
    {"gpu_time_passed", "1", "share of the GPU time held by measured jobs, of those that passed",
     fate | larger_is_better},
    {"gpu_time_killed", "1", "share of it, of those that were killed", fate},
    {"gpu_time_unsuccessful", "1", "share of it, of those that were given up", fate},
    {"gpu_time_lost", "1", "share of it that failures undid; all of it for jobs that were given up", fate},
    {"attempts_mean", "1", "attempts at a measured job, on average", fate}};

std::vector<ComparedMetric> make_all() {
  std::vector<ComparedMetric> all;
  for (const MetricInfo& metric : metric_infos) {
    const MetricTraits& of = metric.traits;
    all.push_back({.name = std::string(metric.name),
                   .unit = std::string(metric.unit),
                   .summary = std::string(metric.summary),
                   .traits = (of.larger_is_better ? larger_is_better : 0U) | (of.quantile ? by_bootstrap : 0U) |
                             (of.until_end ? until_end : 0U) | (of.of_whole_run ? 0U : of_group),
                   .stored = true,
                   .use = metric.use,
                   .mean_of = of.mean_of});
  }
  for (const auto& [name, unit, summary, traits] : made_metrics) all.push_back({name, unit, summary, traits});
  return all;
}

}  // namespace

bool is_completion_time(const ComparedMetric& metric) {
  constexpr std::array names = {"jct_mean_s", "jct_p50_s", "jct_p95_s", "jct_p99_s", jct_log_mean};
  return std::ranges::find(names, metric.name) != names.end();
}

const std::vector<ComparedMetric>& compared_metrics() {
  static const std::vector<ComparedMetric> all = make_all();
  return all;
}

const ComparedMetric& compared_metric(std::string_view name, const std::string& where) {
  std::vector<std::string> known;
  for (const auto& metric : compared_metrics()) {
    if (metric.name == name) return metric;
    known.push_back(metric.name);
  }
  throw usage_error("unknown metric \"" + std::string(name) + "\"", where, "known: " + join(known));
}

namespace {

constexpr const char* makespan = "makespan_s";
constexpr const char* jct_mean = "jct_mean_s";

bool migrations_cost(const RunPlan& run) { return run.engine.migration_s > 0; }

bool stored_where_used(const ArchiveReader& archive, const ComparedMetric& metric) {
  return metric.use == MetricUse::always || archive.has_column(TableId::runs, metric.name);
}

/// The refusal of a metric that no run of the study has.
Error not_stored(const ComparedMetric& metric, const std::string& where) {
  const auto refusal = [&](const char* runs_do, const char* advice) {
    return usage_error(fmt::format("{} is not stored: no run of the study {}", metric.name, runs_do), where, advice);
  };
  if (metric.use == MetricUse::energy) {
    return refusal("accounts energy", "give the study power.account = true (docs/howto/energy.md)");
  }
  if (metric.use == MetricUse::power)
    return refusal("powers nodes off", "give the study power.off (docs/howto/energy.md)");
  return refusal("plans by the estimates of users", "give the study a policy.backfill with reservations");
}

/// A makespan says little of jobs that arrive in a window: it contains the time before, and one long job makes it.
bool measures_windows(const RunPlan& run) { return run.measure.by_window; }

}  // namespace

ChosenMetrics choose_metrics(const ArchiveReader& archive, const RunValues& runs, const ComparisonOptions& options,
                             bool some_unfinished) {
  std::vector<ComparedMetric> all;
  // Once, however often it is asked for: simultaneous intervals count the comparisons.
  const auto add = [&all](const ComparedMetric& metric) {
    if (std::ranges::find(all, metric.name, &ComparedMetric::name) == all.end()) all.push_back(metric);
  };
  auto names = options.metrics;
  const std::string where = names.empty() ? keys::metric.name : "--metric";
  const std::vector<std::string> parts = asked_job_parts(options.by);
  const bool of_parts = !parts.empty();
  const bool by_default = names.empty();
  if (by_default) names = {archive.attribute(keys::metric.name)};
  if (by_default && names.front().empty()) names = {jct_mean};
  const bool fail = archive.has(TableId::failures);
  for (const auto& name : names) {
    if (name == "outcomes" && !fail) {
      throw usage_error("the study has no failures.model, so there are no outcomes of attempts", "--metric outcomes",
                        "give the study a failures.model (docs/howto/failures.md)");
    }
    for (const auto& metric : compared_metrics()) {
      const bool asked = name == "all"        ? metric.has(of_group) || !of_parts
                         : name == "outcomes" ? metric.has(outcome)
                                              : name == "causes" && metric.has(share) && !metric.has(outcome);
      if (asked && stored_where_used(archive, metric) && (!metric.has(of_failures) || fail) &&
          (!metric.has(of_migration) || runs.any_run(migrations_cost))) {
        add(metric);
      }
    }
    if (name == "all" || name == "causes" || name == "outcomes") continue;
    const ComparedMetric& metric = compared_metric(name, where);
    if (!stored_where_used(archive, metric)) throw not_stored(metric, where);
    add(metric);
  }
  const std::size_t shown = all.size();
  const bool no_finish = all.front().has(until_end) && some_unfinished;
  if (by_default && all.front().name == jct_mean) {
    for (const char* name : {"jct_p50_s", "bounded_slowdown_mean"}) add(compared_metric(name, where));
    if (archive.has(TableId::jobs)) add(compared_metric(jct_log_mean, where));
  }
  if (shown == 1 && !all.front().has(share) && all.front().name != makespan && !no_finish &&
      !runs.any_run(measures_windows)) {
    add(compared_metric(makespan, where));
  }
  for (const auto& metric : all) {
    if (of_parts && !metric.has(of_group)) {
      throw usage_error(metric.name + " is of the whole run, not of some of its jobs", "--metric " + metric.name,
                        "leave out --by " + parts.front());
    }
  }
  return {std::move(all), shown};
}

}  // namespace palstudy
