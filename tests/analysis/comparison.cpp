// SPDX-License-Identifier: MIT
#include "analysis/comparison.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "analysis/comparison_notes.hpp"
#include "analysis/run_values.hpp"
#include "archive/write_records.hpp"
#include "campaign/scratch.hpp"
#include "core/error.hpp"

namespace palstudy {
namespace {

constexpr int seeds = 10;

// A run whose metrics are given, on a cluster whose slowest GPU is `slowest`.
RunRecord run_of(std::int64_t number, std::int64_t seed, const std::string& trace, const std::string& policy,
                 double jct, double slowest, double unfinished, double effective = 0.5, double stable = 1,
                 const std::string& axis = "workload.trace") {
  const std::vector<NodeGroup> nodes = {{1, 2}};
  const Topology topology(nodes, 1);
  const Slowdowns truth({"A"}, 2, {1.0, slowest});
  RunLabel label;
  label.run = number;
  label.id = "000000000000000" + std::to_string(number % 10);
  label.seed = static_cast<std::uint64_t>(seed);
  label.axes = {{"policy.placement", ColumnType::text}, {"seed", ColumnType::integer}, {axis, ColumnType::text}};
  label.values = {policy, seed, trace};
  RunResult result;
  for (const Metric metric : {Metric::jct_mean_s, Metric::jct_p50_s, Metric::bounded_slowdown_mean}) {
    result.metrics[static_cast<std::size_t>(metric)] = jct;  // all that is compared by default
  }
  result.metrics[static_cast<std::size_t>(Metric::makespan_s)] = 2 * jct;
  result.metrics[static_cast<std::size_t>(Metric::jobs_unfinished)] = unfinished;
  result.metrics[static_cast<std::size_t>(Metric::effective_fraction)] = effective;
  result.metrics[static_cast<std::size_t>(Metric::stable)] = stable;
  OutputTables tables;
  tables.jobs = false;
  return make_record(label, result, Workload{}, truth, topology, Partitioning(topology, 1), tables);
}

// Two traces and ten seeds: PAL takes half the baseline's time on a cluster with a straggler (even seeds), 0.9 of it on
// the others. The baseline's own time grows with the seed, so that pairs of different seeds would show at once.
class ComparisonTest : public Scratch {
 protected:
  ComparisonTest() {
    std::vector<RunRecord> records;
    std::int64_t number = 0;
    for (std::int64_t seed = 1; seed <= seeds; ++seed) {
      for (const std::string trace : {"a.csv", "b.csv"}) {
        const double base = 100.0 * static_cast<double>(seed) * (trace == "a.csv" ? 1 : 7);
        const bool straggler = seed % 2 == 0;
        const double slowest = straggler ? 3.0 : 1.1, share = straggler ? 0.5 : 0.9;
        const double left = seed == 3 && trace == "b.csv" ? 4 : 0;
        records.push_back(run_of(number++, seed, trace, "pal", share * base, slowest, left));
        records.push_back(run_of(number++, seed, trace, "packed-sticky", base, slowest, 0));
      }
    }
    Provenance provenance;
    provenance.baselines = {"packed-sticky"};
    provenance.compare_metric = "jct_mean_s";
    write_archive(file_, records, {}, provenance);
  }
  [[nodiscard]] Comparison compared(ComparisonOptions options) const { return compare(ArchiveReader(file_), options); }

