// SPDX-License-Identifier: MIT
#include "words/comparison_words.hpp"

#include <gtest/gtest.h>

#include "study/run_plan.hpp"

namespace palstudy {
namespace {

std::string clause(const GroupScope& scope, const ReplicationCount& count) { return scope_text({scope, count, {}}); }

TEST(ScopeWords, WhatSeedsMoveIsNotCalledNew) {
  GroupScope scope;
  scope.known = true;
  scope.clusters = DrawnClusters::placements;
  scope.workloads = DrawnWorkloads::generated;
  scope.generator = "philly";
  EXPECT_EQ(clause(scope, {Replicated::together, 20, 0, 0}),
            "over 20 seeds, each with other placements of these GPUs and new workloads of generator philly");
  scope.clusters = DrawnClusters::any;
  EXPECT_EQ(clause(scope, {Replicated::together, 20, 0, 0}),
            "over 20 seeds, each with new clusters and workloads of generator philly");
}

// The clause names what the seeds of this interval draw, and what stays: without a study only how many seeds there are;
// of seeds of clusters alone no workload, and the reverse; what else is drawn beside them, or alone.
TEST(ScopeWords, NameWhatIsDrawnAndWhatStays) {
  const ReplicationCount crossed{Replicated::crossed, 0, 3, 4}, clusters{Replicated::clusters, 8, 0, 0},
      workloads{Replicated::workloads, 8, 0, 0}, together{Replicated::together, 8, 0, 0};
  GroupScope scope;
  EXPECT_EQ(clause(scope, crossed), "over 3 cluster seeds x 4 workload seeds");
  EXPECT_EQ(clause(scope, together), "over 8 seeds");
  scope.known = true;
  scope.fixed_clusters = 1;
  EXPECT_EQ(clause(scope, together), "over 8 seeds on this one cluster under this one workload");
  scope.others = {OtherDraws::failures};
  scope.trace = true;
  EXPECT_EQ(clause(scope, together), "over 8 draws of failures on this one cluster under this one trace");
  scope.fixed_clusters = 0;
  scope.clusters = DrawnClusters::any;
  EXPECT_EQ(clause(scope, together), "over 8 seeds, each with new clusters and failures under this one trace");
  scope.others.clear();
  scope.workloads = DrawnWorkloads::resamples;
  scope.resampling = Resampling::weeks;
  EXPECT_EQ(clause(scope, workloads), "over 8 resamples of the trace (weeks), for other traces of its kind");
  scope.traces = 2;
  EXPECT_EQ(clause(scope, clusters), "over 8 clusters under these 2 traces");
  EXPECT_EQ(clause(scope, workloads), "over 8 resamples of the trace (weeks) of each of 2 traces");
  scope.others = {OtherDraws::failures};
  EXPECT_EQ(clause(scope, crossed),
            "over 3 clusters x 4 resamples of the trace (weeks), with failures of each of 2 traces");
}

TEST(ScopeWords, SayWhereClustersAreAlike) {
  GroupScope scope;
  scope.known = scope.trace = true;
  scope.clusters = DrawnClusters::measured;
  const ReplicationCount eight{Replicated::clusters, 8, 0, 0};
  const std::string drawn = "over 8 clusters of nodes drawn from those measured";
  EXPECT_EQ(clause(scope, eight), drawn + " under this one trace");
  scope.alike = {{40, 42, {}}};
  EXPECT_EQ(clause(scope, eight), drawn + " (40 of the same 42 each) under this one trace");
  scope.alike = {{32, 34, {"B", "C"}}, {32, 43, {"D"}}};
  EXPECT_EQ(clause(scope, eight), drawn +
                                      " (32 of the same 34 each in classes B, C; 32 of the same 43 each in class D) "
                                      "under this one trace");
}

// Seeds that are left out because their queues grow are no accident: an interval over the rest is for seeds like these.
TEST(ScopeWords, SayForWhichRunsAnIntervalIs) {
  const auto left = [](std::size_t lost, std::size_t partly, const std::set<NoClaim>& why) {
    return scope_text({{}, {Replicated::together, 9, 0, 0}, {9, lost, partly, why}});
  };
  const std::string other = "over 9 seeds (the other 11 of 20 make no claim, so it is for such as ";
  EXPECT_EQ(left(11, 0, {NoClaim::unstable}), other + "do not overload)");
  EXPECT_EQ(left(11, 0, {NoClaim::unfinished}), other + "end in time)");
  EXPECT_EQ(left(11, 0, {NoClaim::failed}), other + "do not fail)");
  EXPECT_EQ(left(11, 0, {NoClaim::failed, NoClaim::unstable}), other + "make one)");
  EXPECT_EQ(left(0, 0, {}), "over 9 seeds");
  EXPECT_EQ(left(1, 2, {NoClaim::unstable}),
            "over 9 seeds (the other 1 of 10 make no claim, at 2 seeds only some pairs make a claim, so it is for such "
            "as do not overload)");
  EXPECT_EQ(left(0, 1, {NoClaim::unstable}),
            "over 9 seeds (at 1 seed only some pairs make a claim, so it is for such as do not overload)");
}

TEST(ClaimWords, SayWhy) {
  EXPECT_EQ(no_claim_text(NoClaim::unfinished, 1200, 50), "1,200 jobs unfinished");
  EXPECT_EQ(no_claim_text(NoClaim::unstable, 0, 12.345), "unstable, the queue grows by 12.3 jobs/h");
  EXPECT_EQ(left_out_text({3, {{"workload.trace", "x/sia.csv"}, {"seed", "1"}}, NoClaim::failed, 0, 0},
                          {{"x/sia.csv", "sia"}}),
            "run 3 (workload.trace = sia, seed = 1): failed");
}

TEST(IntervalWords, SayWhyThereIsNone) {
  const auto why = [](Missing missing, std::size_t have) {
    return no_interval_text({missing, have, 8}, TraceBlocks{Resampling::days, 7, 7, 0, 0});
  };
  EXPECT_EQ(why(Missing::few_replications, 1), "1 of at least 8 replications (combinations of seeds)");
  EXPECT_EQ(why(Missing::few_clusters, 3), "3 of at least 8 cluster seeds");
  EXPECT_EQ(why(Missing::few_workloads, 3), "3 of at least 8 workload seeds");
  EXPECT_EQ(why(Missing::few_blocks, 7),
            "the trace has 7 days to draw from (workload.resample), and an interval needs 8");
  EXPECT_EQ(why(Missing::no_change, 0), "the seeds change nothing");
  EXPECT_EQ(why(Missing::nothing, 0), "");
}

// Of 56 days, 12 weeks or 60 users with jobs in them it is known how often intervals held; of fewer it is not.
TEST(IntervalWords, SayHowOftenTheyHeld) {
  const auto said = [](const TraceBlocks& blocks) { return coverage_text(Coverage::simulated, blocks); };
  EXPECT_EQ(said({Resampling::days, 56, 7, 0, 0}),
            "by days intervals held the truth in 98 to 100 % of simulated trials, so they are wider than they need be");
  EXPECT_EQ(said({Resampling::weeks, 12, 1, 3, 0}),
            "by weeks intervals held the truth in 95 to 96 % of simulated trials");
  EXPECT_EQ(said({Resampling::users, 60, 1, 0, 0}),
            "by users intervals held the truth in 86 to 90 % of simulated trials, so they are too narrow");
  const TraceBlocks few{Resampling::days, 10, 1, 0, 0};
  EXPECT_EQ(coverage_text(Coverage::few_blocks, few), "not tested at 10 days: the traces that were simulated had 56");
  EXPECT_EQ(coverage_text(Coverage::other_metric, few), "not tested for this metric");
  EXPECT_EQ(coverage_text(Coverage::not_resampled, few), "");
  EXPECT_EQ(held_text(Coverage::few_blocks, few), "not tested");
}

TEST(IntervalWords, NameTheMethod) {
  PolicyGain gain;
  gain.gain = Improvement();
  const auto method = [&](IntervalMethod how) {
    gain.gain->method = how;
    return method_text(gain, TraceBlocks{Resampling::weeks, 12, 1, 0, 0});
  };
  gain.gain->clusters = 8;
  gain.gain->workloads = 9;
  EXPECT_EQ(method(IntervalMethod::student), "Student's t of the log-ratios");
  EXPECT_EQ(method(IntervalMethod::bootstrap), "bootstrap-t of the log-ratios");
  EXPECT_EQ(method(IntervalMethod::crossed_bootstrap),
            "two-way bootstrap-t of the log-ratios, 8 cluster x 9 workload seeds taken as crossed");
  EXPECT_EQ(method(IntervalMethod::of_resamples),
            "Student's t of the log-ratios with the variance between resamples of the trace, drawn from its 12 whole "
            "weeks: for other traces of its kind; more workload seeds do not narrow it; simulated trials in which such "
            "intervals held the truth: 95 to 96 %");
}

// What an archive has as values is said in words; of an earlier one its own sentences are repeated. Both get what is
// seen in the runs, and what follows for intervals.
TEST(MeasuredWords, AreTheSameOfEarlierArchives) {
  RunPlan run;
  run.workload.trace = "t.csv";
  run.workload.reader = "native";
  run.measured.by = MeasuredBy::all;
  Comparison now, earlier;
  EXPECT_EQ(measured_text(now) + offered_text(now) + stop_text(now), "") << "nothing is known";
  now.measured = {{&run, 60, 60, 0.5}};
  now.looks = LooksTaken{{20}, 40, "jct_mean_s", 0.01, true, {LookResult::no_ratio, "pal", "sticky", 7}};
  earlier.earlier = {"measured: all 60 jobs of the trace",
                     "offered load: 0.5",
                     "[stop] looked at 20 seeds (at most 40), until jct_mean_s is known to within 1 %: narrow enough; "
                     "pal over sticky: run 7 cannot be compared",
                     {}};
  for (Comparison* one : {&now, &earlier}) one->loaded = 8;
  EXPECT_EQ(measured_text(now), "measured: all 60 jobs of the trace");
  for (Comparison* one : {&now, &earlier}) one->from_empty = 3;
  EXPECT_EQ(measured_text(now),
            "measured: all 60 jobs of the trace; in some runs the cluster is empty when the first of them arrives");
  EXPECT_EQ(offered_text(now), "offered load: 0.5");
  EXPECT_EQ(stop_text(now), earlier.earlier.looks +
                                ". Looked at so often, a 95 % interval holds the truth in 91 to 95 % of studies, in 88 "
                                "to 91 % where ratios are as skewed as an exponential law (docs/concepts/reading.md)");
  EXPECT_EQ(measured_text(earlier), measured_text(now));
  EXPECT_EQ(offered_text(earlier), offered_text(now));
  EXPECT_EQ(stop_text(earlier), stop_text(now));
}

}  // namespace
}  // namespace palstudy
