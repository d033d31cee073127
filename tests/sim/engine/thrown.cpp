// SPDX-License-Identifier: MIT
// A rank that throws, wherever it is and whatever it was doing: every rank of its team throws as well, the others
// because one has; none is left waiting (the test would never end).
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "core/error.hpp"
#include "sim/engine/throwing_placement.hpp"
#include "sim/small_world.hpp"
#include "sim/thread_team.hpp"

namespace palstudy {
namespace {

/// What each rank says when `bad` throws at its n-th placement.
std::vector<std::string> said_by_ranks(const SmallWorld& world, int ranks, int bad, int n) {
  std::vector<std::string> said(static_cast<std::size_t>(ranks));
  on_team(ranks, [&](Exchange& exchange) {
    std::string& here = said[static_cast<std::size_t>(exchange.rank())];
    try {
      (void)world.with_world([&](const World& of, const Policies& policies) {
        ThrowingPlacement throws(policies.placement, exchange.rank() == bad ? n : -1);
        return simulate(of, {policies.order, throws, policies.routing}, exchange);
      });
      here = "done";
    } catch (const OtherRankFailed&) {
      here = "another";
    } catch (const std::exception& error) {
      here = error.what();
    }
  });
  return said;
}

SmallWorld busy_world() {
  SmallWorld world;
  world.nodes = 8;
  world.partitions = 4;
  world.placement = "packed-nonsticky";
  world.order = "las";
  world.engine.round_s = 30;
  world.measure.last = 59;
  add_random_jobs(world, 3, 60, 900, 300);
  return world;
}

TEST(Thrown, ByOneRankIsThrownByAll) {
  const SmallWorld world = busy_world();
  for (const int ranks : {1, 2, 4}) {
    for (int bad = 0; bad < ranks; ++bad) {
      for (const int n : {0, 1, 7}) {
        SCOPED_TRACE(fmt::format("rank {} of {} at its placement {}", bad, ranks, n));
        const auto said = said_by_ranks(world, ranks, bad, n);
        for (int r = 0; r < ranks; ++r) {
          EXPECT_EQ(said[static_cast<std::size_t>(r)], r == bad ? ThrowingPlacement::message : "another");
        }
      }
    }
  }
}

// Nobody throws: the twin of the above that shows that it could fail.
TEST(Thrown, ByNobodyEndsTheRun) {
  for (const std::string& said : said_by_ranks(busy_world(), 2, 0, 1 << 20)) EXPECT_EQ(said, "done");
}

}  // namespace
}  // namespace palstudy
