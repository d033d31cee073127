// SPDX-License-Identifier: MIT
// The rows of a result alone: what is added, left out and carried from one table to another.
#include "sim/result.hpp"

#include <gtest/gtest.h>

namespace palstudy {
namespace {

// A row is left out only where all four numbers are those of the row before: each of them changes once, after 5 s of
// every state it is said again, and nothing is compared with the first row.
TEST(RoundRows, HaveARowForEachChange) {
  RoundRows rows;
  for (const double after_s : {0.0, 5.0}) rows.add(after_s, 1, 2, 3, 4);
  for (const double after_s : {0.0, 5.0}) rows.add(20 + after_s, 5, 2, 3, 4);
  for (const double after_s : {0.0, 5.0}) rows.add(30 + after_s, 5, 6, 3, 4);
  for (const double after_s : {0.0, 5.0}) rows.add(40 + after_s, 5, 6, 7, 4);
  for (const double after_s : {0.0, 5.0}) rows.add(50 + after_s, 5, 6, 7, 8);
  EXPECT_EQ(rows.time_s, (std::vector<double>{0, 20, 30, 40, 50}));
  EXPECT_EQ(rows.queued, (std::vector<std::uint32_t>{1, 5, 5, 5, 5}));
  EXPECT_EQ(rows.running, (std::vector<std::uint32_t>{2, 2, 6, 6, 6}));
  EXPECT_EQ(rows.free_gpus, (std::vector<std::uint32_t>{3, 3, 3, 7, 7}));
  EXPECT_EQ(rows.demand_gpus, (std::vector<std::uint64_t>{4, 4, 4, 4, 8}));
}

// Every column of the row goes along, and of that row alone.
TEST(SolveRows, AreCopiedWithAllTheirColumns) {
  const SolveRows from{{1, 10}, {2, 20}, {ShareObjective::max_min, ShareObjective::makespan}, {3, 30}, {4, 40}, {5, 50},
                       {6, 60}, {7, 70}};
  SolveRows to;
  to.append(from, 1);
  EXPECT_EQ(to.time_s, (std::vector<double>{10}));
  EXPECT_EQ(to.partition, (std::vector<std::uint32_t>{20}));
  EXPECT_EQ(to.objective, (std::vector<ShareObjective>{ShareObjective::makespan}));
  EXPECT_EQ(to.jobs, (std::vector<std::uint32_t>{30}));
  EXPECT_EQ(to.groups, (std::vector<std::uint32_t>{40}));
  EXPECT_EQ(to.primal, (std::vector<double>{50}));
  EXPECT_EQ(to.dual, (std::vector<double>{60}));
  EXPECT_EQ(to.iterations, (std::vector<std::uint32_t>{70}));
}

// The same of failed attempts.
TEST(FailureRows, AreCopiedWithAllTheirColumns) {
  FailureRows from, to;
  from.push_back({});
  from.push_back({JobId(1), 2, 3, 4, 5, 6, 7, 8, 9});
  to.append(from, 1);
  ASSERT_EQ(to.size(), 1U);
  const FailedAttempt row = to.at(0);
  EXPECT_EQ(row.job, JobId(1));
  EXPECT_EQ(row.attempt, 2U);
  EXPECT_EQ(row.reason, 3);
  EXPECT_EQ(row.gpus, 4U);
  EXPECT_EQ(row.node, 5);
  EXPECT_EQ(row.gpu, 6);
  EXPECT_EQ(row.time_s, 7);
  EXPECT_EQ(row.run_s, 8);
  EXPECT_EQ(row.lost_s, 9);
}

// Energies of two parts of a cluster: the values are added, the states and classes are those of either.
TEST(PowerRows, OfPartsAddUp) {
  PowerRows one, other, sum;
  one.push_back(PowerState::busy, 2, 1, 2, 3, 4);
  one.push_back(PowerState::idle, -1, 5, 6, 7, 8);
  other.push_back(PowerState::busy, 2, 10, 20, 30, 40);
  other.push_back(PowerState::idle, -1, 50, 60, 70, 80);
  sum.add(one);
  sum.add(other);
  EXPECT_EQ(sum.state, one.state);
  EXPECT_EQ(sum.cls, one.cls);
  EXPECT_EQ(sum.node_s, (std::vector<double>{11, 55}));
  EXPECT_EQ(sum.gpu_s, (std::vector<double>{22, 66}));
  EXPECT_EQ(sum.work_s, (std::vector<double>{33, 77}));
  EXPECT_EQ(sum.energy_j, (std::vector<double>{44, 88}));
}

}  // namespace
}  // namespace palstudy
