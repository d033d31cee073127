// SPDX-License-Identifier: MIT
// The life of a job, and whose it is.
#include "workload/job_table.hpp"

#include <gtest/gtest.h>

#include <array>
#include <set>
#include <utility>

namespace palstudy {
namespace {

constexpr std::array states = {JobState::future, JobState::waiting, JobState::running, JobState::finished};
constexpr std::array changes = {JobChange::arrived, JobChange::turned_away, JobChange::moved_in, JobChange::moved_out,
                                JobChange::started, JobChange::moved,       JobChange::resized,  JobChange::stopped,
                                JobChange::failed,  JobChange::ended};

// By hand: a job waits before it runs, runs before it ends, and is over for good.
TEST(JobLife, HasNoOtherArrows) {
  const std::set<std::pair<JobState, JobChange>> legal = {
      {JobState::future, JobChange::arrived},     {JobState::future, JobChange::moved_in},
      {JobState::future, JobChange::turned_away}, {JobState::waiting, JobChange::moved_out},
      {JobState::waiting, JobChange::started},    {JobState::running, JobChange::moved},
      {JobState::running, JobChange::resized},    {JobState::running, JobChange::stopped},
      {JobState::running, JobChange::failed},     {JobState::running, JobChange::ended}};
  for (const JobState state : states) {
    for (const JobChange change : changes) {
      EXPECT_EQ(state_after(state, change).has_value(), legal.contains({state, change}))
          << static_cast<int>(state) << ' ' << static_cast<int>(change);
    }
  }
}

// Two partitions of one rank share the table. A job that one of them has is unknown to the other, whatever it does, and
// no change of it is possible there.
TEST(OwnJobs, KnowNothingOfJobsElsewhere) {
  JobTable table(1);
  const JobId job(0);
  OwnJobs here(table, PartitionId(0)), there(table, PartitionId(1)), wide(table, PartitionId(2));
  EXPECT_FALSE(here.here(job));  // it has not arrived
  here.change(job, JobChange::arrived);
  EXPECT_TRUE(here.waiting(job));
  EXPECT_FALSE(there.waiting(job) || wide.waiting(job));
  for (const JobChange change : changes) EXPECT_FALSE(there.can(job, change)) << static_cast<int>(change);
  here.change(job, JobChange::moved_out);
  EXPECT_FALSE(here.here(job) || there.here(job));
  there.change(job, JobChange::moved_in);
  there.change(job, JobChange::started);
  EXPECT_TRUE(there.running(job));
  EXPECT_FALSE(here.running(job) || here.waiting(job) || wide.running(job));
  there.change(job, JobChange::ended);
  EXPECT_TRUE(there.finished(job));
  EXPECT_FALSE(here.finished(job));
}

}  // namespace
}  // namespace palstudy
