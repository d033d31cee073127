// SPDX-License-Identifier: MIT
// Probe: a joint scheduler with a clock of its own, which moves two jobs into each other's GPUs.
#include <gtest/gtest.h>

#include "sim/expect_runs.hpp"
#include "sim/linear_jobs.hpp"
#include "sim/state/state_archive.hpp"

namespace palstudy {
namespace {

/// Starts all jobs as soon as possible, and every `every_s` seconds exchanges the GPUs of the first two that run.
class Exchanging final : public WithState<Exchanging, Scheduler> {
 public:
  Exchanging(const SchedulerContext& context, double every_s)
      : state_(context.state), every_s_(every_s), next_s_(every_s) {}

  [[nodiscard]] bool idle() const override { return state_.queue.empty() && state_.running.size() == 0; }
  void decide(const View& view, Transaction& transaction) override {
    const std::vector<JobId> waiting = state_.queue.waiting();
    for (const JobId job : waiting) (void)transaction.place(job);
    if (view.now_s < next_s_) return;
    while (next_s_ <= view.now_s) next_s_ += every_s_;
    if (state_.running.size() < 2) return;
    const auto& by_job = state_.running.by_job();
    const JobId first = state_.running.job[by_job[0]], second = state_.running.job[by_job[1]];
    const GpuSet of_first = state_.running.allocation[by_job[0]].gpus;
    const GpuSet of_second = state_.running.allocation[by_job[1]].gpus;
    transaction.release(first, StopReason::order);
    transaction.release(second, StopReason::order);
    transaction.take(first, of_second);
    transaction.take(second, of_first);
  }
  [[nodiscard]] double next_change_s(const View&) override { return next_s_; }
  void serialize(auto& archive, unsigned /*version*/) { (archive & next_s_); }

 private:
  PartitionState& state_;
  double every_s_, next_s_;
};

// GPU 1 is twice as slow as GPU 0. Jobs of 400 s exchange them at the boundaries at or after 150, 300, 450 s of a round
// of 100 s: 200, 300, 500 s. Job 0: 200 done at 200 s, 50 more at 300 s, and the rest, 150, at full speed until 450 s.
// Job 1: 100 at 200 s, 200 at 300 s, 275 at 450 s and, since nobody else runs, as before: 125 left take 250 s, 700 s.
TEST(Probes, AJointSchedulerWithItsOwnClockExchangesGpus) {
  SmallWorld world;
  world.gpus_per_node = 2;
  world.slowdown_values = {1, 2};
  world.engine.round_s = 100;
  for (int j = 0; j < 2; ++j) world.add(0, 1, 400);
  world.measure.last = 1;
  world.scheduler = [](const SchedulerContext& context) { return std::make_unique<Exchanging>(context, 150); };
  const RunResult result = world.run();
  EXPECT_EQ(result.jobs.finish_s, std::vector<double>({450, 700}));
  EXPECT_EQ(result.jobs.migrations, std::vector<std::uint32_t>({2, 2}));
}

// Jobs of 1000 iterations on 4 and 2 GPUs of one node exchange them at 200 s: job 0 has done 800, the rest takes 100 s
// on two GPUs; job 1 has done 400, the rest takes 150 s on four. Each has held 1000 GPU-seconds.
TEST(Probes, AJointSchedulerResizesTwoJobsIntoEachOthersGpus) {
  SmallWorld world;
  world.gpus_per_node = 6;
  world.engine.round_s = 100;
  for (const std::uint32_t gpus : {4u, 2u}) world.add(0, gpus, 1000);
  world.measure.last = 1;
  world.elastic = linear_jobs(2);
  world.scheduler = [](const SchedulerContext& context) { return std::make_unique<Exchanging>(context, 150); };
  const RunResult result = world.run();
  EXPECT_EQ(result.jobs.finish_s, std::vector<double>({300, 350}));
  EXPECT_DOUBLE_EQ(result.metric(Metric::alloc_fraction), 2000.0 / (6 * 350));
  world.engine.visit_every_boundary = true;
  expect_same(world.run(), result);
}

}  // namespace
}  // namespace palstudy
