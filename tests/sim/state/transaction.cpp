// SPDX-License-Identifier: MIT
// Decisions on paper: they change the index of free GPUs and no job, and a rollback undoes them.
#include "sim/state/transaction.hpp"

#include <gtest/gtest.h>

#include "sim/linear_jobs.hpp"
#include "sim/partition_parts.hpp"

namespace palstudy {
namespace {

/// Two nodes of four GPUs, and four jobs of 2, 4, 2 and 3 GPUs that last 1000 s.
SmallWorld two_nodes() {
  SmallWorld world;
  world.nodes = 2;
  for (const std::uint32_t gpus : {2u, 4u, 2u, 3u}) world.add(0, gpus, 1000);
  world.measure.last = 3;
  return world;
}

TEST(Transaction, PlacesUntilThePartitionIsFull) {
  with_parts(two_nodes(), [](PartitionParts& parts) {
    parts.transaction.begin(0);
    EXPECT_TRUE(parts.transaction.place(JobId(0)));
    EXPECT_TRUE(parts.transaction.place(JobId(1)));
    EXPECT_TRUE(parts.transaction.place(JobId(2)));
    EXPECT_EQ(parts.state.free.total(), 0U);
    EXPECT_FALSE(parts.transaction.place(JobId(3)));
    EXPECT_EQ(parts.transaction.placements().size(), 3U);
    EXPECT_TRUE(parts.transaction.placed(JobId(2)));
    EXPECT_FALSE(parts.transaction.placed(JobId(3)));
    EXPECT_EQ(parts.state.running.size(), 0U) << "no job changes before the dispatcher commits";
  });
}

// A rollback gives the GPUs of later placements back and takes those of later releases; what was decided before the
// savepoint stays.
TEST(Transaction, RollsBackToASavepoint) {
  with_parts(two_nodes(), [](PartitionParts& parts) {
    parts.launch(2, 0);
    const std::uint32_t slot = parts.state.running.slot_of(JobId(1));
    Transaction& transaction = parts.transaction;
    transaction.begin(360);
    EXPECT_TRUE(transaction.place(JobId(2)));
    EXPECT_EQ(parts.state.free.total(), 0U);
    const auto before = transaction.savepoint();
    transaction.release(JobId(1), StopReason::order);
    EXPECT_TRUE(transaction.released(slot));
    EXPECT_TRUE(transaction.place(JobId(3)));
    EXPECT_EQ(parts.state.free.total(), 1U);
    transaction.rollback(before);
    EXPECT_FALSE(transaction.released(slot));
    EXPECT_FALSE(transaction.placed(JobId(3)));
    EXPECT_TRUE(transaction.placed(JobId(2)));
    EXPECT_EQ(parts.state.free.total(), 0U);
  });
}

// A job that runs and is given other GPUs gives its own to others of the same transaction; undone, it has them again.
TEST(Transaction, TakesGpusOfTheSchedulersChoice) {
  with_parts(two_nodes(), [](PartitionParts& parts) {
    parts.launch(1, 0);
    const GpuSet own = parts.gpus_of(0), other = {{NodeId(1), 0b1100}};
    Transaction& transaction = parts.transaction;
    transaction.begin(360);
    const auto before = transaction.savepoint();
    transaction.take(JobId(0), other);
    EXPECT_EQ(parts.state.free.mask(NodeId(0)), GpuMask{0b1111});
    EXPECT_EQ(parts.state.free.mask(NodeId(1)), GpuMask{0b0011});
    transaction.rollback(before);
    EXPECT_EQ(parts.state.free.mask(own.front().node), GpuMask{0b1111} & ~own.front().mask);
    transaction.take(JobId(0), other);
    parts.dispatcher.instant(360);
    parts.dispatcher.commit(360, transaction);
    EXPECT_EQ(parts.gpus_of(0), other);
  });
}

TEST(Transaction, HoldsGpusIdleUntilTheHoldEnds) {
  with_parts(two_nodes(), [](PartitionParts& parts) {
    Transaction& transaction = parts.transaction;
    transaction.begin(0);
    EXPECT_TRUE(transaction.hold(JobId(1), 3));
    EXPECT_EQ(parts.state.free.total(), 5U);
    transaction.free_held(JobId(1));
    EXPECT_EQ(parts.state.free.total(), 8U);
    transaction.take_held(JobId(1));
    EXPECT_EQ(parts.state.free.total(), 5U);
    ASSERT_EQ(parts.state.idle_parts.size(), 1U);
    transaction.end_hold(JobId(1));
    EXPECT_TRUE(parts.state.idle_parts.empty());
    ASSERT_EQ(transaction.ended_holds().size(), 1U);
    EXPECT_EQ(count(transaction.ended_holds().front().gpus), 3U);
  });
}

// Job 0 asks for one GPU and gets two and a batch of 8: 1,000 iterations take 125 s. At 40 s it has done 320; on the
// same GPUs with a batch of 4 the other 680 take 42.5 s. The same size once more changes nothing. Job 1, which is
// placed as it asks, has the batch of its own.
TEST(Transaction, GivesAnElasticJobItsSize) {
  SmallWorld world;
  for (int j = 0; j < 2; ++j) world.add(0, 1, 1000);
  world.measure.last = 1;
  world.elastic = linear_jobs(2);
  with_parts(world, [](PartitionParts& parts) {
    Transaction& transaction = parts.transaction;
    parts.dispatcher.instant(0);
    for (const std::uint32_t job : {0U, 1U}) parts.admit(job, 0);
    transaction.begin(0);
    ASSERT_TRUE(transaction.place(JobId(0), JobSize{2, 8}));
    ASSERT_TRUE(transaction.place(JobId(1)));
    parts.dispatcher.commit(0, transaction);
    const auto finish_s = [&](std::uint32_t job) {
      return parts.state.running.finish.at(parts.state.running.slot_of(JobId(job)));
    };
    EXPECT_EQ(finish_s(0), 125);
    EXPECT_EQ(finish_s(1), 1000);
    EXPECT_EQ(parts.state.sizes, (JobSizes{{2, 8}, {1, 0}}));
    EXPECT_EQ(parts.state.demand_gpus(), 3U);
    for (const double now_s : {40.0, 60.0}) {
      parts.dispatcher.instant(now_s);
      transaction.begin(now_s);
      const GpuSet own = parts.gpus_of(0);
      transaction.take(JobId(0), own, 4);
      parts.dispatcher.commit(now_s, transaction);
      EXPECT_EQ(finish_s(0), 82.5) << now_s;
      EXPECT_EQ(parts.state.sizes[0], (JobSize{2, 4}));
      EXPECT_EQ(parts.state.running.allocation[parts.state.running.slot_of(JobId(0))].sums.migrations, 1U) << now_s;
    }
    EXPECT_EQ(parts.state.free.total(), 1U);
  });
}

// Each node has a GPU of each of four bins. The fastest bin has two GPUs, one on each node, for a job of two; another
// one finds none there, though six are free. One of four does not fit on the second node alone, which has three left.
TEST(Transaction, ConfinesAJobToTheFastestBinsOrToSomeNodes) {
  SmallWorld world = two_nodes();
  world.slowdown_values = {0.9, 1.0, 1.1, 1.2, 0.9, 1.0, 1.1, 1.2};
  world.bins.bins = 4;
  with_parts(world, [](PartitionParts& parts) {
    Transaction& transaction = parts.transaction;
    const std::vector<NodeId> second = {NodeId(1)};
    transaction.begin(0);
    ASSERT_TRUE(transaction.place(JobId(0), Confinement{{}, 0, 0}));
    EXPECT_EQ(transaction.last_placement(), (GpuSet{{NodeId(0), 0b0001}, {NodeId(1), 0b0001}}));
    EXPECT_FALSE(transaction.place(JobId(2), Confinement{{}, 0, 0}));
    EXPECT_FALSE(transaction.place(JobId(1), Confinement{second}));
    EXPECT_TRUE(transaction.place(JobId(3), Confinement{second}));
    EXPECT_EQ(transaction.last_placement(), (GpuSet{{NodeId(1), 0b1110}}));
    EXPECT_EQ(parts.state.free.total(), 3U);
  });
}

}  // namespace
}  // namespace palstudy
