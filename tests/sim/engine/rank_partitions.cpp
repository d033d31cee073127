// SPDX-License-Identifier: MIT
// The partitions of a rank alone: how they are dealt out, what is done with each, and what becomes of a failure.
#include "sim/engine/rank_partitions.hpp"

#include <gtest/gtest.h>

#include <stdexcept>
#include <string>

#include "core/error.hpp"
#include "sim/small_world.hpp"

namespace palstudy {
namespace {

/// The first of so many ranks, of which there is no other in this process.
class FirstOf final : public LocalExchange {
 public:
  explicit FirstOf(int ranks) : ranks_(ranks) {}
  [[nodiscard]] int ranks() const override { return ranks_; }
  void tick() override { ++ticks; }
  int ticks = 0;

 private:
  int ranks_;
};

/// `use(partitions)` of the first of so many ranks; partition 1 of four is another's, if there is one.
template <class Use>
void with_three_of_four(FirstOf& exchange, Use use) {
  SmallWorld world;
  world.nodes = world.partitions = 4;
  world.add(0, 1, 1);
  (void)world.with_world([&](const World& of, const Policies& policies) {
    RunRows rows(of);
    JobStates states(of);
    RankPartitions partitions(of, policies, exchange, {0, 1, 0, 0}, states, rows);
    use(partitions);
    return 0;
  });
}

// Each of its own, by ascending id; after each it serves the other ranks, where there are any.
TEST(RankPartitions, GoThroughTheirOwnAndServeOthersInBetween) {
  for (const int ranks : {1, 2}) {
    FirstOf exchange(ranks);
    with_three_of_four(exchange, [&](RankPartitions& partitions) {
      std::vector<std::uint32_t> seen;
      partitions.for_each([&](Partition& part) {
        EXPECT_EQ(exchange.ticks, ranks == 1 ? 0 : static_cast<int>(seen.size()));
        seen.push_back(part.state().resources.id.value);
      });
      EXPECT_EQ(seen, (std::vector<std::uint32_t>{0, 2, 3}));
      EXPECT_EQ(exchange.ticks, ranks == 1 ? 0 : 3);
      EXPECT_EQ(partitions.count(), 4U);
      EXPECT_FALSE(partitions.single() || partitions.failed());
      EXPECT_EQ(partitions.mine(PartitionId(1)), nullptr);
      EXPECT_EQ(partitions.cost_s()[1], 0);
    });
  }
}

// What one partition throws ends the work of the rank, and is kept until it is asked for: as it was where the rank is
// alone, as a fault with the same words among others. A rank that has not failed says that another has.
TEST(RankPartitions, KeepTheFirstFailure) {
  for (const int ranks : {1, 2}) {
    FirstOf exchange(ranks);
    with_three_of_four(exchange, [&](RankPartitions& partitions) {
      EXPECT_THROW(partitions.throw_failure(), OtherRankFailed);
      int calls = 0;
      for (const char* why : {"the first", "the second"}) {
        partitions.for_each([&](Partition&) {
          ++calls;
          throw std::runtime_error(why);
        });
      }
      partitions.guarded([&] { ++calls; });
      EXPECT_EQ(calls, 1);
      EXPECT_TRUE(partitions.failed());
      try {
        partitions.throw_failure();
        FAIL();
      } catch (const Error& error) {
        EXPECT_EQ(ranks, 2);
        EXPECT_EQ(error.code(), ErrorCode::fault);
        EXPECT_NE(std::string(error.what()).find("the first"), std::string::npos);
      } catch (const std::runtime_error& error) {
        EXPECT_EQ(ranks, 1);
        EXPECT_EQ(std::string(error.what()), "the first");
      }
    });
  }
}

// The dearest first, each to the rank with the least so far; ties: the lowest. By hand: 5 to rank 0, 3 to 1 and 2, then
// of three that cost 2 one to 1, one to 2, and the last, when all have 5, to 0.
TEST(RankPartitions, AreDealtOutDearestFirst) {
  const std::vector<double> cost = {5, 3, 3, 2, 2, 2};
  const std::vector<int> owner = assign_partitions(cost, 3);
  EXPECT_EQ(owner, (std::vector<int>{0, 1, 2, 1, 2, 0}));
  EXPECT_EQ(heaviest(cost, owner, 3), 7);
  EXPECT_EQ(assign_partitions({1, 1, 1, 3}, 2), (std::vector<int>{1, 1, 1, 0}));
  EXPECT_EQ(assign_partitions({1, 1}, 3), (std::vector<int>{0, 1}));
  EXPECT_EQ(heaviest({1, 1}, {0, 1}, 3), 1);
}

}  // namespace
}  // namespace palstudy
