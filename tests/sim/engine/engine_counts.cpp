// SPDX-License-Identifier: MIT
// What the engine counts of its own work.
#include <gtest/gtest.h>

#include <algorithm>
#include <optional>
#include <string>
#include <vector>

#include "sim/failure_tables.hpp"
#include "sim/small_world.hpp"
#include "sim/state/checkpoints.hpp"

namespace palstudy {
namespace {

// A job is placed before it is launched, and a placement asks the index of free GPUs, which is told of every launch.
// At a boundary a job is placed once at most. So it is in one partition and over several, whose counts are summed.
TEST(EngineCounts, AreOfAllPartitions) {
  for (const std::uint32_t partitions : {1u, 2u, 4u}) {
    SmallWorld world;
    world.nodes = 8;
    world.partitions = partitions;
    world.engine.round_s = 30;
    world.measure.last = 79;
    add_random_jobs(world, 5, 80, 1500, 300);
    for (Job& job : world.jobs) job.gpus = std::min(job.gpus, 4u);
    const RunResult result = world.run();
    const EngineCounts& counts = result.counts;
    const auto launches =
        static_cast<std::uint64_t>(std::count(result.events.kind.begin(), result.events.kind.end(), EventKind::launch));
    EXPECT_GE(launches, 80U);
    EXPECT_GE(counts.placements, launches);
    EXPECT_LE(counts.placements, counts.boundaries * 80);
    EXPECT_GE(counts.index_queries, launches);
    EXPECT_LE(counts.index_queries, counts.placements * 1000);
    EXPECT_GE(counts.index_updates, launches);
    EXPECT_LE(counts.index_updates, launches * 1000);
    EXPECT_LE(counts.index_moves, counts.index_updates * 1000);
  }
}

/// Listens to a run, and keeps nothing of its state.
class Listener final : public Checkpoints {
 public:
  std::vector<StepReport> reports;
  void instant_ended(const StepReport& report) override { reports.push_back(report); }
  CheckpointRequest request() override { return CheckpointRequest::none; }
  void save(const RunState&) override {}
  std::optional<std::vector<double>> saved_costs() override { return std::nullopt; }
  RunState read(const std::vector<PartitionId>&) override { return {}; }
  void unusable(const std::string&) override {}
};

RunResult run_with(const SmallWorld& world, Listener& listener) {
  LocalExchange alone;
  return world
      .with_world([&](const World& of, const Policies& policies) { return simulate(of, policies, alone, listener); })
      .value();
}

// At the end of every instant the report has what has happened up to then, and nothing is counted by an effect that has
// no rows.
TEST(EngineCounts, EveryInstantIsReported) {
  SmallWorld world;
  world.nodes = 4;
  world.engine.round_s = 30;
  world.interference = {1.3, 1.5};
  world.measure.last = 29;
  add_random_jobs(world, 7, 30, 600, 300);
  Listener listener;
  const RunResult result = run_with(world, listener);
  ASSERT_EQ(listener.reports.size(), result.counts.boundaries);
  for (const StepReport& report : listener.reports) {
    const auto until_now = [&](const std::vector<double>& times_s) {
      return static_cast<std::uint64_t>(
          std::count_if(times_s.begin(), times_s.end(), [&](double time_s) { return time_s <= report.time_s; }));
    };
    std::uint64_t arrived = 0, gpus = 0;
    for (const Job& job : world.jobs) arrived += job.submit_s <= report.time_s ? 1 : 0;
    for (std::size_t i = 0; i < until_now(result.events.time_s); ++i) gpus += result.events.gpu_count[i];
    EXPECT_EQ(report.arrived, arrived);
    EXPECT_EQ(report.events, until_now(result.events.time_s)) << report.time_s;
    EXPECT_EQ(report.event_gpus, gpus) << report.time_s;
    EXPECT_EQ(report.measured_left, 30 - static_cast<std::int64_t>(until_now(result.jobs.finish_s)));
    EXPECT_EQ(report.failures, 0U);
  }
  EXPECT_EQ(listener.reports.back().events, result.events.size());
}

// One job on two partitions and one on the third: both fail at 600 s, and both failures are reported.
TEST(EngineCounts, FailuresOfWideJobsAreReportedToo) {
  SmallWorld world;
  world.nodes = world.partitions = 3;
  world.engine.round_s = 100;
  world.penalty = {1, 1, 1};
  world.failures = fails_always;
  world.failure_options.late_fails = false;
  world.failure_options.checkpoint_s = 250;
  world.add(0, 8, 1000);
  world.add(0, 4, 1000);
  Listener listener;
  const RunResult result = run_with(world, listener);
  EXPECT_EQ(result.failures.time_s, (std::vector<double>{600, 600}));
  for (const StepReport& report : listener.reports) EXPECT_EQ(report.failures, report.time_s < 600 ? 0U : 2U);
}

}  // namespace
}  // namespace palstudy
