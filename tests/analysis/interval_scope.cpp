// SPDX-License-Identifier: MIT
#include "analysis/interval_scope.hpp"

#include <gtest/gtest.h>

#include <numeric>
#include <set>

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

// Several pairs have one replication where traces are pooled: a seed that lost some of them is there, in part.
TEST(Survivors, CountReplicationsNotPairs) {
  Survivors some = of(9, 1, NoClaim::unstable);
  some.add_left_out({0, 0}, NoClaim::unstable, NoClaim::unstable);
  some.add_left_out({0, 1}, NoClaim::unstable, NoClaim::none);
  const SeedsLeftOut counted = some.counted();
  EXPECT_EQ(counted.used, 9u);
  EXPECT_EQ(counted.lost, 1u);
  EXPECT_EQ(counted.partly, 2u);
  EXPECT_EQ(counted.why, std::set{NoClaim::unstable});
  EXPECT_EQ(of(20, 0, NoClaim::none).counted().lost, 0u);
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
  [[nodiscard]] std::optional<Note> donors_of(const std::string& text, const std::string& origin) const {
    write_runs_of(text, 0, origin);
    const ArchiveReader archive(dir / "a.h5");
    const RunValues runs(archive);
    return IntervalScope(archive, runs).donors();
  }
};

// Clusters are known by what they are drawn from, if that is the same in all runs.
TEST_F(ScopeOfAStudy, KnowsWhatClustersAreDrawnFrom) {
  const auto clusters = [&](const std::string& source) {
    const GroupScope scope = scope_of(trace + source + seeds);
    EXPECT_TRUE(scope.known);
    EXPECT_EQ(scope.workloads, DrawnWorkloads::none);
    EXPECT_TRUE(scope.others.empty());
    EXPECT_EQ(scope.fixed_clusters, 0u);
    return scope.clusters;
  };
  EXPECT_EQ(clusters("cluster.source = \"block\"\n"), DrawnClusters::block);
  EXPECT_EQ(clusters("cluster.source = \"bootstrap\"\n"), DrawnClusters::bootstrap);
  EXPECT_EQ(clusters("axes.\"cluster.source\" = [\"block\", \"bootstrap\"]\n"), DrawnClusters::any);
}

// Workloads are known by what of them is drawn; a trace that comes whole, once or twice, is the same under every seed.
TEST_F(ScopeOfAStudy, KnowsWhatWorkloadsAreDrawsOf) {
  const auto workloads = [&](const std::string& text) {
    const GroupScope scope = scope_of(text + seeds);
    EXPECT_EQ(scope.clusters, DrawnClusters::none);
    EXPECT_EQ(scope.fixed_clusters, 1u);
    EXPECT_EQ(scope.choices_alone(), scope.workloads == DrawnWorkloads::none);
    EXPECT_EQ(scope.trace, text.find("workload.generator") == std::string::npos);
    return scope.workloads;
  };
  EXPECT_EQ(workloads(table), DrawnWorkloads::none);
  const std::string window = "workload.copies_first_s = 0\nworkload.copies_length_s = 86400\n";
  EXPECT_EQ(workloads(table + "workload.copies = 2\n" + window), DrawnWorkloads::none);
  EXPECT_EQ(workloads(table + "workload.copies = 1.5\n" + window), DrawnWorkloads::part_of_copy);
  EXPECT_EQ(workloads(table + "workload.resample = \"weeks\"\n"), DrawnWorkloads::resamples);
  EXPECT_EQ(
      workloads(table +
                "policy.placement = \"pal-sticky\"\npolicy.backfill = \"easy\"\nworkload.estimates = \"uniform\"\n"),
      DrawnWorkloads::estimates);
  EXPECT_EQ(workloads("workload.trace = \"jobs.csv\"\nworkload.reader = \"helios\"\ncluster.table = \"c.csv\"\n"),
            DrawnWorkloads::models);
  const std::string generated =
      "workload.generator = \"philly\"\nworkload.rho = 0.5\ncluster.table = \"c.csv\"\nmeasure.jobs.last = 9\n";
  EXPECT_EQ(workloads(generated), DrawnWorkloads::generated);
  EXPECT_EQ(scope_of(generated + seeds).generator, "philly");
}

// What else is drawn is known beside clusters and workloads, and the policies' own choices only where nothing is; how
// many clusters and traces there are, whatever is drawn on them.
TEST_F(ScopeOfAStudy, KnowsWhatElseIsDrawn) {
  using enum OtherDraws;
  using Draws = std::vector<OtherDraws>;
  const std::string stale = "policy.knowledge = \"stale\"\npolicy.knowledge_age_days = 30\n",
                    fail = "failures.model = \"philly\"\n";
  const auto others = [&](const std::string& more) { return scope_of(table + more + seeds).others; };
  EXPECT_EQ(others(""), Draws{choices});
  EXPECT_EQ(others(fail), Draws{failures});
  EXPECT_EQ(others(stale), Draws{beliefs});
  EXPECT_EQ(others(fail + stale), (Draws{failures, beliefs}));
  const std::string errors = "workload.predictor = \"lognormal\"\nworkload.predictor_sigma = 1\n";
  EXPECT_EQ(others(errors + "policy.order = \"qssf\"\n"), Draws{predictions});
  EXPECT_EQ(others("policy.order = \"qssf\"\n"), Draws{choices}) << "exact predictions";
  EXPECT_FALSE(scope_of(table + fail + seeds).choices_alone());
  EXPECT_TRUE(scope_of(table + seeds).choices_alone());
  EXPECT_TRUE(scope_of(table).others.empty()) << "one seed draws nothing";
  const GroupScope many =
      scope_of("workload.reader = \"native\"\ncluster.table = \"c.csv\"\n" + std::string(seeds) +
               "axes.\"cluster.gpus\" = [8, 16]\naxes.\"workload.trace\" = [\"a.csv\", \"b.csv\"]\n");
  EXPECT_EQ(many.fixed_clusters, 2u);
  EXPECT_EQ(many.traces, 2u);
  EXPECT_EQ(many.others, Draws{choices});
}

// Donors are given where some cluster is drawn from a profile.
TEST_F(ScopeOfAStudy, DonorsAreGivenWhereClustersAreDrawn) {
  const std::string drawn = trace + std::string("cluster.source = \"block\"\n") + seeds;
  const Note note = donors_of(drawn, "imported").value();
  EXPECT_EQ(note.id, "donors");
  EXPECT_EQ(note["profiles"].list().size(), 1u);
  EXPECT_FALSE(donors_of(drawn, ""));
  const std::string both = "axes.\"cluster.source\" = [\"table\", \"block\"]\n";
  EXPECT_EQ(donors_of(table + both, "imported"), note);
}

// A run that the study does not have is a damaged archive.
TEST_F(ScopeOfAStudy, RefusesRunsThatItDoesNotHave) {
  write_runs_of(table + seeds, 1);
  const ArchiveReader archive(dir / "a.h5");
  const RunValues runs(archive);
  expect_parts(message_of(ErrorCode::data, [&] { const IntervalScope scope(archive, runs); }),
               {"/runs/run", "run 2 is not in the study that the archive holds"});
}

}  // namespace
}  // namespace palstudy
