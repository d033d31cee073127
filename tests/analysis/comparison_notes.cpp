// SPDX-License-Identifier: MIT
// What a comparison says beside its gains: the settings that they assume, slow GPUs, averages that hide signs, loads.
#include "analysis/comparison_notes.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "analysis/comparison.hpp"
#include "analysis/gain_parts.hpp"
#include "analysis/interval_scope.hpp"
#include "archive/write_records.hpp"
#include "campaign/scratch.hpp"
#include "inputs/measured_jobs.hpp"

namespace palstudy {
namespace {

// Jobs of one GPU on eight GPUs in two nodes, one of which is `slowest`.
class NotedStudy : public Scratch {
 protected:
  void write_inputs(double slowest, double first_s = 0) const {
    write_cluster(8, 4, [&](int gpu) { return gpu == 5 ? slowest : 1.0; });
    write_trace_of(40, [&](int job) { return fmt::format("{},2,900,1,A", first_s + 100 * job); });
  }
  [[nodiscard]] Study study(const std::string& more) const {
    return read(minimal + "cluster.gpus = 8\n" + more + "axes.\"policy.placement\" = [\"pal\", \"packed-sticky\"]\n");
  }
  [[nodiscard]] Comparison compared(const std::string& more, const ComparisonOptions& options = {}) const {
    return compared(study(more), options);
  }
  [[nodiscard]] Comparison compared(const Study& read_in, const ComparisonOptions& options) const {
    Provenance provenance;
    provenance.resolved_study = read_in.resolved;
    provenance.baselines = read_in.baselines;
    provenance.compare_metric = read_in.compare_metric;
    std::filesystem::remove(dir / "a.h5");
    write_archive(dir / "a.h5", simulate_all(read_in), {}, provenance);
    return compare(ArchiveReader(dir / "a.h5"), options);
  }
  [[nodiscard]] static std::vector<std::string> metrics_of(const Comparison& of) {
    std::vector<std::string> metrics;
    for (const PolicyGain& gain : of.groups.at(0).gains) metrics.push_back(gain.metric);
    return metrics;
  }
};

// With one placement it says which other axis could be compared: of policies before all others, of seeds never.
TEST_F(NotedStudy, OneOfAPlacementIsToldOfAnotherAxis) {
  write_inputs(1.2);
  const auto refused = [&](const std::string& axes) -> std::string {
    const Study one = read(minimal + "cluster.gpus = 8\n[axes]\n\"seed\" = [1, 2]\n" + axes);
    std::filesystem::remove(dir / "a.h5");
    write_archive(dir / "a.h5", simulate_all(one), {}, provenance_of(one.resolved));
    return message_of([&] { (void)compare(ArchiveReader(dir / "a.h5"), {}); });
  };
  expect_parts(refused("\"engine.migration_s\" = [0, 60]\n\"policy.order\" = [\"las\", \"fifo\"]\n"),
               {"one placement only", "compare with --against policy.order=las, or", "policy.placement"});
  expect_parts(refused("\"engine.migration_s\" = [0, 60]\n"), {"compare with --against engine.migration_s=0, or"});
  EXPECT_EQ(refused("").find("--against"), std::string::npos);
}

TEST_F(NotedStudy, AssumptionsAreValuesByKey) {
  write_inputs(1.2);
  const ValueRecord assumed = compared("axes.\"policy.order\" = [\"fifo\", \"las\"]\n").assumptions;
  const auto of = [&](const char* key) {
    const Value* values = find(assumed, key);
    return values == nullptr ? Value() : *values;
  };
  EXPECT_EQ(of("policy.order"), Value(ValueList{"fifo", "las"}));
  EXPECT_EQ(of("engine.migration_s"), Value(ValueList{0.0}));
  EXPECT_EQ(of("network.penalty"), Value(ValueList(1, ValueList{1.0, 1.7, 1.7})));
  EXPECT_EQ(of("policy.knowledge"), Value(ValueList{"oracle"}));
  EXPECT_EQ(of("slowest_gpu"), least_and_most(1.2, 1.2));
  EXPECT_EQ(of("baselines").list().at(0)["running"], Value("left"));
  EXPECT_FALSE(of("changed").known());
}

TEST_F(NotedStudy, ASlowGpuIsNoted) {
  write_inputs(2.5);
  const Comparison slow = compared("");
  const Note* note = find(slow.notes, "slow-gpu");
  ASSERT_NE(note, nullptr);
  EXPECT_EQ(note->values, (ValueRecord{{"runs", 2}, {"of", 2}, {"slowdown", 2.5}, {"limit", 2.0}}));
  write_inputs(1.9);
  EXPECT_EQ(find(compared("").notes, "slow-gpu"), nullptr);
}

// A window in steady state has no makespan beside the mean; all jobs of a trace have one.
TEST_F(NotedStudy, WindowsHaveNoMakespanByDefault) {
  write_inputs(1.2);
  const auto has = [](const std::vector<std::string>& all) {
    return std::find(all.begin(), all.end(), "makespan_s") != all.end();
  };
  EXPECT_TRUE(has(metrics_of(compared(""))));
  const std::string window = "measure = { warmup_s = 500, window_s = 1000 }\n";
  EXPECT_FALSE(has(metrics_of(compared(window))));
  EXPECT_TRUE(has(metrics_of(compared(window, {{"makespan_s"}, {}, {}, {}}))));
}

// The load that the run noted tells that the cluster is overloaded, also where no rows of jobs give a slope.
TEST_F(NotedStudy, ALoadOverOneIsOverloadedWithoutRows) {
  write_inputs(1.2);
  const auto noted = [&](std::size_t of, std::size_t over, bool from_first) {
    const Study read_in = study("output.jobs = false\n");
    std::vector<MeasuredSet> sets(of, MeasuredSet{&read_in.runs.at(0), 60, 60, 0.5});
    for (std::size_t i = 0; i < over; ++i) sets[i].offered_load = 4.5 + static_cast<double>(i);
    for (MeasuredSet& set : sets) set.from_first = from_first;
    Provenance provenance;
    provenance.resolved_study = read_in.resolved;
    provenance.measured_sets = values_of(sets);
    std::filesystem::remove(dir / "a.h5");
    write_archive(dir / "a.h5", simulate_all(read_in), {}, provenance);
    return compare(ArchiveReader(dir / "a.h5"), {}).notes;
  };
  const auto over = noted(8, 8, true);
  const Note* note = find(over, "overloaded");
  ASSERT_NE(note, nullptr);
  EXPECT_EQ(
      note->values,
      (ValueRecord{{"workloads", 8}, {"of", 8}, {"load", least_and_most(4.5, 11.5)}, {"key", "policy.placement"}}));
  const auto later = noted(8, 3, false);
  ASSERT_NE(find(later, "over-one"), nullptr);
  EXPECT_EQ((*find(later, "over-one"))["workloads"], Value(3));
  EXPECT_EQ(find(later, "overloaded"), nullptr);
  const auto unknown = noted(1, 0, true);
  EXPECT_NE(find(unknown, "no-job-rows", "overloaded"), nullptr);
  EXPECT_EQ(find(unknown, "over-one"), nullptr);
  EXPECT_EQ(find(compared("").notes, "no-job-rows"), nullptr);
}

// More work arrives in trace jobs than 8 GPUs can do, and a ninth of it in trace few: the gain of few over jobs says
// which is overloaded, and so does the note on all runs.
TEST_F(NotedStudy, AGainSaysWhoseRunsAreOverloaded) {
  write_inputs(1.2);
  write_trace_of(
      40, [&](int job) { return fmt::format("{},2,100,1,A", 100 * job); }, "few.csv");
  const Study traces = read(
      "workload.reader = \"native\"\ncluster.table = \"c.csv\"\ncluster.gpus = 8\n"
      "axes.\"workload.trace\" = [\"jobs.csv\", \"few.csv\"]\n");
  const Comparison found = compared(traces, {{}, {}, {}, {}, "workload.trace=jobs"});
  const Note said = found.groups.at(0).gains.at(0).overloaded.value();
  EXPECT_EQ(said["key"], Value("workload.trace"));
  const Value whose = ValueList{ValueRecord{{"name", "few"}, {"runs", 0}, {"of", 1}},
                                ValueRecord{{"name", "jobs"}, {"runs", 1}, {"of", 1}}};
  EXPECT_EQ(said["policies"], whose);
  const Note* all = find(found.notes, "overloaded");
  ASSERT_NE(all, nullptr);
  EXPECT_EQ((*all)["runs"], Value(1));
  EXPECT_EQ((*all)["of"], Value(2));
}

// 40 jobs of 2 of 8 GPUs, one every 100 s, of 900 s each, wait for longer than they run, and those that come one by one
// for a boundary alone. A queue that is as long from the first measured job to the last would show in neither load nor
// slope.
TEST_F(NotedStudy, LongWaitsAreSaidByPolicy) {
  write_inputs(1.2);
  const Comparison full = compared("", {{"wait_mean_s", "jct_mean_s"}, {}, {}, {}});
  std::vector<double> shares;
  for (std::size_t policy = 0; policy < 2; ++policy) {
    const auto& rows = full.groups.at(0).rows;
    shares.push_back(100 * rows.at(0).means.at(policy)->mean / rows.at(1).means.at(policy)->mean);
  }
  EXPECT_GT(shares[0], 50);
  const Note* waiting = find(full.notes, "waiting");
  ASSERT_NE(waiting, nullptr);
  for (std::size_t policy = 0; policy < 2; ++policy) {
    EXPECT_NEAR(100 * (*waiting)["policies"].list().at(policy)["share"].number(), shares[policy], 1e-9);
  }
  EXPECT_EQ(find(compared("", {{"makespan_s"}, {}, {}, {}}).notes, "waiting"), nullptr);
  write_trace_of(40, [&](int job) { return fmt::format("{},2,9000,1,A", 9000 * job); });
  EXPECT_EQ(find(compared("").notes, "waiting"), nullptr);
}

// On average over a pooled axis waits may be short, and long at one of its values: half of the runs say so.
TEST_F(NotedStudy, LongWaitsOfSomeRunsAreSaid) {
  write_inputs(1.2);
  write_trace_of(
      40, [&](int job) { return fmt::format("{},2,9000,1,A", 9000 * job); }, "rare.csv");
  const auto notes = compared("axes.\"workload.trace\" = [\"jobs.csv\", \"rare.csv\"]\n").notes;
  const Note* waiting = find(notes, "waiting");
  ASSERT_NE(waiting, nullptr);
  const Value& pal = (*waiting)["policies"].list().at(0);
  EXPECT_EQ(pal["over_half"], Value(1));
  EXPECT_EQ(pal["runs"], Value(2));
}

// A trace and a table are the same under each of eight seeds, so an interval of random placement is over its own
// choices; where the choices of packed-sticky were tested against them, p would be as small as there are seeds.
TEST_F(NotedStudy, IntervalsOfRandomChoicesSayThatTheyAre) {
  write_inputs(1.5);
  const Study dice = read(minimal +
                          "cluster.gpus = 8\naxes.seed = { first = 1, count = 8 }\n"
                          "axes.\"policy.placement\" = [\"random-sticky\", \"packed-sticky\"]\n");
  const Comparison found = compared(dice, {{"jct_mean_s"}, {"packed-sticky"}, {}, {}});
  const PolicyGain& gain = found.groups.at(0).gains.at(0);
  ASSERT_TRUE(gain.gain && gain.gain->low);
  EXPECT_TRUE(gain.over->group.choices_alone());
  EXPECT_EQ(gain.over->group.fixed_clusters, 1u);
  EXPECT_EQ(gain.over->count.replications, 8u);
  EXPECT_FALSE(gain.p_adjusted);
}

// Killed jobs are counted over all runs, which may be more than the trace has: the sentence says so.
TEST_F(NotedStudy, KilledJobsAreThoseOfAllRuns) {
  write_inputs(1.5);
  const Study kill = read(minimal +
                          "cluster.gpus = 8\npolicy = { backfill = \"easy\", overrun = \"kill\" }\n"
                          "axes.seed = { first = 1, count = 2 }\n"
                          "axes.\"policy.placement\" = [\"pal-sticky\", \"packed-sticky\"]\n");
  const Comparison found = compared(kill, {});
  const Note* said = find(found.notes, "killed-jobs");
  ASSERT_NE(said, nullptr);
  EXPECT_EQ((*said)["of"], Value(4));
  EXPECT_GT((*said)["most"].count(), 0u) << "the most of all runs";
  EXPECT_GE((*said)["jobs"].count(), (*said)["most"].count());
  EXPECT_EQ(find(compared("").notes, "killed-jobs"), nullptr);
}

// Two pairs of one replication have no interval, so signs decide: gains of 10 % and -10 %, or of 10 % and 20 %.
TEST(AverageParts, OppositeSignsAreFound) {
  const std::map<std::uint32_t, std::vector<Pair>> opposite = {{0, {{90, 100, 0, 0}}}, {1, {{110, 100, 0, 0}}}},
                                                   alike = {{0, {{90, 100, 0, 0}}}, {1, {{80, 100, 0, 0}}}};
  const AverageParts found = average_parts(opposite, {});
  EXPECT_TRUE(found.opposite);
  EXPECT_EQ(found.parts, 2u);
  EXPECT_NEAR(found.least, -0.1, 1e-12);
  EXPECT_NEAR(found.most, 0.1, 1e-12);
  EXPECT_FALSE(average_parts(alike, {}).opposite);
}

// Ten replications about 0 whose interval contains it are no loss beside a gain.
TEST(AverageParts, IntervalsThatContainZeroHaveNoSign) {
  std::map<std::uint32_t, std::vector<Pair>> parts;
  for (std::size_t seed = 0; seed < 10; ++seed) {
    parts[0].push_back({90.0 + 0.1 * static_cast<double>(seed), 100, seed, seed});
    parts[1].push_back({seed % 2 == 0 ? 112.0 : 90.0, 100, seed, seed});
  }
  const AverageParts found = average_parts(parts, {});
  EXPECT_LT(found.least, 0);
  EXPECT_FALSE(found.opposite);
}

TEST(AverageParts, TheNoteHasChangeAndRange) {
  Comparison comparison;
  comparison.metric = "jct_mean_s";
  Improvement gain;
  gain.ratio = 0.75;
  PolicyGain one{"packed-sticky", "pal", "jct_mean_s", gain, 0, {}};
  one.parts = {16, -0.5, 0.5, true, 0.5, 1.5};
  comparison.groups.push_back({{}, {}, {}, {one}});
  const Note note = notes_on_gains(comparison).at(0);
  EXPECT_EQ(note.id, "mixed-signs");
  const ValueRecord whose = {
      {"policy", "pal"}, {"baseline", "packed-sticky"}, {"metric", "jct_mean_s"}, {"at", ValueList()}};
  ValueRecord parts = whose, zeros = whose;
  for (const auto& value :
       ValueRecord{{"change", -0.25}, {"least", -0.5}, {"most", 0.5}, {"parts", 16}, {"traces", true}}) {
    parts.push_back(value);
  }
  EXPECT_EQ(note["gains"], Value(ValueList{parts}));
  comparison.groups[0].gains[0].parts.opposite = false;
  EXPECT_TRUE(notes_on_gains(comparison).empty());
  comparison.groups[0].gains[0].no_ratio = 2;
  comparison.groups[0].gains[0].pairs_of = 8;
  ASSERT_EQ(notes_on_gains(comparison).size(), 1u);
  EXPECT_EQ(notes_on_gains(comparison)[0].id, "zero-values");
  zeros.emplace_back("pairs", 2);
  zeros.emplace_back("of", 8);
  EXPECT_EQ(notes_on_gains(comparison)[0]["gains"], Value(ValueList{zeros}));
}

// By hand: the mean is 6 % longer (5 to 7 %), the median 15 % shorter (10 to 20 %). An interval that holds 0 has no
// sign, and a metric that was asked for stands in the table itself.
TEST(MetricsThatDisagree, AreThoseWithTwoSureSigns) {
  const auto gain = [](const char* metric, double ratio, double low, double high) {
    Improvement one;
    one.ratio = ratio, one.low = low, one.high = high;
    return PolicyGain{"packed-sticky", "pal", metric, one, 0, {}};
  };
  Comparison comparison;
  comparison.metric = "jct_mean_s";
  comparison.groups.push_back(
      {{}, {}, {}, {gain("jct_mean_s", 1.06, -0.07, -0.05), gain("jct_p50_s", 0.85, 0.1, 0.2)}});
  const auto notes = notes_on_gains(comparison);
  ASSERT_EQ(notes.size(), 1u);
  EXPECT_EQ(notes[0].id, "metrics-disagree");
  EXPECT_EQ(notes[0]["gains"].list().at(0)["other"], Value("jct_p50_s"));
  comparison.groups[0].gains[1].gain->low = -0.1;
  EXPECT_TRUE(notes_on_gains(comparison).empty());
  comparison.groups[0].gains[1].gain->low = 0.1;
  comparison.asked = {"jct_mean_s", "jct_p50_s"};
  EXPECT_TRUE(notes_on_gains(comparison).empty());
}

// Gains of the first metric and of those that were asked for are noted, with their groups. Others, which stand beside
// them by default, are not.
TEST(AverageParts, NotesAreOfTheMetricsAskedFor) {
  Improvement gain;
  gain.mean = 0.018;
  Comparison comparison;
  comparison.metric = "jct_mean_s";
  comparison.asked = {"jct_mean_s", "makespan_s"};
  ComparisonGroup& group = comparison.groups.emplace_back();
  group.labels = {{"a", "=", "1"}};
  group.averaged_over = {{"policy.order", 2}};
  for (const char* metric : {"jct_mean_s", "makespan_s", "jct_p50_s"}) {
    PolicyGain one{"sticky", "pal", metric, gain, 0, {}};
    one.parts = {2, -0.42, 0.37, true};
    group.gains.push_back(one);
  }
  const Note note = notes_on_gains(comparison).at(0);
  ASSERT_EQ(note["gains"].list().size(), 2u);
  const Value& second = note["gains"].list()[1];
  EXPECT_EQ(second["metric"], Value("makespan_s"));
  EXPECT_EQ(second["at"], Value(ValueList{ValueRecord{{"key", "a"}, {"relation", "="}, {"value", "1"}}}));
  EXPECT_EQ(second["traces"], Value(false));
}

// A trace and a table are the same under every seed. Of Longhorn's 42 nodes that carry both kernels 4 are other ones
// under each seed, and all 42 only change places.
TEST_F(NotedStudy, SeedsThatDrawNothingAreTold) {
  write_inputs(1.2);
  const auto noted = [&](const Study& of) -> std::string {
    Inputs inputs(of);
    (void)inputs.check();
    const auto note = idle_seeds(of, inputs);
    return note ? note->id : "";
  };
  const std::string seeds = "axes.\"seed\" = [1, 2, 3]\n";
  EXPECT_EQ(noted(study("")), "");
  EXPECT_EQ(noted(study(seeds)), "idle-seeds");
  const auto drawn = [&](int gpus) {
    return read(fmt::format(
        "workload.trace = \"jobs.csv\"\nworkload.reader = \"native\"\ncluster.gpus = {}\n"
        "cluster.source = \"measured\"\ncluster.classes = \"{}/experiments/data/repeating-classes.toml\"\n{}",
        gpus, PALSTUDY_SOURCE_DIR, seeds));
  };
  EXPECT_EQ(noted(drawn(16)), "") << "other nodes are drawn";
  EXPECT_EQ(noted(drawn(168)), "same-nodes");
}

TEST_F(NotedStudy, ATraceFarFromTimeZeroIsSaid) {
  const auto notes = [&](double first_s) {
    write_inputs(1.2, first_s);
    const Study of = study("");
    return Inputs(of).check();
  };
  EXPECT_TRUE(notes(1000).empty());
  EXPECT_EQ(notes(1.5e9), (std::vector<Note>{{"shifted", Severity::info, "jobs.csv", {{"by_s", 1.5e9}}}}));
}

}  // namespace
}  // namespace palstudy
