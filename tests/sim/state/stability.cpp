// SPDX-License-Identifier: MIT
// The guard against a queue that only grows: its slope while measured jobs arrive, and what is called stable.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "sim/output/metrics.hpp"
#include "sim/small_world.hpp"

namespace palstudy {
namespace {

/// One GPU, held by job 0 from time 0 on for longer than anything here takes; those that come wait.
SmallWorld one_gpu_held() {
  SmallWorld world;
  world.gpus_per_node = 1;
  world.engine.round_s = 10;
  world.measure = {.first = 1, .last = 1000};
  world.measure.end_s = 500;
  world.add(0, 1, 1e6);
  return world;
}

/// The definition: the slope of the least-squares line through the queue length N(t) over the window, which is the
/// integral of (t - middle) N(t) over that of (t - middle)^2; from the rows of /rounds, per hour.
double slope_of_rounds(const RoundRows& rounds, double begin_s, double end_s) {
  const double middle = (begin_s + end_s) / 2;
  double moment = 0;
  for (std::size_t i = 0; i < rounds.time_s.size(); ++i) {
    const double next_s = i + 1 < rounds.time_s.size() ? rounds.time_s[i + 1] : end_s;
    const double from = std::clamp(rounds.time_s[i], begin_s, end_s), to = std::clamp(next_s, begin_s, end_s);
    moment += static_cast<double>(rounds.queued[i]) * (to - from) * ((from + to) / 2 - middle);
  }
  const double length = end_s - begin_s;
  return 3600 * moment / (length * length * length / 12);
}

// A job every 10 s from 100 to 200, none starts: from 100 + 10 i on i + 1 wait, i = 0 to 9. The integral of
// (t - 150) N(t) is the sum of (i + 1) x 10 x (10 i - 45) = 8250, that of (t - 150)^2 is 100^3 / 12, so the slope is
// 0.099 a second, 356.4 an hour, of 396 arrivals an hour.
TEST(Stability, TheSlopeOfAQueueThatOnlyGrows) {
  SmallWorld world = one_gpu_held();
  for (int i = 0; i <= 10; ++i) world.add(100 + 10 * i, 1, 10);
  const RunResult result = world.run();
  EXPECT_NEAR(result.metric(Metric::queue_slope), 356.4, 1e-9);
  EXPECT_EQ(result.metric(Metric::stable), 0);
}

// The same window after a queue that has grown to seven, and before one that grows on: neither is in it.
TEST(Stability, WhatWaitsBeforeOrAfterTheWindowIsNotInItsSlope) {
  SmallWorld world = one_gpu_held();
  for (int i = 0; i < 7; ++i) world.add(10 * i, 1, 10);
  for (int i = 0; i <= 10; ++i) world.add(100 + 10 * i, 1, 10);
  for (int i = 0; i < 20; ++i) world.add(210 + 10 * i, 1, 10);
  world.measure.first = 8;
  world.measure.last = 18;
  EXPECT_NEAR(world.run().metric(Metric::queue_slope), 356.4, 1e-9);
}

// Twenty jobs wait at 100 and one ends every 10 s, while measured ones come seldom: the queue shrinks, which is stable.
TEST(Stability, AQueueThatShrinksIsStable) {
  SmallWorld world;
  world.gpus_per_node = 1;
  world.engine.round_s = 10;
  world.measure = {.first = 20, .last = 1000};
  for (int i = 0; i < 20; ++i) world.add(90, 1, 10);
  world.add(100, 1, 10);
  world.add(200, 1, 10);
  const RunResult result = world.run();
  EXPECT_LT(result.metric(Metric::queue_slope), -100);
  EXPECT_EQ(result.metric(Metric::stable), 1);
}

// Measured from the first job on nothing is said of a steady state, however the queue grows.
TEST(Stability, ATraceMeasuredFromItsFirstJobClaimsNoSteadyState) {
  SmallWorld world = one_gpu_held();
  for (int i = 0; i <= 10; ++i) world.add(100 + 10 * i, 1, 10);
  world.measure.first = 0;
  const RunResult result = world.run();
  EXPECT_GT(result.metric(Metric::queue_slope), 100);
  EXPECT_EQ(result.metric(Metric::stable), 1);
}

// 100 measured jobs arrive in an hour. Piling up less than 5 % of them is stable, more is not; at rest it is.
TEST(Stability, FiveOfAHundredArrivalsMayPileUp) {
  Workload workload;
  workload.classes = {"A"};
  workload.jobs.resize(101);
  JobRows rows;
  rows.resize(101);
  for (std::size_t j = 0; j < 101; ++j) {
    workload.jobs[j].iterations = workload.jobs[j].iteration_s = 1;
    rows.measured[j] = j > 0 ? 1 : 0;
    rows.finish_s[j] = 1;
    rows.finished[j] = 1;
  }
  Areas areas;
  areas.terminating = false;
  areas.window_s = 3600;
  const auto metric = [&](double slope, Metric which) {
    areas.queue_slope_per_h = slope;
    const auto all = compute_metrics(workload, rows, std::vector<double>(101, 1.0), 1, 1, areas);
    return all[static_cast<std::size_t>(which)];
  };
  EXPECT_EQ(metric(0, Metric::stable), 1);
  EXPECT_EQ(metric(4.99, Metric::stable), 1);
  EXPECT_EQ(metric(5.01, Metric::stable), 0);
  EXPECT_EQ(metric(5.01, Metric::queue_slope), 5.01);
  areas.window_s = 7200;  // the same jobs in two hours: half as many an hour
  EXPECT_EQ(metric(2.49, Metric::stable), 1);
  EXPECT_EQ(metric(2.51, Metric::stable), 0);
  areas.terminating = true;
  EXPECT_EQ(metric(1000, Metric::stable), 1);
}

// On random workloads the slope is that of the rows of /rounds, whichever boundaries were looked at, with one queue and
// with three.
TEST(Stability, TheSlopeIsThatOfTheRoundsTable) {
  for (std::uint64_t seed = 1; seed <= 12; ++seed) {
    SmallWorld world;
    world.nodes = 6;
    world.partitions = seed % 2 == 0 ? 3 : 1;
    world.engine.round_s = 30;
    world.order = seed % 3 == 0 ? "las" : "fifo";
    add_random_jobs(world, seed, 80, 2000, 400);
    for (Job& job : world.jobs) job.gpus = std::min(job.gpus, 8U);
    world.measure = {.first = 20, .last = 59};
    const RunResult result = world.run();
    const double wanted = slope_of_rounds(result.rounds, world.jobs[20].submit_s, world.jobs[59].submit_s);
    EXPECT_NEAR(result.metric(Metric::queue_slope), wanted, 1e-6 * (1 + std::abs(wanted))) << seed;
    EXPECT_NE(wanted, 0) << seed;
  }
}

}  // namespace
}  // namespace palstudy
