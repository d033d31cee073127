// SPDX-License-Identifier: MIT
// Levelling of queues alone: which jobs go where, from what the partitions say of themselves.
#include "sim/engine/queue_balancing.hpp"

#include <gtest/gtest.h>

#include <tuple>

namespace palstudy {
namespace {

/// Partitions of 8, 4 and 4 GPUs, and jobs; each partition names three candidates at most.
struct ThreeQueues {
  std::vector<NodeGroup> groups = {{4, 4}};
  Topology topology{groups, 8};
  std::vector<std::uint32_t> sizes = {8, 4, 4};
  Partitioning partitioning{topology, sizes};
  Bins bins{std::vector<ClassBins>{}};
  Summaries summaries{partitioning, bins, 3, false};
  std::vector<Job> jobs;

  explicit ThreeQueues(const std::vector<std::uint32_t>& gpus) : jobs(gpus.size()) {
    for (std::size_t j = 0; j < gpus.size(); ++j) jobs[j].gpus = gpus[j];
  }
  /// So many GPUs are wanted in a partition, by these waiting jobs among others.
  void want(std::uint32_t partition, std::int64_t gpus, const std::vector<std::uint32_t>& waiting) {
    summaries.set(PartitionId(partition), Summaries::demand_gpus, gpus);
    summaries.set(PartitionId(partition), Summaries::queued_jobs, static_cast<std::int64_t>(waiting.size()));
    for (std::size_t i = 0; i < waiting.size(); ++i) {
      summaries.set_candidate(PartitionId(partition), i, JobId(waiting[i]));
    }
  }
  /// (job, from, to).
  using Moves = std::vector<std::tuple<std::uint32_t, std::uint32_t, std::uint32_t>>;
  [[nodiscard]] Moves level(std::size_t max_moves) {
    Moves moves;
    for (const JobMove& move : level_queues(summaries, jobs, max_moves)) {
      moves.emplace_back(move.job.value, move.from.value, move.to.value);
    }
    return moves;
  }
  [[nodiscard]] std::vector<std::int64_t> all(Summaries::Cell cell) const {
    std::vector<std::int64_t> values;
    for (std::uint32_t p = 0; p < 3; ++p) values.push_back(summaries.at(PartitionId(p), cell));
    return values;
  }
};

// Of partition 1, whose 12 GPUs wanted are thrice its own, jobs 2 and 1 go to partition 0, which is idle and has 8 GPUs
// and so 2 and 6 wanted then. Job 0 would leave 2 of 4 wanted behind it and make 10 of 8 there, so it stays.
TEST(LevelQueues, MovesJobsAsLongAsTheReceiverIsNoWorseOff) {
  ThreeQueues queues({4, 4, 2});
  queues.want(1, 12, {2, 1, 0});
  queues.want(2, 4, {});
  EXPECT_EQ(queues.level(8), (ThreeQueues::Moves{{2, 1, 0}, {1, 1, 0}}));
  EXPECT_EQ(queues.all(Summaries::demand_gpus), (std::vector<std::int64_t>{6, 6, 4}));
  EXPECT_EQ(queues.all(Summaries::queued_jobs), (std::vector<std::int64_t>{2, 1, 0}));
}

// The most loaded queue gives first.
TEST(LevelQueues, MovesNoMoreThanItMay) {
  ThreeQueues queues({4, 4, 2});
  queues.want(1, 12, {2, 1});
  queues.want(2, 8, {0});
  EXPECT_EQ(queues.level(1), (ThreeQueues::Moves{{2, 1, 0}}));
  EXPECT_EQ(queues.level(0), (ThreeQueues::Moves{}));
}

// A job of 6 GPUs fits in partition 0 alone and stays, idle as the others are; the one of 4 behind it goes, of two that
// are idle to the lower, and the next to the other.
TEST(LevelQueues, LooksForPartitionsThatAreLargeEnough) {
  ThreeQueues queues({6, 4, 4});
  queues.want(0, 32, {0, 1, 2});
  EXPECT_EQ(queues.level(8), (ThreeQueues::Moves{{1, 0, 1}, {2, 0, 2}}));
  EXPECT_EQ(queues.all(Summaries::demand_gpus), (std::vector<std::int64_t>{24, 4, 4}));
}

// A job of 4 GPUs leaves 8 wanted of 8 and makes 4 of 4, which is no worse; where it would leave 7, it stays.
TEST(LevelQueues, EquallyLoadedIsNoWorseOff) {
  for (const std::int64_t wanted : {12, 11}) {
    ThreeQueues queues({4});
    queues.want(0, wanted, {0});
    EXPECT_EQ(queues.level(8).size(), wanted == 12 ? 1U : 0U) << wanted;
  }
}

// Partition 1 is the most loaded and its waiting job has started before, so that it is not named: partition 2 gives.
TEST(LevelQueues, TakesOnlyJobsThatAreNamed) {
  ThreeQueues queues({2, 2});
  queues.want(1, 20, {});
  queues.summaries.set(PartitionId(1), Summaries::queued_jobs, 1);
  queues.want(2, 8, {1});
  EXPECT_EQ(queues.level(8), (ThreeQueues::Moves{{1, 2, 0}}));
}

}  // namespace
}  // namespace palstudy
