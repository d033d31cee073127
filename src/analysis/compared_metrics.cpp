// SPDX-License-Identifier: MIT
#include "analysis/compared_metrics.hpp"

#include <set>

#include "analysis/means_of_jobs.hpp"
#include "analysis/started_jobs.hpp"
#include "core/error.hpp"
#include "core/text.hpp"
#include "sim/result.hpp"

namespace palstudy {
namespace {

const std::set<std::string_view> quantiles = {"jct_p50_s", "jct_p95_s", "jct_p99_s", "rho_p95"};
const std::set<std::string_view> larger_is_better = {
    "alloc_fraction", "busy_fraction", "effective_fraction", "jain",
    "share_work",     "jobs_passed",   "gpu_time_passed",    jobs_started};
const std::set<std::string_view> of_the_queue = {"queue_slope", "stable"};
const std::set<std::string_view> until_end = {"alloc_fraction", "busy_fraction", "effective_fraction",
                                              "jobs_unfinished"};

ComparedMetric of_rows(const char* name, const char* unit, const char* summary) {
  return {.name = name, .unit = unit, .summary = summary, .how = {false, larger_is_better.contains(name)}};
}

ComparedMetric share(const char* name, const char* summary) {
  ComparedMetric metric = of_rows(name, "1", summary);
  metric.share = metric.of_group = true;
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

std::vector<ComparedMetric> make_all() {
  std::vector<ComparedMetric> all;
  for (const MetricInfo& metric : metric_infos) {
    all.push_back({.name = std::string(metric.name),
                   .unit = std::string(metric.unit),
                   .summary = std::string(metric.summary),
                   .how = {quantiles.contains(metric.name), larger_is_better.contains(metric.name)},
                   .of_group = !of_the_queue.contains(metric.name),
                   .stored = true,
                   .until_end = until_end.contains(metric.name)});
  }
  all.push_back(of_started(wait_started_mean, "s",
                           "mean time from submission to the first start, of measured jobs that started"));
  all.push_back(of_started(jobs_started, "1", "share of the measured jobs that started before the run ended"));
  ComparedMetric log_mean = of_rows(jct_log_mean, "s", "geometric mean of the job completion times of measured jobs");
  log_mean.of_group = true;
  all.push_back(std::move(log_mean));
  all.push_back(share("share_work",
                      "share of the measured jobs' completion times that is work at slowdown 1 and "
                      "penalty 1"));
  all.push_back(share("share_variability",
                      "share that is lost to GPUs slower than the median; negative if they are "
                      "faster"));
  all.push_back(share("share_locality", "share that is lost to the locality penalty"));
  all.push_back(share("share_migration", "share in which the job held GPUs but was being moved (engine.migration_s)"));
  all.push_back(of_migration("share_restarts_most",
                             "at most this share, part of the others, is starting again on the same GPUs or at another "
                             "attempt, which share_migration leaves out"));
  all.push_back(share("share_waiting", "share in which the job held no GPUs"));
  all.push_back(of_failures("share_failures", "share in which the job held GPUs for what a failure undid", false));
  all.push_back(of_failures("jobs_passed", "share of the measured jobs that did all of their work"));
  all.push_back(of_failures("jobs_killed", "share that their users killed"));
  all.push_back(of_failures("jobs_unsuccessful", "share that were given up after failures"));
  all.push_back(of_failures("gpu_time_passed", "share of the GPU time held by measured jobs, of those that passed"));
  all.push_back(of_failures("gpu_time_killed", "share of it, of those that were killed"));
  all.push_back(of_failures("gpu_time_unsuccessful", "share of it, of those that were given up"));
  all.push_back(of_failures("gpu_time_lost", "share of it that failures undid; of who was given up, all"));
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

}  // namespace palstudy
