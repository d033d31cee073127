// SPDX-License-Identifier: MIT
// The two lines about measured jobs, of sets made by hand; on studies: tests/campaign/measured_jobs.cpp.
#include "words/measured_text.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <deque>

#include "study/run_plan.hpp"

namespace palstudy {
namespace {

/// Sets of runs that measure all jobs of a trace, from the first one on, on eight GPUs, unless a test says otherwise.
class MeasuredSets : public ::testing::Test {
 protected:
  RunPlan& add(const std::string& trace, std::size_t measured, std::size_t total, double load = nan) {
    RunPlan& run = runs.emplace_back();
    run.number = static_cast<std::int64_t>(runs.size()) - 1;
    run.workload.trace = trace;
    run.workload.reader = "native";
    run.measured.by = MeasuredBy::all;
    MeasuredSet& set = sets.emplace_back();
    set.run = &run;
    set.measured = measured;
    set.total = total;
    set.offered_load = load;
    set.from_first = true;
    set.gpus = 8;
    return run;
  }
  void clear() { runs.clear(), sets.clear(); }

  std::deque<RunPlan> runs;
  std::vector<MeasuredSet> sets;
};

// Of selections that differ each has a text with its own ends: here the second alone leaves jobs out.
TEST_F(MeasuredSets, EachSelectionHasItsOwnEnd) {
  for (const char* unlisted : {"borrow", "drop"}) {
    RunPlan& run = add("t.csv", 60, 60);
    run.tenants.on = true;
    run.tenants.unlisted = unlisted;
    run.tenants.quotas = "q.csv";
  }
  sets[1].measured = sets[1].total = 55;
  EXPECT_EQ(measured_line(sets),
            "measured: all 60 jobs of the trace; all 55 jobs of the trace, without those of tenants that have no "
            "quota");
}

// Four selections are written out, of five or more the first four.
TEST_F(MeasuredSets, FourSelectionsAreWrittenOut) {
  std::string four = "measured: ";
  for (int end_s = 1; end_s <= 6; ++end_s) {
    add("t.csv", 60, 60).measure.end_s = end_s;
    if (end_s > 4) {
      EXPECT_EQ(measured_line(sets), four + fmt::format("; and {} more", end_s - 4));
      continue;
    }
    four += fmt::format("{}all 60 jobs of the trace, runs end at {} s", end_s > 1 ? "; " : "", end_s);
    EXPECT_EQ(measured_line(sets), four);
  }
}

// 160 of 1,000 jobs are 16 %, of 2,000 8 %; of less than 1 % there are three digits.
TEST_F(MeasuredSets, PartsAreInPercent) {
  const auto first_160_of = [&](std::size_t total) {
    RunPlan& run = add(fmt::format("{}.csv", total), 160, total);
    run.measured.by = MeasuredBy::study;
    run.measure.last = 159;
  };
  first_160_of(1000);
  EXPECT_EQ(measured_line(sets), "measured: jobs 0 to 159 of 1,000, 16 %");
  first_160_of(2000);
  EXPECT_EQ(measured_line(sets), "measured: jobs 0 to 159 of 1,000 to 2,000, 8 to 16 %");
  clear();
  first_160_of(16000);
  EXPECT_EQ(measured_line(sets), "measured: jobs 0 to 159 of 16,000, 1 %");
  clear();
  first_160_of(64000);
  EXPECT_EQ(measured_line(sets), "measured: jobs 0 to 159 of 64,000, 0.25 %");
}

// Jobs that a generator makes have no end to be a part of; those that run at time 0 are said to be in or not.
TEST_F(MeasuredSets, OfAGeneratorHaveNoPart) {
  RunPlan& run = add("", 60, 100);
  run.workload.generator = "philly";
  run.measured.by = MeasuredBy::study;
  EXPECT_EQ(measured_line(sets), "measured: jobs 0 to 159 of those that are generated");
  run.measure.by_window = true;
  run.measure.warmup_s = 10;
  run.measure.window_s = 90;
  EXPECT_EQ(measured_line(sets), "measured: 60 jobs that arrive from 10 s to 100 s");
  run.measured.initial_jobs = true;
  EXPECT_EQ(measured_line(sets), "measured: 60 jobs that arrive from 10 s to 100 s, those that run at time 0 included");
  run.measure.initial = false;
  EXPECT_EQ(measured_line(sets), "measured: 60 jobs that arrive from 10 s to 100 s, those that run at time 0 left out");
}

// Job -1 is made up as running at time 0, job 0 is the first of the trace, also at time 0: the one is left out and
// adds no load, the other is measured, and the load is its 40 and the 80 GPU-seconds of job 1 over 8 GPUs x 10 s.
TEST_F(MeasuredSets, TheFirstJobOfATraceIsNoneThatRunsAtTime0) {
  Workload workload;
  for (const std::int64_t id : {-1, 0, 1}) {
    Job& job = workload.jobs.emplace_back();
    job.id = id;
    job.submit_s = id == 1 ? 10 : 0;
    job.gpus = id == 1 ? 8 : 4;
    job.iterations = 10, job.iteration_s = 1;
  }
  RunPlan& run = add("t.csv", 0, 0);
  run.measure.by_window = true;
  run.measure.window_s = 100;
  run.measure.initial = false;
  const MeasuredSet set = measured_set(run, workload, 8);
  EXPECT_EQ(set.measured, 2u);
  EXPECT_EQ(set.offered_load, 1.5);
  EXPECT_EQ(set.whole_load, 1.5);
}

// What jobs are of: one trace, several, or resamples of one; before any are loaded there is no number.
TEST_F(MeasuredSets, AreOfTracesOrResamples) {
  add("t.csv", 0, 0);
  EXPECT_EQ(measured_line(sets), "measured: all jobs of the trace");
  add("u.csv", 0, 0);
  EXPECT_EQ(measured_line(sets), "measured: all jobs of each trace");
  clear();
  add("t.csv", 60, 60).workload.resampling = Resampling::days;
  EXPECT_EQ(measured_line(sets), "measured: all 60 jobs of each resample of the trace");
  RunPlan& other = add("t.csv", 62, 62);
  other.workload.resampling = Resampling::days;
  other.workload.seed = 2;
  EXPECT_EQ(measured_line(sets), "measured: all 60 to 62 jobs of each of 2 resamples");
  clear();
  add("t.csv", 60, 60);
  add("t.csv", 61, 61).workload.models = "m.toml";
  EXPECT_EQ(measured_line(sets), "measured: all 60 to 61 jobs of each of 2 workloads");
  runs[1].workload.trace = "u.csv";
  EXPECT_EQ(measured_line(sets), "measured: all 60 to 61 jobs of each of 2 traces");
}

// Two jobs can be few; one alone is no choice among others. From 51 measured jobs on nothing is said.
TEST_F(MeasuredSets, FewAreSaidToBeFew) {
  const auto says_few = [&](std::size_t measured, std::size_t total) {
    clear();
    add("t.csv", measured, total);
    return measured_line(sets).find("so few that one job can decide the gain") != std::string::npos;
  };
  EXPECT_FALSE(says_few(1, 1));
  EXPECT_TRUE(says_few(1, 2));
  EXPECT_TRUE(says_few(2, 2));
  EXPECT_TRUE(says_few(50, 900));
  EXPECT_FALSE(says_few(51, 900));
}

// No load is said where all jobs arrive at once. From the first job on a load over 1 overloads, 1 itself does not; of
// several sets it is said how many, and that of the others it is at least not known.
TEST_F(MeasuredSets, OverloadIsCounted) {
  add("t.csv", 60, 60);
  EXPECT_EQ(load_line(sets), "");
  sets[0].offered_load = 1;
  EXPECT_EQ(load_line(sets), "offered load: 1");
  sets[0].offered_load = 1.2;
  EXPECT_EQ(load_line(sets), "offered load: 1.2; overloaded");
  add("u.csv", 60, 60);
  EXPECT_EQ(load_line(sets), "offered load: 1.2; overloaded") << "of the other no load is known";
  sets[1].offered_load = 0.5;
  EXPECT_EQ(load_line(sets), "offered load: 0.5 to 1.2 in 2 workloads; overloaded in at least 1 of 2 workloads");
  sets[1].offered_load = 1.5;
  EXPECT_EQ(load_line(sets), "offered load: 1.2 to 1.5 in 2 workloads; overloaded in 2 of 2 workloads");
}

// Behind the first job the queue grows at a load over 1, unless jobs fail, which do less than their work.
TEST_F(MeasuredSets, MoreWorkThanCanBeDoneIsCounted) {
  add("t.csv", 60, 90, 1);
  sets[0].from_first = false;
  EXPECT_EQ(load_line(sets), "offered load: 1");
  sets[0].offered_load = 1.2;
  EXPECT_EQ(load_line(sets), "offered load: 1.2; over 1");
  add("t.csv", 60, 90, 0.6);
  sets[1].from_first = false;
  sets[1].gpus = 16;
  EXPECT_EQ(load_line(sets), "offered load: 0.6 to 1.2 at 2 cluster sizes; over 1 at 1 of 2 cluster sizes");
  runs[0].failures.model = "philly";
  EXPECT_EQ(load_line(sets), "offered load: 0.6 to 1.2 at 2 cluster sizes");
}

// Beside the load: with a quiet end, of the whole trace, and what it does not see.
TEST_F(MeasuredSets, OtherLoadsStandBesideIt) {
  add("t.csv", 60, 90, 0.5);
  sets[0].quiet_load = 0.25;
  const std::string quiet = " with a quiet beginning or end, in which few jobs arrive)";
  EXPECT_EQ(load_line(sets), "offered load: 0.5 (0.25" + quiet);
  sets[0].whole_load = 0.4;
  sets[0].busiest_load = 0.9;
  runs[0].cluster.outages = "o.csv";
  runs[0].cluster.partition_sizes = {{"", 4}, {"", 4}};
  const std::string capacity =
      ", as if no node went down, of all partitions together: one may have more than it can do";
  EXPECT_EQ(load_line(sets),
            "offered load: 0.5 (0.25" + quiet + " (whole trace 0.4, busiest stretch as long 0.9)" + capacity);
  add("u.csv", 60, 60, 0.7);
  EXPECT_EQ(load_line(sets), "offered load: 0.5 to 0.7 (in 1 of 2, 0.25" + quiet +
                                 " (whole trace 0.4, busiest stretch as long 0.9)" + capacity + " in 2 workloads");
  sets[1].quiet_load = 0.3;
  sets[1].whole_load = 0.8;
  sets[1].busiest_load = 0.8;
  EXPECT_EQ(load_line(sets), "offered load: 0.5 to 0.7 (0.25 to 0.3" + quiet +
                                 " (whole trace 0.4 to 0.8, busiest stretch as long 0.8 to 0.9)" + capacity +
                                 " in 2 workloads");
}

// A look sees the first runs of a study, of which a set names its first.
TEST_F(MeasuredSets, OfTheFirstRunsAreThoseWithTheirNumbers) {
  for (int i = 0; i < 4; ++i) add("t.csv", 60, 60);
  EXPECT_EQ(sets_of(sets, 0).size(), 0u);
  ASSERT_EQ(sets_of(sets, 3).size(), 3u);
  EXPECT_EQ(sets_of(sets, 3).back().run, &runs[2]);
  EXPECT_EQ(sets_of(sets, 9).size(), 4u);
}

}  // namespace
}  // namespace palstudy
