// SPDX-License-Identifier: MIT
// The record of one partition by hand.
#include "sim/observers/recorder.hpp"

#include <gtest/gtest.h>

#include "sim/small_world.hpp"

namespace palstudy {
namespace {

/// Two nodes of four GPUs; measured jobs arrive from 0 to 100.
SmallWorld up_to_100() {
  SmallWorld world;
  world.nodes = 2;
  for (int j = 0; j < 5; ++j) world.add(0, 1, 100);
  world.add(100, 1, 0);
  world.measure.last = 5;
  return world;
}

// The run is seen to end at 100 and its makespan is 95. At 100 end, or are closed: 3 GPUs since 40 at 2.5 times the
// time, of which 5 s and the work of 2 s are cut; a GPU since 97, all of which is cut; 2 GPUs that ended at 95, which
// are not; a GPU since 90 with half a second of work, no more than which is cut; and, said first, GPUs held idle since
// 50, since 96 and up to 95. The GPU that ended at 90 is not cut. GPU-seconds held are 90 + 180 + 3 + 150 + 10 and
// 100 + 12 + 85, less 15 + 3 + 5 and 10 + 12; of measured jobs 90 + 3 + 150, less 3; of work 90 + 72 + 3 + 150 + 0.5,
// less 6 + 3 + 0.5. Nodes are not cut. Three jobs are there up to 40 and two from then on; the queue is 2 and then 1.
TEST(Recorder, CutsSumsAtTheMakespan) {
  (void)up_to_100().with_world([](const World& world, const Policies&) {
    RunRows rows(world);
    Recorder recorder(world, rows, world.topology, GpuId(0));
    JobSums sums, others;
    recorder.instant(0);
    recorder.state(0, 2, 1, 7, 3);
    recorder.instant(40);
    recorder.state(40, 1, 1, 4, 4);
    recorder.instant(90);
    recorder.interval({JobId(0), 0, 90, 1, 1, 90, 1, true}, {}, others);
    recorder.instant(100);
    recorder.idle({{NodeId(0), 0b1000}, {NodeId(1), 0b0001}}, 50, 100);
    recorder.idle({{NodeId(1), 0b0111}}, 96, 100);
    recorder.idle({{NodeId(0), 0b1000}}, 10, 95);
    recorder.interval({JobId(1), 40, 100, 1.25, 2, 24, 3, false}, {{NodeId(0), 0b0111}}, sums);
    recorder.interval({JobId(2), 97, 100, 1, 1, 3, 1, true}, {{NodeId(1), 0b0001}}, others);
    recorder.interval({JobId(3), 20, 95, 1, 1, 75, 2, true}, {{NodeId(1), 0b0110}}, others);
    recorder.interval({JobId(4), 90, 100, 1, 1, 0.5, 1, false}, {{NodeId(1), 0b1000}}, others);
    const PartitionRecord record = recorder.take(100, 95);
    EXPECT_EQ(record.allocated_s, 433 + 197 - 23 - 22);
    EXPECT_EQ(record.busy_s, 243 - 3);
    EXPECT_EQ(record.effective_s, 315.5 - 9.5);
    EXPECT_EQ(record.node_busy_s, (std::vector<double>{180 + 50 + 85, 3 + 150 + 10 + 50 + 12}));
    EXPECT_EQ(record.job_s, 3 * 40 + 2 * 60);
    EXPECT_EQ(record.queue_moment, 2 * (100 - 2500) / 2 + 1 * (2500 - 100) / 2);
    EXPECT_EQ(record.rounds.time_s, (std::vector<double>{0, 40}));
    EXPECT_EQ(sums.exec_s, 60);
    EXPECT_EQ(sums.slowdown_s, 75);
    EXPECT_EQ(sums.penalty_s, 120);
    return 0;
  });
}

// GPUs are named by their ids in the cluster, of which the partition has those from 8 on. A job that starts again has
// the start of its first time; where it was stopped and got other GPUs, or is moved, it has migrated. The count of its
// attempt is that of failures, if there is one.
TEST(Recorder, SaysWhatJobsDo) {
  (void)up_to_100().with_world([](const World& world, const Policies&) {
    RunRows rows(world);
    Recorder recorder(world, rows, world.topology, GpuId(8));
    JobSums moved;
    rows.records[1].attempts = 3;
    recorder.instant(10);
    recorder.launch(10, JobId(0), 2, {{NodeId(0), 0b1000}, {NodeId(1), 0b0001}}, false);
    recorder.launch(10, JobId(1), 1, {{NodeId(1), 0b0100}}, false);
    recorder.move(20, JobId(1), 1, {{NodeId(0), 0b0001}}, moved);
    recorder.stop(30, JobId(0));
    recorder.launch(40, JobId(0), 2, {{NodeId(0), 0b0110}}, true);
    recorder.instant(60);
    recorder.finish(55, JobId(0));
    recorder.end_waiting(60, JobId(2));
    const EventRows& events = recorder.recorded().events;
    EXPECT_EQ(events.time_s, (std::vector<double>{10, 10, 20, 30, 40, 55}));
    EXPECT_EQ(events.kind, (std::vector{EventKind::launch, EventKind::launch, EventKind::launch, EventKind::stop,
                                        EventKind::launch, EventKind::finish}));
    EXPECT_EQ(events.job, (std::vector{JobId(0), JobId(1), JobId(1), JobId(0), JobId(0), JobId(0)}));
    EXPECT_EQ(events.gpu_begin, (std::vector<std::uint64_t>{0, 2, 3, 4, 4, 6}));
    EXPECT_EQ(events.gpu_count, (std::vector<std::uint32_t>{2, 1, 1, 0, 2, 0}));
    EXPECT_EQ(events.gpus, (std::vector<std::uint32_t>{11, 12, 14, 8, 9, 10}));
    EXPECT_EQ(rows.records[0].start_s, 10);
    EXPECT_EQ(rows.records[0].finish_s, 55);
    EXPECT_EQ(rows.records[0].attempts, 1U);
    EXPECT_EQ(rows.records[0].sums.migrations, 1U);
    EXPECT_EQ(rows.records[0].sums.preemptions, 1U);
    EXPECT_EQ(rows.records[1].attempts, 3U);
    EXPECT_EQ(moved.migrations, 1U);
    EXPECT_EQ(rows.records[2].finish_s, 60);
    EXPECT_TRUE(std::isnan(rows.records[2].start_s));
    EXPECT_EQ(recorder.finished(), 2);
    EXPECT_EQ(recorder.gpu_s_by_events(), -2 * 10 - 10 - 20 - 2 * 40);
    return 0;
  });
}

}  // namespace
}  // namespace palstudy
