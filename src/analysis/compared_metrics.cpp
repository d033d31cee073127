// SPDX-License-Identifier: MIT
#include "analysis/compared_metrics.hpp"

#include <fmt/format.h>

#include <algorithm>

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

ComparedMetric of_rows(const char* name, const char* unit, const char* summary) {
  return {.name = name, .unit = unit, .summary = summary};
}

ComparedMetric larger_is_better(ComparedMetric metric) {
  metric.how.larger_is_better = true;
  return metric;
}

ComparedMetric share(const char* name, const char* summary) {
  ComparedMetric metric = of_rows(name, "1", summary);
  metric.share = metric.of_group = metric.spread = true;
  return metric;
}

ComparedMetric of_failures(const char* name, const char* summary, bool outcome = true) {
  ComparedMetric metric = share(name, summary);
  metric.of_failures = true;
  metric.outcome = outcome;
  return metric;
}

ComparedMetric of_migration(const char* name, const char* summary) {
  ComparedMetric metric = share(name, summary);
  metric.of_migration = true;
  return metric;
}

ComparedMetric of_started(const char* name, const char* unit, const char* summary) {
  ComparedMetric metric = of_rows(name, unit, summary);
  metric.until_end = true;
  return metric;
}

ComparedMetric of_groups(const char* name, const char* unit, const char* summary) {
  ComparedMetric metric = of_rows(name, unit, summary);
  metric.of_group = metric.spread = true;
  return metric;
}

std::vector<ComparedMetric> make_all() {
  std::vector<ComparedMetric> all;
  for (const MetricInfo& metric : metric_infos) {
    all.push_back({.name = std::string(metric.name),
                   .unit = std::string(metric.unit),
                   .summary = std::string(metric.summary),
                   .how = {metric.traits.quantile, metric.traits.larger_is_better},
                   .of_group = !metric.traits.of_whole_run,
                   .stored = true,
                   .use = metric.use,
                   .until_end = metric.traits.until_end,
                   .mean_of = metric.traits.mean_of});
  }
  all.push_back(of_started(wait_started_mean, "s",
                           "mean time from submission to the first start, of measured jobs that started"));
  all.push_back(
      larger_is_better(of_started(jobs_started, "1", "share of the measured jobs that started before the run ended")));
  ComparedMetric log_mean = of_rows(jct_log_mean, "s", "geometric mean of the job completion times of measured jobs");
  log_mean.of_group = true;
  all.push_back(std::move(log_mean));
  all.push_back(of_groups("rho_mean", "1",
                          "mean finish-time fairness, jct / (ideal x max(1, GPUs of the job x jobs / GPUs of the "
                          "cluster)), jobs being the mean number over its stay"));
  ComparedMetric rho_max =
      of_groups("rho_max", "1", "the largest of them: the job that fares worst against an equal share");
  rho_max.how.by_bootstrap = true;
  all.push_back(std::move(rho_max));
  all.push_back(larger_is_better(share("share_work",
                                       "share of the measured jobs' completion times that is work at slowdown 1 and "
                                       "penalty 1")));
  all.push_back(share("share_variability",
                      "share that is lost to GPUs slower than the median; negative if they are "
                      "faster"));
  all.push_back(share("share_locality", "share that is lost to the locality penalty"));
  all.push_back(share("share_migration", "share in which the job held GPUs but was being moved (engine.migration_s)"));
  all.push_back(of_migration("share_restarts_most",
                             "at most this share, part of the others, is starting again on the same GPUs or at another "
                             "attempt, which share_migration leaves out"));
  all.push_back(share("share_waiting", "share in which the job held no GPUs"));
  all.push_back(larger_is_better(of_groups("gpu_time_share", "1", "share of the GPU-seconds that all jobs held")));
  all.push_back(larger_is_better(
      of_groups("fast_gpu_share", "1",
                "share of the GPU-seconds held at a mean slowdown under 1, that is on GPUs faster than the "
                "median; over gpu_time_share: the group gets more than its part of them")));
  all.push_back(of_failures("share_failures", "share in which the job held GPUs for what a failure undid", false));
  all.push_back(larger_is_better(of_failures("jobs_passed", "share of the measured jobs that did all of their work")));
  all.push_back(of_failures("jobs_killed", "share that their users killed"));
  all.push_back(of_failures("jobs_unsuccessful", "share that were given up after failures"));
  all.push_back(larger_is_better(
      of_failures("gpu_time_passed", "share of the GPU time held by measured jobs, of those that passed")));
  all.push_back(of_failures("gpu_time_killed", "share of it, of those that were killed"));
  all.push_back(of_failures("gpu_time_unsuccessful", "share of it, of those that were given up"));
  all.push_back(of_failures("gpu_time_lost", "share of it that failures undid; all of it for jobs that were given up"));
  all.push_back(of_failures("attempts_mean", "attempts at a measured job, on average"));
  return all;
}

}  // namespace

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

