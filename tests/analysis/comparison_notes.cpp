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

namespace palstudy {
namespace {

// Jobs of one GPU on eight GPUs in two nodes, one of which is `slowest`.
class NotedStudy : public Scratch {
 protected:
  void write_inputs(double slowest, double first_s = 0) const {
    std::string table = "gpu_id,node_id,class,score\n",
                jobs = "job_id,submit_s,num_gpus,iterations,iteration_s,class\n";
    for (int gpu = 0; gpu < 8; ++gpu) table += fmt::format("{},{},A,{}\n", gpu, gpu / 4, gpu == 5 ? slowest : 1.0);
    for (int job = 0; job < 40; ++job) jobs += fmt::format("{},{},2,900,1,A\n", job, first_s + 100 * job);
    write("c.csv", table);
    write("jobs.csv", jobs);
  }
  [[nodiscard]] Study study(const std::string& more) const {
    return read(minimal + "cluster.gpus = 8\n" + more + "axes.\"policy.placement\" = [\"pal\", \"packed-sticky\"]\n");
  }
  [[nodiscard]] Comparison compared(const std::string& more, const std::string& load = "",
                                    const ComparisonOptions& options = {}) const {
    return compared(study(more), load, options);
  }
  [[nodiscard]] Comparison compared(const Study& read_in, const std::string& load,
                                    const ComparisonOptions& options) const {
    Provenance provenance;
    provenance.resolved_study = read_in.resolved;
    provenance.baselines = read_in.baselines;
    provenance.compare_metric = read_in.compare_metric;
    provenance.load = load;
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

TEST_F(NotedStudy, AssumptionsNameWhatTheGainDependsOn) {
  write_inputs(1.2);
  EXPECT_EQ(
      compared("").assumptions,
      "assumes: order fifo; backfill none; moves are free (engine.migration_s = 0); penalty 1 / 1.7 / 1.7 (node / "
      "cabinet / cluster); policies know the true slowdowns (oracle), in bins (silhouette); packed-sticky leaves "
      "running jobs where they "
      "are; the slowest GPU has a slowdown of 1.2");
  const std::string others =
      "policy.backfill = \"greedy\"\nengine.migration_s = 60\nnetwork.penalty = { node = 1.0, cluster = 1.3 }\n"
      "policy.knowledge = \"flat\"\naxes.\"policy.order\" = [\"fifo\", \"las\"]\n";
  const std::string line = assumptions_line(study(others), {"pal"});
  expect_parts(line, {"order fifo, las;", "backfill greedy;", "a move costs 60 s;", "penalty 1 / 1.3 / 1.3",
                      "no slowdowns (flat)", "pal places all jobs again at every boundary"});
}

// Another scheduler has neither order nor backfill, and leaves no baseline where it is; an order that stops jobs does
// not either; what is known of durations, and which nodes are on, is named.
TEST_F(NotedStudy, AssumptionsNameTheScheduler) {
  write_inputs(1.2);
  const std::string gavel = assumptions_line(study("policy.scheduler = \"gavel\"\n"), {"packed-sticky"});
  expect_parts(gavel, {"assumes: scheduler gavel; moves"});
  EXPECT_EQ(gavel.find("packed-sticky"), std::string::npos);
  expect_parts(assumptions_line(study("axes.\"policy.scheduler\" = [\"list\", \"gavel\"]\n"), {}),
               {"scheduler list, gavel; of list: order fifo; backfill none;"});
  expect_parts(assumptions_line(study("policy.order = \"las\"\n"), {"packed-sticky"}),
               {"packed-sticky leaves running jobs where they are, but for those that the order stops"});
  // Where only some of the orders stop jobs, they are named.
  expect_parts(assumptions_line(study("axes.\"policy.order\" = [\"fifo\", \"las\"]\n"), {"packed-sticky"}),
               {"packed-sticky leaves running jobs where they are, but for those that are stopped by las"});
  expect_parts(assumptions_line(study("policy.order = \"qssf\"\nworkload.predictor = \"ewma\"\n"), {}),
               {"durations predicted by ewma"});
}

// Every other setting that is not as by default is named too, and an order that uses true durations.
TEST_F(NotedStudy, AssumptionsNameEveryOtherSetting) {
  write_inputs(1.2);
  expect_parts(assumptions_line(study("engine.round_s = 3600\ncluster.partitions = 2\n"), {}),
               {"; not as by default: cluster.partitions = 2, engine.round_s = 3600.0"});
  const std::string orders = "axes.\"policy.order\" = [\"fifo\", \"sjf\", \"srtf\"]\n";
  expect_parts(assumptions_line(study(orders), {}), {"; true durations are known to order sjf, srtf"});
  EXPECT_EQ(assumptions_line(study(""), {}).find("true durations"), std::string::npos);
  expect_parts(
      assumptions_line(study("cluster.bins = 4\ncluster.outliers = \"single\"\npolicy.knowledge = \"flat\"\n"), {}),
      {"policies know no slowdowns (flat), in bins (4 and outliers)"});
  const std::string greedy = "policy.backfill = \"greedy\"\n",
                    waits = "wide jobs may wait for as long as narrower ones";
  expect_parts(assumptions_line(study(greedy), {}), {"; " + waits + " come under backfill greedy"});
  EXPECT_EQ(assumptions_line(study(greedy + "engine.starvation_s = 3600\n"), {}).find(waits), std::string::npos);
  expect_parts(assumptions_line(study("failures.model = \"philly\"\n"), {}), {"; jobs that fail for good end early"});
}

// Eight values are named, of more the first seven and how many there are.
TEST_F(NotedStudy, AssumptionsNameEightValues) {
  write_inputs(1.2);
  const auto costs = [&](const std::string& values) {
    return assumptions_line(study("axes.\"engine.migration_s\" = [" + values + "]\n"), {});
  };
  expect_parts(costs("1, 2, 3, 4, 5, 6, 7, 8"), {"a move costs 1, 2, 3, 4, 5, 6, 7, 8 s;"});
  expect_parts(costs("1, 2, 3, 4, 5, 6, 7, 8, 9"), {"a move costs 1, 2, 3, 4, 5, 6, 7, ... (9 values) s;"});
}

// A name such as "pal" says nothing of what it stands for: every key that a system sets is told, and what a baseline
// does to running jobs.
TEST_F(NotedStudy, AssumptionsSayWhatEachSystemIs) {
  const std::string systems =
      "axes.\"policy.system\" = [{ name = \"a\", order = \"las\", placement = \"packed-sticky\" }, "
      "{ name = \"pal\", order = \"fifo\", placement = \"pal\" }]\n";
  expect_parts(
      assumptions_line(read(minimal + systems), {"a"}),
      {"; a leaves running jobs where they are, but for those that the order stops",
       "; systems: a (order = \"las\", placement = \"packed-sticky\"), pal (order = \"fifo\", placement = \"pal\")"});
}

// With one placement it says which other axis could be compared: of policies before all others, of seeds never.
TEST_F(NotedStudy, OneOfAPlacementIsToldOfAnotherAxis) {
  write_inputs(1.2);
  const auto refused = [&](const std::string& axes) -> std::string {
    const Study one = read(minimal + "cluster.gpus = 8\n[axes]\n\"seed\" = [1, 2]\n" + axes);
    Provenance provenance;
    provenance.resolved_study = one.resolved;
    std::filesystem::remove(dir / "a.h5");
    write_archive(dir / "a.h5", simulate_all(one), {}, provenance);
    try {
      (void)compare(ArchiveReader(dir / "a.h5"), {});
    } catch (const Error& error) {
      return error.what();
    }
    return "";
  };
  expect_parts(refused("\"engine.migration_s\" = [0, 60]\n\"policy.order\" = [\"las\", \"fifo\"]\n"),
               {"one placement only", "compare with --against policy.order=las, or", "policy.placement"});
  expect_parts(refused("\"engine.migration_s\" = [0, 60]\n"), {"compare with --against engine.migration_s=0, or"});
  EXPECT_EQ(refused("").find("--against"), std::string::npos);
}

TEST_F(NotedStudy, ASlowGpuIsWarnedOf) {
  write_inputs(2.5);
  const Comparison slow = compared("");
  ASSERT_FALSE(slow.warnings.empty());
  expect_parts(slow.warnings[0],
               {"before quoting a gain: in 2 of 2 runs the slowest GPU has a slowdown over 2 (up to 2.5; 1 is the "
                "median GPU of a profile, or what a table calls 1)"});
  // A split at a number that all runs exceed tells nothing.
  EXPECT_EQ(slow.warnings[0].find("splits the runs"), std::string::npos) << slow.warnings[0];
  write_inputs(1.9);
  EXPECT_TRUE(compared("").warnings.empty());
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
  EXPECT_TRUE(has(metrics_of(compared(window, "", {{"makespan_s"}, {}, {}, {}}))));
}

// The load that the run noted tells that the cluster is overloaded, also where no rows of jobs give a slope.
TEST_F(NotedStudy, ALoadOverOneIsOverloadedWithoutRows) {
  write_inputs(1.2);
  const std::string over = "offered load: 4.5 to 23.4 in 8 workloads; overloaded in 8 of 8 workloads: the waits grow";
  EXPECT_EQ(compared("output.jobs = false\n", over).jobs.overloaded, "overloaded in 8 of 8 workloads: the waits grow");
  EXPECT_EQ(compared("output.jobs = false\n", over).jobs.load, "offered load: 4.5 to 23.4 in 8 workloads");
  expect_parts(compared("output.jobs = false\n", "offered load: 0.5").jobs.overloaded, {"is not known"});
}

// More work arrives in trace jobs than 8 GPUs can do, and a ninth of it in trace few: the gain of few over jobs says
// which is overloaded, and so does the line of all runs.
TEST_F(NotedStudy, AGainSaysWhoseRunsAreOverloaded) {
  write_inputs(1.2);
  std::string few = "job_id,submit_s,num_gpus,iterations,iteration_s,class\n";
  for (int job = 0; job < 40; ++job) few += fmt::format("{},{},2,100,1,A\n", job, 100 * job);
  write("few.csv", few);
  const Study traces = read(
      "workload.reader = \"native\"\ncluster.table = \"c.csv\"\ncluster.gpus = 8\n"
      "axes.\"workload.trace\" = [\"jobs.csv\", \"few.csv\"]\n");
  const Comparison found = compared(traces, "", {{}, {}, {}, {}, "workload.trace=jobs"});
  const std::string& said = found.groups.at(0).gains.at(0).overloaded;
  EXPECT_EQ(said.find("overloaded in the one run of workload.trace = jobs alone: "), 0u) << said;
  const std::string& all = found.jobs.overloaded;
  EXPECT_EQ(all.find("overloaded in 1 of 2 runs (1 of workload.trace = jobs): "), 0u) << all;
}

// 40 jobs of 2 of 8 GPUs, one every 100 s, of 900 s each, wait for longer than they run, and those that come one by one
// for a boundary alone. A queue that is as long from the first measured job to the last would show in neither load nor
// slope.
TEST_F(NotedStudy, LongWaitsAreSaidByPolicy) {
  write_inputs(1.2);
  const Comparison full = compared("", "", {{"wait_mean_s", "jct_mean_s"}, {}, {}, {}});
  std::vector<double> shares;
  for (std::size_t policy = 0; policy < 2; ++policy) {
    const auto& rows = full.groups.at(0).rows;
    shares.push_back(100 * rows.at(0).means.at(policy)->mean / rows.at(1).means.at(policy)->mean);
  }
  EXPECT_GT(shares[0], 50);
  EXPECT_EQ(full.jobs.waiting.find(fmt::format("waiting is {:.0f} % of the completion time under pal, {:.0f} % under "
                                               "packed-sticky, on average over the runs; ",
                                               shares[0], shares[1])),
            0u)
      << full.jobs.waiting;
  EXPECT_EQ(compared("", "", {{"makespan_s"}, {}, {}, {}}).jobs.waiting, "");
  std::string jobs = "job_id,submit_s,num_gpus,iterations,iteration_s,class\n";
  for (int job = 0; job < 40; ++job) jobs += fmt::format("{},{},2,9000,1,A\n", job, 9000 * job);
  write("jobs.csv", jobs);
  EXPECT_EQ(compared("").jobs.waiting, "");
}

// On average over a pooled axis waits may be short, and long at one of its values: half of the runs say so.
TEST_F(NotedStudy, LongWaitsOfSomeRunsAreSaid) {
  write_inputs(1.2);
  std::string jobs = "job_id,submit_s,num_gpus,iterations,iteration_s,class\n";
  for (int job = 0; job < 40; ++job) jobs += fmt::format("{},{},2,9000,1,A\n", job, 9000 * job);
  write("rare.csv", jobs);
  expect_parts(compared("axes.\"workload.trace\" = [\"jobs.csv\", \"rare.csv\"]\n").jobs.waiting,
               {"% of the completion time under pal (over half in 1 of 2 runs), ", "where it is over half, a gain is"});
}

// A trace and a table are the same under each of eight seeds, so an interval of random placement is over its own
// choices; where the choices of packed-sticky were tested against them, p would be as small as there are seeds.
TEST_F(NotedStudy, IntervalsOfRandomChoicesSayThatTheyAre) {
  write_inputs(1.5);
  const Study dice = read(minimal +
                          "cluster.gpus = 8\naxes.seed = { first = 1, count = 8 }\n"
                          "axes.\"policy.placement\" = [\"random-sticky\", \"packed-sticky\"]\n");
  const Comparison found = compared(dice, "", {{"jct_mean_s"}, {"packed-sticky"}, {}, {}});
  const PolicyGain& gain = found.groups.at(0).gains.at(0);
  ASSERT_TRUE(gain.gain && gain.gain->low) << gain.gain->no_interval;
  EXPECT_EQ(gain.scope,
            "over 8 draws of the policies' own random choices on this one cluster under this one trace: nothing about "
            "others");
  EXPECT_FALSE(gain.p_adjusted);
}

// Killed jobs are counted over all runs, which may be more than the trace has: the sentence says so.
TEST_F(NotedStudy, KilledJobsAreThoseOfAllRuns) {
  write_inputs(1.5);
  const Study kill = read(minimal +
                          "cluster.gpus = 8\npolicy = { backfill = \"easy\", overrun = \"kill\" }\n"
                          "axes.seed = { first = 1, count = 2 }\n"
                          "axes.\"policy.placement\" = [\"pal-sticky\", \"packed-sticky\"]\n");
  const Comparison found = compared(kill, "", {});
  const auto said = std::find_if(found.warnings.begin(), found.warnings.end(),
                                 [](const auto& line) { return line.find("were killed") != line.npos; });
  ASSERT_NE(said, found.warnings.end());
  expect_parts(*said, {" measured jobs, in all of 4 runs together, were killed at their expected end", " in one run)"});
  EXPECT_EQ(said->find("up to 0 in"), std::string::npos) << "the most of all runs";
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

TEST(AverageParts, TheWarningNamesGainAndRange) {
  Comparison comparison;
  comparison.metric = "jct_mean_s";
  Improvement gain;
  gain.mean = 0.018;
  PolicyGain one{"packed-sticky", "pal", "jct_mean_s", gain, 0, {}};
  one.parts = {16, -0.42, 0.37, true};
  comparison.groups.push_back({{}, {}, {one}});
  expect_parts(warnings_of_gains(comparison).at(0),
               {"opposite signs",
                "pal against packed-sticky, jct_mean_s: 1.8 % is the average of 16 traces, from -42.0 % "
                "to 37.0 %"});
  comparison.groups[0].gains[0].parts.opposite = false;
  EXPECT_TRUE(warnings_of_gains(comparison).empty());
  comparison.groups[0].gains[0].no_ratio = 2;
  comparison.groups[0].gains[0].pairs_of = 8;
  EXPECT_EQ(warnings_of_gains(comparison),
            std::vector<std::string>{"pairs of which one value is 0 have no ratio, so the gain is of the others: pal "
                                     "against packed-sticky, jct_mean_s: 2 of 8 pairs"});
}

// Of the first metric and of those that were asked for three gains are named, with their groups; of more it is said how
// many there are. Of others, which stand beside them by default, nothing is.
TEST(AverageParts, WarningsNameThreeGainsAndCountTheOthers) {
  Improvement gain;
  gain.mean = 0.018;
  Comparison comparison;
  comparison.metric = "jct_mean_s";
  comparison.asked = {"jct_mean_s", "makespan_s"};
  const auto add_group = [&](const std::string& label, const std::vector<std::string>& metrics) {
    ComparisonGroup& group = comparison.groups.emplace_back();
    group.labels = {label};
    group.averaged_over = {{"policy.order", 2}};
    for (const std::string& metric : metrics) {
      PolicyGain one{"sticky", "pal", metric, gain, 0, {}};
      one.parts = {2, -0.42, 0.37, true};
      group.gains.push_back(one);
    }
  };
  const auto of = [](const std::string& where) {
    return "pal against sticky at " + where + ": 1.8 % is the average of 2 points, from -42.0 % to 37.0 %";
  };
  const std::string three = "averages hide opposite signs, and --by KEY splits them: " + of("a = 1, jct_mean_s") +
                            "; " + of("a = 1, makespan_s") + "; " + of("a = 2, jct_mean_s");
  add_group("a = 1", {"jct_mean_s", "makespan_s", "jct_p50_s"});
  add_group("a = 2", {"jct_mean_s"});
  EXPECT_EQ(warnings_of_gains(comparison), std::vector<std::string>{three});
  add_group("a = 3", {"jct_p50_s", "jct_mean_s", "makespan_s"});
  EXPECT_EQ(warnings_of_gains(comparison), std::vector<std::string>{three + "; and 2 more"});
}

// A trace and a table are the same under every seed. Of Longhorn's 42 nodes that carry both kernels 4 are other ones
// under each seed, and all 42 only change places.
TEST_F(NotedStudy, SeedsThatDrawNothingAreTold) {
  write_inputs(1.2);
  const auto line = [&](const Study& of) {
    Inputs inputs(of);
    (void)inputs.check();
    return idle_seeds_line(of, inputs);
  };
  const std::string seeds = "axes.\"seed\" = [1, 2, 3]\n";
  EXPECT_EQ(line(study("")), "");
  expect_parts(line(study(seeds)), {"the seeds change nothing but random choices of the policies"});
  const auto drawn = [&](int gpus) {
    return read(fmt::format(
        "workload.trace = \"jobs.csv\"\nworkload.reader = \"native\"\ncluster.gpus = {}\n"
        "cluster.source = \"measured\"\ncluster.classes = \"{}/experiments/data/repeating-classes.toml\"\n{}",
        gpus, PALSTUDY_SOURCE_DIR, seeds));
  };
  EXPECT_EQ(line(drawn(16)), "") << "other nodes are drawn";
  expect_parts(line(drawn(168)), {"the seeds only put the same nodes in other places"});
}

TEST_F(NotedStudy, ATraceFarFromTimeZeroIsWarnedOf) {
  const auto notes = [&](double first_s) {
    write_inputs(1.2, first_s);
    const Study of = study("");
    return Inputs(of).check();
  };
  EXPECT_TRUE(notes(1000).empty());
  const auto late = notes(1.5e9);
  ASSERT_EQ(late.size(), 1u);
  expect_parts(late[0], {"jobs.csv: the first job is submitted at 1500000000 s, and times count from 0"});
}

// A backfill with reservations plans by estimates: those of the trace, or drawn ones; and which nodes are on is named.
TEST_F(NotedStudy, AssumptionsNameEstimatesAndPower) {
  const auto line = [&](const std::string& more) {
    return assumptions_line(
        read(minimal + "cluster.gpus = 8\naxes.\"policy.placement\" = [\"pal-sticky\", \"packed-sticky\"]\n" + more),
        {});
  };
  const std::string easy = "policy.backfill = \"easy\"\nworkload.estimates = ";
  expect_parts(line("policy.backfill = \"easy\"\n"), {"; users' estimates those of the trace, else exact"});
  expect_parts(line(easy + "\"uniform\"\n"), {"; users' estimates uniform"});
  expect_parts(line(easy + "\"classes\"\n"), {"; users' estimates classes"});
  EXPECT_EQ(line("policy.backfill = \"greedy\"\n").find("estimates"), std::string::npos);
  expect_parts(line("power = { account = false, off = \"timer\", idle_s = 50 }\n"),
               {"; idle nodes powered off by timer"});
  EXPECT_EQ(line("").find("powered off"), std::string::npos);
}

}  // namespace
}  // namespace palstudy
