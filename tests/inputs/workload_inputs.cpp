// SPDX-License-Identifier: MIT
// What is said of the jobs of a study before it runs.
#include "inputs/workload_inputs.hpp"

#include <fmt/format.h>

#include "campaign/scratch.hpp"

namespace palstudy {
namespace {

/// Two jobs on one GPU.
class TwoJobs : public Scratch {
 protected:
  TwoJobs() { write("c.csv", "gpu_id,node_id,class,score\n0,0,A,1.0\n"); }
  /// The notes about jobs that are submitted then.
  [[nodiscard]] std::vector<Note> notes(long long first_s, long long last_s) const {
    write("jobs.csv", fmt::format("job_id,submit_s,num_gpus,iterations,iteration_s,class\n0,{},1,900,1.0,A\n"
                                  "1,{},1,900,1.0,A\n",
                                  first_s, last_s));
    const Study study = read(minimal + "cluster.gpus = 1\ncluster.gpus_per_node = 1\n");
    return Inputs(study).check();
  }
};

// Times that begin a week or more after time 0, and no less than the trace is long, seem to count from another day.
TEST_F(TwoJobs, ThatBeginLongAfterTime0AreSaid) {
  constexpr long long week_s = 604800;
  EXPECT_TRUE(notes(week_s - 1, week_s - 1).empty());
  EXPECT_EQ(notes(week_s, week_s + 1000),
            (std::vector<Note>{{"late-start", Severity::care, "jobs.csv", {{"first_s", 604800.0}}}}));
  EXPECT_EQ(notes(700000, 1400000).size(), 1u) << "as long after time 0 as the trace is long";
  EXPECT_TRUE(notes(700000, 1400001).empty());
}

// Times of a year or more are of another clock, such as one that counts from 1970: the trace begins at 0 then.
TEST_F(TwoJobs, OfAnotherClockBeginAtTime0) {
  constexpr long long year_s = 31536000;
  EXPECT_EQ(notes(year_s - 1, year_s).at(0).id, "late-start");
  EXPECT_EQ(notes(year_s, year_s + 1000),
            (std::vector<Note>{{"shifted", Severity::info, "jobs.csv", {{"by_s", 31536000.0}}}}));
  const Study study = read(minimal + "cluster.gpus = 1\ncluster.gpus_per_node = 1\n");
  Inputs inputs(study);
  const auto& jobs = inputs.load(study.runs.at(0)).workload.jobs;
  EXPECT_EQ(jobs.at(0).submit_s, 0);
  EXPECT_EQ(jobs.at(1).submit_s, 1000);
}

// Jobs wider than the cluster are an error, or left out where the study says so.
TEST_F(TwoJobs, WiderThanTheClusterAreLeftOutIfAsked) {
  write("jobs.csv", "job_id,submit_s,num_gpus,iterations,iteration_s,class\n0,0,2,900,1.0,A\n1,0,1,900,1.0,A\n");
  const std::string one_gpu = minimal + "cluster.gpus = 1\ncluster.gpus_per_node = 1\n";
  EXPECT_NE(message_or_none(ErrorCode::data, [&] { (void)Inputs(read(one_gpu)).check(); }), "");
  const Study study = read(one_gpu + "workload.wider = \"skip\"\n");
  Inputs inputs(study);
  EXPECT_EQ(inputs.check(),
            (std::vector<Note>{{"left-wider", Severity::care, "jobs.csv", {{"left", 1}, {"of", 2}, {"gpus", 1}}}}));
  EXPECT_EQ(inputs.load(study.runs.at(0)).workload.jobs.size(), 1U);
}

/// A table of two jobs with columns of its own names.
class OwnColumns : public Scratch {
 protected:
  OwnColumns() {
    write("c.csv", "gpu_id,node_id,class,score\n0,0,A,1.0\n");
    write("jobs.csv", "came,took,cards,kind\n0,60,1,A\n30,60,1,A\n");
  }
  [[nodiscard]] Study study(const std::string& columns) const {
    return read(
        "workload.trace = \"jobs.csv\"\nworkload.reader = \"csv\"\ncluster.table = \"c.csv\"\n"
        "cluster.gpus = 1\ncluster.gpus_per_node = 1\n" +
        columns);
  }
};

// A column of classes leaves nothing to draw: no note says so, and no seed makes other jobs.
TEST_F(OwnColumns, WithClassesNothingIsDrawn) {
  const Study named =
      study(R"(workload.columns = { submit = "came", duration = "took", gpus = "cards", class = "kind" })"
            "\n");
  Inputs inputs(named);
  const auto notes = inputs.check();
  EXPECT_EQ(find(notes, "drawn-classes"), nullptr);
  const Workload& jobs = inputs.load(named.runs.at(0)).workload;
  EXPECT_EQ(jobs.models, std::vector<std::string>{""});
  EXPECT_EQ(jobs.classes, std::vector<std::string>{"A"});
  EXPECT_FALSE(readers().at("csv").make.draws(named.runs.at(0).workload.columns));
  EXPECT_TRUE(readers().at("csv").make.draws({}));
}

// The key says what the reader is told, and one without the other is an error of the study.
TEST_F(OwnColumns, AreNamedWhereTheReaderWantsThem) {
  for (const char* given : {"", "workload.columns = [\"came\"]\n", "workload.columns = { sumbit = \"came\" }\n",
                            "workload.columns = { submit = 3 }\n"}) {
    EXPECT_NE(message_or_none(ErrorCode::usage, [&] { (void)study(given); }), "") << given;
  }
  (void)refusal(minimal + "workload.columns = { submit = \"s\" }\n");
}

/// A dump of sacct: the first job runs at time 0, and two come later, on another day.
class SiteDump : public Scratch {
 protected:
  SiteDump() {
    write("c.csv", "gpu_id,node_id,class,score\n0,0,A,1.0\n");
    write("jobs.csv",
          "JobID|State|Submit|Start|End|AllocTRES|JobName\n1|COMPLETED|1|2|90000|gres/gpu=1|x\n"
          "2|COMPLETED|95000|95000|99000|gres/gpu=1|x\n3|COMPLETED|260000|260000|270000|gres/gpu=1|y\n");
  }
  [[nodiscard]] Study study(const std::string& more) const {
    return read(
        "workload.trace = \"jobs.csv\"\nworkload.reader = \"sacct\"\ncluster.table = \"c.csv\"\ncluster.gpus = 1\n"
        "cluster.gpus_per_node = 1\n" +
        more);
  }
};

// Classes are those of the table. Where it does not have them they are drawn, and that is said.
TEST_F(SiteDump, ClassesAreThoseOfATable) {
  write("classes.csv", "name,class\n*,A\n");
  const Study all = study("workload.class_of = \"classes.csv\"\n");
  Inputs inputs(all);
  const auto notes = inputs.check();
  EXPECT_EQ(find(notes, "drawn-classes"), nullptr);
  EXPECT_EQ(inputs.load(all.runs.at(0)).workload.classes, (std::vector<std::string>{"A"}));
  write("classes.csv", "name,class\nnobody,A\n");
  Inputs drawn(all);
  expect_parts(message_of(ErrorCode::data, [&] { (void)drawn.check(); }), {"class"});  // B, C and D are not there
}

// The first job is no arrival that could be drawn again.
TEST_F(SiteDump, WhatItBeginsWithIsNotDrawnAgain) {
  write("classes.csv", "name,class\n*,A\n");
  const std::string classes = "workload.class_of = \"classes.csv\"\n";
  const Study days = study(classes + "workload.resample = \"days\"\n");
  Inputs inputs(days);
  const auto notes = inputs.check();
  const Note* const left = find(notes, "left-initial");
  ASSERT_NE(left, nullptr);
  EXPECT_EQ((*left)["jobs"].count(), 1U);
  const Study as_it_was = study(classes);
  Inputs once(as_it_was);
  EXPECT_EQ(find(once.check(), "left-initial"), nullptr);
  EXPECT_EQ(once.load(as_it_was.runs.at(0)).workload.jobs.size(), 3U);
}

}  // namespace
}  // namespace palstudy
