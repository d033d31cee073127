// SPDX-License-Identifier: MIT
// Comparisons by class and by size, over archives of real runs.
#include <gtest/gtest.h>

#include <cmath>

#include "scratch.hpp"
#include "study/comparison.hpp"

namespace palstudy {
namespace {

const std::string study_text = R"(
seed = 1
[cluster]
gpus = 32
source = "measured"
classes = "pal"
[workload]
generator = "synergy"
jobs_per_h = 12
[measure]
jobs = { first = 0, last = 79 }
[engine]
migration_s = 10
[axes]
"cluster.seed" = { first = 1, count = 3 }
"policy.placement" = ["pal", "packed-sticky"]
"workload.seed" = { first = 1, count = 2 }
)";

class ComparisonOfJobs : public Scratch {
 protected:
  ComparisonOfJobs() {
    const Study study = read(study_text);
    Provenance provenance;
    provenance.resolved_study = study.resolved;
    provenance.profile_origin = "imported";
    provenance.baselines = {"packed-sticky"};
    write_archive(file_, simulate_all(study), {}, provenance);
  }
  [[nodiscard]] Comparison compared(const ComparisonOptions& options) const {
    return compare(ArchiveReader(file_), options);
  }
  std::filesystem::path file_ = dir / "a.h5";
};

double mean_of(const ComparisonGroup& group, const std::string& metric, std::size_t policy) {
  for (const auto& row : group.rows) {
    if (row.metric == metric) return row.means.at(policy).value().mean;
  }
  ADD_FAILURE() << "no " << metric;
  return std::nan("");
}

// Every job is in one class and one size: what is counted adds up to the whole run's.
TEST_F(ComparisonOfJobs, AddsUpOverClassesAndSizes) {
  for (const char* metric : {"migrations", "busy_fraction", "effective_fraction"}) {
    const auto whole = compared({{metric}, {}, {}, {}});
    for (const std::string by : {"class", "size"}) {
      const auto parts = compared({{metric}, {}, {by}, {}});
      ASSERT_GT(parts.groups.size(), 1u) << by;
      double sum = 0;
      for (const auto& group : parts.groups) {
        EXPECT_EQ(group.labels.at(0).substr(0, by.size() + 3), by + " = ");
        sum += mean_of(group, metric, 0);
      }
      EXPECT_NEAR(sum, mean_of(whole.groups.at(0), metric, 0), 1e-9) << metric << " by " << by;
    }
  }
}

TEST_F(ComparisonOfJobs, SharesOutTheTimeByCause) {
  const auto result = compared({{"causes"}, {}, {"size"}, {}});
  for (const auto& group : result.groups) {
    double sum = 0;
    for (const char* cause : {"work", "variability", "locality", "migration", "waiting"}) {
      sum += mean_of(group, std::string("share_") + cause, 0);
    }
    EXPECT_NEAR(sum, 1, 1e-9) << group.labels.at(0);
    EXPECT_TRUE(group.gains.empty());
  }
}

// Three cluster seeds by two workload seeds are six pairs of seeds, not enough in either direction; and all clusters
// are of the same donors.
TEST_F(ComparisonOfJobs, KnowsCrossedSeedsAndDonors) {
  const auto result = compared({{}, {}, {}, {}});
  const auto& gain = result.groups.at(0).gains.at(0).gain.value();
  EXPECT_EQ(gain.pairs, 6u);
  EXPECT_EQ(gain.clusters, 3u);
  EXPECT_EQ(gain.workloads, 2u);
  EXPECT_EQ(gain.no_interval, "3 of at least 8 cluster seeds");
  EXPECT_NE(result.given.find("given these donors"), std::string::npos);
}

// The slope of the queue is not one of a class of jobs.
TEST_F(ComparisonOfJobs, RefusesMetricsOfTheQueueByClass) {
  EXPECT_THROW((void)compared({{"queue_slope"}, {}, {"class"}, {}}), Error);
  EXPECT_NO_THROW((void)compared({{"all"}, {}, {"class"}, {}}));
}

}  // namespace
}  // namespace palstudy
