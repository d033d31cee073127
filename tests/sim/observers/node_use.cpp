// SPDX-License-Identifier: MIT
#include "sim/observers/node_use.hpp"

#include <gtest/gtest.h>

#include "sim/state/state_archive.hpp"

namespace palstudy {
namespace {

EndedInterval interval_of(std::uint32_t job, double begin_s, double end_s) {
  return {0, JobId(job), EndReason::stopped, begin_s, end_s, 0, 0, end_s};
}

// Job 2 was on two nodes from 10 to 20, slowed by neighbours, and on one from 30 to 33; job 0 on one, slowed. There is
// a row for each job that has delays, also of those that did not run. The sums go with the state.
TEST(NodeUse, SumsNodesAndTheTimeWithNeighbours) {
  NodeUse first, second;
  const GpuSet one = {{NodeId(0), 0b11}}, two = {{NodeId(0), 0b1}, {NodeId(1), 0b1}};
  first.ran(interval_of(2, 10, 20), two, true);
  first.ran(interval_of(0, 5, 9), one, true);
  from_bytes(to_bytes([&](StateOut& archive) { archive << first; }), [&](StateIn& archive) { archive >> second; });
  second.ran(interval_of(2, 30, 33), one, false);
  PartitionRecord record;
  record.delays.resize(4);
  second.close(record, 40);
  EXPECT_EQ(record.delays.node_s, (std::vector<double>{4, 0, 23, 0}));
  EXPECT_EQ(record.delays.shared_s, (std::vector<double>{4, 0, 10, 0}));
}

}  // namespace
}  // namespace palstudy
