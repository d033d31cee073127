// SPDX-License-Identifier: MIT
#include "sim/scheduler/ones/population.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "core/error.hpp"
#include "sim/scheduler/ones/ones_cases.hpp"

namespace palstudy {
namespace {

constexpr OnesRates few{.members = 4, .crossover = 0.5, .mutation = 0.3};

/// One generation as it is described, without a short cut: all of the 3K schedules are reordered, then scored by what
/// they are, and the K lowest are found one by one.
std::vector<OnesSchedule> bred_slowly(const std::vector<OnesSchedule>& members, const OnesSurroundings& around,
                                      const OnesKey& key) {
  std::vector<OnesSchedule> all;
  for (const OnesSchedule& member : members) all.push_back(refreshed(member, around.jobs));
  const auto k = static_cast<std::uint32_t>(members.size());
  for (std::uint32_t pair = 0; pair < k / 2; ++pair) {
    const auto first = static_cast<std::uint32_t>(k * key.uniform(OnesOperator::parents, pair, 0));
    auto second = static_cast<std::uint32_t>((k - 1) * key.uniform(OnesOperator::parents, pair, 1));
    if (second >= first) ++second;
    const auto draw_gpu = [&](std::uint32_t gpu) { return key.uniform(OnesOperator::crossover, pair, gpu); };
    const auto children = crossed(all[first], all[second], around.jobs, few.crossover, draw_gpu);
    all.insert(all.end(), {children.first, children.second});
  }
  for (std::uint32_t m = 0; m < k; ++m) {
    const auto draw_job = [&](std::uint32_t row) {
      return key.uniform(OnesOperator::mutation, m, around.jobs[row].job.value);
    };
    all.push_back(mutated(all[m], around.jobs, few.mutation, draw_job));
  }
  const SetSlowdowns even(around.deployed.size(), std::vector<double>(around.deployed.size(), 1.0));
  const SetSlowdowns& slowdowns = around.slowness.slowdowns != nullptr ? *around.slowness.slowdowns : even;
  for (OnesSchedule& schedule : all) {
    const OnesCounts counts = padded(schedule, around.jobs, fill_order(around.jobs));
    schedule = OnesReorder()(counts, around.deployed, around.jobs, around.slowness).schedule;
  }
  std::vector<OnesSchedule> kept;
  while (kept.size() < members.size()) {
    const auto best = std::ranges::min_element(
        all, {}, [&](const OnesSchedule& schedule) { return usage(schedule, around.jobs, slowdowns); });
    kept.push_back(*best);
    all.erase(best);
  }
  return kept;
}

// Generation after generation the members are those of the slow way, with and without slowdowns. The jobs stay as they
// are.
TEST(OnesPopulation, BreedsAsDescribed) {
  for (std::uint64_t number = 0; number < 60; ++number) {
    OnesCases c(number);
    std::vector<double> values;
    for (std::uint32_t i = 0; i < c.gpus; ++i) values.push_back(1 + c.uniform());
    const SetSlowdowns slowdowns(c.gpus, values);
    const OnesSchedule deployed = c.schedule();
    for (const SetSlowdowns* aware : {static_cast<const SetSlowdowns*>(nullptr), &slowdowns}) {
      const OnesSurroundings around{c.jobs, deployed, {aware, 2}};
      OnesPopulation population(few);
      population.start(static_cast<std::uint32_t>(c.jobs.size()), c.gpus, {number, 0});
      for (std::uint32_t generation = 0; generation < 4; ++generation) {
        const auto expected = bred_slowly(population.members(), around, {number, generation});
        const OnesSchedule best = population.breed(around, {number, generation});
        ASSERT_EQ(population.members(), expected) << number << " " << generation;
        ASSERT_EQ(best, expected.front());
      }
    }
  }
}

// The first members are shuffles of the first jobs, one GPU each, and differ.
TEST(OnesPopulation, StartsWithShufflesOfTheFirstJobs) {
  OnesPopulation population(OnesRates{});
  population.start(20, 8, {1, 0});
  ASSERT_EQ(population.members().size(), 16U);
  const std::set<OnesSchedule> distinct(population.members().begin(), population.members().end());
  EXPECT_GT(distinct.size(), 12U);
  for (OnesSchedule member : population.members()) {
    std::ranges::sort(member);
    EXPECT_EQ(member, (OnesSchedule{0, 1, 2, 3, 4, 5, 6, 7}));
  }
  population.start(1, 2, {1, 0});
  EXPECT_EQ(population.members().front(), (OnesSchedule{0, no_job_row}));
}

// Numbers are even between 0 and 1, and differ by each part of their name.
TEST(OnesPopulation, NumbersAreNamed) {
  const OnesKey key{3, 7};
  std::set<double> all;
  double sum = 0;
  for (std::uint32_t of = 0; of < 1000; ++of) sum += key.uniform(OnesOperator::crossover, 2, of);
  EXPECT_NEAR(sum / 1000, 0.5, 0.03);
  all.insert(key.uniform(OnesOperator::crossover, 2, 5));
  all.insert(key.uniform(OnesOperator::mutation, 2, 5));
  all.insert(key.uniform(OnesOperator::crossover, 3, 5));
  all.insert(key.uniform(OnesOperator::crossover, 2, 6));
  all.insert(OnesKey{4, 7}.uniform(OnesOperator::crossover, 2, 5));
  all.insert(OnesKey{3, 8}.uniform(OnesOperator::crossover, 2, 5));
  EXPECT_EQ(all.size(), 6U);
  EXPECT_EQ(key.uniform(OnesOperator::crossover, 2, 5), (OnesKey{3, 7}.uniform(OnesOperator::crossover, 2, 5)));
}

TEST(OnesPopulation, IsOfPairs) {
  EXPECT_THROW(OnesPopulation(OnesRates{.members = 3}), Error);
  EXPECT_THROW(OnesPopulation(OnesRates{.members = 0}), Error);
}

}  // namespace
}  // namespace palstudy
