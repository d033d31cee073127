// SPDX-License-Identifier: MIT
#include "analysis/replications.hpp"

#include <cmath>
#include <limits>

#include "archive/write_records.hpp"
#include "campaign/scratch.hpp"
#include "record/small_run.hpp"
#include "stats/interval.hpp"

namespace palstudy {
namespace {

class SeedsOfRuns : public Scratch {
 protected:
  [[nodiscard]] std::optional<TraceSample> sample_of(const TraceBlocks& blocks) const {
    Provenance provenance;
    provenance.resampled = blocks;
    std::filesystem::remove(dir / "a.h5");
    write_archive(dir / "a.h5", {test::numbered_record(0)}, {}, provenance);
    const auto read = resampled_trace(ArchiveReader(dir / "a.h5"));
    return read ? std::optional(palstudy::sample_of(*read)) : std::nullopt;
  }
  /// Of runs with these values of some axes of seeds, under the seed of the study that each row begins with.
  [[nodiscard]] Replications of(const std::vector<std::string>& keys,
                                const std::vector<std::vector<std::int64_t>>& rows) const {
    std::vector<RunRecord> records;
    for (const auto& row : rows) {
      test::SmallRun small;
      small.label.run = static_cast<std::int64_t>(records.size());
      small.label.seed = static_cast<std::uint64_t>(row.at(0));
      small.label.axes.clear();
      small.label.values.clear();
      for (std::size_t i = 0; i < keys.size(); ++i) {
        small.label.axes.push_back({keys[i], ColumnType::integer});
        small.label.values.emplace_back(row.at(i + 1));
      }
      records.push_back(small.record());
    }
    std::filesystem::remove(dir / "a.h5");
    write_archive(dir / "a.h5", records, {}, {});
    const ArchiveReader archive(dir / "a.h5");
    return replications_of(RunValues(archive));
  }
};

// What a trace has to draw from, and how often intervals held where traces like it were simulated: of 56 days, 12 weeks
// or 60 users with jobs in them; of fewer it is not known. Weekdays are kept, so that 56 days have 49 degrees of
// freedom; three days behind the last of 12 weeks, which stay, would have spread as well.
TEST_F(SeedsOfRuns, KnowWhetherIntervalsOverResamplesWereSimulated) {
  const auto known = [](const TraceBlocks& blocks) { return coverage_of(blocks, "jct_mean_s"); };
  EXPECT_EQ(known({Resampling::days, 56, 7, 0, 0}), Coverage::simulated);
  EXPECT_EQ(known({Resampling::days, 55, 7, 0, 0}), Coverage::few_blocks);
  EXPECT_EQ(known({Resampling::days, 60, 7, 0, 5}), Coverage::few_blocks);
  EXPECT_EQ(known({Resampling::weeks, 12, 1, 3, 0}), Coverage::simulated);
  EXPECT_EQ(known({Resampling::weeks, 11, 1, 3, 0}), Coverage::few_blocks);
  EXPECT_EQ(known({Resampling::users, 60, 1, 0, 0}), Coverage::simulated);
  EXPECT_EQ(known({Resampling::users, 59, 1, 0, 0}), Coverage::few_blocks);
  EXPECT_EQ(coverage_of({Resampling::users, 60, 1, 0, 0}, "makespan_s"), Coverage::other_metric);
  EXPECT_EQ(sample_of({Resampling::days, 60, 7, 0, 4})->degrees, 49);
  EXPECT_DOUBLE_EQ(sample_of({Resampling::days, 60, 7, 0, 4})->widening, 56.0 / 49);
  EXPECT_EQ(sample_of({Resampling::weeks, 12, 1, 3, 0})->degrees, 11);
  EXPECT_DOUBLE_EQ(sample_of({Resampling::weeks, 12, 1, 3, 0})->widening, 12.0 / 11 * (1 + 3.0 / 84));
  EXPECT_FALSE(sample_of({}));
}

// A number of blocks below 0 is a damaged archive.
TEST_F(SeedsOfRuns, RefuseBlocksThatAreNoNumber) {
  const std::size_t negative = std::numeric_limits<std::size_t>::max();  // -1 where it is kept
  const std::vector<std::pair<std::string, TraceBlocks>> damaged = {
      {"blocks", {Resampling::days, negative, 7, 0, 0}},
      {"groups", {Resampling::days, 56, negative, 0, 0}},
      {"tail_days", {Resampling::days, 9, 1, negative, 0}}};
  for (const auto& [name, blocks] : damaged) {
    EXPECT_EQ(message_of(ErrorCode::data, [&] { (void)sample_of(blocks); }), "/resample." + name + ": is not a number");
  }
}

// The seeds of clusters and of workloads are those of their axes, or those of the study; the seed of the policies is a
// replication where neither of them varies, and is averaged over else.
TEST_F(SeedsOfRuns, AreThoseOfClustersAndWorkloads) {
  const Replications study = of({}, {{5}, {6}, {5}});
  EXPECT_EQ(study.cluster, (Codes{0, 1, 0}));
  EXPECT_EQ(study.workload, (Codes{0, 1, 0}));
  EXPECT_TRUE(study.clusters_vary);
  const Replications both = of({"cluster.seed", "workload.seed"}, {{5, 1, 1}, {5, 2, 1}, {5, 2, 3}});
  EXPECT_EQ(both.cluster, (Codes{0, 1, 1}));
  EXPECT_EQ(both.workload, (Codes{0, 0, 1}));
  EXPECT_TRUE(both.clusters_vary);
  const Replications policies = of({"policy.seed"}, {{5, 1}, {5, 2}});
  EXPECT_EQ(policies.cluster, (Codes{0, 1}));
  EXPECT_EQ(policies.workload, (Codes{0, 0}));
  EXPECT_FALSE(policies.clusters_vary);
  const Replications beside = of({"policy.seed", "workload.seed"}, {{5, 1, 1}, {5, 2, 2}});
  EXPECT_EQ(beside.cluster, (Codes{0, 0}));
  EXPECT_EQ(beside.workload, (Codes{0, 1}));
  EXPECT_FALSE(beside.clusters_vary);
}

// By hand: 1 to 8 have the mean 4.5 and the standard error sqrt(6 / 8), t(0.975; 7) = 2.364624. Seven have a mean
// alone, and so have eight resamples of a trace of seven days; of eight days the half width is that of such resamples.
TEST(MeanOverSeeds, HasAHalfWidthWhereThereAreSeedsEnough) {
  std::vector<Observation> seen;
  EXPECT_FALSE(mean_over_seeds(seen));
  for (std::size_t seed = 1; seed <= 7; ++seed) seen.push_back({static_cast<double>(seed), seed, seed});
  EXPECT_NEAR(mean_over_seeds(seen)->mean, 4, 1e-12);
  EXPECT_FALSE(mean_over_seeds(seen)->half_width);
  seen.push_back({8, 8, 8});
  EXPECT_NEAR(mean_over_seeds(seen)->mean, 4.5, 1e-12);
  EXPECT_NEAR(mean_over_seeds(seen)->half_width.value(), 2.364624 * std::sqrt(0.75), 1e-6);
  const TraceSample seven{7, 6, 7.0 / 6}, eight{8, 7, 8.0 / 7};
  EXPECT_NEAR(mean_over_seeds(seen, seven)->mean, 4.5, 1e-12);
  EXPECT_FALSE(mean_over_seeds(seen, seven)->half_width);
  const Interval wanted = student_interval(resampled_estimate(seen, eight));
  EXPECT_NEAR(mean_over_seeds(seen, eight)->half_width.value(), (wanted.high - wanted.low) / 2, 1e-12);
}

}  // namespace
}  // namespace palstudy
