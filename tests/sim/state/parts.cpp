// SPDX-License-Identifier: MIT
// Small parts of the state alone: causes of delay, node use, fields.
#include <gtest/gtest.h>

#include "sim/observers/node_use.hpp"
#include "sim/state/delay_causes.hpp"
#include "sim/state/fields.hpp"

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

}  // namespace
}  // namespace palstudy