  std::filesystem::path file_ = dir / "a.h5";
};

// On each kind of cluster every ratio is the same, so gain, least, most and interval coincide; nothing else does if a
// pair were of two seeds or traces.
TEST_F(ComparisonTest, PairsRunsThatDifferInThePolicyAlone) {
  const auto result = compared({{}, {}, {"cluster.slowdown_max>2"}, {}});
  ASSERT_EQ(result.groups.size(), 2u);
  EXPECT_EQ(result.groups[0].labels, (std::vector<GroupLabel>{{"cluster.slowdown_max", "<=", "2"}}));
  EXPECT_EQ(result.groups[1].labels, (std::vector<GroupLabel>{{"cluster.slowdown_max", ">", "2"}}));
  const auto twice = compared({{}, {}, {"cluster.slowdown_max>2", "cluster.slowdown_max>2"}, {}});
  EXPECT_EQ(twice.groups.at(1).labels, result.groups[1].labels) << "a key named twice counts once";
  for (std::size_t g = 0; g < 2; ++g) {
    const double gain = g == 0 ? 0.1 : 0.5;
    for (const PolicyGain& one : result.groups[g].gains) {
      ASSERT_TRUE(one.gain);
      EXPECT_EQ(one.policy, "pal");
      EXPECT_NEAR(one.gain->mean, gain, 1e-12);
      EXPECT_NEAR(one.gain->least, gain, 1e-12);
      EXPECT_NEAR(one.gain->most, gain, 1e-12);
      EXPECT_EQ(one.gain->replications, 5u);
      EXPECT_FALSE(one.gain->low);  // five seeds are too few
    }
  }
}

// Run 10 is PAL on b.csv with seed 3 and left 4 jobs: it and its partner count nowhere, and it is named.
TEST_F(ComparisonTest, MakesNoClaimFromUnfinishedRuns) {
  const auto result = compared({{}, {}, {}, {}});
  ASSERT_EQ(result.left_out.size(), 1u);
  EXPECT_EQ(result.left_out[0].run, 10);
  EXPECT_EQ(result.left_out[0].why, NoClaim::unfinished);
  EXPECT_EQ(result.left_out[0].jobs_unfinished, 4);
  EXPECT_EQ(result.groups.at(0).gains.at(0).gain->pairs, 2u * seeds - 1);
  EXPECT_TRUE(result.groups.at(0).gains.at(0).gain->low);
}

// The rows are means over seeds: packed-sticky on a.csv has 100 x (1 + ... + 10) / 10 = 550.
TEST_F(ComparisonTest, ShowsMeansOverSeeds) {
  const auto result = compared({{}, {}, {}, {}});
  EXPECT_FALSE(result.looks) << "no rule";
  EXPECT_EQ(result.row_keys, std::vector<std::string>{"workload.trace"});
  EXPECT_EQ(result.policies, (std::vector<std::string>{"pal", "packed-sticky"}));
  const auto& rows = result.groups.at(0).rows;
  ASSERT_EQ(rows.size(), 2u);
  EXPECT_EQ(rows[0].point, std::vector<std::string>{"a.csv"});
  EXPECT_NEAR(rows[0].means.at(1).value().mean, 550, 1e-9);
}

TEST_F(ComparisonTest, SplitsByAnAxis) {
  const auto result = compared({{"makespan_s"}, {}, {"workload.trace"}, {}});
  ASSERT_EQ(result.groups.size(), 2u);
  EXPECT_EQ(result.groups[1].labels, (std::vector<GroupLabel>{{"workload.trace", "=", "b.csv"}}));
  EXPECT_TRUE(result.row_keys.empty());
}

TEST_F(ComparisonTest, RefusesWhatIsNotThere) {
  EXPECT_THROW((void)compared({{"jct"}, {}, {}, {}}), Error);
  EXPECT_THROW((void)compared({{}, {"packed"}, {}, {}}), Error);
  EXPECT_THROW((void)compared({{}, {}, {}, {"packed"}}), Error);
  EXPECT_THROW((void)compared({{}, {}, {"workload.rho"}, {}}), Error);
  EXPECT_THROW((void)compared({{}, {}, {"policy.placement"}, {}}), Error);
  EXPECT_THROW((void)compared({{}, {}, {"cluster.slowdown_max"}, {}}), Error);
  EXPECT_THROW((void)compared({{}, {}, {"cluster.slowdown_max>much"}, {}}), Error);
  EXPECT_THROW((void)compared({{}, {}, {"workload.trace>2"}, {}}), Error);  // text, not a number
  EXPECT_THROW((void)compared({{}, {}, {"cluster.slowdown_max>nan"}, {}}), Error);
  EXPECT_THROW((void)compared({{}, {}, {"user"}, {}}), Error);
  EXPECT_THROW((void)compared({{""}, {}, {}, {}}), Error);
  EXPECT_THROW((void)compared({{}, {}, {"none", "workload.trace"}, {}}), Error);
  EXPECT_THROW((void)compared({{}, {}, {}, {"packed-sticky"}}), Error);  // the baseline, which has no gain
  for (const char* seed : {"seed", "seed>4"}) {
    expect_parts(message_of([&] { (void)compared({{}, {}, {seed}, {}}); }), {"--by", seed, "replications"});
  }
}

// PAL makes no claim of seed 3 on b.csv, whose baseline does: both means are over the other nine seeds, of which the
// baseline's is 700 x (1 + ... + 10 - 3) / 9, and not over ten seeds of one and nine of the other.
TEST_F(ComparisonTest, ShowsMeansOverCommonSeedsAlone) {
  const auto result = compared({{}, {}, {}, {}});
  const auto& whole = result.groups.at(0).rows.at(0);
  EXPECT_EQ(whole.n, 10u);
  EXPECT_EQ(whole.n_of, 10u);
  const auto& row = result.groups.at(0).rows.at(1);
  EXPECT_EQ(row.n, 9u);
  EXPECT_EQ(row.n_of, 10u);
  EXPECT_NEAR(row.means.at(1).value().mean, 700.0 * 52 / 9, 1e-9);
  EXPECT_NEAR(row.means.at(0).value().mean, 700.0 * (0.5 * 30 + 0.9 * 22) / 9, 1e-9);
  const PolicyGain& gain = result.groups.at(0).gains.at(0);
  EXPECT_EQ(gain.gain->pairs, 19u);
  EXPECT_EQ(gain.pairs_of, 20u);
}

// A gain for each trace makes a family of two for each metric: of ten seeds on a.csv the interval that holds together
// with the other is t(0.9875, 9) / t(0.975, 9) = 2.685011 / 2.262157 times as wide on the scale of logarithms.
TEST_F(ComparisonTest, IntervalsHoldTogether) {
  const auto result = compared({{"jct_mean_s"}, {}, {"workload.trace"}, {}});
  const PolicyGain& one = result.groups.at(0).gains.at(0);
  EXPECT_EQ(one.comparisons, 2u);
  const auto width = [](const Improvement& of) { return std::log(*of.ratio_high / *of.ratio_low); };
  EXPECT_NEAR(width(*one.simultaneous) / width(*one.gain), 2.685011 / 2.262157, 1e-6);
  EXPECT_EQ(one.simultaneous->mean, one.gain->mean);
  const PolicyGain alone = compared({{"jct_mean_s"}, {}, {}, {}}).groups.at(0).gains.at(0);
  EXPECT_EQ(alone.comparisons, 1u);
  EXPECT_EQ(*alone.simultaneous->low, *alone.gain->low);
}

// 0.5 against 0 is no ratio, and 0.5 against 0.25 one of 2: the gain is of the second pair alone, and the first is
// told.
TEST_F(Scratch, PairsWithoutARatioAreCounted) {
  std::vector<RunRecord> records;
  for (const std::int64_t seed : {1, 2}) {
    records.push_back(run_of(2 * seed, seed, "a.csv", "pal", 100, 1.1, 0, 0.5));
    records.push_back(run_of(2 * seed + 1, seed, "a.csv", "packed-sticky", 100, 1.1, 0, seed == 1 ? 0 : 0.25));
  }
  Provenance provenance;
  provenance.baselines = {"packed-sticky"};
  write_archive(dir / "a.h5", records, {}, provenance);
  const Comparison result = compare(ArchiveReader(dir / "a.h5"), {{"effective_fraction"}, {}, {}, {}});
  const PolicyGain& one = result.groups.at(0).gains.at(0);
  EXPECT_EQ(one.no_ratio, 1u);
  EXPECT_EQ(one.left_out, 0u);
  EXPECT_EQ(one.gain->pairs, 1u);
  EXPECT_EQ(one.gain->ratio, 2);
  EXPECT_NE(find(result.notes, "zero-values"), nullptr);
}

// Every second seed has a GPU at 3: where only some runs have one, the warning says how to split them.
TEST_F(ComparisonTest, SlowGpusOfSomeRunsCanBeSplitOff) {
  const auto notes = compared({{}, {}, {}, {}}).notes;
  const Note* slow = find(notes, "slow-gpu");
  ASSERT_NE(slow, nullptr);
  EXPECT_EQ(slow->values, (ValueRecord{{"runs", 20}, {"of", 40}, {"slowdown", 3.0}, {"limit", 2.0}}));
}

// Who names a metric, baseline or placement twice asks for it once: the comparisons that hold together are no more.
TEST_F(ComparisonTest, WhatIsAskedForTwiceIsComparedOnce) {
  const auto result = compared({{"jct_p50_s", "jct_p50_s"}, {"packed-sticky", "packed-sticky"}, {}, {"pal", "pal"}});
  ASSERT_EQ(result.groups.at(0).gains.size(), result.asked.size() + 1);  // and makespan_s
  for (const PolicyGain& gain : result.groups.at(0).gains) EXPECT_EQ(gain.comparisons, 1u);
  EXPECT_EQ(result.asked, std::vector<std::string>{"jct_p50_s"});
}

// Traces go by the name of their file, and can be named so, unless two files have that name.
TEST_F(ComparisonTest, CallsTracesByTheirNames) {
  const auto result = compared({{}, {}, {"policy.placement"}, {}, "workload.trace=a"});
  EXPECT_EQ(result.groups.at(0).gains.at(0).baseline, "a.csv");
  EXPECT_EQ(result.trace_names.at("b.csv"), "b");
  const auto names = trace_names({"x/sia1.csv", "x/sia2.csv.gz", "y/sia2.csv"});
  EXPECT_EQ(names.at("x/sia1.csv"), "sia1");
  EXPECT_EQ(names.at("y/sia2.csv"), "y/sia2.csv");
}

// Ten seeds at each of so many levels of what PAL knows; its gain is a tenth at the first and less at each further one.
// The run warned of two things, and looked twice.
class KnowledgeTest : public Scratch {
 protected:
  static constexpr const char* axis = "policy.knowledge";
  const std::vector<WordedNote> noted = {{{"unsorted", Severity::info, "a", {}}, "a: sorted"}, {{}, "of an older one"}};
  const LooksTaken looks = {{20, 30}, 40, "jct_mean_s", 0.01, true, {LookResult::interval, "pal", "packed-sticky"}};
  [[nodiscard]] Comparison compared(int levels, const std::vector<std::string>& by) const {
    std::vector<RunRecord> records;
    std::int64_t number = 0;
    for (int level = 0; level < levels; ++level) {
      for (std::int64_t seed = 1; seed <= seeds; ++seed) {
        const double base = 100.0 * static_cast<double>(seed);
        const std::string knows = "k" + std::to_string(level);
        const double ours = (0.9 + 0.005 * level) * base;
        records.push_back(run_of(number++, seed, knows, "pal", ours, 1.1, 0, 0.5, 1, axis));
        records.push_back(run_of(number++, seed, knows, "packed-sticky", base, 1.1, 0, 0.5, 1, axis));
      }
    }
    Provenance provenance;
    provenance.baselines = {"packed-sticky"};
    provenance.notes = noted;
    provenance.looks = values_of(looks);
    std::filesystem::remove(dir / "k.h5");
    write_archive(dir / "k.h5", records, {}, provenance);
    return compare(ArchiveReader(dir / "k.h5"), {{}, {}, by, {}});
  }
};

// Each level by itself, without being asked; and where everything is pooled, or would be more than a dozen groups, the
// answer says over what it is averaged.
TEST_F(KnowledgeTest, IsNotPooledWithoutAWarning) {
  const auto split = compared(3, {});
  ASSERT_EQ(split.groups.size(), 3u);
  EXPECT_EQ(split.groups[2].labels, (std::vector<GroupLabel>{{"policy.knowledge", "=", "k2"}}));
  EXPECT_NEAR(split.groups[0].gains.at(0).gain->mean, 0.1, 1e-12);
  EXPECT_NEAR(split.groups[2].gains.at(0).gain->mean, 0.09, 1e-12);
  EXPECT_TRUE(split.groups[0].averaged_over.empty());
  const std::vector<std::pair<int, std::vector<std::string>>> pooled = {{3, {"none"}}, {13, {}}};
  for (const auto& [levels, by] : pooled) {
    const auto result = compared(levels, by);
    ASSERT_EQ(result.groups.size(), 1u);
    ASSERT_EQ(result.groups[0].averaged_over.size(), 1u);
    EXPECT_EQ(result.groups[0].averaged_over[0].key, "policy.knowledge");
    EXPECT_EQ(result.groups[0].averaged_over[0].values, static_cast<std::size_t>(levels));
  }
}

TEST_F(KnowledgeTest, WarningsOfTheRunAreRepeated) {
  const auto result = compared(1, {});
  EXPECT_EQ(result.input_notes, noted);
  EXPECT_EQ(result.looks, looks);
  EXPECT_EQ(result.earlier.looks, "") << "those have no values";
}

// Traces in place of placements: the baseline's jobs take 7 times as long on b.csv as on a.csv, seed by seed, and so do
// PAL's, of which one run makes no claim. Nothing else than pairs of one placement and one seed gives exactly 7.
TEST_F(ComparisonTest, ComparesTheValuesOfAnotherAxis) {
  const auto result = compared({{}, {}, {"policy.placement"}, {}, "workload.trace=a.csv"});
  EXPECT_EQ(result.compared, "workload.trace");
  EXPECT_EQ(result.policies, (std::vector<std::string>{"a.csv", "b.csv"}));
  ASSERT_EQ(result.groups.size(), 2u);
  for (const auto& group : result.groups) {
    const bool pal = group.labels.at(0).value == "pal";
    const PolicyGain& one = group.gains.at(0);
    EXPECT_EQ(one.policy + " against " + one.baseline, "b.csv against a.csv");
    EXPECT_NEAR(one.gain->ratio, 7, 1e-12);
    EXPECT_EQ(one.gain->pairs, pal ? 9u : 10u);
    EXPECT_EQ(one.left_out, pal ? 1u : 0u);
    EXPECT_EQ(one.gain->no_interval.why, Missing::no_change);
  }
  // Not split by placement, both count: 20 pairs less the one, but the seeds are the replications still.
  const auto all = compared({{}, {}, {"none"}, {}, "workload.trace=a.csv"}).groups.at(0).gains.at(0);
  EXPECT_EQ(all.gain->pairs, 19u);
  EXPECT_EQ(all.gain->replications, 10u);
}

TEST_F(ComparisonTest, RefusesAnAxisOrValueThatIsNotThere) {
  for (const char* against :
       {"workload.trace", "workload.trace=", "workload.trace=c.csv", "workload.rho=1", "seed=1"}) {
    EXPECT_THROW((void)compared({{}, {}, {}, {}, against}), Error) << against;
  }
  EXPECT_THROW((void)compared({{}, {}, {"workload.trace"}, {}, "workload.trace=a.csv"}), Error);
  try {
    (void)compared({{}, {}, {}, {}, "workload.trace="});
  } catch (const Error& error) {
    expect_parts(error.what(), {"--against workload.trace=", "no value is given"});
  }
}

// Ten pairs of which both runs were ended with jobs left, but for seed 9, whose baseline finished; seed 8's PAL was
// unstable as well. PAL does twice the work, a little more with odd seeds and less with even ones.
class UnfinishedTest : public Scratch {
 protected:
  UnfinishedTest() {
    std::vector<RunRecord> records;
    std::int64_t number = 0;
    for (std::int64_t seed = 1; seed <= seeds; ++seed) {
      const double work = 0.03 * static_cast<double>(seed);
      records.push_back(run_of(number++, seed, "a.csv", "pal", 50, 1.1, 3, 2 * work * (seed % 2 == 1 ? 1.1 : 1 / 1.1),
                               seed == 8 ? 0 : 1));
      records.push_back(run_of(number++, seed, "a.csv", "packed-sticky", 100, 1.1, seed == 9 ? 0 : 5, work));
    }
    Provenance provenance;
    provenance.baselines = {"packed-sticky"};
    write_archive(file_, records, {}, provenance);
  }
  [[nodiscard]] Comparison compared(const std::string& metric) const {
    return compare(ArchiveReader(file_), {{metric}, {}, {}, {}});
  }

