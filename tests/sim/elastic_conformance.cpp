// SPDX-License-Identifier: MIT
// The schedulers that resize jobs give one result: with every boundary visited or skipped, saved and restored at every
// instant, on 1, 2, 3 and 7 ranks.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <memory>

#include "sim/conforming.hpp"
#include "sim/linear_jobs.hpp"
#include "sim/scheduler/optimus/optimus_scheduler.hpp"
#include "sim/scheduler/sia/sia_scheduler.hpp"

namespace palstudy {
namespace {

/// Jobs of 4 epochs that grow faster than their GPUs: noise rises, and each may have 4 GPUs.
std::shared_ptr<ElasticJobs> growing_jobs(std::size_t jobs, Elasticity elasticity) {
  auto made = linear_jobs(jobs, {4, 25});
  made->elasticity = elasticity;
  made->models[0].limits.min_local = 8;
  made->models[0].limits.most = 256;
  made->models[0].types[0].step.alpha_r = 0.05;
  made->models[0].types[0].step.alpha_n = 0.2;
  made->models[0].noise.knots = {{0, 10}, {1, 1000}};
  made->models[0].restart_s = 2;
  made->batch.assign(jobs, 64);
  return made;
}

// The schedulers that resize jobs, with jobs that keep their GPUs, change them, and choose their batch as well.
TEST(ElasticConformance, EverySchedulerThatResizesJobs) {
  std::uint64_t seed = 0;
  for (const Elasticity elasticity : {Elasticity::none, Elasticity::counts, Elasticity::counts_and_batch}) {
    for (const std::uint32_t partitions : {1U, 4U}) {
      for (const char* placement : {"packed-sticky", "pal-sticky", "pm-first", "random-sticky"}) {
        for (const bool sia : {false, true}) {
          if (!sia && elasticity == Elasticity::none) continue;
          SmallWorld world = short_world(++seed, partitions);
          for (Job& job : world.jobs) job.gpus = std::min(job.gpus, 4U), job.iterations = 100;
          world.placement = placement;
          world.elastic = growing_jobs(world.jobs.size(), elasticity);
          world.scheduler = [sia](const SchedulerContext& context) -> std::unique_ptr<Scheduler> {
            if (sia) return std::make_unique<SiaScheduler>(context, SiaOptions{});
            return std::make_unique<OptimusScheduler>(context);
          };
          SCOPED_TRACE(fmt::format("{} {} {}", placement, partitions, sia ? "sia" : "optimus"));
          ASSERT_NO_FATAL_FAILURE(expect_conforms(world, some_ranks(seed)));
        }
      }
    }
  }
}

}  // namespace
}  // namespace palstudy
