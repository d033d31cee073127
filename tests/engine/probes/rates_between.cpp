// SPDX-License-Identifier: MIT
// Probe: an effect that changes all running rates between two boundaries.
#include <gtest/gtest.h>

#include "sim/expect_runs.hpp"
#include "sim/state/effect.hpp"
#include "sim/state/state_archive.hpp"
#include "sim/thread_team.hpp"

namespace palstudy {
namespace {

/// From `at_s` on everything takes twice as long.
class HalfSpeed final : public WithState<HalfSpeed, Effect> {
 public:
  HalfSpeed(const PartitionState& state, double at_s) : state_(state), at_s_(at_s) {}
  void adjust(JobId, const GpuSet&, Rate& rate) const override { rate.stall *= slow_ ? 2 : 1; }
  [[nodiscard]] double next_event_s() const override { return slow_ ? std::numeric_limits<double>::infinity() : at_s_; }
  void advance(double now_s, Changes& changes) override {
    if (slow_ || now_s < at_s_) return;
    slow_ = true;
    for (const JobId job : state_.running.iteration_order()) changes.rates.push_back(job);
  }
  void serialize(auto& archive, unsigned /*version*/) { (archive & slow_); }

 private:
  const PartitionState& state_;
  double at_s_;
  bool slow_ = false;
};

SmallWorld slowed_at(double at_s) {
  SmallWorld world;
  world.engine.round_s = 100;
  world.add(0, 2, 120);
  world.add(0, 2, 500);
  world.add(130, 2, 100);
  world.measure.last = 2;
  world.effects = {[at_s](PartitionState& state) { return std::make_unique<HalfSpeed>(state, at_s); }};
  return world;
}

// At 150 s job 0 has ended (120 s), job 1 has 350 s of work left, which take 700 s: it ends at 850 s. Job 2 starts at
// the boundary 200 s and takes 200 s.
TEST(Probes, AnEffectChangesAllRatesBetweenTwoBoundaries) {
  const RunResult result = slowed_at(150).run();
  EXPECT_EQ(result.jobs.finish_s, std::vector<double>({120, 850, 400}));
  EXPECT_EQ(result.jobs.start_s, std::vector<double>({0, 0, 200}));
}

TEST(Probes, AnEffectWithAClockDoesNotDependOnRanksOrVisits) {
  SmallWorld world = slowed_at(155);
  world.nodes = 4;
  world.partitions = 4;
  const RunResult whole = world.run();
  world.engine.visit_every_boundary = true;
  for (const int ranks : {1, 2, 3, 7}) {
    on_team(ranks, [&](Exchange& exchange) {
      const RunResult part = world.run(exchange);
      if (exchange.rank() == 0) expect_same(part, whole);
    });
  }
}

}  // namespace
}  // namespace palstudy
