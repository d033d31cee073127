// SPDX-License-Identifier: MIT
// Probe: a scheduler that keeps its jobs itself, of which one is moved to the queue of another partition.
#include <gtest/gtest.h>

#include <algorithm>

#include "sim/expect_runs.hpp"
#include "sim/state/state_archive.hpp"
#include "sim/thread_team.hpp"

namespace palstudy {
namespace {

/// Knows its waiting jobs from the events alone, and starts the one that came last first.
class LastFirst final : public WithState<LastFirst, Scheduler> {
 public:
  explicit LastFirst(const SchedulerContext& context) : state_(context.state) {}
  [[nodiscard]] bool wants_events() const override { return true; }
  void notify(const JobEvent& event) override {
    if (event.change == JobChange::arrived || event.change == JobChange::moved_in) waiting_.push_back(event.job);
    if (event.change == JobChange::started || event.change == JobChange::moved_out) std::erase(waiting_, event.job);
  }
  [[nodiscard]] bool idle() const override { return waiting_.empty(); }
  void decide(const View&, Transaction& transaction) override {
    for (auto job = waiting_.rbegin(); job != waiting_.rend(); ++job) {
      EXPECT_TRUE(state_.table.waiting(*job)) << "a job that is not in this queue";
      if (!transaction.place(*job)) return;
    }
  }
  [[nodiscard]] double next_change_s(const View&) override { return std::numeric_limits<double>::infinity(); }
  void serialize(auto& archive, unsigned /*version*/) { (archive & waiting_); }

 private:
  const PartitionState& state_;
  std::vector<JobId> waiting_;
};

// Jobs are routed by a hash, so that queues differ, and levelled between four partitions of a node each.
TEST(Probes, AStatefulSchedulersJobIsLevelledAway) {
  SmallWorld world;
  world.nodes = 4;
  world.partitions = 4;
  world.routing = "hash";
  world.engine.round_s = 30;
  world.routing_options = {1, 2, 3};
  for (int j = 0; j < 60; ++j) world.add(10 * (j / 12), 1 + static_cast<std::uint32_t>(j) % 4, 50 + 13 * (j % 7));
  world.measure.last = 59;
  world.scheduler = [](const SchedulerContext& context) { return std::make_unique<LastFirst>(context); };
  const RunResult whole = world.run();
  expect_sound(world, whole);
  EXPECT_EQ(std::count(whole.jobs.finished.begin(), whole.jobs.finished.end(), 1), 60);
  SmallWorld fixed = world;
  fixed.routing_options.max_moves = 0;
  EXPECT_NE(fixed.run().jobs.partition, whole.jobs.partition) << "no job was moved";
  for (const int ranks : {2, 3, 7}) {
    on_team(ranks, [&](Exchange& exchange) {
      const RunResult part = world.run(exchange);
      if (exchange.rank() == 0) expect_same(part, whole);
    });
  }
}

}  // namespace
}  // namespace palstudy
