// SPDX-License-Identifier: MIT
#include "analysis/compared_metrics.hpp"

#include <gtest/gtest.h>

#include <set>

#include "campaign/scratch.hpp"

namespace palstudy {
namespace {

// A name that no metric has is refused where it was written, with all names that there are.
TEST(ComparedMetrics, AnUnknownOneNamesThoseThatThereAre) {
  const std::string message = message_of(ErrorCode::usage, [&] { (void)compared_metric("jct_men_s", "--metric"); });
  for (const auto& metric : compared_metrics()) expect_parts(message, {metric.name});
  expect_parts(message, {"jct_men_s", "--metric"});
}

using Names = std::set<std::string>;

template <class Which>
Names metrics_that(Which which) {
  Names names;
  for (const ComparedMetric& metric : compared_metrics()) {
    if (which(metric)) names.insert(metric.name);
  }
  return names;
}

// What is declared of metrics beside their definitions: of times and counts less is better, more of what is used,
// better, of what is used, shared fairly or done more; quantiles have intervals by bootstrap; what is a rate or a state
// of the whole queue, or energy, cannot be had for some of the jobs; a mean over jobs may be ruled by few of them.
TEST(ComparedMetrics, EachIsComparedAsItIsDeclared) {
  EXPECT_EQ(metrics_that([](const auto& one) { return one.how().larger_is_better; }),
            (Names{"alloc_fraction", "busy_fraction", "effective_fraction", "jain", "share_work", "gpu_time_share",
                   "fast_gpu_share", "gpu_time_fast", "jobs_passed", "gpu_time_passed", "jobs_started"}));
  EXPECT_EQ(metrics_that([](const auto& one) { return one.how().by_bootstrap; }),
            (Names{"jct_p50_s", "jct_p95_s", "jct_p99_s", "rho_p95", "rho_max"}));
  EXPECT_EQ(metrics_that([](const auto& one) { return one.stored && !one.has(ComparedMetric::of_group); }),
            (Names{"queue_slope", "stable", "energy_j", "energy_delay", "joules_per_gpu_hour", "reservation_violations",
                   "jobs_overrun_killed"}));
  EXPECT_EQ(metrics_that([](const auto& one) { return one.has(ComparedMetric::until_end); }),
            (Names{"alloc_fraction", "busy_fraction", "effective_fraction", "jobs_unfinished", "energy_j",
                   "joules_per_gpu_hour", "wait_started_mean_s", "jobs_started"}));
  EXPECT_EQ(metrics_that([](const auto& one) { return one.mean_of != nullptr; }),
            (Names{"jct_mean_s", "wait_mean_s", "bounded_slowdown_mean"}));
}

}  // namespace
}  // namespace palstudy
