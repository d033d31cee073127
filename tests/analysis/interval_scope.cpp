// SPDX-License-Identifier: MIT
#include "analysis/interval_scope.hpp"

#include <gtest/gtest.h>

#include <numeric>

#include "archive/write_records.hpp"
#include "campaign/scratch.hpp"

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

// What the seeds of a study draw, by its text alone: nothing is simulated.
class ScopeOfAStudy : public Scratch {
 protected:
  static constexpr const char* seeds = "axes.seed = [1, 2]\n";
  static constexpr const char* trace =
      "workload.trace = \"jobs.csv\"\nworkload.reader = \"native\"\ncluster.gpus = 8\n";
  const std::string table = minimal + "cluster.gpus = 8\n";

  /// An archive of runs that came to nothing; the first has this number.
  void write_runs_of(const std::string& text, std::int64_t first = 0, const std::string& origin = "") const {
    const Study study = read(text);
    const Topology topology(std::vector<NodeGroup>{{1, 2}}, 1);
    OutputTables tables;
    tables.jobs = false;
    std::vector<RunRecord> records;
    for (const RunPlan& plan : study.runs) {
      RunLabel label = label_of(study, plan);
      label.run += first;
      records.push_back(make_record(label, RunResult{}, Workload{}, Slowdowns::flat({"A"}, 2), topology,
                                    Partitioning(topology, 1), tables));
    }
    Provenance provenance;
    provenance.resolved_study = study.resolved;
    provenance.profile_origin = origin;
    std::filesystem::remove(dir / "a.h5");
    write_archive(dir / "a.h5", records, {}, provenance);
  }
  [[nodiscard]] GroupScope scope_of(const std::string& text) const {
    write_runs_of(text);
    const ArchiveReader archive(dir / "a.h5");
    const RunValues runs(archive);
    std::vector<std::size_t> rows(runs.rows());
    std::iota(rows.begin(), rows.end(), std::size_t{0});
    return IntervalScope(archive, runs).of(rows);
  }
  [[nodiscard]] std::string donors_of(const std::string& text, const std::string& origin) const {
    write_runs_of(text, 0, origin);
    const ArchiveReader archive(dir / "a.h5");
    const RunValues runs(archive);
    return IntervalScope(archive, runs).given_donors();
  }
};

// Clusters are called by what they are drawn from, and only "clusters" where that is not the same in all runs.
TEST_F(ScopeOfAStudy, NamesWhatClustersAreDrawnFrom) {
  const auto clusters = [&](const std::string& source) {
    const GroupScope scope = scope_of(trace + source + seeds);
    EXPECT_TRUE(scope.known);
    EXPECT_EQ(scope.workloads, "");
    EXPECT_EQ(scope.rest, "");
    EXPECT_EQ(scope.stays, "");
    EXPECT_FALSE(scope.choices_alone);
    return scope.clusters;
  };
  EXPECT_EQ(clusters("cluster.source = \"block\"\n"), "clusters generated from the measured nodes");
  EXPECT_EQ(clusters("cluster.source = \"bootstrap\"\n"), "clusters of measured runs drawn GPU by GPU");
  EXPECT_EQ(clusters("axes.\"cluster.source\" = [\"block\", \"bootstrap\"]\n"), "clusters");
}

