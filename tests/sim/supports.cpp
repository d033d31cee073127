// SPDX-License-Identifier: MIT
// Parts that do not work together are refused before a run begins, in one place.
#include "sim/supports.hpp"

#include <gtest/gtest.h>

#include "core/error.hpp"
#include "sim/small_world.hpp"

namespace palstudy {
namespace {

/// Two partitions of one node, and a job on both.
SmallWorld wide_world() {
  SmallWorld world;
  world.nodes = 2;
  world.partitions = 2;
  world.add(0, 8, 100);
  world.measure.last = 0;
  return world;
}

void check(const SmallWorld& world) {
  (void)world.with_world([](const World& of, const Policies& policies) {
    check_supports(of, policies);
    return 0;
  });
}

TEST(Supports, WideJobsFeelNoEffectsYet) {
  EXPECT_NO_THROW(check(wide_world()));
  SmallWorld world = wide_world();
  world.interference = {1.2, 1.4};
  EXPECT_THROW(check(world), Error);
  world.partitions = 1;
  EXPECT_NO_THROW(check(world));
  world = wide_world();
  world.outages = {{NodeId(0), 10, 20}};
  EXPECT_THROW(check(world), Error);
  world.jobs.front().gpus = 4;
  EXPECT_NO_THROW(check(world));
}

TEST(Supports, AJobWiderThanTheClusterIsBadData) {
  SmallWorld world = wide_world();
  world.jobs.front().gpus = 9;
  try {
    check(world);
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::data);
  }
}

}  // namespace
}  // namespace palstudy
