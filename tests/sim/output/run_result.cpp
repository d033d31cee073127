// SPDX-License-Identifier: MIT
// The parts of a run put together: sums over partitions by hand, and Little's law as a check of them.
#include "sim/output/run_result.hpp"

#include <gtest/gtest.h>

#include "core/error.hpp"
#include "sim/small_world.hpp"

namespace palstudy {
namespace {

/// Three jobs on two partitions of four GPUs, whose energy and whose waits for power are known. The last two are
/// measured, so that a steady state is claimed, and arrive within 100 s.
SmallWorld parts_of_two() {
  SmallWorld world;
  world.nodes = 2;
  world.partitions = 2;
  for (const double submit_s : {0.0, 100.0, 200.0}) world.add(submit_s, 1, 50);
  world.measure.first = 1;
  world.measure.last = 2;
  world.energy.emplace();
  world.power.emplace();
  world.tenants.emplace();
  return world;
}

/// The record of one partition, all of whose sums are `weight` times those of another.
PartitionRecord record_of(double weight) {
  PartitionRecord record;
  record.allocated_s = 100 * weight, record.busy_s = 60 * weight, record.effective_s = 40 * weight;
  record.queue_moment = 10 * weight;
  const auto count = static_cast<std::uint64_t>(weight);
  record.counts = {1000, count, 10 * count, 100 * count, 1000 * count};
  record.node_busy_s = {weight};
  return record;
}

RunPart all_parts(const RunRows& rows) {
  RunPart all;
  all.jobs = rows.rows;
  all.jobs.resize(3);
  all.jobs.finish_s = {50, 180, 300};
  all.jobs.exec_s = {50, 60, 70};
  all.jobs.finished = {1, 1, 1};
  all.jobs.measured = {0, 1, 1};
  all.jobs.late = {1, 1, 0};
  all.jobs.preemptions = {9, 1, 2};
  all.jobs.migrations = {9, 3, 4};
  all.mean_contention = {1, 1, 1};
  for (const std::uint32_t p : {0u, 1u, 2u}) all.partitions.emplace_back(PartitionId(p), record_of(p == 2 ? 1 : 2));
  PartitionRecord &first = all.partitions[0].second, &second = all.partitions[1].second;
  first.energy_job = {JobId(0), JobId(1)}, first.job_energy_j = {5, 7};
  second.energy_job = {JobId(1)}, second.job_energy_j = {11};
  first.power_wait_job = {JobId(1)}, first.power_wait_s = {4};
  second.power_wait_job = {JobId(1), JobId(2)}, second.power_wait_s = {2, 12};
  first.power.push_back(PowerState::busy, 0, 1, 2, 10, 100);
  first.power.push_back(PowerState::idle, -1, 1, 2, 0, 20);
  second.power.push_back(PowerState::busy, 0, 1, 2, 5, 200);
  second.power.push_back(PowerState::idle, -1, 1, 2, 0, 30);
  return all;
}

// Sums are those of all three records, 5 times the smallest, over 8 GPUs for 300 s; the nodes are those of the two
// partitions. Within the window of 100 s the queue grows by 12 x 50 / 100^3 a second, 2.16 an hour, and 72 jobs an hour
// arrive, of which less than 5 % pile up. Job 1 waited for power, and used energy, on both partitions. The energies of
// the rows are 350 J for 15 GPU-seconds of work. Times are those of the measured jobs, 80 s and 100 s.
TEST(RunResult, IsTheSumOfItsParts) {
  const RunResult result = parts_of_two().with_world([](const World& world, const Policies&) {
    RunRows rows(world);
    for (std::size_t j = 0; j < 3; ++j) rows.arrive(JobId(j), world.workload.jobs[j].submit_s);
    return join(world, rows, all_parts(rows), {7, 300});
  });
  EXPECT_EQ(result.counts.boundaries, 7U);
  EXPECT_EQ(result.counts.placements, 5U);
  EXPECT_EQ(result.counts.index_queries, 50U);
  EXPECT_EQ(result.counts.index_updates, 500U);
  EXPECT_EQ(result.counts.index_moves, 5000U);
  EXPECT_EQ(result.node_busy_s, (std::vector<double>{2, 2}));
  EXPECT_EQ(result.metric(Metric::alloc_fraction), 500.0 / 2400);
  EXPECT_EQ(result.metric(Metric::busy_fraction), 300.0 / 2400);
  EXPECT_EQ(result.metric(Metric::effective_fraction), 200.0 / 2400);
  EXPECT_DOUBLE_EQ(result.metric(Metric::queue_slope), 2.16);
  EXPECT_EQ(result.metric(Metric::stable), 1);
  EXPECT_EQ(result.metric(Metric::jct_mean_s), 90);
  EXPECT_EQ(result.metric(Metric::wait_mean_s), 25);
  EXPECT_EQ(result.metric(Metric::makespan_s), 300);
  EXPECT_EQ(result.metric(Metric::preemptions), 3);
  EXPECT_EQ(result.metric(Metric::migrations), 7);
  EXPECT_EQ(result.metric(Metric::reservation_violations), 1);
  EXPECT_EQ(result.metric(Metric::jobs_overrun_killed), 0);
  EXPECT_EQ(result.metric(Metric::jobs_unfinished), 0);
  EXPECT_EQ(result.job_energy_j, (std::vector<double>{5, 18, 0}));
  EXPECT_EQ(result.power_wait_s, (std::vector<double>{0, 6, 12}));
  EXPECT_EQ(result.metric(Metric::power_wait_mean_s), 9);
  EXPECT_EQ(result.power.energy_j, (std::vector<double>{300, 50}));
  EXPECT_EQ(result.metric(Metric::energy_j), 350);
  EXPECT_EQ(result.metric(Metric::energy_delay), 350.0 * 90);
  EXPECT_DOUBLE_EQ(result.metric(Metric::joules_per_gpu_hour), 84000);
  EXPECT_EQ(result.delays.of(DelayCause::gang), (std::vector<double>(3, 0.0))) << "a row for each job";
  EXPECT_FALSE(result.with_failures);
  EXPECT_TRUE(result.failure_reasons.empty());
}

// A run without any of them has no rows of energy, of waits for power or of delays.
TEST(RunResult, HasNoRowsOfWhatIsNotAccounted) {
  SmallWorld world = parts_of_two();
  world.energy.reset();
  world.power.reset();
  world.tenants.reset();
  const RunResult result = world.with_world([](const World& of, const Policies&) {
    RunRows rows(of);
    for (std::size_t j = 0; j < 3; ++j) rows.arrive(JobId(j), of.workload.jobs[j].submit_s);
    RunPart all = all_parts(rows);
    for (auto& [id, record] : all.partitions) record = record_of(1);
    return join(of, rows, std::move(all), {7, 300});
  });
  EXPECT_TRUE(result.job_energy_j.empty());
  EXPECT_TRUE(result.power_wait_s.empty());
  EXPECT_EQ(result.delays.size(), 0U);
  EXPECT_TRUE(std::isnan(result.metric(Metric::energy_j)));
  EXPECT_EQ(result.metric(Metric::power_wait_mean_s), 0);
}

// Job 0 is seen to arrive at 10 and to have ended at 60, job 1 arrives at 20 and is there at the end, at 100: 50 s and
// 80 s, the area under the number of jobs over both partitions. A difference of 1e-9 of that is one of rounding.
TEST(RunResult, LittlesLawIsHeldAgainstItsAreas) {
  (void)parts_of_two().with_world([](const World& world, const Policies&) {
    RunRows rows(world);
    rows.arrive(JobId(0), 10);
    rows.arrive(JobId(1), 20);
    RunPart all = all_parts(rows);
    all.jobs.finished = {1, 0, 0};
    const auto check_with = [&](double job_s) {
      all.partitions[0].second.job_s = 70;
      all.partitions[1].second.job_s = job_s;
      check_littles_law(all, rows, 100, [](double finish_s) { return finish_s + 10; });
    };
    for (const double job_s : {60.0, 60.0 + 1e-7, 60.0 - 1e-7}) EXPECT_NO_THROW(check_with(job_s)) << job_s;
    for (const double job_s : {61.0, 59.0, 60.0 + 2e-7, 60.0 - 2e-7}) EXPECT_THROW(check_with(job_s), Error) << job_s;
    return 0;
  });
}

}  // namespace
}  // namespace palstudy
