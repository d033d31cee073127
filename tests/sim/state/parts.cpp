// SPDX-License-Identifier: MIT
// Small parts of the state alone: causes of delay, node use, fields, rules, what a view shows.
#include <gtest/gtest.h>

#include <limits>

#include "sim/observers/node_use.hpp"
#include "sim/partition_parts.hpp"
#include "sim/state/delay_causes.hpp"
#include "sim/state/fields.hpp"
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

TEST(Fields, GiveBackWhatWasWritten) {
  std::vector<GpuSet> sets = {{{NodeId(1), 0b11}}, {}, {{NodeId(2), 0b1}, {NodeId(5), 0b100}}}, sets_back;
  std::string text = "seven", text_back;
  std::vector<double> column = {0, 1, 2, 3}, column_back(4);
  const std::vector<JobId> jobs = {JobId(3), JobId(1)};
  const std::string bytes = to_bytes([&](Fields& f) { f(sets), f(text), f.of_jobs(jobs, column); });
  from_bytes(bytes, [&](Fields& f) { f(sets_back), f(text_back), f.of_jobs(jobs, column_back); });
  EXPECT_EQ(sets, sets_back);
  EXPECT_EQ(text, text_back);
  EXPECT_EQ(column_back, std::vector<double>({0, 1, 0, 3}));
}

// Bytes that end too early, or say that there are more than there are, are refused.
TEST(Fields, RefuseBytesThatAreCut) {
  std::vector<double> values(100, 1.0), back;
  const std::string bytes = to_bytes([&](Fields& f) { f(values); });
  EXPECT_ANY_THROW(from_bytes(bytes.substr(0, bytes.size() - 1), [&](Fields& f) { f(back); }));
  EXPECT_ANY_THROW(from_bytes(bytes.substr(0, 4), [&](Fields& f) { f(back); }));
  std::string longer = bytes;
  longer[7] = '\x7f';  // the highest byte of the length
  EXPECT_THROW(from_bytes(longer, [&](Fields& f) { f(back); }), Error);
}

/// Reads into `back` what `write` has given: refused.
template <class Write, class Read>
void expect_lengths_refused(Write write, Read read) {
  EXPECT_THROW(from_bytes(to_bytes(write), read), Error);
}

// Lengths that do not agree are refused, whether they are of sets of GPUs, of jobs or of the beginning of a column.
TEST(Fields, RefuseLengthsThatDoNotAgree) {
  std::vector<std::uint32_t> sizes = {2, 2};
  std::vector<NodeGpus> gpus = {{NodeId(0), 1}, {NodeId(1), 1}, {NodeId(2), 1}};
  std::vector<GpuSet> sets;
  expect_lengths_refused([&](Fields& f) { f(sizes), f(gpus); }, [&](Fields& f) { f(sets); });
  std::vector<double> column = {0, 1, 2, 3};
  const std::vector<JobId> one = {JobId(3)}, two = {JobId(3), JobId(1)};
  expect_lengths_refused([&](Fields& f) { f.of_jobs(two, column); }, [&](Fields& f) { f.of_jobs(one, column); });
  expect_lengths_refused([&](Fields& f) { f.first_of(2, column); }, [&](Fields& f) { f.first_of(3, column); });
  EXPECT_THROW((void)to_bytes([&](Fields& f) { f.first_of(5, column); }), Error);
}

// The columns of a state are of the same jobs, or it is not taken: here one of them ends a job too early, each in turn.
TEST(Fields, RefuseColumnsOfDifferentJobs) {
  for (std::size_t cut = 0; cut <= 7; ++cut) {
    const auto length = [&](std::size_t column) { return column + 1 == cut ? std::size_t{1} : std::size_t{2}; };
    const auto write = [&](Fields& f) {
      for (std::size_t column = 0; column < 7; ++column) {
        std::vector<double> seconds(length(column), 0.0);
        std::vector<DelayCause> causes(length(column), DelayCause::none);
        if (column == 5) {
          f(causes);
        } else {
          f(seconds);
        }
      }
    };
    DelayCauses whole;
    const auto read = [&](Fields& f) { whole.serialize(f); };
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