  std::filesystem::path file_ = dir / "a.h5";
};

// The fraction needs no finish: eight pairs are compared, those of seeds 8 and 9 are not, and only the unstable run is
// named as one without a claim. How many runs were ended is said.
TEST_F(UnfinishedTest, ComparesWhatNeedsNoFinish) {
  const auto result = compared("effective_fraction");
  ASSERT_EQ(result.groups.at(0).gains.size(), 1u);  // no makespan, which none of them has
  const PolicyGain& one = result.groups.at(0).gains.at(0);
  EXPECT_NEAR(one.gain->mean, 1, 1e-12);
  EXPECT_EQ(one.gain->pairs, 8u);
  EXPECT_EQ(one.left_out, 2u);
  EXPECT_TRUE(one.gain->low);
  EXPECT_EQ(one.over->count.replications, 8u);
  EXPECT_EQ(one.seeds.used, 8u);
  EXPECT_EQ(one.seeds.lost, 2u);
  EXPECT_EQ(result.left_out.at(0).run, 14);
  const Note* cut = find(result.notes, "up-to-end");
  ASSERT_NE(cut, nullptr);
  EXPECT_EQ(cut->values, (ValueRecord{{"metrics", ValueList{"effective_fraction"}}, {"runs", 18}, {"of", 20}}));
}

// Two of ten seeds are left out since a run of each is unstable: the interval is for seeds like the other eight.
TEST_F(Scratch, AnIntervalOverWhatIsLeftSaysSo) {
  std::vector<RunRecord> records;
  for (std::int64_t seed = 1; seed <= 10; ++seed) {
    const double jct = 50 + static_cast<double>(seed), stable = seed > 8 ? 0 : 1;
    records.push_back(run_of(2 * seed - 2, seed, "a.csv", "pal", jct, 1.1, 0));
    records.push_back(run_of(2 * seed - 1, seed, "a.csv", "packed-sticky", 100, 1.1, 0, 0.5, stable));
  }
  Provenance provenance;
  provenance.baselines = {"packed-sticky"};
  write_archive(dir / "left.h5", records, {}, provenance);
  const Comparison result = compare(ArchiveReader(dir / "left.h5"), {{"jct_mean_s"}, {}, {}, {}});
  const SeedsLeftOut& seeds = result.groups.at(0).gains.at(0).over->left_out;
  EXPECT_EQ(seeds.used, 8u);
  EXPECT_EQ(seeds.lost, 2u);
  EXPECT_EQ(seeds.why, std::set{NoClaim::unstable});
}

// Where all runs finished, the makespan stands beside a metric that needs no finish as well.
TEST_F(Scratch, TheMakespanStandsBesideWhatAllRunsFinished) {
  std::vector<RunRecord> records;
  for (std::int64_t seed = 1; seed <= 3; ++seed) {
    records.push_back(run_of(2 * seed - 2, seed, "a.csv", "pal", 50 + static_cast<double>(seed), 1.1, 0));
    records.push_back(run_of(2 * seed - 1, seed, "a.csv", "packed-sticky", 100, 1.1, 0));
  }
  Provenance provenance;
  provenance.baselines = {"packed-sticky"};
  write_archive(dir / "all.h5", records, {}, provenance);
  const Comparison result = compare(ArchiveReader(dir / "all.h5"), {{"effective_fraction"}, {}, {}, {}});
  const auto& gains = result.groups.at(0).gains;
  EXPECT_TRUE(std::any_of(gains.begin(), gains.end(), [](const auto& gain) { return gain.metric == "makespan_s"; }));
}

// Of completion times no run that left jobs makes a claim, as ever, and nothing else is said of it.
TEST_F(UnfinishedTest, ClaimsNoCompletionTime) {
  const auto result = compared("jct_mean_s");
  EXPECT_FALSE(result.groups.at(0).gains.at(0).gain);
  EXPECT_EQ(result.left_out.size(), 19u);
  EXPECT_EQ(find(result.notes, "up-to-end"), nullptr);
}

}  // namespace
}  // namespace palstudy
