// SPDX-License-Identifier: MIT
#pragma once

#include "sim/small_world.hpp"

namespace palstudy {

/// Four GPUs, rounds of 100 s.
inline SmallWorld two_tenants(double quota_a, double quota_b) {
  SmallWorld world;
  world.engine.round_s = 100;
  world.engine.backfill = Backfill::greedy;
  world.tenant_names = {"a", "b"};
  world.tenants.emplace();
  world.tenants->quota = {quota_a, quota_b};
  return world;
}

/// A job of a tenant, after the others.
inline void add_of(SmallWorld& world, std::uint16_t tenant, double submit_s, std::uint32_t gpus, double seconds) {
  world.add(submit_s, gpus, seconds);
  world.jobs.back().tenant = tenant;
}

inline double waited(const RunResult& result, DelayCause cause, std::size_t job) {
  return result.delays.of(cause).at(job);
}

/// 24 GPUs in three cabinets, shared by three tenants whose 120 jobs arrive in bursts.
inline SmallWorld random_tenants(std::uint64_t seed) {
  SmallWorld world;
  world.nodes = 6;
  world.nodes_per_cabinet = 2;
  world.engine.round_s = 30;
  world.engine.backfill = Backfill::greedy;
  world.engine.completion = seed % 2 == 0 ? Completion::round : Completion::exact;
  world.measure.last = 119;
  add_random_jobs(world, seed, 120, 2400, 400);
  RandomStream random(seed, Purpose::job_shape, 9);
  for (Job& job : world.jobs) job.tenant = static_cast<std::uint16_t>(random.below(3));
  world.tenant_names = {"a", "b", "c"};
  world.tenants.emplace();
  world.tenants->quota = {8, 10, 6};
  return world;
}

/// With as much of the rest as goes with a placement that leaves running jobs: preemption, ladder, patience, gangs.
inline SmallWorld random_full_tenants(std::uint64_t seed) {
  SmallWorld world = random_tenants(seed);
  world.placement = seed % 3 == 0 ? "pal-sticky" : seed % 3 == 1 ? "packed-sticky" : "random-sticky";
  if (seed % 4 != 1) world.tenants->preempt_occupancy = 0.8;
  if (seed % 4 != 2) world.tenants->ladder_attempts = 2;
  if (seed % 8 == 3) world.tenants->patience = 0.5, world.tenants->patience_most_s = 200;
  if (seed % 2 == 1) world.tenants->gang_timeout_s = 70, world.tenants->gang_backoff_s = 50;
  return world;
}

}  // namespace palstudy
