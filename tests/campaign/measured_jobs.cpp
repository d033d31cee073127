// SPDX-License-Identifier: MIT
// Which jobs are measured where nothing is given, how that is said, and what is said of an overloaded cluster.
#include "inputs/measured_jobs.hpp"

#include <fmt/format.h>

#include "analysis/comparison.hpp"
#include "archive/write_records.hpp"
#include "campaign/check_resume.hpp"
#include "campaign/scratch.hpp"
#include "inputs/inputs.hpp"
#include "words/measured_text.hpp"

namespace palstudy {
namespace {

// At 1.5 times what the GPUs can do a third of 36 jobs an hour pile up.
void expect_overloaded(const Note* note) {
  ASSERT_NE(note, nullptr);
  EXPECT_NEAR((*note)["load"].most(), 1.5, 0.01);
  EXPECT_NEAR((*note)["growth"].most(), 12, 2);
}

class MeasuredStudy : public Scratch {
 protected:
  /// Jobs of four GPUs and `work_s` seconds, one every 100 s, on eight GPUs that are all alike: two at a time, so that
  /// the offered load is work_s / 200.
  explicit MeasuredStudy(int work_s = 100) {
    write_jobs(work_s);
    write_cluster(8);
  }
  void write_jobs(int work_s) const {
    write_trace_of(jobs, [&](int job) { return fmt::format("{},4,{},1,A", 100 * job, work_s); });
  }
  [[nodiscard]] static std::string study(const std::string& more) {
    return minimal + "cluster.gpus = 8\nengine.round_s = 10\n" + more;
  }
  [[nodiscard]] std::string line(const std::string& more) const { return line_of(study(more)); }
  [[nodiscard]] std::string load(const std::string& more) const { return load_of(study(more)); }
  [[nodiscard]] std::string line_of(const std::string& text) const {
    const Study read_in = read(text);
    Inputs inputs(read_in);
    (void)inputs.check();
    return measured_line(inputs.measured());
  }
  [[nodiscard]] std::string load_of(const std::string& text) const {
    const Study read_in = read(text);
    Inputs inputs(read_in);
    (void)inputs.check();
    return load_line(inputs.measured());
  }
  [[nodiscard]] std::size_t measured(const Study& of) const {
    Inputs inputs(of);
    (void)inputs.check();
    return inputs.measured().at(0).measured;
  }
  [[nodiscard]] Comparison compared(const std::string& more) const {
    const Study read_in = read(study(more + "axes.\"policy.placement\" = [\"pal\", \"packed-sticky\"]\n"));
    Provenance provenance;
    provenance.resolved_study = read_in.resolved;
    provenance.baselines = read_in.baselines;
    provenance.compare_metric = read_in.compare_metric;
    const auto file = dir / "a.h5";
    std::filesystem::remove(file);
    write_archive(file, simulate_all(read_in), {}, provenance);
    return compare(ArchiveReader(file), {{"jct_mean_s"}, {}, {}, {}});
  }
  static constexpr int jobs = 1200;
};

// 1,200 jobs, not the first 160; the resolved study names them and reads back to the same runs.
TEST_F(MeasuredStudy, MeasuresEveryJobOfATraceByDefault) {
  const Study all = read(study(""));
  EXPECT_EQ(measured(all), 1200u);
  EXPECT_NE(all.resolved.find("jobs = \"all\""), std::string::npos);
  const Study again = parse_study(all.resolved, (dir / "study.toml").string());
  EXPECT_EQ(again.runs.at(0).id, all.runs.at(0).id);
  EXPECT_EQ(again.resolved, all.resolved);
  EXPECT_EQ(measured(again), 1200u);
}

// A study that names jobs or a window has no word, whatever it is read from; --set goes before the word of a resolved
// study.
TEST_F(MeasuredStudy, NumbersAndWindowsStandInPlaceOfTheWord) {
  for (const std::string given : {"measure.jobs.last = 99\n", "measure.window_s = 9000\n"}) {
    const Study one = read(study(given));
    EXPECT_EQ(one.resolved.find("jobs = \""), std::string::npos);
    EXPECT_EQ(parse_study(one.resolved, "again").runs.at(0).id, one.runs.at(0).id);
  }
  const auto resolved = write("resolved.toml", read(study("")).resolved);
  EXPECT_EQ(measured(read_study(resolved, {"measure.jobs.last=99"})), 100u);
  EXPECT_EQ(measured(read_study(resolved, {"measure.window_s=1000"})), 10u);
  expect_parts(refusal(study("measure.jobs = \"all\"\nmeasure.window_s = 9000\n")),
               {"study.toml:6:", "measure.jobs is \"all\"", "keep one of them"});
}

// With workload.resample all jobs are measured without a word in the id.
TEST_F(MeasuredStudy, ResampledTracesAreMeasuredWhole) {
  const Study drawn = read(study("workload.resample = \"days\"\n"));
  const Study again = parse_study(drawn.resolved, (dir / "study.toml").string());
  EXPECT_EQ(again.runs.at(0).id, drawn.runs.at(0).id);
  EXPECT_EQ(again.runs.at(0).measured.by, MeasuredBy::all);
}

// A generator makes jobs without end, so that a study has to say which are measured.
TEST_F(MeasuredStudy, GeneratorsNeedANumberOrAWindow) {
  const std::string generated =
      "cluster.source = \"measured\"\nworkload.generator = \"synergy\"\nworkload.jobs_per_h = 8\n";
  const Study silent = read(generated);
  expect_parts(message_of(ErrorCode::usage, [&] { (void)Inputs(silent).check(); }),
               {"study.toml:2:", "does not say which jobs", "measure.window_s"});
  expect_parts(refusal(generated + "measure.jobs = \"all\"\n"), {"study.toml:4:", "without end"});
}

// The line, for each way to say what is measured.
TEST_F(MeasuredStudy, SaysItInOneLine) {
  EXPECT_EQ(line(""), "measured: all 1,200 jobs of the trace");
  EXPECT_EQ(line("measure.jobs = { first = 0, last = 1199 }\n"), line(""));
  EXPECT_EQ(line("measure.jobs = { first = 0, last = 159 }\n"), "measured: jobs 0 to 159 of 1,200, 13 %");
  EXPECT_EQ(
      line("measure = { warmup_s = 500, window_s = 1000, end_s = 9000 }\n"),
      "measured: 10 jobs that arrive from 500 s to 1500 s of 1,200, 0.833 %; so few that one job can decide the gain, "
      "runs end at 9000 s");
  write("few.csv", "job_id,submit_s,num_gpus,iterations,iteration_s,class\n0,0,1,9,1,A\n1,5,1,9,1,A\n");
  EXPECT_EQ(line("axes.\"workload.trace\" = [\"jobs.csv\", \"few.csv\"]\n"),
            "measured: all 2 to 1,200 jobs of each of 2 traces; so few that one job can decide the gain");
  EXPECT_EQ(measured_line(read(study(""))), "measured: all jobs of the trace");
  write("jobs.csv", "job_id,submit_s,num_gpus,iterations,iteration_s,class\n0,0,1,9,1,A\n");
  EXPECT_EQ(line(""), "measured: the only job of the trace");
}

// One trace on clusters of two sizes is one workload: 4 x 100 GPU-seconds every 100 s are half of 8 GPUs and a quarter
// of 16. Two traces are two workloads, and on two sizes both differ.
TEST_F(MeasuredStudy, ClusterSizesAreNoWorkloads) {
  const std::string drawn =
      "cluster.source = \"bootstrap\"\ncluster.profile = \"longhorn\"\nworkload.trace = \"jobs.csv\"\nworkload.reader "
      "= \"native\"\n";
  const std::string sizes = "axes.\"cluster.gpus\" = [8, 16]\n",
                    traces = "axes.\"workload.trace\" = [\"jobs.csv\", \"twice.csv\"]\n";
  std::filesystem::copy_file(dir / "jobs.csv", dir / "twice.csv");
  EXPECT_EQ(load_of(drawn + sizes), "offered load: 0.25 to 0.5 at 2 cluster sizes");
  EXPECT_EQ(line_of(drawn + sizes), "measured: all 1,200 jobs of the trace");
  EXPECT_EQ(load_of(drawn + "cluster.gpus = 8\n" + traces), "offered load: 0.5 in 2 workloads");
  EXPECT_EQ(load_of(drawn + sizes + traces), "offered load: 0.25 to 0.5 in 4 workloads and cluster sizes");
}

// A part of the trace that is chosen by hand has the load of the whole beside its own, and that of the busiest stretch
// as long. A job arrives every 100 s on 8 GPUs: the first 600 have 4 x 100 GPU-seconds, a load of 0.5, the last 600 six
// times that. From 10,000 to 19,900 s 100 jobs arrive: 100 x 400 / (8 x 9,900) = 0.505, and 6 x 0.505 = 3.03 among the
// last; all: 600 x 400 + 600 x 2,400 = 1.68e6 of 8 x 119,900.
TEST_F(MeasuredStudy, APartOfATraceHasTheLoadOfTheWholeBesideIt) {
  EXPECT_EQ(load(""), "offered load: 0.5");
  write_trace_of(jobs, [&](int job) { return fmt::format("{},4,{},1,A", 100 * job, job < 600 ? 100 : 600); });
  const std::string both = "offered load: 0.505 (whole trace 1.75, busiest stretch as long 3.03)";
  EXPECT_EQ(load("measure = { warmup_s = 10000, window_s = 10000 }\n"), both);
  EXPECT_EQ(load("measure.jobs = { first = 100, last = 199 }\n"), both);
}

// A window at 1.5 times what the GPUs can do: from 10,000 to 19,900 s 100 jobs of 1,200 GPU-seconds, of 8 x 9,900. Its
// first jobs find a queue, so that no overload is claimed, and more work than can be done is. One at half of it is
// fine.
TEST_F(MeasuredStudy, AWindowOfMoreWorkThanCanBeDone) {
  const std::string window = "measure = { warmup_s = 10000, window_s = 10000 }\n",
                    both = "measure.window_s = 10000\naxes.\"measure.warmup_s\" = [0, 10000]\n";
  EXPECT_EQ(load(window).find("over 1"), std::string::npos);
  write_jobs(300);
  expect_parts(load(window), {"offered load: 1.52", "; over 1"});
  expect_parts(load(both),
               {"; overloaded in at least 1 of 2 selections of jobs", "; over 1 in 1 of 2 selections of jobs"});
  // Jobs that fail for good are not worked on to their end, so that a load over 1 may be served.
  EXPECT_EQ(load(window + "failures.model = \"philly\"\n").find("over 1"), std::string::npos);
}

// 300 jobs of 600 s come every 100 s, three times what the GPUs can do, then one of 20 s every 1,000 s, a load of 0.01.
// From 40,000 to 80,000 s 12 jobs of the backlog end in an hour and 3.6 come, which wait for them; from 300,000 s on
// nothing waits.
TEST_F(MeasuredStudy, ABacklogIsSaidBesideTheGain) {
  std::string trace = "job_id,submit_s,num_gpus,iterations,iteration_s,class\n";
  for (int job = 0; job < jobs; ++job) {
    const bool early = job < 300;
    trace += fmt::format("{},{},4,{},1,A\n", job, early ? 100 * job : 30000 + 1000 * (job - 300), early ? 600 : 20);
  }
  write("jobs.csv", trace);
  const Comparison after = compared("measure = { warmup_s = 40000, window_s = 40000 }\n");
  ASSERT_TRUE(after.groups.at(0).gains.at(0).gain);
  const Note backlog = after.groups.at(0).gains.at(0).overloaded.value();
  EXPECT_EQ(backlog.id, "backlog");
  EXPECT_NEAR(backlog["shrink"].least(), 8.5, 0.5);
  const Comparison later = compared("measure = { warmup_s = 300000, window_s = 40000 }\n");
  EXPECT_FALSE(later.groups.at(0).gains.at(0).overloaded);
}

// Without rows of jobs a queue that grows before the measured jobs shows; only where these are the first is it unknown.
TEST_F(MeasuredStudy, OverloadIsUnknownWithoutRowsOfJobsIfTheFirstAreMeasured) {
  const auto told = [&](const std::string& measure) {
    return find(compared("output.jobs = false\n" + measure).notes, "no-job-rows", "overloaded") != nullptr;
  };
  EXPECT_TRUE(told("measure = { warmup_s = 0, window_s = 40000 }\n"));
  EXPECT_FALSE(told("measure = { warmup_s = 1, window_s = 40000 }\n"));
  EXPECT_TRUE(told("measure.jobs = { first = 0, last = 99 }\n"));
  EXPECT_FALSE(told("measure.jobs = { first = 1, last = 99 }\n"));
}

// At half of what the GPUs can do nothing is said; at 1.5 times as much two thirds of the jobs pile up meanwhile, 12 an
// hour, beside the gain. The runs still make a claim, and what is stored of them is as it was.
TEST_F(MeasuredStudy, OverloadIsSaidBesideTheGain) {
  const Comparison half = compared("");
  EXPECT_EQ(find(half.notes, "overloaded"), nullptr);
  EXPECT_FALSE(half.groups.at(0).gains.at(0).overloaded);
  write_jobs(300);
  const Comparison over = compared("");
  EXPECT_TRUE(over.left_out.empty());
  ASSERT_TRUE(over.groups.at(0).gains.at(0).gain);
  expect_overloaded(find(over.notes, "overloaded"));
  expect_overloaded(&*over.groups.at(0).gains.at(0).overloaded);
  EXPECT_EQ(over.from_empty, over.loaded);
  EXPECT_EQ(over.loaded, 2u);
  EXPECT_NE(find(compared("output.jobs = false\n").notes, "no-job-rows", "overloaded"), nullptr);
}

// One short job a month behind the others hides neither the load nor the growing queue: at a load of 1.5 a third of the
// jobs waits when the others have come, 12 an hour; at 0.5 nothing is said.
TEST_F(MeasuredStudy, AQuietEndHidesNoOverload) {
  const auto with_a_late_job = [&](int work_s) {
    write_jobs(work_s);
    std::ofstream(dir / "jobs.csv", std::ios::app) << fmt::format("{},{},4,10,1,A\n", jobs, 100 * jobs + 30 * 86400);
    return compared("").notes;
  };
  const auto over = with_a_late_job(300);
  EXPECT_EQ(load("").substr(0, 25), "offered load: 1.5 (0.0664");
  expect_overloaded(find(over, "overloaded"));
  EXPECT_EQ(find(with_a_late_job(100), "overloaded"), nullptr);
}

// Times in hours, or arrivals in milliseconds, leave next to no load, or jobs that are over early in a round; both are
// said of a trace, once. A load of a half of jobs of 100 s is right in rounds of 10 s and of 1,000 s, and of 50 jobs
// nothing is said.
TEST_F(MeasuredStudy, OtherUnitsThanSecondsAreDoubted) {
  const auto doubts = [&](const std::string& more, const std::vector<std::string>& set = {}) {
    const Study read_in = read(study(more), set);
    Inputs inputs(read_in);
    std::vector<Note> found = inputs.check();
    std::erase_if(found, [](const Note& note) { return note.id != "units"; });
    return found;
  };
  EXPECT_TRUE(doubts("").empty());
  EXPECT_TRUE(doubts("", {"engine.round_s=1000"}).empty());
  EXPECT_TRUE(doubts("measure.jobs = { first = 0, last = 49 }\n", {"engine.round_s=3600"}).empty());
  const auto units = [](const ValueRecord& values) {
    return std::vector<Note>{{"units", Severity::care, "jobs.csv", values}};
  };
  EXPECT_EQ(doubts("axes.\"measure.end_s\" = [90000, 200000]\n", {"engine.round_s=3600"}),
            units({{"duration_s", 100.0}, {"round_s", 3600.0}}));
  write_jobs(1);
  const auto idle = doubts("");
  ASSERT_EQ(idle.size(), 1u);
  EXPECT_NEAR(idle.front()["load"].number(), 0.005, 0.0005);
}

// Runs that end at two times measure two selections of jobs. Where some runs begin with the first job and some later,
// an empty cluster is said of some.
TEST_F(MeasuredStudy, SelectionsAreTold) {
  EXPECT_EQ(load("axes.\"measure.end_s\" = [90000, 200000]\n"), "offered load: 0.5 in 2 selections of jobs");
  const std::string begins = "measure.window_s = 20000\naxes.\"measure.warmup_s\" = [0, 10000]\n";
  const Comparison some = compared(begins);
  EXPECT_GT(some.from_empty, 0u);
  EXPECT_LT(some.from_empty, some.loaded);
}

// A study that names no baseline among its policies gets a reason, not silence.
TEST_F(MeasuredStudy, WithoutABaselineTheReasonIsSaid) {
  const Study read_in = read(study("axes.\"policy.placement\" = [\"pal\", \"random-sticky\"]\n"));
  write_archive(dir / "none.h5", simulate_all(read_in), {}, provenance_of(read_in.resolved));
  const auto notes = compare(ArchiveReader(dir / "none.h5"), {{"jct_mean_s"}, {}, {}, {}}).notes;
  ASSERT_FALSE(notes.empty());
  EXPECT_EQ(notes.front().id, "no-baseline");
  EXPECT_EQ(notes.front().severity, Severity::stop);
}

// A table of times in place of slowdowns is told.
TEST_F(MeasuredStudy, ATableOfTimesIsToldFromSlowdowns) {
  write_cluster(8, 4, [&](int gpu) { return 117 + gpu; });
  const Study read_in = read(study(""));
  Inputs inputs(read_in);
  (void)inputs.check();
  (void)inputs.load(read_in.runs.at(0));
  EXPECT_EQ(inputs.notes(),
            (std::vector<Note>{{"odd-table", Severity::care, "c.csv", {{"class", "A"}, {"median", 120.5}}}}));
}

// A run that ends while jobs still arrive: its queue grows up to there, 12 jobs an hour at a load of 1.5, whatever
// would have come later; and two jobs within 20 s on a cluster that has room for both are no overload, high as their
// load is.
TEST_F(MeasuredStudy, OverloadIsJudgedByWhatTheRunSaw) {
  write_jobs(300);
  const Comparison cut = compared("measure.end_s = 30000\n");
  expect_overloaded(find(cut.notes, "overloaded"));
  write_trace_of(2, [&](int job) { return fmt::format("{},4,500,1,A", 20 * job); });
  EXPECT_EQ(find(compared("").notes, "overloaded"), nullptr);
}

// Days without jobs are drawn like others, but are no evidence of how days differ: of 40 days the first 20 and the last
// have one.
TEST_F(MeasuredStudy, DaysWithoutJobsAreNoEvidence) {
  std::string trace = "job_id,submit_s,num_gpus,iterations,iteration_s,class\n";
  for (int job = 0; job < 20; ++job) trace += fmt::format("{},{},4,100,1,A\n", job, 86400 * job);
  trace += fmt::format("20,{},4,100,1,A\n", 86400 * 39);
  write("jobs.csv", trace);
  const Study read_in = read(study("workload.resample = \"days\"\n"));
  const TraceBlocks days = Inputs(read_in).trace_blocks();
  EXPECT_EQ(days.text(), "40 days, 19 of them without jobs");
  EXPECT_EQ(days.degrees(), 21 - 7);
  EXPECT_DOUBLE_EQ(days.widening(), 21.0 / 14);
}

}  // namespace
}  // namespace palstudy
