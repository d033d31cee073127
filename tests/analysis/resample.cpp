// SPDX-License-Identifier: MIT
// workload.resample from the study file to the interval.
#include <fmt/format.h>

#include "analysis/comparison.hpp"
#include "archive/write_records.hpp"
#include "campaign/execute.hpp"
#include "campaign/scratch.hpp"
#include "inputs/inputs.hpp"
#include "record/tables.hpp"

namespace palstudy {
namespace {

class ResampleStudy : public Scratch {
 protected:
  ResampleStudy() {
    write_cluster(8, 4, [&](int gpu) { return gpu == 5 ? 1.4 : 1.0; });
    write_trace(10, "");
  }
  /// Four jobs a day, wider and longer from day to day.
  void write_trace(int days, const std::string& user) {
    std::string jobs = "job_id,submit_s,num_gpus,iterations,iteration_s,class,model,tenant" + user + "\n";
    for (int i = 0; i < 4 * days; ++i) {
      jobs += fmt::format("{},{},{},{},1,A,,{}\n", i, 86400 * (i / 4) + 360 * (i % 4), 1 + i % 5, 400 + 300 * (i % 13),
                          user.empty() ? "" : fmt::format(",u{}", i % 9));
    }
    write("jobs.csv", jobs);
  }
  static std::string study(const std::string& more) { return minimal + "cluster.gpus = 8\n" + more; }
  [[nodiscard]] std::string id_of(const std::string& more) const { return read(study(more)).runs.at(0).id; }
  std::vector<double> submits(const std::string& more) {
    const Study read_in = read(study(more));
    Inputs inputs(read_in);
    notes = inputs.check();
    LocalExchange alone;
    return reals_of(execute(read_in, read_in.runs.at(0), inputs, alone).value().jobs, "submit_s");
  }
  std::vector<Note> notes;
};

constexpr auto days = "workload.resample = \"days\"\n";

// Runs without keep their ids, and so do those that say "none"; the key stands in the resolved study only where it says
// something, and the resolved study reads back to the same runs.
TEST_F(ResampleStudy, KeyIsThereOnlyWhereItSaysSomething) {
  EXPECT_EQ(id_of(""), id_of("workload.resample = \"none\"\n"));
  EXPECT_NE(id_of(""), id_of(days));
  EXPECT_EQ(read(study("")).resolved.find("resample"), std::string::npos);
  const Study drawn = read(study(days));
  EXPECT_NE(drawn.resolved.find("resample = \"days\""), std::string::npos);
  EXPECT_EQ(parse_study(drawn.resolved, "again").runs.at(0).id, drawn.runs.at(0).id);
  EXPECT_EQ(parse_study(drawn.resolved, "again").resolved, drawn.resolved);
}

// All 40 jobs are measured, other seeds draw other days, and nobody is told any more that the seed changes nothing.
TEST_F(ResampleStudy, TheWorkloadSeedDraws) {
  const auto first = submits(std::string(days) + "workload.seed = 1\n");
  EXPECT_EQ(first.size(), 40u);
  const auto resampled = [](int jobs, int blocks, bool by_weekday) {
    return std::vector<Note>{
        {"resampled",
         Severity::info,
         "jobs.csv",
         {{"jobs", jobs}, {"by", "days"}, {"blocks", blocks}, {"empty", 0}, {"by_weekday", by_weekday}}}};
  };
  EXPECT_EQ(notes, resampled(40, 10, false));
  const auto jobs_of = [&](int seed) {
    const Study read_in = read(study(fmt::format("{}workload.seed = {}\n", days, seed)));
    Inputs inputs(read_in);
    std::vector<double> work;
    for (const Job& job : inputs.load(read_in.runs.at(0)).workload.jobs) work.push_back(job.iterations);
    return work;
  };
  EXPECT_EQ(jobs_of(1), jobs_of(1));
  EXPECT_NE(jobs_of(1), jobs_of(2));
  // From 28 days on the note says that days keep their weekdays.
  write_trace(56, "");
  (void)submits(days);
  EXPECT_EQ(notes, resampled(224, 56, true));
}

TEST_F(ResampleStudy, RefusesWhatMakesNoSense) {
  expect_parts(refusal(study(std::string("measure.jobs.last = 9\n") + days)),
               {"study.toml:5:", "workload.resample gives them other numbers", "leave measure.jobs out"});
  expect_parts(
      refusal("workload.generator = \"philly\"\nworkload.rho = 0.5\ncluster.table = \"c.csv\"\n" + std::string(days)),
      {"study.toml:4:", "no trace to draw from"});
  expect_parts(refusal(study("workload.resample = \"hours\"\n")), {"study.toml:5:", "hours"});
  const std::string stop =
      "[axes]\n\"policy.placement\" = [\"pal\", \"packed-sticky\"]\n[stop]\nlooks = [20, 40]\n"
      "relative_half_width = 0.01\n";
  expect_parts(refusal(study(days + stop)), {"[stop] adds seeds", "workload.resample"});
  const auto refused_input = [&](const std::string& more) {
    const Study read_in = read(study(more));
    return message_of([&] { (void)Inputs(read_in).check(); });
  };
  expect_parts(refused_input("workload.resample = \"users\"\n"), {"study.toml:5:", "names no users", "column user"});
  expect_parts(refused_input("workload.resample = \"weeks\"\n"), {"study.toml:5:", "1 whole week to draw from"});
  write_trace(10, ",user");
  EXPECT_EQ(submits("workload.resample = \"users\"\n").size() > 20, true);
}

// An archive of two policies under twelve resamples: the interval is that of the days, not of a mean over seeds. Beside
// the runs of the trace itself they are a block of their own.
TEST_F(ResampleStudy, CompareTakesSeedsForResamples) {
  const auto compared = [&](const std::string& more, bool marked) {
    const Study read_in = read(study(more));
    Inputs inputs(read_in);
    (void)inputs.check();
    LocalExchange alone;
    std::vector<RunRecord> records;
    for (const RunPlan& run : read_in.runs) records.push_back(execute(read_in, run, inputs, alone).value());
    Provenance provenance;
    provenance.resolved_study = read_in.resolved;
    provenance.baselines = {"packed-sticky"};
    provenance.compare_metric = "jct_mean_s";
    if (marked) provenance.resampled = inputs.trace_blocks();
    const auto file = dir / (marked ? "marked.h5" : "plain.h5");
    std::filesystem::remove(file);
    write_archive(file, records, {}, provenance);
    return compare(ArchiveReader(file), {{"jct_mean_s"}, {}, {}, {}});
  };
  const std::string axes =
      "[axes]\n\"policy.placement\" = [\"pal\", \"packed-sticky\"]\n\"workload.seed\" = { first = 1, count = 12 }\n";
  const auto with = compared(days + axes, true).groups.at(0), without = compared(days + axes, false).groups.at(0);
  const Improvement gain = with.gains.at(0).gain.value(), naive = without.gains.at(0).gain.value();
  ASSERT_TRUE(gain.low);
  EXPECT_EQ(gain.method, IntervalMethod::of_resamples);
  EXPECT_EQ(with.gains.at(0).coverage, Coverage::few_blocks) << "simulated traces had 56 days";
  EXPECT_EQ(with.gains.at(0).over->group.workloads, DrawnWorkloads::resamples);
  EXPECT_EQ(with.gains.at(0).over->group.resampling, Resampling::days);
  EXPECT_EQ(with.gains.at(0).over->count.replications, 12u);
  EXPECT_DOUBLE_EQ(gain.mean, naive.mean);
  EXPECT_GT(*gain.high - *gain.low, 3 * (*naive.high - *naive.low));  // sqrt(12 x 10/9 + 1) = 3.8 at least
  EXPECT_GT(with.rows.at(0).means.at(0)->half_width.value(), 3 * without.rows.at(0).means.at(0)->half_width.value());
  write_trace(56, "");
  const auto long_trace = compared(days + axes, true).groups.at(0);
  for (const PolicyGain& gain_of : long_trace.gains) {
    const bool simulated = gain_of.metric == "jct_mean_s";
    EXPECT_EQ(gain_of.coverage, simulated ? Coverage::simulated : Coverage::other_metric) << gain_of.metric;
  }
  write_trace(10, "");
  const auto both = compared(axes + "\"workload.resample\" = [\"none\", \"days\"]\n", true);
  ASSERT_EQ(both.groups.size(), 2u);
  EXPECT_EQ(both.groups[0].gains.at(0).gain->no_interval.why, Missing::no_change);
  EXPECT_EQ(both.groups[1].gains.at(0).gain->method, IntervalMethod::of_resamples);
}

}  // namespace
}  // namespace palstudy