// Workloads are called by what of them is drawn; a trace that comes whole, once or twice, is the same under every seed.
TEST_F(ScopeOfAStudy, NamesWhatWorkloadsAreDrawsOf) {
  const auto workloads = [&](const std::string& text) {
    const GroupScope scope = scope_of(text + seeds);
    EXPECT_EQ(scope.clusters, "");
    EXPECT_EQ(scope.stays, " on this one cluster");
    EXPECT_EQ(scope.choices_alone, scope.workloads.empty());
    EXPECT_EQ(scope.resampled, scope.workloads.starts_with("resamples"));
    EXPECT_EQ(scope.trace, text.find("workload.generator") == std::string::npos);
    return scope.workloads;
  };
  EXPECT_EQ(workloads(table), "");
  const std::string window = "workload.copies_first_s = 0\nworkload.copies_length_s = 86400\n";
  EXPECT_EQ(workloads(table + "workload.copies = 2\n" + window), "");
  EXPECT_EQ(workloads(table + "workload.copies = 1.5\n" + window), "draws of the part of a copy of the trace");
  EXPECT_EQ(workloads(table + "workload.resample = \"weeks\"\n"), "resamples of the trace (weeks)");
  EXPECT_EQ(
      workloads(table +
                "policy.placement = \"pal-sticky\"\npolicy.backfill = \"easy\"\nworkload.estimates = \"uniform\"\n"),
      "draws of the users' estimates");
  EXPECT_EQ(workloads("workload.trace = \"jobs.csv\"\nworkload.reader = \"helios\"\ncluster.table = \"c.csv\"\n"),
            "draws of the models that the jobs of the trace have");
  EXPECT_EQ(workloads("workload.generator = \"philly\"\nworkload.rho = 0.5\ncluster.table = \"c.csv\"\n"
                      "measure.jobs.last = 9\n"),
            "workloads of generator philly");
}

// What else is drawn is named beside clusters and workloads, and the policies' own choices only where nothing is; how
// many clusters and traces there are is told, whatever is drawn on them.
TEST_F(ScopeOfAStudy, NamesWhatElseIsDrawn) {
  const std::string stale = "policy.knowledge = \"stale\"\npolicy.knowledge_age_days = 30\n",
                    failures = "failures.model = \"philly\"\n", choices = "the policies' own random choices";
  const auto rest = [&](const std::string& more) { return scope_of(table + more + seeds).rest; };
  EXPECT_EQ(rest(""), choices);
  EXPECT_EQ(rest(failures), "failures");
  EXPECT_EQ(rest(stale), "what the policies believe");
  EXPECT_EQ(rest(failures + stale), "failures and what the policies believe");
  const std::string errors = "workload.predictor = \"lognormal\"\nworkload.predictor_sigma = 1\n";
  EXPECT_EQ(rest(errors + "policy.order = \"qssf\"\n"), "the errors of predictions");
  EXPECT_EQ(rest("policy.order = \"qssf\"\n"), choices) << "exact predictions";
  EXPECT_FALSE(scope_of(table + failures + seeds).choices_alone);
  EXPECT_TRUE(scope_of(table + seeds).choices_alone);
  EXPECT_EQ(scope_of(table).rest, "") << "one seed draws nothing";
  EXPECT_FALSE(scope_of(table).choices_alone);
  const GroupScope many =
      scope_of("workload.reader = \"native\"\ncluster.table = \"c.csv\"\n" + std::string(seeds) +
               "axes.\"cluster.gpus\" = [8, 16]\naxes.\"workload.trace\" = [\"a.csv\", \"b.csv\"]\n");
  EXPECT_EQ(many.stays, " on 2 clusters");
  EXPECT_EQ(many.traces, 2u);
  EXPECT_EQ(many.rest, choices);
}

// Donors are given where some cluster is drawn from a profile.
TEST_F(ScopeOfAStudy, DonorsAreGivenWhereClustersAreDrawn) {
  const std::string drawn = trace + std::string("cluster.source = \"block\"\n") + seeds;
  EXPECT_EQ(donors_of(drawn, "imported"),
            "given these donors: the clusters are drawn from the same measured nodes, so the intervals are for other "
            "draws from them, not for other machines");
  EXPECT_EQ(donors_of(drawn, ""), "");
  const std::string both = "axes.\"cluster.source\" = [\"table\", \"block\"]\n";
  EXPECT_EQ(donors_of(table + both, "imported"), donors_of(drawn, "imported"));
}

// A run that the study does not have is a damaged archive.
TEST_F(ScopeOfAStudy, RefusesRunsThatItDoesNotHave) {
  write_runs_of(table + seeds, 1);
  const ArchiveReader archive(dir / "a.h5");
  const RunValues runs(archive);
  try {
    const IntervalScope scope(archive, runs);
    ADD_FAILURE() << "was accepted";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::data);
    expect_parts(error.what(), {"/runs/run", "run 2 is not in the study that the archive holds"});
  }
}

}  // namespace
}  // namespace palstudy
