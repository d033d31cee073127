// SPDX-License-Identifier: MIT
// Jobs of different models on the same wires, by hand.
#include <gtest/gtest.h>

#include "sim/small_world.hpp"

namespace palstudy {
namespace {

/// Four nodes of two GPUs, two a cabinet; boundaries every 10 s.
SmallWorld wires() {
  SmallWorld world;
  world.nodes = 4;
  world.gpus_per_node = 2;
  world.nodes_per_cabinet = 2;
  world.engine.round_s = 10;
  world.measure.last = 100;
  return world;
}

// Model 0 costs 1.2 in a cabinet and 1.5 across, model 1 2 and 3. Of each a job of 4 GPUs (a cabinet) and then one of 8
// (the cluster), 100 s of work each, one after the other by fifo: the cabinets hold both jobs of 4 at once, so these
// end at 120 and 200. Then the cluster: 200 + 150 = 350, and 350 + 300 = 650. A job of one node costs 1, whoever it is.
TEST(Penalties, AreThoseOfTheModel) {
  SmallWorld world = wires();
  world.by_model = {{1, 1.2, 1.5}, {1, 2, 3}};
  for (const std::uint32_t gpus : {4U, 4U, 8U, 8U, 2U}) world.add(0, gpus, 100);
  for (const std::size_t i : {1U, 3U, 4U}) world.jobs[i].model = 1;
  const auto result = world.run();
  EXPECT_EQ(result.jobs.finish_s[0], 120);
  EXPECT_EQ(result.jobs.finish_s[1], 200);
  EXPECT_EQ(result.jobs.finish_s[2], 350);
  EXPECT_EQ(result.jobs.finish_s[3], 650);
  EXPECT_EQ(result.jobs.finish_s[4], 750);
  EXPECT_EQ(result.jobs.penalty_mean[0], 1.2);
  EXPECT_EQ(result.jobs.penalty_mean[1], 2);
  EXPECT_EQ(result.jobs.penalty_mean[3], 3);
  EXPECT_EQ(result.jobs.penalty_mean[4], 1);
}

// Two GPUs for each of two jobs; one fast GPU (1) and one slow (1.5) in each of two nodes, which are two cabinets. PAL
// offers model 0, whose spread costs 1.1, the two fast ones: 1.1 against 1.5 in a node. Model 1 at 2 takes a node.
TEST(Penalties, MoveWhatPalOffers) {
  for (const char* placement : {"pal", "pal-sticky", "pal-levels"}) {
    SmallWorld world = wires();
    world.nodes = 2;
    world.nodes_per_cabinet = 1;
    world.placement = placement;
    world.slowdown_values = {1, 1.5, 1, 1.5};
    world.bins.bins = 2;
    world.by_model = {{1, 1.1, 1.1}, {1, 2, 2}};
    world.add(0, 2, 100);
    world.add(500, 2, 100);
    world.jobs[1].model = 1;
    const auto result = world.run();
    EXPECT_DOUBLE_EQ(result.jobs.finish_s[0], 110) << placement;
    EXPECT_DOUBLE_EQ(result.jobs.finish_s[1], 650) << placement;
    // Believing the one constant 1.1 of both, it spreads model 1 as well, which then takes 2 x 100 s.
    world.believed_by_model = {{1, 1.1, 1.1}, {1, 1.1, 1.1}};
    EXPECT_DOUBLE_EQ(world.run().jobs.finish_s[1], 700) << placement;
  }
}

// A list in which all are equal is the constant, with partitions, a router that reckons with penalties, and PAL.
TEST(Penalties, OfOneForAllAreAConstant) {
  SmallWorld constant = wires(), listed = wires();
  add_random_jobs(constant, 3, 40, 500, 200);
  listed.jobs = constant.jobs;
  constant.placement = listed.placement = "pal";
  constant.partitions = listed.partitions = 2;
  constant.routing = listed.routing = "variability-aware";
  for (int g = 0; g < 8; ++g) constant.slowdown_values.push_back(1 + 0.1 * (g % 3));
  listed.slowdown_values = constant.slowdown_values;
  constant.penalty = {1, 1.3, 1.7};
  listed.by_model = {{1, 1.3, 1.7}, {1, 1.3, 1.7}, {1, 1.3, 1.7}};
  for (Job& job : listed.jobs) job.model = static_cast<std::uint16_t>(job.id % 3);
  EXPECT_EQ(constant.run().jobs.finish_s, listed.run().jobs.finish_s);
}

}  // namespace
}  // namespace palstudy