bool migrations_cost(const ArchiveReader& archive) {
  const Study study = parse_study(archive.resolved_study(), "/study/resolved");
  return std::any_of(study.runs.begin(), study.runs.end(),
                     [](const RunPlan& run) { return run.engine.migration_s > 0; });
}

bool stored_where_used(const ArchiveReader& archive, const ComparedMetric& metric) {
  return metric.use == MetricUse::always || archive.has_column(TableId::runs, metric.name);
}

/// The refusal of a metric that no run of the study has.
Error not_stored(const ComparedMetric& metric, const std::string& where) {
  const auto refusal = [&](const char* runs_do, const char* advice) {
    return usage_error(fmt::format("{} is not stored: no run of the study {}", metric.name, runs_do), where, advice);
  };
  if (metric.use == MetricUse::energy) {
    return refusal("accounts energy", "give the study power.account = true (docs/energy.md)");
  }
  if (metric.use == MetricUse::power) return refusal("powers nodes off", "give the study power.off (docs/power.md)");
  return refusal("plans by the estimates of users", "give the study a policy.backfill with reservations");
}

/// A makespan says little of jobs that arrive in a window: it contains the time before, and one long job makes it.
bool measures_windows(const ArchiveReader& archive) {
  const std::string resolved = archive.resolved_study();
  if (resolved.empty()) return false;
  const Study study = parse_study(resolved, "/study/resolved");
  return std::any_of(study.runs.begin(), study.runs.end(), [](const RunPlan& run) { return run.measure.by_window; });
}

}  // namespace

ChosenMetrics choose_metrics(const ArchiveReader& archive, const ComparisonOptions& options, bool some_unfinished) {
  std::vector<ComparedMetric> all;
  auto names = options.metrics;
  const std::string where = names.empty() ? keys::metric.name : "--metric";
  const std::vector<std::string> parts = asked_job_parts(options.by);
  const bool in_groups = !parts.empty();
  const bool by_default = names.empty();
  if (by_default) names = {archive.attribute(keys::metric.name)};
  if (names.front().empty()) names = {jct_mean};
  const bool fail = archive.has(TableId::failures);
  for (const auto& name : names) {
    if (name == "outcomes" && !fail) {
      throw usage_error("the study has no failures.model, so there are no outcomes of attempts", "--metric outcomes",
                        "give the study a failures.model (docs/failures.md)");
    }
    for (const auto& metric : compared_metrics()) {
      const bool asked = name == "all"        ? metric.of_group || !in_groups
                         : name == "outcomes" ? metric.outcome
                                              : name == "causes" && metric.share && !metric.outcome;
      if (asked && stored_where_used(archive, metric) && (!metric.of_failures || fail) &&
          (!metric.of_migration || migrations_cost(archive))) {
        all.push_back(metric);
      }
    }
    if (name == "all" || name == "causes" || name == "outcomes") continue;
    all.push_back(compared_metric(name, where));
    if (!stored_where_used(archive, all.back())) throw not_stored(all.back(), where);
  }
  const std::size_t shown = all.size();
  const bool no_finish = all.front().until_end && some_unfinished;
  if (by_default && all.front().name == jct_mean) {
    for (const char* name : {"jct_p50_s", "bounded_slowdown_mean"}) all.push_back(compared_metric(name, where));
    if (archive.has(TableId::jobs)) all.push_back(compared_metric(jct_log_mean, where));
  }
  if (shown == 1 && !all.front().share && all.front().name != makespan && !no_finish && !measures_windows(archive)) {
    all.push_back(compared_metric(makespan, where));
  }
  for (const auto& metric : all) {
    if (in_groups && !metric.of_group) {
      throw usage_error(metric.name + " is of the whole run, not of some of its jobs", "--metric " + metric.name,
                        "leave out --by " + parts.front());
    }
  }
  return {std::move(all), shown};
}

}  // namespace palstudy
