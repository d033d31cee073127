// SPDX-License-Identifier: MIT
#include "sim/state/running_set.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "core/random.hpp"

namespace palstudy {
namespace {

/// A set, and what each of its jobs must be found with: the number of the job in every field.
struct Jobs {
  explicit Jobs(OptionalFields extras = {}) : set(slot_of, extras) {}

  std::vector<std::uint32_t> slot_of = std::vector<std::uint32_t>(400, RunningSet::no_slot);
  RunningSet set;

  void add(JobId job) {
    const double mark = job.value;
    GpuSet gpus{{NodeId(job.value), 1}};
    for (std::uint32_t more = 0; more < job.value % 4; ++more) gpus.push_back({NodeId(job.value + more), 2});
    const std::uint32_t slot = set.add(job, gpus);
    set.allocation[slot].sums.exec_s = set.progress[slot].launched_s = mark;
    set.progress[slot].segment = {mark, mark, mark};
    set.progress[slot].iterations = mark;
    set.finish.set(slot, mark);
  }
  void remove(JobId job) { set.remove(set.slot_of(job)); }
  void check() {
    double earliest = std::numeric_limits<double>::infinity();
    for (const JobId job : set.iteration_order()) {
      const std::uint32_t slot = set.slot_of(job);
      ASSERT_LT(slot, set.size());
      ASSERT_EQ(set.job[slot], job);
      const double mark = job.value;
      ASSERT_TRUE(set.allocation[slot].sums.exec_s == mark && set.progress[slot].launched_s == mark &&
                  set.progress[slot].segment.work == mark && set.progress[slot].iterations == mark &&
                  set.finish.at(slot) == mark);
      ASSERT_EQ(set.allocation[slot].gpus.size(), 1 + job.value % 4);
      ASSERT_EQ(set.allocation[slot].gpus.front().node, NodeId(job.value));
      earliest = std::min(earliest, mark);
    }
    ASSERT_EQ(set.iteration_order().size(), set.size());
    std::vector<JobId> ascending = set.iteration_order(), by_job;
    std::sort(ascending.begin(), ascending.end());
    for (const std::uint32_t slot : set.by_job()) by_job.push_back(set.job[slot]);
    ASSERT_EQ(by_job, ascending);
    ASSERT_EQ(set.finish.earliest(), earliest);
  }
};

// Jobs come and go at random. Whoever tidies the slots, and whoever lines them up, finds every job with what is its own
// and the same roll as one who never does either, whatever else is kept of the jobs.
TEST(RunningSet, TidyingChangesNoRoll) {
  for (std::uint64_t seed = 1; seed <= 50; ++seed) {
    RandomStream random(seed, Purpose::job_shape, 0);
    Jobs plain, sorted({seed % 2 == 0, seed % 3 == 0});
    std::vector<JobId> in;
    for (std::uint32_t next = 0; next < 400; ++next) {
      plain.add(JobId(next)), sorted.add(JobId(next)), in.push_back(JobId(next));
      while (!in.empty() && random.below(5) < 2) {
        const std::size_t i = random.below(static_cast<std::uint32_t>(in.size()));
        plain.remove(in[i]), sorted.remove(in[i]);
        EXPECT_EQ(sorted.set.slot_of(in[i]), RunningSet::no_slot);
        in.erase(in.begin() + static_cast<std::ptrdiff_t>(i));
      }
      if (random.below(3) == 0) sorted.set.sort_slots();
      if (random.below(20) == 0) {
        sorted.set.restore_order();
        EXPECT_EQ(sorted.set.job, sorted.set.iteration_order());
      }
      plain.check(), sorted.check();
      ASSERT_EQ(plain.set.iteration_order(), sorted.set.iteration_order()) << "seed " << seed << ", job " << next;
      ASSERT_EQ(plain.set.iteration_order(), plain.set.job)
          << "the iteration order is that of slots that were never sorted";
    }
  }
}

// Once enough jobs have gone, the slots are in the order of the jobs.
TEST(RunningSet, TidySortsByJob) {
  Jobs jobs;
  for (std::uint32_t j = 0; j < 100; ++j) jobs.add(JobId(j));
  for (std::uint32_t j = 0; j < 100; j += 3) jobs.remove(JobId(j));
  EXPECT_FALSE(std::is_sorted(jobs.set.job.begin(), jobs.set.job.end()));
  jobs.set.sort_slots();
  EXPECT_TRUE(std::is_sorted(jobs.set.job.begin(), jobs.set.job.end()));
  jobs.check();
}

}  // namespace
}  // namespace palstudy
