// SPDX-License-Identifier: MIT
#include "analysis/interval_scope.hpp"

#include <gtest/gtest.h>

namespace palstudy {
namespace {

// `used` replications, then `lost` ones whose baseline makes no claim.
Survivors of(std::size_t used, std::size_t lost, NoClaim why) {
  Survivors result;
  for (std::size_t seed = 0; seed < used; ++seed) result.add({0, seed});
  for (std::size_t seed = used; seed < used + lost; ++seed) result.add_left_out({0, seed}, NoClaim::none, why);
  return result;
}

// Other placements are no new ones: the same GPUs stand in other places under every seed.
TEST(GroupScope, WhatSeedsMoveIsNotCalledNew) {
  GroupScope scope;
  scope.known = true;
  scope.clusters = other_placements;
  scope.workloads = "workloads of generator philly";
  EXPECT_EQ(scope.clause({Replicated::together, 20, 0, 0}),
            "over 20 seeds, each with other placements of these GPUs and new workloads of generator philly");
  scope.clusters = "clusters";
  EXPECT_EQ(scope.clause({Replicated::together, 20, 0, 0}),
            "over 20 seeds, each with new clusters and workloads of generator philly");
}

// The clause names what the seeds of this interval draw, and what stays: without a study only how many seeds there are;
// of seeds of clusters alone no workload, and the reverse; what else is drawn beside them, or alone.
TEST(GroupScope, NamesWhatIsDrawnAndWhatStays) {
  const ReplicationCount crossed{Replicated::crossed, 0, 3, 4}, clusters{Replicated::clusters, 8, 0, 0},
      workloads{Replicated::workloads, 8, 0, 0}, together{Replicated::together, 8, 0, 0};
  GroupScope scope;
  EXPECT_EQ(scope.clause(crossed), "over 3 cluster seeds x 4 workload seeds");
  EXPECT_EQ(scope.clause(together), "over 8 seeds");
  scope.known = true;
  scope.stays = " on this one cluster";
  EXPECT_EQ(scope.clause(together), "over 8 seeds on this one cluster under this one workload");
  scope.rest = "failures";
  scope.trace = true;
  EXPECT_EQ(scope.clause(together), "over 8 draws of failures on this one cluster under this one trace");
  scope.stays = "";
  scope.clusters = "clusters";
  EXPECT_EQ(scope.clause(together), "over 8 seeds, each with new clusters and failures under this one trace");
  scope.rest = "";
  scope.workloads = "resamples of the trace (weeks)";
  scope.resampled = true;
  EXPECT_EQ(scope.clause(workloads), "over 8 resamples of the trace (weeks), for other traces of its kind");
  scope.traces = 2;
  EXPECT_EQ(scope.clause(clusters), "over 8 clusters under these 2 traces");
  EXPECT_EQ(scope.clause(workloads), "over 8 resamples of the trace (weeks) of each of 2 traces");
  scope.rest = "failures";
  EXPECT_EQ(scope.clause(crossed),
            "over 3 clusters x 4 resamples of the trace (weeks), with failures of each of 2 traces");
}

// Seeds that are left out because their queues grow are no accident: an interval over the rest is for seeds like these.
TEST(Survivors, SayForWhichRunsAnIntervalIs) {
  EXPECT_EQ(of(9, 11, NoClaim::unstable).clause(),
            " (the other 11 of 20 make no claim, so it is for such as do not overload)");
  EXPECT_EQ(of(9, 11, NoClaim::unfinished).clause(),
            " (the other 11 of 20 make no claim, so it is for such as end in time)");
  EXPECT_EQ(of(9, 11, NoClaim::failed).clause(),
            " (the other 11 of 20 make no claim, so it is for such as do not fail)");
  Survivors mixed = of(9, 11, NoClaim::unstable);
  mixed.add_left_out({0, 20}, NoClaim::failed, NoClaim::none);
  EXPECT_EQ(mixed.clause(), " (the other 12 of 21 make no claim, so it is for such as make one)");
  EXPECT_EQ(of(20, 0, NoClaim::none).clause(), "");
}

// Several pairs have one replication where traces are pooled: a seed that lost some of them is there, in part.
TEST(Survivors, CountReplicationsNotPairs) {
  Survivors some = of(9, 1, NoClaim::unstable);
  some.add_left_out({0, 0}, NoClaim::unstable, NoClaim::unstable);
  some.add_left_out({0, 1}, NoClaim::unstable, NoClaim::none);
  EXPECT_EQ(some.clause(),
            " (the other 1 of 10 make no claim, at 2 seeds only some pairs make a claim, so it is for such as do not "
            "overload)");
  Survivors parts = of(9, 0, NoClaim::none);
  parts.add_left_out({0, 0}, NoClaim::unstable, NoClaim::unstable);
  EXPECT_EQ(parts.clause(), " (at 1 seed only some pairs make a claim, so it is for such as do not overload)");
}

}  // namespace
}  // namespace palstudy
