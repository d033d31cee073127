// SPDX-License-Identifier: MIT
// The rate law alone, without a simulation around it.
#include "sim/state/rate_model.hpp"

#include <gtest/gtest.h>

#include <map>

#include "sim/small_world.hpp"
#include "sim/thread_team.hpp"

namespace palstudy {
namespace {

/// 8 nodes of 4 GPUs, 2 nodes a cabinet; GPU g has slowdown 1 + g/100, so that of a set the last GPU is the slowest.
SmallWorld rising_world() {
  SmallWorld world;
  world.nodes = 8;
  world.nodes_per_cabinet = 2;
  world.penalty = {1.0, 1.3, 1.7};
  for (int g = 0; g < 32; ++g) world.slowdown_values.push_back(1 + 0.01 * g);
  return world;
}

JobModel bulk_model() {
  JobModel model;
  model.kind = JobModelKind::bulk;
  model.comm = {{1, 0.1}, {2, 0.2}, {8, 0.5}};
  return model;
}

JobModel pipelined_model() {
  JobModel model;
  model.kind = JobModelKind::pipelined;
  model.tensor = 2;
  model.pipeline = 2;
  model.microbatches = 8;
  model.tensor_share = 0.2;
  model.exchange_share = 0.1;
  return model;
}

// (slowdown x penalty) x iteration_s, in this order: 0.1 x 3 is 0.30000000000000004, 3 x 0.7 is 2.0999999999999996, so
// that another order would give another last bit.
TEST(Rate, IsMultipliedInThePublishedOrder) {
  const Rate rate{0.1, 3, 0.7};
  EXPECT_EQ(rate.seconds_per_iteration(), (0.1 * 3) * 0.7);
  EXPECT_NE(rate.seconds_per_iteration(), 0.1 * (3 * 0.7));
}

// The slowest GPU, and the penalty of the widest level: one node (also all of it), two nodes of one cabinet, two
// cabinets.
TEST(RateModel, OfAPlainJobIsTheSlowestGpuAndTheWidestLevel) {
  SmallWorld small = rising_world();
  small.add(0, 4, 1);
  (void)small.with_world([&](const World& world, const Policies&) {
    RateModel rates(world, world.topology, GpuId(0));
    const auto expect = [&](const GpuSet& gpus, double slowdown, double penalty) {
      const SlowdownAndPenalty factors = rates.factors(JobId(0), ClassId(0), gpus);
      EXPECT_EQ(factors.slowdown, slowdown);
      EXPECT_EQ(factors.penalty, penalty);
    };
    expect({{NodeId(1), 0b0110}}, 1 + 0.01 * 6, 1.0);
    expect({{NodeId(1), 0b1111}}, 1 + 0.01 * 7, 1.0);
    expect({{NodeId(0), 0b1000}, {NodeId(1), 0b0001}}, 1 + 0.01 * 4, 1.3);
    expect({{NodeId(1), 0b0001}, {NodeId(2), 0b0001}}, 1 + 0.01 * 8, 1.7);
    return 0;
  });
}

// Alone on an empty cluster, a job over all GPUs has the same ones with 1, 2 and 4 partitions, and so the same finish;
// a team of three ranks that share the partitions agrees.
TEST(RateModel, JobsOverSeveralPartitionsFinishAsInOne) {
  for (const JobModel& model : {JobModel{}, bulk_model(), pipelined_model()}) {
    std::vector<double> finish_s;
    for (const std::uint32_t partitions : {1U, 2U, 4U}) {
      SmallWorld small = rising_world();
      small.partitions = partitions;
      small.job_models = {model};
      small.add(0, 32, 1000);
      finish_s.push_back(small.run().jobs.finish_s[0]);
      on_team(3, [&](Exchange& exchange) {
        const RunResult result = small.run(exchange);
        if (exchange.rank() != 0) return;
        EXPECT_EQ(result.jobs.finish_s[0], finish_s.back()) << partitions;
      });
    }
    EXPECT_EQ(finish_s[0], finish_s[1]);
    EXPECT_EQ(finish_s[0], finish_s[2]);
    EXPECT_GT(finish_s[0], 1000);
  }
}

// Four partitions of 2 nodes, a plain job of 3 GPUs in each until 1000 s: of the 20 free GPUs 16 are in whole groups of
// two. A wide job of 16 starts at once, one of 20 only when a job of 3 has ended; both hold whole groups on every node.
TEST(RateModel, WidePipelinedJobsGetWholeGroups) {
  for (const std::uint32_t gpus : {16U, 20U}) {
    SmallWorld small = rising_world();
    small.partitions = 4;
    small.job_models = {JobModel{}, pipelined_model()};
    small.job_models[1].microbatches = 20;
    for (int j = 0; j < 4; ++j) small.add(0, 3, 1000);
    small.add(10, gpus, 500);
    small.jobs.back().model = 1;
    const auto result = small.run();
    EXPECT_EQ(result.jobs.start_s[4] < 1000, gpus == 16);
    std::map<std::uint32_t, std::uint32_t> on_node;
    const auto& events = result.events;
    for (std::size_t e = 0; e < events.job.size(); ++e) {
      if (events.job[e] != JobId(4) || events.kind[e] != EventKind::launch) continue;
      for (std::size_t g = 0; g < events.gpu_count[e]; ++g) {
        ++on_node[events.gpus[events.gpu_begin[e] + g] / 4];
      }
    }
    std::uint32_t held = 0;
    for (const auto& [node, count] : on_node) {
      EXPECT_EQ(count % 2, 0U) << "node " << node;
      held += count;
    }
    EXPECT_EQ(held, gpus);
  }
}

// What a rank does not know of a part counts for nothing, also where all GPUs are faster than 1: half the time, at the
// penalty of the cluster, on however many ranks.
TEST(RateModel, PartsOfOtherRanksAreNoSlowerThanTheyAre) {
  SmallWorld small = rising_world();
  small.slowdown_values.assign(32, 0.5);
  small.partitions = 4;
  small.add(0, 32, 1000);
  for (const int ranks : {1, 3}) {
    on_team(ranks, [&](Exchange& exchange) {
      const RunResult result = small.run(exchange);
      if (exchange.rank() != 0) return;
      EXPECT_DOUBLE_EQ(result.jobs.finish_s[0], 850) << ranks;
      EXPECT_DOUBLE_EQ(result.jobs.slowdown_mean[0], 0.5) << ranks;
    });
  }
}

}  // namespace
}  // namespace palstudy
