// SPDX-License-Identifier: MIT
#include "study/compared_metrics.hpp"

#include <set>

#include "core/error.hpp"
#include "core/text.hpp"
#include "sim/result.hpp"
#include "study/means_of_jobs.hpp"

namespace palstudy {
namespace {

const std::set<std::string_view> quantiles = {"jct_p50_s", "jct_p95_s", "jct_p99_s", "rho_p95"};
const std::set<std::string_view> larger_is_better = {"alloc_fraction", "busy_fraction", "effective_fraction", "jain",
                                                     "share_work",     "jobs_passed",   "gpu_time_passed"};
const std::set<std::string_view> of_the_queue = {"queue_slope", "stable"};

ComparedMetric share(const char* name, const char* summary) {
  return {name, "1", summary, {false, larger_is_better.contains(name)}, true, false, false, true};
}

ComparedMetric of_failures(const char* name, const char* summary, bool outcome = true) {
  return {name, "1", summary, {false, larger_is_better.contains(name)}, true, true, outcome, true};
}

std::vector<ComparedMetric> make_all() {
  std::vector<ComparedMetric> all;
  for (const MetricInfo& metric : metric_infos) {
    all.push_back({std::string(metric.name),
                   std::string(metric.unit),
                   std::string(metric.summary),
                   {quantiles.contains(metric.name), larger_is_better.contains(metric.name)},
                   false,
                   false,
                   false,
                   !of_the_queue.contains(metric.name),
                   true});
  }
  all.push_back({jct_log_mean,
                 "s",
                 "geometric mean of the job completion times of measured jobs",
                 {},
                 false,
                 false,
                 false,
                 true});
  all.push_back(share("share_work",
                      "share of the measured jobs' completion times that is work at slowdown 1 and "
                      "penalty 1"));
  all.push_back(share("share_variability",
                      "share that is lost to GPUs slower than the median; negative if they are "
                      "faster"));
  all.push_back(share("share_locality", "share that is lost to the locality penalty"));
  all.push_back(share("share_migration", "share in which the job held GPUs but was being moved (engine.migration_s)"));
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
