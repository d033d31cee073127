// SPDX-License-Identifier: MIT
// Small parts of the state alone: causes of delay, node use, bytes of a state, rules, what a view shows.
#include <gtest/gtest.h>

#include <limits>

#include "sim/observers/node_use.hpp"
#include "sim/partition_parts.hpp"
#include "sim/state/delay_causes.hpp"
#include "sim/state/state_archive.hpp"
#include "sim/state/tenant_rules.hpp"

namespace palstudy {
namespace {

// It waits 10 s for its share, then tries in vain for 20 s, and starts; a second wait counts its own attempts alone.
TEST(DelayCauses, CountTheSecondsOfEachCause) {
  DelayCauses causes;
  const JobId job(2);
  causes.enqueue(job, 100);
  causes.set(job, DelayCause::fair_share, 100);
  EXPECT_EQ(causes.tried_s(job, 110), 0.0);
  causes.set(job, DelayCause::fragmentation, 110);
  EXPECT_EQ(causes.tried_s(job, 125), 15.0);
  causes.set(job, DelayCause::none, 130);
  causes.enqueue(job, 200);
  EXPECT_EQ(causes.tried_s(job, 200), 0.0);
  causes.set(job, DelayCause::gang, 200);
  EXPECT_EQ(causes.tried_s(job, 207), 7.0);
  const DelayRows rows = causes.close(210);
  ASSERT_EQ(rows.size(), 3U);
  EXPECT_EQ(rows.of(DelayCause::fair_share)[2], 10.0);
  EXPECT_EQ(rows.of(DelayCause::fragmentation)[2], 20.0);
  EXPECT_EQ(rows.of(DelayCause::gang)[2], 10.0);
}

// Two nodes for 30 s, of which 10 s slowed: 60 node-seconds.
TEST(NodeUse, AddsNodesAndSlowedSeconds) {
  NodeUse use;
  const GpuSet gpus = {{NodeId(0), 1}, {NodeId(3), 1}};
  use.ran({0, JobId(1), EndReason::rate, 0, 20, 0, 20, 20}, gpus, false);
  use.ran({0, JobId(1), EndReason::finished, 20, 30, 20, 27, 30}, gpus, true);
  PartitionRecord record;
  for (auto& seconds : record.delays.seconds) seconds.resize(2);
  use.close(record, 0);
  EXPECT_EQ(record.delays.node_s, std::vector<double>({0, 60}));
  EXPECT_EQ(record.delays.shared_s, std::vector<double>({0, 10}));
}

TEST(StateArchive, GivesBackWhatWasWritten) {
  std::vector<GpuSet> sets = {{{NodeId(1), 0b11}}, {}, {{NodeId(2), 0b1}, {NodeId(5), 0b100}}}, sets_back;
  std::string text = "seven", text_back;
  std::vector<double> column = {0, 1, 2, 3}, column_back(4);
  const std::vector<JobId> jobs = {JobId(3), JobId(1)};
  const auto write = [&](StateOut& archive) { archive << sets << text, of_jobs(archive, jobs, column); };
  from_bytes(to_bytes(write),
             [&](StateIn& archive) { archive >> sets_back >> text_back, of_jobs(archive, jobs, column_back); });
  EXPECT_EQ(sets, sets_back);
  EXPECT_EQ(text, text_back);
  EXPECT_EQ(column_back, std::vector<double>({0, 1, 0, 3}));
}

/// The bytes of an array of many values, beside those of an empty one.
template <class T>
std::size_t bytes_of_values(std::size_t count) {
  const auto size = [](const std::vector<T>& values) {
    return to_bytes([&](StateOut& archive) { archive << values; }).size();
  };
  return size(std::vector<T>(count)) - size({});
}

// Arrays by job are as long as they are in memory: nothing is written of each value but the value.
TEST(StateArchive, WritesNothingBesideTheValuesOfAnArray) {
  EXPECT_EQ(bytes_of_values<JobId>(1000), 4000U);
  EXPECT_EQ(bytes_of_values<JobCell>(1000), 4000U);
  EXPECT_EQ(bytes_of_values<DelayCause>(1000), 1000U);
  EXPECT_EQ(bytes_of_values<JobRecord>(1000), 64000U);
}

// Bytes that end too early, or say that there are more than there can be, are refused.
TEST(StateArchive, RefusesBytesThatAreCut) {
  std::vector<double> values(100, 1.0), back;
  const auto read = [&](StateIn& archive) { archive >> back; };
  const std::string bytes = to_bytes([&](StateOut& archive) { archive << values; });
  EXPECT_THROW(from_bytes(bytes.substr(0, bytes.size() - 1), read), Error);
  EXPECT_THROW(from_bytes(bytes.substr(0, 4), read), Error);
  std::string longer = bytes;
  longer[7] = '\x7f';  // the highest byte of the length
  EXPECT_THROW(from_bytes(longer, read), Error);
}

// Lengths that do not agree are refused, whether they are of jobs or of the beginning of a column.
TEST(StateArchive, RefusesLengthsThatDoNotAgree) {
  std::vector<double> column = {0, 1, 2, 3};
  const std::vector<JobId> one = {JobId(3)}, two = {JobId(3), JobId(1)};
  const std::string of_two = to_bytes([&](StateOut& archive) { of_jobs(archive, two, column); });
  EXPECT_THROW(from_bytes(of_two, [&](StateIn& archive) { of_jobs(archive, one, column); }), Error);
  const std::string first_two = to_bytes([&](StateOut& archive) { first_of(archive, 2, column); });
  EXPECT_THROW(from_bytes(first_two, [&](StateIn& archive) { first_of(archive, 3, column); }), Error);
  EXPECT_THROW((void)to_bytes([&](StateOut& archive) { first_of(archive, 5, column); }), Error);
}

// The columns of a state are of the same jobs, or it is not taken: here one of them ends a job too early, each in turn.
TEST(StateArchive, RefusesColumnsOfDifferentJobs) {
  for (std::size_t cut = 0; cut <= 7; ++cut) {
    const auto write = [&](StateOut& archive) {
      DelayRows rows;
      rows.resize(2);
      std::vector<double> changed_s(2), tried_s(2);
      std::vector<DelayCause> causes(2, DelayCause::none);
      if (cut > 0 && cut <= delay_causes) rows.seconds[cut - 1].pop_back();
      if (cut == 5) changed_s.pop_back();
      if (cut == 6) causes.pop_back();
      if (cut == 7) tried_s.pop_back();
      archive << rows << changed_s << causes << tried_s;
    };
    DelayCauses whole;
    const auto read = [&](StateIn& archive) { whole.serialize(archive, 0); };
    if (cut == 0) {
      EXPECT_NO_THROW(from_bytes(to_bytes(write), read));
    } else {
      EXPECT_THROW(from_bytes(to_bytes(write), read), Error) << cut;
    }
  }
}

// Each rule is on from its least value on; a quota is reached by the GPUs that it names, and one of 0 by the first.
TEST(TenantRules, AreOnFromTheLeastValueOn) {
  TenantRules rules;
  EXPECT_FALSE(rules.preempts() || rules.ladder() || rules.gangs());
  rules.gang_timeout_s = 0.5;
  rules.ladder_attempts = 1;
  rules.preempt_occupancy = 0;
  EXPECT_TRUE(rules.preempts() && rules.ladder() && rules.gangs());
  rules.quota = {4, 0};
  EXPECT_EQ(rules.share(0, 1), 0.25);
  EXPECT_EQ(rules.share(1, 0), std::numeric_limits<double>::infinity());
  EXPECT_TRUE(rules.within(0, 4) && rules.within(1, 0));
  EXPECT_FALSE(rules.within(0, 5) || rules.within(1, 1));
}

// Of 8 GPUs 3 are parts of jobs on several partitions and 2 are off: 3 can be had, and the 3 parts are wanted.
TEST(PartitionState, ShowsTheGpusThatCanBeHad) {
  SmallWorld world;
  world.nodes = 2;
  world.add(0, 1, 1);
  with_parts(world, [](PartitionParts& parts) {
    EXPECT_EQ(parts.state.view(0).gpus, 8U);
    parts.state.wide_gpus = 3;
    parts.state.off_gpus = 2;
    EXPECT_EQ(parts.state.view(0).gpus, 3U);
    EXPECT_EQ(parts.state.demand_gpus(), 3U);
  });
}

}  // namespace
}  // namespace palstudy
