// SPDX-License-Identifier: MIT
#include "analysis/comparison_split.hpp"

#include "archive/write_records.hpp"
#include "campaign/scratch.hpp"
#include "record/small_run.hpp"

namespace palstudy {
namespace {

constexpr const char* placements_are = "policy.placement";

/// Four runs: clusters of 8, 8, 16 and 16 GPUs, of which the slowest GPU has a slowdown of 3, under one order, each
/// with a trace and a seed of its own.
class SplitRuns : public Scratch {
 protected:
  SplitRuns() {
    std::vector<RunRecord> records;
    for (std::int64_t run = 0; run < 4; ++run) {
      test::SmallRun small;
      small.label.run = run;
      small.label.axes = {{"cluster.gpus", ColumnType::integer},
                          {"policy.order", ColumnType::text},
                          {"policy.placement", ColumnType::text},
                          {"workload.seed", ColumnType::integer},
                          {"workload.trace", ColumnType::text}};
      small.label.values = {AxisValue{run < 2 ? std::int64_t{8} : std::int64_t{16}}, AxisValue{std::string("fifo")},
                            AxisValue{std::string(run % 2 == 0 ? "pal" : "packed")}, AxisValue{run},
                            AxisValue{"t" + std::to_string(run)}};
      records.push_back(small.record());
    }
    write_archive(dir / "a.h5", records, {}, {});
  }
  [[nodiscard]] std::vector<Split> splits(const std::vector<std::string>& asked) const {
    const ArchiveReader archive(dir / "a.h5");
    return splits_of(RunValues(archive), asked, placements_are);
  }
  [[nodiscard]] std::string refused(const std::string& by, const std::string& compared = placements_are) const {
    const ArchiveReader archive(dir / "a.h5");
    return message_of(ErrorCode::usage, [&] { (void)splits_of(RunValues(archive), {by}, compared); });
  }
  [[nodiscard]] Blocks blocks(const std::string& by) const {
    const ArchiveReader archive(dir / "a.h5");
    const RunValues runs(archive);
    return blocks_of(runs, splits_of(runs, {by}, placements_are).at(0));
  }
};

// By default on axes that have several values, but for seeds, traces and what is compared; an axis of one value splits
// nothing. Blanks about a number are none of the key, and a key that is named twice splits once.
TEST_F(SplitRuns, AreSplitByAxesOrAtANumber) {
  const Split gpus{"cluster.gpus", "cluster.gpus", {}}, slow{"cluster.slowdown_max", "slowdown_max", 2.5};
  EXPECT_EQ(splits({}), std::vector<Split>{gpus});
  EXPECT_EQ(splits({"none"}), std::vector<Split>{});
  EXPECT_EQ(splits({"cluster.slowdown_max  >  2.5", "cluster.slowdown_max>2.5", "cluster.gpus"}),
            (std::vector<Split>{slow, gpus}));
}

// A value that is the number is not over it, and the blocks are in the order of their first row.
TEST_F(SplitRuns, AtANumberAreOverItOrNot) {
  using Labels = std::vector<GroupLabel>;
  EXPECT_EQ(blocks("cluster.gpus>8").labels, (Labels{{"cluster.gpus", "<=", "8"}, {"cluster.gpus", ">", "8"}}));
  EXPECT_EQ(blocks("cluster.gpus>8").of_row, (Codes{0, 0, 1, 1}));
  EXPECT_EQ(blocks("cluster.gpus>7").labels, (Labels{{"cluster.gpus", ">", "7"}}));
  EXPECT_EQ(blocks("cluster.gpus>16").labels, (Labels{{"cluster.gpus", "<=", "16"}}));
  EXPECT_EQ(blocks("cluster.slowdown_max>3").labels, (Labels{{"cluster.slowdown_max", "<=", "3"}}));
  EXPECT_EQ(blocks("cluster.slowdown_max>3").of_row, (Codes{0, 0, 0, 0}));
  EXPECT_EQ(blocks("cluster.gpus").labels, (Labels{{"cluster.gpus", "=", "8"}, {"cluster.gpus", "=", "16"}}));
}

// What is pooled are the axes that differ among these rows, with how many values they have there.
TEST_F(SplitRuns, PoolTheAxesThatDiffer) {
  const ArchiveReader archive(dir / "a.h5");
  const RunValues runs(archive);
  EXPECT_TRUE(pooled_axes(runs, {0, 1}, placements_are).empty());
  const auto gpus = pooled_axes(runs, {1, 2, 3}, placements_are);
  ASSERT_EQ(gpus.size(), 1u);
  EXPECT_EQ(gpus[0].key, "cluster.gpus");
  EXPECT_EQ(gpus[0].values, 2u);
  const auto policies = pooled_axes(runs, {0, 1}, "cluster.gpus");
  ASSERT_EQ(policies.size(), 1u);
  EXPECT_EQ(policies[0].key, "policy.placement");
}

// A key that cannot be split on is refused with those that can: the axes but for the one that is compared, the slowest
// GPU and the parts of jobs.
TEST_F(SplitRuns, RefuseOtherKeysWithThoseThatTheyHave) {
  const std::string parts = "workload.seed, workload.trace, cluster.slowdown_max, size, class, tenant, user, model",
                    known = "cluster.gpus, policy.order, " + parts;
  EXPECT_EQ(refused("policy.placement"),
            "--by policy.placement: placements are what is compared, so they cannot be in blocks of their own\n"
            "  leave it out, or name one of: " +
                known);
  EXPECT_EQ(refused("policy.order", "policy.order"),
            "--by policy.order: values of policy.order are what is compared, so they cannot be in blocks of their own\n"
            "  leave it out, or name one of: cluster.gpus, policy.placement, " +
                parts);
  EXPECT_EQ(refused("workload.seed>1"),
            "--by workload.seed>1: seeds are replications, of which a block has all\n  known: " + known);
  EXPECT_EQ(refused("workload.rho"), "--by workload.rho: the archive has no axis \"workload.rho\"\n  known: " + known);
  EXPECT_EQ(refused("size>2"),
            "--by size>2: only axes and cluster.slowdown_max are split at a number\n  known: " + known);
  EXPECT_EQ(refused(">2"), "--by >2: only axes and cluster.slowdown_max are split at a number\n  known: " + known);
  EXPECT_EQ(refused("cluster.slowdown_max"),
            "--by cluster.slowdown_max: this key is split at a number\n  write for instance --by "
            "\"cluster.slowdown_max>2\"");
  EXPECT_EQ(refused("cluster.gpus > many"), "--by cluster.gpus > many: \"many\" is no number\n  write KEY>NUMBER");
}

}  // namespace
}  // namespace palstudy
