// SPDX-License-Identifier: MIT
#include "sim/output/metrics.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>
#include <set>

namespace palstudy {
namespace {

/// The definition: sort, and go `share` of the way from the first to the last.
double slow_quantile(std::vector<double> values, double share) {
  std::sort(values.begin(), values.end());
  const double place = share * static_cast<double>(values.size() - 1);
  const auto below = static_cast<std::size_t>(place);
  if (below + 1 == values.size()) return values[below];
  return values[below] + (place - static_cast<double>(below)) * (values[below + 1] - values[below]);
}

// By hand: of 1, 2, 3, 4 the median lies half way from the second to the third, 2.5; the 95th percentile 0.85 of the
// way from the third to the fourth, 3.85.
TEST(Metrics, QuantilesOfFour) {
  std::vector<double> values{3, 1, 4, 2};
  EXPECT_EQ(quantile(values, 0.5), 2.5);
  EXPECT_DOUBLE_EQ(quantile(values, 0.95), 3.85);
  EXPECT_EQ(quantile(values, 0), 1);
  EXPECT_EQ(quantile(values, 1), 4);
  std::vector<double> none;
  EXPECT_TRUE(std::isnan(quantile(none, 0.5)));
}

// To the last bit what sorting gives, for sizes around those at which a rank is hit exactly, values with many ties, and
// one quantile asked after another of the same values.
TEST(Metrics, SelectingGivesWhatSortingGives) {
  std::mt19937_64 engine(7);
  for (std::size_t size = 1; size < 300; ++size) {
    std::vector<double> values(size);
    for (double& value : values) value = static_cast<double>(engine() % 97) / 7;
    const std::vector<double> before = values;
    for (const double share : {0.5, 0.95, 0.99, 0.0, 1.0, 0.3}) {
      EXPECT_EQ(quantile(values, share), slow_quantile(before, share)) << size << " " << share;
    }
  }
}

// By hand. The first job took 100 s for 50 s of work at a contention of 2, the second 8 s for 4 s: 2 and 1 times as
// long as they should, the second counted as one of 10 s; rho is 1 and 2, so that Jain's index is 1.5^2 / (2 x 1.25).
// What unfinished jobs were stopped and moved counts, their times do not; two more had not even arrived.
TEST(Metrics, OfAGroupOfJobs) {
  const JobView first{0, 100, 60, 50, 2, 1, 2, 5}, second{20, 28, 8, 4, 1, 0, 1, 3};
  const JobView unfinished{50, std::nan(""), 10, 40, 1, 3, 4, 9};
  MetricSums finished, all, none;
  for (const JobView& job : {first, second}) finished.add(job), all.add(job);
  all.add(unfinished);
  all.add_unfinished(2);
  EXPECT_EQ(all.jct_s(), (std::vector<double>{100, 8}));
  const MetricValues whole = finished.take(), part = all.take();
  for (const MetricValues& values : {whole, part}) {
    EXPECT_EQ(value_of(values, Metric::jct_mean_s), 54);
    EXPECT_EQ(value_of(values, Metric::jct_p50_s), 54);
    EXPECT_DOUBLE_EQ(value_of(values, Metric::jct_p95_s), 95.4);
    EXPECT_DOUBLE_EQ(value_of(values, Metric::jct_p99_s), 99.08);
    EXPECT_EQ(value_of(values, Metric::wait_mean_s), 20);
    EXPECT_EQ(value_of(values, Metric::power_wait_mean_s), 4);
    EXPECT_EQ(value_of(values, Metric::bounded_slowdown_mean), 1.5);
    EXPECT_DOUBLE_EQ(value_of(values, Metric::rho_p95), 1.95);
    EXPECT_DOUBLE_EQ(value_of(values, Metric::jain), 0.9);
    EXPECT_TRUE(std::isnan(value_of(values, Metric::alloc_fraction)));
  }
  EXPECT_EQ(value_of(whole, Metric::makespan_s), 100);
  EXPECT_TRUE(std::isnan(value_of(part, Metric::makespan_s)));
  EXPECT_EQ(value_of(whole, Metric::preemptions), 1);
  EXPECT_EQ(value_of(part, Metric::preemptions), 4);
  EXPECT_EQ(value_of(whole, Metric::migrations), 3);
  EXPECT_EQ(value_of(part, Metric::migrations), 7);
  EXPECT_EQ(value_of(whole, Metric::jobs_unfinished), 0);
  EXPECT_EQ(value_of(part, Metric::jobs_unfinished), 3);
  const MetricValues nothing = none.take();
  for (const Metric metric : {Metric::jct_mean_s, Metric::wait_mean_s, Metric::makespan_s, Metric::jain}) {
    EXPECT_TRUE(std::isnan(value_of(nothing, metric))) << name_of(metric);
  }
  EXPECT_EQ(value_of(nothing, Metric::jobs_unfinished), 0);
}

// A job that ends on its arrival, at the boundary or a little before it, has had no GPUs to be treated alike with: the
// index of the others is that of rho 1 and 2, as above. Their completion times count, 0 and 2 s beside 100 and 8, and
// so do their rho of 0 and 0.04: the 95th percentile lies 0.85 of the way from 1 to 2. Of such jobs alone no index is
// known.
TEST(Metrics, JobsThatEndOnTheirArrivalAreNotInJainsIndex) {
  MetricSums all, alone;
  const JobView at_once{300, 300, 0, 50, 1}, soon{298, 300, 0, 50, 1};
  for (const JobView& job : {JobView{0, 100, 60, 50, 2}, JobView{20, 28, 8, 4, 1}, at_once, soon}) all.add(job);
  for (const JobView& job : {at_once, soon}) alone.add(job);
  const MetricValues values = all.take(), of_none = alone.take();
  EXPECT_DOUBLE_EQ(value_of(values, Metric::jain), 0.9);
  EXPECT_EQ(value_of(values, Metric::jct_mean_s), 27.5);
  EXPECT_DOUBLE_EQ(value_of(values, Metric::rho_p95), 1.85);
  EXPECT_TRUE(std::isnan(value_of(of_none, Metric::jain)));
  EXPECT_EQ(value_of(of_none, Metric::jct_mean_s), 1);
}

// Only jobs that are measured are late, killed, stopped or slow. Of a run without length no fraction is known, and
// killed jobs are counted where outliving an estimate kills.
TEST(Metrics, AreOfMeasuredJobs) {
  Workload workload;
  workload.jobs.resize(3);
  for (Job& job : workload.jobs) job.iterations = job.iteration_s = 10;
  JobRows rows;
  rows.resize(3);
  rows.measured = {0, 1, 1};
  rows.finished = {1, 1, 0};
  rows.finish_s = {1000, 200, 3000};  // the last value is of no meaning
  rows.late = {1, 1, 1};
  rows.preemptions = {7, 1, 2};
  const Areas no_time;
  const std::vector<double> contention(3, 1.0);
  const MetricValues values = compute_metrics(workload, rows, contention, 4, no_time);
  EXPECT_EQ(value_of(values, Metric::jct_mean_s), 200);
  EXPECT_EQ(value_of(values, Metric::preemptions), 3);
  EXPECT_EQ(value_of(values, Metric::reservation_violations), 2);
  EXPECT_EQ(value_of(values, Metric::jobs_unfinished), 1);
  EXPECT_EQ(value_of(values, Metric::jobs_overrun_killed), 0);
  for (const Metric metric : {Metric::alloc_fraction, Metric::busy_fraction, Metric::effective_fraction}) {
    EXPECT_TRUE(std::isnan(value_of(values, metric))) << name_of(metric);
  }
  rows.status = {JobStatus::killed, JobStatus::killed, JobStatus::passed};
  const MetricValues killing = compute_metrics(workload, rows, contention, 4, no_time, true, {50, 60, 70});
  EXPECT_EQ(value_of(killing, Metric::jobs_overrun_killed), 1);
  EXPECT_EQ(value_of(killing, Metric::power_wait_mean_s), 60);
}

// Energy is had without work, but nothing is had for it then.
TEST(Metrics, OfEnergy) {
  MetricValues values{};
  values[static_cast<std::size_t>(Metric::jct_mean_s)] = 30;
  set_energy(values, std::vector<double>{7200, 3600}, std::vector<double>{1, 2});
  EXPECT_EQ(value_of(values, Metric::energy_j), 10800);
  EXPECT_EQ(value_of(values, Metric::energy_delay), 324000);
  EXPECT_DOUBLE_EQ(value_of(values, Metric::joules_per_gpu_hour), 10800 * 1200);
  set_energy(values, std::vector<double>{7200}, std::vector<double>{0});
  EXPECT_EQ(value_of(values, Metric::energy_j), 7200);
  EXPECT_TRUE(std::isnan(value_of(values, Metric::joules_per_gpu_hour)));
}

// Jobs that all arrive at once have no rate, so that whatever grows piles up; so does what is not known.
TEST(Metrics, AQueuePilesUpInAWindowOfNoLengthIfItGrowsAtAll) {
  EXPECT_FALSE(piles_up(0, 5, 0));
  EXPECT_TRUE(piles_up(0.01, 5, 0));
  EXPECT_TRUE(piles_up(std::nan(""), 5, 3600));
}

/// Metrics by what is said of them.
template <class Said>
std::set<std::string> metrics_with(Said said) {
  std::set<std::string> names;
  for (const MetricInfo& info : metric_infos) {
    if (said(info)) names.insert(std::string(info.name));
  }
  return names;
}

// How runs are compared by each metric follows from what it is: a quantile; larger when GPUs are used more or jobs are
// treated alike; known of a part of the jobs unless it is of queue, promises or energy; known before the last finish if
// it is of GPUs, energy or unfinished jobs. Those of energy, of power-off and of estimates are in such studies alone.
TEST(Metrics, AreComparedByWhatTheyAre) {
  using Names = std::set<std::string>;
  EXPECT_EQ(metrics_with([](const MetricInfo& info) { return info.traits.quantile; }),
            (Names{"jct_p50_s", "jct_p95_s", "jct_p99_s", "rho_p95"}));
  EXPECT_EQ(metrics_with([](const MetricInfo& info) { return info.traits.larger_is_better; }),
            (Names{"alloc_fraction", "busy_fraction", "effective_fraction", "jain"}));
  EXPECT_EQ(metrics_with([](const MetricInfo& info) { return info.traits.of_whole_run; }),
            (Names{"queue_slope", "stable", "energy_j", "energy_delay", "joules_per_gpu_hour", "reservation_violations",
                   "jobs_overrun_killed"}));
  EXPECT_EQ(metrics_with([](const MetricInfo& info) { return info.traits.until_end; }),
            (Names{"alloc_fraction", "busy_fraction", "effective_fraction", "jobs_unfinished", "energy_j",
                   "joules_per_gpu_hour"}));
  EXPECT_EQ(metrics_with([](const MetricInfo& info) { return info.traits.mean_of != nullptr; }),
            (Names{"jct_mean_s", "wait_mean_s", "bounded_slowdown_mean"}));
  EXPECT_EQ(metrics_with([](const MetricInfo& info) { return info.use == MetricUse::energy; }),
            (Names{"energy_j", "energy_delay", "joules_per_gpu_hour"}));
  EXPECT_EQ(metrics_with([](const MetricInfo& info) { return info.use == MetricUse::power; }),
            (Names{"power_wait_mean_s"}));
  EXPECT_EQ(metrics_with([](const MetricInfo& info) { return info.use == MetricUse::estimates; }),
            (Names{"reservation_violations", "jobs_overrun_killed"}));
}

}  // namespace
}  // namespace palstudy
