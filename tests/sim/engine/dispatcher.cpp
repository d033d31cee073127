// SPDX-License-Identifier: MIT
// The dispatcher alone: what launches, moves, stops and ends do to jobs, queue and running set.
#include "sim/engine/dispatcher.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <memory>

#include "sim/partition_parts.hpp"
#include "sim/uneven_world.hpp"

namespace palstudy {
namespace {

/// A node of four GPUs and jobs of 2 and 4 GPUs that last 1000 s and 100 s.
SmallWorld busy_node() {
  SmallWorld world;
  world.add(0, 2, 1000);
  world.add(0, 4, 100);
  world.measure.last = 1;
  return world;
}

TEST(Dispatcher, LaunchesWhatWasPlaced) {
  with_parts(busy_node(), [](PartitionParts& parts) {
    parts.launch(2, 0);
    EXPECT_TRUE(parts.runs(0));
    EXPECT_FALSE(parts.runs(1)) << "two GPUs are free, it wants four";
    EXPECT_EQ(parts.state.queue.waiting(), std::vector<JobId>({JobId(1)}));
    EXPECT_EQ(parts.state.demand_gpus(), 6U);
    EXPECT_EQ(parts.state.running.finish.earliest(), 1000.0);
  });
}

// Stopped after 360 of 1000 s it waits again, with 360 s done, and job 1 has the node; when that ends at 460 s all is
// free.
TEST(Dispatcher, StopsWhatWasReleasedAndEndsWhatIsDue) {
  with_parts(busy_node(), [](PartitionParts& parts) {
    parts.launch(2, 0);
    parts.dispatcher.instant(360);
    parts.dispatcher.complete(360);
    parts.transaction.begin(360);
    parts.transaction.release(JobId(0), StopReason::order);
    ASSERT_TRUE(parts.transaction.place(JobId(1)));
    parts.dispatcher.commit(360, parts.transaction);
    EXPECT_TRUE(parts.state.table.waiting(JobId(0)));
    EXPECT_EQ(parts.state.table.course(JobId(0)).work_done, 360.0);
    EXPECT_EQ(parts.state.table.attained_s(JobId(0), 400), 360.0);
    EXPECT_TRUE(parts.runs(1));
    EXPECT_EQ(parts.state.running.finish.earliest(), 460.0);
    parts.dispatcher.instant(720);
    parts.dispatcher.complete(720);
    EXPECT_TRUE(parts.state.table.finished(JobId(1)));
    EXPECT_EQ(parts.state.free.total(), 4U);
    EXPECT_EQ(parts.rows.records[1].finish_s, 460.0);
    EXPECT_EQ(parts.rows.records[0].sums.preemptions, 1U);
  });
}

/// Turns away the jobs of one GPU.
class NoSmallJobs final : public Effect {
 public:
  explicit NoSmallJobs(const PartitionState& state) : state_(state) {}
  bool admits(JobId job, double) override { return state_.job(job).gpus > 1; }

 private:
  const PartitionState& state_;
};

/// Follows each job by the one statement of a job's life.
class Follower final : public Scheduler {
 public:
  explicit Follower(const SchedulerContext& context, std::size_t jobs)
      : list_(schedulers().at("list").make(context, {})), states_(jobs, JobState::future) {}

  [[nodiscard]] bool wants_events() const override { return true; }
  void notify(const JobEvent& event) override {
    const auto next = state_after(states_[event.job.index()], event.change);
    ASSERT_TRUE(next) << "job " << event.job.value << ", change " << static_cast<int>(event.change);
    states_[event.job.index()] = *next;
    ++changes;
    if (list_->wants_events()) list_->notify(event);
  }
  void capacity_changed() override { list_->capacity_changed(); }
  [[nodiscard]] bool idle() const override { return list_->idle(); }
  void decide(const View& view, Transaction& transaction) override { list_->decide(view, transaction); }
  void committed(const View& view, Transaction& transaction) override { list_->committed(view, transaction); }
  [[nodiscard]] double next_change_s(const View& view) override { return list_->next_change_s(view); }

  static inline std::uint64_t changes = 0;

 private:
  std::unique_ptr<Scheduler> list_;
  std::vector<JobState> states_;
};

// Whatever happens (ends, stops by an order and by nodes that go down, failed attempts, jobs turned away and levelled
// to other partitions), a scheduler hears of legal changes alone, and never of a job that was turned away.
TEST(Dispatcher, TellsSchedulersOfLegalChangesAlone) {
  Follower::changes = 0;
  for (std::uint64_t seed = 1; seed <= 12; ++seed) {
    SmallWorld world = uneven_world(seed);
    world.partitions = seed % 2 == 0 ? 1 : 4;
    world.engine.round_s = 30;
    world.engine.backfill = Backfill::greedy;
    world.order = seed % 3 == 0 ? "las" : "fifo";
    world.placement = seed % 4 < 2 ? "packed-sticky" : "pal";
    world.routing_options = {1, 8, 3};
    add_random_jobs(world, seed, 30, 200, 150);
    for (Job& job : world.jobs) job.gpus = std::min(job.gpus, 16 / world.partitions);
    world.measure.last = 29;
    world.outages = {{NodeId(1), 100, 300, false}};
    world.effects = {[](PartitionState& state) { return std::make_unique<NoSmallJobs>(state); }};
    world.scheduler = [&](const SchedulerContext& context) {
      return std::make_unique<Follower>(context, world.jobs.size());
    };
    const RunResult result = world.run();
    EXPECT_EQ(result.metric(Metric::jobs_unfinished), 0) << "seed " << seed;
    for (std::size_t job = 0; job < world.jobs.size(); ++job) {
      EXPECT_EQ(std::isnan(result.jobs.start_s[job]), world.jobs[job].gpus == 1) << "seed " << seed << ", job " << job;
    }
  }
  EXPECT_GT(Follower::changes, 1000U);
}

}  // namespace
}  // namespace palstudy
