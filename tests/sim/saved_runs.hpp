// SPDX-License-Identifier: MIT
#pragma once

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "sim/expect_runs.hpp"
#include "sim/small_world.hpp"
#include "sim/state/checkpoints.hpp"
#include "sim/thread_team.hpp"

namespace palstudy {

/// Where the ranks of a team keep the state of their run: in memory. It asks to save, or to stop, at one instant.
struct Shelf {
  std::optional<RunState> state;
  std::uint64_t at = 0;                                 ///< the instant of this attempt, from 1; 0: never
  CheckpointRequest request = CheckpointRequest::stop;  ///< what is requested then
  int of_rank = 0;                                      ///< the rank that requests it
  int saves = 0, refused = 0;
  std::vector<std::size_t> shares;  ///< how many partitions each rank has taken up, in no order
  std::mutex mutex;
};

class OnShelf final : public Checkpoints {
 public:
  OnShelf(Shelf& shelf, int rank) : shelf_(shelf), rank_(rank) {}
  CheckpointRequest request() override {
    return ++asked_ == shelf_.at && rank_ == shelf_.of_rank ? shelf_.request : CheckpointRequest::none;
  }
  void save(const RunState& state) override {
    shelf_.state = state;
    ++shelf_.saves;
  }
  std::optional<std::vector<double>> saved_costs() override {
    if (!shelf_.state) return std::nullopt;
    std::vector<double> cost;
    for (const SavedPartition& part : shelf_.state->partitions) cost.push_back(part.cost_s);
    return cost;
  }
  RunState read(const std::vector<PartitionId>& partitions) override {
    {
      const std::lock_guard lock(shelf_.mutex);
      shelf_.shares.push_back(partitions.size());
    }
    RunState state{shelf_.state->time_s, shelf_.state->instants, shelf_.state->shared, {}};
    for (const PartitionId p : partitions) state.partitions.push_back(shelf_.state->partitions.at(p.index()));
    return state;
  }
  void unusable(const std::string&) override {
    const std::lock_guard lock(shelf_.mutex);
    ++shelf_.refused;
  }

 private:
  Shelf& shelf_;
  int rank_;
  std::uint64_t asked_ = 0;
};

/// One attempt; nothing if the run was stopped, which must be the same on all ranks of the team.
inline std::optional<RunResult> attempt(const SmallWorld& world, int ranks, Shelf& shelf) {
  std::optional<RunResult> result;
  std::vector<int> stopped(static_cast<std::size_t>(ranks), 0);
  on_team(ranks, [&](Exchange& exchange) {
    OnShelf checkpoints(shelf, exchange.rank());
    auto part = world.with_world(
        [&](const World& of, const Policies& policies) { return simulate(of, policies, exchange, checkpoints); });
    stopped[static_cast<std::size_t>(exchange.rank())] = part ? 0 : 1;
    if (exchange.rank() == 0) result = std::move(part);
  });
  if (world.partitions > 1) {
    for (const int each : stopped) EXPECT_EQ(each, stopped[0]);
  }
  return result;
}

inline void expect_all_same(const RunResult& a, const RunResult& b) {
  expect_same(a, b);
  EXPECT_EQ(a.jobs.attempts, b.jobs.attempts);
  EXPECT_EQ(a.jobs.status, b.jobs.status);
  EXPECT_EQ(a.failures.job, b.failures.job);
  EXPECT_EQ(a.failures.attempt, b.failures.attempt);
  EXPECT_EQ(a.failures.reason, b.failures.reason);
  EXPECT_EQ(a.failures.gpu, b.failures.gpu);
  EXPECT_EQ(a.failures.time_s, b.failures.time_s);
  EXPECT_EQ(a.failures.lost_s, b.failures.lost_s);
  EXPECT_EQ(a.jobs.finished, b.jobs.finished);
  EXPECT_EQ(a.jobs.exec_s, b.jobs.exec_s);
  EXPECT_EQ(a.jobs.preemptions, b.jobs.preemptions);
  EXPECT_EQ(a.jobs.migrations, b.jobs.migrations);
  EXPECT_EQ(a.events.job, b.events.job);
  EXPECT_EQ(a.events.gpu_count, b.events.gpu_count);
  EXPECT_EQ(a.rounds.queued, b.rounds.queued);
  EXPECT_EQ(a.rounds.running, b.rounds.running);
  EXPECT_EQ(a.rounds.demand_gpus, b.rounds.demand_gpus);
  EXPECT_EQ(a.counts.boundaries, b.counts.boundaries);
  EXPECT_EQ(a.counts.placements, b.counts.placements);
  EXPECT_EQ(a.delays.seconds, b.delays.seconds);
  EXPECT_EQ(bits(a.solves.time_s), bits(b.solves.time_s));
  EXPECT_EQ(a.solves.partition, b.solves.partition);
  EXPECT_EQ(a.solves.jobs, b.solves.jobs);
  EXPECT_EQ(a.solves.groups, b.solves.groups);
  EXPECT_EQ(a.solves.iterations, b.solves.iterations);
  EXPECT_EQ(bits(a.solves.primal), bits(b.solves.primal));
  EXPECT_EQ(bits(a.solves.dual), bits(b.solves.dual));
}

/// A run that is stopped at any instant and goes on, on other ranks, ends as `whole`, which never stopped.
inline void expect_goes_on(const SmallWorld& world, std::uint64_t seed, const RunResult& whole) {
  for (std::uint64_t at = 1; at < whole.counts.boundaries; ++at) {
    SCOPED_TRACE(fmt::format("seed {}, stopped at instant {}", seed, at));
    Shelf shelf;
    shelf.at = at;
    if (attempt(world, 1 + static_cast<int>(at % 3), shelf)) break;  // it ended before
    shelf.at = 0;
    const auto result = attempt(world, 1 + static_cast<int>((at + seed) % 3), shelf);
    ASSERT_TRUE(result);
    EXPECT_EQ(shelf.refused, 0);
    expect_all_same(*result, whole);
    if (::testing::Test::HasFailure()) return;
  }
}

}  // namespace palstudy
