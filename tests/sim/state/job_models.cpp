// SPDX-License-Identifier: MIT
// Jobs that are not plain, in whole runs.
#include <gtest/gtest.h>

#include <bit>
#include <map>

#include "sim/small_world.hpp"

namespace palstudy {
namespace {

JobModel pipelined(std::uint32_t tensor, std::uint32_t pipeline, std::uint32_t microbatches) {
  JobModel model;
  model.kind = JobModelKind::pipelined;
  model.tensor = tensor;
  model.pipeline = pipeline;
  model.microbatches = microbatches;
  return model;
}

// Two nodes of 4, one GPU of slowdown 2 on the second; a job on all of them, tensor groups of 2, 2 stages, 2 replicas
// of 3 microbatches, 10 % exchange. Groups by rank: stage 0 has GPUs 0-1 and 2-3, stage 1 GPUs 4-5 and 6-7. The second
// replica takes 3 x 2 + 1 = 7 in place of 4; with the exchange over the cluster's penalty of 1.5 the factor is 0.9 x
// 7/4 + 0.1 x 1.5 = 1.725, of which 1.675 is slowdown.
TEST(JobModels, APipelinedJobTakesWhatItsSlowestReplicaTakes) {
  SmallWorld world;
  world.nodes = 2;
  world.penalty = {1.0, 1.5, 1.5};
  world.slowdown_values = {1, 1, 1, 1, 1, 1, 2, 1};
  world.job_models = {pipelined(2, 2, 6)};
  world.job_models[0].exchange_share = 0.1;
  world.add(0, 8, 1000);
  const auto result = world.run();
  EXPECT_NEAR(result.jobs.finish_s[0], 1725, 1e-9);
  EXPECT_NEAR(result.jobs.slowdown_mean[0], 1.675, 1e-12);
  EXPECT_NEAR(result.jobs.penalty_mean[0], 1.725 / 1.675, 1e-12);
}

// 60 % computing on the slowest GPU (2), 40 % communication at 1.5 on two nodes: 1.2 + 0.6.
TEST(JobModels, ABulkJobCommunicatesAtThePenaltyAlone) {
  SmallWorld world;
  world.nodes = 2;
  world.penalty = {1.0, 1.5, 1.5};
  world.slowdown_values = {1, 1, 1, 1, 1, 1, 2, 1};
  world.job_models = {JobModel{}};
  world.job_models[0].kind = JobModelKind::bulk;
  world.job_models[0].comm = {{1, 0.1}, {2, 0.4}};
  world.add(0, 8, 1000);
  EXPECT_NEAR(world.run().jobs.finish_s[0], 1800, 1e-9);
  world.jobs[0].gpus = 1;  // alone: GPU 0, no communication
  EXPECT_NEAR(world.run().jobs.finish_s[0], 1000, 1e-9);
}

// A model of kind plain is the same as none, to the last bit.
TEST(JobModels, PlainIsTheDefault) {
  SmallWorld world;
  world.nodes = 4;
  for (std::uint32_t g = 0; g < 16; ++g) world.slowdown_values.push_back(1 + 0.01 * g);
  for (int j = 0; j < 20; ++j) world.add(100.0 * j, 1 + static_cast<std::uint32_t>(j % 6), 1000.0 + j);
  const auto without = world.run();
  world.job_models = {JobModel{}};
  EXPECT_EQ(without.jobs.finish_s, world.run().jobs.finish_s);
}

// Under every placement policy, with narrow jobs in between, each node of a job has whole tensor groups.
TEST(JobModels, TensorGroupsStayOnANode) {
  for (const auto& placement : placements().names()) {
    SmallWorld world;
    world.nodes = 8;
    world.gpus_per_node = 8;
    world.placement = placement;
    for (std::uint32_t g = 0; g < 64; ++g) world.slowdown_values.push_back(1 + 0.1 * (g * 7 % 16 == 0 ? 5 : g % 3));
    world.job_models = {JobModel{}, pipelined(4, 2, 16)};
    for (int j = 0; j < 60; ++j) {
      const bool grouped = j % 3 == 0;
      world.add(400.0 * j, grouped ? 16 : 1 + static_cast<std::uint32_t>(j % 5), 3000);
      if (grouped) world.jobs.back().model = 1;
    }
    const auto result = world.run();
    for (std::size_t e = 0; e < result.events.time_s.size(); ++e) {
      const Job& job = world.jobs[result.events.job[e].index()];
      if (job.model != 1 || result.events.kind[e] != EventKind::launch) continue;
      std::map<std::uint32_t, int> on_node;
      for (std::uint32_t i = 0; i < result.events.gpu_count[e]; ++i) {
        ++on_node[result.events.gpus[result.events.gpu_begin[e] + i] / 8];
      }
      for (const auto& [node, gpus] : on_node) EXPECT_EQ(gpus % 4, 0) << placement << " node " << node;
    }
    for (const auto finished : result.jobs.finished) EXPECT_EQ(finished, 1) << placement;
  }
}

}  // namespace
}  // namespace palstudy
