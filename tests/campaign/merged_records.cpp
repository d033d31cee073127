// SPDX-License-Identifier: MIT
// Which record of a run is taken where an archive grows: that of the shards or that of the archive.
#include "campaign/merged_records.hpp"

#include "archive/write_records.hpp"
#include "campaign/scratch.hpp"
#include "record/tables.hpp"
#include "shard/run_frame.hpp"

namespace palstudy {
namespace {

class MergedRuns : public Scratch {
 protected:
  const Study study = read(minimal + "axes.\"policy.placement\" = [\"pal\", \"pm-first\", \"packed-sticky\"]\n");

  [[nodiscard]] RunRecord ended(std::size_t run, double jct_s) const {
    const Topology topology(std::vector<NodeGroup>{{1, 2}}, 1);
    RunResult result;
    result.metrics[static_cast<std::size_t>(Metric::jct_mean_s)] = jct_s;
    result.metrics[static_cast<std::size_t>(Metric::stable)] = 1;
    OutputTables tables;
    tables.jobs = false;
    return make_record(label_of(study, study.runs[run]), result, Workload{}, Slowdowns({"A"}, 2, {1.0, 1.0}), topology,
                       Partitioning(topology, 1), tables);
  }
  [[nodiscard]] RunRecord failed(std::size_t run) const {
    return make_failed_record(label_of(study, study.runs[run]), "for the test");
  }
};

// Run 0 failed when it was tried once more, and was done before: the archive has it. Run 1 is done in both: the shards
// have it. Run 2 failed before and is done now. Without the archive only the shards count, failed or not.
TEST_F(MergedRuns, AreThoseOfTheShardsUnlessTheyFailedThere) {
  write_archive(dir / "a.h5", {ended(0, 10), ended(1, 20), failed(2)}, {}, {});
  const auto parts = dir / "a.h5.parts";
  std::filesystem::create_directory(parts);
  ShardWriter writer(parts, "20260101T000000", 0);
  for (const RunRecord& record : {failed(0), ended(1, 21), ended(2, 31)}) writer.append(record);
  writer.close();
  MergedRecords both(study, index_shards(parts), ExistingArchive{dir / "a.h5", {0, 1}, {2}, 3});
  ASSERT_EQ(both.size(), 3u);
  EXPECT_EQ(both.numbers(), (std::set<std::int64_t>{0, 1, 2}));
  std::vector<double> jct_s;
  for (std::size_t i = 0; i < 3; ++i) {
    EXPECT_EQ(both.record(i).run, static_cast<std::int64_t>(i));
    EXPECT_EQ(both.record(i).status, RunStatus::done) << i;
    jct_s.push_back(reals_of(both.record(i).runs, "jct_mean_s").at(0));
  }
  EXPECT_EQ(jct_s, (std::vector<double>{10, 21, 31}));
  MergedRecords shards(study, index_shards(parts), std::nullopt);
  ASSERT_EQ(shards.size(), 3u);
  EXPECT_EQ(shards.record(0).status, RunStatus::failed);
}

// Where an axis has grown since, a run of the shards has the number that this study gives it, in all its rows, and the
// digest over them; those that were at their place are as they were.
TEST_F(MergedRuns, HaveTheNumbersOfThisStudy) {
  RunLabel moved = label_of(study, study.runs[2]);
  moved.run = 0;
  std::filesystem::create_directory(dir / "a.h5.parts");
  ShardWriter writer(dir / "a.h5.parts", "20260101T000000", 0);
  for (const RunRecord& record : {make_failed_record(moved, "for the test"), failed(1)}) writer.append(record);
  writer.close();
  MergedRecords merged(study, index_shards(dir / "a.h5.parts"), std::nullopt);
  ASSERT_EQ(merged.size(), 2u);
  for (std::size_t i = 0; i < 2; ++i) {
    const RunRecord& record = merged.record(i);
    EXPECT_EQ(record.run, static_cast<std::int64_t>(i + 1));
    EXPECT_EQ(record.id, study.runs[i + 1].id);
    EXPECT_EQ(integers_of(record.runs, "run").at(0), static_cast<std::int64_t>(i + 1));
    EXPECT_EQ(record.digest, failed(i + 1).digest);
  }
}

}  // namespace
}  // namespace palstudy
