// SPDX-License-Identifier: MIT
// The shapes of Philly's study (Jeon et al., ATC'19) on a small cluster, as inequalities with margins: the larger the
// job, the more of its kind are delayed by fragmentation rather than by fair share (Table 2: 59, 74 and 98 %), and the
// further its GPUs are spread, the slower it runs beside others (16 GPUs on 2, 4 and 8 servers: 43.7, 40.9 and 28.6 %).
// Neither is a prediction: how long a level of the ladder lasts, 27 boundaries, and that all servers are alike were
// chosen with these tables in view. The test holds that the rules still give the shapes. The whole study, with its own
// jobs, is experiments/philly.toml and philly-2490.toml; docs/evidence/reproduction.md sets it beside the tables.
#include <gtest/gtest.h>

#include <array>

#include "sim/expect_runs.hpp"
#include "sim/small_world.hpp"

namespace palstudy {
namespace {

/// 2,048 GPUs, 32 racks of eight servers; four tenants with equal quotas and 10,000 jobs of one GPU to 32 half of them
/// of the first, that ask for somewhat less than the cluster.
SmallWorld small_philly(std::uint64_t seed) {
  SmallWorld world;
  world.nodes = 256;
  world.gpus_per_node = 8;
  world.nodes_per_cabinet = 8;
  world.penalty = {1.0, 1.171, 1.7};
  world.engine.round_s = 30;
  world.engine.backfill = Backfill::greedy;
  world.interference = {1.296, 1.323};
  world.tenant_names = {"a", "b", "c", "d"};
  world.tenants.emplace();
  world.tenants->quota = {512, 512, 512, 512};
  world.tenants->preempt_occupancy = 0.9;
  world.tenants->ladder_attempts = 27;
  world.tenants->gang_timeout_s = 150;
  world.tenants->gang_backoff_s = 120;
  constexpr std::array<std::uint32_t, 10> widths = {1, 1, 1, 1, 1, 2, 4, 8, 8, 16};
  RandomStream random(seed, Purpose::job_shape, 1);
  double now_s = 0;
  for (int i = 0; i < 10000; ++i) {
    now_s += -std::log(random.uniform_positive()) * 23;
    const std::uint32_t width = random.below(60) == 0 ? 32 : widths[random.below(widths.size())];
    world.add(std::floor(now_s), width, 60 + std::floor(-std::log(random.uniform_positive()) * 8000));
    world.jobs.back().tenant = static_cast<std::uint16_t>(random.below(10) < 5 ? 0 : 1 + random.below(3));
  }
  world.measure.last = 9999;
  return world;
}

struct Delayed {
  double fair = 0, fragmented = 0;
  [[nodiscard]] double share() const { return fragmented / (fair + fragmented); }
};

TEST(PhillyShape, CalibratedRulesDelayLargerJobsByFragmentationAndSpreadSlowsThem) {
  std::array<Delayed, 3> by_size;         // 2-4 GPUs, 5-8, more
  std::array<double, 3> speed{}, held{};  // of 16 GPUs on 2 servers, on 3 to 5, on more
  for (std::uint64_t seed = 1; seed <= 3; ++seed) {
    const SmallWorld world = small_philly(seed);
    const RunResult result = world.run();
    for (std::size_t j = 0; j < world.jobs.size(); ++j) {
      const std::uint32_t gpus = world.jobs[j].gpus;
      const double fair_s = result.delays.of(DelayCause::fair_share)[j];
      double others_s = 0;
      for (const DelayCause cause : {DelayCause::fragmentation, DelayCause::gang, DelayCause::locality}) {
        others_s += result.delays.of(cause)[j];
      }
      if (gpus > 1 && fair_s + others_s > 0) {
        Delayed& delayed = by_size[gpus <= 4 ? 0 : gpus <= 8 ? 1 : 2];
        ++(fair_s > others_s ? delayed.fair : delayed.fragmented);
      }
      if (gpus != 16 || !(result.jobs.exec_s[j] > 0)) continue;
      const double nodes = result.delays.node_s[j] / result.jobs.exec_s[j];
      const std::size_t spread = nodes < 2.5 ? 0 : nodes < 5.5 ? 1 : 2;
      speed[spread] += result.jobs.exec_s[j] / result.jobs.penalty_mean[j];
      held[spread] += result.jobs.exec_s[j];
    }
  }
  EXPECT_GT(by_size[1].share(), by_size[0].share() + 0.1);
  EXPECT_GT(by_size[2].share(), by_size[1].share() + 0.02);
  EXPECT_GT(by_size[2].share(), 0.7);
  for (const double seconds : held) ASSERT_GT(seconds, 0) << "a spread that never happened tests nothing";
  for (std::size_t i = 0; i < 3; ++i) speed[i] /= held[i];
  EXPECT_LT(speed[1], speed[0] * 0.9);
  EXPECT_LT(speed[2], speed[1] * 0.95);
}

}  // namespace
}  // namespace palstudy
