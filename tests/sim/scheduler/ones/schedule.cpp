// SPDX-License-Identifier: MIT
#include "sim/scheduler/ones/schedule.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>

#include "core/error.hpp"
#include "sim/scheduler/ones/ones_cases.hpp"

namespace palstudy {
namespace {

constexpr std::uint64_t many_schedules = 300;

/// Whether each entry is that of `from`, or none.
bool only_taken_away(const OnesSchedule& out, const OnesSchedule& from) {
  for (std::size_t gpu = 0; gpu < from.size(); ++gpu) {
    if (out[gpu] != no_job_row && out[gpu] != from[gpu]) return false;
  }
  return out.size() == from.size();
}

// A job that is not complete keeps its first GPU, and as many as it wants; entries are taken away, never moved. What it
// keeps are its first ones.
TEST(OnesSchedule, RefreshKeepsTheFirstGpusOfEveryJob) {
  for (std::uint64_t number = 0; number < many_schedules; ++number) {
    OnesCases c(number);
    const OnesSchedule before = c.schedule(), after = refreshed(before, c.jobs);
    ASSERT_TRUE(only_taken_away(after, before));
    const auto had = counted_rows(before);
    auto has = counted_rows(after);
    for (const auto& [row, gpus] : had) {
      const bool complete = c.jobs[row].status == OnesStatus::complete;
      EXPECT_EQ(has[row], complete ? 0U : std::min(gpus, std::max(1U, c.jobs[row].wanted))) << number;
      const auto first = std::ranges::find(before, row) - before.begin();
      EXPECT_EQ(after[static_cast<std::size_t>(first)], complete ? no_job_row : row);
    }
    EXPECT_EQ(refreshed(after, c.jobs), after) << "twice is once";
  }
}

// Every entry of a child is that of one parent on the same GPU, and the other child's candidate is that of the other
// parent. No job has more than it wants. One number is drawn for each GPU, in order.
TEST(OnesSchedule, CrossoverSwapsEntriesOfTheSameGpu) {
  for (std::uint64_t number = 0; number < many_schedules; ++number) {
    OnesCases c(number);
    const OnesSchedule a = c.schedule(), b = c.schedule();
    std::vector<std::uint32_t> asked;
    std::vector<bool> swapped;
    const auto [first, second] = crossed(a, b, c.jobs, 0.5, [&](std::uint32_t gpu) {
      const double u = c.uniform();
      asked.push_back(gpu);
      swapped.push_back(u < 0.5);
      return u;
    });
    ASSERT_EQ(asked.size(), c.gpus);
    EXPECT_TRUE(std::ranges::is_sorted(asked));
    for (std::uint32_t gpu = 0; gpu < c.gpus; ++gpu) {
      EXPECT_TRUE(first[gpu] == no_job_row || first[gpu] == (swapped[gpu] ? b[gpu] : a[gpu]));
      EXPECT_TRUE(second[gpu] == no_job_row || second[gpu] == (swapped[gpu] ? a[gpu] : b[gpu]));
    }
    for (const OnesSchedule& child : {first, second}) {
      for (const auto& [row, gpus] : counted_rows(child)) EXPECT_LE(gpus, c.jobs[row].wanted);
    }
  }
}

// Without a swap children are their parents, cut to what jobs want; so a new job, which wants nothing, vanishes.
TEST(OnesSchedule, NewJobsVanishInCrossover) {
  std::vector<OnesJob> jobs(2);
  jobs[1].status = OnesStatus::running;
  jobs[1].wanted = 2;
  const OnesSchedule parent = {0, 1, 1, 1}, none(4, no_job_row);
  const auto [first, second] = crossed(parent, none, jobs, 0.5, [](std::uint32_t) { return 0.5; });
  EXPECT_EQ(first, (OnesSchedule{no_job_row, 1, 1, no_job_row}));
  EXPECT_EQ(second, none);
}

// Whole jobs go, of two epochs or more alone, by a number for each; what stays lies where it lay.
TEST(OnesSchedule, MutationTakesAwayWholeJobs) {
  for (std::uint64_t number = 0; number < many_schedules; ++number) {
    OnesCases c(number);
    const OnesSchedule before = c.schedule();
    std::vector<std::uint32_t> asked;
    std::map<std::uint32_t, double> drawn;
    const OnesSchedule after = mutated(before, c.jobs, 0.3, [&](std::uint32_t row) {
      asked.push_back(row);
      return drawn[row] = c.uniform();
    });
    ASSERT_TRUE(only_taken_away(after, before));
    ASSERT_EQ(asked.size(), drawn.size()) << "each job once";
    auto has = counted_rows(after);
    for (const auto& [row, gpus] : counted_rows(before)) {
      const bool goes = c.jobs[row].epochs >= 2 && drawn.at(row) < 0.3;
      EXPECT_EQ(has[row], goes ? 0 : gpus);
    }
  }
}

// 32 samples on each GPU while the rate may grow, here up to 16 times; then 512 in all, divided among the GPUs.
TEST(OnesSchedule, TheBatchFollowsFromTheCount) {
  EXPECT_EQ(ones_batch(1, 32, 16).global, 32U);
  EXPECT_EQ(ones_batch(16, 32, 16).local, 32U);
  EXPECT_EQ(ones_batch(16, 32, 16).global, 512U);
  EXPECT_EQ(ones_batch(20, 32, 16).local, 25U);
  EXPECT_EQ(ones_batch(20, 32, 16).global, 500U);
  EXPECT_EQ(ones_batch(3, 10, 2.55).local, 8U) << "25 of 25.5, among three";
  EXPECT_THROW((void)ones_batch(0, 32, 16), Error);
  EXPECT_THROW((void)ones_batch(1, 32, 0.5), Error);
}

}  // namespace
}  // namespace palstudy
