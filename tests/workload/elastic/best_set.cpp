// SPDX-License-Identifier: MIT
#include "workload/elastic/best_set.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <vector>

#include "drawn_elastic.hpp"
#include "workload/elastic/batch_tuning.hpp"

namespace palstudy {
namespace {

constexpr std::uint64_t set_cases = 150;

struct SetCase {
  ElasticCase job;
  LevelPenalties penalties;
  std::vector<FreeGpu> free;

  [[nodiscard]] double worth(JobShape shape, const SlowGpus& slow) const {
    return best_batch(job.limits, job.type, shape, job.noise, slow).goodput;
  }
  [[nodiscard]] BestSet best(std::uint32_t most = UINT32_MAX) const {
    return best_set(free, penalties, job.slow.kind, most,
                    [this](JobShape shape, const SlowGpus& slow) { return worth(shape, slow); });
  }
};

/// Up to ten free GPUs of two cabinets of two nodes; each in three has a slowdown that others have too.
SetCase drawn_set_case(std::uint64_t number) {
  ElasticDraws draws(number + 9'000'000);
  SetCase drawn{drawn_case(number), {}, {}};
  drawn.penalties.cabinet = draws.uniform(1, 1.5);
  drawn.penalties.cluster = drawn.penalties.cabinet * draws.uniform(1, 1.5);
  const std::uint32_t gpus = draws.count(1, 10), per_node = draws.count(2, 4);
  for (std::uint32_t gpu = 0; gpu < gpus; ++gpu) {
    const std::uint32_t node = gpu / per_node;
    drawn.free.push_back({gpu, node, node / 2, draws.count(0, 2) == 0 ? 1.25 : draws.uniform(0.9, 2.5)});
  }
  return drawn;
}

/// The greatest worth of all subsets of at most so many GPUs.
double best_of_all_subsets(const SetCase& of, std::uint32_t most) {
  double best = 0;
  for (std::uint32_t mask = 1; mask < 1u << of.free.size(); ++mask) {
    JobShape shape{0, 0};
    SlowGpus slow{of.job.slow.kind, 0, 1};
    std::set<std::uint32_t> nodes, cabinets;
    for (std::size_t i = 0; i < of.free.size(); ++i) {
      if ((mask >> i & 1u) == 0) continue;
      ++shape.gpus;
      nodes.insert(of.free[i].node);
      cabinets.insert(of.free[i].cabinet);
      slow.slowdown = std::max(slow.slowdown, of.free[i].slowdown);
    }
    if (shape.gpus > most) continue;
    shape.nodes = static_cast<std::uint32_t>(nodes.size());
    slow.penalty = nodes.size() == 1      ? of.penalties.node
                   : cabinets.size() == 1 ? of.penalties.cabinet
                                          : of.penalties.cluster;
    best = std::max(best, of.worth(shape, slow));
  }
  return best;
}

// Against all subsets, with and without a limit; and the set that is given has that worth.
TEST(BestSet, IsTheBestOfAllSubsets) {
  std::set<std::size_t> sizes;
  for (std::uint64_t i = 0; i < set_cases; ++i) {
    const SetCase drawn = drawn_set_case(i);
    for (const std::uint32_t most : {UINT32_MAX, 3u}) {
      const BestSet best = drawn.best(most);
      EXPECT_DOUBLE_EQ(best.goodput, best_of_all_subsets(drawn, most)) << i;
      EXPECT_EQ(best.gpus.size(), best.goodput > 0 ? best.shape.gpus : 0u);
      EXPECT_LE(best.gpus.size(), most);
      if (best.gpus.empty()) continue;
      EXPECT_TRUE(std::ranges::is_sorted(best.gpus));
      SetCase only = drawn;  // where no others are free, the set is the best again
      std::erase_if(only.free, [&](const FreeGpu& gpu) { return !std::ranges::binary_search(best.gpus, gpu.gpu); });
      EXPECT_EQ(only.best(most).gpus, best.gpus);
      sizes.insert(best.gpus.size());
    }
  }
  EXPECT_GT(sizes.size(), 4u);
}

// If all GPUs are twice as slow, the same ones are chosen and yield half (`whole`); a further free GPU never harms.
TEST(BestSet, SlowdownsOfAllLeaveTheChoice) {
  for (std::uint64_t i = 0; i < set_cases; ++i) {
    SetCase drawn = drawn_set_case(i);
    drawn.job.slow.kind = SlowKind::whole;
    const BestSet best = drawn.best();
    SetCase slowed = drawn;
    for (FreeGpu& gpu : slowed.free) gpu.slowdown *= 2;
    EXPECT_EQ(slowed.best().gpus, best.gpus);
    EXPECT_DOUBLE_EQ(slowed.best().goodput, best.goodput / 2);
    drawn.free.pop_back();
    EXPECT_LE(drawn.best().goodput, best.goodput);
  }
}

// Nothing tells GPUs apart: the smallest set that yields most, and of those the lowest GPUs, in whatever order they are
// offered. A worth of nothing is no set.
TEST(BestSet, EqualsAreTheSmallestAndLowest) {
  const std::vector<FreeGpu> free = {{5, 1, 0, 1}, {1, 0, 0, 1}, {4, 1, 0, 1}, {0, 0, 0, 1}};
  const Worth flat = [](JobShape, const SlowGpus&) { return 1.0; };
  EXPECT_EQ(best_set(free, {}, SlowKind::whole, 4, flat).gpus, std::vector<std::uint32_t>({0}));
  const Worth pairs = [](JobShape shape, const SlowGpus&) { return shape.gpus >= 2 ? 1.0 : 0.5; };
  EXPECT_EQ(best_set(free, {}, SlowKind::whole, 4, pairs).gpus, std::vector<std::uint32_t>({0, 1}));
  // Where nodes are not numbered as their GPUs are, the lowest GPUs still come first.
  const std::vector<FreeGpu> turned = {{5, 0, 0, 1}, {6, 0, 0, 1}, {1, 1, 0, 1}, {2, 1, 0, 1}};
  EXPECT_EQ(best_set(turned, {}, SlowKind::whole, 4, pairs).gpus, std::vector<std::uint32_t>({1, 2}));
  const Worth none = [](JobShape, const SlowGpus&) { return 0.0; };
  EXPECT_TRUE(best_set(free, {}, SlowKind::whole, 4, none).gpus.empty());
  EXPECT_TRUE(best_set({}, {}, SlowKind::whole, 4, flat).gpus.empty());
}

}  // namespace
}  // namespace palstudy
